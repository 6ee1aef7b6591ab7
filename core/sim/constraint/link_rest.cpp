// A linkage that lies still (sleep.h).
#include <algorithm>

#include "core/scene/derived/joined.h"
#include "core/sim/body/motion.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {

bool Linkage::lies_still(const Model& model, std::span<const BodyMotion> motions, double least) const {
  if (!soft.empty() || !leads_.empty() || any_goes_) return false;
  for (const std::uint32_t j : joints)
    if (const ModelJoint& joint = model.joints[j]; joint.pins || joint.motor || has_target(joint.kind)) return false;
  std::vector<double> reach(member_.size());
  for (std::size_t n = 0; n < member_.size(); ++n) reach[n] = member_[n].reach;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const auto& [slot, place] :
         {std::pair(joint_ends_[j].a, &rows_[j].place_a), std::pair(joint_ends_[j].b, &rows_[j].place_b)})
      if (slot >= 0 && static_cast<std::size_t>(slot) < reach.size())
        reach[static_cast<std::size_t>(slot)] = std::max(reach[static_cast<std::size_t>(slot)], place->norm());
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const BodyMotion& m = motions[node_body_[n]];
    const Vec3 after = 2 * m.linear_mean - m.linear_start, turn = 2 * m.angular_mean - m.angular_start;
    if (!(m.linear_start.norm() + reach[n] * m.angular_start.norm() < least)) return false;
    if (!(after.norm() + reach[n] * turn.norm() < least)) return false;
  }
  return true;
}

/// It sleeps as in the sub-step before.
bool Linkage::rests_as_read(const Model& model, const State& state) const {
  if (!resting_) return false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointMemory &now = state.joints[joints[j]], &then = memory_[j];
    if (now.impulse != then.impulse || now.turn != then.turn || now.place != then.place) return false;
  }
  for (std::size_t n = 0; n < member_.size(); ++n) {
    const Pose pose = model.bodies[node_body_[n]].read_joined(state.bodies[node_body_[n]].values).pose;
    const Pose& then = member_[n].start.pose;
    if (pose.position != then.position || pose.rotation.coeffs() != then.rotation.coeffs()) return false;
  }
  return true;
}

void Linkage::rest(const Model& model, const State& state, const JointDrives& drives) {
  if (rests_as_read(model, state)) return;
  drive_.assign(joints.size(), JointDrive());
  for (std::size_t j = 0; j < joints.size(); ++j) drive_[j].numbers = drives.now[joints[j]].numbers;
  tell_numbers(model, drives);
  read_start(model, state, state);
  resting_ = true;
  pull_work_.assign(joints.size(), 0.0);
  own_.resize(member_.size());
  stand_bodies(model, At::start);
  for (std::size_t j = 0; j < joints.size(); ++j) begin_joint(model, j, model.step);
  stand(model, At::start);
  sum_ = impulse_;
  read_forces(model, model.step);
}

}  // namespace hazumi
