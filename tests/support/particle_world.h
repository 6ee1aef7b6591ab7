// A world with sources of particles.
#pragma once

#include "tests/support/field_world.h"

namespace hazumi::test {

struct ParticleWorld : FieldWorld {
  explicit ParticleWorld(double gravity = 9.80665) : FieldWorld(gravity) {}

  /// A point from which particles go straight up, all alike, without fields and collisions.
  Id source(const std::function<void(ParticleSource&)>& change = {}) {
    ParticleSource one;
    one.id = next_id(scene);
    one.name = "Source " + std::to_string(one.id.value);
    one.radius = one.cone = one.life_spread = one.speed_spread = one.size_spread = 0;
    if (change) change(one);
    scene.particles.push_back(Shared<ParticleSource>(one));
    return one.id;
  }
  void change_source(Id id, const std::function<void(ParticleSource&)>& how) { scene = with_source(scene, id, how); }
};

inline const ParticleMemory& particles_of(const Run& run, Id source) {
  const std::span<const Id> ids = run.model->particles->sources();
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == source) return run.state.particles[i];
  FAIL("no such source");
  return run.state.particles[0];
}
inline Vec3 place(const ParticleMemory& p, std::size_t i) { return {p.x[i], p.y[i], p.z[i]}; }
inline Vec3 velocity(const ParticleMemory& p, std::size_t i) { return {p.u[i], p.v[i], p.w[i]}; }

}  // namespace hazumi::test
