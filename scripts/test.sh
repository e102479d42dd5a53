#!/usr/bin/env bash
# Runs every test that needs no GPU, in the builds that scripts/build.sh made.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

export PATH=$cache/bin:$PATH
# Leaks inside libtorch's and glibc's own start-up are theirs; see the file.
export LSAN_OPTIONS=suppressions=$root/tests/support/lsan.supp:print_suppressions=0
export ASAN_OPTIONS=detect_stack_use_after_return=0:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:suppressions=$root/tests/support/tsan.supp

cd "$root"
for preset in "$@"; do
  say "Testing $preset"
  ctest --preset "$preset" --parallel "$(nproc)"
done
