// A rod of twelve masses falls on a wall with its light tip first (contact.md, B3), beside the same masses and springs at steps that
// resolve the tip's own bounce against a hard spring.
#include <array>
#include <cmath>

#include "core/geometry/truss/strung.h"
#include "tests/support/run.h"

namespace rod_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kNodes = 12;
constexpr double kTip = 1.0 / 75, kSpeed = 2, kLength = 0.1;  // kg beside masses of 1 kg, m/s, m

struct Hit {
  double impulse = 0;  ///< N s
  double peak = 0;     ///< N, mean of a window of h
  double length = 0;   ///< s, from the first touch to the last
  double gain = 0;     ///< of the energy
};

/// Velocity Verlet, the wall a spring a thousand times as hard as the rod's.
Hit resolved(double stiffness, double h) {
  std::array<double, kNodes> x, v, f, mass;
  for (int i = 0; i < kNodes; ++i) x[i] = kLength * i, v[i] = -kSpeed, mass[i] = i ? 1 : kTip;
  const double wall = 1e3 * stiffness, dt = 0.02 * std::sqrt(kTip / wall);
  const auto push = [&] {
    f.fill(0);
    for (int i = 0; i + 1 < kNodes; ++i) {
      const double tension = stiffness * (x[i + 1] - x[i] - kLength);
      f[i] += tension;
      f[i + 1] -= tension;
    }
    const double by_wall = std::max(0.0, -wall * x[0]);
    f[0] += by_wall;
    return by_wall;
  };
  Hit hit;
  double window = 0, until = h;
  const double alone = 4 * kNodes / std::sqrt(stiffness);  // s: so long it may be off the wall in between
  push();
  for (double t = dt; t < hit.length + alone; t += dt) {
    for (int i = 0; i < kNodes; ++i) v[i] += 0.5 * dt * f[i] / mass[i], x[i] += dt * v[i];
    const double force = push();
    for (int i = 0; i < kNodes; ++i) v[i] += 0.5 * dt * f[i] / mass[i];
    hit.impulse += force * dt;
    window += force * dt;
    if (force > 0) hit.length = t;
    if (t < until) continue;
    hit.peak = std::max(hit.peak, window / h);
    window = 0;
    until += h;
  }
  return hit;
}

Hit simulated(double stiffness, int substeps) {
  World w;
  w.scene.settings.substeps = substeps;
  w.scene.settings.gravity.setZero();
  w.floor(0, 1);
  StrungTruss truss;
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    truss.nodes.push_back({Vec3(0, kLength * i, 0), i ? 1 : kTip, false});
    if (i > 0) truss.springs.push_back({i - 1, i, 1, 1, 1});
  }
  Object o = make_object(0, "rod", {}, Vec3(0, 1e-6, 0), BodyKind::flexible);
  o.display.kind = DisplayKind::none;
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(truss);
  o.body.mass = kNodes - 1 + kTip;
  o.body.stiffness_source = StiffnessSource::given;
  o.body.stiffness = stiffness;
  o.body.damping = 0;
  o.material.substance.restitution = 1;
  o.body.velocity = Vec3(0, -kSpeed, 0);
  const Id id = w.add(o);
  Run run(w);
  const double h = run.model->step, energy = run.energy();
  Hit hit;
  double before = run.at(id).momentum.y();
  for (int n = 1; n * h < 1; ++n) {
    run.steps(1);
    const double now = run.at(id).momentum.y(), given = now - before;
    before = now;
    hit.impulse += given;
    hit.peak = std::max(hit.peak, given / h);
    if (given > 1e-9) hit.length = n * h;
    hit.gain = std::max(hit.gain, run.energy() / energy - 1);
  }
  return hit;
}

}  // namespace

TEST_CASE("The tip of a rod meets a wall as steps that resolve it say", "[contact][rod]") {
  struct Case {
    double stiffness;
    int substeps;          // of 60 Hz
    double impulse, peak;  // how far off
  };
  // Of what is in contact for six sub-steps only (1e6 at 240 Hz) 5.9 % of the impulse and 15 % of the peak are missed.
  for (const Case& c : {Case{1e3, 4, 0.03, 0.15},
                        {1e4, 4, 0.03, 0.10},  // −0.1 %, +11 %; −0.3 %, +4.8 %
                        {1e5, 4, 0.03, 0.08},
                        {1e5, 16, 0.01, 0.02},  // −1.8 %, +5.4 %; −0.2 %, +0.7 %
                        {1e6, 16, 0.03, 0.08},
                        {1e6, 64, 0.01, 0.02}}) {  // −1.1 %, +5.3 %; −0.2 %, +0.3 %
    const Hit hit = simulated(c.stiffness, c.substeps), ideal = resolved(c.stiffness, 1.0 / 60 / c.substeps);
    CAPTURE(c.stiffness, c.substeps, hit.impulse / ideal.impulse, hit.peak / ideal.peak, hit.length, ideal.length);
    CHECK(std::abs(hit.impulse / ideal.impulse - 1) < c.impulse);
    CHECK(hit.peak / ideal.peak > 0.95);
    CHECK(hit.peak / ideal.peak < 1 + c.peak);
    CHECK(std::abs(hit.length - ideal.length) < 0.02 * ideal.length + 2.0 / 60 / c.substeps);
    CHECK(hit.gain < 1e-12);
  }
}

}  // namespace rod_test
