// Joints of what hangs on pins of its own and does not deform: to a joint it is a free body that another joint holds to the world. The
// oracle is that very scene: without pins, with a ball joint or a hinge in their place.
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "tests/sim/joint/pull_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace pinned_joint_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 20264001;

/// The corner of a box that on_pins() calls node `i`, world.
Vec3 corner(const Object& box, std::uint32_t i) {
  const Vec3 own =
      Vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(box.display.primitive.size);
  return box.transform.position + box.transform.rotation * own;
}

/// A box on pins, or held to the world in their place.
Id hung(JointWorld& world, const Object& box, const std::vector<std::uint32_t>& pins, bool by_joint) {
  if (!by_joint) return world.add(on_pins(box, pins));
  const Id id = world.add(on_pins(box, {}));
  const Vec3 place = corner(box, pins[0]);
  if (pins.size() == 1)
    world.joined(JointKind::ball, Id{0}, id, place);
  else
    world.add_joint(JointKind::hinge, Id{0}, id, place,
                    turn_onto(Vec3::UnitZ(), corner(box, pins[1]) - corner(box, pins[0])));
  return id;
}

Object plank(const Vec3& at, double mass = 1) {
  Object box = World::box(Vec3(0.5, 0.2, 0.3), at, mass);
  box.contact.enabled = false;
  return box;
}

/// Furthest that bodies of equal names are from each other, m.
double apart(const JointRun& a, const JointRun& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.model->bodies.size(); ++i) {
    const std::vector<Vec3> x = a.nodes(i), y = b.nodes(i);
    for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, (x[k] - y[k]).norm());
  }
  return most;
}

}  // namespace

TEST_CASE("A chain from a body on pins swings as one from a joint in their place", "[joint][pins]") {
  for (const std::vector<std::uint32_t>& pins : {std::vector<std::uint32_t>{2}, {2, 6}}) {
    const auto build = [&](JointWorld& world, bool by_joint) {
      Object first = plank(Vec3(0, 2, 0));
      first.body.spin = pins.size() == 1 ? Vec3(0.4, 1, -0.8) : Vec3(0, 0, -2);
      Id before = hung(world, first, pins, by_joint);
      for (int k = 1; k < 4; ++k) {
        const Id next = world.add(on_pins(plank(Vec3(0.5 * k, 2, 0), k == 3 ? 20 : 1), {}));
        world.joined(k == 2 ? JointKind::hinge : JointKind::ball, before, next, Vec3(0.5 * k - 0.25, 2, 0));
        before = next;
      }
    };
    JointWorld with_pins, with_joint;
    build(with_pins, false);
    build(with_joint, true);
    JointRun pinned(with_pins), joined(with_joint);
    REQUIRE(pinned.model->joints.size() == 4);
    const double energy = pinned.energy();
    const Vec3 hook = pinned.nodes(0)[pins[0]];
    double off = 0, drift = 0, gain = 0;
    for (int n = 0; n < 240; ++n) {
      pinned.steps(1);
      joined.steps(1);
      off = std::max(off, apart(pinned, joined));
      drift = std::max(drift, (pinned.nodes(0)[pins[0]] - hook).norm());
      gain = std::max(gain, std::abs(pinned.energy() - energy) / energy);
    }
    INFO(pins.size() << " pins: off by " << off << " m, off its pin by " << drift << " m, energy by " << gain);
    CHECK(off < 1e-6);
    CHECK(drift < 1e-9);
    CHECK(gain < 1e-4);  // as of the joints: midpoint steps of a chain with a heavy end
  }
}

TEST_CASE("What three pins hold is to a joint what stands", "[joint][pins]") {
  JointWorld world, other;
  const Object sign = plank(Vec3(0, 2, 0));
  const Id held = world.add(on_pins(sign, {0, 1, 2}));
  const Id ball = world.add(plank(Vec3(0.6, 2, 0)));
  world.joined(JointKind::ball, held, ball, Vec3(0.3, 2, 0));
  const Id alone = other.add(plank(Vec3(0.6, 2, 0)));
  other.joined(JointKind::ball, Id{0}, alone, Vec3(0.3, 2, 0));
  JointRun a(world), b(other);
  a.seconds(1);
  b.seconds(1);
  CHECK((a.at(ball).centre - b.at(alone).centre).norm() < 1e-9);
  CHECK(a.at(ball).centre.y() < 2);
}

TEST_CASE("A joint that breaks leaves a body on its pins", "[joint][pins]") {
  JointWorld world;
  const Id first = world.add(on_pins(plank(Vec3(0, 2, 0)), {2}));
  const Id second = world.add(plank(Vec3(0.5, 2, 0)));
  world.joined(JointKind::fixed, first, second, Vec3(0.25, 2, 0), Quat::Identity(),
               [](Joint& joint) { joint.break_force = 8; });
  JointRun run(world);
  const Vec3 hook = run.nodes(0)[2];
  const double energy = run.energy();
  bool broke = false;
  for (int n = 0; n < 480; ++n) {
    run.steps(1);
    broke = broke || run.state.joints[0].broken;
    CHECK((run.nodes(0)[2] - hook).norm() < 1e-9);
    CHECK(run.energy() < energy + 1e-6);  // what its pin takes as it is let go
  }
  CHECK(broke);
  CHECK(run.at(second).centre.y() < -5);
  CHECK(run.at(first).centre.y() > 1);
}

