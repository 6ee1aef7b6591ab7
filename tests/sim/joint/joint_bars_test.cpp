// What is asked of joints beside what joint_test.cpp shows (docs/joint-bars.md): pendulums against a resolved solution, breaking at a force,
// long runs, leads on other bodies, and what nobody can hold.
#include "core/geometry/truss/strung.h"
#include "core/math/rotation.h"
#include "core/scene/derived/joint_faults.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "tests/sim/joint/lead_support.h"

namespace joint_bars_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kLink = 0.2, kBar = 0.18, kWide = 0.05;  // m, from joint to joint; of a bar, 1 kg

Object link(const Vec3& at) {
  Object o = World::hard("link", {PrimitiveShape::box, Vec3(kBar, kWide, kWide), {1, 1, 1}}, at, 1);
  o.contact.enabled = false;
  return o;
}

/// Hung from the world, level.
JointWorld pendulum(int count, int substeps, JointKind kind = JointKind::ball) {
  JointWorld world;
  world.scene.settings.substeps = substeps;
  Id last{0};
  for (int k = 0; k < count; ++k) {
    const Id id = world.add(link(Vec3(kLink * (k + 0.5), 0, 0)));
    world.joined(kind, last, id, Vec3(kLink * k, 0, 0));
    last = id;
  }
  return world;
}

/// The same in its angles θ from the level, by Lagrange's equations and the classical Runge-Kutta rule:
///   Σ_j (A_ij cos(θ_i − θ_j) + I δ_ij) θ̈_j = −Σ_j A_ij sin(θ_i − θ_j) θ̇_j² − g b_i cos θ_i,   A_ij = Σ_k c_ki c_kj,   b_i = Σ_k c_ki,
/// c_ki how far link i carries the centre of link k.
struct Swinging {
  int n;
  double gravity;
  Eigen::VectorXd state;  // θ, θ̇
  Eigen::MatrixXd c, a;

  Swinging(int count, double g) : n(count), gravity(g), state(Eigen::VectorXd::Zero(2 * count)) {
    c = Eigen::MatrixXd::Zero(n, n);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i <= k; ++i) c(k, i) = i < k ? kLink : 0.5 * kLink;
    a = c.transpose() * c;
  }
  Eigen::VectorXd rate(const Eigen::VectorXd& s) const {
    constexpr double kInertia = (kBar * kBar + kWide * kWide) / 12;
    Eigen::MatrixXd m(n, n);
    Eigen::VectorXd f(n), out(2 * n);
    for (int i = 0; i < n; ++i) {
      f[i] = -gravity * c.col(i).sum() * std::cos(s[i]);
      for (int j = 0; j < n; ++j) {
        m(i, j) = a(i, j) * std::cos(s[i] - s[j]) + (i == j ? kInertia : 0);
        f[i] -= a(i, j) * std::sin(s[i] - s[j]) * s[n + j] * s[n + j];
      }
    }
    out << s.tail(n), m.ldlt().solve(f);
    return out;
  }
  void go(double time) {
    const int steps = static_cast<int>(std::ceil(time / 2e-5));
    const double h = time / steps;
    for (int k = 0; k < steps; ++k) {
      const Eigen::VectorXd k1 = rate(state), k2 = rate(state + 0.5 * h * k1), k3 = rate(state + 0.5 * h * k2),
                            k4 = rate(state + h * k3);
      state += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  Vec3 end() const {
    Vec3 at = Vec3::Zero();
    for (int i = 0; i < n; ++i) at += c(n - 1, i) * Vec3(std::cos(state[i]), std::sin(state[i]), 0);
    return at;
  }
};

}  // namespace

TEST_CASE("Double and triple pendulums go where the resolved equations say, to second order", "[joint]") {
  constexpr double kTime = 0.75;  // s: later the least difference grows tenfold with each swing
  for (const int count : {2, 3}) {
    double off[3];
    for (int fine = 0; fine < 3; ++fine) {
      const int substeps = 4 << (2 * fine);
      JointRun run(pendulum(count, substeps));
      Swinging resolved(count, run.model->gravity.norm());
      off[fine] = 0;
      for (int part = 0; part < 15; ++part) {
        run.seconds(kTime / 15);
        resolved.go(kTime / 15);
        off[fine] = std::max(
            off[fine], (run.at(run.model->bodies[run.model->bodies.size() - 1].id).centre - resolved.end()).norm() /
                           (count * kLink));
      }
    }
    INFO(count << " links, off by " << off[0] << ", " << off[1] << ", " << off[2] << " of their length");
    CHECK(off[0] < 0.02);
    CHECK(off[1] < off[0] / 12);
    CHECK(off[2] < off[1] / 12);
  }
}

