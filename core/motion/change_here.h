// A simulated frame that is changed (design/motion, "Takes"): what a person does to bodies at a frame becomes boxes of the motion graph, an event
// "time" and a procedure "place" for each body, in a take of its own. Frames before it stay to the bit.
//
// It is done with the last sub-step that leads to the frame, so that the frame shows it; in slow motion, where the frame before shows a part of that, with the next
// one. What is moved is moved on top of where the run has it: an
// edit of what comes before changes where it begins, and not by how much it was moved.
#pragma once

#include <optional>
#include <span>

#include "core/math/types.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct BodyChange {
  Id object;
  Vec3 move = Vec3::Zero();        ///< m, of its origin
  Quat turn = Quat::Identity();    ///< about its origin, world axes
  std::optional<Vec3> velocity{};  ///< m/s, world; as it was without one
};

/// s of the film: when an event has to happen for a frame to show what it does. 0 for frame 0.
double moment_for(const Scene& scene, int frame);

/// The box "place" of an object that acts for this frame; null: there is none.
const MotionNode* change_at(const Scene& scene, Id object, int frame);

/// The changes on top of those that the current take has at the frame. `take`: the take of changes that is gone on with; no id, or not the current one: a
/// new take, "From frame 48", which is current then.
Scene changed_at(Scene scene, int frame, std::span<const BodyChange> changes, Id take);

}  // namespace hazumi
