// 200 chains of 17 bodies on ball joints, hung from the world, lying level at the start: two simulated seconds, nothing touches. By Hazumi
// at 1 and 4 sub-steps a frame of 1/60 s, and by Bullet 3.24 (Debian's libbullet-dev) in both of its ways: bodies with point-to-point
// constraints (10 iterations, its usual number, and 100), and a multibody of spherical joints (Featherstone), which cannot come apart. All
// on one thread. Counters: what a simulated second takes, the widest gap of all joints of all frames, and the drift of the energy, of
// the greatest fall. Times are to be compared at equal gap.
#include <benchmark/benchmark.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/motion/compile.h"
#include "core/sim/step.h"
#include "tests/support/world.h"

namespace {

using namespace hazumi;
using namespace hazumi::test;

constexpr int kChains = 200, kLinks = 17;
constexpr double kLong = 0.2, kWide = 0.06, kMass = 0.5, kGravity = 9.80665, kSeconds = 2, kFrame = 1.0 / 60;

Vec3 top(int chain) { return {5.0 * (chain % 20), 5, static_cast<double>(chain / 20)}; }
Vec3 centre(int chain, int link) { return top(chain) + Vec3(kLong * (link + 0.5), 0, 0); }

struct Seen {
  double gap = 0, energy_at_start = 0, off = 0;
  void look(double energy) {
    const double most = kChains * kLinks * kMass * kGravity * kLong * kLinks / 2;
    if (energy_at_start == 0) energy_at_start = energy;
    off = std::max(off, std::abs(energy - energy_at_start) / most);
  }
  void tell(benchmark::State& bench) const {
    bench.counters["gap_mm"] = 1000 * gap;
    bench.counters["energy_percent"] = 100 * off;
    bench.counters["simulated_s"] =
        benchmark::Counter(kSeconds, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  }
};

struct LinkPose {
  Vec3 at;
  Quat turn;
};

double widest(const std::vector<LinkPose>& links) {
  double most = 0;
  const auto end = [](const LinkPose& of, double side) -> Vec3 {
    return of.at + of.turn * Vec3(0.5 * side * kLong, 0, 0);
  };
  for (int c = 0; c < kChains; ++c)
    for (int k = 0; k < kLinks; ++k) {
      const auto at = static_cast<std::size_t>(c * kLinks + k);
      most = std::max(most, (end(links[at], -1) - (k == 0 ? top(c) : end(links[at - 1], 1))).norm());
    }
  return most;
}

std::shared_ptr<const Model> hazumi_chains(int substeps) {
  World world;
  world.scene.settings.substeps = substeps;
  world.scene.settings.gravity = Vec3(0, -kGravity, 0);
  for (int c = 0; c < kChains; ++c) {
    Id before{0};
    for (int k = 0; k < kLinks; ++k) {
      Object o = World::box(Vec3(kLong, kWide, kWide), centre(c, k), kMass);
      o.contact.shape = ContactShape::none;
      const Id id = world.add(o);
      Joint joint;
      joint.id = next_id(world.scene);
      joint.a = {before.value, k == 0 ? top(c) : Vec3(0.5 * kLong, 0, 0)};
      joint.b = {id.value, Vec3(-0.5 * kLong, 0, 0)};
      world.scene.joints.emplace_back(joint);
      before = id;
    }
  }
  MeshStore meshes;
  return *compile(world.scene, meshes);
}

void chains_hazumi(benchmark::State& bench) {
  const auto model = hazumi_chains(static_cast<int>(bench.range(0)));
  Executor executor(1);
  StepWorkspace workspace;
  Seen seen;
  for (auto _ : bench) {
    State state = initial_state(*model);
    seen = Seen();
    for (int frame = 0; frame < kSeconds / kFrame - 0.5; ++frame) {
      for (int k = 0; k < model->substeps; ++k)
        if (!step(*model, state, workspace, executor).ok) return bench.SkipWithError("diverged");
      bench.PauseTiming();
      std::vector<LinkPose> links;
      double energy = 0;
      for (std::size_t i = 0; i < model->bodies.size(); ++i) {
        const hazumi::Pose pose = model->bodies[i].pose(state.bodies[i].values);
        links.push_back({pose.position, pose.rotation});
        const Observables o = observe(*model, state, i);
        energy += o.kinetic_energy + kMass * kGravity * o.centre.y();
      }
      seen.gap = std::max(seen.gap, widest(links));
      seen.look(energy);
      bench.ResumeTiming();
    }
  }
  seen.tell(bench);
}

btVector3 bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

const btVector3 kLeft(static_cast<btScalar>(-0.5 * kLong), 0, 0), kRight(static_cast<btScalar>(0.5 * kLong), 0, 0);
constexpr btScalar kBulletMass = static_cast<btScalar>(kMass);

/// Bodies and point-to-point constraints.
struct Constrained {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
  btBoxShape box{bullet({0.5 * kLong, 0.5 * kWide, 0.5 * kWide})};
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<std::unique_ptr<btTypedConstraint>> joints;