TEST_CASE("Hinges and sliders do not drift in twenty seconds", "[joint]") {
  JointWorld world = pendulum(4, 4, JointKind::hinge);
  Id last = world.scene.objects.back()->id;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(1, 1, 0)}) {
    const Vec3 at = find_object(world.scene, last)->transform.position + Vec3(0.1, 0, 0);
    const Id id = world.add(link(at + Vec3(0.1, 0, 0)));
    world.joined(JointKind::slider, last, id, at, turn_onto(Vec3::UnitZ(), axis.normalized()), [](Joint& joint) {
      joint.limited = true;
      joint.least_way = -0.05;
      joint.most_way = 0.3;
    });
    last = id;
  }
  JointRun run(world);
  double gap = 0;
  for (int n = 0; n < 20 * 240; ++n) {
    run.steps(1);
    gap = std::max(gap, run.gap());
  }
  INFO("gap " << gap << ", rough " << run.figures.rough);
  CHECK(gap < 1e-9);
}

TEST_CASE("A joint whose least limit is above the most is held where it is at the start, as Problems says", "[joint]") {
  for (const JointKind kind : {JointKind::hinge, JointKind::slider}) {
    JointWorld world;
    const Id box = world.add(World::box(Vec3(0.4, 0.2, 0.2), Vec3(0.3, 1, 0), 1));
    world.joined(kind, Id{0}, box, Vec3(0, 1, 0),
                 kind == JointKind::hinge ? Quat::Identity() : turn_onto(Vec3::UnitZ(), Vec3::UnitY()),
                 [](Joint& joint) {
                   joint.limited = true;
                   joint.least_turn = joint.least_way = 0.5;
                   joint.most_turn = joint.most_way = -0.5;
                 });
    JointRun run(world);
    run.seconds(0.5);
    INFO(static_cast<int>(kind));
    CHECK((run.at(box).centre - Vec3(0.3, 1, 0)).norm() < 1e-9);
  }
}

TEST_CASE("A joint breaks where it would have to hold with more than its force, and not before", "[joint]") {
  for (const JointKind kind : {JointKind::ball, JointKind::hinge, JointKind::fixed, JointKind::rope})
    for (const double share : {0.999, 1.001}) {
      JointWorld world;
      const Id box = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 1, 0), 3));
      world.joined(kind, Id{0}, box, Vec3(0, kind == JointKind::rope ? 2 : 1, 0), Quat::Identity(), [&](Joint& joint) {
        if (kind == JointKind::rope) joint.b.place = Vec3::Zero();
        joint.break_force = share * 3 * world.scene.settings.gravity.norm();
      });
      JointRun run(world);
      run.seconds(0.5);
      INFO(static_cast<int>(kind) << ", " << share);
      CHECK(run.state.joints[0].broken == (share < 1));
      CHECK((run.at(box).centre.y() < 0.5) == (share < 1));
    }
  // By a torque: an arm that is held level at its end.
  for (const double share : {0.999, 1.001}) {
    JointWorld world;
    const Id arm = world.add(World::box(Vec3(4, 0.1, 0.1), Vec3(2, 1, 0), 2));
    world.joined(JointKind::fixed, Id{0}, arm, Vec3(0, 1, 0), Quat::Identity(), [&](Joint& joint) {
      joint.break_force = share * 2 * 2 * world.scene.settings.gravity.norm();  // of 2 kg, 2 m away
    });
    JointRun run(world);
    run.seconds(0.5);
    CHECK(run.state.joints[0].broken == (share < 1));
  }
}

