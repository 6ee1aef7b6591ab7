# Blender's cloth of N × N vertices, 2 m, level, let go but for two corners of one side: what a frame takes in processor time, and how far
# sides are stretched, by the stiffness and the quality (sub-steps) that are asked for.
# (blender -b -t 1 --python blender_cloth.py -- n quality tension frames)
import json
import sys
import time

import bpy
import numpy as np

N, QUALITY, TENSION, FRAMES = (float(x) for x in sys.argv[-1].split(","))
N, QUALITY, FRAMES = int(N), int(QUALITY), int(FRAMES)

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps, scene.render.fps_base = 25, 1.0
scene.frame_start, scene.frame_end, scene.gravity = 1, FRAMES + 1, (0, 0, -9.81)
side = 2 / (N - 1)
vertices = [(-1 + x * side, -1 + y * side, 2.0) for y in range(N) for x in range(N)]
faces = [(y * N + x, y * N + x + 1, (y + 1) * N + x + 1, (y + 1) * N + x) for y in range(N - 1) for x in range(N - 1)]
mesh = bpy.data.meshes.new("sheet")
mesh.from_pydata(vertices, [], faces)
mesh.update()
thing = bpy.data.objects.new("sheet", mesh)
scene.collection.objects.link(thing)
thing.vertex_groups.new(name="pin").add([0, N - 1], 1.0, "REPLACE")
cloth = thing.modifiers.new("cloth", "CLOTH")
cloth.settings.vertex_group_mass = "pin"
cloth.settings.quality = QUALITY
if TENSION > 0:
    cloth.settings.tension_stiffness = cloth.settings.compression_stiffness = TENSION
cloth.collision_settings.use_self_collision = False
cloth.point_cache.frame_start, cloth.point_cache.frame_end = 1, FRAMES + 1

taken, longest, mean = 0.0, 0.0, 0.0
scene.frame_set(1)
for frame in range(2, FRAMES + 2):
    begun = time.process_time()
    scene.frame_set(frame)
    taken += time.process_time() - begun
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    places = np.empty(3 * N * N, dtype=np.float32)
    seen.vertices.foreach_get("co", places)
    places = places.reshape(N, N, 3).astype(float)
    stretch = np.concatenate([np.linalg.norm(np.diff(places, axis=axis), axis=2).ravel() / side - 1 for axis in (0, 1)])
    longest, mean = max(longest, stretch.max()), stretch.mean()
print("RESULT " + json.dumps({"n": N, "quality": QUALITY, "tension": cloth.settings.tension_stiffness, "ms": 1e3 * taken / FRAMES,
                              "stretch": 100 * longest, "mean": 100 * mean}), flush=True)
