// What each procedure does to a body (spec 7.1), against closed forms.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/graph.h"

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kG = 9.80665;

struct Stage {
  World world;
  Id floor, ball;
  Graph graph{world};

  explicit Stage(const Vec3& place = Vec3(0, 1, 0), bool gravity = true) {
    floor = world.floor(0.5, 0.3);
    Object o = World::sphere(0.1, place);
    o.body.gravity = gravity;
    ball = world.add(o);
  }
  Id at(double time) { return graph.when("time", ball, {{"time", time}}); }
  void from_start(Id procedure) { graph.wire(at(0), procedure); }
};

/// m/s², rad/s: how fast the ball turns, of its state.
Vec3 spin(const MotionRun& run, Id ball) {
  const std::size_t i = run.index(ball);
  const JoinedBody joined = run.model->bodies[i].read_joined(run.state.bodies[i].values);
  return joined.angular_momentum / joined.inertia(0, 0);
}

}  // namespace

TEST_CASE("Bounces as high as it is told, five times, then rests, then rolls without slipping", "[motion]") {
  for (const double e : {0.5, 0.8, 0.95}) {
    Stage s(Vec3(0, 2.1, 0));
    s.from_start(s.graph.does("throw", s.ball, {{"x", 0.5}}));
    const Id hit = s.graph.loop(s.graph.when("contact", s.ball, {}, s.floor));
    const Id bounce = s.graph.does("bounce", s.ball, {{"restitution", e}, {"until", 0.2}, {"friction", 0}}, s.floor);
    // From the start: the first collision must find it.
    s.from_start(bounce);
    const Id settled = s.graph.when("finished", s.ball), roll = s.graph.does("roll", s.ball, {}, s.floor);
    s.graph.chain({bounce, settled, roll, s.graph.when("finished", s.ball)});
    MotionRun run(s.world);
    double height = 2, highest = 0;
    int bounces = 0;
    for (int k = 0; k < 240 * 30 && run.count(roll, MotionTurn::ended) == 0; ++k) {
      const int before = run.count(hit);
      run.go(1);
      if (run.count(hit) > before) {
        if (bounces > 0 && bounces <= 5) {
          CHECK(highest / height == Approx(e * e).epsilon(0.01));
          height = highest;
        }
        highest = 0;
        ++bounces;
      }
      highest = std::max(highest, run.at(s.ball).centre.y() - 0.1);
    }
    CHECK(bounces >= 5);
    REQUIRE(run.count(settled) == 1);
    CHECK(run.time_of(roll, 0, MotionTurn::ended) > run.time_of(settled));
    run.seconds(0.5);
    CHECK(run.at(s.ball).centre.y() == Approx(0.1).margin(1e-4));
    const Vec3 v = run.velocity(s.ball), w = spin(run, s.ball);
    CHECK(v.x() > 0.3);
    CHECK(-w.z() * 0.1 == Approx(v.x()).epsilon(1e-3));
  }
}

TEST_CASE("Thrown at a target it comes there", "[motion]") {
  std::uint64_t seed = 7;
  const auto dice = [&] {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(seed >> 11) / 9007199254740992.0;
  };
  for (int k = 0; k < 40; ++k) {
    INFO("case " << k);
    Stage s(Vec3(0, 1, 0));
    const Vec3 target(4 * dice() - 2, 1 + 3 * dice(), 4 * dice() - 2);
    const double time = k % 4 == 0 ? 0 : 0.4 + dice(), begin = 0.3 * dice();
    // It falls before it is thrown.
    s.graph.wire(s.at(begin), s.graph.does("aim", s.ball, {{"x", target.x()}, {"y", target.y()}, {"z", target.z()}, {"duration", time}}));
    MotionRun run(s.world);
    double nearest = 1e9, when = 0;
    for (int i = 0; i < 480; ++i) {
      run.go(1);
      const double off = (run.at(s.ball).centre - target).norm();
      if (off < nearest) when = static_cast<double>(run.state.substep) * run.model->step;
      nearest = std::min(nearest, off);
    }
    // Between two sub-steps it is half of one's way off.
    CHECK(nearest < 0.01 + 0.5 * run.model->step * 8);
    if (time > 0) {
      Stage again(Vec3(0, 1, 0));
      again.world = s.world;
      MotionRun exact(again.world);
      const auto start = static_cast<std::int64_t>(std::ceil(begin / exact.model->step - 1e-9));
      const auto steps = start + static_cast<std::int64_t>(std::llround(time / exact.model->step));
      exact.go(static_cast<int>(steps));
      const Vec3 v = exact.velocity(s.ball);
      const double rest = time - static_cast<double>(steps - start) * exact.model->step;
      CHECK((exact.at(s.ball).centre + rest * v - target).norm() < 1e-3);
      CHECK(when == Approx(static_cast<double>(start) * exact.model->step + time).margin(2 * exact.model->step));
    }
  }
}

