// Random scenes in which keys lead things: lifts, bats, jaws, things that are let go and taken back. No run stops; what physics has
// gains no more than led bodies and contacts say they gave; nothing is thrown faster than what threw it can; nothing falls through
// what carries it; the same bits on any number of threads and from any state that was kept. A scene that fails is told by its seed.
#include <cstdlib>

#include "core/scene/derived/tracks.h"
#include "core/scene/validate.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace random_led_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kSeconds = 1.5;
constexpr std::uint64_t kFirstSeed = 20261125;

struct LedScene {
  World world;
  std::vector<Id> free;  ///< physics has them all the time
  std::vector<Id> led;
  std::vector<Id> carriers;  ///< of `led`: wide plates below everything that nothing presses into them
  bool springs = false;      ///< something soft may be pressed, which then throws what lies on it
  std::string text;

  template <class... Numbers>
  void tell(const char* format, Numbers... numbers) {
    char line[160];
    std::snprintf(line, sizeof line, format, numbers...);
    text += line;
  }
  void key(Id of, const char* field, double time, const FieldValue& value) {
    world.scene = with_key(std::move(world.scene), of.value, field, time, value);
  }
  /// What the keys of this one are like between and beyond.
  void shape_keys(Id of, const char* field, reference::Dice& dice) {
    for (auto& track : world.scene.tracks) {
      if (track->target != of.value || track->field != field) continue;
      track = track.edited([&](Track& t) {
        const bool linear = dice.uniform() < 0.3;
        for (Key& k : t.keys) {
          k.shape = linear ? KeyShape::linear : KeyShape::spline;
          if (dice.uniform() < 0.2) k.tangent = KeyTangent::flat;
        }
        if (dice.uniform() < 0.3) t.after = static_cast<Beyond>(static_cast<int>(dice.uniform(0, 3)));
      });
    }
  }
};

void set_surface(Object& o, reference::Dice& dice) {
  o.material.substance.restitution = dice.uniform() < 0.15 ? 1 : dice.uniform() < 0.2 ? 0 : dice.uniform();
  o.material.substance.friction = dice.uniform() < 0.2 ? 0 : dice.uniform();
}

Id add_led(LedScene& scene, Object o, reference::Dice& dice) {
  if (dice.uniform() < 0.5) o.body.kind = BodyKind::fixed;
  set_surface(o, dice);
  const Id id = scene.world.add(std::move(o));
  scene.led.push_back(id);
  return id;
}

/// A plate that goes up and down, aside and to a slant of at most a fifth of a radian.
void add_lift(LedScene& scene, bool low, reference::Dice& dice) {
  const Vec3 at(0, 0.3, 0);
  const Id id = add_led(scene, World::box(Vec3(4, 0.2, 4), at, 5), dice);
  if (!low) scene.carriers.push_back(id);
  scene.text += " lift";
  const int keys = 3 + static_cast<int>(dice.uniform(0, 4));
  for (int k = 0; k < keys; ++k)
    scene.key(id, "transform.position", k * kSeconds / keys,
              Vec3(at + Vec3(dice.uniform(-0.1, 0.1), k == 0 ? 0 : dice.uniform(-0.1, low ? 0.8 : 0.3),
                             dice.uniform(-0.1, 0.1))));
  scene.shape_keys(id, "transform.position", dice);
  if (dice.uniform() < 0.5) return;
  for (int k = 0; k < 3; ++k)
    scene.key(id, "transform.rotation", 0.5 * k,
              Quat(Eigen::AngleAxisd(k == 0 ? 0 : dice.uniform(-0.2, 0.2), Vec3(dice.vector().normalized()))));
  scene.text += " that tilts;";
}

