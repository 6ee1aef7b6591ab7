// The rigid sub-step that shares the identity of energy: against the dense reference, at spins that the reference cannot follow,
// and about pins.
#include "core/sim/body/rigid_midpoint.h"

#include <catch2/catch.hpp>

#include "core/sim/body/midpoint_turn.h"
#include "tests/sim/reference/rigid.h"

namespace rigid_midpoint_test {

using namespace hazumi;
namespace ref = hazumi::reference;
using ref::Dice;
using ref::Worst;

namespace {

constexpr double kWhole = 1e3;  // rad per part: one part

double kinetic(const RigidInertia& body, const RigidValues& r) {
  const Vec3 spin = r.pose.rotation.conjugate() * r.angular_momentum;
  return 0.5 * r.momentum.squaredNorm() / body.mass + 0.5 * spin.dot(body.inverse * spin);
}

/// A box of 2 kg in axes that are not its principal ones.
RigidInertia box(Dice& dice, const Vec3& half) {
  const Mat3 turn = dice.attitude();
  return RigidInertia(2, turn * ref::rigid_box(2, half).inertia * turn.transpose());
}

RigidValues moving(Dice& dice, const RigidInertia& body, const Vec3& spin) {
  RigidValues r;
  r.pose = {dice.vector(), Quat(dice.attitude())};
  r.momentum = body.mass * dice.vector();
  r.angular_momentum = world_inertia(body.inertia, r.pose.rotation) * spin;
  return r;
}

ref::RigidBody copy(const RigidInertia& body, const RigidValues& r) {
  ref::RigidBody b;
  b.mass = body.mass;
  b.inertia = body.inertia;
  b.centre = r.pose.position;
  b.attitude = r.pose.rotation.toRotationMatrix();
  b.velocity = r.momentum / body.mass;
  b.spin = r.angular_momentum;
  return b;
}

/// Greatest difference from the reference's state, as a share of its size.
double difference(const RigidInertia& body, const RigidValues& found, const ref::RigidBody& b) {
  return std::max({(found.pose.position - b.centre).norm() / (1 + b.centre.norm()),
                   (found.pose.rotation.toRotationMatrix() - b.attitude).norm(),
                   (found.momentum / body.mass - b.velocity).norm() / (1 + b.velocity.norm()),
                   (found.angular_momentum - b.spin).norm() / (1 + b.spin.norm())});
}

void take(ref::RigidBody& b, const ref::RigidStep& s) {
  b.centre = s.centre, b.attitude = s.attitude, b.velocity = s.velocity, b.spin = s.spin;
}

}  // namespace

TEST_CASE("In one part the midpoint step is the reference's", "[rigid][midpoint]") {
  Worst state, mean;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Dice dice(seed);
    const double h = seed % 2 ? 1.0 / 60 : 1.0 / 240;
    const RigidInertia body = box(dice, Vec3(0.5, 0.2, 0.1));
    RigidValues r = moving(dice, body, 10 * dice.vector());
    const Vec3 gravity = 9 * dice.vector();
    for (int k = 0; k < 20; ++k) {
      const Vec3 force = dice.vector(), torque = dice.vector();
      const ref::RigidBody before = copy(body, r);
      const ref::RigidStep s = ref::step_rigid(before, h, gravity, h * force, h * torque);
      ref::RigidBody after = before;
      take(after, s);
      RigidMidpoint out;
      REQUIRE(rigid_midpoint(body, r, h, force, torque, gravity, out, kWhole));
      CHECK(out.parts == 1);
      CHECK(out.passes <= 6);
      state.take(difference(body, out.after, after), seed);
      mean.take((out.mean_spin - s.mean_rate).norm() / (1 + s.mean_rate.norm()), seed);
      mean.take((out.mean_velocity - s.mean_velocity).norm(), seed);
      mean.take((out.mean_centre - s.mean_centre).norm(), seed);
      mean.take((out.half.toRotationMatrix() - s.half).norm(), seed);
      r = out.after;
    }
  }
  CHECK(state < 1e-12);
  CHECK(mean < 1e-12);
}

