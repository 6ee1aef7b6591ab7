// What the shipped scenes of motion graphs, and of elastic models for large deformation, must show.
#include <catch2/catch.hpp>

#include "core/scene/derived/cameras.h"
#include "tests/playback/show.h"

namespace shipped_graphs_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// From where to where what is seen reaches along an axis.
std::array<float, 2> across(const ObjectFrame& o, int axis) {
  float low = o.vertices.front()[axis], high = low;
  for (const Vec3f& p : o.vertices) low = std::min(low, p[axis]), high = std::max(high, p[axis]);
  return {low, high};
}

float extent(const ObjectFrame& o, int axis) {
  const auto [low, high] = across(o, axis);
  return high - low;
}
float height(const ObjectFrame& o) { return extent(o, 1); }
float length(const ObjectFrame& o) { return extent(o, 0); }

/// How far its top is ahead of its foot (+x), in the means of a fifth of its height.
float lean(const ObjectFrame& o) {
  const auto [low, high] = across(o, 1);
  float sum[2] = {0, 0}, count[2] = {0, 0};
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

TEST_CASE("the car draws itself up, goes, and stands where it has braked", "[shipped][motion][slow]") {
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

TEST_CASE("the top of the bus stays behind as it starts and goes on where it stops", "[shipped][motion][slow]") {
  Show show(shipped("soft_bus"));
  const int last = show.scene.settings.last_frame;
  const float level = lean(show.at(30, "Bus"));
  float back = level, ahead = level;
  for (int f = 36; f <= 150; f += 3) {
    const float now = lean(show.at(f, "Bus"));
    back = std::min(back, now), ahead = std::max(ahead, now);
  }
  CHECK(back < level - 0.1f);   // figure 4.11
  CHECK(ahead > level + 0.1f);  // figure 4.12
  CHECK(show.at(last, "Bus").position.x() ==
        Approx(show.object("Sign where it stops").transform.position.x()).margin(0.5));
  CHECK(show.at(last, "Bus").position.x() == Approx(show.at(last - 30, "Bus").position.x()).margin(0.02));
  CHECK(lean(show.at(last, "Bus")) == Approx(level).margin(0.04));
}

TEST_CASE("the soft car humps up, is drawn out on its way, and stops as long as it was", "[shipped][motion][slow]") {
  Show show(shipped("soft_car"));
  const int last = show.scene.settings.last_frame;
  const float at_rest = length(show.at(0, "Car")), tall = height(show.at(0, "Car"));
  CHECK(length(show.at(80, "Car")) < 0.85f * at_rest);
  CHECK(height(show.at(80, "Car")) > 1.1f * tall);
  CHECK(show.at(90, "Car").position.x() < show.at(0, "Car").position.x() - 0.1f);  // it draws back
  CHECK(length(show.at(140, "Car")) > 1.25f * at_rest);
  CHECK(length(show.at(last, "Car")) == Approx(at_rest).epsilon(0.02));
  CHECK(show.at(last, "Car").position.x() > 1);
  CHECK(show.at(last, "Car").position.x() == Approx(show.at(last - 30, "Car").position.x()).margin(0.02));
}

TEST_CASE("of two dolls pushed alike the light one flies and the one with heavy feet bends", "[shipped][slow]") {
  Show show(shipped("dolls"));
  const int last = show.scene.settings.last_frame;
  std::vector<std::size_t> ends[2];  // vertices of its feet and of its head
  const ObjectFrame first = show.at(0, "Heavy doll");
  const auto rims = across(first, 1);
  const float near_rim = 0.2f * height(first);
  for (std::size_t v = 0; v < first.vertices.size(); ++v)
    for (int top = 0; top < 2; ++top)
      if (std::abs(first.vertices[v].y() - rims[top]) < near_rim) ends[top].push_back(v);
  const auto end = [&](const ObjectFrame& o, bool top) {
    Vec3f sum = Vec3f::Zero();
    for (const std::size_t v : ends[top]) sum += o.vertices[v];
    return Vec3f(sum / static_cast<float>(ends[top].size()));
  };
  const ObjectFrame stands = show.at(34, "Heavy doll");  // before the push
  const Vec3f feet = end(stands, false), head = end(stands, true);
  float slides = 0, bends = 0, lifts = 0;
  for (int f = 34; f <= last; f += 3) {
    slides = std::max(slides, (end(show.at(f, "Heavy doll"), false) - feet).norm());
    bends = std::max(bends, (end(show.at(f, "Heavy doll"), true) - head).norm());
    lifts = std::max(lifts, across(show.at(f, "Light doll"), 1)[0]);
  }
  INFO(slides << " m, " << bends << " m, " << lifts << " m");
  CHECK(slides < 0.12f);
  CHECK(bends > 0.3f);
  CHECK(lifts > 0.15f);
  const ObjectFrame after = show.at(last, "Heavy doll");
  CHECK(std::abs(end(after, true).x() - end(after, false).x()) < 0.08f);  // upright again
  CHECK(show.at(last, "Light doll").position.x() > show.at(0, "Light doll").position.x() + 1.5f);
}

TEST_CASE("the ball shows the twelve principles, each as it is to be seen", "[shipped][motion]") {
  Show show(shipped("twelve_principles"));
  const Scene& scene = show.scene;
  const int last = scene.settings.last_frame;
  std::vector<float> tall, swing;  // of each frame: how high the ball is, and how far its antenna leans in its axes
  std::vector<Vec3f> place;
  double least = 1e9, most = 0;
  const double volume = show.volume(0, "Ball");
  for (int f = 0; f <= last; ++f) {
    const Frame frame = show.at(f);
    const ObjectFrame &ball = *frame.find(show.object("Ball").id), &antenna = *frame.find(show.object("Antenna").id);
    tall.push_back(height(ball) / 0.6f);
    place.push_back(ball.position);
    Vec3f knob = antenna.vertices.front();
    for (const Vec3f& p : antenna.vertices)
      if ((p - ball.position).norm() > (knob - ball.position).norm()) knob = p;
    const Vec3f local = ball.rotation.conjugate() * Vec3f(knob - ball.position);
    swing.push_back(std::hypot(local.x(), local.z()));
    least = std::min(least, show.volume(f, "Ball") / volume);
    most = std::max(most, show.volume(f, "Ball") / volume);
  }
  const auto flies = [&](int f) { return f > 0 && std::abs(place[f].x() - place[f - 1].x()) > 0.03f; };
  int leaves = 0, lands = 0;
  for (int f = 1; f <= last && !lands; ++f) {
    if (flies(f) && !leaves) leaves = f;
    if (leaves && !flies(f)) lands = f;
  }
  REQUIRE(leaves > 60);
  REQUIRE(lands > leaves + 20);
  const auto of = [](auto begin, auto end) { return std::minmax_element(begin, end); };
  const auto before = of(tall.begin() + leaves - 40, tall.begin() + leaves),
             after = of(tall.begin() + lands, tall.begin() + lands + 15);
  CHECK(*before.first < 0.8f);  // anticipation
  CHECK(*after.first < 0.7f);   // squash
  float longest = 0;
  for (int f = leaves; f < lands; ++f) {
    const ObjectFrame ball = show.at(f, "Ball");
    for (const Vec3f& p : ball.vertices) longest = std::max(longest, Vec3f(p - ball.position).norm());
  }
  CHECK(longest > 1.08f * 0.3f);                                   // stretch
  CHECK(leaves - std::distance(tall.begin(), before.first) < 20);  // timing: slowly down, off at once
  // Arcs: in the air its middle speeds up by g alone.
  const int mid = (leaves + lands) / 2;
  const Vec3f bend = place[mid + 8] - 2 * place[mid] + place[mid - 8];
  CHECK(bend.y() == Approx(-9.80665 * 64 / 3600).epsilon(0.1));
  CHECK(std::abs(bend.x()) < 0.01f);
  // Slow in, slow out: of a crouch the middle is the fastest.
  const int deepest = static_cast<int>(std::distance(tall.begin(), before.first));
  CHECK(std::abs(tall[deepest - 14] - tall[deepest - 18]) > std::abs(tall[deepest] - tall[deepest - 4]));
  // Exaggeration: the second crouch is deeper.
  const auto second = of(tall.begin() + lands + 25, tall.begin() + lands + 75);
  CHECK(*second.first < *before.first - 0.04f);
  // Secondary action, and follow through: it swings, and goes on after the ball has landed.
  CHECK(*std::max_element(swing.begin(), swing.begin() + lands) > 0.03f);
  const auto still = of(swing.begin() + lands + 10, swing.begin() + lands + 40);
  CHECK(*still.second - *still.first > 0.01f);
  CHECK(least > 0.8);  // solid drawing
  CHECK(most < 1.2);
  CHECK(camera_stretches(scene, 0, last / 60.0).size() == 3);  // staging
  int events = 0, poses = 0;
  for (const auto& node : scene.motion) {
    events += node->role == MotionRole::event;
    poses += node->kind == "pose";
  }
  CHECK(events > 8);  // straight ahead
  CHECK(poses >= 4);  // pose to pose
  // Appeal: it has come through, blushes, and looks where it looked.
  CHECK(place[last].y() > 1.1f);
  CHECK(show.upright(last, "Ball") > 0.8);
  CHECK(show.at(last).looks != nullptr);
}

TEST_CASE("the clock hops upright, its arms keep their places, and the one that feels more swings more",
          "[shipped][motion][slow]") {
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

TEST_CASE("how hard the last domino hits decides what becomes of its ball", "[shipped][motion][slow]") {
  Show show(shipped("domino_branch"));
  const int last = show.scene.settings.last_frame;
  const auto moved = [&](const char* ball) { return Vec3f(show.at(last, ball).position - show.at(0, ball).position); };
  CHECK(moved("Weak").norm() < 0.02f);
  CHECK(moved("Medium").x() > 0.2f);
  CHECK(show.at(last, "Medium").position.y() == Approx(0.09).margin(0.01));
  const Vec3f bowl = show.at(0, "Bowl").position - show.at(last, "Strong").position;
  CHECK(Vec3f(bowl.x(), 0, bowl.z()).norm() < 0.3f);
}

TEST_CASE("the ball on the switch starts the fan, its wind clears the table, and both die away",
          "[shipped][motion][set]") {
  Show show(shipped("fan"));
  const int last = show.scene.settings.last_frame;
  // By how much the propeller turns in a frame: 900 degrees a second are 15, and less than 180 in any case.
  const auto turn = [&](int frame) {
    const Eigen::Quaternionf a = show.at(frame, "Propeller").rotation, b = show.at(frame + 1, "Propeller").rotation;
    return a.angularDistance(b) * 180 / 3.14159265f;
  };
  CHECK(turn(20) < 0.01f);
  CHECK(turn(60) == Approx(15 * (60.5 - 28) / 72).epsilon(0.05));  // half-way up
  CHECK(turn(150) == Approx(15).epsilon(0.01));
  CHECK(turn(270) == Approx(7.5).margin(0.5));
  CHECK(turn(last - 2) < 0.05f);
  for (int k = 1; k <= 9; ++k) {
    const std::string card = "Card " + std::to_string(k);
    INFO(card);
    CHECK((show.at(20, card.c_str()).position - show.at(0, card.c_str()).position).norm() < 0.002f);  // it stands
    CHECK(show.at(last, card.c_str()).position.x() > 1.7f);
    CHECK(show.at(last, card.c_str()).position.y() < 0.2f);
    CHECK((show.at(last, card.c_str()).position - show.at(last - 5, card.c_str()).position).norm() < 0.01f);
  }
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
