// Random scenes: whatever stiffness, mass, restitution, friction and sub-steps are, no run stops, nothing gains energy and nothing
// passes the floor. A scene that fails is told by its seed; random_scene(seed) makes it again.
#include "tests/sim/constraint/eight_nodes.h"
#include "tests/sim/reference/dense.h"

namespace random_scenes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kSeconds = 1.5;
constexpr std::uint64_t kFirstSeed = 20261122;

struct RandomScene {
  World world;
  std::vector<Id> bodies;
  std::string text;
};

RandomScene random_scene(std::uint64_t seed) {
  reference::Dice dice(seed);
  RandomScene scene;
  World& w = scene.world;
  const int substeps[] = {1, 2, 3, 4, 8, 16};
  w.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 6))];
  const double friction = dice.uniform() < 0.2 ? 0 : dice.uniform(), e = dice.uniform() < 0.2 ? 1 : dice.uniform();
  char text[160];
  std::snprintf(text, sizeof text, "seed %llu: %d sub-steps, e %.2f, friction %.2f;",
                static_cast<unsigned long long>(seed), w.scene.settings.substeps, e, friction);
  scene.text = text;
  w.floor(friction, e);
  if (dice.uniform() < 0.4) {
    Object step = World::box(Vec3(1, 0.3, 1), Vec3(0.4, 0.15, 0));
    step.body.kind = BodyKind::fixed;
    step.material.substance.restitution = e;
    step.material.substance.friction = friction;
    w.add(step);
    scene.text += " a step;";
  }
  const int count = 1 + static_cast<int>(dice.uniform(0, 3));
  for (int k = 0; k < count; ++k) {
    const Vec3 at(dice.uniform(-0.3, 0.3), 0.8 + 0.9 * k, dice.uniform(-0.3, 0.3));
    const double mass = std::pow(10, dice.uniform(-1.5, 1.5)), stiffness = std::pow(10, dice.uniform(0, 8));
    const int kind = static_cast<int>(dice.uniform(0, 4));
    Object o;
    if (kind == 0)
      o = World::box(Vec3(dice.uniform(0.1, 0.6), dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.6)), at, mass);
    else if (kind == 1)
      o = World::sphere(dice.uniform(0.1, 0.35), at, mass);
    else if (kind == 2)
      o = World::jelly(dice.uniform(0.2, 0.35), at, stiffness, mass);
    else {
      o = eight_nodes({});
      o.display.kind = DisplayKind::none;
      o.transform.position = at;
      o.body.mass = mass;
      o.body.stiffness = stiffness;
    }
    o.body.damping = dice.uniform() < 0.5 ? 0 : 0.02 * std::sqrt(stiffness * mass);
    o.transform.rotation = Quat(dice.attitude()).normalized();
    o.body.velocity = 1.5 * dice.vector();
    o.body.spin = 3 * dice.vector();
    o.material.substance.restitution = e;
    o.material.substance.friction = friction;
    scene.bodies.push_back(w.add(o));
    const char* names[] = {"box", "ball", "jelly", "truss"};
    std::snprintf(text, sizeof text, " %s %.3g kg", names[kind], mass);
    scene.text += text;
    if (kind < 2) continue;
    std::snprintf(text, sizeof text, " k %.2g c %.2g", stiffness, o.body.damping);
    scene.text += text;
  }
  return scene;
}

struct Outcome {
  std::string stopped;
  double gain = 0, lowest = 1e300, over_account = 0;
};

Outcome watch(const RandomScene& scene) {
  Run run(scene.world);
  Outcome out;
  const double start = run.energy();
  double gifts = 0, highest = start;
  const int steps = static_cast<int>(kSeconds / run.model->step + 0.5);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(*run.model, run.state, run.workspace, run.executor);
    if (!report.ok) {
      out.stopped = to_string(*report.failure);
      break;
    }
    if (k == 0)
      for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
    highest = std::max(highest, run.energy());
    out.over_account = std::min(out.over_account, report.figures.least_account);
    for (const Id id : scene.bodies) out.lowest = std::min(out.lowest, run.at(id).centre.y());
  }
  out.gain = (highest - start - gifts) / start;
  return out;
}

void run_scenes(std::uint64_t first, int count) {
  for (int k = 0; k < count; ++k) {
    const RandomScene scene = random_scene(first + static_cast<std::uint64_t>(k));
    const Outcome out = watch(scene);
    INFO(scene.text);
    CHECK(out.stopped == "");
    CHECK(out.gain < 1e-6);
    CHECK(out.lowest > -0.1);
    CHECK(out.over_account >= 0);
  }
}

}  // namespace

TEST_CASE("Random scenes neither stop nor gain nor sink", "[constraint][random_scenes]") { run_scenes(kFirstSeed, 20); }

TEST_CASE("200 random scenes", "[random_scenes][slow]") { run_scenes(kFirstSeed + 1000, 200); }

TEST_CASE("5,000 random scenes", "[.long]") { run_scenes(kFirstSeed + 10000, 5000); }

}  // namespace random_scenes_test
