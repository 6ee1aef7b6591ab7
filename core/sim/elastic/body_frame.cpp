#include "core/sim/elastic/body_frame.h"

#include <Eigen/Eigenvalues>

namespace hazumi {

RigidDirections::RigidDirections(const Mat3& reference_inertia) {
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(reference_inertia);
  line_ = !(principal.eigenvalues()[0] > 1e-10 * principal.eigenvalues()[2]);
  if (line_) axis_ = principal.eigenvectors().col(0).normalized();
}

Vec3 RigidDirections::solve(const Mat3& inertia, const Vec3& moment) const {
  if (!line_) return inverse3(inertia) * moment;
  const Mat3 flat = Mat3::Identity() - axis_ * axis_.transpose();
  const Mat3 j = flat * inertia * flat + inertia.trace() * axis_ * axis_.transpose();
  return across(inverse3(j) * across(moment));
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

}  // namespace hazumi
