#include "core/sim/constraint/joint.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

#include "core/scene/derived/following.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/sim/constraint/link_soft.h"
#include "core/sim/model.h"

namespace hazumi {
namespace {

/// A body of a run with the object that it is of; the world without.
struct End {
  std::int32_t body = -1;
  const Object* object = nullptr;
  bool known = true;

  /// From the object's axes before its scale to the body frame.
  Vec3 own(const Model& model, const Vec3& place) const { return place_on_body(model, object, body, place); }
  Pose start(const Model& model) const { return object ? model.bodies[static_cast<std::size_t>(body)].start : Pose(); }
  bool moves(const Model& model) const { return object && model.bodies[static_cast<std::size_t>(body)].moves; }
};

End find_end(const Scene& scene, const Model& model, std::uint64_t id) {
  End end;
  if (id == 0) return end;
  end.object = find_object(scene, Id{id});
  end.known = end.object != nullptr && model.bodies.find(Id{id}) != nullptr;
  if (end.known) end.body = static_cast<std::int32_t>(model.bodies.number(Id{id}));
  return end;
}

constexpr double kWeight = 9.80665;  // m/s²: what a pull counts weights by, whatever gravity is
constexpr double kBeside = 1e-3;     // m: what two flexible bodies are held by may be so far apart at the start

/// What is said of it beside joint_faults(), which validate() tells: empty, or why bodies as they are made cannot be held. What three pins
/// hold is to a joint what stands.
std::string trouble(const Model& model, const End& a, const End& b) {
  std::string why;
  for (const End* end : {&a, &b}) {
    if (!end->moves(model)) continue;
    if (can_be_held(model.bodies[static_cast<std::size_t>(end->body)])) return {};
    why = "\"" + end->object->name + "\" cannot move on its pins";
  }
  return why;
}

/// The nodes of a body that deforms that are held where it is at the start at `place` (world), which becomes their mean; how far off
/// that is, m.
double hold_nodes(const Body& body, Vec3& place, std::vector<NodeWeight>& nodes) {
  std::vector<double> values(body.state_size());
  body.initialise(values);
  std::vector<Vec3> x(body.truss.nodes.size());
  body.positions(values, x);
  double off = 0;
  nodes = hold_place(x, place, off);
  place = mean_of(nodes, x);
  return off;
}

/// Numbers that are the same in a run, or follow from its first body: `joint` has its kind and that.
void put_forces_and_limits(const Model& model, const JointNumbers& numbers, ModelJoint& joint) {
  joint.least = numbers.least;
  joint.most = numbers.most;
  if (!(joint.least <= joint.most)) joint.least = joint.most = 0;
  joint.stiffness = numbers.stiffness;
  joint.damping = numbers.damping;
  joint.ratio = numbers.ratio;
  joint.break_force = numbers.break_force;
  if (joint.kind != JointKind::pull) return;
  const double mass = model.bodies[static_cast<std::size_t>(joint.a)].mass, rate = 2 * kPi * numbers.pull_rate;
  joint.stiffness = mass * rate * rate;
  joint.damping = 2 * mass * rate;
  joint.most_force = numbers.pull_most * mass * kWeight;
  joint.break_force = 0;
}

ModelJoint make_joint(const Scene& scene, const Model& model, const Joint& joint, const End& a, const End& b,
                      double& apart) {
  ModelJoint out;
  out.id = joint.id;
  out.name = joint.name;
  out.kind = joint.kind;
  out.a = a.body;
  out.b = b.body;
  out.collide = joint.collide;
  out.limited = joint.limited;
  out.motor = joint.motor;
  const bool turns = joint.kind == JointKind::hinge;
  out.motor_speed = turns ? joint.motor_turn : joint.motor_speed;
  out.motor_force = turns ? joint.motor_torque : joint.motor_force;
  out.strictness = joint.strictness;
  out.on = joint.on;
  out.numbers = numbers_of(joint);
  put_forces_and_limits(model, out.numbers, out);
  out.measured = joint.measured;
  for (const auto& [end, scale, origin] :
       {std::tuple(&a, &out.scale_a, &out.origin_a), std::tuple(&b, &out.scale_b, &out.origin_b)}) {
    if (!end->object) continue;
    *scale = end->object->transform.scale;
    *origin = model.bodies[static_cast<std::size_t>(end->body)].mesh_origin;
  }
  const Pose from = a.start(model), to = b.start(model);
  out.place_a = a.own(model, joint.a.place);
  // Where no axis counts, that of another kind waits in the joint: it must not be read.
  const bool on_axis = turns || joint.kind == JointKind::slider;
  if (on_axis) out.frame_a = joint.turn.normalized().toRotationMatrix();
  const auto deforms = [&](const End& end) {
    return end.moves(model) && model.bodies[static_cast<std::size_t>(end.body)].deforms;
  };
  Vec3 place = from.position + from.rotation * out.place_a;
  if (deforms(a)) {
    hold_nodes(model.bodies[static_cast<std::size_t>(a.body)], place, out.nodes_a);
    out.place_a.setZero();
  }
  const bool two = has_two_places(joint.kind);
  const Shared<Curve>* curve = goes_along_curve(joint) ? find_shared_curve(scene, joint.curve) : nullptr;
  Vec3 other = two ? Vec3(to.position + to.rotation * b.own(model, joint.b.place)) : place;
  apart = 0;
  if (deforms(b)) {
    const double off = hold_nodes(model.bodies[static_cast<std::size_t>(b.body)], other, out.nodes_b);
    if (!two) apart = off;
  }
  if (out.nodes_b.empty())
    out.place_b = curve ? way_of(*curve)->place(joint.along)
                  : two ? b.own(model, joint.b.place)
                        : to.rotation.conjugate() * (other - to.position);
  out.frame_b = to.rotation.conjugate().toRotationMatrix() * from.rotation.toRotationMatrix() * out.frame_a;
  if (out.nodes_b.empty()) other = to.position + to.rotation * out.place_b;
  out.length = joint.measured ? (place - other).norm() : joint.length;
  return out;
}

/// Once for each body that hangs on pins and that any of them holds, behind them all.
void add_pins(const Model& model, std::vector<ModelJoint>& joints) {
  std::set<std::int32_t> done;
  for (std::size_t j = 0, n = joints.size(); j < n; ++j)
    for (const std::int32_t end : {joints[j].a, joints[j].b}) {
      if (end < 0 || joints[j].kind == JointKind::gear) continue;
      const Body& body = model.bodies[static_cast<std::size_t>(end)];
      const std::optional<BodyPins> pins = body.pins();
      if (!pins || !done.insert(end).second) continue;
      ModelJoint joint;
      joint.name = joints[j].name;
      joint.kind = pins->axis ? JointKind::hinge : JointKind::ball;
      joint.a = end;
      joint.place_a = pins->place;
      joint.place_b = body.start * pins->place;
      if (pins->axis) joint.frame_a = turn_to(*pins->axis).toRotationMatrix();
      joint.frame_b = body.start.rotation.toRotationMatrix() * joint.frame_a;
      joint.pins = true;
      joints.push_back(std::move(joint));
    }
}

}  // namespace

bool can_be_held(const Body& body) { return body.can_be_joined() || body.pins(); }

std::size_t remembered(std::span<const ModelJoint> joints) {
  return static_cast<std::size_t>(
      std::partition_point(joints.begin(), joints.end(), [](const ModelJoint& joint) { return joint.remembers(); }) -
      joints.begin());
}

std::vector<ModelJoint> compile_joints(const Scene& scene, const Model& model, Diagnostics& notes) {
  std::set<Id> faulty;
  for (const FaultyJoint& joint : joint_faults(scene))
    if (joint.fault != JointFault::limits) faulty.insert(joint.joint);
  std::vector<const Joint*> joints;
  std::deque<Joint> begun;  // of those whose numbers are keyed
  const std::vector<JointTracks> told = told_joints(scene);
  for (const auto& joint : scene.joints) {
    if (!ever_on(scene, *joint) || faulty.contains(joint->id)) continue;
    joints.push_back(joint.get());
    for (const JointTracks& tracks : told)
      if (tracks.joint == joint.get() && !tracks.numbers.empty())
        joints.back() = &begun.emplace_back(joint_as_told(tracks, model.clock.film(0)));
  }
  std::sort(joints.begin(), joints.end(), [](const Joint* x, const Joint* y) { return x->id < y->id; });
  std::vector<ModelJoint> out;
  const auto add = [&](const Joint& joint, const End& a, const End& b) {
    double apart = 0;
    ModelJoint made = make_joint(scene, model, joint, a, b, apart);
    if (apart < kBeside) return out.push_back(std::move(made));
    notes.push_back({Severity::warning, joint.name,
                     "\"" + b.object->name + "\" has no nodes around \"" + joint.name +
                         "\", where it could be held; the joint holds nothing.",
                     "Move the joint to a node of both, or give the analysis model more nodes."});
  };
  for (const Joint* joint : joints) {
    if (joint->kind == JointKind::gear) continue;
    const End a = find_end(scene, model, joint->a.object), b = find_end(scene, model, second_object(*joint));
    if (!a.known || !b.known || a.body == b.body || (!a.moves(model) && !b.moves(model))) continue;
    if (const std::string why = trouble(model, a, b); !why.empty())
      notes.push_back({Severity::warning, joint->name, why + ", so the joint \"" + joint->name + "\" holds nothing.",
                       "Take pins away until it can turn, or put the end on another object under Properties."});
    else
      add(*joint, a, b);
  }
  const auto pulls = [](const ModelJoint& joint) { return joint.kind == JointKind::pull; };
  const auto first_pull =
      std::stable_partition(out.begin(), out.end(), [&](const auto& joint) { return !pulls(joint); });
  const std::vector<ModelJoint> behind(first_pull, out.end());
  out.erase(first_pull, out.end());
  const std::size_t plain = out.size();
  const auto find = [&](std::uint64_t id) -> std::int32_t {
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(plain);
    const auto at =
        std::lower_bound(out.begin(), end, Id{id}, [](const ModelJoint& j, Id wanted) { return j.id < wanted; });
    return at != end && at->id == Id{id} && at->kind == JointKind::hinge ? static_cast<std::int32_t>(at - out.begin())
                                                                         : -1;
  };
  for (const Joint* gear : joints) {
    if (gear->kind != JointKind::gear) continue;
    ModelJoint joint;
    joint.id = gear->id;
    joint.name = gear->name;
    joint.kind = JointKind::gear;
    joint.numbers = numbers_of(*gear);
    joint.ratio = gear->ratio;
    joint.break_force = gear->break_force;
    joint.on = gear->on;
    joint.first = find(gear->first);
    joint.second = find(gear->second);
    if (joint.first >= 0 && joint.second >= 0 && joint.first != joint.second) out.push_back(std::move(joint));
  }
  out.insert(out.end(), behind.begin(), behind.end());
  add_pins(model, out);
  return out;
}

Vec3 place_on_body(const Model& model, const Object* object, std::int32_t body, const Vec3& place) {
  if (!object) return place;
  return object->transform.scale.cwiseProduct(place) - model.bodies[static_cast<std::size_t>(body)].mesh_origin;
}

JointDrive own_drive(const ModelJoint& joint) {
  return {joint.on, joint.motor_speed, joint.motor_force, joint.strictness, joint.place_b, Vec3::Zero()};
}

void put_numbers(const Model& model, const ModelJoint& made, const JointNumbers& numbers, ModelJoint& joint) {
  const bool on_axis = made.kind == JointKind::hinge || made.kind == JointKind::slider;
  if (made.nodes_a.empty()) joint.place_a = made.scale_a.cwiseProduct(numbers.place_a) - made.origin_a;
  if (made.nodes_b.empty() && has_length(made.kind))
    joint.place_b = made.scale_b.cwiseProduct(numbers.place_b) - made.origin_b;
  if (on_axis) joint.frame_a = numbers.turn.normalized().toRotationMatrix();
  if (!made.measured) joint.length = numbers.length;
  put_forces_and_limits(model, numbers, joint);
}

bool goes(const ModelJoint& joint, const JointDrive& before, const JointDrive& now) {
  if (!before.numbers && !now.numbers) return false;
  const JointNumbers &from = before.numbers ? *before.numbers : joint.numbers,
                     &to = now.numbers ? *now.numbers : joint.numbers;
  return !from.same_geometry(to) || before.rates != JointRates() || now.rates != JointRates();
}

void drive_joints(const Model& model, std::int64_t substep, std::span<const NumberTold> told,
                  std::span<JointDrive> drives) {
  if (!model.director || drives.empty()) return;
  model.director->drive(model, substep, drives);
  tell_joints(model, told, drives);
}

ModelJoint joint_as_told(const Model& model, const State& state, std::size_t j) {
  ModelJoint joint = model.joints[j];
  if (!model.director) return joint;
  std::vector<JointDrive> drives;
  for (const ModelJoint& one : model.joints) drives.push_back(own_drive(one));
  std::vector<NumberTold> told;
  model.director->numbers(model, state, state.substep - 1, told);
  drive_joints(model, state.substep - 1, told, drives);
  if (drives[j].numbers) put_numbers(model, model.joints[j], *drives[j].numbers, joint);
  return joint;
}

namespace {

/// The number of that name; null: it is none of these.
double* number_at(JointNumbers& numbers, const SettableNumber& of) {
  if (of.path == "a.place") return &numbers.place_a[of.axis];
  if (of.path == "least_turn" || of.path == "least_way") return &numbers.least;
  if (of.path == "most_turn" || of.path == "most_way") return &numbers.most;
  const std::pair<std::string_view, double*> others[] = {
      {"length", &numbers.length},      {"stiffness", &numbers.stiffness},     {"damping", &numbers.damping},
      {"ratio", &numbers.ratio},        {"break_force", &numbers.break_force}, {"pull_rate", &numbers.pull_rate},
      {"pull_most", &numbers.pull_most}};
  for (const auto& [path, at] : others)
    if (of.path == path) return at;
  return nullptr;
}

}  // namespace

void tell_joints(const Model& model, std::span<const NumberTold> told, std::span<JointDrive> drives) {
  for (const NumberTold& one : told) {
    const SettableNumber& number = settable_numbers()[one.number];
    if (number.of != NumberOf::joint) continue;
    for (std::size_t j = 0; j < drives.size(); ++j) {
      if (model.joints[j].id != one.thing || model.joints[j].pins) continue;
      JointDrive& to = drives[j];
      if (number.path == "on") to.on = hazumi::told(one, to.on ? 1 : 0) >= 0.5;
      if (number.path == "motor_turn" || number.path == "motor_speed")
        to.motor_speed = hazumi::told(one, to.motor_speed);
      if (number.path == "motor_torque" || number.path == "motor_force")
        to.motor_force = hazumi::told(one, to.motor_force);
      if (number.path == "strictness") to.strictness = hazumi::told(one, to.strictness);
      JointNumbers numbers = to.numbers ? *to.numbers : model.joints[j].numbers;
      double* const at = number_at(numbers, number);
      if (!at) continue;
      const JointNumbers before = numbers;
      *at = hazumi::told(one, *at);
      to.numbers = std::make_shared<const JointNumbers>(numbers);
      to.by_motion = to.by_motion || !numbers.same_geometry(before);
    }
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> bodies_apart(std::span<const ModelJoint> joints) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (const ModelJoint& joint : joints)
    if (joint.a >= 0 && joint.b >= 0 && !joint.collide && joint.kind != JointKind::spring &&
        joint.kind != JointKind::rope && !has_target(joint.kind) && !joint.pins)
      out.push_back(std::minmax(static_cast<std::uint32_t>(joint.a), static_cast<std::uint32_t>(joint.b)));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace hazumi
