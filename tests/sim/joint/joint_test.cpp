// Joints hold, cost no energy and keep momentum: each kind, chains, loops, heavy on light.
#include "core/math/rotation.h"
#include "tests/sim/joint/joint_support.h"

namespace joint_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const Quat kAlongX = turn_onto(Vec3::UnitZ(), Vec3::UnitX());

Object bar(const Vec3& at, double length, double mass) {
  Object o = World::hard("bar", {PrimitiveShape::box, Vec3(length, 0.05, 0.05), {1, 1, 1}}, at, mass);
  o.contact.enabled = false;
  return o;
}

/// A row of bars along x that hangs on the world at its beginning, the last of `end` kg.
JointWorld chain(int count, double end, JointKind kind = JointKind::ball) {
  JointWorld world;
  Id last{0};
  for (int k = 0; k < count; ++k) {
    const Id id = world.add(bar(Vec3(0.1 + 0.2 * k, 0, 0), 0.18, k + 1 == count ? end : 1.0));
    world.joined(kind, last, id, Vec3(0.2 * k, 0, 0));
    last = id;
  }
  return world;
}

}  // namespace

TEST_CASE("A chain of thirty bars with an end a thousand times heavier stays closed", "[joint]") {
  const JointWorld world = chain(30, 1000);
  JointRun run(world);
  const double energy = run.energy();
  double gap = 0, gain = 0, loss = 0;
  for (int n = 0; n < 480; ++n) {
    run.steps(1);
    gap = std::max(gap, run.gap());
    gain = std::max(gain, run.energy() - energy);
    loss = std::max(loss, energy - run.energy());
  }
  INFO("gap " << gap << " m, gain " << gain << " J, loss " << loss << " J, passes a step " << run.figures.passes / 480.0
              << ", parts " << run.figures.parts << " of " << energy);
  CHECK(gap < 1e-12);
  CHECK(gain < 1e-8);
  CHECK(loss < 1e-8);
  CHECK(run.figures.rough == 0);
}

TEST_CASE("Double and triple pendulums keep their energy", "[joint]") {
  for (const int count : {2, 3}) {
    const JointWorld world = chain(count, 1);
    JointRun run(world);
    const double scale = count * 9.81 * 0.2 * count, energy = run.energy();
    double worst = 0, gap = 0;
    for (int n = 0; n < 20 * 240; ++n) {
      run.steps(1);
      worst = std::max(worst, std::abs(run.energy() - energy) / scale);
      gap = std::max(gap, run.gap());
    }
    INFO(count << ": energy " << worst << ", gap " << gap << ", passes " << run.figures.passes / 4800.0 << " met "
               << run.figures.met);
    CHECK(worst < 1e-10);  // of 1e-4
    CHECK(gap < 1e-12);
  }
}

TEST_CASE("Each kind of joint holds what it says", "[joint]") {
  for (const JointKind kind :
       {JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::fixed, JointKind::spring, JointKind::rope}) {
    JointWorld world;
    world.scene.settings.gravity.setZero();
    Object a = bar(Vec3(0, 0, 0), 0.4, 2), b = bar(Vec3(0.5, 0.1, 0), 0.4, 1);
    a.body.velocity = Vec3(0.3, -0.4, 0.5);
    a.body.spin = Vec3(3, 2, -4);
    b.body.velocity = Vec3(-0.2, 0.4, 0.1);
    b.body.spin = Vec3(-1, 5, 2);
    const Id ia = world.add(a), ib = world.add(b);
    world.joined(kind, ia, ib, Vec3(0.25, 0.05, 0), kAlongX, [&](Joint& joint) {
      joint.damping = 0;
      if (kind != JointKind::spring && kind != JointKind::rope) return;
      joint.b.place = Vec3(-0.2, 0, 0);
    });
    JointRun run(world);
    const auto momenta = [&] {
      Vec3 p = Vec3::Zero(), l = Vec3::Zero();
      for (const Id id : {ia, ib}) {
        const Observables o = run.at(id);
        p += o.momentum;
        l += o.angular_momentum + o.centre.cross(o.momentum);
      }
      return std::pair(p, l);
    };
    const auto [p0, l0] = momenta();
    run.steps(2);
    const double energy = run.energy();
    double gap = 0, off = 0, momentum = 0, angular = 0;
    for (int n = 0; n < 480; ++n) {
      run.steps(1);
      gap = std::max(gap, run.gap());
      off = std::max(off, std::abs(run.energy() / energy - 1));
      const auto [p, l] = momenta();
      momentum = std::max(momentum, (p - p0).norm());
      angular = std::max(angular, (l - l0).norm());
    }
    INFO(static_cast<int>(kind) << ": gap " << gap << " energy " << off << " P " << momentum << " L " << angular
                                << " passes " << run.figures.passes / 482.0 << " met " << run.figures.met);
    CHECK(gap < 1e-12);
    CHECK(momentum < 1e-12);
    CHECK(angular < 1e-12);
    if (kind != JointKind::rope) CHECK(off < 1e-10);  // a rope takes energy when it becomes taut
  }
}

