// Resistance to rolling and to turning on the spot (core/sim/constraint/turn_row.h).
//
// A ball of mass m and radius r, I = ⅖ m r², rolls on a plane, v = ω r. About the place of contact, where friction and weight have
// no moment, only c_roll m g turns it: (I + m r²) dω/dt = −c_roll m g, so that
//   a = c_roll g / (1.4 r),   it stops after v/a and v²/(2 a) = 0.7 r v²/(c_roll g)
// On a slope of θ:  (I + m r²) dω/dt = m g r sin θ − c_roll m g cos θ,   a = g (sin θ − (c_roll/r) cos θ)/1.4, and it stays where tan θ < c_roll/r.
// Spun about the normal, with N = m g:  I dω/dt = −c_spin m g, it stops after I ω/(c_spin m g); a disc that lies flat has I = ½ m r².
#include <algorithm>
#include <cstdlib>

#include "core/sim/constraint/turn_row.h"
#include "tests/sim/constraint/cone_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"

namespace turning_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kGravity = 9.80665, kRadius = 0.2;

void set_resistance(Object& o, double rolling, double spin, double friction = 0.8) {
  o.material.substance.restitution = 0;
  o.material.substance.friction = friction;
  o.material.substance.rolling = rolling;
  o.material.substance.spin = spin;
}

Object rolling_ball(double speed, double rolling, double spin = 0) {
  Object o = World::sphere(kRadius, Vec3(0, kRadius, 0));
  set_resistance(o, rolling, spin);
  o.body.velocity = Vec3(speed, 0, 0);
  o.body.spin = Vec3(0, 0, -speed / kRadius);
  return o;
}

/// When it is at rest for the first time, s; at most `limit`.
double time_to_rest(Run& run, Id id, double limit) {
  int k = 0;
  for (; k * run.model->step < limit; ++k) {
    const std::vector<double> before = run.state.bodies[run.index(id)].values;
    run.steps(1);
    if (run.velocity(id).norm() < 1e-6 && run.at(id).angular_momentum.norm() < 1e-6) break;
  }
  return k * run.model->step;
}

}  // namespace

TEST_CASE("A ball rolls as far as rolling resistance says, and stays there", "[constraint][turning]") {
  for (const int substeps : {1, 4, 8}) {
    World w;
    w.scene.settings.substeps = substeps;
    w.floor(0.8, 0);
    const double speed = 1, c = 0.01, a = c * kGravity / (1.4 * kRadius);
    const Id ball = w.add(rolling_ball(speed, c));
    Run run(w);
    const double time = time_to_rest(run, ball, 6);
    const double way = run.at(ball).centre.x();
    CAPTURE(substeps, time, speed / a, way, speed * speed / (2 * a));
    CHECK(time == Approx(speed / a).epsilon(0.01));
    CHECK(way == Approx(speed * speed / (2 * a)).epsilon(0.005));
    run.seconds(1);
    CHECK(run.at(ball).centre.x() == Approx(way).margin(1e-6));
  }
}

TEST_CASE("W of turning rows is what the true step answers", "[constraint][turning]") {
  // Else the rounds of a sub-step would not end at once, or leave a mismatch.
  World w;
  w.floor(0.8, 0);
  w.add(rolling_ball(1, 0.01, 0.01));
  Object on_top = World::box(Vec3(0.3, 0.1, 0.3), Vec3(0, 2 * kRadius + 0.05, 0), 0.5);
  set_resistance(on_top, 0.005, 0.02);
  on_top.body.spin = Vec3(0, 3, 0);
  w.add(on_top);
  Run run(w);
  int solves = 0;
  double mismatch = 0;
  for (int k = 0; k < 240; ++k) {
    const StepReport report = run.step();
    solves += report.figures.solves;
    mismatch = std::max(mismatch, report.figures.mismatch);
  }
  CAPTURE(solves, mismatch);
  CHECK(solves < 4 * 240);
  CHECK(mismatch < 1e-9);
}

TEST_CASE("A stack whose materials resist turning comes to rest and sleeps", "[constraint][turning]") {
  World w;
  w.floor(0.5, 0);
  std::vector<Id> boxes;
  for (int k = 0; k < 5; ++k) {
    Object o = World::box(Vec3(0.5, 0.5, 0.5), Vec3(0.02 * (k % 2), 0.26 + 0.51 * k, 0.01 * k));
    set_resistance(o, 1e-3, 1e-3, 0.5);
    boxes.push_back(w.add(o));
  }
  Run run(w);
  run.seconds(3);
  for (const Id id : boxes) CHECK(run.velocity(id) == Vec3::Zero());
  CHECK(run.at(boxes.back()).centre.y() == Approx(2.25).margin(1e-3));
  CHECK(run.step().figures.rows == 0);
}

