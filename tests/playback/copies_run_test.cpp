// Runs with copies of an object that a source gives: seek, threads, slow motion, frames on the disk, which frames an edit drops, and whose
// collisions they are.
#include <catch2/catch.hpp>

#include "core/playback/digest.h"
#include "core/playback/frame_bytes.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/copies.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/sim/particles/copy_world.h"
#include "tests/support/fill_run.h"

namespace copies_run_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Rain : CopyWorld {
  Id ground, source;
  Rain() {
    scene.settings.frame_rate = 60;
    scene.settings.substeps = 4;
    scene.settings.last_frame = 60;
    ground = floor();
    source = pour([](ParticleSource& s) {
      s.position = Vec3(0, 0.8, 0);
      s.radius = 0.3;
      s.rate = 20;
      s.most_copies = 15;
      s.stays = false;
      s.life = 0.5;
      s.scale_spread = 0.3;
      s.start = 0.05;
    });
  }
};

std::vector<std::uint64_t> digests(const Scene& scene, int last, int threads) {
  MeshStore meshes;
  Simulator simulator(*compile(scene, meshes), threads);
  std::vector<std::uint64_t> all;
  for (int f = 0; f <= last; ++f) {
    REQUIRE(simulator.state_at(f));
    all.push_back(digest(simulator.frame_at(f)));
  }
  return all;
}

}  // namespace

TEST_CASE("Frames with copies are the same on any number of threads, after a seek and from the disk", "[copies]") {
  const Rain rain;
  const auto first = digests(rain.scene, 60, 1);
  CHECK(digests(rain.scene, 60, 3) == first);
  MeshStore meshes;
  Simulator jumping(*compile(rain.scene, meshes), 2);
  for (const int f : {60, 7, 44, 30}) {
    REQUIRE(jumping.state_at(f));
    CHECK(digest(jumping.frame_at(f)) == first[static_cast<std::size_t>(f)]);
  }
  const Frame frame = jumping.frame_at(30);
  const ParticleBlock& block = *frame.find_particles(rain.source);
  CHECK(block.positions.size() > 3);
  CHECK(block.rotations.size() == block.positions.size());
  CHECK(std::is_sorted(block.numbers.begin(), block.numbers.end()));
  CHECK_FALSE(frame.find(rain.pattern)->present);
  CHECK(frame.objects.size() == 2);
  const FramePtr read = frame_from_bytes(frame_bytes(frame), shared_parts(frame));
  REQUIRE(read);
  CHECK(digest(*read) == digest(frame));
  for (const float age : block.ages) CHECK((age >= 0 && age <= 1));
}

TEST_CASE("In slow motion copies are seen between two sub-steps", "[copies]") {
  CopyWorld world;
  const Id source = world.pour([](ParticleSource& s) { s.burst = 1; });
  world.scene = with_key(world.scene, 0, "settings.time_scale", 0, 0.03);
  MeshStore meshes;
  Simulator simulator(*compile(world.scene, meshes), 1);
  for (const int f : {20, 33, 50}) {
    const Frame frame = simulator.frame_at(f);
    const double t = 0.03 * f / 60;
    REQUIRE(frame.find_particles(source)->positions.size() == 1);
    CHECK(frame.find_particles(source)->positions[0].y() == Approx(3 * t - 0.5 * 9.80665 * t * t).margin(3e-5));
  }
}

TEST_CASE("An edit of how the object touches drops frames from the first touch of a copy on", "[copies]") {
  const Rain rain;
  FillRun run(1);
  const Shared<Scene> before(rain.scene);
  run.fill.start(before, 0, 60);
  run.settle();
  const Scene rough = with_object(rain.scene, rain.pattern, [](Object& o) { o.material.substance.restitution = 0.9; });
  const int first =
      diff(rain.scene, rough, [&](const Cause& cause) { return run.fill.log()->first_frame(cause); }).first_frame;
  CHECK(first > 10);
  CHECK(first < 45);
  run.start(*before, Shared<Scene>(rough), 60);
  run.settle();
  run.check_equals_fresh(rough, 60);
  CHECK(
      diff(rain.scene, with_source(rain.scene, rain.source, [](ParticleSource& s) { s.whirl = 9; }), {}).first_frame ==
      0);
  CHECK(diff(rain.scene, with_source(rain.scene, rain.source, [](ParticleSource& s) { s.bounce = 0.9; }), {})
            .first_frame == kNoFrame);
  const Scene heavy = with_object(rain.scene, rain.pattern, [](Object& o) { o.body.mass *= 2; });
  CHECK(diff(rain.scene, heavy, {}).first_frame == 0);
}

TEST_CASE("Collisions of copies are their source's", "[copies]") {
  const Rain rain;
  MeshStore meshes;
  Simulator simulator(*compile(rain.scene, meshes), 1);
  bool any = false;
  for (int f = 0; f <= 60; ++f) {
    REQUIRE(simulator.state_at(f));
    const Frame frame = simulator.frame_at(f);
    REQUIRE(frame.bodies == nullptr);  // no object moves
    for (const FrameContact& contact : frame.contacts) {
      CHECK_FALSE((is_copy(contact.a) || is_copy(contact.b)));
      any = any || contact.a == rain.source || contact.b == rain.source;
    }
  }
  CHECK(any);
  REQUIRE_FALSE(simulator.log().contacts.empty());
  for (const auto& [at, event] : simulator.log().contacts)
    CHECK((thing_of(event.a) == rain.source || thing_of(event.b) == rain.source));
}

TEST_CASE("A source of copies is kept in files, refused beyond its range, and told of", "[copies][validate]") {
  const Rain rain;
  const auto read = scene_from_text(scene_to_text(rain.scene), {});
  REQUIRE(read.ok());
  CHECK(find_source(*read, rain.source)->gives == SourceGives::copies);
  CHECK(find_source(*read, rain.source)->object == rain.pattern.value);
  CHECK(digests(*read, 20, 1) == digests(rain.scene, 20, 1));
  CHECK(validate(rain.scene).empty());
  const auto said = [&](const Scene& scene) {
    const Diagnostics found = validate(scene);
    REQUIRE(found.size() == 1);
    return found[0].message;
  };
  const auto changed = [&](const std::function<void(ParticleSource&)>& how) {
    return with_source(rain.scene, rain.source, how);
  };
  CHECK(said(changed([](ParticleSource& s) { s.most_copies = 1000000000; })) == "Copies at most must be at most 1000.");
  CHECK(said(changed([](ParticleSource& s) { s.object = 0; })) ==
        "Source 3 has no object of which it could give copies; it gives nothing.");
  CHECK(said(without(rain.scene, rain.pattern)) ==
        "The object of which Source 3 gave copies is gone; it gives nothing.");
  CHECK(said(with_object(rain.scene, rain.pattern, [](Object& o) { o.body.kind = BodyKind::fixed; })) ==
        "Source 3 gives nothing, because brick is not rigid.");
  CHECK(said(with_object(rain.scene, rain.pattern, [](Object& o) { o.visible = false; })) ==
        "brick is hidden, so copies of it that Source 3 gives are not seen.");
}

}  // namespace copies_run_test
