// Bodies that are led (director.h): what they hit, what lies on them, and what they are when they are let go.
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/leader.h"

namespace led_body_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object led_box(const Vec3& size, const Vec3& position = Vec3::Zero()) {
  Object o = World::box(size, position, 2);
  o.material.substance.restitution = 0.5;
  return o;
}

Object bouncing_ball(double radius, const Vec3& position, double restitution = 0.5) {
  Object o = World::sphere(radius, position);
  o.material.substance.restitution = restitution;
  return o;
}

World weightless() {
  World world;
  world.scene.settings.gravity = Vec3::Zero();
  return world;
}

}  // namespace

TEST_CASE("A led body is where its path is, to the bit, with the path's velocity and spin", "[led]") {
  World world;
  const Id bat = world.add(led_box(Vec3(1, 0.2, 0.3)));
  const auto at = [](double t) {
    return Pose{Vec3(std::sin(3 * t), t * t, 0), Quat(Eigen::AngleAxisd(2 * t, Vec3(1, 2, 2) / 3))};
  };
  LedBodiesRun run(world, {{bat, {at}}});
  for (int k = 0; k < 200; ++k) {
    const double t = static_cast<double>(run.state.substep) * run.model->step;
    const Body& body = run.model->bodies[run.index(bat)];
    const std::vector<double>& values = run.state.bodies[run.index(bat)].values;
    const Pose now = body.object_pose(body.pose(values));
    CHECK(now.position == at(t).position);
    CHECK(now.rotation.coeffs() == at(t).rotation.coeffs());
    const BodyStart start = body.start_of(values);
    CHECK((start.velocity - Vec3(3 * std::cos(3 * t), 2 * t, 0)).norm() < 1e-8);
    CHECK((start.spin - 2 * Vec3(1, 2, 2) / 3).norm() < 1e-8);
    run.steps(1);
  }
}

TEST_CASE("A ball hit by a led bat leaves as from a moving wall", "[led]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> speed(0.5, 20), part(0, 1);
  for (int trial = 0; trial < 30; ++trial) {
    World world = weightless();
    const double e = part(random), v = speed(random) - 12, bat_speed = std::max(v + 1, speed(random));
    world.scene.settings.substeps = 1 + trial % 6;
    Object bat = led_box(Vec3(0.2, 1, 1), Vec3(-0.6 - 0.1 * part(random), 0, 0));
    bat.material.substance.restitution = e;
    Object ball = bouncing_ball(0.1, Vec3(0, 0.02, -0.01), e);
    ball.body.velocity.x() = v;
    const Id bat_id = world.add(bat), ball_id = world.add(ball);
    LedBodiesRun run(world, {{bat_id, Path::straight(bat.transform.position, Vec3(bat_speed, 0, 0))}});
    double work = 0;
    const double before = run.energy_of({ball_id});
    for (int k = 0; k < 2000 && run.events.empty(); ++k) {
      const StepReport report = run.step();
      work += report.figures.work + report.figures.led;
    }
    for (int k = 0; k < 5; ++k) {
      const StepReport report = run.step();
      work += report.figures.work + report.figures.led;
    }
    CAPTURE(trial, e, v, bat_speed, run.model->substeps);
    REQUIRE(run.events.size() == 1);
    CHECK(run.events[0].approach_speed == Approx(bat_speed - v).epsilon(1e-9));
    CHECK(run.velocity(ball_id).x() == Approx((1 + e) * bat_speed - e * v).epsilon(1e-8));
    CHECK(run.energy_of({ball_id}) - before == Approx(work).epsilon(1e-9));
  }
}

TEST_CASE("What lies on a lift goes with it, and sleeps where it stands", "[led]") {
  World world;
  const Id lift = world.add(led_box(Vec3(2, 0.2, 2))), box = world.add(led_box(Vec3(0.4, 0.4, 0.4), Vec3(0, 0.3, 0)));
  // Stands for a second, goes up by 2 m in two more, softly, and stands.
  const auto height = [](double t) {
    const double s = std::clamp((t - 1) / 2, 0.0, 1.0);
    return 2 * s * s * (3 - 2 * s);
  };
  LedBodiesRun run(world, {{lift, {[=](double t) { return Pose{Vec3(0, height(t), 0), Quat::Identity()}; }}}});
  run.seconds(0.9);
  const auto asleep = [&] {
    const double before = run.at(box).momentum.norm();
    return before == 0;
  };
  CHECK(asleep());
  double worst = 0;
  for (int k = 0; k < 4 * 240; ++k) {
    run.steps(1);
    worst = std::max(worst, std::abs(run.at(box).centre.y() - run.at(lift).centre.y() - 0.3));
  }
  CAPTURE(worst);
  CHECK(worst < 1e-3);
  CHECK(run.at(box).centre.y() == Approx(2.3).margin(1e-3));
  CHECK(asleep());
}

