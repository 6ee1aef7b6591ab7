// What a cloth costs where many of its places are held: a frame of four sub-steps of one that falls flat on a floor and of one that drapes over
// a table (the mean of the first 40 frames). N × N squares, 1.4 m, 0.4 kg, 400 N/m.
//
// cloth_pinned: 2 × 2 m, N × N nodes, level, let go but for two corners of one side, swings for 100 frames of 1/25 s, as the cloth of
// Blender's in tests/bench/blender_cloth.py (cloth_vs_blender.sh runs both). Counters: the mean of a frame in processor time; the longest
// stretch of a side in any frame and the mean in the last; passes, sweeps and factors of a frame.
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include "core/motion/compile.h"
#include "core/sim/elastic/setup.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr int kSubsteps = 4;

Object cloth(int squares) {
  Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(1.4, 1, 1.4), {squares, 1, squares}}, Vec3::Zero(),
                         BodyKind::flexible);
  o.analysis.kind = AnalysisKind::cloth;
  o.analysis.divisions = {squares, 1, squares};
  o.analysis.size = o.display.primitive.size;
  o.analysis.bending = 2e-4;
  o.body.solver = "springs";
  o.body.mass = 0.4;
  o.body.stiffness = 400;
  o.body.damping = 0.4;
  o.body.drag_linear = 0.8;
  o.contact.self_collision = true;
  o.contact.thickness = 0.005;
  o.material.substance.restitution = 0;
  o.material.substance.friction = 0.4;
  return o;
}

void frames(benchmark::State& bench, World world, int count) {
  world.scene.settings.substeps = kSubsteps;
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  if (!model.ok()) return bench.SkipWithError("cannot be compiled");
  StepWorkspace workspace;
  Executor executor(1);
  for (auto _ : bench) {
    State state = initial_state(**model);
    for (int n = 0; n < count * kSubsteps; ++n)
      if (!step(**model, state, workspace, executor).ok) return bench.SkipWithError("stopped");
  }
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void cloth_flat(benchmark::State& bench) {
  World world;
  world.floor(0.4, 0);
  Object o = cloth(static_cast<int>(bench.range(0)));
  o.transform.position.y() = 0.03;
  world.add(o);
  frames(bench, std::move(world), 10);
}

void cloth_draped(benchmark::State& bench) {
  World world;
  world.floor(0.4, 0);
  Object table = make_object(0, "table", {PrimitiveShape::cylinder, Vec3(0.9, 0.04, 0.9), {32, 1, 1}}, Vec3(0, 0.72, 0),
                             BodyKind::fixed);
  table.material.substance.friction = 0.4;
  world.add(table);
  Object o = cloth(static_cast<int>(bench.range(0)));
  o.transform.position = Vec3(0.03, 0.8, 0.02);
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  world.add(o);
  frames(bench, std::move(world), 40);
}

/// On its edge: it falls over and crumples on itself.
void cloth_crumpled(benchmark::State& bench) {
  World world;
  world.floor(0.4, 0);
  Object o = cloth(static_cast<int>(bench.range(0)));
  o.transform.position.y() = 0.72;
  o.transform.rotation = Quat(Eigen::AngleAxisd(1.5, Vec3::UnitX()));
  world.add(o);
  frames(bench, std::move(world), 60);
}

double told(const char* name, double fallback) {
  const char* const value = std::getenv(name);
  return value ? std::strtod(value, nullptr) : fallback;
}

/// Of a cloth of 2 m pinned at two corners; 0.3 kg/m². HAZUMI_CLOTH_… changes a number.
ElasticSetup pinned_setup(int nodes, double h, std::vector<std::pair<std::uint32_t, std::uint32_t>>& sides) {
  const double k = told("HAZUMI_CLOTH_STIFFNESS", 4e4);
  Truss truss = make_truss({.shape = TrussShape::cloth,
                            .divisions = {nodes - 1, 1, nodes - 1},
                            .size = Vec3(2, 1, 2),
                            .shear = 0.3,
                            .bending = told("HAZUMI_CLOTH_BENDING", 2e-4)});
  for (double& m : truss.masses) m *= 1.2;
  for (Spring& s : truss.springs) {
    s.stiffness *= k;
    s.damping *= told("HAZUMI_CLOTH_DAMPING", 1e-3) * k;
    const Vec3 along = (truss.nodes[s.b] - truss.nodes[s.a]).cwiseAbs();
    if (along.minCoeff() + along.sum() - along.maxCoeff() < 1e-9) sides.emplace_back(s.a, s.b);
  }
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].z() > 1 - 1e-6 && std::abs(truss.nodes[i].x()) > 1 - 1e-6) truss.pinned.push_back(i);
  return setup_of_truss(truss, h);
}

