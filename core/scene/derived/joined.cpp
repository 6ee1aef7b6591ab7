#include "core/scene/derived/joined.h"

#include <algorithm>

#include "core/math/rotation.h"
#include "core/scene/derived/following.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

bool has_axis(JointKind kind) { return kind == JointKind::hinge || kind == JointKind::slider; }

bool has_target(JointKind kind) { return kind == JointKind::lead || kind == JointKind::pull; }

bool has_two_places(JointKind kind) { return kind == JointKind::spring || kind == JointKind::rope || has_target(kind); }

bool has_length(JointKind kind) { return kind == JointKind::spring || kind == JointKind::rope; }

bool goes_along_curve(const Joint& joint) { return joint.kind == JointKind::lead && joint.curve != 0; }

std::uint64_t second_object(const Joint& joint) {
  return goes_along_curve(joint) || joint.kind == JointKind::pull ? 0 : joint.b.object;
}

PlacedObject placed_in(const Scene& scene) {
  return [&scene](Id id) -> std::optional<Transform> {
    const Object* object = find_object(scene, id);
    return object ? std::optional(object->transform) : std::nullopt;
  };
}

Vec3 place_in_world(const JointEnd& end, const Transform& of) {
  if (end.object == 0) return end.place;
  return of * end.place;
}

Vec3 place_of_end(const Transform& of, const Vec3& world) {
  return (of.rotation.conjugate() * (world - of.position)).cwiseQuotient(of.scale);
}

namespace {

/// The world has the transform of nothing.
std::optional<Transform> transform_of(std::uint64_t object, const PlacedObject& placed) {
  return object == 0 ? std::optional(Transform{}) : placed(Id{object});
}

/// Of a gear: from hinge to hinge.
std::optional<JointPlaces> gear_places(const Scene& scene, const Joint& gear, const PlacedObject& placed) {
  std::optional<JointPlaces> found;
  for (const std::uint64_t id : {gear.first, gear.second}) {
    const Joint* hinge = find_joint(scene, Id{id});
    if (!hinge || hinge->kind == JointKind::gear) continue;
    const std::optional<JointPlaces> at = joint_places(scene, *hinge, placed);
    if (!at) continue;
    if (found)
      found->b = at->a;
    else
      found = JointPlaces{at->a, at->a, at->turn};
  }
  return found;
}

}  // namespace

std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint, const PlacedObject& placed) {
  if (joint.kind == JointKind::gear) return gear_places(scene, joint, placed);
  const std::optional<Transform> a = transform_of(joint.a.object, placed),
                                 b = transform_of(second_object(joint), placed);
  const Shared<Curve>* curve = goes_along_curve(joint) ? find_shared_curve(scene, joint.curve) : nullptr;
  if (!a || !b || (goes_along_curve(joint) && !curve)) return std::nullopt;
  JointPlaces places;
  places.a = place_in_world(joint.a, *a);
  places.b = curve                        ? way_of(*curve)->place(joint.along)
             : has_two_places(joint.kind) ? place_in_world(joint.b, *b)
                                          : places.a;
  places.turn = (a->rotation * joint.turn).normalized();
  return places;
}

std::optional<JointPlaces> joint_places(const Scene& scene, const Joint& joint) {
  return joint_places(scene, joint, placed_in(scene));
}

Joint with_places(const Joint& joint, const JointPlaces& places, const PlacedObject& placed) {
  if (joint.kind == JointKind::gear) return joint;
  Joint result = joint;
  const auto put = [&](JointEnd& end, const Vec3& world) {
    const std::optional<Transform> of = transform_of(end.object, placed);
    if (of) end.place = place_of_end(*of, world);
  };
  put(result.a, places.a);
  if (!goes_along_curve(joint)) put(result.b, has_two_places(joint.kind) ? places.b : places.a);
  if (const std::optional<Transform> of = transform_of(joint.a.object, placed))
    result.turn = (of->rotation.conjugate() * places.turn).normalized();
  return result;
}

