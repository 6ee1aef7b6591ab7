// Boxes that fall into a pile on a plane, 0.5 m wide, 5 × 5 beside each other and turned at random: four simulated seconds, by
// Hazumi at 1 and 4 sub-steps a frame of 1/60 s, and by Bullet 3.24 (Debian's libbullet-dev) with its ten iterations at
// 1, 2, 4, 8 and 16. Counters: what a simulated second takes, how deep boxes are in each other and in the floor (by separating
// axes, the same function for both: the deepest of all frames, and the mean of the last second), and the speed of the fastest box
// at the end. Times are to be compared at equal penetration. Blender's are told by piles_vs_blender.sh.
#include <benchmark/benchmark.h>

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/sim/step.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr double kHalf = 0.25, kSeconds = 4, kFrame = 1.0 / 60;

struct BoxPose {
  Vec3 at;
  Quat turn;
};

std::vector<BoxPose> start(int count) {
  reference::Dice dice(3);
  std::vector<BoxPose> out;
  for (int k = 0; k < count; ++k) {
    const Vec3 at((k % 5) * 0.6 + dice.uniform(-0.05, 0.05), 1 + (k / 25) * 0.6,
                  (k / 5 % 5) * 0.6 + dice.uniform(-0.05, 0.05));
    const Vec3 angles(dice.uniform(0, 1), dice.uniform(0, 1), dice.uniform(0, 1));
    out.push_back(
        {at, Quat(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
                  Eigen::AngleAxisd(angles.x(), Vec3::UnitX()))});
  }
  return out;
}

/// How deep two boxes are in each other: the least over fifteen axes; 0 where one of them parts them.
double overlap(const BoxPose& a, const BoxPose& b) {
  const Vec3 d = b.at - a.at;
  if (d.squaredNorm() > 12 * kHalf * kHalf) return 0;
  const Mat3 p = a.turn.toRotationMatrix(), q = b.turn.toRotationMatrix();
  double least = 1e300;
  const auto along = [&](Vec3 axis) {
    const double size = axis.norm();
    if (size < 1e-3) return;
    axis /= size;
    const double reach = kHalf * ((p.transpose() * axis).cwiseAbs().sum() + (q.transpose() * axis).cwiseAbs().sum());
    least = std::min(least, reach - std::abs(d.dot(axis)));
  };
  for (int i = 0; i < 3; ++i) {
    along(p.col(i));
    along(q.col(i));
    for (int k = 0; k < 3; ++k) along(p.col(i).cross(q.col(k)));
  }
  return std::max(0.0, least);
}

struct Depths {
  double worst = 0, sum = 0;
  int frames = 0, frame = 0;

  void look(const std::vector<BoxPose>& boxes) {
    std::vector<std::size_t> order(boxes.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(),
              [&](std::size_t x, std::size_t y) { return boxes[x].at.x() < boxes[y].at.x(); });
    double most = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const BoxPose& a = boxes[order[i]];
      const double down = kHalf * (a.turn.toRotationMatrix().row(1)).cwiseAbs().sum();
      most = std::max(most, down - a.at.y());
      for (std::size_t k = i + 1; k < order.size() && boxes[order[k]].at.x() - a.at.x() < 4 * kHalf; ++k)
        most = std::max(most, overlap(a, boxes[order[k]]));
    }
    worst = std::max(worst, most);
    if (++frame > (kSeconds - 1) / kFrame) sum += most, ++frames;
  }
  void tell(benchmark::State& bench, double fastest) const {
    bench.counters["deepest_mm"] = 1000 * worst;
    bench.counters["deep_at_end_mm"] = 1000 * sum / frames;
    bench.counters["fastest_at_end"] = fastest;
    bench.counters["simulated_s"] =
        benchmark::Counter(kSeconds, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  }
};

std::shared_ptr<const Model> pile_of(int count, int substeps) {
  World world;
  world.scene.settings.substeps = substeps;
  world.floor(0.5, 0);
  for (const BoxPose& pose : start(count)) {
    Object o = World::box(Vec3::Constant(2 * kHalf), pose.at);
    o.transform.rotation = pose.turn;
    o.material.substance.friction = 0.5;
    o.material.substance.restitution = 0;
    world.add(o);
  }
  MeshStore meshes;
  return *compile(world.scene, meshes);
}