TEST_CASE("What two materials resist with adds up", "[constraint][turning]") {
  World w;
  w.floor(0.8, 0);
  w.scene.objects[0] = w.scene.objects[0].edited([](Object& o) { o.material.substance.rolling = 0.004; });
  const double speed = 1, c = 0.01, a = c * kGravity / (1.4 * kRadius);
  const Id ball = w.add(rolling_ball(speed, 0.006));
  Run run(w);
  run.seconds(6);
  CHECK(run.at(ball).centre.x() == Approx(speed * speed / (2 * a)).epsilon(0.005));
}

TEST_CASE("A ball on a slope stays where its resistance holds it, and rolls off as the closed form says",
          "[constraint][turning]") {
  const double tilt = radians(5);
  for (const double share : {1.1, 0.5}) {  // of what holds it
    World w;
    Object slope =
        make_object(0, "slope", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
    slope.transform.rotation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
    slope.material.substance.friction = 0.8;
    slope.material.substance.restitution = 0;
    w.add(slope);
    const double c = share * kRadius * std::tan(tilt);
    Object o = rolling_ball(0, c);
    o.transform.position = slope.transform.rotation * Vec3(0, kRadius, 0);
    const Id ball = w.add(o);
    Run run(w);
    const Vec3 start = run.at(ball).centre;
    run.seconds(2);
    const double way = -(slope.transform.rotation * Vec3::UnitX()).dot(run.at(ball).centre - start);
    const double a = std::max(0.0, kGravity * (std::sin(tilt) - c / kRadius * std::cos(tilt)) / 1.4);
    CAPTURE(share, way);
    CHECK(way == Approx(0.5 * a * 4).epsilon(0.005).margin(1e-5));
  }
}

TEST_CASE("What spins comes to rest in the time that spin resistance predicts", "[constraint][turning]") {
  for (const int substeps : {1, 4}) {
    World w;
    w.scene.settings.substeps = substeps;
    w.floor(0.8, 0);
    const double spin = 10, c = 0.01;
    Object ball = World::sphere(kRadius, Vec3(0, kRadius, 0));
    set_resistance(ball, 0, c);
    ball.body.spin = Vec3(0, spin, 0);
    const Id id = w.add(ball);
    Run run(w);
    // The ball is a mesh of 24 × 12: I is 2.4 % below that of a round one.
    const double predicted = run.at(id).angular_momentum.y() / (c * kGravity), time = time_to_rest(run, id, 4);
    CAPTURE(substeps, time, predicted);
    CHECK(predicted == Approx(0.4 * kRadius * kRadius * spin / (c * kGravity)).epsilon(0.03));
    CHECK(time == Approx(predicted).epsilon(0.01));
    CHECK(run.at(id).centre.head<1>().norm() < 1e-6);
  }
  World w;
  w.floor(0, 0);
  Object coin =
      World::hard("coin", {PrimitiveShape::cylinder, Vec3(0.4, 0.02, 0.4), {48, 1, 1}}, Vec3(0, 0.01, 0), 0.1);
  const double spin = 10, c = 0.01;
  set_resistance(coin, 0, c, 0);
  coin.body.spin = Vec3(0, spin, 0);
  const Id id = w.add(coin);
  Run run(w);
  const double predicted = 0.5 * 0.2 * 0.2 * spin / (c * kGravity), time = time_to_rest(run, id, 4);
  CAPTURE(time, predicted);
  CHECK(time == Approx(predicted).epsilon(0.02));  // 1 %
}

// A disc of radius a and no height whose rim rolls on a plane at the tilt α while its centre stays: Ω² = 4 g/(a sin α), E = 3/2 m g a sin α.
// Against rolling resistance it works c_roll m g Ω sin α cos α a second, so that dα/dt = −4/3 (c_roll/a) √(g sin α/a), and it lies after
// 3/2 (a/c_roll) √(a α/g). Spin resistance alone turns with sin² α and never ends it.
TEST_CASE("A coin that wobbles comes to lie flat, in the time that rolling resistance predicts",
          "[constraint][turning][slow]") {
  const double a = 0.2, half = 0.005, tilt = 0.4;
  for (const double c : {0.0, 0.05})
    for (const int substeps : {8, 16, 32}) {
      World w;
      w.scene.settings.substeps = substeps;
      w.floor(1, 0);
      Object coin =
          World::hard("coin", {PrimitiveShape::cylinder, Vec3(2 * a, 2 * half, 2 * a), {192, 1, 1}}, Vec3::Zero(), 1);
      coin.transform.position.y() = a * std::sin(tilt) + half * std::cos(tilt);
      coin.transform.rotation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
      set_resistance(coin, c, 0, 1);
      coin.body.spin = -std::sqrt(4 * kGravity * std::sin(tilt) / a) * Vec3(std::cos(tilt), std::sin(tilt), 0);
      const Id id = w.add(coin);
      Run run(w);
      const double start = run.energy();
      double lowest = start, rise = 0, highest = start, time = 0;
      for (int n = 1; time == 0 && n < 60 * substeps * 10; ++n) {
        run.steps(1);
        const double now = run.energy();
        lowest = std::min(lowest, now);
        rise = std::max(rise, now - lowest);
        highest = std::max(highest, now);
        if (run.velocity(id).norm() < 1e-4 && run.at(id).angular_momentum.norm() < 1e-6) time = n * run.model->step;
      }
      const std::size_t i = run.index(id);
      const Vec3 axis = run.model->bodies[i].pose(run.state.bodies[i].values).rotation * Vec3::UnitY();
      CAPTURE(c, substeps, time, rise / start, axis.transpose());
      CHECK(axis.y() > 1 - 1e-6);
      CHECK(run.at(id).centre.y() == Approx(half).margin(1e-4));
      CHECK(highest <= start * (1 + 1e-12));
      CHECK(rise < 3e-5 * start);  // 8.8e-6: what the account gives back
      // Without resistance it lies after 2.5, 3.7, 6.7 s: what each sub-step and each of the 192 corners takes. 0.42, 0.45, 0.49 s of 0.54.
      CHECK((time > 0.3 && time < (c > 0 ? 0.6 : 10)));
      const double predicted = 1.5 * a / c * std::sqrt(a * tilt / kGravity);
      if (c > 0 && substeps > 8) CHECK(time == Approx(predicted).epsilon(substeps == 16 ? 0.2 : 0.13));
    }
}

TEST_CASE("Resistance between free bodies keeps angular momentum and takes energy", "[constraint][turning]") {
  World w;
  w.scene.settings.gravity = Vec3::Zero();
  Object a = World::sphere(0.2, Vec3(-0.25, 0, 0)), b = World::sphere(0.3, Vec3(0.35, 0.1, 0), 3);
  for (Object* o : {&a, &b}) set_resistance(*o, 0.05, 0.05, 0.3);
  a.body.velocity = Vec3(3, 0, 0.5);
  a.body.spin = Vec3(20, -10, 5);
  b.body.spin = Vec3(-4, 8, 12);
  const Id first = w.add(a), second = w.add(b);
  Run run(w);
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (const Id id : {first, second}) {
      const Observables o = run.at(id);
      sum += o.angular_momentum + o.centre.cross(o.momentum);
    }
    return sum;
  };
  const Vec3 before = momentum();
  const double energy = run.energy();
  bool met = false;
  for (int k = 0; k < 100; ++k) {
    run.steps(1);
    met = met || !run.touching.empty();
  }
  CHECK(met);
  CHECK((momentum() - before).norm() < 1e-9 * before.norm());
  CHECK(run.energy() < energy);
}

