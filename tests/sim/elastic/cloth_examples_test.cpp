// Example poses of sheets (spec 5.2, "examples work on cloth too"): a cloth that is taught a fold, a roll or pleats goes into it when it
// is pushed a little that way, and hardly without.
#include <catch2/catch.hpp>

#include "core/geometry/truss/cloth_mesh.h"
#include "core/math/rotation.h"
#include "core/scene/derived/pose_faults.h"
#include "core/scene/derived/poses.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/run.h"
#include "tests/support/sheet_shapes.h"

namespace cloth_examples_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using elastic_test::Body;

namespace {

Truss grid_cloth(double k) {
  Truss truss = make_truss(
      {.shape = TrussShape::cloth, .divisions = {12, 1, 8}, .size = Vec3(1.2, 1, 0.8), .shear = 0.3, .bending = 1e-4});
  for (double& m : truss.masses) m *= 0.3;
  for (Spring& s : truss.springs) {
    s.damping = 1e-3 * k * s.damping;
    s.stiffness *= k;
  }
  return truss;
}

Truss mesh_cloth(double k) {
  test::SheetDraw in{std::mt19937_64(4)};
  const auto made = cloth_of_mesh(test::irregular_sheet(1.2, 0.8, 30, 20, 0.3, in), {.nodes = 130});
  REQUIRE(made.ok());
  Truss truss = to_truss(*made);
  for (double& m : truss.masses) m *= 0.3;
  for (Spring& s : truss.springs) {
    s.damping *= 1e-3 * k;
    s.stiffness *= k;
  }
  return truss;
}

/// Along x with the curvature κ(x), 1/m; the middle stays.
std::vector<Vec3> curled(const Truss& truss, auto curvature) {
  std::vector<Vec3> x;
  for (const Vec3& n : truss.nodes) {
    Vec3 at(0, 0, n.z());
    double angle = 0;
    const int steps = 200;
    const double ds = n.x() / steps;
    for (int k = 0; k < steps; ++k) {
      angle += ds * curvature((k + 0.5) * ds);
      at += ds * Vec3(std::cos(angle), std::sin(angle), 0);
    }
    x.push_back(at);
  }
  return x;
}

std::vector<Vec3> folded(const Truss& t) {  // by a right angle within 0.2 m
  return curled(t, [](double s) { return std::abs(s) < 0.1 ? 0.5 * kPi / 0.2 : 0.0; });
}
std::vector<Vec3> rolled_up(const Truss& t) {
  return curled(t, [](double) { return 2.5; });
}
std::vector<Vec3> pleated(const Truss& t) {
  return curled(t, [](double s) { return 6 * std::cos(2 * kPi * s / 0.6); });
}

Body make(const Truss& truss, const std::vector<std::vector<Vec3>>& examples) {
  ElasticSetup setup = setup_of(truss, 1.0 / 480);
  std::uint32_t id = 0;
  for (const auto& nodes : examples) setup.examples.push_back({++id, nodes});
  auto made = find_elastic_solver("shape_matching")->make(setup);
  REQUIRE(made.ok());
  Body b(std::move(made).value());
  b.start(Vec3::Zero(), Vec3::Zero());
  return b;
}

/// m, in the mean: off the shape, wherever that is turned.
double off(const std::vector<Vec3>& x, const std::vector<double>& masses, const std::vector<Vec3>& shape) {
  double all = 0, sum = 0;
  Vec3 c = Vec3::Zero(), d = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) {
    all += masses[i];
    c += masses[i] * x[i];
    d += masses[i] * shape[i];
  }
  c /= all, d /= all;
  Mat3 fit = Mat3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) fit += masses[i] * (x[i] - c) * (shape[i] - d).transpose();
  const Mat3 turn = polar_rotation(fit, Quat::Identity()).toRotationMatrix();
  for (std::size_t i = 0; i < x.size(); ++i) sum += masses[i] / all * (x[i] - c - turn * (shape[i] - d)).squaredNorm();
  return std::sqrt(sum);
}

struct Seen {
  double begun = 0, nearest = 0;              // m, off the shape
  std::array<double, 3> weights = {0, 0, 0};  // greatest
};

/// Half a second after each node was given 8/s of the way to `shape`.
Seen pushed(const Truss& truss, const std::vector<std::vector<Vec3>>& examples, const std::vector<Vec3>& shape) {
  Body b = make(truss, examples);
  Vec3 mean = Vec3::Zero();
  double all = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    mean += truss.masses[i] * (shape[i] - truss.nodes[i]);
    all += truss.masses[i];
  }
  std::vector<NodeImpulse> push;
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    push.push_back({i, truss.masses[i] * 8 * (shape[i] - truss.nodes[i] - mean / all)});
  b.solver->apply_impulses(b.state, push);
  Seen seen;
  seen.begun = seen.nearest = off(b.positions(), truss.masses, shape);
  for (int n = 0; n < 240; ++n) {
    REQUIRE(b.step());
    seen.nearest = std::min(seen.nearest, off(b.positions(), truss.masses, shape));
    std::vector<ExampleShare> shares;
    b.solver->examples(b.state, shares);
    for (std::size_t e = 0; e < shares.size(); ++e) seen.weights[e] = std::max(seen.weights[e], shares[e].weight);
  }
  return seen;
}

}  // namespace