/// Above a lift it may come so low that it presses things into the plate: those then have nowhere to go, and may come out below.
void add_bat(LedScene& scene, bool low, reference::Dice& dice) {
  const Vec3 at(dice.uniform(-1.2, 1.2), dice.uniform(low ? 0.9 : 1.4, 1.6), dice.uniform(-1.2, 1.2));
  Object o = dice.uniform() < 0.5 ? World::box(Vec3(0.8, 0.2, 0.3), at, 2) : World::sphere(0.25, at, 2);
  const Id id = add_led(scene, o, dice);
  const double reach = dice.uniform() < 0.2 ? 3 : 0.6;
  scene.tell(" bat %.1f m;", reach);
  const int keys = 2 + static_cast<int>(dice.uniform(0, 5));
  for (int k = 0; k < keys; ++k)
    scene.key(id, "transform.position", k * kSeconds / keys, Vec3(at + reach * Vec3(dice.vector()).cwiseAbs()));
  scene.shape_keys(id, "transform.position", dice);
  if (dice.uniform() < 0.4) return;
  for (int k = 0; k < 3; ++k) scene.key(id, "transform.rotation", 0.4 * k, Quat(dice.attitude()).normalized());
  scene.shape_keys(id, "transform.rotation", dice);
}

/// Two plates that close on the first free body, up to a little less than there is room.
void add_jaws(LedScene& scene, double width, const Vec3& at, reference::Dice& dice) {
  const double squeeze = dice.uniform(-0.02, 0.05);
  scene.tell(" jaws on %.2f m, squeezing %.0f mm;", width, 1000 * squeeze);
  for (const double side : {-1.0, 1.0}) {
    const Vec3 open = at + side * Vec3(0.5 * width + 0.4, 0, 0),
               closed = at + side * Vec3(0.5 * (width - squeeze) + 0.05, 0, 0);
    const Id id = add_led(scene, World::box(Vec3(0.1, 0.4, 0.4), open, 2), dice);
    scene.key(id, "transform.position", 0, open);
    scene.key(id, "transform.position", 0.4, closed);
    scene.key(id, "transform.position", 0.6, closed);
    scene.key(id, "transform.position", 1.0, Vec3(closed + Vec3(0, 0.5, 0)));
    scene.key(id, "transform.position", 1.2, Vec3(open + Vec3(0, 0.5, 0)));
  }
}

/// Led, let go, and at times led again.
void add_thrown(LedScene& scene, reference::Dice& dice) {
  const Vec3 at(dice.uniform(-1, 1), dice.uniform(1.6, 2.2), dice.uniform(-1, 1));
  Object o = dice.uniform() < 0.5 ? World::box(Vec3(0.3, 0.2, 0.25), at, 2) : World::sphere(0.15, at, 0.5);
  o.body.blend = dice.uniform() < 0.5 ? 0 : dice.uniform(0, 0.4);
  set_surface(o, dice);
  const Id id = scene.world.add(std::move(o));
  scene.led.push_back(id);
  const double until = dice.uniform(0.1, 0.7);
  for (int k = 0; k < 4; ++k)
    scene.key(id, "transform.position", 0.4 * k, Vec3(at + (k == 0 ? 0.0 : 0.5) * Vec3(dice.vector())));
  scene.key(id, "transform.rotation", 0, Quat::Identity());
  scene.key(id, "transform.rotation", 0.7, Quat(dice.attitude()).normalized());
  scene.key(id, "body.led", 0, true);
  scene.key(id, "body.led", until, false);
  const bool again = dice.uniform() < 0.4;
  if (again) scene.key(id, "body.led", until + dice.uniform(0.1, 0.6), true);
  scene.tell(" thrown at %.2f s%s;", until, again ? ", and taken back" : "");
}

