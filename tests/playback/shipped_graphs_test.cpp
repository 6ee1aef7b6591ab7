// What the shipped scenes of motion graphs must show.
#include <catch2/catch.hpp>

#include "core/motion/compile.h"
#include "core/playback/simulator.h"
#include "core/scene/file/scene_io.h"

namespace shipped_graphs_test {

using namespace hazumi;

namespace {

struct Show {
  Scene scene;
  MeshStore meshes;
  std::unique_ptr<Simulator> simulator;

  explicit Show(const char* name) {
    auto read = load_scene(std::string(HAZUMI_SOURCE_DIR "/scenes/") + name + ".json");
    REQUIRE(read.ok());
    scene = std::move(read).value();
    const auto surfaces = meshes.prepare(scene, 2);
    auto model = compile(scene, meshes);
    REQUIRE(model.ok());
    simulator = std::make_unique<Simulator>(*model, 1);
  }
  ObjectFrame at(int frame, const char* name) {
    REQUIRE(simulator->state_at(frame) != nullptr);
    const Frame all = simulator->frame_at(frame);
    for (const auto& object : scene.objects)
      if (object->name == name) return *all.find(object->id);
    FAIL("no object " << name);
    return {};
  }
};

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
  Show show("hopping_ball");
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
  Show show("rearing_car");
  const float level = lean(show.at(20, "Car"));
  CHECK(lean(show.at(85, "Car")) < level - 0.1f);
  CHECK(show.at(85, "Car").position.x() == Approx(show.at(0, "Car").position.x()).margin(0.2));
  CHECK(lean(show.at(130, "Car")) < level - 0.05f);  // it is left behind
  CHECK(lean(show.at(200, "Car")) > level + 0.05f);  // and goes on
  CHECK(show.at(270, "Car").position.x() > 1);
  CHECK(show.at(270, "Car").position.x() == Approx(show.at(250, "Car").position.x()).margin(0.05));
  CHECK(lean(show.at(270, "Car")) == Approx(level).margin(0.05));
}

TEST_CASE("how hard the last domino hits decides what becomes of its ball", "[shipped][motion]") {
  Show show("domino_branch");
  const int last = show.scene.settings.last_frame;
  const auto moved = [&](const char* ball) { return Vec3f(show.at(last, ball).position - show.at(0, ball).position); };
  CHECK(moved("Weak").norm() < 0.02f);
  CHECK(moved("Medium").x() > 0.2f);
  CHECK(show.at(last, "Medium").position.y() == Approx(0.09).margin(0.01));
  const Vec3f bowl = show.at(0, "Bowl").position - show.at(last, "Strong").position;
  CHECK(Vec3f(bowl.x(), 0, bowl.z()).norm() < 0.3f);
}

}  // namespace shipped_graphs_test
