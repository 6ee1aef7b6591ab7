#!/usr/bin/env bash
# Installs what the tests need, builds, and runs every test:
#   1. Release with g++: all test programs, the window tests under a virtual X display on Mesa's software renderer
#   2. the same scenes with clang++: state hashes must be the same bits
#   3. AddressSanitizer + UndefinedBehaviorSanitizer over the core
#   4. ThreadSanitizer over the core
# `tests/run.sh quick` stops after the first.
set -euo pipefail
cd "$(dirname "$0")/.."

app/install.sh app/packages.txt tests/packages.txt

export LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb
section() { printf '\n=== %s (%s)\n' "$1" "$(date +%H:%M:%S)"; }

section "Release, g++"
cmake --preset release >/dev/null
cmake --build build/release
xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" ctest --test-dir build/release --output-on-failure

if [[ ${1:-} != quick ]]; then
  section "Same bits with clang++"
  cmake --preset clang -DHAZUMI_TESTS=OFF >/dev/null
  cmake --build build/clang --target hazumi-cli
  for scene in scenes/*.json; do
    build/release/bin/hazumi-cli simulate "$scene" --frames 0-90 --hash --threads 2 >build/hash.gcc
    build/clang/bin/hazumi-cli simulate "$scene" --frames 0-90 --hash --threads 1 >build/hash.clang
    cmp build/hash.gcc build/hash.clang || { echo "$scene: g++ and clang++ differ" >&2; exit 1; }
    echo "$scene: $(wc -l <build/hash.gcc) hashes equal"
  done

  for preset in asan tsan; do
    section "$preset"
    cmake --preset $preset -DHAZUMI_GUI=OFF >/dev/null
    cmake --build build/$preset
    ctest --test-dir build/$preset --output-on-failure
  done
fi
section "All done"
