// Which one-sided rows of a linkage hold, and which motors push with all they have: guessed, solved, looked at again (linkage.h).
#include <algorithm>
#include <cmath>

#include "core/sim/constraint/linkage.h"

namespace hazumi {
namespace {

constexpr int kAllAtOnce = 8;      // guesses in which all rows change; later ones change the first alone, which ends
constexpr double kBeyond = 1e-12;  // m or rad

}  // namespace

/// A motor whose joint is at a limit that holds pushes with all it has: both cannot say how the joint goes.
bool Linkage::rests_on_limit(std::size_t j, double h) {
  LinkRows& rows = rows_[j];
  if (rows.limit < 0 || rows.row[static_cast<std::size_t>(rows.limit)].role != LinkRowRole::hold) return false;
  const double speed = drive_[j].motor_speed;
  memory_[j].motor = speed > 0 ? 1 : speed < 0 ? -1 : 0;
  LinkRow& row = rows.row[static_cast<std::size_t>(rows.motor)];
  row.role = LinkRowRole::push;
  row.wanted = static_cast<double>(memory_[j].motor) * h * drive_[j].motor_force;
  return true;
}

/// One-sided rows that pull where they may only push let go, those that are passed take hold. True: some did. All of them at once may go
/// round in circles; the first one alone does not (Murty's least index).
bool Linkage::guess_again(const Model& model, int guess) {
  bool changed = false;
  any_struck_ = false;
  struck_.assign(joints.size(), 0);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (blocks_[j].ball) continue;
    const ModelJoint& joint = joint_at(model, j);
    LinkRows& rows = rows_[j];
    JointMemory& memory = memory_[j];
    const auto one_sided = [&](LinkRow& row, double& impulse, double least, double most) {
      if (changed && guess >= kAllAtOnce) return;
      if (row.role == LinkRowRole::hold) {
        if (static_cast<double>(memory.limit) * impulse <= 0) return;
        memory.limit = 0;
      } else {
        const int side = row.now > std::max(most, row.before + rows.most_goes) + kBeyond     ? 1
                         : row.now < std::min(least, row.before + rows.least_goes) - kBeyond ? -1
                                                                                             : 0;
        if (side == 0) return;
        memory.limit = side;
        met_[j] = 1;
        struck_[j] = side;
        any_struck_ = true;
      }
      changed = true;
    };
    if (joint.kind == JointKind::rope) one_sided(rows.row[0], impulse_[j][0], -1, joint.length);
    if (rows.limit >= 0) {
      const auto at = static_cast<std::size_t>(rows.limit);
      one_sided(rows.row[at], impulse_[j][at], joint.least, joint.most);
    }
  }
  return changed;
}

/// Motors that need more than they have push with that; those that are past their speed hold it.
bool Linkage::guess_motors(double h, int guess) {
  bool changed = false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    LinkRows& rows = rows_[j];
    JointMemory& memory = memory_[j];
    if (rows.motor < 0) continue;
    if (rests_on_limit(j, h)) continue;
    const auto at = static_cast<std::size_t>(rows.motor);
    LinkRow& row = rows.row[at];
    const double most = h * drive_[j].motor_force;
    if (row.role == LinkRowRole::rate) {
      if (std::abs(impulse_[j][at]) <= most * (1 + 1e-12)) continue;
      memory.motor = impulse_[j][at] > 0 ? 1 : -1;
      changed = true;
    } else if (const double rate = (row.now - row.before) / (h * row.ratio), over = rate - motor_rate_[j];
               static_cast<double>(memory.motor) * over > kBeyond && guess < kAllAtOnce) {
      memory.motor = kMotorAtSpeed;
      changed = true;
    }
  }
  return changed;
}

bool Linkage::loosen_motors() {
  bool changed = false;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (rows_[j].motor < 0 || rows_[j].row[static_cast<std::size_t>(rows_[j].motor)].role != LinkRowRole::rate)
      continue;
    const double speed = motor_rate_[j], pushes = impulse_[j][static_cast<std::size_t>(rows_[j].motor)];
    memory_[j].motor = speed < 0 || (speed == 0 && pushes < 0) ? -1 : 1;
    changed = true;
  }
  return changed;
}

}  // namespace hazumi
