// Where the joints of a scene are and whom they join: the places of their ends in the world, their axis, and who hangs together.
//
// An object's own axes before its scale: x_world = position + rotation (scale ∘ x). Of the world itself: x_world = x.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

/// Hinge and slider.
bool has_axis(JointKind kind);
/// Spring and rope; the others have that of their first end, and a gear has none.
bool has_two_places(JointKind kind);

/// Where things are that a joint may hold; nothing: there is no such thing. Of the id 0 nobody asks: the world lies in the origin.
using PlacedObject = std::function<std::optional<Transform>(Id)>;
/// As the scene has them at the start.
PlacedObject placed_in(const Scene& scene);

struct JointPlaces {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< m, world; those of one place have it twice
  Quat turn = Quat::Identity();             ///< world; its z is the axis
  Vec3 axis() const { return turn * Vec3::UnitZ(); }
  Vec3 middle() const { return 0.5 * (a + b); }
};
/// Nothing: an end names what is not there. Of a gear its hinges' (of those that are there), of the first one's axis.
std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint, const PlacedObject& placed);
std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint);

/// m, world, and back.
Vec3 place_in_world(const JointEnd& end, const Transform& of);
Vec3 place_of_end(const Transform& of, const Vec3& world);
/// The joint with its ends at these places, turned so; an end that names what is not there stays. Where it has one place it is that
/// of `a`; its second end is kept there too.
Joint with_places(const Joint& joint, const JointPlaces& places, const PlacedObject& placed);
/// What an edit of `now` to `next` does to joints besides: an end that is put on another object, and nothing else of it changed, stays where it
/// is in the world; a spring or rope made of a joint of one place ends in the middle of its second object.
Scene with_settled_joints(const Scene& now, Scene next);
/// A turn whose z is this direction (not zero).
Quat turn_to(const Vec3& axis);

/// The joints that hold an object, and the gears of these, ascending.
std::vector<Id> joints_of(const Scene& scene, Id object);
/// The objects that joints hold to this one, ascending, without itself: one step, or all that hangs together.
std::set<Id> joined_with(const Scene& scene, Id object);
std::set<Id> hanging_together(const Scene& scene, Id object);

/// What of the joints goes with these things where they are copied: those that hold one of them, or are among them, and name nothing that
/// is not. Gears go with their hinges.
std::set<Id> joints_among(const Scene& scene, const std::set<Id>& ids);
/// What a joint of `before` says as one of copies that went where `place` and `turn` say (`copies`: of objects and hinges, what the copy of
/// each is). It holds copies where there are some, at the places where it holds the originals; its other ends stay on what they are
/// on, and go the same way.
Joint joint_of_copies(const Scene& before, const Joint& joint, const std::map<Id, Id>& copies,
                      const std::function<Vec3(const Vec3&)>& place, const Quat& turn);

}  // namespace hazumi
