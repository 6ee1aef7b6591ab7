// Pairs of soft bodies thrown at each other at random: no node jumps. In a sub-step a node goes no farther than the greater of its
// speeds at the two ends takes it, and the overlap that is taken out: what was there at the start, or where its speeds alone lead.
//
//   |x⁺ − x⁻| ≤ h max(|u⁻|, |u⁺|) + δ,   |x⁺ − x⁻ − ½ h (u⁻ + u⁺)| ≤ δ       δ: overlap at x⁻ + ½ h (u⁻ + u⁺), swept from x⁻
#include <cmath>

#include "core/sim/contact/narrow.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace pops_test {

using namespace hazumi;
using namespace hazumi::test;
using reference::Worst;

namespace {

constexpr std::uint64_t kFirstSeed = 52000;

struct SoftPair {
  World world;
  Id a, b;
  std::string text;
};

Object soft_thing(reference::Dice& dice, bool damped, std::string& text) {
  const PrimitiveShape shapes[] = {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::torus,
                                   PrimitiveShape::capsule};
  const char* const names[] = {"ball", "box", "torus", "capsule"};
  const int shape = static_cast<int>(dice.uniform(0, 4));
  const Vec3 size(dice.uniform(0.3, 0.7), dice.uniform(0.3, 0.7), dice.uniform(0.3, 0.7));
  Object o =
      World::hard(names[shape], {shapes[shape], size, {12, 6, 2}}, Vec3::Zero(), std::pow(10, dice.uniform(-0.7, 0.7)));
  o.body.kind = BodyKind::flexible;
  o.analysis.kind = dice.uniform() < 0.5 ? AnalysisKind::icosahedron : AnalysisKind::box_grid;
  o.analysis.size = size;
  if (dice.uniform() < 0.3) o.display.kind = DisplayKind::none;  // its nodes collide
  o.body.stiffness = std::pow(10, dice.uniform(2, 6));
  o.body.damping = 0;
  if (damped) o.body.damping = dice.uniform(0, 0.1) * std::sqrt(o.body.stiffness * o.body.mass);
  o.material.substance.restitution = dice.uniform();
  o.material.substance.friction = dice.uniform();
  o.transform.rotation = Quat(dice.attitude()).normalized();
  o.body.spin = 4 * dice.vector();
  char line[120];
  std::snprintf(line, sizeof line, " %s%s %.2g kg k %.1e c %.1e", names[shape],
                o.display.kind == DisplayKind::none ? " of nodes" : "", o.body.mass, o.body.stiffness, o.body.damping);
  text += line;
  return o;
}

SoftPair soft_pair(std::uint64_t seed, bool damped) {
  reference::Dice dice(seed);
  SoftPair pair;
  World& w = pair.world;
  const int substeps[] = {1, 2, 4, 8};
  w.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 4))];
  w.scene.settings.gravity.setZero();
  pair.text = "seed " + std::to_string(seed) + ": " + std::to_string(w.scene.settings.substeps) + " sub-steps,";
  Object a = soft_thing(dice, damped, pair.text), b = soft_thing(dice, damped, pair.text);
  const double speed = std::pow(10, dice.uniform(0, 1));
  const Vec3 from = dice.vector().normalized();
  b.transform.position = 1.3 * from;
  b.body.velocity = speed * (-from + 0.1 * dice.vector()).normalized();
  char line[40];
  std::snprintf(line, sizeof line, ", %.1f m/s", speed);
  pair.text += line;
  pair.a = w.add(a);
  pair.b = w.add(b);
  return pair;
}

struct Nodes {
  std::vector<Vec3> x, v;
};

Nodes nodes_of(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  const std::vector<double>& values = run.state.bodies[body].values;
  Nodes n;
  n.x.resize(b.truss.nodes.size());
  n.v.resize(n.x.size());
  b.positions(values, n.x);
  flexible(b).elastic->velocities(values, n.v);
  return n;
}

