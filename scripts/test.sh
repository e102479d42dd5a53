#!/usr/bin/env bash
# Runs every test that needs no GPU, in the builds that scripts/build.sh made.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export PATH=$cache/bin:$PATH
cd "$root"
for preset in "$@"; do
  say "Testing $preset"
  ctest --preset "$preset" --parallel "$(nproc)"
done
