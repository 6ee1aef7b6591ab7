// What the keys of a place, a rotation and the switch beside them (Object::body.led) tell a run: in each sub-step whether they lead an
// object, and where to (joints: joint_tracks.h; forces: pushes.h). A sub-step k goes from t(k) to t(k + 1), with t(k) = k h where the time scale is 1 (run_clock.h). The switch is looked at when it begins, the place is that at its end, so
// that frame f shows what is keyed at f. Pure functions of the scene; from which frame on an edit changes a run follows from them.
//
// Velocity and spin are those with which keys come to the moment, from the time before it: a thing that is let go at a key goes on as
// it came. f′(t) ≈ (13/3 f₁ − 19/2 f₂ + 7 f₃ − 11/6 f₄)/ε, f_k = f(t − k ε), exact for cubics; ε is 1e-4 s, or less where a key is near. Where the time scale is s it is f′/s: so fast it goes for physics.
//
// On a curve the velocity is that of the place along it times the curve's tangent, of the side that it comes from; at a height above
// it, how that place changes with it.
//
// Back from physics it takes Object::body.blend seconds: with r sub-steps left, the last counted, it goes 1/r of the way to where its keys
// are, from wherever it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

/// Where a thing is led to, and how fast it goes there then.
struct Lead {
  Pose pose;  ///< of the object frame
  Vec3 velocity = Vec3::Zero(),
       spin = Vec3::Zero();  ///< m/s, of the origin of that frame, and rad/s, world: with them it is let go
  Id looks_at = {};  ///< z points to the origin of this object, wherever a run has it; pose and spin are without that
  double roll = 0;   ///< rad, about that z
  /// Of what deforms: where its nodes are, m, and how fast, m/s, world, one each; empty: it goes there in the shape that it has.
  std::vector<Vec3> nodes, velocities;
};

/// What an object is told in a sub-step.
struct Told {
  bool led = false;
  bool handed_over = false;  ///< to keys or to physics, with this sub-step
  bool bends = false;        ///< Object::body.bends_led
  std::int64_t left = 1;     ///< sub-steps until it is where its keys are
  Lead lead;                 ///< of the keys, at the end
};
Told told(const LedTracks& tracks, const Object& object, std::int64_t substep, const RunClock& clock);
/// Where a run begins; nothing: as the object itself says.
std::optional<Lead> begins_led(const LedTracks& tracks, const Object& object, const RunClock& clock);
/// Where keys have it in a frame, without how fast; nothing: physics has it, or it is on its way back.
std::optional<Lead> led_in_frame(const LedTracks& tracks, const Object& object, int frame, const RunClock& clock);

/// Null: gravity stays.
const Track* gravity_track(const Scene& scene);
/// m/s², what is added in a sub-step to the scene's gravity.
Vec3 added_gravity(const Track& gravity, const SceneSettings& settings, std::int64_t substep, const RunClock& clock);

/// A flexible body whose volume is kept, and keys of the size of that volume (Object::body.volume.size).
struct SizeTrack {
  Id object;
  const Track* track = nullptr;
};
/// Ascending by object; pointers are into the scene.
std::vector<SizeTrack> sized_objects(const Scene& scene);
/// What it is told in a sub-step: the size at its end. Sub-step −1: at the start.
double told_size(const Track& track, std::int64_t substep, const RunClock& clock);

/// Adds what a run reads of keys; nothing where there is nothing of that.
void add_leading(Hasher& hasher, const Scene& scene);
/// The first frame whose state differs by what the two scenes tell a run; nothing: they tell it the same. What differs after the last
/// frame of both counts as of the frame behind that.
std::optional<int> first_told_otherwise(const Scene& before, const Scene& after);

}  // namespace hazumi
