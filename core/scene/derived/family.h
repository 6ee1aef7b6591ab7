// Families: a fixed object may go with a parent. It keeps its own place in the world (Object::transform), so that files say
// where things are; whoever moves the parent takes it along. Where the eldest of a family moves by physics, or one between is led by keys
// (leading.h), it carries the others through a run, and these touch nothing: their weight and what they meet would have to act on the carrier, and
// something that no push moves, hung on something light, makes energy out of nothing.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/base/hash.h"
#include "core/scene/values/scene.h"

namespace hazumi {

/// What moves by itself goes with nobody.
bool may_have_parent(const Object& object);
/// The object with `id` is `ancestor`, or goes with it through others.
bool goes_with(const Scene& scene, Id id, Id ancestor);
/// The ids with those of all that go with them.
std::set<Id> with_families(const Scene& scene, std::set<Id> ids);

/// An object that something carries through a run.
struct Carried {
  Id child, carrier;
  bool operator==(const Carried&) const = default;
};
/// All of a scene, ascending by child.
std::vector<Carried> carried_objects(const Scene& scene);
void add_families(Hasher& hasher, const Scene& scene);

/// Where a child gets to when its parent comes from one place to another, its size with it. A parent that is stretched
/// otherwise along its axes shears what is turned against it; no transform says that, and its sizes are taken along its own axes.
Transform followed(const Transform& child, const Transform& from, const Transform& to);

/// What an edit of `now` to `next` does to families besides: children of what was moved follow, unless they were moved
/// themselves (were made anew, Shared::edited), and what begins to move by itself leaves its parent. `start`: the scene before the gesture that the edit is
/// part of, which may have been made from there or from `now`; without a gesture `now`.
Scene settled(const Scene& start, const Scene& now, Scene next);

}  // namespace hazumi
