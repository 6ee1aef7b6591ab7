// A world with sources that give copies of an object.
#pragma once

#include "core/scene/derived/copies.h"
#include "core/sim/particles/copies.h"
#include "tests/support/particle_world.h"

namespace hazumi::test {

struct CopyWorld : ParticleWorld {
  Id pattern;
  CopyWorld() { pattern = add(brick()); }

  static Object brick() {
    Object o = World::box(Vec3(0.2, 0.1, 0.06), Vec3(3, 3, 3), 0.7);
    o.name = "brick";
    o.material.substance.restitution = 0.3;
    return o;
  }
  /// Copies of the pattern from one place, straight up, no two born at the same rate: none unless `change` says so.
  Id pour(const std::function<void(ParticleSource&)>& change) {
    return source([&](ParticleSource& s) {
      s.gives = SourceGives::copies;
      s.object = pattern.value;
      s.rate = 0;
      if (change) change(s);
    });
  }
};

/// A run, and which of its copies are there.
struct CopyRun : Run {
  using Run::Run;
  std::vector<std::uint32_t> there() const {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < model->bodies.size(); ++i)
      if (is_copy(model->bodies[i].id) && read_copy(state.bodies[i].values).there) all.push_back(i);
    return all;
  }
};

}  // namespace hazumi::test
