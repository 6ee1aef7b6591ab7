// Bodies that keep their volume in a run: dropped, thrown against each other, swollen by keys, asleep; volume and account after every
// sub-step.
#include <random>

#include "core/scene/derived/keyed.h"
#include "core/scene/derived/tracks.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace volume_run_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Random {
  std::mt19937_64 source;
  double in(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11); }
  Vec3 vector(double size) {
    const double z = in(-1, 1), y = in(-1, 1), x = in(-1, 1);
    return size * Vec3(x, y, z);
  }
};

Object kept_jelly(double radius, const Vec3& position, double stiffness, double damping = 0.5) {
  Object o = World::jelly(radius, position, stiffness, 1, false);
  o.body.damping = damping;
  o.body.volume.of = VolumeOf::surface;
  return o;
}

struct Account {
  double off = 0, work = 0, gain = 0;  // gain: J beyond what is told
};

/// Runs, and holds energy against what volumes and gifts have given.
Account watch(Run& run, int steps) {
  Account a;
  const double start = run.energy();
  double given = 0;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = run.step();
    REQUIRE(report.ok);
    a.off = std::max(a.off, report.volume.off);
    a.work += report.volume.work;
    for (const ContactGift& gift : report.gifts) given += gift.energy();
    given += report.joint_figures.motors + std::max(0.0, report.figures.led);
    a.gain = std::max(a.gain, run.energy() - start - a.work - given);
  }
  return a;
}

void key_size(World& world, Id object, double time, double size) {
  world.scene = with_key(std::move(world.scene), object.value, "body.volume.size", time, size);
}

}  // namespace

TEST_CASE("A ball that is dropped keeps its volume over a thousand frames", "[volume]") {
  World world;
  world.floor();
  world.add(kept_jelly(0.5, Vec3(0, 2, 0), 100));
  Run run(world);
  const double start = run.energy();
  const Account a = watch(run, 4000);
  INFO("off " << a.off << ", work " << a.work << ", gain " << a.gain << " of " << start);
  CHECK(a.off < 1e-10);
  CHECK(a.gain < 1e-9 * start);
  CHECK(std::abs(a.work) < 0.02 * start);
  CHECK(run.energy() < 0.5 * start);  // it has come to rest
}

TEST_CASE("Without its volume kept the same ball is squashed", "[volume]") {
  const auto least = [](bool kept) {
    World world;
    world.floor();
    Object o = kept_jelly(0.5, Vec3(0, 2, 0), 40, 0.2);
    if (!kept) o.body.volume.of = VolumeOf::off;
    const Id id = world.add(o);
    Run run(world);
    const double whole = run.at(id).volume;
    double volume = whole;
    for (int k = 0; k < 400; ++k) {
      run.steps(1);
      volume = std::min(volume, run.at(id).volume);
    }
    return volume / whole;
  };
  CHECK(least(true) > 1 - 1e-10);
  CHECK(least(false) < 0.8);
}

TEST_CASE("By the thesis's optimisation a falling octahedron keeps its volume, too", "[volume]") {
  World world;
  world.floor();
  Object o = kept_jelly(0.4, Vec3(0, 0.5, 0), 60);
  o.analysis.kind = AnalysisKind::octahedron;
  o.analysis.divisions = {1, 1, 1};
  o.body.volume.method = VolumeMethod::optimisation;
  world.add(o);
  Run run(world);
  const double start = run.energy();
  const Account a = watch(run, 60);
  CHECK(!run.events.empty());
  CHECK(a.off < 1e-6);
  CHECK(a.gain < 1e-9 * start);
}

TEST_CASE("Two that meet in the air keep momentum and angular momentum", "[volume]") {
  World world;
  Object a = kept_jelly(0.5, Vec3(-1, 0, 0), 200, 0), b = kept_jelly(0.5, Vec3(1, 0.3, 0.1), 1000, 0);
  a.body.velocity = Vec3(3, 0, 0);
  b.body.velocity = Vec3(-3, 0, 0);
  a.body.spin = Vec3(0, 2, 1);
  a.body.gravity = b.body.gravity = false;
  const Id first = world.add(a), second = world.add(b);
  Run run(world);
  const auto momenta = [&] {
    Vec3 p = Vec3::Zero(), l = Vec3::Zero();
    for (const Id id : {first, second}) {
      const Observables o = run.at(id);
      p += o.momentum;
      l += o.angular_momentum + o.centre.cross(o.momentum);
    }
    return std::pair(p, l);
  };
  const auto before = momenta();
  const double start = run.energy();
  const Account account = watch(run, 480);
  const auto after = momenta();
  CHECK(!run.events.empty());
  CHECK(account.off < 1e-10);
  CHECK(account.gain < 1e-9 * start);
  CHECK((after.first - before.first).norm() < 1e-12 * 6);
  CHECK((after.second - before.second).norm() < 1e-9 * before.second.norm());
}

