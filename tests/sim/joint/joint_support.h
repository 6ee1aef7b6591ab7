// Worlds of bodies that joints hold together.
#pragma once

#include <cmath>

#include "core/sim/constraint/linkages.h"
#include "tests/support/run.h"

namespace hazumi::test {

/// A world to which joints are added.
struct JointWorld : World {
  Joint& add_joint(JointKind kind, Id a, Id b, const Vec3& place, const Quat& turn = Quat::Identity()) {
    Joint joint;
    joint.id = next_id(scene);
    joint.name = "Joint " + std::to_string(joint.id.value);
    joint.kind = kind;
    joint.a = {a.value, own(a, place)};
    joint.b = {b.value, own(b, place)};
    const Object* of = find_object(scene, a);
    joint.turn = of ? Quat(of->transform.rotation.conjugate() * turn) : turn;
    made_.push_back(joint);
    scene.joints.emplace_back(joint);
    return made_.back();
  }
  /// The joint as it is in the end.
  void put(const Joint& joint) {
    for (auto& at : scene.joints)
      if (at->id == joint.id) at = Shared<Joint>(joint);
  }
  template <class Change>
  Id joined(JointKind kind, Id a, Id b, const Vec3& place, const Quat& turn, const Change& change) {
    Joint joint = add_joint(kind, a, b, place, turn);
    change(joint);
    put(joint);
    return joint.id;
  }
  Id joined(JointKind kind, Id a, Id b, const Vec3& place) { return add_joint(kind, a, b, place).id; }
  Vec3 own(Id id, const Vec3& place) const {
    const Object* of = find_object(scene, id);
    if (!of) return place;
    const Vec3 turned = of->transform.rotation.conjugate() * (place - of->transform.position);
    return turned.cwiseQuotient(of->transform.scale);
  }

 private:
  std::vector<Joint> made_;
};

/// A run with joints, and what is asked of them.
struct JointRun : Run {
  using Run::Run;
  JointFigures figures;                ///< sums of all steps
  std::vector<JointReading> readings;  ///< of the last

  StepReport step() {
    StepReport report = Run::step();
    figures.motors += report.joint_figures.motors;
    figures.springs += report.joint_figures.springs;
    figures.met += report.joint_figures.met;
    figures.leads += report.joint_figures.leads;
    figures.stayed += report.joint_figures.stayed;
    figures.passes += report.joint_figures.passes;
    figures.parts = std::max(figures.parts, report.joint_figures.parts);
    readings = report.joints;
    return report;
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = step();
      if (!report.ok) FAIL(to_string(*report.failure));
    }
  }
  void seconds(double time) { steps(static_cast<int>(time / model->step + 0.5)); }

  /// Of everything that moves, and of springs of joints.
  double energy() const { return Run::energy() + joint_energy(*model, state); }
  Vec3 place(std::int32_t body, const Vec3& own, std::span<const NodeWeight> weights = {}) const {
    if (body < 0) return own;
    const auto at = static_cast<std::size_t>(body);
    if (!weights.empty()) return mean_of(weights, nodes(at));
    const Pose pose = model->bodies[at].pose(state.bodies[at].values);
    return pose.position + pose.rotation * own;
  }
  std::vector<Vec3> nodes(std::size_t body) const {
    std::vector<Vec3> x(model->bodies[body].truss.nodes.size());
    model->bodies[body].positions(state.bodies[body].values, x);
    return x;
  }
  Mat3 frame(std::int32_t body, const Mat3& own) const {
    if (body < 0) return own;
    const auto at = static_cast<std::size_t>(body);
    return model->bodies[at].pose(state.bodies[at].values).rotation.toRotationMatrix() * own;
  }
  bool turns(std::int32_t body) const {
    if (body < 0) return true;
    const auto at = static_cast<std::size_t>(body);
    const Body& of = model->bodies[at];
    if (of.deforms) return false;
    return !of.can_be_joined() || of.read_joined(state.bodies[at].values).turns;
  }
  /// A joint as it was told to hold last.
  ModelJoint as_told(std::size_t j) const { return joint_as_told(*model, state, j); }
  /// m, and rad: how far joints that are not broken have come open.
  double gap() const {
    double most = 0;
    for (std::size_t j = 0; j < model->joints.size(); ++j) {
      const ModelJoint joint = as_told(j);
      if (state.joints[j].broken || joint.kind == JointKind::gear || joint.kind == JointKind::spring) continue;
      if (joint.kind == JointKind::lead) continue;
      const Vec3 apart = place(joint.b, joint.place_b, joint.nodes_b) - place(joint.a, joint.place_a, joint.nodes_a);
      const Mat3 a = frame(joint.a, joint.frame_a), b = frame(joint.b, joint.frame_b);
      const bool turns = this->turns(joint.a) && this->turns(joint.b);
      const bool hinge = joint.kind == JointKind::hinge, slider = joint.kind == JointKind::slider;
      if (joint.kind == JointKind::rope) most = std::max(most, apart.norm() - joint.length);
      if (joint.kind == JointKind::ball || joint.kind == JointKind::fixed || hinge) most = std::max(most, apart.norm());
      if (slider) most = std::max(most, (apart - a.col(2).dot(apart) * a.col(2)).norm());
      if (hinge && turns) most = std::max(most, a.col(2).cross(b.col(2)).norm());
      if (turns && (slider || joint.kind == JointKind::fixed)) most = std::max(most, (a - b).norm());
    }
    return most;
  }
};

}  // namespace hazumi::test
