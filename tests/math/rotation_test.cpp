#include <catch2/catch.hpp>

#include "core/math/rotation.h"

namespace rotation_test {

using namespace hazumi;

TEST_CASE("Exponential and logarithm undo each other", "[math]") {
  for (const double angle : {0.0, 1e-12, 1e-6, 9.9e-5, 1.01e-4, 0.1, 1.0, 3.0, 3.1415}) {
    const Vec3 v = angle * Vec3(1, -2, 0.5).normalized();
    const Quat q = exp_rotation(v);
    CHECK(std::abs(q.norm() - 1) < 1e-15);
    CHECK((log_rotation(q) - v).norm() < 1e-12);
    CHECK((log_rotation(Quat(-q.coeffs())) - v).norm() < 1e-12);  // q and −q are the same rotation
    if (angle > 0)
      CHECK((q.toRotationMatrix() - Eigen::AngleAxisd(angle, v.normalized()).toRotationMatrix()).norm() < 1e-12);
  }
}

TEST_CASE("The derivative of the exponential at rest is half the quaternion of the rate", "[math]") {
  for (int k = 0; k < 3; ++k) {
    const Vec3 v = 1e-5 * Vec3(Vec3::Unit(k));
    const Mat3 slope = (exp_rotation(v).toRotationMatrix() - exp_rotation(-v).toRotationMatrix()) / 2e-5;
    CHECK((slope - skew(Vec3::Unit(k))).norm() < 7e-11);
  }
}

TEST_CASE("Skew and axial are the cross product", "[math]") {
  const Vec3 a(1, 2, 3), b(-2, 0.5, 4);
  CHECK((skew(a) * b - a.cross(b)).norm() == 0);
  CHECK((axial(a * b.transpose()) - a.cross(b)).norm() == 0);
}

TEST_CASE("Polar rotation is found for full, flat, thin, inverted and empty matrices", "[math]") {
  const Quat r = exp_rotation(Vec3(0.4, -1.2, 0.7));
  Mat3 s;
  s << 2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 0.5;
  const auto near = [](const Quat& a, const Quat& b) {
    return (a.toRotationMatrix() - b.toRotationMatrix()).norm() < 1e-10;
  };
  CHECK(near(polar_rotation(r.toRotationMatrix() * s, Quat::Identity()), r));
  Mat3 flat = s;
  flat.row(2).setZero();
  flat.col(2).setZero();
  CHECK(near(polar_rotation(r.toRotationMatrix() * flat, Quat::Identity()), r));
  // A line: direction right, least turn from the start.
  const Vec3 u(0.6, 0.8, 0), w = r * u;
  const Quat line = polar_rotation(w * u.transpose(), Quat::Identity());
  CHECK((line * u - w).norm() < 1e-12);
  CHECK(near(polar_rotation(w * u.transpose(), r), r));
  CHECK(near(polar_rotation(Mat3::Zero(), r), r));
  // Inverted: a proper rotation that does not lose to any neighbour.
  const Mat3 inverted = r.toRotationMatrix() * Vec3(2, 1, -0.3).asDiagonal();
  const Quat best = polar_rotation(inverted, Quat::Identity());
  CHECK(best.toRotationMatrix().determinant() == Approx(1));
  const double reached = (best.toRotationMatrix().transpose() * inverted).trace();
  for (int k = 0; k < 3; ++k)
    for (const double turn : {-0.1, 0.1}) {
      const Quat other = best * exp_rotation(turn * Vec3(Vec3::Unit(k)));
      CHECK((other.toRotationMatrix().transpose() * inverted).trace() < reached);
    }
}

TEST_CASE("The polar rotation found from a guess nearby is the same one", "[math]") {
  Mat3 s;
  s << 2, 0.3, 0.1, 0.3, 1, -0.2, 0.1, -0.2, 0.5;
  Mat3 flat = s, inverted = Mat3(Vec3(2, 1, -0.3).asDiagonal());
  flat.row(2).setZero();
  flat.col(2).setZero();
  const Quat r = exp_rotation(Vec3(0.4, -1.2, 0.7));
  for (const Mat3& stretch : {s, flat, inverted, Mat3(Mat3::Identity()), Mat3(1e-20 * s), Mat3(1e20 * s)})
    for (const double off : {0.0, 1e-12, 1e-3, 0.3, 1.5, 3.0}) {
      const Mat3 a = r.toRotationMatrix() * stretch;
      const Quat near = polar_rotation_near(a, r * exp_rotation(off * Vec3(0.6, 0, 0.8)));
      INFO(stretch << "\noff by " << off);
      CHECK(std::abs(near.norm() - 1) < 1e-15);
      CHECK((near.toRotationMatrix() - polar_rotation(a, r).toRotationMatrix()).norm() < 1e-14);
      // No skew part is left: that is what takes the rigid motion out of d.
      CHECK(axial(near.toRotationMatrix().transpose() * a).norm() < 1e-15 * a.norm());
    }
  const Vec3 u(0.6, 0.8, 0);
  CHECK((polar_rotation_near(u * u.transpose(), Quat::Identity()) * u - u).norm() < 1e-12);
  CHECK(polar_rotation_near(Mat3::Zero(), r).isApprox(r));
}

}  // namespace rotation_test
