#include "core/playback/start_joints.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/scene/derived/joined.h"
#include "core/sim/constraint/joint.h"
#include "core/sim/constraint/link_soft.h"
#include "core/sim/constraint/memory.h"

namespace hazumi {

namespace {

/// One end of a joint in a state.
struct End {
  std::int32_t body = -1;
  const std::vector<NodeWeight>* nodes = nullptr;
  Pose pose;  ///< of the body frame; of the world none

  End(const Model& model, const State& state, std::int32_t number, const std::vector<NodeWeight>& held)
      : body(number), nodes(held.empty() ? nullptr : &held) {
    if (body >= 0) pose = of(model).pose(state.bodies[static_cast<std::size_t>(body)].values);
  }
  const Body& of(const Model& model) const { return model.bodies[static_cast<std::size_t>(body)]; }
  /// World, m; `place` where it is no mean of nodes.
  Vec3 where(const Model& model, const State& state, const Vec3& place) const {
    if (!nodes) return pose * place;
    std::vector<Vec3> x(of(model).truss.nodes.size());
    of(model).positions(state.bodies[static_cast<std::size_t>(body)].values, x);
    return mean_of(*nodes, x);
  }
};

/// A place in the axes of an object before its scale; where that has none along an axis, as it was.
Vec3 place_in(const Object& object, const Vec3& world, const Vec3& was) {
  const Vec3 own = object.transform.rotation.conjugate() * (world - object.transform.position);
  Vec3 place;
  for (int k = 0; k < 3; ++k) place[k] = object.transform.scale[k] != 0 ? own[k] / object.transform.scale[k] : was[k];
  return place;
}

/// What was taken by a joint that was switched on later, of something bent: the place on the other one.
void hold_what_was_taken(const Scene& scene, const End& a, const JointMemory& memory, Joint& joint) {
  const Vec3 world = a.pose * memory.place;
  const Object* const object = find_object(scene, Id{joint.a.object});
  joint.a.place = object ? place_in(*object, world, joint.a.place) : world;
}

void hold_where_it_is(const Scene& scene, const Model& model, const State& state, const End& end, JointEnd& joint) {
  const Object* const object = find_object(scene, Id{joint.object});
  if (end.nodes && object) joint.place = place_in(*object, end.where(model, state, Vec3::Zero()), joint.place);
}

/// Both limits count from where it is now; by how much, rad or m.
double shift_limits(const Model& model, const State& state, const ModelJoint& made, const JointMemory& memory,
                    const End& a, const End& b, Joint& joint) {
  if (made.kind == JointKind::hinge) {
    joint.least_turn -= memory.turn;
    joint.most_turn -= memory.turn;
    return memory.turn;
  }
  if (made.kind == JointKind::slider) {
    const bool taken = memory.grip == JointMemory::kTaken;
    const bool on_b = made.nodes_b.empty();  // else what was taken is the place on a
    const Vec3 from = a.where(model, state, taken && !on_b ? memory.place : made.place_a),
               to = b.where(model, state, taken && on_b ? memory.place : made.place_b);
    const double way = (to - from).dot(a.pose.rotation * Vec3(made.frame_a.col(2)));
    joint.least_way -= way;
    joint.most_way -= way;
    return way;
  }
  return 0;
}

/// Their keys too.
void shift_limit_keys(Id joint, double by, Scene& scene) {
  constexpr std::string_view limits[] = {"least_turn", "most_turn", "least_way", "most_way"};
  if (by == 0) return;
  for (Shared<Track>& track : scene.tracks)
    if (track->target == joint.value &&
        std::find(std::begin(limits), std::end(limits), track->field) != std::end(limits))
      track = track.edited([&](Track& t) {
        for (Key& key : t.keys) key.value[0] -= by;
      });
}

}  // namespace

Scene joints_started_from(Scene scene, const Model& model, const State& state, const std::set<Id>& ids) {
  const auto begins = [&](std::int32_t body) {
    if (body < 0) return true;
    const Body& of = model.bodies[static_cast<std::size_t>(body)];
    return !of.moves || ids.empty() || ids.contains(of.id);
  };
  const std::size_t known = std::min(remembered(model.joints), state.joints.size());
  for (std::size_t k = 0; k < known; ++k) {
    const ModelJoint& made = model.joints[k];
    const JointMemory& memory = state.joints[k];
    bool broken = false;
    double shifted = 0;
    const bool gear = made.kind == JointKind::gear;
    if (!gear && !(begins(made.a) && begins(made.b))) continue;
    for (Shared<Joint>& joint : scene.joints) {
      if (joint->id != made.id) continue;
      joint = joint.edited([&](Joint& j) {
        j.on = j.on && !memory.broken;
        broken = memory.broken;
        if (gear) return;
        const End a(model, state, made.a, made.nodes_a), b(model, state, made.b, made.nodes_b);
        if (memory.grip == JointMemory::kTaken && b.nodes && !a.nodes)
          hold_what_was_taken(scene, a, memory, j);
        else
          hold_where_it_is(scene, model, state, a, j.a);
        if (has_two_places(made.kind)) hold_where_it_is(scene, model, state, b, j.b);
        shifted = shift_limits(model, state, joint_as_told(model, state, k), memory, a, b, j);
        if (made.kind == JointKind::spring || made.kind == JointKind::rope) {
          j.measured = false;
          j.length = made.length;  // what keys say of it else stays with them
        }
      });
    }
    shift_limit_keys(made.id, shifted, scene);
    // No key mends it.
    if (broken)
      std::erase_if(scene.tracks,
                    [&](const auto& track) { return track->target == made.id.value && track->field == "on"; });
  }
  // Pulls remember nothing; those of what bends hold it by its nodes.
  for (std::size_t k = known; k < model.joints.size(); ++k) {
    const ModelJoint& made = model.joints[k];
    if (made.nodes_a.empty() || !begins(made.a)) continue;
    for (Shared<Joint>& joint : scene.joints)
      if (joint->id == made.id)
        joint = joint.edited(
            [&](Joint& j) { hold_where_it_is(scene, model, state, End(model, state, made.a, made.nodes_a), j.a); });
  }
  return scene;
}

}  // namespace hazumi