void cloth_pinned(benchmark::State& bench) {
  const int kFrames = int(told("HAZUMI_CLOTH_FRAMES", 100));
  const int nodes = static_cast<int>(bench.range(0)), substeps = static_cast<int>(bench.range(1));
  const double h = 0.04 / substeps, drag = told("HAZUMI_CLOTH_DRAG", 0.5);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;
  const ElasticSetup setup = pinned_setup(nodes, h, sides);
  const auto made = find_elastic_solver("springs")->make(setup);
  if (!made.ok()) return bench.SkipWithError("cannot be made");
  const ElasticSolver& solver = **made;
  const std::size_t n = solver.node_count();
  std::vector<double> state(solver.state_size());
  std::vector<Vec3> x(n), u(n), forces(n);
  double longest = 0, mean = 0, lowest = 0, passes = 0;
  ElasticWorkspace workspace;
  for (auto _ : bench) {
    solver.initialise({}, Vec3::Zero(), Vec3::Zero(), state);
    for (int f = 0; f < kFrames; ++f) {
      for (int s = 0; s < substeps; ++s) {
        solver.velocities(state, u);
        for (std::size_t i = 0; i < n; ++i) forces[i] = -drag * setup.masses[i] * u[i];
        if (!solver.step(state, forces, Vec3(0, -9.80665, 0), workspace)) return bench.SkipWithError("stopped");
        passes += workspace.passes;
      }
      bench.PauseTiming();
      solver.positions(state, x);
      mean = lowest = 0;
      double worst = 0;
      for (const auto& [a, b] : sides) {
        const double stretch = (x[b] - x[a]).norm() / (setup.nodes[b] - setup.nodes[a]).norm() - 1;
        worst = std::max(worst, stretch);
        mean += stretch / static_cast<double>(sides.size());
      }
      longest = std::max(longest, worst);
      for (const Vec3& p : x) lowest = std::min(lowest, p.y());
      if (std::getenv("HAZUMI_CLOTH_TELL"))
        std::printf("%d %.5f %.5f %.4f %g\n", f, worst, mean, lowest, solver.observe(state).kinetic_energy);
      bench.ResumeTiming();
    }
  }
  const double runs = static_cast<double>(bench.iterations()) * kFrames;
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * kFrames, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  bench.counters["stretch_percent"] = 100 * longest;
  bench.counters["mean_percent"] = 100 * mean;
  bench.counters["lowest"] = lowest;
  bench.counters["passes"] = passes / runs;
}

/// The same of Bullet's soft bodies, as stiff as they get by so many sweeps over their links.
void bullet_cloth(benchmark::State& bench) {
  const int nodes = static_cast<int>(bench.range(0)), substeps = static_cast<int>(bench.range(1)),
            frames = std::max(4, static_cast<int>(told("HAZUMI_CLOTH_FRAMES", 100)));
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
  world.setGravity({0, btScalar(-9.80665), 0});
  world.getWorldInfo().m_gravity = world.getGravity();
  world.getWorldInfo().water_density = world.getWorldInfo().air_density = 0;
  btSoftBody* const cloth = btSoftBodyHelpers::CreatePatch(world.getWorldInfo(), {-1, 0, 1}, {1, 0, 1}, {-1, 0, -1},
                                                           {1, 0, -1}, nodes, nodes, 1 + 2, true);
  cloth->m_materials[0]->m_kLST = 1;
  cloth->m_cfg.piterations = static_cast<int>(bench.range(2));
  cloth->m_cfg.collisions = 0;
  cloth->setTotalMass(btScalar(1.2));
  world.addSoftBody(cloth);
  double longest = 0, lowest = 0;
  for (auto _ : bench)
    for (int f = 0; f < frames; ++f) {
      for (int s = 0; s < substeps; ++s) world.stepSimulation(btScalar(0.04 / substeps), 0);
      bench.PauseTiming();
      for (int i = 0; i < cloth->m_links.size(); ++i) {
        const btSoftBody::Link& link = cloth->m_links[i];
        const double rest = static_cast<double>(link.m_rl), side = 2.0 / (nodes - 1);
        if (rest < 1.1 * side)
          longest = std::max(longest, static_cast<double>((link.m_n[0]->m_x - link.m_n[1]->m_x).length()) / rest - 1);
      }
      for (int i = 0; i < cloth->m_nodes.size(); ++i)
        lowest = std::min(lowest, static_cast<double>(cloth->m_nodes[i].m_x.y()));
      bench.ResumeTiming();
    }
  world.removeSoftBody(cloth);
  delete cloth;
  bench.counters["frame_ms"] =
      benchmark::Counter(1e-3 * frames, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  bench.counters["stretch_percent"] = 100 * longest;
  bench.counters["lowest"] = lowest;
}

BENCHMARK(cloth_flat)->Arg(12)->Arg(20)->Arg(40)->ArgName("squares")->Unit(benchmark::kMillisecond);
BENCHMARK(cloth_draped)->Arg(12)->Arg(20)->Arg(30)->Arg(40)->ArgName("squares")->Unit(benchmark::kMillisecond);
BENCHMARK(cloth_crumpled)->Arg(12)->Arg(20)->Arg(30)->Arg(40)->ArgName("squares")->Unit(benchmark::kMillisecond);
BENCHMARK(cloth_pinned)
    ->ArgsProduct({{30, 60}, {1, 2, 3, 4}})
    ->ArgNames({"nodes", "substeps"})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(bullet_cloth)
    ->ArgsProduct({{60}, {2, 10}, {10, 100, 1000}})
    ->ArgNames({"nodes", "substeps", "sweeps"})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
