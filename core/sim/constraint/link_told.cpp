// How the joints of a linkage hold (linkage.h): where they took hold, and what keys and motions tell them of it (joint_numbers.h).
#include <algorithm>

#include "core/scene/derived/joined.h"
#include "core/sim/constraint/linkage.h"

namespace hazumi {

void Linkage::tell_numbers(const Model& model, const JointDrives& drives) {
  const std::size_t n = joints.size();
  numbers_before_.assign(n, nullptr);
  rates_before_.assign(n, {});
  rates_now_.assign(n, {});
  goes_.assign(n, 0);
  any_goes_ = any_told_ = false;
  for (std::size_t j = 0; j < n; ++j) {
    const JointDrive &before = drives.before[joints[j]], &now = drives.now[joints[j]];
    if (!before.numbers && !now.numbers) continue;
    const ModelJoint& made = model.joints[joints[j]];
    any_told_ = true;
    numbers_before_[j] = before.numbers;
    rates_before_[j] = before.rates;
    rates_now_[j] = now.rates;
    goes_[j] = goes(made, before, now);
    any_goes_ = any_goes_ || goes_[j];
    // How fast motions tell it is known by the difference alone; one that has just begun is a jump.
    if (!before.by_motion || !now.by_motion) continue;
    const JointNumbers &from = before.numbers ? *before.numbers : made.numbers,
                       &to = now.numbers ? *now.numbers : made.numbers;
    const double h = model.step;
    rates_now_[j] = {(to.place_a - from.place_a) / h, (to.place_b - from.place_b) / h, now.rates.spin,
                     (to.least - from.least) / h,     (to.most - from.most) / h,       (to.length - from.length) / h};
    rates_before_[j] = rates_now_[j];
  }
}

/// Its places, axis and limits from one share of the sub-step to another; of springs what they are in the mean. Axes and places at which it
/// has taken hold stay.
void Linkage::tell(const Model& model, std::size_t j, double from, double to) {
  LinkRows& rows = rows_[j];
  rows.goes = false;
  rows.least_goes = rows.most_goes = 0;
  if (!is_told(j)) return;
  const ModelJoint& made = model.joints[joints[j]];
  const JointNumbers &before = numbers_before_[j] ? *numbers_before_[j] : made.numbers,
                     &now = drive_[j].numbers ? *drive_[j].numbers : made.numbers;
  ModelJoint& joint = *gripped_[j];
  const bool taken = memory_[j].grip == JointMemory::kTaken && made.kind != JointKind::gear;
  const auto put = [&](double share) {
    const Vec3 held = joint.place_a;
    put_numbers(model, made, between(before, now, share), joint);
    if (taken && !made.nodes_b.empty()) joint.place_a = held;
  };
  if (goes_[j]) {
    put(from);
    rows.goes = from < to;
    rows.from_a = joint.place_a;
    rows.from_b = joint.place_b;
    rows.frame_from = joint.frame_a;
    rows.least_goes = -joint.least;
    rows.most_goes = made.kind == JointKind::rope ? -joint.length : -joint.most;
  }
  put(to);
  if (goes_[j]) {
    rows.least_goes += joint.least;
    rows.most_goes += made.kind == JointKind::rope ? joint.length : joint.most;
    rows.place_a = joint.place_a;
    if (!has_target(made.kind)) rows.place_b = joint.place_b;
  }
  if (made.kind != JointKind::spring) return;
  const JointNumbers mean = between(before, now, 0.5);
  joint.stiffness = mean.stiffness;
  joint.damping = mean.damping;
  if (!made.measured) joint.length = mean.length;
}

/// What `memory_` says of where a joint holds.
void Linkage::grip(const Model& model, std::size_t j) {
  const JointMemory& memory = memory_[j];
  const ModelJoint& made = model.joints[joints[j]];
  const bool taken = memory.grip == JointMemory::kTaken && made.kind != JointKind::gear;
  if (!taken && !is_told(j)) {
    gripped_[j].reset();
    return;
  }
  if (!gripped_[j])
    gripped_[j] = std::make_unique<ModelJoint>(made);
  else if (is_told(j))
    *gripped_[j] = made;
  ModelJoint& joint = *gripped_[j];
  if (is_told(j)) tell(model, j, 0, 1);
  if (!taken) return;
  if (!made.nodes_b.empty()) {
    joint.place_a = memory.place;
  } else {
    joint.place_b = memory.place;
    const auto& [w, x, y, z] = memory.attitude;
    joint.frame_b = Quat(w, x, y, z).toRotationMatrix();
  }
}

/// Bodies stand as at the start, on which a joint has no hold yet. Where both deform there are no axes to hold a place in: they go together.
void Linkage::take_hold(const Model& model, std::size_t j) {
  if (is_told(j)) tell(model, j, 0, 0);
  const ModelJoint& made = joint_at(model, j);
  JointMemory memory;
  memory.grip = JointMemory::kAsMade;
  const LinkBody &a = seen(joint_ends_[j].a), &b = seen(joint_ends_[j].b);
  switch (made.kind) {
    case JointKind::ball:
    case JointKind::hinge:
    case JointKind::slider:
    case JointKind::fixed:
      if (!made.nodes_b.empty()) {
        if (!made.nodes_a.empty()) break;
        memory.place = a.turned.transpose() * (b.from - a.from);
      } else {
        memory.place = b.turned.transpose() * (a.from + a.turned * made.place_a - b.from);
        const Quat q = Quat(Mat3(b.turned.transpose() * a.turned * made.frame_a)).normalized();
        memory.attitude = {q.w(), q.x(), q.y(), q.z()};
      }
      memory.grip = JointMemory::kTaken;
      break;
    case JointKind::gear:
      memory.place.x() = memory_[static_cast<std::size_t>(gear_[j][0])].turn +
                         made.ratio * memory_[static_cast<std::size_t>(gear_[j][1])].turn;
      memory.grip = JointMemory::kTaken;
      break;
    case JointKind::spring:
    case JointKind::rope:
    case JointKind::lead:
    case JointKind::pull:
      break;
  }
  memory_[j] = memory_at_start_[j] = memory;
  impulse_[j] = LinkValues{};
  grip(model, j);
}

/// Another ratio counts from the turns that there are as the sub-step begins.
void Linkage::tell_gears(const Model& model) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (gear_[j][0] < 0 || !is_told(j)) continue;
    const JointNumbers& own = model.joints[joints[j]].numbers;
    const double before = (numbers_before_[j] ? *numbers_before_[j] : own).ratio,
                 now = (drive_[j].numbers ? *drive_[j].numbers : own).ratio;
    if (before == now) continue;
    for (JointMemory* memory : {&memory_[j], &memory_at_start_[j]}) {
      memory->place.x() += (now - before) * memory_[static_cast<std::size_t>(gear_[j][1])].turn;
      memory->grip = JointMemory::kTaken;
    }
  }
}

/// What stands next is told how fast it goes as well, or no longer.
void Linkage::rate(std::size_t j, bool rated) {
  LinkRows& rows = rows_[j];
  rows.rated = rated && goes_[j];
  for (LinkRow& row : rows.row) row.told = rated ? 0 : row.told;
  if (!rows.rated) return;
  const ModelJoint& joint = *gripped_[j];
  rows.rates = rates_now_[j];
  if (joint.nodes_a.empty())
    rows.rates.place_a = joint.scale_a.cwiseProduct(rows.rates.place_a);
  else
    rows.rates.place_a.setZero();
  if (joint.nodes_b.empty() && has_length(joint.kind))
    rows.rates.place_b = joint.scale_b.cwiseProduct(rows.rates.place_b);
  else
    rows.rates.place_b.setZero();
}

/// How fast the limit goes that a row is at, or the length of a rope.
double Linkage::limit_rate(const Model& model, std::size_t j, std::size_t i, const JointRates& rates) const {
  if (!is_met(model, j, i)) return 0;
  if (joint_at(model, j).kind == JointKind::rope) return rates.length;
  return memory_[j].limit < 0 ? rates.least : rates.most;
}

}  // namespace hazumi
