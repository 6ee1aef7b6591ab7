// Where the joints of a scene are and whom they join: the places of their ends in the world, their axis, and who hangs together.
//
// An object's own axes before its scale: x_world = position + rotation (scale ∘ x). Of the world itself: x_world = x.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/scene/values/scene.h"

namespace hazumi {

inline constexpr std::string_view kFirstPlace = "a.place";
inline constexpr std::string_view kTargetPlace = "b.place";  ///< field of where a lead or a pull goes to

/// Hinge and slider.
bool has_axis(JointKind kind);
/// Lead and pull: the second place is where the first is to go.
bool has_target(JointKind kind);
/// Spring, rope, lead and pull; the others have that of their first end, and a gear has none.
bool has_two_places(JointKind kind);
/// Spring and rope.
bool has_length(JointKind kind);
/// It leads along a curve of the world, and names no second object then.
bool goes_along_curve(const Joint& joint);
/// Id of what it holds at its second end; 0: the world, as of every pull.
std::uint64_t second_object(const Joint& joint);

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
/// Nothing: an end names what is not there, or a lead a curve. Of a gear its hinges' (of those that are there), of the first one's axis.
std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint, const PlacedObject& placed);
std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint);

/// m, world, and back.
Vec3 place_in_world(const JointEnd& end, const Transform& of);
Vec3 place_of_end(const Transform& of, const Vec3& world);
/// The joint with its ends at these places, turned so; an end that names what is not there stays, and one that is on a curve. Where it has one
/// place it is that of `a`; its second end is kept there too.
Joint with_places(const Joint& joint, const JointPlaces& places, const PlacedObject& placed);
/// What an edit of `now` to `next` does to joints besides: an end that is put on another object, and nothing else of it changed, stays where it
/// is in the world; a spring or rope made of a joint of one place ends in the middle of its second object. A lead leads its first end, and
/// begins where its second is.
Scene with_settled_joints(const Scene& now, Scene next);
/// A turn whose z is this direction (not zero).
Quat turn_to(const Vec3& axis);

/// The joints that hold an object, and the gears of these, ascending.
std::vector<Id> joints_of(const Scene& scene, Id object);
/// The objects that joints hold to this one, ascending, without itself: one step, or all that hangs together.
std::set<Id> joined_with(const Scene& scene, Id object);
std::set<Id> hanging_together(const Scene& scene, Id object);

/// What of the joints goes with these things where they are copied: those that hold one of them, or are among them, and name nothing that
/// is not, no curve either. Gears go with their hinges.
std::set<Id> joints_among(const Scene& scene, const std::set<Id>& ids);
/// What a joint of `before` says as one of copies that went where `place` and `turn` say (`copies`: of objects and hinges, what the copy of
/// each is). It holds copies where there are some, at the places where it holds the originals; its other ends stay on what they are
/// on, and go the same way. `copies` may have curves too.
Joint joint_of_copies(const Scene& before, const Joint& joint, const std::map<Id, Id>& copies,
                      const std::function<Vec3(const Vec3&)>& place, const Quat& turn);
/// Keys of where a lead leads to, as of the same copy; `joint`: the original. Other tracks stay as they are.
void move_target_keys(const Scene& before, const Joint& joint, const std::map<Id, Id>& copies,
                      const std::function<Vec3(const Vec3&)>& place, Track& track);

}  // namespace hazumi
