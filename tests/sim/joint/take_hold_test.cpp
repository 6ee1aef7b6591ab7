// Joints that begin to hold in the middle of a run.
#include "tests/sim/joint/lead_support.h"
#include "tests/sim/reference/dense.h"

namespace take_hold_test {

using namespace hazumi;
using namespace hazumi::test;

/// Switches all joints on at a sub-step, and off at a later one.
struct Switch final : Director {
  std::int64_t on = 30, off = 1 << 30;
  MotionState initial() const override { return {}; }
  void direct(const Model&, const State&, const NumbersTold&, std::span<BodyForces>) const override {}
  void drive(const Model&, std::int64_t substep, std::span<JointDrive> joints) const override {
    for (JointDrive& joint : joints) joint.on = substep >= on && substep < off;
  }
  void observe(const Model&, const State&, StepReport&, State&) const override {}
};

struct SwitchedRun : JointRun {
  SwitchedRun(const World& world, const Switch& told = {}) : JointRun(world) {
    std::const_pointer_cast<Model>(model)->director = std::make_shared<Switch>(told);
  }
  hazumi::Pose pose(Id id) const {
    const std::size_t i = index(id);
    return model->bodies[i].pose(state.bodies[i].values);
  }
  /// b as a has it.
  hazumi::Pose between(Id a, Id b) const {
    const hazumi::Pose from = pose(a), to = pose(b);
    return {from.rotation.conjugate() * (to.position - from.position), from.rotation.conjugate() * to.rotation};
  }
};

JointWorld two(JointKind kind, reference::Dice& dice, Id& a, Id& b) {
  JointWorld w;
  w.scene.settings.gravity = Vec3::Zero();
  Object one = World::box({0.2, 0.2, 0.2}, {0, 0, 0}, 2), other = World::box({0.2, 0.3, 0.2}, {0.6, 0, 0});
  for (Object* of : {&one, &other}) {
    of->body.velocity = 0.4 * dice.vector();
    of->body.spin = dice.vector();
  }
  a = w.add(one);
  b = w.add(other);
  w.joined(kind, a, b, {0.3, 0, 0});
  return w;
}

TEST_CASE("A joint that is switched on later takes hold of its bodies as they are, and costs energy at the most",
          "[joint]") {
  reference::Dice dice(5);
  for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed})
    for (int seed = 0; seed < 10; ++seed) {
      INFO(static_cast<int>(kind) << ", " << seed);
      Id a, b;
      SwitchedRun run(two(kind, dice, a, b));
      run.steps(30);
      const double energy = run.energy();
      const hazumi::Pose then = run.between(a, b);
      const Vec3 momentum = run.at(a).momentum + run.at(b).momentum;
      double before = energy;
      for (int k = 0; k < 120; ++k) {
        run.step();
        CHECK(run.energy() < before + 1e-12);
        before = run.energy();
        // Where the joint took hold: a's place of it, on both.
        const hazumi::Pose now = run.between(a, b);
        const Vec3 place(0.3, 0, 0);
        const Vec3 on_b = then.rotation.conjugate() * (place - then.position);
        const Vec3 apart = now.position + now.rotation * on_b - place;
        if (kind == JointKind::slider) {
          CHECK(std::hypot(apart.x(), apart.y()) < 1e-9);  // along z
          CHECK(now.rotation.angularDistance(then.rotation) < 1e-7);
        } else {
          CHECK(apart.norm() < 1e-9);
        }
        const Vec3 z = now.rotation * then.rotation.conjugate() * Vec3::UnitZ();
        if (kind == JointKind::hinge) CHECK((z - Vec3::UnitZ()).norm() < 1e-8);
        if (kind == JointKind::fixed) CHECK(now.rotation.angularDistance(then.rotation) < 1e-7);
      }
      CHECK(before > 0.02 * energy);
      CHECK((run.at(a).momentum + run.at(b).momentum - momentum).norm() < 1e-12);
    }
}

