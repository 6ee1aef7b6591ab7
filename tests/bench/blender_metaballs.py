# Clusters of balls or boxes polygonised by Blender at several resolutions: what it takes and how far the mesh is from the surface, which
# is known in closed form. (blender -b -t 1 --python blender_metaballs.py -- boxes n resolution...)
# Places and sizes are those of `peer_cluster` in metaball_bench.cpp. Errors in diameters of a single ball of mean size.
import json
import sys
import time

import bpy
import numpy as np

BOXES, COUNT, RESOLUTIONS = int(sys.argv[-1].split(",")[0]), int(sys.argv[-1].split(",")[1]), [float(x) for x in sys.argv[-1].split(",")[2:]]
THRESHOLD, STIFFNESS, FACES = 0.6, 2.0, 6000
SEEN = (1 - (THRESHOLD / STIFFNESS) ** (1 / 3)) ** 0.5  # of its radius, where a single ball is seen
DIAMETER = 2 * 0.9 * SEEN

draws = 7
def draw(low, high):
    global draws
    draws = draws * 48271 % 2147483647
    return low + (high - low) * draws / 2147483647

elements = []  # place, radius, half extents of the box within
for _ in range(COUNT):
    while True:
        place = [draw(-1, 1), draw(-1, 1), draw(-1, 1)]
        if sum(c * c for c in place) <= 1:
            break
    radius = draw(0.7, 1.1)
    size = [draw(0.3, 0.7), draw(0.3, 0.7), draw(0.3, 0.7)]
    elements.append(([0.55 * COUNT ** (1 / 3) * c for c in place], radius, size if BOXES else [0, 0, 0]))

bpy.ops.wm.read_factory_settings(use_empty=True)
balls = bpy.data.metaballs.new("balls")
balls.threshold, balls.update_method = THRESHOLD, "UPDATE_ALWAYS"
for place, radius, size in elements:
    e = balls.elements.new(type="CUBE" if BOXES else "BALL")
    e.co, e.radius, e.stiffness = place, radius, STIFFNESS
    if BOXES:
        e.size_x, e.size_y, e.size_z = size
thing = bpy.data.objects.new("balls", balls)
bpy.context.scene.collection.objects.link(thing)

PLACES = np.array([e[0] for e in elements])
RADII = np.array([balls.elements[k].radius for k in range(COUNT)])
SIZES = np.array([e[2] for e in elements])

def field(x):
    """Value less the threshold, and its slope."""
    value, slope = np.full(len(x), -THRESHOLD), np.zeros_like(x)
    for place, radius, size in zip(PLACES, RADII, SIZES):
        d = x - place
        d = np.sign(d) * np.maximum(np.abs(d) - size, 0)
        left = np.maximum(1 - (d * d).sum(1) / radius**2, 0)
        value += STIFFNESS * left**3
        slope += (-6 * STIFFNESS / radius**2 * left**2)[:, None] * d
    return value, slope

def errors(mesh):
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", corners)
    faces = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", faces)
    corners, faces = corners.reshape(-1, 3), faces.reshape(-1, 3)
    a, b, c = (corners[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    few = np.unique(np.linspace(0, len(faces) - 1, FACES).astype(int))
    a, b, c, area = a[few], b[few], c[few], area[few]
    asked = [(27, (a + b + c) / 3), (8, (a + b) / 2), (8, (b + c) / 2), (8, (c + a) / 2), (3, a), (3, b), (3, c)]
    start, weight = np.concatenate([x for _, x in asked]), np.concatenate([w / 60 * area for w, _ in asked])
    x = start.copy()
    for _ in range(5):
        value, slope = field(x)
        x -= (value / np.maximum((slope * slope).sum(1), 1e-12))[:, None] * slope
    far = np.linalg.norm(x - start, axis=1) / DIAMETER
    return len(faces), float(((weight * far * far).sum() / weight.sum()) ** 0.5), float(far.max())

for resolution in RESOLUTIONS:
    balls.resolution = balls.render_resolution = resolution
    taken, last = [], None
    while len(taken) < 2 or (len(taken) < 4 and sum(taken) < 4):
        balls.elements[0].radius += 1e-7  # so that it is made anew
        balls.update_tag()
        begin = time.process_time()
        bpy.context.view_layer.update()
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(graph), depsgraph=graph)
        taken.append(time.process_time() - begin)
        if last:
            bpy.data.meshes.remove(last)
        last = mesh
    if len(last.polygons) == 0:
        continue  # coarser than what there is
    triangles, mean, largest = errors(last)
    print("RESULT " + json.dumps({"at": resolution, "ms": 1000 * min(taken[1:]), "triangles": triangles, "rms": mean, "largest": largest}), flush=True)