TEST_CASE("In parts it is as many steps of the reference with the same torque", "[rigid][midpoint]") {
  Worst state, mean;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Dice dice(seed);
    const double h = 1.0 / 60;
    const RigidInertia body = box(dice, Vec3(0.5, 0.2, 0.1));
    const RigidValues r = moving(dice, body, 60 * dice.vector());
    const Vec3 force = dice.vector(), torque = 20 * dice.vector();
    RigidMidpoint out;
    REQUIRE(rigid_midpoint(body, r, h, force, torque, Vec3::Zero(), out));
    CHECK(out.parts > 1);
    ref::RigidBody b = copy(body, r);
    Vec3 rate = Vec3::Zero();
    for (int k = 0; k < out.parts; ++k) {
      const double part = h / out.parts;
      const ref::RigidStep s = ref::step_rigid(b, part, Vec3::Zero(), part * force, part * torque);
      take(b, s);
      rate += s.mean_rate / out.parts;
    }
    state.take(difference(body, out.after, b), seed);
    mean.take((out.mean_spin - rate).norm() / rate.norm(), seed);
  }
  CHECK(state < 1e-11);
  CHECK(mean < 1e-12);
}

TEST_CASE("Impulses change energy by their work, P and L by themselves, up to 500 rad/s", "[rigid][midpoint]") {
  Worst energy, momentum, length;
  int most_parts = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    const double h = seed % 2 ? 1.0 / 60 : 1.0 / 240, speed = std::pow(10, dice.uniform(0, 2.7));
    // From plates to rods of 1 : 20.
    const RigidInertia body = box(dice, Vec3(0.5, dice.uniform(0.025, 0.5), dice.uniform(0.025, 0.5)));
    RigidValues r = moving(dice, body, speed * dice.vector().normalized());
    for (int k = 0; k < 20; ++k) {
      const Vec3 g = 9 * dice.vector(), impulse = 0.3 * body.smallest * speed * dice.vector(),
                 arm = 0.3 * dice.vector();
      RigidMidpoint out;
      REQUIRE(rigid_midpoint(body, r, h, impulse / h, arm.cross(impulse) / h, g, out));
      most_parts = std::max(most_parts, out.parts);
      const double e0 = kinetic(body, r), e1 = kinetic(body, out.after);
      const double fall = body.mass * g.dot(out.after.pose.position - r.pose.position);
      const double work = impulse.dot(out.mean_velocity + out.mean_spin.cross(arm));
      energy.take(std::abs(e1 - e0 - fall - work) / (e0 + e1 + std::abs(fall) + std::abs(work)), seed);
      const Vec3 p = out.mean_centre + arm;
      const auto about_origin = [](const RigidValues& v) {
        return Vec3(v.pose.position.cross(v.momentum) + v.angular_momentum);
      };
      const Vec3 given = p.cross(impulse) + h * out.mean_centre.cross(body.mass * g);
      momentum.take((about_origin(out.after) - about_origin(r) - given).norm() /
                        (about_origin(r).norm() + given.norm() + r.angular_momentum.norm()),
                    seed);
      length.take(std::abs(out.after.pose.rotation.norm() - 1), seed);
      r = out.after;
    }
  }
  CAPTURE(most_parts);
  CHECK(most_parts > 20);
  CHECK(energy < 1e-13);
  CHECK(momentum < 1e-14);
  CHECK(length < 1e-15);
}

TEST_CASE("Repeating W diverges where Newton's method does not", "[rigid][midpoint]") {
  int fixed_point = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Dice dice(seed);
    const double h = 1.0 / 60;
    const RigidInertia body = box(dice, Vec3(0.5, dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.5)));
    const RigidValues r = moving(dice, body, 3 / h * dice.vector().normalized());  // h|W| = 3
    RigidMidpoint out;
    REQUIRE(rigid_midpoint(body, r, h, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), out, kWhole));
    CHECK(out.parts == 1);
    CHECK(out.passes <= 10);
    CHECK(std::abs(kinetic(body, out.after) / kinetic(body, r) - 1) < 1e-12);
    fixed_point += ref::step_rigid(copy(body, r), h, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()).passes == 200;
  }
  CHECK(fixed_point > 20);
}

TEST_CASE("The derivative of the turn's equation is that of finite differences", "[rigid][midpoint]") {
  Worst off;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Dice dice(seed);
    MidpointTurn turn;
    turn.inertia = box(dice, Vec3(0.5, 0.2, 0.1)).inertia;
    turn.arm = dice.vector();
    turn.h = 0.1;
    turn.before = dice.vector();
    turn.twist = dice.vector();
    turn.push = dice.vector();
    const Vec3 axis = dice.vector().normalized();
    if (seed % 3 == 0) turn.possible = axis * axis.transpose();
    const Vec3 mean = turn.possible * (5 * dice.vector());
    const Mat3 exact = turn.derivative(mean) * turn.possible;
    Mat3 found;
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = 1e-5 * (turn.possible * Vec3::Unit(k));
      found.col(k) = (turn.residual(mean + d) - turn.residual(mean - d)) / 2e-5;
    }
    off.take((found - exact).norm() / exact.norm(), seed);
  }
  CHECK(off < 1e-9);
}

