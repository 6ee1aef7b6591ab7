# Samples with motion for tests/import, and where Blender has everything at 20 times:
# blender -b --python-exit-code 3 --python tests/import/make_blender_clips.py -- tests/import/clips
# Poses are written with y up and in metres: the place, the turn since the first of the 20 times (what the axes of a thing
# are called differs from format to format, how it turns does not), and of meshes the box around the vertices.
import bpy, io_scene_fbx, json, os, shutil, subprocess, sys
import numpy as np
from mathutils import Matrix

for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in np.__dict__:
        setattr(np, name, kind)  # Blender 3.4 expects an older numpy

out = os.path.abspath(sys.argv[sys.argv.index("--") + 1])
os.makedirs(out, exist_ok=True)
UP = Matrix(((1, 0, 0), (0, 0, 1), (0, -1, 0)))  # of z up: y up
LAST = 38
samples = []


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 0, LAST


def add(name, operator, place=(0, 0, 0), turn=(0, 0, 0), scale=(1, 1, 1), parent=None, **options):
    operator(**options)
    o = bpy.context.active_object
    o.name = o.data.name = name
    o.parent, o.location, o.rotation_euler, o.scale = parent, place, turn, scale
    return o


cube, cone, ball = (bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_cone_add,
                    bpy.ops.mesh.primitive_ico_sphere_add)


def key(thing, path, keys, kind="BEZIER"):
    """keys: (frame, value)"""
    for frame, value in keys:
        setattr(thing, path, value)
        thing.keyframe_insert(path, frame=frame)
    owner = thing.id_data.animation_data.action
    for curve in owner.fcurves:
        if curve.data_path.endswith(path):
            for k in curve.keyframe_points:
                k.interpolation = kind


def as_clip(thing, name):
    """The action of a thing becomes a track of its own, which formats write as a clip."""
    data = thing.animation_data
    action, data.action = data.action, None
    action.name = name + " " + thing.name
    track = data.nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, 0, action)
    strip.extrapolation = "HOLD_FORWARD"


def play(clip):
    for o in bpy.context.scene.objects:
        if o.animation_data:
            for track in o.animation_data.nla_tracks:
                track.mute = track.name != clip


def turn_of(matrix):
    """The turn that is nearest to a matrix: of sheared ones Blender's own depends on how they stand."""
    u, s, v = np.linalg.svd(np.array(matrix.to_3x3()))
    assert np.linalg.det(u @ v) > 0
    return Matrix((u @ v).tolist())


def poses(bones=False):
    rows, first = [], {}
    frames = sorted({round(LAST * i / 19) for i in range(20)})
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for o in bpy.context.scene.objects:
            things = []
            if o.type == "MESH" and not bones:
                things.append((o.name, o.evaluated_get(graph).matrix_world.copy(), o))
            if o.type == "ARMATURE" and bones:
                now = o.evaluated_get(graph)
                things += [(b.name, now.matrix_world @ b.matrix, None) for b in now.pose.bones]
            for name, matrix, mesh in things:
                turn = UP @ turn_of(matrix)
                first.setdefault(name, turn.copy())
                row = {"name": name, "frame": frame, "place": list(UP @ matrix.translation),
                       "turn": list((turn @ first[name].transposed()).to_quaternion())}
                if mesh:
                    points = [UP @ (matrix @ v.co) for v in mesh.data.vertices]
                    row["low"] = [min(p[i] for p in points) for i in range(3)]
                    row["high"] = [max(p[i] for p in points) for i in range(3)]
                rows.append({k: [round(x, 7) for x in v] if isinstance(v, list) else v for k, v in row.items()})
    assert len(frames) == 20
    return rows


def write(name, clip, rows, **options):
    path, end = os.path.join(out, name), name.rsplit(".", 1)[1]
    if end in ("gltf", "glb"):
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB" if end == "glb" else "GLTF_EMBEDDED", **options)
    elif end == "fbx":
        bpy.ops.export_scene.fbx(filepath=path, add_leaf_bones=False, **options)
    elif end == "bvh":
        bpy.ops.export_anim.bvh(filepath=path, frame_start=0, frame_end=LAST, **options)
    samples.append({"file": name, "clip": clip, "rate": 24, "rows": rows})


