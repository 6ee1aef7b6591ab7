// Flexible and rigid bodies that joints hold together and leads take along, drawn at random, over a floor: no run stops, what is not broken
// stays closed, what is strict is where it is led, and energy comes from leads, motors and volumes alone. A scene that fails is told by its
// seed.
#include <cstdlib>
#include <map>

#include "tests/sim/joint/lead_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace random_soft_joints_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 20261127;
constexpr double kSeconds = 0.4;

struct RandomSoftJoints {
  JointWorld world;
  double mass = 0;
  struct Led {
    Vec3 from, way, turn;
    double strictness;
  };
  std::map<std::uint64_t, Led> leads;  ///< by id of the joint

  explicit RandomSoftJoints(std::uint64_t seed) {
    reference::Dice dice(seed);
    world.scene.settings.substeps = 2 << static_cast<int>(dice.uniform(0, 3));
    if (dice.uniform() < 0.6) world.floor(dice.uniform(), dice.uniform());
    const int count = 1 + static_cast<int>(dice.uniform(0, 5));
    std::vector<Id> ids;
    std::vector<Vec3> at;
    std::vector<std::size_t> bends;  // what rigid bodies are told by two leads they cannot do
    for (int k = 0; k < count; ++k) {
      const Vec3 place = k ? Vec3(at.back() + 0.5 * dice.vector().normalized()) : Vec3(0, 1.5, 0);
      const double kg = std::pow(10, dice.uniform(-0.5, 0.5));
      const bool soft = k == 0 || dice.uniform() < 0.5;
      Object o = soft ? World::jelly(0.25, place, std::pow(10, dice.uniform(2, 5)), kg)
                      : World::box(Vec3(0.3, 0.2, 0.25), place, kg);
      if (soft) {
        bends.push_back(static_cast<std::size_t>(k));
        o.body.damping = dice.uniform() < 0.5 ? 0 : o.body.stiffness * std::pow(10, dice.uniform(-4, -2));
        if (dice.uniform() < 0.3) o.body.volume.of = VolumeOf::hull;
      }
      o.body.velocity = 2 * dice.vector();
      o.body.spin = 4 * dice.vector();
      o.material.substance.restitution = dice.uniform();
      o.material.substance.friction = dice.uniform();
      if (dice.uniform() < 0.3) o.contact.enabled = false;
      mass += kg;
      ids.push_back(world.add(o));
      at.push_back(place);
    }
    const JointKind kinds[] = {JointKind::ball, JointKind::ball, JointKind::spring, JointKind::rope, JointKind::fixed};
    const auto join = [&](Id a, Id b, const Vec3& p, const Vec3& q) {
      const JointKind kind = kinds[static_cast<int>(dice.uniform(0, 5))];
      const bool two = kind == JointKind::spring || kind == JointKind::rope;
      world.joined(kind, a, b, two ? p : Vec3(0.5 * (p + q)), Quat::Identity(), [&](Joint& joint) {
        if (two) joint.b.place = world.own(b, q);
        joint.stiffness = std::pow(10, dice.uniform(1, 4));
        joint.damping = dice.uniform(0, 2);
        joint.collide = dice.uniform() < 0.2;
        if (dice.uniform() < 0.1) joint.break_force = std::pow(10, dice.uniform(1, 4));
      });
    };
    if (dice.uniform() < 0.4) join(Id{0}, ids[0], at[0] + 0.3 * dice.vector(), at[0]);
    for (int k = 1; k < count; ++k)
      join(ids[static_cast<std::size_t>(k) - 1], ids[static_cast<std::size_t>(k)], at[static_cast<std::size_t>(k) - 1],
           at[static_cast<std::size_t>(k)]);
    const int led = static_cast<int>(dice.uniform(0, 3));
    for (int k = 0; k < led; ++k) {
      const std::size_t i = bends[static_cast<std::size_t>(dice.uniform(0, static_cast<double>(bends.size())))];
      const Vec3 from = at[i] + 0.2 * dice.vector();
      const Id id = world.joined(JointKind::lead, ids[i], Id{0}, from, Quat::Identity(),
                                 [&](Joint& joint) { joint.b.place = from; });
      const double strictness[] = {1, 1, 0.7, 0.2};
      leads[id.value] = {from, 0.3 * dice.vector(), 5 * dice.vector(),
                         strictness[static_cast<int>(dice.uniform(0, 4))]};
    }
  }
};