TEST_CASE("A node that is led to one place all the time is a pinned one", "[joint][lead]") {
  // Stiff, since a body on a pin bends about it, and a led one about its middle.
  const auto body = [](bool pinned) {
    Object o = World::jelly(0.3, Vec3(0, 1, 0), 1e5);
    o.body.damping = 50;
    o.contact.enabled = false;
    StrungTruss truss = to_strung(object_truss(o, DisplayMesh()));
    truss.nodes[3].pinned = pinned;
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    return o;
  };
  JointWorld pins, leads;
  const Id first = pins.add(body(true)), second = leads.add(body(false));
  JointRun still(pins);
  const Vec3 at = still.nodes(0)[3];
  leads.joined(JointKind::lead, second, Id{0}, at, Quat::Identity(), [&](Joint& j) { j.b.place = at; });
  JointRun run(pins), led(leads);
  double off = 0, apart = 0;
  for (int n = 0; n < 240; ++n) {
    run.steps(1);
    led.steps(1);
    off = std::max(off, (led.nodes(0)[3] - at).norm());
    apart = std::max(apart, (run.at(first).centre - led.at(second).centre).norm());
  }
  INFO("off its place by " << off << ", centres apart by " << apart << ", of a way of "
                           << (run.at(first).centre - Vec3(0, 1, 0)).norm());
  CHECK(off < 1e-9 * 0.6);
  CHECK(apart < 2e-3);
}

TEST_CASE("What is led to a place on another body is there, and both keep their momenta", "[joint][lead]") {
  for (const bool soft : {false, true}) {
    JointWorld world;
    world.scene.settings.gravity.setZero();
    Object a = soft ? World::jelly(0.3, Vec3(0, 1, 0), 5000) : World::box(Vec3(0.3, 0.3, 0.3), Vec3(0, 1, 0), 2);
    Object b = World::box(Vec3(0.4, 0.2, 0.2), Vec3(0.8, 1, 0), 3);
    for (Object* o : {&a, &b}) o->contact.enabled = false;
    b.body.velocity = Vec3(0.2, 0.3, -0.1);
    b.body.spin = Vec3(1, -2, 0.5);
    const Id ia = world.add(a), ib = world.add(b);
    JointRun still(world);
    const Vec3 place = soft ? still.nodes(0)[5] : Vec3(0.1, 1.1, 0.1);
    const Id lead = world.joined(JointKind::lead, ia, ib, place);
    // Its place on b goes round on that.
    const Vec3 own = world.own(ib, place);
    for (int k = 0; k <= 6; ++k)
      world.scene = with_key(std::move(world.scene), lead.value, "b.place", 0.2 * k,
                             Vec3(own + 0.1 * Vec3(std::sin(1.0 * k), 1 - std::cos(1.0 * k), 0)));
    JointRun run(world);
    const auto momenta = [&] {
      Vec6 sum = Vec6::Zero();
      for (const Id id : {ia, ib}) {
        const Observables o = run.at(id);
        sum.head<3>() += o.momentum;
        sum.tail<3>() += o.angular_momentum + o.centre.cross(o.momentum);
      }
      return sum;
    };
    run.steps(1);
    const Vec6 before = momenta();
    double off = 0, moved = 0, gained = 0;
    const double energy = run.energy(), booked = run.figures.leads;
    for (int n = 1; n < 240; ++n) {
      run.steps(1);
      std::vector<JointDrive> drives{own_drive(run.model->joints[0])};
      run.model->director->drive(*run.model, run.state.substep - 1, drives);
      const ModelJoint& joint = run.model->joints[0];
      off = std::max(off,
                     (run.place(joint.a, joint.place_a, joint.nodes_a) - run.place(joint.b, drives[0].place_b)).norm());
      moved = std::max(moved, (momenta() - before).norm());
      gained = std::max(gained, run.energy() - energy - (run.figures.leads - booked));
    }
    INFO(soft << ": off " << off << ", momenta " << moved << ", gained " << gained);
    CHECK(off < 1e-9 * 0.4);
    CHECK(moved < 1e-9);
    CHECK(gained < 1e-9);
    CHECK(run.figures.stayed == 0);
  }
}

TEST_CASE("A body that is scaled is held where it was, at its own size", "[joint]") {
  JointWorld world;
  const Id a = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0, 1, 0), 1)),
           b = world.add(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0.5, 1, 0), 1));
  world.joined(JointKind::hinge, Id{0}, a, Vec3(-0.1, 1, 0));
  world.joined(JointKind::ball, a, b, Vec3(0.1, 1.1, 0.1));
  for (auto& object : world.scene.objects)
    if (object->id == a) object = object.edited([](Object& o) { o.transform.scale = Vec3(2, 3, 0.5); });
  CHECK(joint_faults(world.scene).empty());
  JointRun run(world);
  REQUIRE(run.model->joints.size() == 2);
  const ModelJoint& ball = run.model->joints[1];
  // 0.1 of each axis before the scale.
  CHECK((run.place(ball.a, ball.place_a) - Vec3(0.2, 1.3, 0.05)).norm() < 1e-12);
  CHECK((run.place(ball.a, ball.place_a) - run.place(ball.b, ball.place_b)).norm() < 1e-12);
  double gap = 0;
  for (int n = 0; n < 240; ++n) {
    run.steps(1);
    gap = std::max(gap, run.gap());
  }
  CHECK(gap < 1e-12);
}

