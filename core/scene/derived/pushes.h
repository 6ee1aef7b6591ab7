// What the forces of a scene (values/force.h) do in a run. In sub-step k the switch is that at its beginning, t(k), and the force that at its
// middle; it is constant over the sub-step, so that its work on what it pushes is F·Δx, as of any other force:
//   what does not bend   F at the place x: force F, torque (x − c)×F about the centre c, both at the beginning of the sub-step
//   what bends           F/n on each of n nodes: those that are named, or the one nearest to the place at the start
// F in N, x, c in m. Pure functions of the scene; from which frame on an edit changes a run follows from them (leading.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

struct Push {
  const Force* force = nullptr;
  const Track *on = nullptr, *push = nullptr;  ///< null: as it says itself
};
/// All that push something that moves, ascending by id. Pointers are into the scene.
std::vector<Push> pushes(const Scene& scene);
/// Of one force, whatever it pushes.
Push push_of(const Scene& scene, const Force& force);
/// N, in the axes that the force says; zero while it is off.
Vec3 pushed(const Push& push, std::int64_t substep, const RunClock& clock);

/// A force that pushes nothing, and why.
struct IdleForce {
  Id force;
  std::string path, message, hint;  ///< "forces[2] \"Wind\" object"
};
std::vector<IdleForce> idle_forces(const Scene& scene);

/// The scene's forces with the values that their keys say at a time.
Scene forces_at(Scene scene, double time);

/// Adds what a run reads of their keys.
void add_pushes(Hasher& hasher, const Scene& scene);

}  // namespace hazumi
