// Procedures that make the film: cuts to cameras, and sounds that are heard as things happen.
#include <catch2/catch.hpp>

#include "core/playback/film.h"
#include "core/playback/frame_bytes.h"
#include "core/scene/derived/cameras.h"
#include "core/scene/derived/keyed.h"
#include "tests/support/frames_of.h"
#include "tests/support/graph.h"

namespace cue_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// A ball that falls onto a floor, two cameras, a sound that waits.
struct Stage {
  World world;
  Id ball, near, far, bang;
  Graph graph{world};
  Stage() {
    world.floor(0.5, 0.3);
    ball = world.add(World::sphere(0.1, Vec3(0, 1, 0)));
    near = add_camera("Near");
    far = add_camera("Far");
    Sound sound;
    sound.id = bang = next_id(world.scene);
    sound.name = "Bang";
    sound.file = "/bang.wav";
    sound.gain = 0.5;
    sound.waits = true;
    world.scene.sounds.push_back(sound);
  }
  Id add_camera(const char* name) {
    Camera camera;
    camera.id = next_id(world.scene);
    camera.name = name;
    world.scene.cameras.push_back(camera);
    return camera.id;
  }
  Id does(const char* kind, Id with, std::vector<MotionParameter> parameters = {}) {
    const Id box = graph.does(kind, ball, {}, with);
    graph.change(box, [&](MotionNode& node) { node.parameters = std::move(parameters); });
    return box;
  }
  void at(double time, Id box) { graph.wire(graph.when("time", ball, {{"time", time}}), box); }
};

Id filming(const Scene& scene, const FramePtr& frame) {
  return filming_camera(scene_at(scene, frame->index / scene.settings.frame_rate), frame.get()).id;
}

}  // namespace

TEST_CASE("A motion cuts to a camera; the later of its cuts and those of keys takes the picture", "[motion][film]") {
  Stage s;
  s.at(0.25, s.does("cut", s.far));
  const Id hit = s.graph.when("contact", s.ball);
  s.graph.wire(hit, s.does("cut", s.near));
  s.world.scene = with_cut(std::move(s.world.scene), s.far, 0.75);
  const auto frames = frames_of(s.world, 60);
  const double impact = std::sqrt(2 * 0.9 / 9.80665);  // 0.428 s
  for (const FramePtr& frame : frames) {
    const double time = frame->index / 60.0;
    INFO("frame " << frame->index);
    const Id wanted = time < 0.25 - 1e-9 ? s.near : time < impact ? s.far : time < 0.75 - 1e-9 ? s.near : s.far;
    if (std::abs(time - impact) > 1.0 / 60) CHECK(filming(s.world.scene, frame) == wanted);
  }
  // The strip under the ruler says the same.
  const auto stretches = filmed_stretches(s.world.scene, frames[60]->cues.get(), 0, 1);
  REQUIRE(stretches.size() == 4);
  for (const FramePtr& frame : frames) {
    const double time = frame->index / 60.0;
    for (const CameraStretch& stretch : stretches)
      if (time >= stretch.from && time < stretch.to - 1e-9) CHECK(stretch.camera == filming(s.world.scene, frame));
  }
  // A camera that has gone: the cut before counts.
  Scene without = s.world.scene;
  without.cameras.erase(without.cameras.begin() + 1);
  CHECK(filming(without, frames[20]) == s.near);
  CHECK(filming(s.world.scene, std::make_shared<const Frame>()) == s.near);
}

TEST_CASE("A sound is heard when a motion plays it, as loud as an expression says", "[motion][film]") {
  Stage s;
  MotionParameter gain{"gain", "speed*0 + impulse*2"};
  const Id hit = s.graph.loop(s.graph.when("contact", s.ball));
  s.graph.wire(hit, s.does("play", s.bang, {gain}));
  const auto frames = frames_of(s.world, 90);
  CHECK(heard_sounds(s.world.scene, nullptr).empty());  // it waits
  CHECK(frames[10]->cues == nullptr);
  REQUIRE(frames[90]->cues);
  const auto heard = heard_sounds(s.world.scene, frames[90]->cues.get());
  REQUIRE(heard.size() >= 2);
  Run run(s.world);
  Simulator simulator(run.model, 1);
  REQUIRE(simulator.state_at(90));
  const auto& contacts = simulator.log().contacts;
  REQUIRE(contacts.size() >= heard.size());
  for (std::size_t i = 0; i < heard.size(); ++i) {
    CHECK(heard[i].sound->id == s.bang);
    CHECK(heard[i].gain == Approx(0.5 * 2 * contacts[i].second.impulse));
    if (i > 0) CHECK(heard[i].start > heard[i - 1].start);
  }
  CHECK(heard[0].start == Approx(std::sqrt(2 * 0.9 / 9.80665)).margin(1e-3));
  // Muted, nothing is heard; one that does not wait is heard at its start, too.
  Scene other = s.world.scene;
  other.sounds[0] = other.sounds[0].edited([](Sound& sound) { sound.waits = false; });
  CHECK(heard_sounds(other, frames[90]->cues.get()).size() == heard.size() + 1);
  other.sounds[0] = other.sounds[0].edited([](Sound& sound) { sound.visible = false; });
  CHECK(heard_sounds(other, frames[90]->cues.get()).empty());
  CHECK(may_be_played(s.world.scene, s.bang));
  CHECK_FALSE(may_be_played(s.world.scene, s.near));
}

TEST_CASE("Cues are the same on any threads, from any state and of frames from the disk, and move nothing",
          "[motion][film]") {
  Stage s, plain;
  const Id hit = s.graph.loop(s.graph.when("contact", s.ball));
  s.graph.wire(hit, s.does("play", s.bang));
  s.at(1, s.does("cut", s.far));
  const auto one = frames_of(s.world, 100), three = frames_of(s.world, 100, 3), without = frames_of(plain.world, 100);
  Run run(s.world);
  Simulator again(run.model, 1);
  REQUIRE(again.state_at(100));
  for (int f = 100; f >= 0; f -= 7) {
    const auto k = static_cast<std::size_t>(f);
    CHECK(one[k]->state_hash == three[k]->state_hash);
    REQUIRE(again.state_at(f));
    const Frame back = again.frame_at(f);
    const FramePtr stored = frame_from_bytes(frame_bytes(*one[k]), shared_parts(*one[k]));
    REQUIRE(stored);
    for (const FrameCues* cues : {three[k]->cues.get(), back.cues.get(), stored->cues.get()}) {
      REQUIRE((cues != nullptr) == (one[k]->cues != nullptr));
      if (cues) CHECK(*cues == *one[k]->cues);
    }
    CHECK(one[k]->find(s.ball)->position == without[k]->find(plain.ball)->position);
  }
}

TEST_CASE("A cut without a camera, and a sound that is gone, are told of and do nothing", "[motion][film]") {
  Stage s;
  const Id cut = s.does("cut", s.bang), play = s.does("play", Id{});
  s.at(0.1, cut);
  s.at(0.1, play);
  const auto problems = motion_problems(s.world.scene);
  const auto told = [&](Id box, const std::string& words) {
    return std::any_of(problems.begin(), problems.end(), [&](const MotionFault& fault) {
      return fault.node == box && fault.message.find(words) != std::string::npos;
    });
  };
  CHECK(told(cut, "needs a camera"));
  CHECK(told(play, "needs a sound"));
  CHECK(frames_of(s.world, 12)[12]->cues == nullptr);
}

}  // namespace cue_test
