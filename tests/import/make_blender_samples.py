# Writes the sample files of tests/import/files with Blender's exporters, and manifest.json with what Blender itself knows of
# them: triangles, parts, materials, textures and the box in metres with y up. The test compares Hazumi's reader with it.
# usage: blender -b --python-exit-code 3 --python tests/import/make_blender_samples.py -- OUT [large]
# "large" writes monkeys in every format instead, for trying by hand. Made with Blender 3.4.1 of Debian 12.
# What was not written by Blender is added to the manifest by add_plain_samples.py.
import bmesh, bpy, json, math, os, struct, sys, zlib
import numpy as np

for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in np.__dict__:
        setattr(np, name, kind)  # Blender 3.4 expects an older numpy

args = sys.argv[sys.argv.index("--") + 1:]
out, large = os.path.abspath(args[0]), "large" in args[1:]
os.makedirs(out, exist_ok=True)
manifest = []


def png(path, size=8):
    rows = b""
    for y in range(size):
        rows += b"\0" + b"".join(bytes((255 if (x + y) % 2 else 40, 30 * y % 256, 30 * x % 256)) for x in range(size))
    chunk = lambda tag, data: struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", size, size, 8, 2, 0, 0, 0)) +
                chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def material(name, colour, roughness=0.5, metallic=0.0, image=None):
    m = bpy.data.materials.new(name)
    m.use_nodes = True
    node = m.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value = (*colour, 1)
    node.inputs["Roughness"].default_value = roughness
    node.inputs["Metallic"].default_value = metallic
    if image:
        texture = m.node_tree.nodes.new("ShaderNodeTexImage")
        texture.image = bpy.data.images.load(image)
        m.node_tree.links.new(texture.outputs["Color"], node.inputs["Base Color"])
    return m


def add(name, operator, place=(0, 0, 0), turn=(0, 0, 0), scale=(1, 1, 1), parent=None, materials=(), **options):
    operator(**options)
    o = bpy.context.active_object
    o.name = o.data.name = name
    o.parent = parent
    o.location, o.rotation_euler, o.scale = place, turn, scale
    for m in materials:
        o.data.materials.append(m)
    return o


cube, ball, cone, monkey = (bpy.ops.mesh.primitive_cube_add, bpy.ops.mesh.primitive_ico_sphere_add,
                            bpy.ops.mesh.primitive_cone_add, bpy.ops.mesh.primitive_monkey_add)


def expected():
    bpy.context.view_layer.update()
    low, high, faces, parts, used = [1e30] * 3, [-1e30] * 3, 0, 0, set()
    for o in bpy.context.scene.objects:
        if o.type != "MESH":
            continue
        o.data.calc_loop_triangles()
        faces += len(o.data.loop_triangles)
        slots = {p.material_index for p in o.data.polygons}
        parts += len(slots)
        used |= {o.data.materials[i].name for i in slots if i < len(o.data.materials)}
        for v in o.data.vertices:
            p = o.matrix_world @ v.co
            for axis, x in enumerate((p.x, p.z, -p.y)):
                low[axis], high[axis] = min(low[axis], x), max(high[axis], x)
    return {"faces": faces, "parts": parts, "materials": len(used), "low": [round(x, 5) for x in low],
            "high": [round(x, 5) for x in high]}


def write(name, textures=0, up="y", scale=1.0, length=1.0, unit=0.0, single=False, **options):
    """length: metres per unit of the Blender scene; scale: what the file must be scaled by; unit: what it says itself."""
    path = os.path.join(out, name)
    end = name.rsplit(".", 1)[1]
    if end == "obj":
        bpy.ops.wm.obj_export(filepath=path, path_mode="RELATIVE", **options)
    elif end in ("gltf", "glb"):
        bpy.ops.export_scene.gltf(filepath=path, export_format=options.pop("export_format", "GLB"), export_yup=True, **options)
    elif end == "fbx":
        bpy.ops.export_scene.fbx(filepath=path, **options)
    elif end == "dae":
        bpy.ops.wm.collada_export(filepath=path, **options)
    elif end == "ply":
        bpy.ops.export_mesh.ply(filepath=path, **options)
    elif end == "stl":
        bpy.ops.export_mesh.stl(filepath=path, **options)
    row = {"file": name, "up": up, "scale": scale, **expected(), "textures": textures}
    row["low"] = [round(x * length, 5) for x in row["low"]]
    row["high"] = [round(x * length, 5) for x in row["high"]]
    if unit:
        row["unit"] = unit
    if single:
        row["parts"], row["materials"] = 1, 0
    manifest.append(row)


