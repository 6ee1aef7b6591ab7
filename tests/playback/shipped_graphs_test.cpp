// What the shipped scenes of motion graphs, and of elastic models for large deformation, must show.
#include <catch2/catch.hpp>

#include "tests/playback/show.h"

namespace shipped_graphs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// Extent of what is seen, along y.
float height(const ObjectFrame& o) {
  float low = o.vertices.front().y(), high = low;
  for (const Vec3f& p : o.vertices) low = std::min(low, p.y()), high = std::max(high, p.y());
  return high - low;
}

/// How far its top is ahead of its foot (+x), in the means of a fifth of its height.
float lean(const ObjectFrame& o) {
  float low = o.vertices.front().y(), high = low, sum[2] = {0, 0}, count[2] = {0, 0};
  for (const Vec3f& p : o.vertices) low = std::min(low, p.y()), high = std::max(high, p.y());
  for (const Vec3f& p : o.vertices)
    for (int end = 0; end < 2; ++end)
      if (std::abs(p.y() - (end ? high : low)) < 0.2f * (high - low)) sum[end] += p.x(), ++count[end];
  return sum[1] / count[1] - sum[0] / count[0];
}

}  // namespace

TEST_CASE("the ball crouches, hops up all three steps, and lands flat on each", "[shipped][motion]") {
  Show show(shipped("hopping_ball"));
  const int last = show.scene.settings.last_frame;
  CHECK(height(show.at(50, "Ball")) < 0.8f * height(show.at(0, "Ball")));  // it crouches
  float flattest = 1;
  bool on_step[3] = {false, false, false};
  for (int f = 60; f <= last; f += 2) {
    const ObjectFrame ball = show.at(f, "Ball");
    flattest = std::min(flattest, height(ball) / 0.6f);
    for (int k = 0; k < 3; ++k) {
      const float x = ball.position.x() - (-0.6f + 1.25f * static_cast<float>(k)), y = ball.position.y();
      on_step[k] =
          on_step[k] || (std::abs(x) < 0.5f && std::abs(y - 0.32f * static_cast<float>(k + 1) - 0.25f) < 0.12f);
    }
  }
  CHECK(flattest < 0.65f);
  for (const bool reached : on_step) CHECK(reached);
  CHECK(show.at(last, "Ball").position.y() > 0.96f);  // it stays on the last one
}

TEST_CASE("the car draws itself up, goes, and stands where it has braked", "[shipped][motion]") {
  Show show(shipped("rearing_car"));
  const float level = lean(show.at(20, "Car"));
  CHECK(lean(show.at(85, "Car")) < level - 0.1f);
  CHECK(show.at(85, "Car").position.x() == Approx(show.at(0, "Car").position.x()).margin(0.2));
  CHECK(lean(show.at(130, "Car")) < level - 0.05f);  // it is left behind
  CHECK(lean(show.at(200, "Car")) > level + 0.05f);  // and goes on
  CHECK(show.at(270, "Car").position.x() > 1);
  CHECK(show.at(270, "Car").position.x() == Approx(show.at(250, "Car").position.x()).margin(0.05));
  CHECK(lean(show.at(270, "Car")) == Approx(level).margin(0.05));
}

TEST_CASE("the clock hops upright, its arms keep their places, and the one that feels more swings more",
          "[shipped][motion]") {
  Show show(shipped("clock_with_arms"));
  const int last = show.scene.settings.last_frame;
  float highest = 0, swings[2] = {0, 0};
  const char* arms[] = {"Left arm", "Right arm"};
  Vec3f rest[2];
  for (int f = 0; f <= last; f += 2) {
    const Frame frame = show.at(f);
    const ObjectFrame& clock = *frame.find(show.object("Clock").id);
    CHECK(show.upright(f, "Clock") > 0.9);
    if (f > 60) highest = std::max(highest, clock.position.y());
    for (int k = 0; k < 2; ++k) {
      const ObjectFrame& arm = *frame.find(show.object(arms[k]).id);
      // The furthest of it from its shoulder, in the axes of the case.
      Vec3f glove = Vec3f::Zero();
      float far = 0;
      for (const Vec3f& p : arm.vertices)
        if ((p - arm.position).norm() > far) far = (p - arm.position).norm(), glove = p;
      const Vec3f local = clock.rotation.conjugate() * Vec3f(glove - arm.position);
      if (f == 0) rest[k] = local;
      swings[k] = std::max(swings[k], Vec3f(local - rest[k]).norm());
      CHECK(Vec3f(arm.position - clock.position).norm() < 1.2f);
    }
  }
  CHECK(highest > 0.15f);
  INFO("swings " << swings[0] << " and " << swings[1] << " m");
  CHECK(swings[0] > 0.05f);
  CHECK(swings[0] > 1.3f * swings[1]);
}

TEST_CASE("how hard the last domino hits decides what becomes of its ball", "[shipped][motion]") {
  Show show(shipped("domino_branch"));
  const int last = show.scene.settings.last_frame;
  const auto moved = [&](const char* ball) { return Vec3f(show.at(last, ball).position - show.at(0, ball).position); };
  CHECK(moved("Weak").norm() < 0.02f);
  CHECK(moved("Medium").x() > 0.2f);
  CHECK(show.at(last, "Medium").position.y() == Approx(0.09).margin(0.01));
  const Vec3f bowl = show.at(0, "Bowl").position - show.at(last, "Strong").position;
  CHECK(Vec3f(bowl.x(), 0, bowl.z()).norm() < 0.3f);
}

TEST_CASE("the bar of cells keeps its volume as it bends, that of springs swells", "[shipped][solvers][slow]") {
  Show show(shipped("bent_bars"));
  double springs = 0, cells = 0;
  for (int f = 0; f <= 300; f += 2) {
    springs = std::max(springs, show.volume(f, "Springs") / show.volume(0, "Springs"));
    cells = std::max(cells, show.volume(f, "Cells") / show.volume(0, "Cells"));
  }
  CAPTURE(springs, cells);
  CHECK(springs > 1.2);
  CHECK(cells < 1.1);
  for (const char* name : {"Springs", "Cells"}) CHECK(show.at(300, name).position.y() > 0.6);  // on its edge
}

TEST_CASE("the puddings wobble and stay in shape", "[shipped][solvers][slow]") {
  Show show(shipped("puddings"));
  for (const char* name : {"Vanilla", "Chocolate", "Strawberry"}) {
    CAPTURE(name);
    CHECK(show.volume(300, name) == Approx(show.volume(0, name)).epsilon(0.1));
    CHECK(show.upright(300, name) > 0.95);
    CHECK((show.at(300, name).position - show.at(280, name).position).norm() < 0.05);  // 0.024: it sways
  }
}

}  // namespace shipped_graphs_test
