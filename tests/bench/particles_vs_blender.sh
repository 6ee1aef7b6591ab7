#!/usr/bin/env bash
# A frame of 100,000 particles with gravity, drag, a wind with gusts and a plane: this program against Blender, two threads each, in one go.
# Needs blender. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
theirs=$(blender -b -t 2 --python tests/bench/blender_particles.py 2>/dev/null | sed -n 's/^RESULT //p')
ours=$(build/bench/bin/hazumi_bench --benchmark_filter='^particles/mesh:0/' --benchmark_format=json | python3 -c '
import json, sys
row = json.load(sys.stdin)["benchmarks"][0]
living, ms = row["living"], row["real_time"]
print(f"{living:.0f} particles, {ms:.1f} ms a frame")')
echo "Hazumi: $ours"
echo "Blender: $theirs"
