#!/usr/bin/env bash
# Ours against real peers in the same run: docs/performance.md. All of it takes about 15 minutes on 2 cores.
#   scripts/bench.sh [REGEX [ROUNDS]]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/setup.sh" bench
python=$(venv_folder "$root/scripts/requirements-bench.txt")/bin/python
bin=$root/build/release/bin
data=$cache/bench-images

if [ ! -e "$data/fairlap-dataset.json" ]; then
  say "Generating a JPEG data set of ImageNet-like sizes"
  "$bin/fairlap" dataset generate --format imageFolder --classes 10 --images 1000 --seed 1 --out "$data"
fi
exec "$python" "$root/tests/bench/run.py" --bin "$bin" --data "$data" \
  --out "$root/out/bench/bench.json" --only "${1:-}" --rounds "${2:-0}"
