#!/usr/bin/env bash
# A cube of n³ nodes that falls on a floor, a whole frame at 25 a second: this program by the solvers that hold a shape, against Blender's soft
# body, one thread each, in one go. Needs blender. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
#   tests/bench/soft_vs_blender.sh [HAZUMI_BENCH]
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=${1:-build/bench/bin/hazumi_bench}
echo "Hazumi:"
"$bench" --benchmark_filter='^soft_lattice/.*/1/iterations' --benchmark_format=json 2>/dev/null | python3 -c '
import json, sys
for row in json.load(sys.stdin)["benchmarks"]:
    if "frame_ms" in row:
        print("  {}: {:.1f} ms a frame, worst {:.1f}, stands at {:.3f} of its height".format(row["name"], row["frame_ms"], row["worst_ms"], row["stands"]))'
echo "Blender:"
PATH=/usr/bin:/bin blender -b -t 1 --python tests/bench/blender_soft.py -- 5 10 20 2>/dev/null | sed -n 's/^RESULT /  /p'