def blocks():
    """Nested transforms, two materials on one object, a scale that is not uniform."""
    reset()
    red, blue = material("red", (0.8, 0.05, 0.02), 0.3), material("blue steel", (0.05, 0.1, 0.7), 0.2, 1.0)
    base = add("base", cube, (1, 2, 0.5), (0, 0, 0.4), (1, 1.5, 0.5), None, (red, blue))
    base.data.polygons[0].material_index = base.data.polygons[1].material_index = 1
    arm = add("arm", cone, (0, 0.3, 2), (0.3, 0.2, 0), (0.5, 0.5, 1), base, (blue,), vertices=8)
    add("tip", ball, (0, 0, 1.2), (0, 0.5, 0), (0.3, 0.3, 0.3), arm, (red,), subdivisions=1)


def skin():
    reset()
    png(os.path.join(out, "checks.png"))
    m = material("checks", (1, 1, 1), image=os.path.join(out, "checks.png"))
    add("crate", cube, (0, 0, 1), (0, 0, 0.3), materials=(m,))


def figure():
    reset()
    add("figure", monkey if large else ball, (0.5, 0, 1), (0.2, 0, 0), **({} if large else {"subdivisions": 2}))


def broken():
    """A box without one side and with another one turned inwards, beside a whole cone."""
    reset()
    red, blue = material("red", (0.8, 0.05, 0.02)), material("blue", (0.05, 0.1, 0.7))
    box = add("box", cube, (0, 0, 1), materials=(red,))
    mesh = bmesh.new()
    mesh.from_mesh(box.data)
    mesh.faces.ensure_lookup_table()
    mesh.faces[1].normal_flip()
    bmesh.ops.delete(mesh, geom=[mesh.faces[0]], context="FACES_ONLY")
    mesh.to_mesh(box.data)
    add("cone", cone, (3, 0, 1), materials=(blue,), vertices=12)


def instances():
    """One mesh used three times: as it is, mirrored and squeezed, and below a parent; caps are faces of seven corners."""
    reset()
    green, gold = material("green", (0.1, 0.5, 0.05), 0.6), material("gold", (0.9, 0.6, 0.1), 0.3, 1.0)
    post = add("post", bpy.ops.mesh.primitive_cylinder_add, (0, 0, 1), (0.2, 0, 0), materials=(green,), vertices=7)
    twin = bpy.data.objects.new("twin", post.data)
    twin.location, twin.scale, twin.rotation_euler = (3, 0, 1), (-1, 1, 0.5), (0.4, 0, 0.3)
    stand = bpy.data.objects.new("stand", None)
    stand.location, stand.rotation_euler = (0, 4, 0), (0, 0, 0.7)
    child = bpy.data.objects.new("child", post.data)
    child.parent, child.location = stand, (1, 0, 2)
    for o in (twin, stand, child):
        bpy.context.scene.collection.objects.link(o)
    ring = add("ring", bpy.ops.mesh.primitive_torus_add, (0, -4, 1), materials=(gold,), major_segments=12, minor_segments=6)
    ring.rotation_euler = (0.5, 0.2, 0)


