#!/usr/bin/env bash
# Installs what building (and, on request, testing, linting or benchmarking) needs and the machine lacks: Debian
# packages by name, and libtorch in a virtual environment in the cache. Fast when all is there.
#   scripts/setup.sh [build] [test] [control-plane] [cluster] [lint] [bench]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages() {
  local package missing=()
  while read -r package; do
    if ! dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q 'install ok installed'; then
      missing+=("$package")
    fi
  done < "$1"
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  say "Installing Debian packages: ${missing[*]}"
  as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" > "$cache/apt.log" 2>&1 || { tail -n 20 "$cache/apt.log" >&2; die "apt-get failed"; }
}

# make_venv REQUIREMENTS SIZE [PIP_OPTION...]
make_venv() {
  local requirements=$1 size=$2 folder
  shift 2
  folder=$(venv_folder "$requirements")
  if [ -e "$folder/.complete" ]; then return; fi
  say "Installing $(basename "$requirements") into $folder (about $size to fetch)"
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@" \
    -r "$requirements"
  touch "$folder/.complete"
}

mkdir -p "$cache"
exec 9> "$cache/setup.lock"
flock 9 # two checkouts may set up at once

for part in "${@:-build}"; do
  case $part in
    build)
      install_packages "$root/scripts/packages-build.txt"
      make_venv "$root/scripts/requirements-build.txt" "0.6 GB" --no-deps
      ;;
    test)
      install_packages "$root/tests/packages-test.txt"
      # promtool alone: installing the package would start a Prometheus server on this machine.
      mkdir -p "$cache/bin"
      ln -sf "$(unpacked_package prometheus)/usr/bin/promtool" "$cache/bin/promtool"
      ;;
    control-plane | cluster)
      install_packages "$root/tests/cluster/packages-cluster.txt"
      "$root/tests/cluster/build-binaries.sh" "$part"
      ;;
    lint) install_packages "$root/scripts/packages-lint.txt" ;;
    bench) make_venv "$root/scripts/requirements-bench.txt" "3 GB" ;;
    *) die "setup.sh: unknown part '$part'; known are build, test, control-plane, cluster, lint and bench" ;;
  esac
done