TEST_CASE("Two fixed joints that cannot both hold stop no run, give nothing, and are told of in one sentence",
          "[joint]") {
  JointWorld world;
  Object bat = World::box(Vec3(0.2, 0.2, 0.2), Vec3(0.6, 1, 0), 1);
  bat.body.kind = BodyKind::fixed;
  const Id box = world.add(World::box(Vec3(0.4, 0.2, 0.2), Vec3(0, 1, 0), 2)), led = world.add(bat);
  for (auto& object : world.scene.objects) object = object.edited([](Object& o) { o.contact.enabled = false; });
  world.joined(JointKind::fixed, Id{0}, box, Vec3(-0.2, 1, 0));
  const Id second = world.joined(JointKind::fixed, led, box, Vec3(0.4, 1, 0));
  // Two on the same two are one.
  world.joined(JointKind::fixed, led, box, Vec3(0.3, 1.1, 0));
  CHECK(joint_conflicts(world.scene).empty());
  world.scene = with_key(std::move(world.scene), led.value, "transform.position", 0, Vec3(0.6, 1, 0));
  world.scene = with_key(std::move(world.scene), led.value, "transform.position", 0.5, Vec3(1.6, 1.5, 0));
  const auto told = joint_conflicts(world.scene);
  REQUIRE(told.size() == 1);
  const Diagnostics warned = validate(world.scene);
  CHECK(std::any_of(warned.begin(), warned.end(), [&](const Diagnostic& d) { return d.message == told[0].message; }));
  CHECK(told[0].joint == second);
  CHECK(told[0].message ==
        "Joint 4 holds box fast to box, which goes away from the world, to which it is held fast too; they cannot "
        "both hold.");
  JointRun run(world);
  double fastest = 0;
  for (int n = 0; n < 240; ++n) {
    run.steps(1);
    fastest = std::max(fastest, run.velocity(box).norm());
    CHECK(run.at(box).centre.allFinite());
  }
  INFO("fastest " << fastest << ", at " << run.at(box).centre.transpose() << ", rough " << run.figures.rough);
  CHECK(fastest < 5);  // of 2.2 m/s that keys go
}

TEST_CASE("A lead to where keys go faster than 10,000 m/s leads nothing, and says so in one sentence",
          "[joint][lead]") {
  JointWorld world;
  const Id ball = world.add(World::sphere(0.2, Vec3(0, 1, 0), 1));
  const Id lead = world.joined(JointKind::lead, ball, Id{0}, Vec3(0, 1, 0));
  const auto go = [&](double time, const Vec3& place, KeyShape shape = KeyShape::linear) {
    Scene scene = with_key(world.scene, lead.value, "b.place", 0, Vec3(0, 1, 0));
    scene = with_key(std::move(scene), lead.value, "b.place", time, place);
    for (auto& track : scene.tracks)
      track = track.edited([&](Track& t) {
        for (Key& key : t.keys) key.shape = shape;
      });
    return scene;
  };
  const Scene hasty = go(0.5, Vec3(0, 6000, 0));
  const std::vector<FaultyJoint> told = joint_faults(hasty);
  REQUIRE(told.size() == 1);
  CHECK(told[0].fault == JointFault::hasty);
  CHECK(told[0].message == "The target of Joint 2 goes faster than 10,000 m/s to its key at 0.5 s; it leads nothing.");
  JointWorld fast = world;
  fast.scene = hasty;
  JointRun run(fast);
  CHECK(run.model->joints.empty());
  run.seconds(0.3);
  CHECK(run.at(ball).centre.y() < 0.6);
  CHECK(joint_faults(go(0.5, Vec3(0, 4000, 0))).empty());
  // A step jumps within one sub-step: 50 m in 1/240 s.
  CHECK(joint_faults(go(0.5, Vec3(0, 51, 0), KeyShape::step)).size() == 1);
  CHECK(joint_faults(go(0.5, Vec3(0, 31, 0), KeyShape::step)).empty());
}

}  // namespace joint_bars_test
