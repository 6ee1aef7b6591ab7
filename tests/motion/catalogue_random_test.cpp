// Motions drawn at random, saved, read again and put on other things: what comes is a valid scene that names nothing that is not there.
#include <catch2/catch.hpp>

#include "core/motion/check.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/support/random_motion.h"
#include "tests/support/sanitized.h"

namespace catalogue_random_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

MotionBody body_by_mesh(const Object& object) {
  MeshStore meshes;
  return motion_body(object, *meshes.mesh(object));
}

bool is_there(const Scene& scene, std::uint64_t id) {
  const auto in = [id](const auto& list) {
    return std::any_of(list.begin(), list.end(), [id](const auto& one) { return one->id.value == id; });
  };
  return id == 0 || in(scene.objects) || in(scene.collections) || in(scene.curves) || in(scene.cameras) ||
         in(scene.sounds) || in(scene.markers);
}

}  // namespace

TEST_CASE("200 motions drawn at random are saved, read and put on other things", "[motion][catalogue]") {
  int put_on = 0, along = 0, behind = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(test::rounds(200, 25)); ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(20261130 + seed);
    RandomMotionScene drawn(dice);
    std::set<Id> chosen;
    const Scene motion = drawn.motion(body_by_mesh, chosen);
    const std::set<Id> left = left_behind(drawn.world.scene, chosen);
    behind += static_cast<int>(left.size());
    CHECK(motion.motion.size() == chosen.size() - left.size());
    for (const auto& node : motion.motion)
      for (const MotionWire& wire : node->wires) CHECK(find_motion(motion, Id{wire.to}));
    for (const Diagnostic& one : validate(motion)) {
      INFO(to_string(one));
      CHECK(one.severity != Severity::error);
    }
    const std::string text = scene_to_text(motion);
    const auto read = scene_from_text(text, "/nowhere");
    REQUIRE(read.ok());
    CHECK(scene_to_text(*read) == text);
    if (!no_motion(*read).empty()) continue;
    World other;
    other.floor();
    if (dice.uniform() < 0.3) {
      Camera camera;
      camera.id = next_id(other.scene);
      camera.name = "Near";
      other.scene.cameras.push_back(Shared<Camera>(camera));
    }
    const Id thing = add_random_thing(other, dice);
    const MotionAdapts adapts{dice.uniform() < 0.8, dice.uniform() < 0.8, dice.uniform() < 0.8, dice.uniform() < 0.8};
    const auto put = put_motion(other.scene, *read, {{stand_ins(*read).front().id, thing}}, adapts, body_by_mesh);
    REQUIRE(put.ok());
    ++put_on;
    INFO(scene_to_text(put->scene));
    CHECK_FALSE(has_error(validate(put->scene)));
    CHECK(put->boxes.size() == read->motion.size());
    for (const Id box : put->boxes) {
      const MotionNode& node = *find_motion(put->scene, box);
      CHECK(is_there(put->scene, node.object));
      CHECK(is_there(put->scene, node.other));
      for (const MotionWire& wire : node.wires) CHECK(put->boxes.count(Id{wire.to}));
    }
    along += static_cast<int>(put->scene.cameras.size() + put->scene.sounds.size() + put->scene.markers.size());
    const std::string after = scene_to_text(put->scene);
    const auto again = scene_from_text(after, "/nowhere");
    REQUIRE(again.ok());
    CHECK(scene_to_text(*again) == after);
    World made;
    made.scene = put->scene;
    MotionRun run(made);
    run.go(6);
  }
  CHECK(put_on > test::rounds(120, 15));
  CHECK(along > test::rounds(50, 5));
  CHECK(behind > test::rounds(20, 2));
}

TEST_CASE("Cameras, sounds and markers come along with a motion; of particles the wires go on", "[motion][catalogue]") {
  World world;
  const Id ball = world.add(World::sphere(0.25, Vec3(0, 0.25, 0)));
  Scene& scene = world.scene;
  Camera camera;
  camera.id = next_id(scene);
  camera.name = "Close";
  camera.position = Vec3(1, 1, 1);
  camera.looks_at = ball.value;
  scene.cameras.push_back(Shared<Camera>(camera));
  Sound sound;
  sound.id = next_id(scene);
  sound.name = "Thud";
  sound.file = "/sounds/thud.wav";
  scene.sounds.push_back(Shared<Sound>(sound));
  for (const double time : {0.5, 1.5}) {
    Marker marker;
    marker.id = next_id(scene);
    marker.name = "Beat";
    marker.time = time;
    scene.markers.push_back(Shared<Marker>(marker));
  }
  ParticleSource source;
  source.id = next_id(scene);
  scene.particles.push_back(Shared<ParticleSource>(source));
  Graph graph(world);
  const Id beat = graph.when("marker", ball, {}, scene.markers[0]->id), dust = graph.does("emit", ball, {}, source.id),
           cut = graph.does("cut", ball, {}, camera.id), play = graph.does("play", ball, {}, sound.id),
           thrown = graph.does("throw", ball, {{"y", 2}});
  graph.chain({beat, dust, cut});
  graph.wire(beat, play);
  graph.wire(dust, thrown);
  const std::set<Id> boxes = {beat, dust, cut, play, thrown};
  CHECK(left_behind(scene, boxes) == std::set<Id>{dust});
  const BodyOf size = [](const Object& object) { return MotionBody{object.name == "big" ? 2.0 : 0.5, 1}; };
  const Scene motion = motion_of(scene, boxes, "Beat", "On the beat.", size);
  CHECK(motion.motion.size() == 4);
  CHECK(find_motion(motion, beat)->wires.size() == 3);
  CHECK(motion.markers.size() == 2);

  World other;
  Object o = World::sphere(1, Vec3(10, 1, 0));
  o.name = "big";
  const Id big = other.add(o);
  const auto put = put_motion(other.scene, motion, {{ball, big}}, {}, size);
  REQUIRE(put.ok());
  REQUIRE(put->scene.cameras.size() == other.scene.cameras.size() + 1);
  const Camera& there = *put->scene.cameras.back();
  CHECK(there.looks_at == big.value);
  CHECK((there.position - (Vec3(10, 1, 0) + 4 * (Vec3(1, 1, 1) - Vec3(0, 0.25, 0)))).norm() < 1e-12);
  REQUIRE(put->scene.sounds.size() == 1);
  CHECK(put->scene.sounds[0]->waits);
  REQUIRE(put->scene.markers.size() == 2);
  CHECK(put->scene.markers[1]->time == Approx(3));
  CHECK(motion_problems(put->scene).empty());
  // Put once more it means the same camera, sound and markers.
  const auto twice = put_motion(put->scene, motion, {{ball, big}}, {}, size);
  REQUIRE(twice.ok());
  CHECK(twice->scene.cameras.size() == put->scene.cameras.size());
  CHECK(twice->scene.sounds.size() == 1);
  CHECK(twice->scene.markers.size() == 2);
}

}  // namespace catalogue_random_test
