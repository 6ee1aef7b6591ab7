#!/usr/bin/env python3
# Adds to tests/import/files the samples that plain Python wrote (shared/peers/make_samples.py: a flat grid of 5 × 5 squares, an
# independent writer), with rows in manifest.json. scenes/spot.obj gets a row too; it stays where it is.
# usage: add_plain_samples.py SHARED_FOLDER FILES_FOLDER
import json, os, shutil, subprocess, sys, tempfile

shared, out = sys.argv[1:3]
path = os.path.join(out, "manifest.json")
with open(path) as f:
    manifest = [row for row in json.load(f) if not row.get("plain")]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, os.path.join(shared, "peers/make_samples.py"), folder], check=True, stdout=subprocess.DEVNULL)
    for name in ("grid.obj", "grid_ascii.ply", "grid_bin.ply", "grid_ascii.stl", "grid_bin.stl", "grid.gltf", "grid.glb", "skin.glb"):
        shutil.copy(os.path.join(folder, name), out)
        row = {"file": name, "up": "y", "scale": 1.0, "faces": 50, "parts": 1, "materials": 0, "low": [0, 0, 0],
               "high": [1, 1, 0], "textures": 0, "open_edges": 20, "plain": True}
        if name.endswith(("gltf", "glb")):
            row["unit"] = 1
        manifest.append(row)

points, faces = [], 0
with open(os.path.join(out, "../../../scenes/spot.obj")) as f:
    for line in f:
        words = line.split()
        if words and words[0] == "v":
            points.append([float(x) for x in words[1:4]])
        elif words and words[0] == "f":
            faces += len(words) - 3
manifest.append({"file": "../../../scenes/spot.obj", "up": "y", "scale": 1.0, "faces": faces, "parts": 1, "materials": 1,
                 "low": [min(p[k] for p in points) for k in range(3)], "high": [max(p[k] for p in points) for k in range(3)],
                 "textures": 1, "plain": True})

with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(row) for row in manifest) + "\n]\n")