def write_with_pivots(name, changed):
    """What FBX does before and after a turn, which Blender reads and does not write, and another order of angles. Turns before are about one axis
    where the order is another: Blender takes it for them too, which FBX does not; and none stand behind, which it does not invert."""
    folder, path = os.path.dirname(io_scene_fbx.__file__), os.path.join(out, changed)
    shutil.copy(os.path.join(out, name), path)
    subprocess.run(["python3", os.path.join(folder, "fbx2json.py"), path], check=True, stdout=subprocess.DEVNULL)
    text = path[:-3] + "json"
    with open(text) as f:
        file = json.load(f)
    more = {"hook": {"RotationActive": True, "PreRotation": (0, -35, 0), "RotationOrder": 4,
                     "RotationPivot": (10, 40, -20), "RotationOffset": (5, 0, 15), "ScalingPivot": (0, 30, 10),
                     "ScalingOffset": (7, -3, 0)},
            "base": {"RotationActive": True, "PreRotation": (20, -35, 50), "RotationPivot": (0.5, 1, 0)}}
    for part in (e for e in file if e[0] == "Objects"):
        for model in (o for o in part[3] if o[0] == "Model"):
            rows = next(p for p in model[3] if p[0] == "Properties70")[3]
            for key_name, value in more.get(model[1][1].split("::")[0], {}).items():
                if isinstance(value, bool):
                    rows.append(["P", [key_name, "bool", "", "", int(value)], "SSSSI", []])
                elif isinstance(value, int):
                    rows.append(["P", [key_name, "enum", "", "", value], "SSSSI", []])
                else:
                    rows.append(["P", [key_name, "Vector3D", "Vector", "", *map(float, value)], "SSSSDDD", []])
    with open(text, "w") as f:
        json.dump(file, f)
    subprocess.run(["python3", os.path.join(folder, "json2fbx.py"), text], check=True, stdout=subprocess.DEVNULL)
    os.remove(text)
    reset()
    bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)
    samples.append({"file": changed, "clip": "", "rate": 24, "rows": poses()})


def crane():
    """Nested: a base that drives and turns, an arm of uneven scale on it, a hook that swings, a wall that stands."""
    reset()
    base = add("base", cube, (1, 2, 0.5), (0, 0, 0.4), (1, 1.5, 0.5))
    stand = bpy.data.objects.new("stand", None)
    stand.parent, stand.location, stand.rotation_euler = base, (0, 0.2, 1.5), (0.3, 0, 0.2)
    stand.scale = (1, 1 / 1.5, 2)  # without the shear that the base would give
    bpy.context.scene.collection.objects.link(stand)
    arm = add("arm", cone, (0, 0.3, 1), (0.3, 0.2, 0), (0.5, 0.5, 1), stand, vertices=8)
    hook = add("hook", ball, (3, 0, 2), (0, 0.5, 0), (0.3, 0.3, 0.3), subdivisions=1)
    add("wall", cube, (0, -4, 1), (0, 0, 0.2), (3, 0.2, 1))
    return base, arm, hook


def drive(kind):
    base, arm, hook = crane()
    key(base, "location", ((0, (1, 2, 0.5)), (20, (3, 1, 0.5)), (38, (4, 4, 0.7))), kind)
    key(base, "rotation_euler", ((0, (0, 0, 0.4)), (38, (0, 0, 2.4))), kind)
    key(hook, "location", ((0, (3, 0, 2)), (10, (3, 1, 1)), (24, (2, 0, 3)), (38, (3, 0, 2))), kind)
    key(hook, "rotation_euler", ((0, (0, 0.5, 0)), (38, (2.5, 0.5, 1))), kind)
    return base, arm, hook