TEST_CASE("In one part a point of the body moves by h times the velocity that impulses meet", "[rigid][midpoint]") {
  Worst off;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Dice dice(seed);
    const double h = 1.0 / 60;
    const RigidInertia body = box(dice, Vec3(0.5, 0.2, 0.1));
    const RigidValues r = moving(dice, body, 30 * dice.vector());
    const Vec3 point = dice.vector();
    RigidMidpoint out;
    REQUIRE(rigid_midpoint(body, r, h, dice.vector(), dice.vector(), Vec3::Zero(), out, kWhole));
    const Vec3 from = r.pose * point, to = out.after.pose * point, p = 0.5 * (from + to);
    off.take((to - from - h * (out.mean_velocity + out.mean_spin.cross(p - out.mean_centre))).norm(), seed);
  }
  CHECK(off < 1e-14);
}

namespace {

/// Attitude after `seconds` in so many steps, one part each unless they need more.
Quat spun(const RigidInertia& body, RigidValues r, double seconds, int steps, const Vec3& torque) {
  RigidMidpoint out;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(rigid_midpoint(body, r, seconds / steps, Vec3::Zero(), torque, Vec3::Zero(), out, kWhole));
    r = out.after;
  }
  return r.pose.rotation;
}

}  // namespace

TEST_CASE("The turn is of second order", "[rigid][midpoint]") {
  Dice dice(5);
  const RigidInertia body = box(dice, Vec3(0.5, 0.3, 0.1));
  const RigidValues r = moving(dice, body, Vec3(3, -4, 2));
  const Vec3 torque(0.3, 0.2, -0.5);
  const Quat resolved = spun(body, r, 1, 20000, torque);
  const double coarse = spun(body, r, 1, 100, torque).angularDistance(resolved),
               fine = spun(body, r, 1, 200, torque).angularDistance(resolved);
  CHECK(coarse < 0.01);
  CHECK(coarse / fine == Approx(4).epsilon(0.02));
}

TEST_CASE("A plate about its middle axis flips and keeps energy and angular momentum", "[rigid][midpoint]") {
  for (const double speed : {5.0, 50.0, 500.0}) {
    const RigidInertia body(1, Vec3(1, 2, 3).asDiagonal());
    RigidValues r;
    r.angular_momentum = body.inertia * Vec3(0.01 * speed, speed, 0);
    const RigidValues start = r;
    Worst energy;
    int flips = 0;
    bool up = true;
    RigidMidpoint out;
    for (int k = 0; k < 4000; ++k) {
      REQUIRE(rigid_midpoint(body, r, 1.0 / 240, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), out));
      r = out.after;
      energy.take(std::abs(kinetic(body, r) / kinetic(body, start) - 1), static_cast<std::uint64_t>(k));
      const double along = (r.pose.rotation * Vec3::UnitY()).dot(start.angular_momentum.normalized());
      if (up ? along < -0.9 : along > 0.9) up = !up, ++flips;
    }
    CAPTURE(speed);
    CHECK(r.angular_momentum == start.angular_momentum);
    CHECK(energy < 1e-11);
    CHECK(flips >= 3);
  }
}

TEST_CASE("What spins too fast, or is not a number, is said so", "[rigid][midpoint]") {
  const RigidInertia body(1, Vec3(1, 2, 3).asDiagonal());
  RigidValues r;
  RigidMidpoint out;
  r.angular_momentum = Vec3(1e5, 0, 0);
  CHECK_FALSE(rigid_midpoint(body, r, 1.0 / 60, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), out));
  CHECK(rigid_midpoint(body, r, 1.0 / 240, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), out));
  r.angular_momentum.x() = std::nan("");
  CHECK_FALSE(rigid_midpoint(body, r, 1.0 / 240, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), out));
  r.angular_momentum.setZero();
  CHECK_FALSE(rigid_midpoint(body, r, 1.0 / 60, Vec3(1e9, 0, 0), Vec3::Zero(), Vec3::Zero(), out));
}

