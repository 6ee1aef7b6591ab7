// One body's step over threads (ElasticWorkspace::executor), and steps of many cells that are solved as far as is seen (cell_step.h, eased).
#include <catch2/catch.hpp>

#include "core/motion/compile.h"
#include "core/sim/step.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/world.h"

namespace divided_test {

using namespace hazumi;
using namespace hazumi::elastic_test;
using hazumi::elastic_test::Body;

namespace {

/// More than 1,024 nodes, from which steps are eased and factors have branches.
const Truss& large() {
  static const Truss truss =
      make_truss({.shape = TrussShape::box_grid, .divisions = {10, 10, 10}, .size = Vec3::Constant(1)});
  return truss;
}

ElasticSetup setup(double stiffness, double damping) {
  Truss truss = large();
  for (double& m : truss.masses) m *= 1.331;
  for (Spring& s : truss.springs) s.stiffness *= stiffness, s.damping *= damping;
  return setup_of(truss);
}

Body make(const char* solver, const ElasticSetup& of) {
  Body body(std::move(find_elastic_solver(solver)->make(of)).value());
  body.start(Vec3(1, 0, 0), Vec3(2, 1, 3));
  body.solver->apply_impulses(body.state, kicks(of.nodes.size(), 2e-4));
  return body;
}

}  // namespace

TEST_CASE("A large body's step has the same bits on any number of threads", "[elastic][threads]") {
  for (const char* const solver : {"shape_matching", "polyhedral", "fem"}) {
    CAPTURE(solver);
    std::vector<double> alone;
    Body body = make(solver, setup(800, 0.01));
    const std::vector<double> begun = body.state;
    for (const int threads : {0, 1, 2, 7}) {
      CAPTURE(threads);
      Executor executor(std::max(threads, 1));
      body.workspace = ElasticWorkspace();
      body.workspace.executor = threads > 0 ? &executor : nullptr;
      body.state = begun;
      for (int k = 0; k < 2; ++k) REQUIRE(body.step(Vec3(0, -9.81, 0)));
      if (threads == 0) alone = body.state;
      CHECK(body.state == alone);
    }
    CHECK(alone != begun);
  }
}

TEST_CASE("Steps of many cells, solved as far as is seen, keep momenta and energy and are near the exact ones",
          "[elastic][fem][polyhedral]") {
  for (const char* const solver : {"polyhedral", "fem"}) {
    CAPTURE(solver);
    const ElasticSetup of = setup(800, 0);
    Body body = make(solver, of);
    const Momenta before = momenta(body, of.masses);
    const double energy = body.energy();
    std::vector<double> exact = body.state, found;
    double gained = 0, off = 0;
    int passes = 0, passes_exact = 0;
    for (int k = 0; k < 5; ++k) {
      exact = body.state;
      body.workspace.found = &found;  // one that may be made again is solved to round-off
      found.clear();
      REQUIRE(body.solver->step(exact, body.none, Vec3::Zero(), body.workspace));
      passes_exact += body.workspace.passes;
      body.workspace.found = nullptr;
      std::vector<Vec3> from(body.none), there(body.none);
      body.solver->velocities(exact, there);
      const double was = body.energy();
      REQUIRE(body.step());
      passes += body.workspace.passes;
      body.solver->velocities(body.state, from);
      gained = std::max(gained, std::abs(body.energy() - was));
      double sum = 0, all = 0;
      for (std::size_t i = 0; i < from.size(); ++i) {
        sum += (from[i] - there[i]).squaredNorm();
        all += there[i].squaredNorm();
      }
      off = std::max(off, std::sqrt(sum / all));
    }
    const Momenta after = momenta(body, of.masses);
    CAPTURE(passes, passes_exact, gained / energy, off);
    CHECK(passes < passes_exact);
    CHECK(gained < 1e-12 * energy);
    CHECK(off < 3e-4);
    CHECK((after.linear - before.linear).norm() < 1e-13 * before.scale);
    CHECK((after.angular - before.angular).norm() < 1e-12 * before.angular_scale);
  }
}

TEST_CASE("Nodes that answer each by itself say of A⁻¹ what the blocks do, and of no other solver",
          "[elastic][response]") {
  Truss truss = lattice(3, 0.1, 0.02, 1e3, 0.1);
  truss.pinned = {4, 7};
  for (std::size_t i = 0; i < truss.masses.size(); ++i) truss.masses[i] *= 1 + 0.1 * static_cast<double>(i);
  for (const ElasticSolverInfo* const info : elastic_solvers()) {
    CAPTURE(info->name);
    auto made = info->make(setup_of(truss));
    REQUIRE(made.ok());
    const ElasticSolver& solver = **made;
    const std::vector<std::uint32_t> nodes = {1, 4, 5, 20};
    std::vector<double> own(nodes.size());
    const bool alone = solver.own_answers(nodes, own);
    CHECK(alone == (solver.before() == Before::kicked));
    if (!alone) continue;
    std::vector<Mat3> blocks(16);
    ElasticWorkspace workspace;
    solver.inverse_blocks(nodes, blocks, workspace);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        CHECK(blocks[4 * a + b] == (a == b ? Mat3(own[a] * Mat3::Identity()) : Mat3(Mat3::Zero())));
    CHECK(own[1] == 0);
    CHECK(own[0] == 1 / truss.masses[1]);
  }
}

TEST_CASE("A large soft body on a floor has the same run on any number of threads", "[elastic][contact][threads]") {
  test::World world;
  world.floor(0.5, 0.3);
  Object o = test::World::box(Vec3::Constant(1), Vec3(0, 0.5, 0), 800);
  o.body.kind = BodyKind::flexible;
  o.body.solver = "shape_matching";
  o.body.velocity = Vec3(0.3, -1, 0);
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = Vec3::Constant(1);
  o.analysis.divisions = {9, 9, 9};
  o.contact.shape = ContactShape::nodes;
  world.add(o);
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  REQUIRE(model.ok());
  std::vector<double> alone;
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    Executor executor(threads);
    StepWorkspace workspace;
    State state = initial_state(**model);
    int rows = 0;
    for (int k = 0; k < 6; ++k) {
      const StepReport report = step(**model, state, workspace, executor);
      REQUIRE(report.ok);
      rows = std::max(rows, report.figures.rows);
    }
    CHECK(rows >= 100);
    if (threads == 1) alone = state.bodies[1].values;
    CHECK(state.bodies[1].values == alone);
  }
}

}  // namespace divided_test
