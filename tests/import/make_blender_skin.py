# Samples of a skin whose weights blend, for tests/import, and where Blender has its vertices at 20 times:
# blender -b --python-exit-code 3 --python tests/import/make_blender_skin.py -- tests/import/clips
# Written while the figure is bent: the nodes of glTF then stand otherwise than they did when the skin was bound. Y up, metres.
import bpy, json, os, sys
import numpy as np

for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in np.__dict__:
        setattr(np, name, kind)  # Blender 3.4 expects an older numpy

out = os.path.abspath(sys.argv[sys.argv.index("--") + 1])
LAST = 38
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps, scene.frame_start, scene.frame_end = 24, 0, LAST

bpy.ops.object.armature_add(location=(0.4, -0.2, 0.1), rotation=(0.1, 0, 0.7))
rig = bpy.context.active_object
rig.name = "rig"
bpy.ops.object.mode_set(mode="EDIT")
joints = [(0, 0, 0), (0.05, 0, 0.7), (0, 0.1, 1.3), (0.1, 0.1, 1.8)]
names = ["hip", "back", "neck"]
bones = []
for i, name in enumerate(names):
    bone = rig.data.edit_bones[0] if i == 0 else rig.data.edit_bones.new(name)
    bone.name, bone.head, bone.tail, bone.roll = name, joints[i], joints[i + 1], 0.3 * i
    if i > 0:
        bone.parent = bones[-1]
    bones.append(bone)
bpy.ops.object.mode_set(mode="OBJECT")

bpy.ops.mesh.primitive_cylinder_add(vertices=9, radius=0.3, depth=1.9, location=(0.02, 0.05, 0.9))
body = bpy.context.active_object
body.name = body.data.name = "body"
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.subdivide(number_cuts=6)
bpy.ops.object.mode_set(mode="OBJECT")
body.parent, body.scale = rig, (1, 0.8, 1)
groups = [body.vertex_groups.new(name=name) for name in names]
for v in body.data.vertices:
    z = v.co.z + 0.9
    up, top = (min(max((z - at) / 0.5 + 0.5, 0), 1) for at in (0.7, 1.3))
    for group, weight in zip(groups, (1 - up, up * (1 - top), top * up)):
        if weight > 0:
            group.add([v.index], weight, "REPLACE")
body.modifiers.new("bones", "ARMATURE").object = rig
material = bpy.data.materials.new("skin")
body.data.materials.append(material)

# A hat that goes with a bone, whole.
bpy.ops.mesh.primitive_cone_add(vertices=7, radius1=0.3, depth=0.4)
hat = bpy.context.active_object
hat.name = hat.data.name = "hat"
hat.parent, hat.parent_type, hat.parent_bone = rig, "BONE", "neck"

turns = {"hip": (0.2, 0.5, -0.3), "back": (0.9, -0.7, 0.4), "neck": (-0.8, 1.2, 0.6)}
for name, ends in turns.items():
    b = rig.pose.bones[name]
    b.rotation_mode = "XYZ"
    for frame, part in ((0, 0.3), (15, 1), (LAST, -0.6)):
        b.rotation_euler = [part * x for x in ends]
        b.keyframe_insert("rotation_euler", frame=frame)
hip = rig.pose.bones["hip"]
for frame, place in ((0, (0, 0, 0)), (LAST, (0.6, 0.2, -0.3))):
    hip.location = place
    hip.keyframe_insert("location", frame=frame)

frames = []
for frame in sorted({round(LAST * i / 19) for i in range(20)}):
    scene.frame_set(frame)
    now = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = [now.matrix_world @ v.co for v in now.data.vertices]
    frames.append({"frame": frame, "points": [round(x, 6) for p in points for x in (p.x, p.z, -p.y)]})
assert len(frames) == 20
scene.frame_set(7)
bpy.ops.export_scene.gltf(filepath=os.path.join(out, "bending.glb"), export_format="GLB", export_current_frame=True)
bpy.ops.export_scene.fbx(filepath=os.path.join(out, "bending.fbx"), add_leaf_bones=False,
                         bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False, bake_anim_simplify_factor=0.0)
with open(os.path.join(out, "bending.json"), "w") as f:
    json.dump({"rate": 24, "frames": frames}, f, separators=(",", ":"))
