#include "core/sim/constraint/link_ball.h"

#include <cmath>

namespace hazumi {
namespace {

/// False: singular.
bool invert(const Mat3& m, Mat3& out) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
      out(r, c) = m(r1, c1) * m(r2, c2) - m(r1, c2) * m(r2, c1);
    }
  const double whole = m(0, 0) * out(0, 0) + m(0, 1) * out(1, 0) + m(0, 2) * out(2, 0);
  if (!(std::abs(whole) > 0) || !std::isfinite(whole)) return false;
  out *= 1 / whole;
  return true;
}

}  // namespace

bool BallNode::factor(const Mat6& b, const BallBlocks& joint, bool child_is_a) {
  sign_ = child_is_a ? 1 : -1;
  arm_ = child_is_a ? joint.arm_a : joint.arm_b;
  parent_arm_ = child_is_a ? joint.arm_b : joint.arm_a;
  turn_ = child_is_a ? joint.turn_a : joint.turn_b;
  parent_turn_ = child_is_a ? joint.turn_b : joint.turn_a;
  const Mat3 vv = b.block<3, 3>(0, 0), vw = b.block<3, 3>(0, 3), wv = b.block<3, 3>(3, 0);
  by_turn_ = vw - vv * turn_;
  const Mat3 about =
      b.block<3, 3>(3, 3) + (child_is_a ? joint.own_a : joint.own_b) - wv * turn_ - crossed(arm_, by_turn_);
  if (!invert(about, inverse_)) return false;
  by_place_ = inverse_ * Mat3(wv - crossed(arm_, vv));
  mass_ = vv - by_turn_ * by_place_;
  return true;
}

void BallNode::load(Mat6& parent) const {
  const Mat3 turned = mass_ * parent_turn_;
  parent.block<3, 3>(0, 0) += mass_;
  parent.block<3, 3>(0, 3) += turned;
  parent.block<3, 3>(3, 0) += crossed(parent_arm_, mass_);
  parent.block<3, 3>(3, 3) += crossed(parent_arm_, turned);
}

void BallNode::lower(Vec6& body, double* rows, Vec6* parent) const {
  const Vec3 force = body.head<3>();
  const Vec3 turned = inverse_ * (body.tail<3>() - arm_.cross(force));
  const Vec3 left = by_turn_ * turned - force;
  Eigen::Map<Vec3> apart(rows);
  apart *= sign_;
  if (parent) {
    const Vec3 push = mass_ * apart + left;
    parent->head<3>() -= push;
    parent->tail<3>() -= parent_arm_.cross(push);
  }
  body << left, turned;
}

void BallNode::lift(Vec6& body, double* rows, const Vec6* parent) const {
  Eigen::Map<Vec3> apart(rows);
  Vec3 way = apart;
  if (parent) way += parent->head<3>() + parent_turn_ * parent->tail<3>();
  apart = sign_ * (mass_ * way + body.head<3>());
  const Vec3 rate = body.tail<3>() - by_place_ * way;
  body << way - turn_ * rate, rate;
}

}  // namespace hazumi