TEST_CASE("Loops of joints hold: a ring of twelve and a four-bar linkage", "[joint]") {
  for (const JointKind kind : {JointKind::ball, JointKind::hinge}) {
    JointWorld world;
    std::vector<Id> ids;
    for (int k = 0; k < 12; ++k) {
      const double angle = (k + 0.5) * kPi / 6;
      Object o = bar(Vec3(std::cos(angle), std::sin(angle), 0), 0.5, 1 + 0.3 * k);
      o.transform.rotation = Quat(Eigen::AngleAxisd(angle + kPi / 2, Vec3::UnitZ()));
      o.body.velocity = Vec3(0.1 * k, -0.2, kind == JointKind::ball ? 0.05 * k : 0.0);
      ids.push_back(world.add(o));
    }
    const double r = 1 / std::cos(kPi / 12);
    for (int k = 0; k < 12; ++k)
      world.joined(kind, ids[k], ids[(k + 1) % 12],
                   Vec3(r * std::cos((k + 1) * kPi / 6), r * std::sin((k + 1) * kPi / 6), 0));
    JointRun run(world);
    run.steps(2);
    const double energy = run.energy();
    double gap = 0, gain = 0;
    for (int n = 0; n < 480; ++n) {
      run.steps(1);
      gap = std::max(gap, run.gap());
      gain = std::max(gain, run.energy() - energy);
    }
    INFO("ring " << static_cast<int>(kind) << ": gap " << gap << " gain " << gain << " of " << energy << " passes "
                 << run.figures.passes / 482.0);
    CHECK(gap < 1e-9);
    CHECK(gain < 1e-9);
  }
  JointWorld world;
  const Id crank = world.add(bar(Vec3(0.1, 0, 0), 0.2, 1)), rod = world.add(bar(Vec3(0.4, 0.2, 0), 0.6, 2)),
           arm = world.add(bar(Vec3(0.65, 0.1, 0), 0.3, 1));
  world.joined(JointKind::hinge, Id{0}, crank, Vec3(0, 0, 0));
  world.joined(JointKind::hinge, crank, rod, Vec3(0.2, 0.05, 0));
  world.joined(JointKind::hinge, rod, arm, Vec3(0.7, 0.3, 0));
  world.joined(JointKind::hinge, arm, Id{0}, Vec3(0.6, -0.2, 0));
  JointRun run(world);
  const double energy = run.energy();
  double gap = 0, off = 0;
  for (int n = 0; n < 960; ++n) {
    run.steps(1);
    gap = std::max(gap, run.gap());
    off = std::max(off, std::abs(run.energy() - energy));
  }
  INFO("four-bar: gap " << gap << " energy " << off << " passes " << run.figures.passes / 960.0);
  CHECK(gap < 1e-9);
  CHECK(off < 1e-9);
}

