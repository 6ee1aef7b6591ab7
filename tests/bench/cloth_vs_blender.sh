#!/usr/bin/env bash
# A cloth of 60 × 60 nodes that swings from two of its corners, 100 frames of 1/25 s: this program, Blender's cloth (quality 5, its own
# stiffness, and stiffer) and Bullet's, one thread each, processor time of a frame and stretch, in one go. Needs blender and
# python3-numpy; the program of the benchmarks is argument 1. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${1:-build/bench/bin/hazumi_bench}
for round in 1 2; do
  "$program" --benchmark_filter='^cloth_pinned/nodes:60/substeps:2|^bullet_cloth' 2>/dev/null | grep -E '^(cloth|bullet)'
  for how in 5,0 5,1000 20,1000; do
    env PATH=/usr/bin:/bin blender -b -t 1 --python tests/bench/blender_cloth.py -- "60,$how,100" 2>/dev/null | grep RESULT
  done
done