namespace {

/// Linkages drawn at random, some of whose bodies hang on pins.
JointWorld drawn(std::uint64_t seed) {
  JointWorld world;
  reference::Dice dice(seed);
  world.scene.settings.substeps = 1 << static_cast<int>(dice.uniform(0, 4));
  if (dice.uniform() < 0.7) world.floor(dice.uniform(), dice.uniform());
  const int count = 2 + static_cast<int>(dice.uniform(0, 6));
  std::vector<Id> ids;
  std::vector<Vec3> at;
  for (int k = 0; k < count; ++k) {
    const Vec3 place = Vec3(0, 1.6, 0) + 0.9 * dice.vector();
    Object box = World::box(Vec3(dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4)), place,
                            std::pow(10, dice.uniform(-1, 1)));
    box.transform.rotation = exp_rotation(2 * dice.vector());
    box.body.spin = 4 * dice.vector();
    box.material.substance.restitution = dice.uniform();
    box.material.substance.friction = dice.uniform();
    std::vector<std::uint32_t> pins;
    const double share = dice.uniform();
    if (k == 0 || share < 0.4) pins.push_back(static_cast<std::uint32_t>(dice.uniform(0, 8)));
    if (!pins.empty() && dice.uniform() < 0.4)
      pins.push_back((pins[0] + 1 + static_cast<std::uint32_t>(dice.uniform(0, 7))) % 8);
    ids.push_back(world.add(on_pins(box, pins)));
    at.push_back(place);
  }
  const JointKind kinds[] = {JointKind::ball,  JointKind::hinge,  JointKind::slider,
                             JointKind::fixed, JointKind::spring, JointKind::rope};
  for (int k = 1; k < count; ++k) {
    const auto other = static_cast<std::size_t>(dice.uniform(0, k)), own = static_cast<std::size_t>(k);
    const JointKind kind = kinds[static_cast<int>(dice.uniform(0, 6))];
    const bool two = kind == JointKind::spring || kind == JointKind::rope;
    world.joined(kind, ids[other], ids[own], two ? at[other] : Vec3(0.5 * (at[other] + at[own])),
                 exp_rotation(2 * dice.vector()), [&](Joint& joint) {
                   joint.stiffness = std::pow(10, dice.uniform(0, 5));
                   joint.damping = dice.uniform(0, 3);
                   if (two) joint.b.place = world.own(ids[own], at[own]);
                   if (dice.uniform() < 0.2) joint.break_force = std::pow(10, dice.uniform(0, 3));
                 });
  }
  return world;
}

void play_drawn(int count) {
  double most_gain = 0, most_off = 0;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(k);
    INFO("seed " << seed);
    const JointWorld world = drawn(seed);
    JointRun run(world);
    std::vector<std::vector<Vec3>> starts;
    for (std::size_t i = 0; i < run.model->bodies.size(); ++i) starts.push_back(run.nodes(i));
    const double start = run.energy();
    double booked = 0, gain = -1e300, off = 0, mass = 0;
    for (const Body& body : run.model->bodies) mass += body.moves ? body.mass : 0;
    for (int n = 0; n < static_cast<int>(0.8 / run.model->step); ++n) {
      const StepReport report = run.step();
      if (!report.ok) FAIL(to_string(*report.failure));
      booked += report.joint_figures.motors;
      for (const ContactGift& gift : report.gifts) booked += gift.energy();
      gain = std::max(gain, (run.energy() - start - booked) / (1 + mass * 9.81 * 2 + std::abs(booked)));
      for (std::size_t i = 0; i < starts.size(); ++i)
        for (const std::uint32_t pin : run.model->bodies[i].truss.pinned)
          off = std::max(off, (run.nodes(i)[pin] - starts[i][pin]).norm());
    }
    CHECK(gain < 1e-9);
    CHECK(off < 1e-6);
    most_gain = std::max(most_gain, gain);
    most_off = std::max(most_off, off);
  }
  WARN(count << " linkages on pins: gained " << most_gain << ", off their pins by " << most_off << " m");
}

}  // namespace

TEST_CASE("200 random linkages on pins: none stops, none leaves its pins, energy from nothing",
          "[joint][pins][random]") {
  play_drawn(rounds(200, 20));
}

TEST_CASE("200 bodies whose pins hold them in the floor: none stops, energy from nothing", "[contact][pins][random]") {
  double most = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + static_cast<std::uint64_t>(rounds(200, 20)); ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    World world;
    world.scene.settings.substeps = 1 << static_cast<int>(dice.uniform(0, 4));
    world.floor(dice.uniform(), dice.uniform());
    Object box = World::box(Vec3(dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4), dice.uniform(0.1, 0.4)),
                            Vec3(0, dice.uniform(-0.5, 0.2), 0), std::pow(10, dice.uniform(-1, 1)));
    box.transform.rotation = exp_rotation(2 * dice.vector());
    box.body.spin = 4 * dice.vector();
    const auto pin = static_cast<std::uint32_t>(dice.uniform(0, 8));
    std::vector<std::uint32_t> pins = {pin};
    if (dice.uniform() < 0.6) pins.push_back((pin + 1 + static_cast<std::uint32_t>(dice.uniform(0, 7))) % 8);
    world.add(on_pins(box, pins));
    Run run(world);
    const double start = run.energy();
    double booked = 0;
    for (int n = 0; n < static_cast<int>(1 / run.model->step); ++n) {
      const StepReport report = run.step();
      if (!report.ok) FAIL(to_string(*report.failure));
      for (const ContactGift& gift : report.gifts) booked += gift.energy();
      most = std::max(most, (run.energy() - start - booked) / (1 + box.body.mass * 9.81 * 2 + std::abs(booked)));
    }
  }
  CHECK(most < 1e-9);
}

TEST_CASE("2000 random linkages on pins", "[joint][pins][random][.long]") { play_drawn(2000); }

}  // namespace pinned_joint_test