TEST_CASE("A cloth goes into the fold, the roll or the pleats that it was taught and is pushed towards",
          "[cloth][examples]") {
  for (const bool of_mesh : {false, true})
    for (const double k : {50.0, 400.0, 1e4}) {
      const Truss truss = of_mesh ? mesh_cloth(k) : grid_cloth(k);
      const std::vector<std::vector<Vec3>> shapes = {folded(truss), rolled_up(truss), pleated(truss)};
      for (std::size_t which = 0; which < 3; ++which) {
        Seen plain = pushed(truss, {}, shapes[which]), taught = pushed(truss, shapes, shapes[which]);
        CAPTURE(of_mesh, k, which, plain.begun, plain.nearest, taught.nearest, taught.weights[which]);
        CHECK(plain.nearest > 0.1 * plain.begun);
        CHECK(taught.nearest < 0.12 * taught.begun);   // 0.7 to 10 %
        CHECK(taught.nearest < 0.75 * plain.nearest);  // 0.67 of the softest that is rolled, 0.02 to 0.3 of others
        CHECK(taught.weights[which] > 0.8);            // 0.87 to 1
      }
    }
}

TEST_CASE("A cloth that was taught a fold lands nearer to it than one that was not", "[cloth][examples][contact]") {
  using namespace hazumi::test;
  const auto drop = [](bool taught) {
    World w;
    w.scene.settings.substeps = 8;
    Object bar = World::box(Vec3(0.12, 0.12, 1.4), Vec3(0, 0.6, 0));
    bar.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 4, Vec3::UnitZ()));
    bar.body.kind = BodyKind::fixed;
    bar.material.substance.restitution = 0;
    w.add(bar);
    Object o = World::box(Vec3(1.2, 1, 0.8), Vec3(0, 0.75, 0), 0.3);
    o.display.primitive = {PrimitiveShape::plane, Vec3(1.2, 1, 0.8), {12, 1, 8}};
    o.body.kind = BodyKind::flexible;
    o.body.solver = "shape_matching";
    o.body.stiffness = 1e4;
    o.body.damping = 10;
    o.body.velocity = Vec3(0, -2.5, 0);
    o.material.substance.restitution = 0;
    o.analysis.kind = AnalysisKind::cloth;
    o.analysis.divisions = {12, 1, 8};
    o.analysis.size = Vec3(1.2, 1, 0.8);
    const Truss truss = analysis_truss(o.analysis);
    const auto teach = [&](const std::vector<Vec3>& shape, const char* name) {
      AnalysisPose pose;
      pose.name = name;
      for (std::size_t i = 0; i < shape.size(); ++i) pose.nodes.push_back({shape[i] - truss.nodes[i]});
      add_pose(o.analysis, std::move(pose));
    };
    std::vector<Vec3> fold = folded(truss);
    for (Vec3& x : fold) x.y() = -x.y();  // its ends hang
    if (taught) {
      teach(fold, "Fold");
      teach(pleated(truss), "Pleats");
    }
    const Id id = w.add(o);
    CHECK(pose_faults(w.scene).empty());
    Run run(w);
    const std::size_t at = run.index(id);
    const std::vector<double>& masses = run.model->bodies[at].truss.masses;
    Seen seen;
    std::vector<Vec3> x(truss.nodes.size());
    for (int n = 0; n < static_cast<int>(0.4 / run.model->step); ++n) {
      run.steps(1);
      run.model->bodies[at].positions(run.state.bodies[at].values, x);
      const double now = off(x, masses, fold);
      if (n == 0) seen.begun = seen.nearest = now;
      seen.nearest = std::min(seen.nearest, now);
      std::vector<ExampleShare> all;
      run.model->bodies[at].examples(run.state.bodies[at].values, all);
      for (std::size_t e = 0; e < all.size(); ++e) seen.weights[e] = std::max(seen.weights[e], all[e].weight);
    }
    return seen;
  };
  const Seen plain = drop(false), taught = drop(true);
  CAPTURE(plain.begun, plain.nearest, taught.nearest, taught.weights[0], taught.weights[1]);
  CHECK(taught.nearest < 0.6 * plain.nearest);  // 9.6 mm for 20
  CHECK(taught.weights[0] > 0.7);
  CHECK(taught.weights[0] > 2 * taught.weights[1]);
}

}  // namespace cloth_examples_test