TEST_CASE("Thrown at another object, wherever that is", "[motion]") {
  Stage s(Vec3(0, 1, 0));
  Object goal = World::sphere(0.1, Vec3(2, 3, 1));
  goal.body.kind = BodyKind::fixed;
  goal.contact.shape = ContactShape::none;
  const Id there = s.world.add(goal);
  s.from_start(s.graph.does("aim", s.ball, {{"duration", 1}}, there));
  MotionRun run(s.world);
  run.go(240);
  CHECK((run.at(s.ball).centre - Vec3(2, 3, 1)).norm() < 1e-9);
}

TEST_CASE("A throw flies a parabola from the moment of its event, whatever is thrown", "[motion]") {
  for (const bool soft : {false, true}) {
    World world;
    Object o = soft ? World::jelly(0.2, Vec3(0, 5, 0), 500) : World::sphere(0.1, Vec3(0, 5, 0));
    const Id body = world.add(o);
    Graph graph(world);
    graph.wire(graph.when("time", body, {{"time", 0}}),
               graph.does("throw", body, {{"x", 3}, {"y", 4}, {"spins", 1}, {"sy", 2}}));
    MotionRun run(world);
    run.go(120);
    const double t = 0.5;
    CHECK((run.at(body).centre - Vec3(3 * t, 5 + 4 * t - 0.5 * kG * t * t, 0)).norm() < 1e-9);
    const Observables seen = run.at(body);
    CHECK(seen.angular_momentum.normalized().y() == Approx(1).margin(1e-6));
    CHECK(run.marks.size() == 5);  // armed, happened, disarmed, started, ended
  }
}

TEST_CASE("What is given at once is booked", "[motion]") {
  for (const bool soft : {false, true}) {
    World world;
    Object o = soft ? World::jelly(0.2, Vec3(0, 5, 0), 500) : World::sphere(0.1, Vec3(0, 5, 0));
    o.body.gravity = false;
    o.body.damping = 0;
    const Id body = world.add(o);
    Graph graph(world);
    graph.wire(graph.loop(graph.when("frame", body, {{"every", 10}})),
               graph.does("throw", body, {{"x", 1}, {"y", 2}, {"added", 1}, {"spins", 1}, {"sz", 1}}));
    MotionRun run(world);
    const double start = run.energy();
    double given = 0;
    for (int k = 0; k < 200; ++k) {
      StepReport report = run.step();
      given += report.given;
    }
    CHECK(given > 1);
    // The elastic solver keeps energy to its own error.
    CHECK(run.energy() - start == Approx(given).epsilon(soft ? 1e-3 : 1e-9));
  }
}

TEST_CASE("A push is as strong and as long as it is told", "[motion]") {
  Stage s(Vec3(0, 3, 0), false);
  s.graph.wire(s.at(0.1), s.graph.does("push", s.ball, {{"x", 6}, {"duration", 0.25}}));
  MotionRun run(s.world);
  run.seconds(1);
  CHECK(run.velocity(s.ball).x() == Approx(6 * 0.25).epsilon(1e-9));
}

