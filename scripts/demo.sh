#!/usr/bin/env bash
# The README's first command: photographs -> JPEG data set -> `fairlap run` -> result table.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

bin=$root/build/release/bin
photos=$(unpacked_package mate-backgrounds)/usr/share/backgrounds/mate/nature
data=$cache/demo-photos

if [ ! -e "$data/fairlap-dataset.json" ]; then
  say "Cutting a small JPEG data set out of $(ls "$photos"/*.jpg | wc -l) photographs"
  "$bin/fairlap" dataset generate --format imageFolder --from "$photos" --images 1200 --seed 1 \
    --out "$data"
fi

exec "$bin/fairlap" run -f "$root/crds/samples/quickstart.yaml" --volume "demo-photos=$data" \
  --out "$root/out/demo" --overwrite
