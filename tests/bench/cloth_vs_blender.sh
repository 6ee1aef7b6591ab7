#!/usr/bin/env bash
# A cloth of 60 × 60 nodes that swings from two of its corners in frames of 1/25 s: this program, Blender's cloth (quality 5; its own
# stiffness, and one that keeps 2 %) and Bullet's soft body, one thread each, in one go: processor time of a frame (ms), longest stretch of a
# side in any frame (%). Bullet swings 30 frames, the others 100. Needs blender and python3-numpy; the program of the benchmarks is
# argument 1. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=${1:-build/bench/bin/hazumi_bench}
ours() { "$program" --benchmark_filter="^$1" 2>/dev/null | grep -E '^(cloth|bullet)'; }
for round in 1 2; do
  ours cloth_pinned/nodes:60/
  for how in 5,0 5,1000; do
    env PATH=/usr/bin:/bin blender -b -t 1 --python tests/bench/blender_cloth.py -- "60,$how,100" 2>/dev/null | grep RESULT
  done
done
HAZUMI_CLOTH_FRAMES=30 ours bullet_cloth
