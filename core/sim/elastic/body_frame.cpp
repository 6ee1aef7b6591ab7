#include "core/sim/elastic/body_frame.h"

#include <cmath>

#include "core/math/eigen.h"
#include "core/math/rotation.h"

namespace hazumi {

RigidDirections::RigidDirections(const Mat3& reference_inertia) {
  const EigenPairs3 principal = symmetric_eigen(reference_inertia);
  if (principal.values[0] > 1e-10 * principal.values[2]) return;
  turns_ = Turns::across_axis;
  axis_ = principal.vectors.col(0).normalized();
}

RigidDirections::RigidDirections(const Mat3& reference_inertia, const PinFrame& pins)
    : RigidDirections(reference_inertia) {
  const double largest = reference_inertia.trace();
  switch (pins.kind) {
    case PinKind::none:
    case PinKind::point:
      if (!(largest > 0)) turns_ = Turns::none;  // nothing but the pin itself
      return;
    case PinKind::line:
      axis_ = pins.axis;
      turns_ = axis_.dot(reference_inertia * axis_) > 1e-10 * largest ? Turns::about_axis : Turns::none;
      return;
    case PinKind::held:
      turns_ = Turns::none;
  }
}

Vec3 RigidDirections::solve(const Mat3& inertia, const Vec3& moment) const {
  switch (turns_) {
    case Turns::all:
      return inverse3(inertia) * moment;
    case Turns::across_axis: {
      const Mat3 flat = Mat3::Identity() - axis_ * axis_.transpose();
      const Mat3 j = flat * inertia * flat + inertia.trace() * axis_ * axis_.transpose();
      return allowed(inverse3(j) * allowed(moment));
    }
    case Turns::about_axis:
      return (axis_.dot(moment) / axis_.dot(inertia * axis_)) * axis_;
    case Turns::none:
      break;
  }
  return Vec3::Zero();
}

Quat fitted_turn(const RigidDirections& directions, const Mat3& fit, const Quat& near) {
  if (directions.is_line()) {
    const Vec3 along = fit * directions.axis();
    return along.squaredNorm() > 0 ? turn_onto(directions.axis(), along) : near;
  }
  if (directions.is_free()) return polar_rotation_near(fit, near);
  if (directions.is_held()) return Quat::Identity();
  // About the axis n by the angle that makes Σ m p·(T r) largest: tan = n·Σ m r × p / Σ m (r·p − (n·r)(n·p)).
  const Vec3& n = directions.axis();
  const double sine = -n.dot(axial(fit)), cosine = fit.trace() - n.dot(fit * n);
  return exp_rotation(n * std::atan2(sine, cosine));
}

Mat3 inverse3(const Mat3& m) {
  const double c00 = m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1);
  const double c10 = m(1, 2) * m(2, 0) - m(1, 0) * m(2, 2);
  const double c20 = m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0);
  const double inverse = 1.0 / (m(0, 0) * c00 + m(0, 1) * c10 + m(0, 2) * c20);
  Mat3 r;
  r << c00, m(0, 2) * m(2, 1) - m(0, 1) * m(2, 2), m(0, 1) * m(1, 2) - m(0, 2) * m(1, 1),  //
      c10, m(0, 0) * m(2, 2) - m(0, 2) * m(2, 0), m(0, 2) * m(1, 0) - m(0, 0) * m(1, 2),   //
      c20, m(0, 1) * m(2, 0) - m(0, 0) * m(2, 1), m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
  return r * inverse;
}

Vec3 free_rate(const Mat3& inertia, const Vec3& angular) {
  const double size = inertia.trace();
  if (inertia.determinant() > 1e-9 * size * size * size) return inverse3(inertia) * angular;
  if (!(size > 0)) return Vec3::Zero();
  const Mat3 products = 0.5 * size * Mat3::Identity() - inertia;
  int longest = 0;
  products.diagonal().maxCoeff(&longest);
  const Vec3 line = products.col(longest).normalized();
  const Vec3 found = inverse3(inertia + size * line * line.transpose()) * (angular - line.dot(angular) * line);
  return found - line.dot(found) * line;
}

Mat3 turning_moment(const Mat3& spread, const Mat3& fit) {
  Mat3 b;
  for (int k = 0; k < 3; ++k) b.col(k) = -axial(spread.transpose() * skew(Vec3::Unit(k)) * fit);
  return b;
}

}  // namespace hazumi
