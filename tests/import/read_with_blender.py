# A second opinion on the sample files: loads each one of manifest.json with Blender's importers and writes what Blender
# understood into its row ("blender": triangles, box with the file's up axis kept, base colours of the materials in use).
# usage: blender -b --python-exit-code 3 --python tests/import/read_with_blender.py -- FILES_FOLDER
import bpy, json, os, sys
import numpy as np

for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in np.__dict__:
        setattr(np, name, kind)  # Blender 3.4 expects an older numpy

files = os.path.abspath(sys.argv[sys.argv.index("--") + 1])


def load(path):
    end = path.rsplit(".", 1)[1]
    if end in ("gltf", "glb"):
        return bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    if end == "obj":
        return bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
    if end == "fbx":
        return bpy.ops.import_scene.fbx(filepath=path)
    if end == "dae":
        return bpy.ops.wm.collada_import(filepath=path)
    return getattr(bpy.ops.import_mesh, end)(filepath=path)


def base_colour(material):
    if not material.use_nodes:
        return material.diffuse_color[:3]
    for node in material.node_tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            return node.inputs["Base Color"].default_value[:3]
    return material.diffuse_color[:3]


def understood(name):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    load(os.path.normpath(os.path.join(files, name)))
    bpy.context.scene.frame_set(0)
    bpy.context.view_layer.update()
    # These importers turn the file's up axis to Blender's z; turned back here. OBJ, PLY and STL are read as they are.
    turned = name.endswith(("gltf", "glb", "fbx", "dae"))
    low, high, faces, colours = [1e30] * 3, [-1e30] * 3, 0, {}
    graph = bpy.context.evaluated_depsgraph_get()
    for o in bpy.context.scene.objects:
        if o.type != "MESH":
            continue
        o.data.calc_loop_triangles()
        faces += len(o.data.loop_triangles)
        for m in o.data.materials:
            if m:
                colours[m.name.split(".")[0]] = [round(x, 4) for x in base_colour(m)]
        for v in o.evaluated_get(graph).data.vertices:
            p = o.matrix_world @ v.co
            for axis, x in enumerate((p.x, p.z, -p.y) if turned else p):
                low[axis], high[axis] = min(low[axis], x), max(high[axis], x)
    return {"faces": faces, "low": [round(x, 5) for x in low], "high": [round(x, 5) for x in high], "colours": colours}


path = os.path.join(files, "manifest.json")
with open(path) as f:
    manifest = json.load(f)
for row in manifest:
    row["blender"] = understood(row["file"])
    print("READ", row["file"], row["blender"])
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(row) for row in manifest) + "\n]\n")
