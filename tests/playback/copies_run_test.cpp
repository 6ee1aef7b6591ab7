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
  Id ground, pour_id;
  Rain() {
    scene.settings.frame_rate = 60;
    scene.settings.substeps = 4;
    scene.settings.last_frame = 60;
    ground = floor();
    pour_id = pour([](ParticleSource& s) {
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
  const ParticleBlock& block = *frame.find_particles(rain.pour_id);
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
      diff(rain.scene, with_source(rain.scene, rain.pour_id, [](ParticleSource& s) { s.whirl = 9; }), {}).first_frame ==
      0);
  CHECK(diff(rain.scene, with_source(rain.scene, rain.pour_id, [](ParticleSource& s) { s.bounce = 0.9; }), {})
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
      any = any || contact.a == rain.pour_id || contact.b == rain.pour_id;
    }
  }
  CHECK(any);
  REQUIRE_FALSE(simulator.log().contacts.empty());
  for (const auto& [at, event] : simulator.log().contacts)
    CHECK((thing_of(event.a) == rain.pour_id || thing_of(event.b) == rain.pour_id));
}

TEST_CASE("A source of copies is kept in files, refused beyond its range, and told of", "[copies][validate]") {
  const Rain rain;
  const auto read = scene_from_text(scene_to_text(rain.scene), {});
  REQUIRE(read.ok());
  CHECK(find_source(*read, rain.pour_id)->gives == SourceGives::copies);
  CHECK(find_source(*read, rain.pour_id)->object == rain.pattern.value);
  CHECK(digests(*read, 20, 1) == digests(rain.scene, 20, 1));
  CHECK(validate(rain.scene).empty());
  const auto said = [&](const Scene& scene) {
    const Diagnostics found = validate(scene);
    REQUIRE(found.size() == 1);
    return found[0].message;
  };
  const auto changed = [&](const std::function<void(ParticleSource&)>& how) {
    return with_source(rain.scene, rain.pour_id, how);
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

TEST_CASE("Frames say how many a source has, how many wait and how fast they are", "[copies][particles]") {
  Rain rain;
  const Id sparks = rain.source([](ParticleSource& s) {
    s.rate = 300;
    s.cone = 0.6;
    s.life = 0.2;
    s.speed_spread = 0.5;
  });
  rain.change_source(rain.pour_id, [](ParticleSource& s) {
    s.burst = 12;
    s.radius = 0.05;
  });
  FillRun run(1);
  run.fill.start(Shared<Scene>(rain.scene), 0, 60);
  run.settle();
  const auto kept = run.cache.sources(0);
  REQUIRE(kept.size() == 61);
  bool waited = false;
  for (int f = 0; f <= 60; ++f) {
    const FramePtr frame = run.cache.frame(f);
    REQUIRE(frame);
    REQUIRE(frame->sources);
    CHECK(kept[static_cast<std::size_t>(f)] == frame->sources);
    REQUIRE(frame->sources->size() == 2);
    for (const FrameSource& source : *frame->sources) {
      const ParticleBlock& block = *frame->find_particles(source.source);
      CHECK(source.alive == static_cast<int>(block.positions.size()));
      double sum = 0, most = 0;
      for (const Vec3f& velocity : block.velocities) {
        sum += velocity.cast<double>().norm();
        most = std::max(most, velocity.cast<double>().norm());
      }
      CHECK(source.speed == Approx(block.velocities.empty() ? 0 : sum / static_cast<double>(block.velocities.size())));
      CHECK(source.fastest == Approx(most));
      waited = waited || source.waiting > 0;
      if (source.source == sparks) CHECK(source.waiting == 0);
    }
    const FramePtr back = frame_from_bytes(frame_bytes(*frame), shared_parts(*frame));
    REQUIRE(back);
    CHECK(back->sources == frame->sources);
  }
  CHECK(waited);
}

TEST_CASE("The log has when a source first gave a copy and when one first had no room", "[copies]") {
  CopyWorld world;
  world.scene.settings.last_frame = 40;
  Object rock = World::box(Vec3(2, 2, 2), Vec3(0, 1, 0), 5);
  rock.body.kind = BodyKind::fixed;
  world.add(rock);
  const auto pour = [&](const Vec3& place) {
    return world.pour([&](ParticleSource& s) {
      s.position = place;
      s.burst = 3;
      s.start = 0.2;
      s.speed = 0;
    });
  };
  const Id inside = pour(Vec3(0, 1, 0)), above = pour(Vec3(0, 4, 0));
  FillRun run(1);
  run.fill.start(Shared<Scene>(world.scene), 0, 40);
  run.settle();
  const auto log = run.fill.log();
  CHECK(log->first_frame({inside, Reading::born}) == kNoFrame);
  CHECK(log->first_frame({inside, Reading::no_room}) == 12);
  CHECK(log->first_frame({above, Reading::born}) == 12);
  CHECK(log->first_frame({above, Reading::no_room}) == 12);
  // It is logged again from where an edit drops frames.
  const Scene moved = with_source(world.scene, inside, [](ParticleSource& s) { s.position = Vec3(0, 3, 0); });
  run.start(world.scene, Shared<Scene>(moved), 40);
  run.settle();
  CHECK(run.fill.log()->first_frame({inside, Reading::born}) == 12);
}

TEST_CASE("The log has how many copies wait as a frame ends", "[copies]") {
  CopyWorld world;
  world.scene.settings.last_frame = 40;
  const Id burst = world.pour([](ParticleSource& s) {
    s.position = Vec3(0, 4, 0);
    s.burst = 20;
    s.start = 0.2;
    s.speed = 0;
  });
  const Id free = world.pour([](ParticleSource& s) {
    s.position = Vec3(9, 4, 0);
    s.rate = 1;
  });
  FillRun run(1);
  run.fill.start(Shared<Scene>(world.scene), 0, 40);
  run.settle();
  const auto log = run.fill.log();
  MeshStore meshes;
  Simulator simulator(*compile(world.scene, meshes), 1);
  for (int f = 0; f <= 40; ++f) {
    int told = 0;
    for (const auto& [frame, one] : log->waiting) {
      CHECK(one.source == burst);
      if (frame < f) told = static_cast<int>(one.count);  // a frame is seen as it begins
    }
    const Frame frame = simulator.frame_at(f);
    REQUIRE(frame.sources->front().source == burst);
    CHECK(frame.sources->front().waiting == told);
  }
  CHECK(log->waits(burst).count > 0);
  CHECK(log->waits(burst).count < 19);
  CHECK(log->waits(burst).by == burst);
  CHECK(log->waits(free).count == 0);
  // The same of a run that goes on from where an edit drops frames.
  const Scene early = with_source(world.scene, free, [](ParticleSource& s) { s.duration = 0.5; });
  run.start(world.scene, Shared<Scene>(early), 40);
  run.settle();
  CHECK(run.fill.log()->waiting == log->waiting);
}

TEST_CASE("The log names what a copy had no room for, and whether it came too late", "[copies]") {
  CopyWorld world;
  world.scene.settings.last_frame = 60;
  Object rock = World::box(Vec3(2, 2, 2), Vec3(0, 1, 0), 5);
  rock.body.kind = BodyKind::fixed;
  const Id stone = world.add(rock);
  Object lid = World::box(Vec3(1, 0.1, 1), Vec3(5, 3, 0), 5);
  lid.body.kind = BodyKind::fixed;
  const Id shelf = world.add(lid);
  const auto pour = [&](const Vec3& place, const std::function<void(ParticleSource&)>& how) {
    return world.pour([&](ParticleSource& s) {
      s.position = place;
      s.start = 0.1;
      s.speed = 0;
      s.rate = 0;
      how(s);
    });
  };
  const Id inside = pour(Vec3(0, 1, 0), [](ParticleSource& s) { s.rate = 10; });
  // Lies on a shelf, in its own way from the second on.
  const Id lies = pour(Vec3(5, 3.2, 0), [](ParticleSource& s) { s.rate = 5; });
  const Id bursts = pour(Vec3(0.2, 1, 0), [](ParticleSource& s) {
    s.burst = 3;
    s.burst_period = 0.2;
  });
  const Id once = pour(Vec3(-0.2, 1, 0), [](ParticleSource& s) { s.burst = 2; });
  const Id free = pour(Vec3(9, 9, 0), [](ParticleSource& s) { s.rate = 1; });
  FillRun run(1);
  run.fill.start(Shared<Scene>(world.scene), 0, 60);
  run.settle();
  const auto log = run.fill.log();
  const auto first = [&](const CopyDenied& wanted) {
    for (const auto& [frame, one] : log->denied)
      if (one == wanted) return frame;
    return -1;
  };
  CHECK(first({inside, stone, false}) == 12);  // 0.1 s + 0.1 s
  CHECK(first({inside, stone, true}) == 18);   // as the second is born
  CHECK(first({bursts, stone, false}) == 6);
  CHECK(first({bursts, stone, true}) == 18);
  CHECK(first({once, stone, false}) == 6);
  CHECK(first({once, stone, true}) == -1);
  CHECK(first({lies, lies, false}) > 12);
  CHECK(first({lies, lies, true}) > first({lies, lies, false}));
  for (const auto& [frame, one] : log->denied) {
    CHECK(one.source != free);
    CHECK(one.by != shelf);
  }
  // Of each the first alone, and the same of a run that goes on from where an edit drops frames.
  const Scene moved = with_source(world.scene, free, [](ParticleSource& s) { s.duration = 0.5; });
  run.start(world.scene, Shared<Scene>(moved), 60);
  run.settle();
  FillRun fresh(1);
  fresh.fill.start(Shared<Scene>(moved), 0, 60);
  fresh.settle();
  CHECK(run.fill.log()->denied == fresh.fill.log()->denied);
}

}  // namespace copies_run_test