LedScene random_scene(std::uint64_t seed) {
  reference::Dice dice(seed);
  LedScene scene;
  const int substeps[] = {1, 2, 3, 4, 8};
  scene.world.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 5))];
  scene.tell("seed %llu: %d sub-steps,", static_cast<unsigned long long>(seed), scene.world.scene.settings.substeps);
  scene.world.floor(dice.uniform(), dice.uniform());
  const bool lift = dice.uniform() < 0.5, low = dice.uniform() < 0.5;
  if (lift) add_lift(scene, low, dice);
  const int count = 1 + static_cast<int>(dice.uniform(0, 3));
  double width = 0;
  Vec3 first = Vec3::Zero();
  for (int k = 0; k < count; ++k) {
    const double mass = std::pow(10, dice.uniform(-1.5, 1.5));
    const Vec3 size(dice.uniform(0.15, 0.5), dice.uniform(0.1, 0.4), dice.uniform(0.15, 0.5));
    const Vec3 at(dice.uniform(-0.5, 0.5), (lift ? 0.4 : 0) + 0.5 * size.y() + 0.01 + 0.9 * k, dice.uniform(-0.5, 0.5));
    const int kind = static_cast<int>(dice.uniform(0, 3));
    Object o = kind == 0   ? World::box(size, at, mass)
               : kind == 1 ? World::sphere(0.5 * size.y(), at, mass)
                           : World::jelly(0.5 * size.y(), at, std::pow(10, dice.uniform(2, 7)), mass);
    scene.springs = scene.springs || (kind == 2 && (!lift || low));
    if (kind == 2) o.body.damping = 0.02 * std::sqrt(o.body.stiffness * mass);
    set_surface(o, dice);
    if (dice.uniform() < 0.3) o.body.velocity = dice.vector();
    if (k == 0) width = kind == 0 ? size.x() : size.y(), first = at;
    scene.free.push_back(scene.world.add(std::move(o)));
    scene.tell(" %s %.2g kg;", kind == 0 ? "box" : kind == 1 ? "ball" : "jelly", mass);
  }
  if (!lift && dice.uniform() < 0.4) add_jaws(scene, width, first, dice);
  for (int k = static_cast<int>(dice.uniform(0, 3)); k > 0; --k) add_bat(scene, low, dice);
  if (dice.uniform() < 0.5 || scene.led.empty()) add_thrown(scene, dice);
  return scene;
}

struct Outcome {
  std::string stopped;
  double unbooked = 0;  ///< J per J: what energy has grown by beyond what is said
  double fastest = 0;   ///< of what physics has, per what its leaders, its fall and its start allow
  double below = 0;     ///< m, that a thing is under the plate that carries it
  double over_account = 0;
};

/// Of a body's centre, m/s, over all that are free.
struct Watch {
  const LedScene& scene;
  Run run;
  explicit Watch(const LedScene& s) : scene(s), run(s.world) {}

  bool is_free(std::size_t body, const std::vector<BodyForces>& told) const {
    return run.model->bodies[body].moves && !told[body].led;
  }
  double energy(const std::vector<BodyForces>& told) const {
    double sum = 0;
    for (std::size_t i = 0; i < run.model->bodies.size(); ++i) {
      if (!is_free(i, told)) continue;
      const Observables o = observe(*run.model, run.state, i);
      sum += o.kinetic_energy + o.elastic_energy - o.mass * run.model->gravity.dot(o.centre);
    }
    return sum;
  }
  std::vector<BodyForces> told() const {
    std::vector<BodyForces> forces(run.model->bodies.size());
    if (run.model->director) run.model->director->direct(*run.model, run.state, {}, forces);
    for (std::size_t i = 0; i < forces.size(); ++i)
      if (!run.model->bodies[i].can_be_led()) forces[i].led.reset();
    return forces;
  }
  double led_speed(const std::vector<BodyForces>& forces) const {
    double most = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      if (!forces[i].led) continue;
      double size = 0;
      for (const Vec3& p : run.model->bodies[i].mesh->positions) size = std::max(size, p.norm());
      const Pose now = run.model->bodies[i].object_pose(run.model->bodies[i].pose(run.state.bodies[i].values));
      const double way = (forces[i].led->pose.position - now.position).norm() / run.model->step;
      most = std::max({most, way, forces[i].led->velocity.norm() + forces[i].led->spin.norm() * size});
    }
    return most;
  }
};

