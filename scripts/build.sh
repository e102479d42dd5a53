#!/usr/bin/env bash
# Configures (when needed) and builds CMake presets: scripts/build.sh PRESET... [-- TARGET...]
# PRESET is release, dev, tsan or cuda; without targets everything is built, the tests too.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export FAIRLAP_TORCH_ROOT=${FAIRLAP_TORCH_ROOT:-$(torch_root)}
# Shared by every checkout on the machine; a path inside the checkout counts as the same in each.
export CCACHE_DIR=$cache/ccache CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=10G
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

presets=() targets=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do presets+=("$1") && shift; done
if [ $# -gt 1 ]; then targets=(--target "${@:2}"); fi

cd "$root"
for preset in "${presets[@]}"; do
  if [ ! -e "build/$preset/build.ninja" ]; then
    say "Configuring $preset"
    cmake --preset "$preset" > "$cache/configure-$preset.log" 2>&1 ||
      { tail -n 30 "$cache/configure-$preset.log" >&2; die "cmake --preset $preset failed"; }
  fi
  say "Building $preset"
  cmake --build --preset "$preset" "${targets[@]}"
done
