// What keys and motions may say of how a joint holds, beside its switch, its motor and a lead's target (values/joint.h): where, about which axis,
// how far, how long, how stiff. In the units of the scene.
#pragma once

#include "core/scene/values/joint.h"

namespace hazumi {

struct JointNumbers {
  Vec3 place_a = Vec3::Zero(),
       place_b = Vec3::Zero();        ///< m, in the axes of the objects before their scale, or of the world
  Quat turn = Quat::Identity();       ///< its z is the axis
  double least = 0, most = 0;         ///< rad of a hinge, m of a slider
  double length = 0;                  ///< m, where the joint is not as long as it lies
  double stiffness = 0, damping = 0;  ///< N/m, N s/m, of a spring
  double ratio = 1;
  double break_force = 0;               ///< N, N m
  double pull_rate = 0, pull_most = 0;  ///< Hz, weights
  friend bool operator==(const JointNumbers& x, const JointNumbers& y) {
    return x.same_geometry(y) && x.stiffness == y.stiffness && x.damping == y.damping && x.ratio == y.ratio &&
           x.break_force == y.break_force && x.pull_rate == y.pull_rate && x.pull_most == y.pull_most;
  }
  /// Places, axis, limits and length.
  bool same_geometry(const JointNumbers& y) const {
    return place_a == y.place_a && place_b == y.place_b && turn.coeffs() == y.turn.coeffs() && least == y.least &&
           most == y.most && length == y.length;
  }
};

/// How fast these go: per second, `spin` in the axes of the first object.
struct JointRates {
  Vec3 place_a = Vec3::Zero(), place_b = Vec3::Zero(), spin = Vec3::Zero();
  double least = 0, most = 0, length = 0;
  friend bool operator==(const JointRates&, const JointRates&) = default;
};

JointRates operator*(double factor, const JointRates& rates);
/// A share of the way from one to the other; 0 and 1 are these themselves.
JointNumbers between(const JointNumbers& from, const JointNumbers& to, double share);
JointNumbers numbers_of(const Joint& joint);

}  // namespace hazumi
