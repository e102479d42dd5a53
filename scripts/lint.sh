#!/usr/bin/env bash
# Formatting of every C++ file, and clang-tidy on all that does not link libtorch.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$root"
mapfile -t files < <(git ls-files '*.h' '*.cc')
say "clang-format: ${#files[@]} files"
clang-format --dry-run -Werror "${files[@]}"

mapfile -t sources < <(python3 - build/tsan/compile_commands.json <<'PYTHON'
import json, sys
for entry in json.load(open(sys.argv[1])):
    print(entry["file"])
PYTHON
)
say "clang-tidy: ${#sources[@]} files"
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/tsan