TEST_CASE("Turning rows of a cone problem are within their bounds, and against what turns", "[cone][turning]") {
  using namespace cone_test;
  // Balls on a plane: a contact and a turning row each, with W of both.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    const double mass = std::pow(10, dice.uniform(-1, 1)), r = dice.uniform(0.1, 1), inertia = 0.4 * mass * r * r;
    const Vec3 n = dice.vector().normalized(), arm = -r * n;
    Blocks w;
    w.column = {0, 1, 0, 1};
    w.start = {0, 2, 4};
    const Mat3 cross = -skew(arm) / inertia * r;
    w.block = {Mat3::Identity() / mass - skew(arm) * skew(arm) / inertia, cross, cross.transpose(),
               Mat3(Mat3::Identity() * (r * r / inertia))};
    std::vector<ConeRow> rows(2);
    rows[0].normal = rows[1].normal = n;
    rows[0].friction = dice.uniform();
    rows[1].kind = ConeRow::turning;
    rows[1].of = 0;
    rows[1].rolling = 0.5 * dice.uniform();
    rows[1].spin = 0.5 * dice.uniform();
    std::vector<Vec3> free = {dice.vector(), dice.vector()}, impulse(2, Vec3::Zero());
    free[0] -= 2 * n;
    ConeWorkspace workspace;
    const ConeResult result = solve_cone({rows, w.view(), free}, {.most_passes = 2000}, workspace, impulse);
    CHECK(result.settled);
    const double push = n.dot(impulse[0]), along = n.dot(impulse[1]), turned = n.dot(workspace.velocities()[1]);
    const Vec3 across = impulse[1] - along * n, slid = workspace.velocities()[1] - turned * n;
    CHECK(push >= 0);
    CHECK(std::abs(along) <= rows[1].spin * push * (1 + 1e-12));
    CHECK(across.norm() <= rows[1].rolling * push * (1 + 1e-12));
    if (std::abs(turned) > 1e-6) CHECK(along * turned == Approx(-rows[1].spin * push * std::abs(turned)).margin(1e-9));
    if (slid.norm() > 1e-6)
      CHECK(across.dot(slid) == Approx(-rows[1].rolling * push * slid.norm()).epsilon(1e-4).margin(1e-9));
  }
}