TEST_CASE("It is brought to rest in time, and stays there until physics has it again", "[motion]") {
  Stage s(Vec3(0, 3, 0));
  s.world.scene = with_object(s.world.scene, s.ball, [](Object& o) {
    o.body.velocity = Vec3(2, 1, 0);
    o.body.spin = Vec3(0, 5, 1);
  });
  s.graph.chain({s.at(0.1), s.graph.does("stop", s.ball, {{"duration", 0.5}}), s.graph.when("finished", s.ball)});
  MotionRun run(s.world);
  run.seconds(0.1);
  const double speed = run.velocity(s.ball).norm();
  run.seconds(0.25);
  CHECK(run.velocity(s.ball).norm() == Approx(0.5 * speed).epsilon(0.02));
  run.seconds(0.25);
  CHECK(run.velocity(s.ball).norm() < 1e-9);
  CHECK(spin(run, s.ball).norm() < 1e-9);
  run.seconds(0.1);
  CHECK(run.velocity(s.ball).y() == Approx(-kG * 0.1).epsilon(1e-6));
}

TEST_CASE("Gravity is made weaker, and given to what has none", "[motion]") {
  for (const bool own : {true, false}) {
    Stage s(Vec3(0, 3, 0), own);
    s.from_start(s.graph.does("gravity", s.ball, {{"gain", 0.25}, {"duration", 0.5}}));
    MotionRun run(s.world);
    run.seconds(0.5);
    CHECK(run.velocity(s.ball).y() == Approx(-0.25 * kG * 0.5).epsilon(1e-9));
    run.seconds(0.1);
    CHECK(run.velocity(s.ball).y() == Approx(-0.25 * kG * 0.5 - (own ? kG * 0.1 : 0)).epsilon(1e-9));
  }
}

TEST_CASE("Collide, slide and land say what a contact is like", "[motion]") {
  const auto ran = [](const char* kind, const Numbers& numbers, double seconds) {
    Stage s(Vec3(0, 1.1, 0));
    s.world.scene = with_object(s.world.scene, s.ball, [](Object& o) { o.body.velocity = Vec3(1, 0, 0); });
    s.from_start(s.graph.does(kind, s.ball, numbers, s.floor));
    MotionRun run(s.world);
    double highest = 0;
    bool hit = false;
    for (int k = 0; k < static_cast<int>(seconds * 240); ++k) {
      run.go(1);
      hit = hit || !run.events.empty();
      if (hit) highest = std::max(highest, run.at(s.ball).centre.y() - 0.1);
    }
    return std::tuple(highest, run.velocity(s.ball), spin(run, s.ball));
  };
  {
    const auto [high, v, w] = ran("collide", {{"restitution", 1}, {"friction", 0}}, 1);
    CHECK(high == Approx(1).epsilon(0.01));
    CHECK(v.x() == Approx(1).epsilon(1e-9));
  }
  {
    const auto [high, v, w] = ran("slide", {}, 1);
    CHECK(high < 0.01);
    CHECK(v.x() == Approx(1).epsilon(1e-9));
    CHECK(w.norm() < 1e-9);
  }
  {
    const auto [high, v, w] = ran("land", {{"friction", 10}}, 1);
    CHECK(high < 0.01);
    CHECK(v.x() == Approx(-0.1 * w.z()).epsilon(1e-3));
    CHECK(v.x() == Approx(5.0 / 7).epsilon(0.02));
  }
}

