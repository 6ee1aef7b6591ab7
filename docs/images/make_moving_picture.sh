#!/usr/bin/env bash
# Makes docs/images/moving.webp, the moving picture of the README, from frames that hazumi-cli renders.
#   docs/images/make_moving_picture.sh [HAZUMI-CLI]        needs the Debian package webp
set -euo pipefail
cd "$(dirname "$0")/../.."
cli=${1:-build/app/bin/hazumi-cli}
command -v img2webp >/dev/null || { echo "img2webp is missing: apt-get install webp" >&2; exit 1; }
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT

# Every third frame of a scene of 60 frames a second, shown for 50 ms: as fast as it is.
number=0
for part in teddy:0-120 ten_pin:20-140 fish:0-120 spot:0-120; do
  number=$((number + 1))
  "$cli" render "scenes/${part%:*}.json" --frames "${part#*:}:3" --size 640x360 --samples 4 \
    --out "$frames/$number.####.png" >/dev/null
done
img2webp -loop 0 -lossy -q 55 -m 4 -d 50 "$frames"/*.png -o docs/images/moving.webp >/dev/null
ls -l docs/images/moving.webp
