// Rigid bodies and points (spec 1.4).
#include <catch2/catch.hpp>

#include <array>
#include <cmath>

#include "core/sim/body/point.h"
#include "core/sim/body/rigid_body.h"

namespace rigid_body_test {

using namespace hazumi;

namespace {

constexpr double kStep = 1.0 / 240;
using RigidState = std::array<double, kRigidStateSize>;

/// A 1 × 2 × 3 box of 6 kg in axes that are not its principal ones.
RigidInertia skewed_box() {
  const Mat3 r = Quat(0.7, 0.3, -0.4, 0.5).normalized().toRotationMatrix();
  const Mat3 principal = Vec3(0.5 * (4 + 9), 0.5 * (1 + 9), 0.5 * (1 + 4)).asDiagonal();
  return RigidInertia(6, r * principal * r.transpose());
}

double energy(const RigidInertia& body, const RigidState& s) { return rigid_observe(body, s, 0).kinetic_energy; }

}  // namespace

TEST_CASE("Rigid body reads back what it was started with", "[rigid]") {
  const RigidInertia body = skewed_box();
  RigidState s;
  const Pose pose{Vec3(1, 2, 3), Quat(0.5, 0.5, -0.1, 0.2).normalized()};
  rigid_initialise(body, pose, Vec3(1, 0, -1), Vec3(3, -2, 1), s);
  CHECK((rigid_spin(body, s) - Vec3(3, -2, 1)).norm() < 1e-13);
  CHECK((rigid_pose(s).position - pose.position).norm() == 0);
  CHECK((rigid_velocity_at(body, s, Vec3(1, 3, 3)) - (Vec3(1, 0, -1) + Vec3(3, -2, 1).cross(Vec3(0, 1, 0)))).norm() <
        1e-13);
}

TEST_CASE("Free spin keeps angular momentum exactly and energy to under 1 %", "[rigid]") {
  const RigidInertia body = skewed_box();
  for (const double speed : {1.0, 10.0, 50.0, 200.0}) {
    RigidState s;
    rigid_initialise(body, {}, Vec3(1, 2, 3), speed * Vec3(0.5, 0.6, -0.4), s);
    const RigidState start = s;
    double worst = 0;
    for (int n = 0; n < 10000; ++n) {
      REQUIRE(rigid_step(body, kStep, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), s));
      worst = std::max(worst, std::abs(energy(body, s) / energy(body, start) - 1));
    }
    INFO("speed " << speed << ": energy within " << 100 * worst << " %");
    for (int k = 7; k < 13; ++k) CHECK(s[k] == start[k]);
    CHECK(worst < 0.01);  // spec 1.4; measured 1e-4
  }
}

TEST_CASE("Explicit Euler on the body rate loses its energy: the bound can fail", "[rigid]") {
  const RigidInertia body = skewed_box();
  Vec3 w(5, 6, -4);
  const double start = 0.5 * w.dot(body.inertia * w);
  double worst = 0;
  for (int n = 0; n < 10000 && worst < 1; ++n) {
    w += kStep * (body.inverse * -(w.cross(body.inertia * w)));
    worst = std::max(worst, std::abs(0.5 * w.dot(body.inertia * w) / start - 1));
  }
  CHECK(worst > 0.01);
}

TEST_CASE("The intermediate axis flips, the outer axes do not", "[rigid]") {
  const Mat3 inertia = Vec3(1, 2, 3).asDiagonal();
  const RigidInertia body(1, inertia);
  for (int axis = 0; axis < 3; ++axis) {
    RigidState s;
    Vec3 spin = 5 * Vec3::Unit(axis);
    spin[(axis + 1) % 3] += 0.01;
    rigid_initialise(body, {}, Vec3::Zero(), spin, s);
    double least = 1;
    int flips = 0;
    bool up = true;
    for (int n = 0; n < 10000; ++n) {
      REQUIRE(rigid_step(body, kStep, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), s));
      const double along = (rigid_pose(s).rotation * Vec3(Vec3::Unit(axis)))[axis];
      least = std::min(least, along);
      if ((up && along < -0.9) || (!up && along > 0.9)) {
        up = !up;
        ++flips;
      }
    }
    if (axis == 1) {
      CHECK(flips >= 4);
    } else {
      CHECK(least > 0.99991);
    }
  }
}

TEST_CASE("A symmetric top precesses at the rate of theory", "[rigid]") {
  // Free top with J = (1, 1, 2): its axis circles L at |L|/J₁ (world).
  const RigidInertia body(1, Vec3(1, 1, 2).asDiagonal());
  RigidState s;
  rigid_initialise(body, {}, Vec3::Zero(), Vec3(0.5, 0, 3), s);
  const Vec3 L(0.5, 0, 6), axis = L.normalized();
  const double rate = L.norm();
  const int steps = 480;
  for (int n = 0; n < steps; ++n) REQUIRE(rigid_step(body, kStep, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), s));
  const Vec3 expected = Eigen::AngleAxisd(rate * steps * kStep, axis) * Vec3(0, 0, 1);
  CHECK((rigid_pose(s).rotation * Vec3(0, 0, 1) - expected).norm() < 5e-5);
}