def rig(place=(1, 0, 0.5)):
    """A post with a skin over two bones, at rest."""
    reset()
    red = material("red", (0.8, 0.05, 0.02))
    bpy.ops.object.armature_add(location=place)
    bones = bpy.context.active_object
    bpy.ops.object.mode_set(mode="EDIT")
    first = bones.data.edit_bones[0]
    first.name, first.tail = "lower", (0, 0, 1)
    second = bones.data.edit_bones.new("upper")
    second.head, second.tail, second.parent = (0, 0, 1), (0, 0, 2), first
    bpy.ops.object.mode_set(mode="OBJECT")
    post = add("post", bpy.ops.mesh.primitive_cylinder_add, (0, 0, 1), parent=bones, materials=(red,), vertices=8)
    for name in ("lower", "upper"):
        group = post.vertex_groups.new(name=name)
        for v in post.data.vertices:
            group.add([v.index], 1.0 if (v.co.z > 0) == (name == "upper") else 0.0, "REPLACE")
    post.modifiers.new("bones", "ARMATURE").object = bones


def coloured():
    figure()
    layer = bpy.context.active_object.data.color_attributes.new("Col", "BYTE_COLOR", "CORNER")
    for i, c in enumerate(layer.data):
        c.color = (1, 0, 0, 1) if i % 2 else (0, 0.5, 1, 1)


if large:
    figure()
    m = material("fur", (0.5, 0.2, 0.05))
    bpy.context.active_object.data.materials.append(m)
    for name in ("monkey.obj", "monkey.glb", "monkey.dae"):
        write(name)
    write("monkey.gltf", export_format="GLTF_SEPARATE")
    write("monkey.fbx", scale=0.01)
    for name in ("monkey.ply", "monkey.stl"):
        write(name, up="z", use_mesh_modifiers=True)
else:
    blocks()
    write("blocks.obj")
    write("blocks_z_up.obj", up="z", forward_axis="Y", up_axis="Z")
    write("blocks.glb", unit=1)
    write("blocks.gltf", export_format="GLTF_EMBEDDED", unit=1)
    write("blocks.fbx", scale=0.01, unit=0.01)
    write("blocks_z_up.fbx", up="z", scale=0.01, unit=0.01, axis_forward="Y", axis_up="Z")
    write("blocks.dae", unit=1)
    bpy.context.scene.unit_settings.scale_length = 0.0254
    write("blocks_inch.dae", length=0.0254, unit=1)
    skin()
    write("crate.obj", textures=1)
    write("crate.gltf", textures=1, export_format="GLTF_SEPARATE", export_texture_dir="pictures", unit=1)
    write("crate.glb", textures=1, unit=1)
    write("crate.fbx", textures=1, scale=0.01, path_mode="COPY", embed_textures=True, unit=0.01)
    write("crate_beside.fbx", textures=1, scale=0.01, path_mode="STRIP", unit=0.01)
    write("crate.dae", textures=1, use_texture_copies=True, unit=1)
    figure()
    write("figure.stl", up="z", single=True)
    write("figure_mm.stl", up="z", scale=0.001, global_scale=1000, single=True)
    write("figure.ply", up="z", single=True)
    skin()
    write("crate_ascii.stl", up="z", ascii=True, single=True)
    figure()
    write("figure_ascii.ply", up="z", use_ascii=True, single=True)
    coloured()
    write("coloured.ply", up="z", use_ascii=True, use_colors=True, single=True)
    write("coloured.glb", unit=1)
    manifest[-1]["materials"] = 0
    broken()
    write("broken.glb", unit=1)
    manifest[-1].update(open_edges=4, flipped=2)
    instances()
    write("instances.obj")
    write("instances.glb", unit=1)
    write("instances.fbx", scale=0.01, unit=0.01)
    write("instances.dae", unit=1)
    rig()
    write("rig.glb", unit=1)
    write("rig.fbx", scale=0.01, unit=0.01)
    rig((0, 0, 0))  # elsewhere Blender's bind shape and its inverse bind matrices do not fit each other in Collada
    write("rig.dae", unit=1)

with open(os.path.join(out, "manifest.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(row) for row in manifest) + "\n]\n")
