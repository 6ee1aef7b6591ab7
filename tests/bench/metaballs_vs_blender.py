# What both say of their own surfaces, along a row of resolutions each, brought to equal error between neighbours (all in logarithms).
import json
import math
import os
import subprocess
import sys

LEVELS = [0.01, 0.0027, 0.00074, 0.0002]  # of a ball's diameter
RESOLUTIONS = [0.3, 0.2, 0.14, 0.1, 0.07, 0.05, 0.035, 0.025, 0.018]
TOLERANCES = [0.1, 0.056, 0.032, 0.016, 0.008, 0.004, 0.002, 0.001, 0.0005, 0.00025]


def theirs(boxes, n):
    command = ["blender", "-b", "-t", "1", "--python", "tests/bench/blender_metaballs.py", "--", ",".join(map(str, [boxes, n, *RESOLUTIONS]))]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line[7:]) for line in said.splitlines() if line.startswith("RESULT ")]


def ours(program, boxes, n):
    rows = []
    for tolerance in TOLERANCES:
        command = [program, f"--benchmark_filter=^metaball_peer/boxes:{boxes}/n:{n}$", "--benchmark_format=json"]
        said = subprocess.run(command, env=dict(os.environ, HAZUMI_METABALL_TOLERANCE=str(tolerance)), check=True, capture_output=True, text=True)
        row = json.loads(said.stdout)["benchmarks"][0]
        rows.append({"at": tolerance, "ms": row["cpu_time"], "triangles": row["triangles"], "rms": row["rms"], "largest": row["largest"]})
    return rows


def at(rows, measure, level, what):
    """Where the measure goes through the level for the last time; where all are nearer, at the coarsest; where none is: none."""
    if rows[0][measure] < level:
        return rows[0][what]
    for coarse, fine in reversed(list(zip(rows, rows[1:]))):
        if coarse[measure] >= level >= fine[measure]:
            part = math.log(coarse[measure] / level) / math.log(coarse[measure] / fine[measure])
            return math.exp((1 - part) * math.log(coarse[what]) + part * math.log(fine[what]))
    return None


def main():
    program = sys.argv[1]
    for boxes in (0, 1):
        for n in (64, 256):
            us, them = ours(program, boxes, n), theirs(boxes, n)
            for name, rows in (("Hazumi", us), ("Blender", them)):
                for row in rows:
                    print(f"  {name} {row['at']:g}: {row['ms']:.0f} ms, {row['triangles']:.0f} triangles, error {row['rms']:.2e}, at most {row['largest']:.2e}")
            for measure in ("rms", "largest"):
                for level in LEVELS:
                    pairs = [[at(rows, measure, level, what) for rows in (us, them)] for what in ("ms", "triangles")]
                    told = f"{n} {'boxes' if boxes else 'balls'}, {measure} {100 * level:g} %: "
                    if any(x is None for pair in pairs for x in pair):
                        print(told + "beyond what was tried")
                        continue
                    (t, u), (a, b) = pairs
                    print(told + f"{t:.0f} ms for Blender's {u:.0f}, {u / t:.1f} times as fast; {a:.0f} triangles for {b:.0f}, {a / b:.2f}", flush=True)


main()
