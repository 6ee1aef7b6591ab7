// Hands that pull whatever there is, drawn at random: bodies of all kinds over a floor, some joined, some on pins, pulled hither and thither by
// one to three hands that let go at times. No run stops, and energy comes from pulls, motors and volumes alone. A scene that fails is told by
// its seed.
#include <cstdlib>

#include "tests/sim/joint/pull_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace random_pulls_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 20261126;
constexpr double kSeconds = 0.5;

Object drawn(reference::Dice& dice, const Vec3& place) {
  const double kg = std::pow(10, dice.uniform(-1, 1));
  Object o;
  switch (static_cast<int>(dice.uniform(0, 5))) {
    case 0:
      o = World::sphere(0.2, place, kg);
      if (dice.uniform() < 0.5) o.body.kind = BodyKind::point;
      break;
    case 1:
      o = World::box(Vec3(0.3, 0.2, 0.25), place, kg);
      break;
    case 2:
      o = on_pins(World::box(Vec3(0.3, 0.2, 0.25), place, kg), {0});
      break;
    case 3:
      o = on_pins(World::box(Vec3(0.3, 0.2, 0.25), place, kg), {2, 3});
      break;
    default:
      o = World::jelly(0.25, place, kg * std::pow(10, dice.uniform(2, 4)), kg);
      o.body.damping = dice.uniform() < 0.5 ? 0 : o.body.stiffness * std::pow(10, dice.uniform(-4, -2));
  }
  if (o.body.kind != BodyKind::point) o.body.spin = 4 * dice.vector();
  o.body.velocity = 2 * dice.vector();
  o.material.substance.restitution = dice.uniform();
  o.material.substance.friction = dice.uniform();
  return o;
}

struct Found {
  double gain = 0, work = 0;
  int stayed = 0;
  std::string stopped;
};

Found play(std::uint64_t seed) {
  reference::Dice dice(seed);
  PulledWorld world;
  world.scene.settings.substeps = 2 << static_cast<int>(dice.uniform(0, 3));
  if (dice.uniform() < 0.7) world.floor(dice.uniform(), dice.uniform());
  std::vector<Id> ids;
  std::vector<Vec3> at;
  double mass = 0;
  const int count = 1 + static_cast<int>(dice.uniform(0, 4));
  for (int k = 0; k < count; ++k) {
    at.push_back(Vec3(0.6 * k, 1, 0) + 0.1 * dice.vector());
    const Object object = drawn(dice, at.back());
    mass += object.body.mass;
    ids.push_back(world.add(object));
  }
  if (count > 1 && dice.uniform() < 0.5) {
    const JointKind kinds[] = {JointKind::ball, JointKind::spring, JointKind::rope};
    const JointKind kind = kinds[static_cast<int>(dice.uniform(0, 3))];
    world.joined(kind, ids[0], ids[1], kind == JointKind::ball ? Vec3(0.5 * (at[0] + at[1])) : at[0], Quat::Identity(),
                 [&](Joint& joint) {
                   if (kind != JointKind::ball) joint.b.place = Vec3::Zero();
                 });
  }
  const int hands = 1 + static_cast<int>(dice.uniform(0, 3));
  for (int h = 0; h < hands; ++h) {
    const auto k = static_cast<std::size_t>(dice.uniform(0, count));
    const Vec3 place = at[k] + 0.15 * dice.vector();
    const double most[] = {0, 5, 20};
    const double rate = std::pow(10, dice.uniform(-0.5, 1.3));
    const Id pull = world.pull(ids[k], place, rate, most[static_cast<int>(dice.uniform(0, 3))]);
    Vec3 now = place;
    const double begin = dice.uniform(0, 0.2);
    world.turn(pull, 0, begin < 0.05);
    world.turn(pull, begin + 0.01, true);
    world.turn(pull, begin + dice.uniform(0.1, 0.4), false);
    for (int f = 0; f < 30; ++f) {
      world.go(pull, f / 60.0, now);
      now += 0.15 * dice.vector();
    }
  }
  PulledRun run(world);
  Found found;
  const double energy = run.energy();
  double booked = 0, most = 0;
  for (int n = 0; n < static_cast<int>(kSeconds / run.model->step); ++n) {
    const StepReport report = run.step();
    if (!report.ok) {
      found.stopped = to_string(*report.failure);
      break;
    }
    booked += report.joint_figures.pulls + report.joint_figures.motors;
    if (report.joint_figures.stayed == 0) booked += report.volume.work;
    for (const ContactGift& gift : report.gifts) booked += gift.energy();
    most = std::max(most, std::abs(booked));
    found.gain = std::max(found.gain, (run.energy() - energy - booked) / (1 + mass * 9.81 * 2 + most));
    found.stayed += report.joint_figures.stayed;
  }
  found.work = run.work;
  return found;
}

}  // namespace

TEST_CASE("200 random scenes that hands pull at", "[joint][pull][random][slow]") {
  const char* const from = std::getenv("HAZUMI_PULL_SEED");
  const char* const many = std::getenv("HAZUMI_PULL_COUNT");
  const std::uint64_t first = from ? std::strtoull(from, nullptr, 10) : kFirstSeed;
  const int count = many ? std::atoi(many) : sanitized() ? 10 : 200;
  int stayed = 0, worked = 0;
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    const Found found = play(seed);
    INFO("seed " << seed << ": gain " << found.gain << ", work " << found.work << " J, stayed " << found.stayed << " "
                 << found.stopped);
    CHECK(found.stopped.empty());
    CHECK(found.gain < 1e-9);
    stayed += found.stayed > 0;
    worked += found.work != 0;
    worst = std::max(worst, found.gain);
  }
  INFO("worst gain " << worst << ", stayed in " << stayed << ", work in " << worked);
  CHECK(stayed <= count / 50);
  CHECK(worked > count * 9 / 10);
}

// With all of a sub-step in one part no side of the rope settles, and in the end it pushed: 146 J of 114 came from that.
TEST_CASE("A rope that is taut in line with the hinges of both its ends gives no energy", "[joint][pull]") {
  for (const std::uint64_t seed : {88801097u, 88801288u}) {
    INFO("seed " << seed);
    CHECK(play(seed).gain < 1e-9);
  }
}

}  // namespace random_pulls_test