namespace {

/// The end as it is after the edit; `turn`: of the axis, which goes with the first end.
void stay_in_world(const Scene& now, const Scene& next, const JointEnd& before, JointEnd& end, Quat* turn) {
  if (before.object == end.object || before.place != end.place) return;
  const std::optional<Transform> from = transform_of(before.object, placed_in(now)),
                                 to = transform_of(end.object, placed_in(next));
  if (!from || !to) return;
  end.place = place_of_end(*to, place_in_world(before, *from));
  if (turn) *turn = (to->rotation.conjugate() * from->rotation * *turn).normalized();
}

/// `to`: affine.
void map_place_keys(Track& track, const std::function<Vec3(const Vec3&)>& to) {
  const auto vector = [](const std::array<double, 4>& v) { return Vec3(v[0], v[1], v[2]); };
  const auto put = [](std::array<double, 4>& at, const Vec3& v) { at = {v.x(), v.y(), v.z(), 0}; };
  for (Key& key : track.keys) {
    const Vec3 before = vector(key.value), after = to(before);
    for (auto* slope : {&key.in, &key.out}) put(*slope, to(before + vector(*slope)) - after);
    put(key.value, after);
  }
}

/// Keys of a place stay where they are in the world where its end is put on another object; what an edit says of them is as it says.
void settle_place_keys(const Scene& now, const Joint& before, const Joint& after, Scene& next) {
  for (const auto& [path, was, is] : {std::tuple(kFirstPlace, before.a.object, after.a.object),
                                      std::tuple(kTargetPlace, before.b.object, after.b.object)}) {
    if (was == is) continue;
    const auto from = transform_of(was, placed_in(now)), to = transform_of(is, placed_in(next));
    if (!from || !to) continue;
    for (auto& track : next.tracks) {
      if (track->target != after.id.value || track->field != path) continue;
      if (find_track(now, after.id.value, path) != track.get()) continue;
      track = track.edited([&, was = was](Track& t) {
        map_place_keys(t, [&](const Vec3& at) { return place_of_end(*to, place_in_world({was, at}, *from)); });
      });
    }
  }
}

/// Its target lies where the place is that it leads.
Joint led_from_where_it_is(const Scene& scene, Joint lead) {
  const auto a = transform_of(lead.a.object, placed_in(scene)), b = transform_of(lead.b.object, placed_in(scene));
  if (a && b) lead.b.place = place_of_end(*b, place_in_world(lead.a, *a));
  return lead;
}

}  // namespace

Scene with_settled_joints(const Scene& now, Scene next) {
  for (auto& joint : next.joints) {
    const Joint* before = find_joint(now, joint->id);
    if (!before || before == joint.get()) continue;
    Joint after = *joint;
    if (after.kind == JointKind::pull) after.b.object = 0;
    stay_in_world(now, next, before->a, after.a, before->turn.coeffs() == after.turn.coeffs() ? &after.turn : nullptr);
    stay_in_world(now, next, before->b, after.b, nullptr);
    settle_place_keys(now, *before, after, next);
    if (has_target(after.kind) && !has_target(before->kind) && before->kind != JointKind::gear) {
      if (after.a.object == 0) std::swap(after.a, after.b);
      if (after.kind == JointKind::pull) after.b.object = 0;
      after = led_from_where_it_is(next, after);
    } else if (has_two_places(after.kind) && !has_two_places(before->kind)) {
      const auto places = joint_places(next, after);
      if (places && places->a == places->b && after.b.object != 0) after.b.place = Vec3::Zero();
      const auto again = joint_places(next, after);
      // The first end lies in the middle of the second object: then it goes to its own.
      if (again && again->a == again->b && after.a.object != 0) after.a.place = Vec3::Zero();
    }
    if (after.a.object != joint->a.object || after.b.object != joint->b.object || after.a.place != joint->a.place ||
        after.b.place != joint->b.place || after.turn.coeffs() != joint->turn.coeffs())
      joint = joint.edited([&](Joint& j) { j = after; });
  }
  return next;
}

Quat turn_to(const Vec3& axis) { return turn_onto(Vec3::UnitZ(), axis).normalized(); }

std::vector<Id> joints_of(const Scene& scene, Id object) {
  std::set<Id> found;
  for (const auto& joint : scene.joints)
    if (joint->kind != JointKind::gear && (joint->a.object == object.value || second_object(*joint) == object.value))
      found.insert(joint->id);
  const std::set<Id> hinges = found;
  for (const auto& joint : scene.joints)
    if (joint->kind == JointKind::gear && (hinges.count(Id{joint->first}) || hinges.count(Id{joint->second})))
      found.insert(joint->id);
  return {found.begin(), found.end()};
}