def arm_rig():
    reset()
    bpy.ops.object.armature_add(location=(1, 0, 0.5), rotation=(0, 0, 0.3))
    rig = bpy.context.active_object
    rig.name = "rig"
    bpy.ops.object.mode_set(mode="EDIT")
    edit = rig.data.edit_bones
    upper = edit[0]
    upper.name, upper.tail = "upper", (0.2, 0, 1)
    lower, hand = edit.new("lower"), edit.new("hand")
    lower.head, lower.tail, lower.parent, lower.roll = upper.tail, (0.3, 0.3, 1.9), upper, 0.4
    hand.head, hand.tail, hand.parent, hand.roll = lower.tail, (0.3, 0.6, 2.2), lower, -0.3
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def skin(rig):
    post = add("sleeve", bpy.ops.mesh.primitive_cylinder_add, (0.2, 0.1, 1.1), (0, 0, 0), (0.25, 0.25, 1.1), rig,
               vertices=8)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=3)
    bpy.ops.object.mode_set(mode="OBJECT")
    bounds = {"upper": (-1, -0.15), "lower": (-0.15, 0.7), "hand": (0.7, 2)}
    for bone, (low, high) in bounds.items():
        group = post.vertex_groups.new(name=bone)
        for v in post.data.vertices:
            if low <= v.co.z < high:
                group.add([v.index], 1.0, "REPLACE")
    post.modifiers.new("bones", "ARMATURE").object = rig


def pose(rig, clip, turns, move):
    for bone, ends in turns.items():
        b = rig.pose.bones[bone]
        b.rotation_mode = "XYZ"
        key(b, "rotation_euler", ((0, (0, 0, 0)), (15, ends), (38, tuple(-0.5 * x for x in ends))))
    key(rig.pose.bones["upper"], "location", ((0, (0, 0, 0)), (38, move)))
    as_clip(rig, clip)


bend = ({"upper": (0.4, 0.1, -0.3), "lower": (0.9, -0.5, 0.2), "hand": (-0.6, 0.3, 0.8)}, (0.5, 0.2, -0.4))
wave = ({"upper": (0, 0, 0.7), "lower": (0, 0.8, 1.2), "hand": (1, 0, 0)}, (0, 0, 0.3))

# Sampled by the writer: a key at every frame.
things = drive("BEZIER")
rows = poses()
write("crane.glb", "All together", rows)  # a clip for each thing
write("crane.fbx", "", rows, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=False,
      bake_anim_simplify_factor=0.0)
write_with_pivots("crane.fbx", "crane_pivots.fbx")
# As few keys as there are.
for kind, name in (("LINEAR", "linear"), ("CONSTANT", "step"), ("BEZIER", "cubic")):
    base, arm, hook = crane()
    key(hook, "location", ((0, (3, 0, 2)), (10, (3, 1, 1)), (24, (2, 0, 3)), (38, (3, 0, 2))), kind)
    write("hook_%s.gltf" % name, "", poses(), export_force_sampling=False)
# Several clips.
for thing in drive("BEZIER"):
    if thing.animation_data:
        as_clip(thing, "drive")
base, hook = bpy.data.objects["base"], bpy.data.objects["hook"]
key(base, "location", ((0, (0, 0, 0.5)), (38, (0, 5, 0.5))))
key(base, "rotation_euler", ((0, (0, 0, 0.4)), (38, (0, 0.5, 0.4))))
as_clip(base, "away")
key(hook, "location", ((0, (3, 0, 2)), (38, (3, 3, 5))))
key(hook, "rotation_euler", ((0, (0, 0.5, 0)), (38, (0, 3, 0))))
as_clip(hook, "away")
for clip in ("drive", "away"):
    play(clip)
    rows = poses()
    for track in [t for o in (base, hook) for t in o.animation_data.nla_tracks]:
        track.mute = False
    write("clips.glb", clip, rows, export_nla_strips=True)
# Bones, with and without a skin.
rig = arm_rig()
for clip, (turns, move) in (("bend", bend), ("wave", wave)):
    pose(rig, clip, turns, move)
play("bend")
place, rig.matrix_world = rig.matrix_world.copy(), Matrix()  # BVH has what is in the armature, with its axes
rows = poses(True)
write("arm.bvh", "", rows, rotate_mode="ZYX")
write("arm_native.bvh", "", rows, rotate_mode="NATIVE", global_scale=10.0, root_transform_only=True)
rig.matrix_world = place
skin(rig)
for clip in ("bend", "wave"):
    play(clip)
    rows = poses(True)
    for track in rig.animation_data.nla_tracks:
        track.mute = False
    write("arm.glb", clip, rows, export_nla_strips=True)
    write("arm.fbx", clip, rows, bake_anim_use_all_actions=False, bake_anim_use_nla_strips=True,
          bake_anim_simplify_factor=0.0)

with open(os.path.join(out, "poses.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(s, separators=(",", ":")) for s in samples) + "\n]\n")
