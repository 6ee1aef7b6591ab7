#!/usr/bin/env bash
# Polygonising 64 and 256 metaballs, balls and boxes: this program against Blender at equal error, one thread each, processor time, in one
# go. Each mesh is measured against its own program's field, whose surfaces are alike, not equal. Needs blender and python3-numpy; the
# program of the benchmarks is argument 1. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
exec env PATH=/usr/bin:/bin python3 tests/bench/metaballs_vs_blender.py "${1:-build/bench/bin/hazumi_bench}"