namespace {

/// A body about a pin, or two.
struct Pinned {
  RigidInertia body;
  PinnedBody pins;
  RigidValues state;

  Pinned(const RigidInertia& of, PinKind kind, const Vec3& pin, const Vec3& axis, const Pose& pose, const Vec3& spin)
      : body(of) {
    PinFrame frame;
    frame.kind = kind;
    frame.origin = pin;
    frame.axis = axis;
    pins = PinnedBody(body, frame, pose);
    double values[kRigidStateSize];
    pins.put(body, pose.rotation, spin, values);
    state = read_rigid(values);
  }
  double energy(const Vec3& g) const { return kinetic(body, state) - body.mass * g.dot(state.pose.position); }
  Vec3 about_pin() const { return state.angular_momentum + (state.pose.position - pins.place).cross(state.momentum); }
  bool step(double h, const Vec3& force, const Vec3& torque, const Vec3& g, RigidMidpoint& out,
            double turn_per_part = kTurnPerMidpoint) {
    if (!pinned_midpoint(body, pins, state, h, force, torque, g, out, turn_per_part)) return false;
    state = out.after;
    return true;
  }
};

}  // namespace

TEST_CASE("About a pin or a line of pins impulses and forces change energy by their work", "[rigid][midpoint][pins]") {
  for (const PinKind kind : {PinKind::point, PinKind::line})
    for (const double turn_per_part : {kTurnPerMidpoint, 1.0}) {
      Worst energy, angular, place;
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Dice dice(seed);
        const double h = seed % 2 ? 1.0 / 60 : 1.0 / 240, speed = std::pow(10, dice.uniform(-1, 2.7));
        const RigidInertia inertia = box(dice, Vec3(0.5, dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.5)));
        const Vec3 pin = 0.5 * dice.vector(), axis = dice.vector().normalized();
        Pinned body(inertia, kind, pin, axis, {dice.vector(), Quat(dice.attitude())},
                    speed * dice.vector().normalized());
        for (int k = 0; k < 20; ++k) {
          const Vec3 g = 9 * dice.vector(), force = 20 * dice.vector(), impulse = 0.1 * speed * dice.vector();
          const Vec3 lever = 0.4 * dice.vector();  // from the pin
          const RigidValues before = body.state;
          const double e0 = body.energy(g);
          const Vec3 l0 = body.about_pin();
          RigidMidpoint out;
          REQUIRE(body.step(h, force, lever.cross(impulse) / h, g, out, turn_per_part));
          const Vec3 way = body.state.pose.position - before.pose.position;
          const double work = impulse.dot(out.mean_spin.cross(lever)) + force.dot(way), e1 = body.energy(g);
          const double scale = kinetic(body.body, before) + kinetic(body.body, body.state) + std::abs(work) +
                               body.body.mass * g.norm() * (before.pose.position.norm() + way.norm());
          energy.take(std::abs(e1 - e0 - work) / scale, seed);
          place.take((body.state.pose * pin - body.pins.place).norm(), seed);
          if (kind == PinKind::point && out.parts == 1) {
            const Vec3 middle = 0.5 * (before.pose.position + body.state.pose.position) - body.pins.place;
            const Vec3 given = lever.cross(impulse) + h * middle.cross(force + body.body.mass * g);
            angular.take((body.about_pin() - l0 - given).norm() / (l0.norm() + given.norm()), seed);
          }
        }
      }
      CAPTURE(static_cast<int>(kind), turn_per_part);
      CHECK(energy < 1e-13);
      CHECK(place < 1e-14);
      CHECK(angular < 1e-13);
    }
}

