# Shared by the scripts in this folder; sourced, not run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/fairlap

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# The virtual environment is named after what is in it, so a changed requirement makes a new one.
venv_folder() {
  local requirements=$1
  echo "$cache/venv-$(sha256sum "$requirements" | cut -c1-12)"
}

# The torch folder inside the build environment; empty where setup has not run yet.
torch_root() {
  local folder
  for folder in "$(venv_folder "$root/scripts/requirements-build.txt")"/lib/python3*/site-packages/torch; do
    if [ -d "$folder" ]; then echo "$folder"; fi
  done
}

# Debian packages that are only looked into, not installed: fetched and unpacked in the cache.
unpacked_package() {
  local package=$1 folder="$cache/unpacked/$1"
  if [ ! -e "$folder/.complete" ]; then
    say "Fetching $package (unpacked in the cache, not installed)"
    rm -rf "$folder" && mkdir -p "$folder/download"
    if ! apt-cache show "$package" > /dev/null 2>&1; then as_root apt-get update -qq >&2; fi
    (cd "$folder/download" && apt-get -o APT::Sandbox::User=root download -qq "$package" >&2) ||
      die "Debian's package $package could not be fetched; is the network there?"
    dpkg -x "$folder"/download/*.deb "$folder"
    rm -r "$folder/download" && touch "$folder/.complete"
  fi
  echo "$folder"
}
