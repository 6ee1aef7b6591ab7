// The thesis's sine pulse: its impulse, peak and time as the steps deliver them, and that it is a part of the state like any other.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/run.h"

namespace pulse_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// What the steps of a collision did.
struct Seen {
  double impulse = 0, peak = 0, time = 0, deepest = 0, duration = 0;
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  ContactEvent event;
};

Object flying(Object o, const Vec3& velocity, double young) {
  o.body.velocity = velocity;
  o.body.gravity = false;
  o.material.substance.young = young;
  return o;
}

/// The first collision, along its normal.
Seen watch(World w, Id id, double seconds) {
  w.scene.settings.impacts = Impacts::sine_pulse;
  Run run(w);
  Seen seen;
  const double h = run.model->step, start = run.energy();
  for (int k = 0; k < static_cast<int>(seconds / h); ++k) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    double force = 0;
    for (const ContactTouch& touch : report.touches) force += touch.force;
    seen.impulse += force * h;
    seen.peak = std::max(seen.peak, force);
    if (force > 1e-4 * seen.peak) seen.time += h;
    for (const PairMemory& pair : run.state.pairs)
      for (const PulseMemory& pulse : pair.pulses) {
        seen.deepest = std::max(seen.deepest, pulse.depth);
        seen.duration = pulse.duration;
      }
    CHECK(run.energy() < start * (1 + 1e-12));
  }
  REQUIRE(run.events.size() == 1);
  seen.event = run.events.front();
  seen.velocity = run.velocity(id);
  return seen;
}

World fine_world(double young) {
  World w;
  w.scene.settings.frame_rate = 1000;
  w.scene.settings.substeps = 64;
  w.floor(0.0, 0.6, young);
  return w;
}

}  // namespace

TEST_CASE("a pulse gives (1 + e) v0/n1 at 1, 4 and 16 sub-steps and any phase", "[contact][pulse]") {
  for (const double young : {1e5, 1e6, 1e7})
    for (const double e : {0.0, 0.5, 1.0})
      for (const int substeps : {1, 4, 16})
        for (int phase = 0; phase < 5; ++phase) {
          World w;
          w.scene.settings.substeps = substeps;
          w.floor(0.0, e, young);
          Object o = flying(World::sphere(0.5, Vec3(0, 0.6 + 0.011 * phase, 0), 2), Vec3(0, -3, 0), young);
          o.material.substance.restitution = e;
          const Id ball = w.add(o);
          const Seen seen = watch(w, ball, 0.5);
          INFO(young << " Pa, e " << e << ", " << substeps << " sub-steps, phase " << phase);
          CHECK(std::abs(seen.velocity.y() - 3 * e) < 1e-8);
          CHECK(seen.velocity.head<1>().norm() < 1e-9);
          if (!(seen.deepest > 0)) continue;  // over within a sub-step
          CHECK(seen.impulse == Approx((1 + e) * 3 * 2).epsilon(1e-8));
          CHECK(seen.event.measured);
          CHECK(std::abs(seen.time - seen.duration) < 2.1 / (60.0 * substeps));
        }
}

TEST_CASE("the ratios of the sine pulse, as forces and times of a run", "[contact][pulse]") {
  const auto by_young = [](double young) {
    World w = fine_world(1e8);
    const Id ball = w.add(flying(World::sphere(0.5, Vec3(0, 0.51, 0)), Vec3(0, -3, 0), young));
    return watch(w, ball, 0.03);
  };
  const Seen soft = by_young(1e6), hard = by_young(1e8);
  CHECK(hard.peak / soft.peak == Approx(4.80).epsilon(2e-3));
  CHECK(hard.time / soft.time == Approx(0.208).epsilon(2e-2));
  CHECK(soft.peak == Approx(soft.event.pulse_peak).epsilon(1e-3));
  const auto by_radius = [](double radius) {
    World w = fine_world(1e9);
    const Id ball =
        w.add(flying(World::sphere(radius, Vec3(0, radius + 0.01, 0), 500 * std::pow(radius, 3)), Vec3(0, -3, 0), 1e7));
    return watch(w, ball, 0.03);
  };
  const Seen small = by_radius(0.25), large = by_radius(0.5);
  CHECK(large.peak / small.peak == Approx(4).epsilon(2e-3));
  CHECK(large.time / small.time == Approx(2).epsilon(2e-2));
  const auto by_mass = [](double mass, double young) {
    World w;
    w.scene.settings = fine_world(1).scene.settings;
    w.add(flying(World::box(Vec3(2, 0.4, 2), Vec3(0, 0, 0), 1), Vec3::Zero(), 1e6));
    const Id ball = w.add(flying(World::sphere(0.5, Vec3(0, 0.71, 0), mass), Vec3(0, -3, 0), young));
    return watch(w, ball, 0.05);
  };
  const Seen light = by_mass(1, 1e6), heavy = by_mass(10, 1e7);
  CHECK(heavy.peak / light.peak == Approx(1.818).epsilon(2e-3));
  CHECK(heavy.time / light.time == Approx(1).epsilon(2e-2));
}

