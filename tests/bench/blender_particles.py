# A hundred thousand particles in Blender as in particles_bench.cpp: born at once on a disc, with gravity, drag and a wind with noise over a
# plane. Milliseconds of a frame of four sub-steps, once most have come down. (blender -b -t 2 --python blender_particles.py)
import time

import bpy

COUNT, FIRST, LAST = 100000, 61, 81

bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = 60
scene.frame_start, scene.frame_end = 1, LAST

bpy.ops.mesh.primitive_plane_add(size=400)
bpy.context.object.modifiers.new("met", "COLLISION")

bpy.ops.object.effector_add(type="WIND", rotation=(0, 1.5707963, 0))
wind = bpy.context.object.field
wind.strength, wind.noise, wind.seed = 1, 2, 1

bpy.ops.mesh.primitive_circle_add(radius=4, fill_type="NGON", location=(0, 0, 3))
emitter = bpy.context.object
emitter.modifiers.new("particles", "PARTICLE_SYSTEM")
system = emitter.particle_systems[0]
s = system.settings
s.count, s.frame_start, s.frame_end, s.lifetime = COUNT, 1, 1, 100000
s.emit_from, s.normal_factor, s.factor_random = "FACE", 3, 0.5
s.physics_type, s.mass, s.particle_size, s.size_random = "NEWTON", 0.001, 0.02, 0.2
s.drag_factor, s.damping, s.integrator, s.subframes = 0.2, 0, "MIDPOINT", 3
system.point_cache.frame_start, system.point_cache.frame_end = 1, LAST

times = []
for frame in range(1, LAST + 1):
    begin = time.perf_counter()
    scene.frame_set(frame)
    if frame > FIRST:
        times.append(1000 * (time.perf_counter() - begin))
depsgraph = bpy.context.evaluated_depsgraph_get()
all_of = emitter.evaluated_get(depsgraph).particle_systems[0].particles
low = sorted(p.location[2] for p in all_of)
times.sort()
print(f"RESULT {len(all_of)} particles, {times[len(times) // 2]:.1f} ms a frame, half of them below {low[len(low) // 2]:.3f} m", flush=True)