namespace {

struct Rolled {
  World world;
  std::vector<Id> bodies;
};

Rolled random_scene(std::uint64_t seed) {
  reference::Dice dice(seed);
  Rolled scene;
  const int substeps[] = {1, 2, 4, 8};
  scene.world.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 4))];
  const auto surface = [&](Object& o) {
    o.material.substance.restitution = dice.uniform() < 0.2 ? 1 : dice.uniform();
    o.material.substance.friction = dice.uniform() < 0.2 ? 0 : dice.uniform();
    o.material.substance.rolling = dice.uniform() < 0.3 ? 0 : std::pow(10, dice.uniform(-4, 1));
    o.material.substance.spin = dice.uniform() < 0.3 ? 0 : std::pow(10, dice.uniform(-4, 1));
  };
  scene.world.floor();
  scene.world.scene.objects[0] = scene.world.scene.objects[0].edited(surface);
  const int count = 1 + static_cast<int>(dice.uniform(0, 4));
  for (int k = 0; k < count; ++k) {
    const Vec3 at(dice.uniform(-0.3, 0.3), 0.6 + 0.8 * k, dice.uniform(-0.3, 0.3));
    const double mass = std::pow(10, dice.uniform(-1.5, 1.5));
    Object o;
    switch (static_cast<int>(dice.uniform(0, 5))) {
      case 0:
        o = World::box(Vec3(dice.uniform(0.1, 0.6), dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.6)), at, mass);
        break;
      case 1:
      case 2:
        o = World::sphere(dice.uniform(0.1, 0.35), at, mass);
        break;
      case 3:
        o = World::hard("coin", {PrimitiveShape::cylinder, Vec3(0.5, dice.uniform(0.03, 0.5), 0.5), {16, 1, 1}}, at,
                        mass);
        break;
      default:
        o = World::jelly(dice.uniform(0.2, 0.35), at, std::pow(10, dice.uniform(1, 6)), mass);
    }
    o.transform.rotation = Quat(dice.attitude()).normalized();
    o.body.velocity = (dice.uniform() < 0.2 ? 10 : 1.5) * dice.vector();
    o.body.spin = (dice.uniform() < 0.2 ? 50 : 5) * dice.vector();
    surface(o);
    scene.bodies.push_back(scene.world.add(o));
  }
  return scene;
}

void run_scenes(std::uint64_t first, int count) {
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    INFO("seed " << seed);
    const Rolled scene = random_scene(seed);
    Run run(scene.world);
    const double start = run.energy();
    double gifts = 0, highest = start, lowest = 1e300;
    const int steps = static_cast<int>(1.5 / run.model->step + 0.5);
    std::string stopped;
    for (int n = 0; n < steps && stopped.empty(); ++n) {
      const StepReport report = run.step();
      if (!report.ok) stopped = to_string(*report.failure);
      if (n == 0)
        for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
      highest = std::max(highest, run.energy());
      for (const Id id : scene.bodies) lowest = std::min(lowest, run.at(id).centre.y());
    }
    CHECK(stopped == "");
    CHECK((highest - start - gifts) / start < 1e-6);
    CHECK(lowest > -0.1);
  }
}

}  // namespace

TEST_CASE("Random scenes with rolling and spin resistance neither stop nor gain nor sink", "[constraint][turning]") {
  run_scenes(20261130, 15);
}

TEST_CASE("100 random scenes with rolling and spin resistance", "[turning][slow]") { run_scenes(20262130, 100); }

TEST_CASE("2,000 random scenes with rolling and spin resistance", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");  // of the first, how many
  run_scenes(first ? std::strtoull(first, nullptr, 10) : 20263130, wanted ? std::atoi(wanted) : 2000);
}

}  // namespace turning_test