  explicit Constrained(int iterations) {
    world.setGravity(bullet({0, -kGravity, 0}));
    world.getSolverInfo().m_numIterations = iterations;
    btVector3 inertia;
    box.calculateLocalInertia(kBulletMass, inertia);
    for (int c = 0; c < kChains; ++c)
      for (int k = 0; k < kLinks; ++k) {
        btRigidBody::btRigidBodyConstructionInfo info(kBulletMass, nullptr, &box, inertia);
        info.m_startWorldTransform = btTransform(btQuaternion::getIdentity(), bullet(centre(c, k)));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& body = *bodies.back();
        body.setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(&body, 1, 0);  // touches nothing
        joints.push_back(
            k == 0 ? std::make_unique<btPoint2PointConstraint>(body, kLeft)
                   : std::make_unique<btPoint2PointConstraint>(*bodies[bodies.size() - 2], body, kRight, kLeft));
        world.addConstraint(joints.back().get(), true);
      }
  }
  ~Constrained() {
    for (const auto& joint : joints) world.removeConstraint(joint.get());
    for (const auto& body : bodies) world.removeRigidBody(body.get());
  }
  void step(double h) { world.stepSimulation(static_cast<btScalar>(h), 0); }
  LinkPose pose(std::size_t i) const {
    const btTransform& t = bodies[i]->getWorldTransform();
    const btQuaternion q = t.getRotation();
    return {Vec3(t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()),
            Quat(q.w(), q.x(), q.y(), q.z()).normalized()};
  }
  double energy() const {
    double sum = 0;
    for (const auto& body : bodies) {
      const btVector3 w = body->getWorldTransform().getBasis().transpose() * body->getAngularVelocity();
      const btVector3 inverse = body->getInvInertiaDiagLocal();
      sum += 0.5 * kMass * body->getLinearVelocity().length2() +
             kMass * kGravity * body->getWorldTransform().getOrigin().y();
      for (int i = 0; i < 3; ++i) sum += 0.5 * w[i] * w[i] / inverse[i];
    }
    return sum;
  }
};

/// Each chain a multibody.
struct Articulated {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
  btBoxShape box{bullet({0.5 * kLong, 0.5 * kWide, 0.5 * kWide})};
  std::vector<std::unique_ptr<btMultiBody>> chains;

  explicit Articulated(int) {
    world.setGravity(bullet({0, -kGravity, 0}));
    btVector3 inertia;
    box.calculateLocalInertia(kBulletMass, inertia);
    for (int c = 0; c < kChains; ++c) {
      chains.push_back(std::make_unique<btMultiBody>(kLinks, btScalar(0), btVector3(0, 0, 0), true, false));
      btMultiBody& chain = *chains.back();
      chain.setBasePos(bullet(top(c)));
      for (int k = 0; k < kLinks; ++k)
        chain.setupSpherical(k, kBulletMass, inertia, k - 1, btQuaternion::getIdentity(),
                             k == 0 ? btVector3(0, 0, 0) : kRight, kRight, true);
      chain.finalizeMultiDof();
      chain.setLinearDamping(0);
      chain.setAngularDamping(0);
      chain.setCanSleep(false);
      world.addMultiBody(&chain);
      btAlignedObjectArray<btQuaternion> turns;
      btAlignedObjectArray<btVector3> places;
      chain.forwardKinematics(turns, places);
    }
  }
  ~Articulated() {
    for (const auto& chain : chains) world.removeMultiBody(chain.get());
  }
  void step(double h) { world.stepSimulation(static_cast<btScalar>(h), 0); }
  LinkPose pose(std::size_t i) const {
    btMultiBody& chain = *chains[i / kLinks];
    const int link = static_cast<int>(i % kLinks);
    const btVector3 at = chain.localPosToWorld(link, btVector3(0, 0, 0));
    const btVector3 x = chain.localDirToWorld(link, btVector3(1, 0, 0)),
                    y = chain.localDirToWorld(link, btVector3(0, 1, 0));
    Mat3 r;
    r.col(0) = Vec3(x.x(), x.y(), x.z()).normalized();
    r.col(2) = r.col(0).cross(Vec3(y.x(), y.y(), y.z())).normalized();
    r.col(1) = r.col(2).cross(r.col(0));
    return {Vec3(at.x(), at.y(), at.z()), Quat(r)};
  }
  double energy() const {
    double sum = 0;
    std::vector<btVector3> turns(kLinks + 1), ways(kLinks + 1);  // of the base, then of the links in their own axes
    for (const auto& chain : chains) {
      chain->compTreeLinkVelocities(turns.data(), ways.data());
      for (std::size_t k = 1; k <= kLinks; ++k)
        sum += 0.5 * kMass * ways[k].length2() +
               0.5 * turns[k].dot(chain->getLinkInertia(static_cast<int>(k) - 1) * turns[k]);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(kChains * kLinks); ++i)
      sum += kMass * kGravity * pose(i).at.y();
    return sum;
  }
};

template <class World>
void chains_bullet(benchmark::State& bench) {
  const int substeps = static_cast<int>(bench.range(0)), iterations = static_cast<int>(bench.range(1));
  Seen seen;
  std::unique_ptr<World> made;
  for (auto _ : bench) {
    bench.PauseTiming();
    made = std::make_unique<World>(iterations);
    seen = Seen();
    bench.ResumeTiming();
    for (int frame = 0; frame < kSeconds / kFrame - 0.5; ++frame) {
      for (int k = 0; k < substeps; ++k) made->step(kFrame / substeps);
      bench.PauseTiming();
      std::vector<LinkPose> links;
      for (std::size_t i = 0; i < static_cast<std::size_t>(kChains * kLinks); ++i) links.push_back(made->pose(i));
      seen.gap = std::max(seen.gap, widest(links));
      seen.look(made->energy());
      bench.ResumeTiming();
    }
  }
  seen.tell(bench);
}

BENCHMARK(chains_hazumi)->ArgNames({"substeps"})->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(chains_bullet<Constrained>)
    ->ArgNames({"substeps", "iterations"})
    ->ArgsProduct({{1, 4}, {10, 100}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chains_bullet<Articulated>)
    ->ArgNames({"substeps", "iterations"})
    ->Args({1, 0})
    ->Args({4, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
