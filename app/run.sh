#!/usr/bin/env bash
# Installs what is missing, builds Release, and opens Hazumi on a scene that moves. With no display it writes that scene's
# frames as PNG files and says where they are. Arguments are passed on to Hazumi (a scene file to open instead).
set -euo pipefail
cd "$(dirname "$0")/.."

app/install.sh app/packages.txt
cmake --preset release -DHAZUMI_TESTS=OFF -B build/app >/dev/null

# What is not opened now is not waited for.
if [[ -n ${DISPLAY:-} || -n ${WAYLAND_DISPLAY:-} ]]; then
  cmake --build build/app --target hazumi
  [[ $# -gt 0 ]] || set -- scenes/soft_and_hard_ball.json
  exec build/app/bin/hazumi --play "$@"
fi

scene=${1:-scenes/soft_and_hard_ball.json}
cmake --build build/app --target hazumi-cli
out=out/$(basename "$scene" .json)
mkdir -p "$out"
echo "There is no display: rendering frames 0-120 of $scene."
build/app/bin/hazumi-cli render "$scene" --frames 0-120 --out "$out/frame.####.png" --size 960x540
echo "The frames are in $PWD/$out"
