// Particles in scenes: the same bits on any number of threads, after a seek and from a saved state; keys; from which frame on an edit counts; what is
// told of sources that lack something; files and copies.
#include <catch2/catch.hpp>

#include <algorithm>

#include "core/playback/digest.h"
#include "core/playback/frame_bytes.h"
#include "core/playback/simulator.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/parts.h"
#include "core/scene/derived/sources.h"
#include "core/scene/derived/takes.h"
#include "core/scene/diff.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/scene/values/scene_lists.h"
#include "tests/support/edits.h"
#include "tests/support/particle_world.h"
#include "tests/support/sanitized.h"

namespace particle_runs {

using namespace hazumi;
using namespace hazumi::test;

namespace {

int first_frame(const Scene& before, const Scene& after) { return diff(before, after, {}).first_frame; }

/// A box that falls and gives smoke, a fountain that splits, spray from a soft ball, all in gusts; what hits sticks, bounces, splits.
struct Yard : ParticleWorld {
  Id ground, box, soft, wind, fountain, drops, smoke, spray;
  Yard() {
    scene.settings.frame_rate = 25;
    scene.settings.substeps = 2;
    scene.settings.last_frame = 12;
    ground = floor();
    box = add(World::box(Vec3(0.4, 0.3, 0.5), Vec3(0, 1, 0), 2));
    soft = add(jelly(0.3, Vec3(-1.5, 0.6, 0), 800, 3));
    wind = field(FieldKind::wind, [](ForceField& f) {
      f.gust = 2;
      f.rotation = Quat(Eigen::AngleAxisd(-1.2, Vec3::UnitZ()));
    });
    drops = source([](ParticleSource& s) {
      s.rate = 0;
      s.cone = 1.2;
      s.life = 0.4;
      s.collides = true;
      s.hit = ParticleHit::stick;
    });
    fountain = source([&](ParticleSource& s) {
      s.position = Vec3(1.5, 0.2, 0);
      s.cone = 0.3;
      s.rate = 700;
      s.speed = 4;
      s.speed_spread = s.life_spread = s.size_spread = s.mass_spread = 0.3;
      s.collides = true;
      s.hit = ParticleHit::split;
      s.into = drops.value;
      s.pieces = 3;
    });
    smoke = source([&](ParticleSource& s) {
      s.carrier = box.value;
      s.shape = SourceShape::ball;
      s.radius = 0.1;
      s.rate = 500;
      s.gravity = -0.1;
      s.life = 0.25;
      s.linear = 2;
    });
    spray = source([&](ParticleSource& s) {
      s.carrier = soft.value;
      s.shape = SourceShape::surface;
      s.rate = 900;
      s.burst = 100;
      s.burst_period = 0.11;
      s.collides = true;
    });
    // Under the fountain drops come up again, and what comes out of it is half in it.
    field(FieldKind::water, [](ForceField& f) {
      f.position = Vec3(1.5, 0.22, 0);
      f.shape = FieldShape::box;
      f.size = Vec3(1, 1, 1);
      f.falloff = 0.3;
    });
  }
};

struct Ran {
  std::vector<std::uint64_t> states, frames;
};

Ran ran(const Scene& scene, int last, int threads = 1) {
  MeshStore meshes;
  const auto model = compile(scene, meshes);
  REQUIRE(model.ok());
  Simulator simulator(*model, threads);
  Ran out;
  for (int f = 0; f <= last; ++f) {
    const State* state = simulator.state_at(f);
    if (!state) break;
    out.states.push_back(hash(*state));
    out.frames.push_back(digest(simulator.frame_at(f)));
  }
  return out;
}

}  // namespace

TEST_CASE("Particles are the same from any state and on any number of threads", "[particles]") {
  Yard yard;
  yard.scene = with_key(yard.scene, yard.fountain.value, "rotation", 0.1, Quat::Identity());
  yard.scene = with_key(yard.scene, yard.fountain.value, "rotation", 0.6, Quat(Eigen::AngleAxisd(1, Vec3::UnitX())));
  yard.scene = with_key(yard.scene, yard.smoke.value, "rate", 0.2, 500.0);
  yard.scene = with_key(yard.scene, yard.smoke.value, "rate", 0.5, 20.0);
  const Ran first = ran(yard.scene, 24);
  REQUIRE(first.states.size() == 25);
  for (const int threads : {2, 7}) {
    const Ran again = ran(yard.scene, 24, threads);
    CHECK(again.states == first.states);
    CHECK(again.frames == first.frames);
  }
  MeshStore meshes;
  const auto model = *compile(yard.scene, meshes);
  Simulator jumping(model, 2);
  for (const int f : {24, 3, 17, 9}) {
    CHECK(hash(*jumping.state_at(f)) == first.states[static_cast<std::size_t>(f)]);
    CHECK(digest(jumping.frame_at(f)) == first.frames[static_cast<std::size_t>(f)]);
  }
  // Saved, restored, continued.
  State back;
  REQUIRE(restore(save(*jumping.state_at(9)), back).ok());
  CHECK(hash(back) == first.states[9]);
  StepWorkspace workspace;
  Executor executor(3);
  for (int k = 0; k < 2; ++k) REQUIRE(step(*model, back, workspace, executor).ok);
  CHECK(hash(back) == first.states[10]);
  // Another seed, other particles.
  Scene other = yard.scene;
  other.settings.seed = 2;
  CHECK(ran(other, 1).frames[1] != first.frames[1]);
  // The frame is the same after it was on the disk.
  const Frame frame = jumping.frame_at(24);
  REQUIRE(frame.particles.size() == 4);
  CHECK(frame.find_particles(yard.fountain)->positions.size() > 100);
  CHECK(frame.find_particles(yard.drops)->positions.size() > 10);
  const FramePtr read = frame_from_bytes(frame_bytes(frame), shared_parts(frame));
  REQUIRE(read);
  CHECK(digest(*read) == digest(frame));
}

TEST_CASE("In slow motion particles are seen between two sub-steps", "[particles]") {
  ParticleWorld world;
  const Id id = world.source([](ParticleSource& s) {
    s.rate = 0;
    s.burst = 1;
    s.life = 100;
  });
  world.scene = with_key(world.scene, 0, "settings.time_scale", 0, 0.03);
  MeshStore meshes;
  Simulator simulator(*compile(world.scene, meshes), 1);
  for (const int f : {20, 33, 50}) {
    const Frame frame = simulator.frame_at(f);
    const double t = 0.03 * f / 60;
    REQUIRE(frame.find_particles(id)->positions.size() == 1);
    CHECK(frame.find_particles(id)->positions[0].y() == Approx(3 * t - 0.5 * 9.80665 * t * t).margin(3e-5));
  }
}

TEST_CASE("Frames have the speed at which particles go at their age", "[particles]") {
  ParticleWorld world;
  const Id id = world.source([](ParticleSource& s) {
    s.rate = 0;
    s.burst = 1;
    s.life = 2;
    s.gravity = 0;
    s.speed_keys = {{0, 1}, {1, 0}};
  });
  MeshStore meshes;
  Simulator simulator(*compile(world.scene, meshes), 1);
  for (const int f : {1, 30, 90}) {
    REQUIRE(simulator.state_at(f));
    const Frame frame = simulator.frame_at(f);
    const double t = f / 60.0;
    const ParticleBlock& block = *frame.find_particles(id);
    REQUIRE(block.positions.size() == 1);
    CHECK(block.velocities[0].y() == Approx(3 * (1 - t / 2)));
    CHECK(block.positions[0].y() == Approx(3 * (t - t * t / 4)));
  }
}

TEST_CASE("An edit of a source drops the frames from the first that it changes", "[particles][keys][diff]") {
  Yard yard;
  const Scene& scene = yard.scene;
  const auto changed = [&](Id id, const std::function<void(ParticleSource&)>& how) {
    return with_source(scene, id, how);
  };
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.speed = 9; })) == 0);
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.name = "Steam"; })) == kNoFrame);
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.end_colour = Vec3(1, 0, 0); })) == kNoFrame);
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.bounce = 0.9; })) == kNoFrame);
  const Scene drawn = changed(yard.smoke, [](ParticleSource& s) {
    s.size_keys = {{0.3, 2}, {0.6, 1}};
    s.colour_keys = {{0.5, Vec3(1, 0, 0)}};
    s.opacity_keys = {{0, 0}, {0.2, 1}};
  });
  CHECK(first_frame(scene, drawn) == kNoFrame);
  CHECK(diff(scene, drawn, {}).objects == std::vector<Id>{yard.smoke});
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.speed_keys = {{0.5, 0.5}}; })) == 0);
  CHECK(first_frame(scene, changed(yard.smoke, [](ParticleSource& s) { s.drag_keys = {{0.5, 2}}; })) == 0);
  CHECK(first_frame(scene, without(scene, yard.smoke)) == 0);
  // What they meet collides no more.
  const auto untouched = [](Object& o) { o.contact.enabled = false; };
  CHECK(first_frame(scene, with_object(scene, yard.ground, untouched)) == 0);
  ParticleWorld bare;  // and where nothing else is told from without
  const Id ground = bare.floor();
  bare.source([](ParticleSource& s) { s.collides = true; });
  CHECK(first_frame(bare.scene, with_object(bare.scene, ground, untouched)) == 0);
  const Scene keyed = with_key(scene, yard.smoke.value, "rate", 0, 500.0);
  const Scene later = with_key(keyed, yard.smoke.value, "rate", 0.2, 500.0);
  const Scene more = with_key(later, yard.smoke.value, "rate", 0.4, 5000.0);
  CHECK(first_frame(later, more) == 6);  // the sub-step behind 0.2 s is the first that gives more
  CHECK(simulation_signature(later) != simulation_signature(more));
  const Ran a = ran(later, 12), b = ran(more, 12);
  for (int f = 0; f < 6; ++f) CHECK(a.states[std::size_t(f)] == b.states[std::size_t(f)]);
  CHECK(a.states[6] != b.states[6]);
}