/// How deep the two are in each other at the end of a sub-step that leads from one state to the other, m.
double overlap(const Run& run, const State& from, const std::vector<BodyState>& to) {
  std::vector<BodyShape> shapes(2);
  for (std::size_t i = 0; i < 2; ++i) {
    shapes[i].body = &run.model->bodies[i];
    shapes[i].active = true;
    read_shape(run.model->bodies[i], from.bodies[i].values, false, shapes[i]);
    read_shape(run.model->bodies[i], to[i].values, true, shapes[i]);
    finish_shape(shapes[i]);
  }
  std::vector<Contact> contacts;
  ContactSearch().find(shapes, {{0, 1}}, from.rows, contacts);
  double deep = 0;
  for (const Contact& c : contacts) deep = std::max(deep, -c.gap);
  return deep;
}

struct Pops {
  Worst beyond;  ///< m: way of a node less h max(|u⁻|, |u⁺|), less the overlap
  Worst share;   ///< the same, of h max(|u⁻|, |u⁺|)
  Worst jump;    ///< m: from where ½ h (u⁻ + u⁺) leads, less the overlap
  Worst pushed;  ///< m: the same, with the overlap
  int met = 0;
};

void watch(std::uint64_t seed, bool damped, Pops& worst) {
  const SoftPair pair = soft_pair(seed, damped);
  INFO(pair.text);
  Run run(pair.world);
  const double h = run.model->step;
  bool met = false;
  for (int s = 0; s < static_cast<int>(0.8 / h); ++s) {
    const State start = run.state;
    const Nodes before[] = {nodes_of(run, 0), nodes_of(run, 1)};
    run.steps(1);
    met = met || !run.touching.empty();
    std::vector<BodyState> moved = run.state.bodies;  // by the velocities alone
    double jump = 0, beyond = 0, share = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const Nodes now = nodes_of(run, i);
      std::vector<Vec3> back(now.x.size());
      for (std::size_t n = 0; n < now.x.size(); ++n) {
        const Vec3 way = now.x[n] - before[i].x[n];
        back[n] = 0.5 * h * (before[i].v[n] + now.v[n]) - way;
        jump = std::max(jump, back[n].norm());
        const double by_speed = h * std::max(now.v[n].norm(), before[i].v[n].norm());
        beyond = std::max(beyond, way.norm() - by_speed);
        share = std::max(share, (way.norm() - by_speed) / by_speed);
      }
      flexible(run.model->bodies[i]).elastic->displace(moved[i].values, back);
    }
    if (jump < 1e-9) continue;
    const double deep = overlap(run, start, moved);
    worst.jump.take(jump - deep, seed);
    worst.pushed.take(jump, seed);
    worst.beyond.take(beyond - deep, seed);
    if (beyond > deep) worst.share.take(share, seed);
  }
  worst.met += met ? 1 : 0;
}

Pops watch_pairs(bool damped, int count) {
  Pops worst;
  for (int k = 0; k < count; ++k) watch(kFirstSeed + static_cast<std::uint64_t>(k), damped, worst);
  CHECK(worst.met > 0.9 * count);
  return worst;
}

}  // namespace

TEST_CASE("No node of two soft bodies that meet jumps: 200 pairs", "[contact][pops]") {
  const Pops worst = watch_pairs(false, test::rounds(200, 12));
  INFO("beyond " << worst.beyond << ", of h v " << worst.share << ", jump " << worst.jump);
  CHECK(worst.beyond < 1e-3);  // 1.2e-5; of a thousand 7.6e-4
  CHECK(worst.jump < 1e-2);    // 1.4e-3; of a thousand 6.1e-3, where a step is made in parts
  if (!test::sanitized()) CHECK(worst.pushed.value > 5e-3);  // 2.7e-2: there was something to be taken out
}

TEST_CASE("Nor one of damped bodies, but that the velocity floor slows it when it has moved", "[contact][pops][slow]") {
  // The floor (lagrange_calm.cpp) takes vibration out of u⁺ when the positions are there: h |u⁺| is then less than what was gone.
  const Pops worst = watch_pairs(true, test::rounds(200, 12));
  INFO("beyond " << worst.beyond << ", of h v " << worst.share);
  CHECK(worst.beyond < 2e-2);  // 5.7e-3; of a thousand 2.3e-2
  CHECK(worst.share < 1);      // 0.30; of a thousand 0.58
}

}  // namespace pops_test