TEST_CASE("A heavy top keeps its energy and its spin, and goes round as the formula says", "[rigid][midpoint][pins]") {
  // A disc of 1 kg on a pin 0.1 m below, 200 rad/s, upright but for 0.3 rad; started in steady precession.
  const Vec3 g(0, -9.81, 0);
  const double along = 0.02, across = 0.012 + 0.01, spin = 200, lean = 0.3;
  const RigidInertia disc(1, Vec3(0.012, along, 0.012).asDiagonal());
  // across cos Ω² − along w Ω + m g s = 0, w the spin about the disc's axis.
  const double a = across * std::cos(lean), b = along * spin, c = 9.81 * 0.1;
  const double rate = (b - std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const Quat leaning(Eigen::AngleAxisd(lean, Vec3::UnitX()));
  const Vec3 axis = leaning * Vec3::UnitY();
  // ω = Ω y + (w − Ω cos) axis
  Pinned top(disc, PinKind::point, Vec3(0, -0.1, 0), Vec3::UnitX(), {Vec3(0, 0.1, 0), leaning},
             rate * Vec3::UnitY() + (spin - rate * std::cos(lean)) * axis);
  const double e0 = top.energy(g), l0 = top.about_pin().y(), s0 = top.about_pin().dot(axis);
  Worst energy, upright, own, nod;
  RigidMidpoint out;
  const int steps = 240 * 20;
  double turned = 0;
  Vec3 last = axis;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(top.step(1.0 / 240, Vec3::Zero(), Vec3::Zero(), g, out));
    const Vec3 now = top.state.pose.rotation * Vec3::UnitY();
    energy.take(std::abs(top.energy(g) - e0) / e0, static_cast<std::uint64_t>(k));
    upright.take(std::abs(top.about_pin().y() - l0) / l0, static_cast<std::uint64_t>(k));
    own.take(std::abs(top.about_pin().dot(now) - s0) / s0, static_cast<std::uint64_t>(k));
    nod.take(std::abs(std::acos(now.y()) - lean), static_cast<std::uint64_t>(k));
    turned += std::atan2(last.z() * now.x() - last.x() * now.z(), last.x() * now.x() + last.z() * now.z());
    last = now;
  }
  CHECK(energy < 1e-12);
  CHECK(upright < 1e-12);
  CHECK(own < 1e-9);  // not an invariant of the rule
  CHECK(nod < 1e-3);
  CHECK(turned == Approx(20 * rate).epsilon(1e-3));
}

TEST_CASE("A pendulum on a hinge keeps its energy and swings in its time", "[rigid][midpoint][pins]") {
  const Vec3 g(0, -9.81, 0);
  const RigidInertia rod(1, Vec3(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal());
  Pinned swing(rod, PinKind::line, Vec3(-0.5, 0, 0), Vec3::UnitZ(), {Vec3(0.5, 0, 0), Quat::Identity()}, Vec3::Zero());
  const double e0 = swing.energy(g);
  Worst energy;
  RigidMidpoint out;
  std::vector<double> stops;  // s, where it turns round
  double before = 0;
  for (int k = 1; k <= 240 * 20; ++k) {
    REQUIRE(swing.step(1.0 / 240, Vec3::Zero(), Vec3::Zero(), g, out));
    energy.take(std::abs(swing.energy(g) - e0), static_cast<std::uint64_t>(k));
    const double rate = swing.pins.inverse_inertia(swing.state.pose.rotation).col(2).dot(swing.about_pin());
    if (k > 1 && (rate > 0) != (before > 0)) stops.push_back((k - 1 - before / (rate - before) + 1) / 240.0);
    before = rate;
  }
  CHECK(energy < 1e-11);  // of 4.9 J
  // From level: T = 4 K(½) √(2 l/3g) with K(½) = 1.8540746773.
  const double period = 4 * 1.8540746773 * std::sqrt(2.0 / (3 * 9.81));
  const double measured = 2 * (stops.back() - stops.front()) / static_cast<double>(stops.size() - 1);
  CHECK(measured == Approx(period).epsilon(2e-4));
}

TEST_CASE("A wheel on an axle through its centre that hardly turns is followed", "[rigid][midpoint][pins]") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    const RigidInertia wheel = box(dice, Vec3(0.5, dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.5)));
    const Vec3 axis = dice.vector().normalized();
    const double rate = std::pow(10, dice.uniform(-15, -3));
    const Quat attitude(dice.attitude());
    Pinned body(wheel, PinKind::line, dice.uniform(-1, 1) * axis, axis, {dice.vector(), attitude},
                rate * (attitude * axis));
    const double turn = axis.dot(wheel.inertia * axis);
    RigidMidpoint out;
    for (int k = 0; k < 60; ++k) REQUIRE(body.step(1.0 / 60, Vec3::Zero(), Vec3::Zero(), Vec3(0, -9.81, 0), out));
    // Gravity has no moment about it, but for rounding.
    const double now = body.about_pin().dot(body.state.pose.rotation * axis) / turn;
    CHECK(std::abs(now - rate) < 1e-9 * rate + 1e-13 * body.body.mass * 9.81 / turn);
  }
}

}  // namespace rigid_midpoint_test