struct Found {
  double gain = 0, gap = 0, off = 0;
  double unbooked = 0;  ///< J, most of a sub-step beyond what joints, volumes and contacts say
  double most = 0;      ///< J, that there was
  int stayed = 0, steps = 0;
  std::string stopped;
};

Found play(const RandomSoftJoints& scene) {
  JointRun first(scene.world);
  // A lead begins where what it leads is, which may lie a little beside the place that was wanted.
  std::map<std::size_t, RandomSoftJoints::Led> leads;
  for (std::size_t j = 0; j < first.model->joints.size(); ++j) {
    const auto at = scene.leads.find(first.model->joints[j].id.value);
    if (at == scene.leads.end()) continue;
    leads[j] = at->second;
    const ModelJoint& joint = first.model->joints[j];
    leads[j].from = first.place(joint.a, joint.place_a, joint.nodes_a);
  }
  Guide guide;
  guide.way = [=](std::size_t j, double t) -> Vec3 {
    const auto& led = leads.at(j);
    return led.from + led.way.cwiseProduct(
                          Vec3(std::sin(led.turn.x() * t), std::sin(led.turn.y() * t), std::sin(led.turn.z() * t)));
  };
  guide.velocity = [=](std::size_t j, double t) -> Vec3 {
    const auto& led = leads.at(j);
    return led.way.cwiseProduct(led.turn).cwiseProduct(
        Vec3(std::cos(led.turn.x() * t), std::cos(led.turn.y() * t), std::cos(led.turn.z() * t)));
  };
  guide.strictness = [=](std::size_t j) { return leads.at(j).strictness; };
  LedRun run(scene.world, guide);
  Found found;
  const double energy = run.energy();
  double booked = 0, most = 0, before = energy;
  for (int n = 1; n <= static_cast<int>(kSeconds / run.model->step); ++n) {
    const StepReport report = run.step();
    ++found.steps;
    if (!report.ok) {
      found.stopped = to_string(*report.failure);
      break;
    }
    booked += report.joint_figures.motors + report.joint_figures.leads + report.volume.work;
    for (const ContactGift& gift : report.gifts) booked += gift.energy();
    most = std::max(most, std::abs(booked));
    found.most = std::max(found.most, run.energy());
    found.gain = std::max(found.gain, (run.energy() - energy - booked) / (1 + scene.mass * 9.81 * 2 + most));
    const ContactFigures& contacts = report.figures;
    const double told = report.joint_figures.motors + report.joint_figures.leads + report.volume.work + contacts.work +
                        contacts.led + contacts.projected;
    found.unbooked = std::max(found.unbooked, run.energy() - before - told);
    before = run.energy();
    found.stayed += report.joint_figures.stayed;
    if (report.joint_figures.stayed > 0) continue;
    found.gap = std::max(found.gap, run.gap());
    for (const auto& [j, led] : leads)
      if (led.strictness == 1)
        found.off = std::max(found.off, (run.held(j) - guide.way(j, n * run.model->step)).norm());
  }
  return found;
}

/// HAZUMI_JOINT_SEED, HAZUMI_JOINT_COUNT: others.
void play_many(int usual) {
  const char* const from = std::getenv("HAZUMI_JOINT_SEED");
  const char* const many = std::getenv("HAZUMI_JOINT_COUNT");
  const std::uint64_t first = from ? std::strtoull(from, nullptr, 10) : kFirstSeed;
  const int count = many ? std::atoi(many) : sanitized() ? 10 : usual;
  int stayed = 0;
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    const Found found = play(RandomSoftJoints(seed));
    INFO("seed " << seed << ": gain " << found.gain << ", in a sub-step " << found.unbooked << " J, gap " << found.gap
                 << " m, off " << found.off << " m, stayed " << found.stayed << " of " << found.steps << " "
                 << found.stopped);
    CHECK(found.stopped.empty());
    CHECK(found.gain < 1e-9);
    CHECK(found.unbooked < 1e-9 * (1 + found.most));
    CHECK(found.gap < 1e-8);
    CHECK(found.off < 1e-8);
    stayed += found.stayed > 0;
  }
  CHECK(stayed <= count / 50);
}

}  // namespace

TEST_CASE("200 random scenes of flexible bodies with joints and leads", "[joint][random][slow]") { play_many(200); }
TEST_CASE("3,000 random scenes of flexible bodies with joints and leads", "[.long]") { play_many(3000); }

}  // namespace random_soft_joints_test