std::set<Id> joined_with(const Scene& scene, Id object) {
  std::set<Id> found;
  for (const auto& joint : scene.joints) {
    if (joint->kind == JointKind::gear) continue;
    if (joint->a.object == object.value) found.insert(Id{second_object(*joint)});
    if (second_object(*joint) == object.value) found.insert(Id{joint->a.object});
  }
  std::erase_if(found, [&](Id id) { return id == object || !find_object(scene, id); });
  return found;
}

std::set<Id> hanging_together(const Scene& scene, Id object) {
  std::multimap<Id, Id> beside;
  for (const auto& joint : scene.joints) {
    if (joint->kind == JointKind::gear || joint->a.object == 0 || second_object(*joint) == 0) continue;
    beside.emplace(Id{joint->a.object}, Id{joint->b.object});
    beside.emplace(Id{joint->b.object}, Id{joint->a.object});
  }
  std::set<Id> found{object};
  for (std::vector<Id> open{object}; !open.empty();) {
    const Id at = open.back();
    open.pop_back();
    const auto [begin, end] = beside.equal_range(at);
    for (auto next = begin; next != end; ++next)
      if (find_object(scene, next->second) && found.insert(next->second).second) open.push_back(next->second);
  }
  found.erase(object);
  return found;
}

std::set<Id> joints_among(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> along;
  const auto take = [&](const Joint& joint, const std::set<Id>& there, std::uint64_t first, std::uint64_t second) {
    bool whole = !goes_along_curve(joint) || ids.count(Id{joint.curve}) != 0, any = ids.count(joint.id) != 0;
    for (const std::uint64_t id : {first, second}) {
      if (id == 0) continue;
      const bool in = there.count(Id{id}) != 0;
      whole = whole && in;
      any = any || in;
    }
    return whole && any;
  };
  for (const auto& joint : scene.joints)
    if (joint->kind != JointKind::gear && take(*joint, ids, joint->a.object, second_object(*joint)))
      along.insert(joint->id);
  const std::set<Id> hinges = along;
  for (const auto& joint : scene.joints)
    if (joint->kind == JointKind::gear && take(*joint, hinges, joint->first, joint->second)) along.insert(joint->id);
  return along;
}

Joint joint_of_copies(const Scene& before, const Joint& joint, const std::map<Id, Id>& copies,
                      const std::function<Vec3(const Vec3&)>& place, const Quat& turn) {
  Joint copy = joint;
  const PlacedObject placed = placed_in(before);
  const auto moved = [&](JointEnd& end, Quat* axis) {
    if (const auto at = copies.find(Id{end.object}); at != copies.end()) {
      end.object = at->second.value;
      return;
    }
    const std::optional<Transform> of = transform_of(end.object, placed);
    if (!of) return;
    const Vec3 world = place(place_in_world(end, *of));
    end.place = place_of_end(*of, world);
    if (axis) *axis = (of->rotation.conjugate() * turn * of->rotation * *axis).normalized();
  };
  moved(copy.a, &copy.turn);
  moved(copy.b, nullptr);
  for (std::uint64_t* named : {&copy.first, &copy.second, &copy.curve})
    if (const auto at = copies.find(Id{*named}); at != copies.end()) *named = at->second.value;
  return copy;
}

void move_target_keys(const Scene& before, const Joint& joint, const std::map<Id, Id>& copies,
                      const std::function<Vec3(const Vec3&)>& place, Track& track) {
  if (track.field != kTargetPlace && track.field != kFirstPlace) return;
  const std::uint64_t end = track.field == kFirstPlace ? joint.a.object : joint.b.object;
  if (copies.count(Id{end}) != 0) return;
  const std::optional<Transform> of = transform_of(end, placed_in(before));
  if (!of) return;
  const auto moved = [&](const Vec3& at) { return place_of_end(*of, place(place_in_world({end, at}, *of))); };
  map_place_keys(track, moved);
}

}  // namespace hazumi
