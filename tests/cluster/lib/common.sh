# Shared by the scripts in tests/cluster; sourced, not run.
source "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/common.sh"

here=$root/tests/cluster
source "$here/versions"

# Binaries are kept in a folder named after the versions they were built from, so a changed version makes a new one.
binaries=$cache/cluster-$(cat "$here/versions" "$here/requirements.txt" | sha256sum | cut -c1-12)
bin=$binaries/bin

# need_binaries NAME...: says what to run where one was not built yet.
need_binaries() {
  local name
  for name in "$@"; do
    if [ ! -x "$bin/$name" ]; then
      die "$name is not built yet: run tests/cluster/build-binaries.sh"
    fi
  done
}

# wait_until SECONDS COMMAND...: true as soon as the command is; false when the time is over.
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" > /dev/null 2>&1; do
    if [ "$SECONDS" -ge "$deadline" ]; then return 1; fi
    sleep 0.1
  done
}