TEST_CASE("Sources that cannot be are refused, and those that lack something are told of, in one sentence",
          "[particles][validate]") {
  Yard yard;
  const auto said = [&](const Scene& scene, bool error) {
    const Diagnostics found = validate(scene);
    REQUIRE(found.size() == 1);
    CHECK(has_error(found) == error);
    return found[0].message;
  };
  const auto refused = [&](const std::function<void(ParticleSource&)>& how) {
    return said(with_source(yard.scene, yard.fountain, how), true);
  };
  CHECK(validate(yard.scene).empty());
  CHECK(refused([](ParticleSource& s) { s.rate = 1e9; }) == "Rate must be at most 1000000 1/s.");
  CHECK(refused([](ParticleSource& s) { s.life = std::nan(""); }) == "Life must be a finite number.");
  CHECK(refused([](ParticleSource& s) { s.life = 0; }) == "Life must be above 0 s.");
  CHECK(refused([](ParticleSource& s) { s.burst = 1000000000; }) == "Burst must be at most 1000000.");
  CHECK(refused([](ParticleSource& s) { s.position.x() = std::nan(""); }) == "Position must be a finite number.");
  CHECK(said(with_source(yard.scene, yard.fountain, [](ParticleSource& s) { s.rate = 1e6; }), false) ==
        "Source 6 would have about 2000000 particles at once and may have 20000; more are not born.");
  const Scene gone = without(yard.scene, yard.box);
  CHECK(said(gone, false) == "The object that carried Source 7 is gone; it gives nothing.");
  CHECK(validate_change(yard.scene, gone).size() == 1);
  MeshStore meshes;
  Simulator simulator(*compile(gone, meshes), 1);
  CHECK(simulator.frame_at(10).find_particles(yard.smoke)->positions.empty());
  CHECK(said(with_source(yard.scene, yard.smoke, [](ParticleSource& s) { s.shape = SourceShape::curve; }), false) ==
        "Source 7 has no curve to be born on; it gives nothing.");
  CHECK(said(without(yard.scene, yard.drops), false) ==
        "No source makes the pieces into which particles of Source 6 go; they just die.");
  // A million at most, however many are asked for.
  Scene many = with_source(yard.scene, yard.fountain, [](ParticleSource& s) {
    s.rate = 1e6;
    s.most = 3000;
  });
  Simulator full(*compile(many, meshes), 1);
  CHECK(full.frame_at(3).find_particles(yard.fountain)->positions.size() <= 3000);
}

