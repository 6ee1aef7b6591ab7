#include "core/sim/constraint/link_place.h"

#include <algorithm>

#include "core/sim/constraint/link_lu.h"

namespace hazumi {

bool PlaceNode::factor(const Mat6& b, const LinkBlocks& joint, bool child_is_a) {
  const bool a = child_is_a;
  const int rest = joint.rows - 3;
  size_ = joint.rows;
  sign_ = a ? 1 : -1;
  arm_ = a ? joint.at.arm_a : joint.at.arm_b;
  parent_arm_ = a ? joint.at.arm_b : joint.at.arm_a;
  turn_ = a ? joint.at.turn_a : joint.at.turn_b;
  parent_turn_ = a ? joint.at.turn_b : joint.at.turn_a;
  const Mat3 vv = b.block<3, 3>(0, 0), vw = b.block<3, 3>(0, 3), wv = b.block<3, 3>(3, 0);
  by_turn_ = vw - vv * turn_;
  const Mat3 about = b.block<3, 3>(3, 3) - wv * turn_ - crossed(arm_, by_turn_);
  const Mat3 by_place = wv - crossed(arm_, vv);
  const Mat6 &down = a ? joint.a_by_b : joint.b_by_a, &up = a ? joint.b_by_a : joint.a_by_b;
  lu_.fill(0);
  across_.fill(0);
  torque_.fill(0);
  const auto at = [](int r, int c) { return static_cast<std::size_t>(r * kMost + c); };
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      lu_[at(r, c)] = about(r, c);
      across_[at(r, c)] = by_place(r, c);
      across_[at(r, 3 + c)] = down(3 + r, 3 + c);
      torque_[at(r, c)] = up(3 + r, 3 + c);
    }
  for (int i = 0; i < rest; ++i) {
    const auto row = static_cast<std::size_t>(3 + i);
    const Vec6 &act = a ? joint.act_a[row] : joint.act_b[row], &other = a ? joint.act_b[row] : joint.act_a[row];
    const Vec6 &move = a ? joint.move_a[row] : joint.move_b[row], &by_other = a ? joint.move_b[row] : joint.move_a[row];
    for (int c = 0; c < 3; ++c) {
      lu_[at(c, 3 + i)] = -act[3 + c];
      lu_[at(3 + i, c)] = move[3 + c];
      across_[at(3 + i, 3 + c)] = by_other[3 + c];
      torque_[at(c, 3 + i)] = -other[3 + c];
    }
    lu_[at(3 + i, 3 + i)] = joint.yield[row];
  }
  if (!lu_decompose<LinkDiagonal::inverse, kMost>(lu_.data(), pivot_.data(), size_)) return false;
  lu_substitute<LinkDiagonal::inverse, kMost, kMost>(lu_.data(), pivot_.data(), size_, across_.data());
  Mat3 rate_by_place, rate_by_rate;
  for (int r = 0; r < 3; ++r) {
    double sum[kMost] = {};
    for (int k = 0; k < size_; ++k)
      for (int c = 0; c < kMost; ++c) sum[c] += torque_[at(r, k)] * across_[at(k, c)];
    for (int c = 0; c < 3; ++c) {
      rate_by_place(r, c) = across_[at(r, c)];
      rate_by_rate(r, c) = across_[at(r, 3 + c)];
      twist_by_place_(r, c) = -sum[c];
      twist_by_rate_(r, c) = -sum[3 + c];
    }
  }
  mass_ = vv - by_turn_ * rate_by_place;
  by_rate_ = -(by_turn_ * rate_by_rate);
  return true;
}

void PlaceNode::load(Mat6& parent) const {
  const Mat3 turned = mass_ * parent_turn_ + by_rate_;
  parent.block<3, 3>(0, 0) += mass_;
  parent.block<3, 3>(0, 3) += turned;
  parent.block<3, 3>(3, 0) += crossed(parent_arm_, mass_) + twist_by_place_;
  parent.block<3, 3>(3, 3) += crossed(parent_arm_, turned) + twist_by_place_ * parent_turn_ + twist_by_rate_;
}

void PlaceNode::lower(Vec6& body, LinkValues& rows, Vec6* parent) const {
  const Vec3 force = body.head<3>(), about = body.tail<3>() - arm_.cross(force);
  double x[kMost] = {about[0], about[1], about[2]};
  std::copy(rows.begin() + 3, rows.begin() + size_, x + 3);
  lu_substitute<LinkDiagonal::inverse, kMost, 1>(lu_.data(), pivot_.data(), size_, x);
  const Vec3 turned(x[0], x[1], x[2]);
  const Vec3 left = by_turn_ * turned - force;
  Eigen::Map<Vec3> apart(rows.data());
  apart *= sign_;
  if (parent) {
    const Vec3 push = mass_ * apart + left;
    Vec3 twist = twist_by_place_ * apart;
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < size_; ++k) twist[r] += torque_[static_cast<std::size_t>(r * kMost + k)] * x[k];
    parent->head<3>() -= push;
    parent->tail<3>() -= parent_arm_.cross(push) + twist;
  }
  body << left, turned;
  std::copy(x + 3, x + size_, rows.begin() + 3);
}

void PlaceNode::lift(Vec6& body, LinkValues& rows, const Vec6* parent) const {
  Eigen::Map<Vec3> apart(rows.data());
  Vec6 way;
  way << apart, Vec3::Zero();
  if (parent) {
    way.head<3>() += parent->head<3>() + parent_turn_ * parent->tail<3>();
    way.tail<3>() = parent->tail<3>();
  }
  apart = sign_ * (mass_ * way.head<3>() + by_rate_ * way.tail<3>() + body.head<3>());
  Vec3 rate = body.tail<3>();
  for (int i = 0; i < size_; ++i) {
    double sum = 0;
    for (int c = 0; c < 6; ++c) sum += across_[static_cast<std::size_t>(i * kMost + c)] * way[c];
    if (i < 3)
      rate[i] -= sum;
    else
      rows[static_cast<std::size_t>(i)] -= sum;
  }
  body << way.head<3>() - turn_ * rate, rate;
}

}  // namespace hazumi