TEST_CASE("What is told of contacts wakes what sleeps", "[motion]") {
  // On a slope it lies by friction, until that goes.
  World world;
  Object slope = World::box(Vec3(4, 0.2, 2), Vec3::Zero());
  slope.body.kind = BodyKind::fixed;
  const Quat tilt(Eigen::AngleAxisd(0.2, Vec3::UnitZ()));
  slope.transform.rotation = tilt;
  const Id below = world.add(slope);
  Object o = World::box(Vec3(0.2, 0.2, 0.2), tilt * Vec3(0, 0.2001, 0));
  o.transform.rotation = tilt;
  o.material.substance.friction = 1;
  const Id block = world.add(o);
  Graph graph(world);
  graph.wire(graph.when("time", block, {{"time", 2}}), graph.does("slide", block, {{"friction", 0}}, below));
  MotionRun run(world);
  run.seconds(2);
  const Vec3 lay = run.at(block).centre;
  CHECK(run.velocity(block).norm() < 1e-3);
  run.seconds(0.5);
  CHECK((run.at(block).centre - lay).norm() == Approx(0.5 * kG * std::sin(0.2) * 0.25).epsilon(0.05));
}

TEST_CASE("It breaks through, and only while it is told to, and is not thrown out", "[motion]") {
  World world;
  world.floor();
  Object plate = World::box(Vec3(2, 0.3, 2), Vec3(0, 2, 0));
  plate.body.kind = BodyKind::fixed;
  const Id between = world.add(plate);
  const Id ball = world.add(World::sphere(0.2, Vec3(0, 3, 0)));
  Graph graph(world);
  // Told for a time that ends while it is inside.
  const Id pass = graph.does("pass", ball, {{"duration", 0.42}}, between);
  graph.wire(graph.when("time", ball), pass);
  MotionRun run(world);
  double fastest = 0;
  for (int k = 0; k < 480; ++k) {
    run.go(1);
    fastest = std::max(fastest, run.velocity(ball).norm());
  }
  CHECK(run.at(ball).centre.y() < 1.85);
  CHECK(fastest < std::sqrt(2 * kG * 3));
  CHECK(run.time_of(pass, 0, MotionTurn::ended) > 0.5);
  CHECK(run.time_of(pass, 0, MotionTurn::ended) < 0.6);
}

TEST_CASE("Held it stays, whatever hits it; let go it falls as it stood", "[motion]") {
  Stage s(Vec3(0, 2, 0));
  s.world.add(World::sphere(0.1, Vec3(0, 2.6, 0), 50));
  s.graph.chain({s.at(0.1), s.graph.does("hold", s.ball)});
  s.graph.chain({s.at(1), s.graph.does("let_go", s.ball)});
  MotionRun run(s.world);
  run.seconds(0.1);
  const Vec3 there = run.at(s.ball).centre;
  run.seconds(0.9);
  CHECK((run.at(s.ball).centre - there).norm() < 1e-12);
  run.seconds(0.2);
  CHECK(run.at(s.ball).centre.y() < there.y() - 0.1);
}

TEST_CASE("Along a curve, and off it as it goes", "[motion]") {
  Stage s(Vec3(0, 2, 0), false);
  Curve curve;
  curve.id = next_id(s.world.scene);
  curve.kind = CurveKind::line;
  curve.points = {{Vec3(1, 2, 0)}, {Vec3(3, 2, 0)}, {Vec3(3, 2, 2)}};
  s.world.scene.curves.push_back(Shared<Curve>(curve));
  const Id follow = s.graph.does("follow", s.ball, {{"duration", 2}, {"blend", 0.5}}, curve.id);
  s.graph.chain({s.at(0.5), follow, s.graph.when("finished", s.ball)});
  MotionRun run(s.world);
  Vec3 last = run.at(s.ball).centre;
  double jump = 0;
  for (int k = 0; k < 360; ++k) {
    run.go(1);
    jump = std::max(jump, (run.at(s.ball).centre - last).norm());
    last = run.at(s.ball).centre;
  }
  CHECK(jump < 0.03);  // it comes onto the curve without a leap
  run.seconds(0.5);
  CHECK((run.at(s.ball).centre - Vec3(3, 2, 1)).norm() < 1e-9);  // half-way, with half a second left
  run.seconds(0.5);
  CHECK((run.at(s.ball).centre - Vec3(3, 2, 2)).norm() < 1e-9);
  CHECK(run.count(follow, MotionTurn::ended) == 1);
  run.seconds(0.5);
  CHECK((run.velocity(s.ball) - Vec3(0, 0, 2)).norm() < 1e-6);
}

