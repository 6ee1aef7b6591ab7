#!/usr/bin/env bash
# Makes scenes/pictures, what the gallery shows of each shipped scene until it has made the moving pictures.
#   scenes/make_pictures.sh [HAZUMI-CLI] [NAME...]        needs ImageMagick
# A test compares them with the scenes (tests/render/gallery_pictures_test.cpp).
set -euo pipefail
scenes=$(realpath "$(dirname "$0")")
cli=$(realpath "${1:-$scenes/../build/app/bin/hazumi-cli}")
cd "$scenes"
shift || true
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
mkdir -p pictures
[[ $# -gt 0 ]] || set -- $(basename -s .json ./*.json)
for name in "$@"; do
  # What the gallery rests on: its eighth picture of twelve a second (ui/window/start_page.cpp).
  frame=$(python3 -c "
import json, sys
settings = json.load(open('$name.json'))['settings']
print(min(7 * max(1, round(settings['frame_rate'] / 12)), settings['last_frame']))")
  "$cli" render "$name.json" --frames "$frame-$frame" --size 256x160 --samples 4 --out "$frames/$name.####.png" >/dev/null
  convert "$frames/$name".*.png -strip -quality 88 "pictures/$name.jpg"
done
ls -l pictures