Outcome watch(const LedScene& scene) {
  Watch w(scene);
  Run& run = w.run;
  Outcome out;
  const int steps = static_cast<int>(kSeconds / run.model->step + 0.5);
  double leaders = 0, begins = 0, scale = 1;
  for (const Id id : scene.free) begins = std::max(begins, run.velocity(id).norm());
  for (int k = 0; k < steps; ++k) {
    const std::vector<BodyForces> told = w.told();
    leaders = std::max(leaders, w.led_speed(told));
    const double before = w.energy(told);
    const StepReport report = step(*run.model, run.state, run.workspace, run.executor);
    if (!report.ok) {
      out.stopped = to_string(*report.failure);
      break;
    }
    const ContactFigures& f = report.figures;
    const double now = w.energy(told);
    scale = std::max({scale, std::abs(now), std::abs(f.led)});
    if (f.turns == 0 && f.held == 0)
      out.unbooked = std::max(out.unbooked, (now - before - f.work - f.led - f.projected) / scale);
    out.over_account = std::min(out.over_account, f.least_account);
    const double allowed = 4 * leaders + begins + std::sqrt(2 * 9.81 * 4) + 1;
    for (const Id id : scene.free) {
      const Observables o = run.at(id);
      out.fastest = std::max(out.fastest, (o.momentum / o.mass).norm() / allowed);
      for (const Id plate : scene.carriers) {
        const Pose pose = run.model->bodies[run.index(plate)].pose(run.state.bodies[run.index(plate)].values);
        const Vec3 at = pose.rotation.conjugate() * (o.centre - pose.position);
        if (std::abs(at.x()) < 1.8 && std::abs(at.z()) < 1.8) out.below = std::max(out.below, 0.1 - at.y());
      }
    }
  }
  return out;
}

void run_scenes(std::uint64_t first, int count) {
  for (int k = 0; k < count; ++k) {
    const LedScene scene = random_scene(first + static_cast<std::uint64_t>(k));
    INFO(scene.text);
    REQUIRE_FALSE(has_error(validate(scene.world.scene)));
    const Outcome out = watch(scene);
    CHECK(out.stopped == "");
    CHECK(out.unbooked < 1e-9);
    if (!scene.springs) CHECK(out.fastest < 1);
    CHECK(out.below < 0.05);
    CHECK(out.over_account >= 0);
  }
}

}  // namespace

TEST_CASE("Random scenes with led things neither stop nor gain nor fall through what carries them",
          "[led][random_scenes]") {
  run_scenes(kFirstSeed, rounds(20, 6));
}

TEST_CASE("200 random scenes with led things", "[led][random_scenes][slow]") { run_scenes(kFirstSeed + 1000, 200); }

TEST_CASE("2,000 random scenes with led things", "[.long]") {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  run_scenes(first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 10000, wanted ? std::atoi(wanted) : 2000);
}

TEST_CASE("A random scene with led things has the same bits on one and three threads, and from every state",
          "[led][threads]") {
  for (int k = 0; k < rounds(12, 3); ++k) {
    const LedScene scene = random_scene(kFirstSeed + 500 + static_cast<std::uint64_t>(k));
    INFO(scene.text);
    Run one(scene.world), three(scene.world, 3);
    std::vector<State> states = {one.state};
    for (int s = 0; s < 240; ++s) {
      one.steps(1);
      three.steps(1);
      states.push_back(one.state);
    }
    const auto hash = [](const State& state) { return hazumi::hash(state); };
    CHECK(hash(one.state) == hash(three.state));
    Run again(scene.world);
    for (std::size_t s = 0; s < states.size(); s += 7) {
      again.state = states[s];
      again.steps(static_cast<int>(std::min<std::size_t>(5, states.size() - 1 - s)));
      const std::size_t to = std::min(s + 5, states.size() - 1);
      CHECK(hash(again.state) == hash(states[to]));
    }
  }
}

}  // namespace random_led_test