TEST_CASE("a pulse shorter than a sub-step is a collision at once, bit by bit", "[contact][pulse]") {
  World w;
  w.floor(0.4, 0.6, 2e11);
  for (int k = 0; k < 3; ++k) {
    Object o =
        k == 1 ? World::box(Vec3(0.4, 0.3, 0.5), Vec3(0.1 * k, 1, 0)) : World::sphere(0.2, Vec3(0.1, 1.6 + k, 0));
    o.material.substance.young = 2e11;
    o.transform.rotation = Quat(0.9, 0.2, 0.1, 0.3).normalized();
    w.add(o);
  }
  Run once(w);
  w.scene.settings.impacts = Impacts::sine_pulse;
  Run pulses(w);
  for (int k = 0; k < 400; ++k) {
    once.step();
    pulses.step();
    REQUIRE(hash(once.state) == hash(pulses.state));
  }
  CHECK(!once.events.empty());
}

TEST_CASE("a flat box under one pulse bounces no harder than a ball and does not turn", "[contact][pulse]") {
  World w;
  w.floor(0.5, 0.6, 1e6);
  Object o = flying(World::box(Vec3(1, 0.6, 1), Vec3(0, 0.5, 0), 2), Vec3(0, -3, 0), 1e6);
  o.material.substance.restitution = 0.6;
  const Id box = w.add(o);
  const Seen seen = watch(w, box, 0.4);
  CHECK(seen.deepest > 0);
  CHECK(seen.impulse == Approx(1.6 * 3 * 2).epsilon(1e-8));
  CHECK(seen.velocity.y() == Approx(1.8).epsilon(1e-8));
}

TEST_CASE("a soft ball falls, bounces to e^2 of its height and comes to rest on the floor", "[contact][pulse]") {
  for (const double e : {0.0, 0.5, 0.9})
    for (const int substeps : {1, 4, 16}) {
      World w;
      w.scene.settings.substeps = substeps;
      w.scene.settings.impacts = Impacts::sine_pulse;
      w.floor(0.5, e, 3e5);
      Object o = World::sphere(0.3, Vec3(0, 1.3, 0));
      o.material.substance.restitution = e;
      o.material.substance.young = 3e5;
      const Id ball = w.add(o);
      Run run(w);
      const double start = run.energy();
      double highest = 0, lowest = 1, depth = 0;
      bool down = false;
      for (int k = 0; k < 20 * 60 * substeps; ++k) {
        run.step();
        for (const PairMemory& pair : run.state.pairs)
          for (const PulseMemory& pulse : pair.pulses) depth = std::max(depth, pulse.depth);
        const double y = run.at(ball).centre.y();
        lowest = std::min(lowest, y);
        if (down && run.events.size() == 1) highest = std::max(highest, y);
        down = down || (!run.events.empty() && run.velocity(ball).y() > 0);
        if (k % 16 == 0) REQUIRE(run.energy() < start * (1 + 1e-12));
      }
      INFO("e " << e << ", " << substeps << " sub-steps: up to " << highest << ", down to " << lowest);
      if (depth > 0) CHECK(lowest < 0.29);
      CHECK(lowest > 0.3 - 0.06);
      CHECK((depth > 0 || substeps == 1));
      // It has e v0 when the pulse is over, with some of the squash still to come out of.
      if (e > 0) CHECK(highest - 0.3 < e * e * (1 + 1e-3));
      if (e > 0) CHECK(highest - 0.3 > e * e - (1 - e) * depth - 1.5e-2);
      CHECK(run.velocity(ball).norm() < 1e-4);
      CHECK(run.at(ball).centre.y() == Approx(0.3).margin(1e-3));
    }
}

TEST_CASE("a pulse is a part of the state: threads, and going on from bytes", "[contact][pulse]") {
  World w;
  w.scene.settings.impacts = Impacts::sine_pulse;
  w.floor(0.4, 0.7, 1e6);
  for (int k = 0; k < 6; ++k) {
    const Vec3 at(0.5 * (k % 3), 0.7 + 0.8 * (k / 3), 0.1 * k);
    Object o = k % 2 ? World::box(Vec3(0.4, 0.4, 0.4), at) : World::sphere(0.2, at);
    if (k == 5) o = World::jelly(0.3, at, 2000);
    o.material.substance.young = 1e5;
    o.transform.rotation = Quat(0.9, 0.2, 0.1, 0.3).normalized();
    w.add(o);
  }
  Run one(w), many(w, 3), later(w);
  int running = 0;
  for (int k = 0; k < 500; ++k) {
    one.step();
    many.step();
    REQUIRE(hash(one.state) == hash(many.state));
    bool in_pulse = false;
    for (const PairMemory& pair : one.state.pairs)
      for (const PulseMemory& pulse : pair.pulses) in_pulse = in_pulse || pulse.runs();
    if (!in_pulse) continue;
    ++running;
    if (running % 10 != 1) continue;
    REQUIRE(restore(save(one.state), later.state).ok());
    Run went_on(w);
    went_on.state = one.state;
    for (int i = 0; i < 5; ++i) {
      later.step();
      went_on.step();
    }
    CHECK(hash(later.state) == hash(went_on.state));
  }
  CHECK(running > 30);
}

}  // namespace pulse_test