TEST_CASE("Events of contact: with whom, how hard, how often, touching and leaving", "[motion]") {
  World world;
  const Id floor = world.floor(0.5, 0);
  const Id ball = world.add(World::sphere(0.1, Vec3(0, 1.1, 0)));
  const Id other = world.add(World::sphere(0.1, Vec3(3, 0.1, 0)));
  Graph graph(world);
  graph.wire(graph.when("time", ball), graph.does("bounce", ball, {{"restitution", 0.7}, {"until", 0.3}}, floor));
  const Id hits = graph.loop(graph.when("contact", ball, {}, floor)), never = graph.when("contact", ball, {}, other),
           hard = graph.loop(graph.when("contact", ball, {{"above", 4}})),
           third = graph.when("bounces", ball, {{"count", 3}}, floor), leaves = graph.when("leave", ball, {}, floor),
           rests = graph.when("rest", ball, {{"slower", 0.01}, {"duration", 0.2}}),
           touches = graph.when("touch", other, {}, floor);
  MotionRun run(world);
  run.go(240 * 6);
  CHECK(run.count(never) == 0);
  CHECK(run.count(hits) > 4);
  CHECK(run.count(hard) >= 2);  // 4.43 m/s, and so much more as it leaves with
  CHECK(run.count(hard) < run.count(hits));
  const double first = std::sqrt(2 / kG);
  CHECK(run.time_of(hits) == Approx(first).margin(run.model->step));
  CHECK(run.time_of(third) == Approx(run.time_of(hits, 2)).margin(1e-9));
  CHECK(run.time_of(leaves) > first);
  CHECK(run.time_of(leaves) < first + 0.05);
  CHECK(run.time_of(touches) < 0.05);
  REQUIRE(run.count(rests) == 1);
  CHECK(run.time_of(rests) > run.time_of(hits, run.count(hits) - 1));
}

TEST_CASE("Events of state are found where the closed form has them", "[motion]") {
  Stage s(Vec3(0, 5, 0));
  const Id near_goal = s.world.add([] {
    Object goal = World::sphere(0.1, Vec3(0, 0.5, 0));
    goal.body.kind = BodyKind::fixed;
    goal.contact.shape = ContactShape::none;
    return goal;
  }());
  const Id fast = s.graph.when("speed", s.ball, {{"limit", 5}}), low = s.graph.when("height", s.ball, {{"limit", 3}}),
           near_it = s.graph.when("near", s.ball, {{"limit", 2}}, near_goal),
           there = s.graph.when("place", s.ball, {{"y", 2}, {"radius", 0.5}}),
           both = s.graph.only_if(s.graph.when("condition", s.ball), "y < 4 && vy < -6");
  MotionRun run(s.world);
  run.go(240);
  const double h = run.model->step;
  const auto fallen = [](double way) { return std::sqrt(2 * way / kG); };
  CHECK(run.time_of(fast) == Approx(5 / kG).margin(1e-6));
  CHECK(run.time_of(low) == Approx(fallen(2)).margin(1e-4));
  CHECK(run.time_of(near_it) == Approx(fallen(2.5)).margin(1e-4));
  CHECK(run.time_of(there) == Approx(fallen(2.5)).margin(1e-4));
  CHECK(run.time_of(both) == Approx(6 / kG).margin(2 * h));
}

TEST_CASE("What bends: strain and volume", "[motion]") {
  World world;
  world.floor();
  const Id jelly = world.add(World::jelly(0.3, Vec3(0, 1, 0), 300));
  Graph graph(world);
  const Id strained = graph.when("strain", jelly, {{"limit", 0.05}}), flat = graph.when("volume", jelly, {{"limit", 0.97}});
  MotionRun run(world);
  run.go(240);
  REQUIRE(run.count(strained) == 1);
  REQUIRE(run.count(flat) == 1);
  CHECK(run.time_of(strained) > std::sqrt(2 * 0.7 / kG) - 0.01);
}