TEST_CASE("A source comes back from a file as it was; its copy goes with the copy of its carrier",
          "[particles][file]") {
  Yard yard;
  yard.scene = with_key(yard.scene, yard.smoke.value, "speed", 0.2, 7.0);
  const auto back = scene_from_text(scene_to_text(yard.scene), "");
  REQUIRE(back.ok());
  CHECK(simulation_signature(*back) == simulation_signature(yard.scene));
  CHECK(find_source(shown_at(yard.scene, 0.2), yard.smoke)->speed == 7.0);
  const JoinedScene twice = joined(yard.scene, part_of(yard.scene, {yard.smoke, yard.box, yard.fountain, yard.drops}));
  CHECK(find_source(twice.scene, twice.ids.at(yard.smoke))->carrier == twice.ids.at(yard.box).value);
  CHECK(find_source(twice.scene, twice.ids.at(yard.fountain))->into == twice.ids.at(yard.drops).value);
  MadeTake made = with_new_take(yard.scene, "Fast");
  Scene fast = with_source(made.scene, yard.smoke, [](ParticleSource& s) { s.linear = 3; });
  fast = with_settled_takes(made.scene, fast);
  const Scene first = in_take(fast, fast.takes[0]->id);
  CHECK(find_source(first, yard.smoke)->linear == 2);
  CHECK(find_source(in_take(first, made.take), yard.smoke)->linear == 3);
}

