#!/usr/bin/env bash
# Polygonising 64 and 256 metaballs: this program against Blender, one thread each, in one go, at about the same
# number of triangles (Blender's resolutions 0.05 and 0.025; other resolutions as arguments after the first). Needs blender,
# python3-numpy and the peers' folder (argument 1, default /work/shared/peers).
# Blender's boxes and ellipsoids are ported as superquadrics (tests/bench/metaball_bench.cpp): the surfaces are alike,
# not equal. Build first: cmake --preset bench && ninja -C build/bench hazumi_bench.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=${1:-/work/shared/peers}
resolutions=${*:2}
for resolution in ${resolutions:-0.05 0.025}; do for n in 64 256; do
  row=$(blender -b -t 1 --python "$peers/blender_metaballs.py" -- --n "$n" --res "$resolution" --reps 2 | sed -n 's/^RESULT //p')
  python3 - "$n" "$row" <<'PY'
import json, os, subprocess, sys
n, theirs = int(sys.argv[1]), json.loads(sys.argv[2])
def ours(tolerance):
    out = subprocess.run(["build/bench/bin/hazumi_bench", f"--benchmark_filter=^metaball_cluster/{n}$", "--benchmark_format=json"],
                         env=dict(os.environ, HAZUMI_METABALL_TOLERANCE=str(tolerance)), check=True, capture_output=True, text=True)
    return json.loads(out.stdout)["benchmarks"][0]
low, high = 3e-4, 0.1          # finer, coarser
for _ in range(9):
    middle = (low * high) ** 0.5
    row = ours(middle)
    if abs(row["triangles"] / theirs["tris"] - 1) < 0.05:
        break
    low, high = (low, middle) if row["triangles"] < theirs["tris"] else (middle, high)
ratio = row["triangles_per_s"] / theirs["tris_per_s"]
print(f"{n} primitives: Hazumi {row['triangles']:.0f} triangles, {row['triangles_per_s']:.0f}/s (tolerance {middle:.4f}); "
      f"Blender {theirs['tris']} triangles, {theirs['tris_per_s']}/s; ratio {ratio:.2f}")
PY
done; done
