// Keys of where things are, moved as a whole: who takes hold of a thing that keys lead moves its motion, not one of its keys.
//
//   x → p + L (x − p) + t     places, all at once: L turns, or stretches without turning
//   q → Q q                   rotations; Q is the turn in L
//   a → x' + Q (a − x)        what a camera, or a light that is turned, looks at, with x its place at the time of the key
// Slopes go as the values do. Rolls of a camera are worked out anew from where it looks at each of its keys.
#pragma once

#include <functional>
#include <set>

#include "core/scene/values/scene.h"

namespace hazumi {

struct MotionChange {
  std::function<Vec3(const Vec3&)> place;
  Quat turn = Quat::Identity();
  bool aims = true;  ///< what lights shine at goes along; what cameras look at always does
};

/// Keys of its place, its rotation or what it looks at are used; none where a curve has it.
bool has_keyed_motion(const Scene& scene, Id thing);
/// Objects below these that keys lead themselves: parents that are moved take their places along, not their keys.
std::set<Id> keyed_below(const Scene& scene, const std::set<Id>& ids);

/// `scene` with the keys of these things as they are after the change; values of the things themselves stay.
Scene with_motion_changed(Scene scene, const std::set<Id>& things, const MotionChange& change);

}  // namespace hazumi
