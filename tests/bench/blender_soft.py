# A cube of n³ vertices with edges, face and body diagonals in Blender's soft body, as soft_lattice of elastic_scale_bench.cpp: 2 m wide, falls
# 1 m on a plane, 25 frames a second. Mean seconds of a frame, and how high it stands in the end.
# (blender -b -t 1 --python blender_soft.py -- 10 20)
import itertools
import json
import sys
import time

import bpy


def lattice(n):
    number = {}
    places = []
    for c in itertools.product(range(n), repeat=3):
        number[c] = len(places)
        places.append([2.0 * (x / (n - 1) - 0.5) for x in c[:2]] + [1.0 + 2.0 * c[2] / (n - 1)])
    ways = [w for w in itertools.product((-1, 0, 1), repeat=3) if w > (0, 0, 0)]
    edges = [(number[c], number[d]) for c in number for w in ways
             if (d := tuple(a + b for a, b in zip(c, w))) in number]
    faces = []
    for axis, side in itertools.product(range(3), (0, n - 1)):
        for u, v in itertools.product(range(n - 1), repeat=2):
            corners = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                c = [0, 0, 0]
                c[axis], c[(axis + 1) % 3], c[(axis + 2) % 3] = side, u + du, v + dv
                corners.append(number[tuple(c)])
            faces.append(corners if side else corners[::-1])
    return places, edges, faces


def put(name, places, edges, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, edges, faces)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


for n in [int(a) for a in sys.argv[sys.argv.index('--') + 1:]]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 25
    frames = 100
    scene.frame_end = frames + 1
    cube = put('cube', *lattice(n))
    floor = put('floor', [(-8, -8, 0), (8, -8, 0), (8, 8, 0), (-8, 8, 0)], [], [(0, 1, 2, 3)])
    floor.modifiers.new('floor', 'COLLISION')
    soft = cube.modifiers.new('soft', 'SOFT_BODY')
    soft.settings.use_goal = False
    soft.settings.use_edges = True
    soft.settings.pull = soft.settings.push = 0.9
    soft.settings.damping = 5.0
    soft.point_cache.frame_end = frames + 1
    scene.frame_set(1)
    start = time.perf_counter()
    for frame in range(2, frames + 2):
        scene.frame_set(frame)
    took = time.perf_counter() - start
    seen = cube.evaluated_get(bpy.context.evaluated_depsgraph_get())
    heights = [v.co.z for v in seen.to_mesh().vertices]
    print('RESULT ' + json.dumps({'n': n, 'frame_ms': 1e3 * took / frames, 'stands': (max(heights) - min(heights)) / 2.0}))
