# Opens an animated glTF of ours with Blender and compares places, rotations and, of what bends, the mean of the vertices.
# HAZUMI_CLIP_FOLDER=FOLDER core_playback_tests '[.blender]'
# usage: blender -b --python-exit-code 3 --python tests/export/read_clip_with_blender.py -- FOLDER
# Blender 3.4.1, 21 frames of three bodies that are seen, the floor and thirteen particles that are copies: 1e-7 m, 1 - |q.q'| 6e-8.
import bpy, json, os, sys
import numpy as np
from mathutils import Quaternion

for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in np.__dict__:
        setattr(np, name, kind)  # Blender 3.4 expects an older numpy

folder = sys.argv[sys.argv.index("--") + 1]
told = json.load(open(os.path.join(folder, "clip.json")))
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = round(told["rate"])
bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "clip.glb"))
far, turned, seen, bent = 0, 0, 0, 0
for row in told["rows"]:
    thing = bpy.data.objects.get(row["name"])
    if thing is None:
        continue  # a point has no display model
    bpy.context.scene.frame_set(row["frame"])
    now = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if row["bends"]:
        place = np.mean([list(now.matrix_world @ v.co) for v in now.to_mesh().vertices], axis=0)
        bent += 1
    else:
        place = now.matrix_world.translation
        w, x, y, z = row["rotation"]
        turned = max(turned, 1 - abs(now.matrix_world.to_quaternion().dot(Quaternion((w, x, -z, y)))))
    x, y, z = row["place"]
    far = max(far, *(abs(a - b) for a, b in zip(place, (x, -z, y))))
    seen += 1
print("seen", seen, "of which bend", bent, "place", far, "m, rotation", turned)
assert seen >= 190 and bent >= 20 and far < 1e-4 and turned < 1e-5