void pile_hazumi(benchmark::State& bench) {
  const auto model = pile_of(static_cast<int>(bench.range(0)), static_cast<int>(bench.range(1)));
  Executor executor(1);
  StepWorkspace workspace;
  Depths depths;
  double fastest = 0, passes = 0, rows = 0;
  for (auto _ : bench) {
    State state = initial_state(*model);
    depths = Depths();
    for (int frame = 0; frame < kSeconds / kFrame - 0.5; ++frame) {
      for (int k = 0; k < model->substeps; ++k) {
        const StepReport report = step(*model, state, workspace, executor);
        if (!report.ok) return bench.SkipWithError("diverged");
        passes += report.figures.passes;
        rows = std::max(rows, static_cast<double>(report.figures.rows));
      }
      bench.PauseTiming();
      std::vector<BoxPose> boxes;
      fastest = 0;
      for (std::size_t i = 1; i < model->bodies.size(); ++i) {
        const hazumi::Pose pose = model->bodies[i].pose(state.bodies[i].values);
        boxes.push_back({pose.position, pose.rotation});
        const Observables seen = observe(*model, state, i);
        fastest = std::max(fastest, seen.momentum.norm() / seen.mass);
      }
      depths.look(boxes);
      bench.ResumeTiming();
    }
  }
  depths.tell(bench, fastest);
  bench.counters["rows"] = rows;
  bench.counters["passes"] = passes / (kSeconds / model->step);
}

struct Bullet {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
  btStaticPlaneShape plane{btVector3(0, 1, 0), 0};
  btBoxShape box{btVector3(0.25f, 0.25f, 0.25f)};
  std::vector<std::unique_ptr<btRigidBody>> bodies;

  explicit Bullet(int count) {
    world.setGravity(btVector3(0, -9.80665f, 0));
    btRigidBody::btRigidBodyConstructionInfo floor(0, nullptr, &plane);
    add(floor);
    btVector3 inertia;
    box.calculateLocalInertia(1, inertia);
    for (const BoxPose& p : start(count)) {
      btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &box, inertia);
      const auto f = [](double x) { return static_cast<btScalar>(x); };
      info.m_startWorldTransform = btTransform(btQuaternion(f(p.turn.x()), f(p.turn.y()), f(p.turn.z()), f(p.turn.w())),
                                               btVector3(f(p.at.x()), f(p.at.y()), f(p.at.z())));
      add(info);
    }
  }
  ~Bullet() {
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }
  void add(btRigidBody::btRigidBodyConstructionInfo& info) {
    info.m_friction = std::sqrt(0.5f);  // of a pair it is the product
    info.m_restitution = 0;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  }
};

void pile_bullet(benchmark::State& bench) {
  const int substeps = static_cast<int>(bench.range(1));
  Depths depths;
  double fastest = 0;
  std::unique_ptr<Bullet> made;
  for (auto _ : bench) {
    bench.PauseTiming();
    made = std::make_unique<Bullet>(static_cast<int>(bench.range(0)));
    Bullet& bullet = *made;
    depths = Depths();
    bench.ResumeTiming();
    for (int frame = 0; frame < kSeconds / kFrame - 0.5; ++frame) {
      for (int k = 0; k < substeps; ++k) bullet.world.stepSimulation(static_cast<btScalar>(kFrame / substeps), 0);
      bench.PauseTiming();
      std::vector<BoxPose> boxes;
      fastest = 0;
      for (std::size_t i = 1; i < bullet.bodies.size(); ++i) {
        const btTransform& t = bullet.bodies[i]->getWorldTransform();
        const btVector3 p = t.getOrigin();
        const btQuaternion q = t.getRotation();
        boxes.push_back({Vec3(p.x(), p.y(), p.z()), Quat(q.w(), q.x(), q.y(), q.z()).normalized()});
        fastest = std::max<double>(fastest, bullet.bodies[i]->getLinearVelocity().length());
      }
      depths.look(boxes);
      bench.ResumeTiming();
    }
  }
  depths.tell(bench, fastest);
}

BENCHMARK(pile_hazumi)
    ->ArgNames({"boxes", "substeps"})
    ->ArgsProduct({{100, 1000}, {1, 4}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(pile_bullet)
    ->ArgNames({"boxes", "substeps"})
    ->ArgsProduct({{100, 1000}, {1, 2, 4, 8, 16}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