TEST_CASE("Attitude converges at second order", "[rigid]") {
  const RigidInertia body = skewed_box();
  const auto end = [&](double h) {
    RigidState s;
    rigid_initialise(body, {}, Vec3::Zero(), Vec3(3, 4, -2), s);
    for (int n = 0; n < std::lround(1 / h); ++n)
      REQUIRE(rigid_step(body, h, Vec3::Zero(), Vec3(0.3, 0.1, 0.2), Vec3::Zero(), s));
    return rigid_pose(s).rotation.toRotationMatrix();
  };
  const Mat3 a = end(1.0 / 240), b = end(1.0 / 480), c = end(1.0 / 960);
  CHECK((a - b).norm() / (b - c).norm() == Approx(4).epsilon(1.2e-4));
}

TEST_CASE("Torque, force and impulse change the momenta by what they carry", "[rigid]") {
  const RigidInertia body = skewed_box();
  RigidState s;
  rigid_initialise(body, {Vec3(1, 1, 1), Quat::Identity()}, Vec3::Zero(), Vec3::Zero(), s);
  for (int n = 0; n < 240; ++n) REQUIRE(rigid_step(body, kStep, Vec3(1, 0, 2), Vec3(0.5, 0, 0), Vec3(0, -9.8, 0), s));
  Observables o = rigid_observe(body, s, 0);
  CHECK((o.momentum - Vec3(1, -6 * 9.8, 2)).norm() < 1e-11);
  CHECK((o.angular_momentum - Vec3(0.5, 0, 0)).norm() < 1e-13);
  CHECK((o.centre - Vec3(1, 1, 1) - 0.5 * (Vec3(1, 0, 2) / 6 + Vec3(0, -9.8, 0))).norm() < 1e-11);
  const Vec3 point = o.centre + Vec3(0.3, -0.2, 0.4), j(1, 2, -3);
  const Vec3 before = rigid_velocity_at(body, s, point);
  rigid_apply_impulse(s, j, point);
  const Observables after = rigid_observe(body, s, 0);
  CHECK((after.momentum - o.momentum - j).norm() < 1e-12);
  CHECK((after.angular_momentum - o.angular_momentum - (point - o.centre).cross(j)).norm() < 1e-12);
  // Δv = (1/m + rᵀ× J⁻¹ ×r) j at the point: what contact relies on.
  const Vec3 r = point - o.centre;
  const Vec3 gain = j / 6 + (rigid_inverse_inertia(body, s) * r.cross(j)).cross(r);
  CHECK((rigid_velocity_at(body, s, point) - before - gain).norm() < 1e-12);
}

TEST_CASE("A rigid body that spins beyond what can be followed says so", "[rigid]") {
  const RigidInertia body = skewed_box();
  RigidState s;
  rigid_initialise(body, {}, Vec3::Zero(), Vec3(1e6, 0, 0), s);
  CHECK_FALSE(rigid_step(body, kStep, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), s));
  rigid_initialise(body, {}, Vec3::Zero(), Vec3(1, 0, 0), s);
  CHECK_FALSE(rigid_step(body, kStep, Vec3(NAN, 0, 0), Vec3::Zero(), Vec3::Zero(), s));
  CHECK_FALSE(rigid_step(body, kStep, Vec3::Zero(), Vec3(0, NAN, 0), Vec3::Zero(), s));
}

TEST_CASE("A point follows its recurrence to the bit and the parabola to round-off", "[rigid][point]") {
  std::array<double, kPointStateSize> s;
  point_initialise(Vec3(0, 10, 0), Vec3(3, 5, -1), s);
  const Vec3 g(0, -9.80665, 0), f(0.2, 0, 0.1);
  Vec3 x(0, 10, 0), v(3, 5, -1);
  for (int n = 1; n <= 1000; ++n) {
    REQUIRE(point_step(2, kStep, f, g, s));
    const Vec3 next = v + kStep * (f / 2 + g);
    x += 0.5 * kStep * (v + next);
    v = next;
    REQUIRE(point_position(s) == x);
    REQUIRE(point_velocity(s) == v);
    const double t = n * kStep;
    REQUIRE((x - Vec3(0, 10, 0) - t * Vec3(3, 5, -1) - 0.5 * t * t * (f / 2 + g)).norm() < 1e-10);
  }
  point_apply_impulse(2, Vec3(4, 0, 0), s);
  CHECK((point_velocity(s) - v - Vec3(2, 0, 0)).norm() < 1e-14);
  CHECK(point_observe(2, s).kinetic_energy == Approx(point_velocity(s).squaredNorm()));
  CHECK_FALSE(point_step(2, kStep, Vec3(1e300, 0, 0), g, s));
}

}  // namespace rigid_body_test
