#!/usr/bin/env bash
# Training steps on one GPU, ours against Python's, on a machine that has g++, a torch wheel with CUDA's headers, and
# perhaps no more: nothing is fetched, and cmake is not needed. Prints one JSON document; progress goes to stderr.
#   tests/bench/gpu.sh
#   PYTHON=...      the Python with torch (python3)
#   DEVICE=cpu      tries the same path without a GPU, briefly, on one network
#   BUDGET=350      seconds for everything; benchmarks for which no time is left are named in the document
#   ONLY=REGEX      benchmarks whose name matches
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
device=${DEVICE:-gpu} python=${PYTHON:-python3} budget=${BUDGET:-350}
build=$root/build/gpu-bench-$device
mkdir -p "$build"
cd "$root"

say() { printf '%4d s  %s\n' "$SECONDS" "$*" >&2; }

sources=(lib/models/*.cc worker/model/*.cc tests/bench/stepper.cc tests/bench/training_bench.cc)
for source in worker/step/*.cc; do
  if [ "$device" = gpu ] || [[ $source != *_cuda.cc ]]; then sources+=("$source"); fi
done
flags=$("$python" tests/bench/wheel_flags.py $([ "$device" = gpu ] && echo --cuda))
{ read -r compiler_flags && read -r linker_flags; } <<< "$flags"
compile="g++ -std=c++20 -O3 -DNDEBUG -fPIC -DFAIRLAP_BENCH_STEP_ONLY=1 -I$root $compiler_flags"

# A second run on the same machine finds everything compiled.
stamp=$(cat "${sources[@]}" lib/models/*.h worker/model/*.h worker/step/*.h worker/torch_pch.h \
  <(echo "$compile" "${sources[@]}" "$linker_flags") | sha256sum)
if [ "$stamp" != "$(cat "$build/stamp" 2> /dev/null)" ]; then
  rm -f "$build"/*.o "$build/stamp"
  say "precompiling torch/torch.h"
  cp worker/torch_pch.h "$build/torch_pch.h"
  $compile -x c++-header "$build/torch_pch.h" -o "$build/torch_pch.h.gch"
  say "compiling ${#sources[@]} files"
  printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -I SOURCE sh -c \
    "$compile -I$build -include torch_pch.h -c SOURCE -o $build/\$(echo SOURCE | tr / _).o"
  say "linking"
  g++ "$build"/*.o -o "$build/training_bench" $linker_flags -pthread
  echo "$stamp" > "$build/stamp"
fi
say "measuring"
exec "$python" tests/bench/gpu_run.py --bin "$build" --device "$device" \
  --seconds $((budget - SECONDS)) --only "${ONLY:-}"