TEST_CASE("Random edits of sources: what is kept is what a fresh run has", "[particles][diff]") {
  constexpr std::uint64_t kSeed = 15002;
  EditDice dice(kSeed);
  Scene scene = Yard().scene;
  std::vector<std::uint64_t> before = ran(scene, 12).states;
  int kept = 0, changed = 0;
  const int rounds = test::rounds(200, 12);
  for (int i = 0; i < rounds; ++i) {
    Scene next = scene;
    std::string what;
    const Shared<ParticleSource> source = pick(scene.particles, dice);
    switch (dice.below(5)) {
      case 0: {
        static constexpr const char* kKeyed[] = {"rate", "speed", "position", "on", "cone", "rotation"};
        what = kKeyed[dice.below(6)];
        const Field<ParticleSource>& row = *find_field(particle_source_fields(), std::string_view(what));
        ParticleSource wanted = *source;
        change_field(row, wanted, dice);
        next = with_key(next, source->id.value, what, dice.below(12) / 25.0, row.get(wanted));
        what += " keyed";
        break;
      }
      case 1:
        what = "object";
        next = with_object(next, Id{static_cast<std::uint64_t>(1 + dice.below(3))}, [&](Object& o) {
          static constexpr const char* kRows[] = {"contact.enabled", "contact.shape", "contact.thickness",
                                                  "transform.position", "material.substance.friction"};
          what = kRows[dice.below(5)];
          change_field(*find_field(object_fields(), std::string_view(what)), o, dice);
        });
        break;
      case 2:
        if (!scene.tracks.empty()) next = without(next, pick(scene.tracks, dice)->id);
        break;
      default:
        next = with_source(next, source->id, [&](ParticleSource& s) {
          if (dice.below(4) == 0 && change_some_list(s, dice, what)) return;
          if (dice.below(4) == 0) {
            what = "keys over the life";
            s.size_keys = {{0.2 + 0.5 * dice.unit(), 2 * dice.unit()}, {0.8, 1}};
            s.opacity_keys = {{dice.unit(), dice.unit()}};
            if (dice.below(2) == 0) s.speed_keys = {{dice.unit(), 2 * dice.unit()}};
            if (dice.below(2) == 0) s.drag_keys = {{dice.unit(), 2 * dice.unit()}};
            return;
          }
          change_some_field(particle_source_fields(), s, dice, what);
        });
    }
    INFO("seed " << kSeed << ", edit " << i << ": " << what);
    if (has_error(validate(next))) continue;
    const std::vector<std::uint64_t> after = ran(next, 12).states;
    if (after.size() <= 12) continue;
    const int first = first_frame(scene, next);
    for (int f = 0; f <= 12 && f < first; ++f, ++kept) CHECK(before[std::size_t(f)] == after[std::size_t(f)]);
    if (first <= 12) ++changed;
    scene = std::move(next);
    before = after;
  }
  CHECK(kept > rounds);
  CHECK(changed > rounds / 4);
}

}  // namespace particle_runs