TEST_CASE("A motor reaches its speed with no more than its force; limits stop without a bounce", "[joint]") {
  JointWorld world;
  world.scene.settings.gravity.setZero();
  const Id wheel = world.add(bar(Vec3(0, 0, 0), 0.4, 3)), cart = world.add(bar(Vec3(0, 1, 0), 0.3, 2));
  world.joined(JointKind::hinge, Id{0}, wheel, Vec3::Zero(), Quat::Identity(), [](Joint& joint) {
    joint.motor = true;
    joint.motor_turn = 8;
    joint.motor_torque = 0.5;
  });
  world.joined(JointKind::slider, Id{0}, cart, Vec3(0, 1, 0), kAlongX, [](Joint& joint) {
    joint.motor = joint.limited = true;
    joint.motor_speed = 1;
    joint.motor_force = 4;
    joint.least_way = -0.2;
    joint.most_way = 0.7;
  });
  JointRun run(world);
  const double inertia = 3 * (0.4 * 0.4 + 0.05 * 0.05) / 12;
  double torque = 0, force = 0, fast = 0, far = 0;
  for (int n = 0; n < 480; ++n) {
    run.steps(1);
    torque = std::max(torque, run.readings[0].torque);
    far = std::max(far, run.at(cart).centre.x());
    const double spin = run.at(wheel).angular_momentum.z() / inertia;
    fast = std::max(fast, spin);
    if (n == 23) CHECK(spin == Approx(0.5 * 24 / 240 / inertia).epsilon(1e-5));
    if (n == 60) CHECK(run.velocity(cart).x() == Approx(4.0 / 2 * 61 / 240).epsilon(1e-9));
    if (n == 130) CHECK(run.velocity(cart).x() == Approx(1).epsilon(1e-9));
    force = std::max(force, run.readings[1].force);
  }
  INFO("torque " << torque << " fast " << fast << " far " << far << " v " << run.velocity(cart).x() << " force "
                 << force << " motors " << run.figures.motors << " met " << run.figures.met);
  CHECK(torque < 0.5 * (1 + 1e-12));
  CHECK(fast == Approx(8).epsilon(1e-9));
  CHECK(far < 0.7 + 1e-9);
  CHECK(run.at(cart).centre.x() == Approx(0.7).epsilon(1e-9));
  CHECK(std::abs(run.velocity(cart).x()) < 1e-9);
  CHECK(run.figures.motors == Approx(0.5 * inertia * 64 + 0.5 * 2 * 1).epsilon(1e-3));
}

// At its speed it is all that moves the box: while it was as strong as that, no contact answered, and it went through.
TEST_CASE("A motor that drives a box into the floor pushes with all it has, and the floor holds", "[joint][contact]") {
  for (const int substeps : {1, 4})
    for (const double lean : {0.0, 0.7}) {
      INFO("sub-steps " << substeps << ", leaning " << lean);
      JointWorld world;
      world.scene.settings.substeps = substeps;
      world.floor(0.3, 0.0);
      const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 0.6, 0), 0.5));
      const Quat down = turn_onto(Vec3::UnitZ(), Vec3(std::sin(lean), -std::cos(lean), 0));
      world.joined(JointKind::slider, Id{0}, box, Vec3(0, 0.6, 0), down, [](Joint& joint) {
        joint.motor = true;
        joint.motor_speed = 1.5;
        joint.motor_force = 40;
      });
      JointRun run(world);
      run.seconds(0.2);
      CHECK(run.velocity(box).norm() == Approx(1.5).epsilon(1e-6));
      run.seconds(2);
      CHECK(run.at(box).centre.y() > 0.1 - 2e-3);
      CHECK(run.at(box).centre.y() < 0.1 + 2e-3);
      CHECK(run.velocity(box).norm() < 1e-3);
    }
}