TEST_CASE("What is let go flies on as the path had it", "[led]") {
  World world;
  const Id thing = world.add(led_box(Vec3(1, 0.2, 0.3)));
  const Vec3 axis = Vec3(2, -1, 2) / 3;
  const auto at = [=](double t) {
    return Pose{Vec3(std::sin(3 * t), 2 * t - t * t * t, 0), Quat(Eigen::AngleAxisd(t + 2 * t * t, axis))};
  };
  LedBodiesRun run(world, {{thing, {at, 0.5}}});
  run.steps(static_cast<int>(0.5 / run.model->step + 0.5));
  const BodyStart start = run.model->bodies[run.index(thing)].start_of(run.state.bodies[run.index(thing)].values);
  CHECK((start.pose.position - at(0.5).position).norm() < 1e-12);
  CHECK((start.velocity - Vec3(3 * std::cos(1.5), 2 - 0.75, 0)).norm() < 1e-8);
  CHECK((start.spin - 3 * axis).norm() < 1e-8);
  const Vec3 momentum = run.at(thing).momentum, turning = run.at(thing).angular_momentum;
  run.steps(48);
  CHECK((run.at(thing).momentum - momentum - 48 * run.model->step * 2 * run.model->gravity).norm() < 1e-9);
  CHECK((run.at(thing).angular_momentum - turning).norm() < 1e-9);
}

TEST_CASE("What sleeps on something led falls when that is let go", "[led]") {
  World world;
  const Id shelf = world.add(led_box(Vec3(2, 0.2, 2), Vec3(0, 3, 0))),
           box = world.add(led_box(Vec3(0.4, 0.4, 0.4), Vec3(0, 3.3, 0)));
  LedBodiesRun run(world, {{shelf, {[](double) { return Pose{Vec3(0, 3, 0), Quat::Identity()}; }, 1.0}}});
  run.seconds(1);
  CHECK(run.at(box).momentum == Vec3::Zero());
  run.seconds(0.5);
  CHECK(run.at(shelf).centre.y() == Approx(3 - 0.5 * 9.81 * 0.25).margin(0.02));
  CHECK(run.at(box).centre.y() == Approx(3.3 - 0.5 * 9.81 * 0.25).margin(0.02));
}

TEST_CASE("A led body at 1 km/s hits what is in its way", "[led]") {
  World world = weightless();
  const Id bat = world.add(led_box(Vec3(0.2, 1, 1))), ball = world.add(bouncing_ball(0.1, Vec3(5, 0, 0)));
  LedBodiesRun run(world, {{bat, Path::straight(Vec3::Zero(), Vec3(1000, 0, 0))}});
  run.steps(10);
  CHECK(run.velocity(ball).x() == Approx(1500).epsilon(1e-6));
  CHECK(run.at(ball).centre.x() > run.at(bat).centre.x() + 0.19);
}

TEST_CASE("A ball between a wall and what is led into it stays sane", "[led]") {
  for (const double speed : {0.2, 2.0, 20.0, 1000.0}) {
    World world;
    world.floor();
    Object wall = led_box(Vec3(0.2, 2, 2), Vec3(1, 1, 0));
    wall.body.kind = BodyKind::fixed;
    world.add(wall);
    const Id bat = world.add(led_box(Vec3(0.2, 2, 2))), ball = world.add(bouncing_ball(0.1, Vec3(0.7, 0.1, 0)));
    const auto at = [=](double t) {
      return Pose{Vec3(std::min(0.78, speed * t), 1, 0), Quat::Identity()};  // leaves 2 cm for a ball of 20
    };
    LedBodiesRun run(world, {{bat, {at}}});
    double fastest = 0, farthest = 0;
    for (int k = 0; k < 240 * 6; ++k) {
      run.steps(1);
      fastest = std::max(fastest, run.velocity(ball).norm());
      farthest = std::max(farthest, run.at(ball).centre.norm());
    }
    CAPTURE(speed, fastest, farthest, run.at(ball).centre.transpose(), run.velocity(ball).transpose());
    CHECK(fastest < 3 * speed + 3);
    CHECK(run.at(ball).centre.allFinite());
    CHECK(farthest < 2 + 5 * speed);
  }
}

TEST_CASE("Led jaws hold a ball and carry it, and let it go", "[led]") {
  for (const double squeeze : {0.0, 0.002, 0.01, 0.02}) {
    World world;
    world.floor();
    const Id left = world.add(led_box(Vec3(0.1, 0.3, 0.3))), right = world.add(led_box(Vec3(0.1, 0.3, 0.3)));
    Object held = led_box(Vec3(0.2, 0.2, 0.2), Vec3(0, 0.1, 0));
    const Id box = world.add(held);
    const auto lifted = [](double t) {
      const double s = std::clamp((t - 1) / 1.0, 0.0, 1.0);
      return 0.5 * s * s * (3 - 2 * s);
    };
    const auto jaw = [=](double side) {
      return [=](double t) {
        const double closed = std::clamp(2 * t, 0.0, 1.0), open = std::clamp(2 * (t - 3), 0.0, 1.0);
        return Pose{Vec3(side * (0.15 + 0.1 * (1 - closed) + 0.1 * open - squeeze * closed), 0.2 + lifted(t), 0),
                    Quat::Identity()};
      };
    };
    LedBodiesRun run(world, {{left, {jaw(-1)}}, {right, {jaw(1)}}});
    run.seconds(2.9);
    CAPTURE(squeeze, run.at(box).centre.transpose(), run.velocity(box).transpose());
    if (squeeze > 0) CHECK(run.at(box).centre.y() == Approx(0.6).margin(0.02));
    CHECK(run.velocity(box).norm() < 0.01);
    run.seconds(1.5);
    CAPTURE(run.at(box).centre.transpose(), run.velocity(box).transpose());
    CHECK(run.at(box).centre.y() == Approx(0.1).margin(0.01));
    CHECK(run.velocity(box).norm() < 0.05);
  }
}

}  // namespace led_body_test