TEST_CASE("Keys swell and shrink a body, the same in a run from a state in its middle", "[volume]") {
  World world;
  world.floor();
  const Id id = world.add(kept_jelly(0.4, Vec3(0, 0.6, 0), 60));
  for (const auto& [time, size] : {std::pair(0.0, 1.0), {0.5, 2.0}, {1.0, 0.6}, {1.5, 1.2}})
    key_size(world, id, time, size);
  const Track& track = *find_track(world.scene, id.value, "body.volume.size");
  Run run(world);
  std::vector<std::uint64_t> hashes;
  State middle;
  const double whole = run.at(id).volume;
  for (int k = 0; k < 480; ++k) {
    if (k == 200) middle = run.state;
    const StepReport report = run.step();
    REQUIRE(report.ok);
    CHECK(report.volume.off < 1e-6);
    const double size = track_value(track, FieldType::number, (k + 1) / 240.0)[0];
    CHECK(run.at(id).volume == Approx(size * whole).epsilon(1e-6));
    hashes.push_back(hash(run.state));
  }
  Run again(world, 2);
  again.state = middle;
  for (std::size_t k = 200; k < 480; ++k) {
    again.steps(1);
    REQUIRE(hash(again.state) == hashes[k]);
  }
}

TEST_CASE("A body begins with the size that its keys, or its own field, say", "[volume]") {
  for (const bool keyed : {false, true}) {
    World world;
    Object o = kept_jelly(0.4, Vec3::Zero(), 60);
    o.body.gravity = false;
    if (!keyed) o.body.volume.size = 1.4;
    const Id id = world.add(o);
    if (keyed) {
      key_size(world, id, 0, 1.4);
      key_size(world, id, 1, 1.4);
    }
    Run run(world);
    CHECK(run.at(id).volume == Approx(1.4 * 0.064 * 0.6 * 2 * 2.0606).epsilon(0.2));
    const double start = run.at(id).volume;
    run.steps(20);
    CHECK(run.at(id).volume == Approx(start).epsilon(1e-10));
  }
}

TEST_CASE("The size of what bends can be keyed, and is shown as its keys say", "[volume][keys]") {
  World world;
  const Id id = world.add(kept_jelly(0.4, Vec3::Zero(), 60));
  CHECK(key_problem(world.scene, id.value, "body.volume.size").empty());
  CHECK(key_problem(world.scene, id.value, "transform.position").empty());
  key_size(world, id, 0, 1);
  key_size(world, id, 1, 2);
  const Scene shown = shown_at(world.scene, 1);
  CHECK(find_object(shown, id)->body.volume.size == 2);
  const Scene next = with_object(shown, id, [](Object& o) { o.body.volume.size = 3; });
  const Scene keyed = hazumi::keyed(world.scene, shown, next, 1, false);
  CHECK(find_object(keyed, id)->body.volume.size == 1);
  CHECK(track_value(*find_track(keyed, id.value, "body.volume.size"), FieldType::number, 1)[0] == 3);
}

TEST_CASE("What sleeps is woken by its size, not by what it is told again and again", "[volume]") {
  World world;
  world.floor();
  const Id id = world.add(kept_jelly(0.4, Vec3(0, 0.42, 0), 2000, 40));
  key_size(world, id, 0, 1);
  key_size(world, id, 9, 1);
  key_size(world, id, 10, 1.5);
  Run run(world);
  run.seconds(8.9);
  CHECK(run.at(id).kinetic_energy == 0);
  run.seconds(0.6);
  CHECK(run.at(id).kinetic_energy > 0);
}

TEST_CASE("200 random bodies that swell and shrink fall on a floor: none stops, none gains, all keep their volume",
          "[volume]") {
  double off = 0, gain = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(rounds(200, 20)); ++seed) {
    Random random{std::mt19937_64(seed + 77)};
    World world;
    const double friction = random.in(0, 1), restitution = random.in(0, 1);
    world.floor(friction, restitution);
    const double radius = random.in(0.2, 0.6), height = random.in(0.7, 3), stiffness = random.in(1.5, 4);
    Object o = kept_jelly(radius, Vec3(0, height, 0), std::pow(10, stiffness));
    const int shape = static_cast<int>(random.in(0, 3));
    o.analysis.kind = shape == 0   ? AnalysisKind::octahedron
                      : shape == 1 ? AnalysisKind::icosahedron
                                   : AnalysisKind::box_grid;
    o.analysis.divisions = {1 + static_cast<int>(random.in(0, 2)), 1, 1};
    o.analysis.size = o.analysis.size.cwiseProduct(Vec3::Ones() + random.vector(0.5));
    o.body.damping = seed % 3 == 0 ? 0 : random.in(0, 2e-3) * o.body.stiffness;
    o.body.volume.of = seed % 2 == 0 ? VolumeOf::surface : VolumeOf::hull;
    o.body.velocity = random.vector(4);
    o.body.spin = random.vector(8);
    const double angle = random.in(0, 3);
    o.transform.rotation = Quat(Eigen::AngleAxisd(angle, random.vector(1).normalized()));
    const Id id = world.add(o);
    if (seed % 4 != 0)
      for (int k = 0; k < 4; ++k) key_size(world, id, 0.3 * k, random.in(0.6, 1.6));
    Run run(world);
    const double start = run.energy();
    INFO("seed " << seed);
    const Account a = watch(run, 240);
    INFO("off " << a.off << ", work " << a.work << ", gain " << a.gain << " of " << start);
    CHECK(a.off < 1e-6);
    CHECK(a.gain < 1e-8 * (start + std::abs(a.work)));
    off = std::max(off, a.off);
    gain = std::max(gain, a.gain / (start + std::abs(a.work)));
  }
  WARN("200 bodies: volume off by " << off << ", gain " << gain);
}

}  // namespace volume_run_test