TEST_CASE("A gear turns its hinges against each other, and what breaks keeps its momentum", "[joint]") {
  JointWorld world;
  world.scene.settings.gravity.setZero();
  const Id first = world.add(bar(Vec3(0, 0, 0), 0.4, 1)), second = world.add(bar(Vec3(0, 0.5, 0), 0.6, 2));
  const Id a = world.joined(JointKind::hinge, Id{0}, first, Vec3::Zero(), Quat::Identity(), [](Joint& joint) {
    joint.motor = true;
    joint.motor_turn = 6;
    joint.motor_torque = 5;
  });
  const Id b = world.joined(JointKind::hinge, Id{0}, second, Vec3(0, 0.5, 0));
  const Id gear = world.joined(JointKind::gear, Id{0}, Id{0}, Vec3::Zero(), Quat::Identity(), [&](Joint& joint) {
    joint.first = a.value;
    joint.second = b.value;
    joint.ratio = 1.5;
  });
  JointRun run(world);
  double off = 0;
  for (int n = 0; n < 480; ++n) {
    run.steps(1);
    off = std::max(off, std::abs(run.state.joints[0].turn + 1.5 * run.state.joints[1].turn));
  }
  CHECK(run.readings.back().joint == gear);
  CHECK(run.state.joints[0].turn > 8);  // more than a whole turn
  CHECK(off < 1e-9);

  JointWorld torn;
  torn.scene.settings.gravity.setZero();
  Object left = bar(Vec3(0, 0, 0), 0.4, 1), right = bar(Vec3(0.5, 0, 0), 0.4, 3);
  left.body.spin = right.body.spin = Vec3(0, 0, 4);
  right.body.velocity = Vec3(0, 2, 0);
  const Id il = torn.add(left), ir = torn.add(right);
  torn.joined(JointKind::fixed, il, ir, Vec3(0.25, 0, 0), Quat::Identity(),
              [](Joint& joint) { joint.break_force = 5; });
  JointRun tear(torn);
  const auto momenta = [&] {
    Vec6 sum = Vec6::Zero();
    for (const Id id : {il, ir}) {
      const Observables o = tear.at(id);
      sum.head<3>() += o.momentum;
      sum.tail<3>() += o.angular_momentum + o.centre.cross(o.momentum);
    }
    return sum;
  };
  const Vec6 before = momenta();
  tear.steps(1);
  CHECK(tear.state.joints[0].broken);
  CHECK(tear.readings[0].broken);
  tear.steps(240);
  CHECK((momenta() - before).norm() < 1e-12);
  CHECK((tear.at(il).centre - tear.at(ir).centre).norm() > 0.6);
}

TEST_CASE("Runs with joints have the same bits on any threads and from any state", "[joint][threads]") {
  JointWorld world;
  world.floor();
  for (int c = 0; c < 3; ++c) {
    Id last{0};
    for (int k = 0; k < 6; ++k) {
      Object o = World::hard("link", {PrimitiveShape::box, Vec3(0.18, 0.06, 0.06), {1, 1, 1}},
                             Vec3(0.1 + 0.2 * k, 0.6 + 0.1 * c, 0.4 * c), k == 5 ? 20 : 1);
      const Id id = world.add(o);
      world.joined(k % 2 ? JointKind::hinge : JointKind::ball,
                   c == 0 ? last
                   : k    ? last
                          : id,
                   id, Vec3(0.2 * k, 0.6 + 0.1 * c, 0.4 * c));
      last = id;
    }
  }
  std::erase_if(world.scene.joints, [](const Shared<Joint>& j) { return j->a.object == j->b.object; });
  JointRun one(world), three(world, 3);
  one.steps(100);
  three.steps(100);
  CHECK(hash(one.state) == hash(three.state));
  const std::vector<std::uint8_t> bytes = save(one.state);
  JointRun later(world);
  REQUIRE(restore(bytes, later.state).ok());
  one.steps(100);
  later.steps(100);
  CHECK(hash(one.state) == hash(later.state));
  CHECK(one.gap() < 1e-12);
}

}  // namespace joint_test