TEST_CASE("A joint that lets go and is switched on again takes hold anew", "[joint]") {
  reference::Dice dice(6);
  Id a, b;
  Switch told;
  told.on = 0;
  told.off = 10;
  JointWorld world = two(JointKind::fixed, dice, a, b);
  SwitchedRun run(world, told);
  run.steps(60);
  const hazumi::Pose then = run.between(a, b);
  CHECK((then.position - Vec3(0.6, 0, 0)).norm() > 0.005);
  told.off = 1 << 30;
  told.on = 60;
  std::const_pointer_cast<Model>(run.model)->director = std::make_shared<Switch>(told);
  const double energy = run.energy();
  run.steps(60);
  CHECK(run.energy() < energy + 1e-12);
  const hazumi::Pose now = run.between(a, b);
  CHECK((now.position - then.position).norm() < 1e-9);
  CHECK(now.rotation.angularDistance(then.rotation) < 1e-7);
}

TEST_CASE("Gears that take hold of wheels which have turned leave them as they are", "[joint]") {
  JointWorld w;
  w.scene.settings.gravity = Vec3::Zero();
  const Id a = w.add(World::box({0.2, 0.2, 0.1}, {0, 0, 0})), b = w.add(World::box({0.2, 0.2, 0.1}, {1, 0, 0}));
  const Id first = w.joined(JointKind::hinge, Id{0}, a, {0, 0, 0}),
           second = w.joined(JointKind::hinge, Id{0}, b, {1, 0, 0});
  Object wheel = *w.scene.objects[0];
  wheel.body.spin = Vec3(0, 0, 2);
  w.scene.objects[0] = Shared<Object>(wheel);
  w.joined(JointKind::gear, Id{0}, Id{0}, Vec3::Zero(), Quat::Identity(), [&](Joint& joint) {
    joint.first = first.value;
    joint.second = second.value;
    joint.ratio = 2;
  });
  struct GearLater final : Director {
    MotionState initial() const override { return {}; }
    void direct(const Model&, const State&, const NumbersTold&, std::span<BodyForces>) const override {}
    void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
      for (std::size_t j = 0; j < joints.size(); ++j)
        if (model.joints[j].kind == JointKind::gear) joints[j].on = substep >= 50;
    }
    void observe(const Model&, const State&, StepReport&, State&) const override {}
  };
  SwitchedRun run(w);
  std::const_pointer_cast<Model>(run.model)->director = std::make_shared<GearLater>();
  run.steps(50);
  const double energy = run.energy();
  CHECK(energy > 0);
  run.step();
  CHECK(run.energy() < energy + 1e-12);
  run.steps(100);
  CHECK(run.energy() < energy + 1e-12);
  CHECK(run.energy() > 0.1 * energy);
  const auto turn = [&](Id id) {
    const Observables o = run.at(id);
    return o.angular_momentum.z();
  };
  CHECK(turn(a) == Approx(-2 * turn(b)).epsilon(1e-4));
}

TEST_CASE("A box is taken hold of by a node of what bends, as they are", "[joint]") {
  JointWorld w;
  w.scene.settings.gravity = Vec3::Zero();
  Object soft = World::jelly(0.2, {0, 0, 0}, 1e4, 1, false);
  soft.body.velocity = Vec3(0.2, 0.1, 0);
  Object hard = World::box({0.2, 0.2, 0.2}, {0.6, 0, 0});
  hard.body.velocity = Vec3(0.3, 0, 0.2);
  hard.body.spin = Vec3(0.5, 0.5, 0);
  const Id a = w.add(soft), b = w.add(hard);
  const bool soft_first = GENERATE(true, false);
  w.joined(JointKind::ball, soft_first ? a : b, soft_first ? b : a, {0.25, 0, 0});
  SwitchedRun run(w);
  run.steps(30);
  double before = run.energy();
  for (int k = 0; k < 120; ++k) {
    run.step();
    CHECK(run.energy() < before + 1e-9);
    before = run.energy();
  }
  const State state = run.state;
  REQUIRE(state.joints.size() == 1);
  CHECK(state.joints[0].grip == JointMemory::kTaken);
}

}  // namespace take_hold_test
