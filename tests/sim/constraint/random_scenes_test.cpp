// Random scenes: whatever stiffness, masses of bodies and nodes, restitution, friction, speed, mapping and sub-steps are, no run
// stops, nothing gains energy, and nothing passes the floor or a wall. A scene that fails is told by its seed; random_scene(seed)
// makes it again.
#include <cstdlib>

#include "core/geometry/mapping/bones.h"
#include "core/math/rotation.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/constraint/linkages.h"
#include "tests/sim/constraint/eight_nodes.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/sanitized.h"

namespace random_scenes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kSeconds = 1.5;
constexpr std::uint64_t kFirstSeed = 20261122;
constexpr double kRoom = 1.5;  // m, from the middle to a wall

struct RandomScene {
  World world;
  std::vector<Id> bodies;
  std::string text;
  bool walls = false, bones = false;

  template <class... Numbers>
  void tell(const char* format, Numbers... numbers) {
    char line[160];
    std::snprintf(line, sizeof line, format, numbers...);
    text += line;
  }
};

void set_surface(Object& o, reference::Dice& dice) {
  o.material.substance.restitution = dice.uniform() < 0.15 ? 1 : dice.uniform() < 0.15 ? 0 : dice.uniform();
  o.material.substance.friction = dice.uniform() < 0.2 ? 0 : dice.uniform();
}

void add_room(RandomScene& scene, reference::Dice& dice) {
  const double friction = dice.uniform(), e = dice.uniform() < 0.2 ? 1 : dice.uniform();
  scene.world.floor(friction, e);
  scene.tell(" floor e %.2f mu %.2f;", e, friction);
  if (dice.uniform() < 0.3) {
    Object step = World::box(Vec3(1, 0.3, 1), Vec3(0.4, 0.15, 0));
    step.body.kind = BodyKind::fixed;
    set_surface(step, dice);
    scene.world.add(step);
    scene.text += " a step;";
  }
  if (dice.uniform() < 0.5) return;
  scene.walls = true;
  scene.text += " walls;";
  for (const Vec3& out : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)}) {
    Object wall =
        make_object(0, "wall", {PrimitiveShape::plane, Vec3(20, 1, 20), {1, 1, 1}}, kRoom * out, BodyKind::fixed);
    wall.transform.rotation = turn_onto(Vec3::UnitY(), -out);
    set_surface(wall, dice);
    scene.world.add(wall);
  }
}

/// A soft ball with a skin, or a box of eight nodes whose masses differ by up to a hundredfold.
Object soft_body(RandomScene& scene, reference::Dice& dice, bool skin, const Vec3& at, double mass) {
  const double stiffness = std::pow(10, dice.uniform(0, 8));
  Object o = skin ? World::jelly(dice.uniform(0.2, 0.35), at, stiffness, mass) : eight_nodes({});
  if (skin) {
    const MappingKind kinds[] = {MappingKind::automatic, MappingKind::lattice, MappingKind::skeleton};
    o.mapping.kind = kinds[static_cast<int>(dice.uniform(0, 3))];
    o.mapping.bones = bones_along_longest_axis(std::vector<Vec3>{{-0.2, 0, 0}, {0.2, 0, 0}, {0, 0.1, 0}}, 2);
  } else {
    StrungTruss truss = *o.analysis.strung;
    for (StrungNode& node : truss.nodes) node.mass = std::pow(10, dice.uniform(-1, 1));
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    o.display.kind = DisplayKind::none;
  }
  o.body.stiffness = stiffness;
  if (dice.uniform() < 0.5) o.body.damping = 0.02 * std::sqrt(stiffness * mass);
  scene.bones = scene.bones || o.mapping.kind == MappingKind::skeleton;
  scene.tell(" mapping %d k %.2g c %.2g", static_cast<int>(o.mapping.kind), stiffness, o.body.damping);
  return o;
}

RandomScene random_scene(std::uint64_t seed) {
  reference::Dice dice(seed);
  RandomScene scene;
  const int substeps[] = {1, 2, 3, 4, 8, 16};
  scene.world.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 6))];
  scene.tell("seed %llu: %d sub-steps,", static_cast<unsigned long long>(seed), scene.world.scene.settings.substeps);
  add_room(scene, dice);
  const int count = 1 + static_cast<int>(dice.uniform(0, 3));
  for (int k = 0; k < count; ++k) {
    const Vec3 at(dice.uniform(-0.3, 0.3), 0.8 + 0.9 * k, dice.uniform(-0.3, 0.3));
    const double mass = std::pow(10, dice.uniform(-1.5, 1.5)), fast = dice.uniform() < 0.2 ? 10 : 1.5;
    const int kind = static_cast<int>(dice.uniform(0, 4));
    const char* names[] = {"box", "ball", "jelly", "truss"};
    scene.tell(" %s %.3g kg", names[kind], mass);
    Object o;
    if (kind == 0)
      o = World::box(Vec3(dice.uniform(0.1, 0.6), dice.uniform(0.1, 0.5), dice.uniform(0.1, 0.6)), at, mass);
    else if (kind == 1)
      o = World::sphere(dice.uniform(0.1, 0.35), at, mass);
    else
      o = soft_body(scene, dice, kind == 2, at, mass);
    o.transform.position = at;
    o.body.mass = mass;
    o.transform.rotation = Quat(dice.attitude()).normalized();
    o.body.velocity = fast * dice.vector();
    o.body.spin = 3 * dice.vector();
    set_surface(o, dice);
    scene.bodies.push_back(scene.world.add(o));
    scene.tell(" e %.2f mu %.2f v %.1f;", o.material.substance.restitution, o.material.substance.friction,
               o.body.velocity.norm());
  }
  return scene;
}

struct Outcome {
  std::string stopped;
  double gain = 0, lowest = 1e300, outside = 0, over_account = 0, unbooked = 0;
  int stayed = 0;         ///< sub-steps in which some linkage did
  double overbooked = 0;  ///< greatest work of a sub-step that was booked and not done, of what energy there is
};

/// The middle of what is seen of a body: of a skin on bones that of its vertices, since nodes that no bone follows may hang as far
/// below it as weak springs let them.
Vec3 middle(const Run& run, Id id) {
  const std::size_t i = run.index(id);
  const hazumi::Body& body = run.model->bodies[i];
  const std::vector<std::uint32_t>& skin = body.proxy.skin;
  if (!body.mapping || skin.empty()) return run.at(id).centre;
  std::vector<Vec3> nodes(body.truss.nodes.size()), places(skin.size());
  body.positions(run.state.bodies[i].values, nodes);
  body.mapping->map_points(nodes, body.pose(run.state.bodies[i].values), skin, places);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : places) sum += p / static_cast<double>(places.size());
  return sum;
}

Outcome watch(const RandomScene& scene) {
  Run run(scene.world);
  Outcome out;
  const auto energy = [&] { return run.energy() + joint_energy(*run.model, run.state); };
  const double start = energy();
  double gifts = 0, highest = start, now = start, told = 0, most_told = 0;
  const int steps = static_cast<int>(kSeconds / run.model->step + 0.5);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = step(*run.model, run.state, run.workspace, run.executor);
    if (!report.ok) {
      out.stopped = to_string(*report.failure);
      break;
    }
    if (k == 0)
      for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
    const double before = now;
    now = energy();
    const JointFigures& joints = report.joint_figures;
    const double given = joints.motors + joints.leads + joints.pulls + report.volume.work;
    told += given;
    most_told = std::max(most_told, std::abs(told));
    highest = std::max(highest, now - told);
    const ContactFigures& f = report.figures;
    if (f.turns == 0 && f.held == 0)  // what energy has grown by beyond what contacts say
      out.unbooked =
          std::max(out.unbooked, (now - before - given - f.work - f.projected) / (1 + std::abs(start) + most_told));
    const double there = 1 + std::abs(before) + std::abs(now);
    out.overbooked = std::max(out.overbooked, (given + std::min(0.0, f.work) - (now - before)) / there);
    if (joints.stayed > 0) ++out.stayed;
    out.over_account = std::min(out.over_account, f.least_account);
    for (const Id id : scene.bodies) {
      const Vec3 c = middle(run, id);
      out.lowest = std::min(out.lowest, c.y());
      if (scene.walls) out.outside = std::max({out.outside, std::abs(c.x()) - kRoom, std::abs(c.z()) - kRoom});
    }
  }
  out.gain = (highest - start - gifts) / (start + most_told);
  return out;
}

/// Collisions as sine pulses, of materials so soft that most take longer than a sub-step.
void use_pulses(RandomScene& scene, std::uint64_t seed) {
  reference::Dice dice(seed + 77);
  scene.world.scene.settings.impacts = Impacts::sine_pulse;
  for (auto& object : scene.world.scene.objects) {
    const double young = std::pow(10, dice.uniform(4, 9));
    object = object.edited([&](Object& o) { o.material.substance.young = young; });
    scene.tell(" E %.2g", young);
  }
}

/// Of every soft body the solver is drawn, and whether a ball is a grid of boxes.
void draw_solvers(RandomScene& scene, std::uint64_t seed) {
  reference::Dice dice(seed + 99);
  const auto all = elastic_solvers();
  for (auto& object : scene.world.scene.objects) {
    if (object->body.kind != BodyKind::flexible) continue;
    object = object.edited([&](Object& o) {
      o.body.solver = all[static_cast<std::size_t>(dice.uniform(0, static_cast<double>(all.size())))]->name;
      if (o.analysis.kind == AnalysisKind::icosahedron && dice.uniform() < 0.5)
        o.analysis.kind = AnalysisKind::box_grid;
      scene.text += " " + o.body.solver;
    });
  }
}

/// Every soft body is a ball whose skin hangs on bones, of any reach, and most are so soft and fast that they are turned inside out.
void hang_on_bones(RandomScene& scene, std::uint64_t seed) {
  reference::Dice dice(seed + 55);
  for (auto& object : scene.world.scene.objects) {
    if (object->body.kind != BodyKind::flexible) continue;
    object = object.edited([&](Object& o) {
      const double stiffness = std::pow(10, dice.uniform(0, 4));
      const Object ball = World::jelly(dice.uniform(0.2, 0.35), o.transform.position, stiffness, o.body.mass);
      o.display = ball.display;
      o.analysis = ball.analysis;
      o.body.stiffness = stiffness;
      if (o.body.damping > 0) o.body.damping = 0.02 * std::sqrt(stiffness * o.body.mass);
      o.body.velocity *= dice.uniform(1, 4);
      o.mapping.kind = MappingKind::skeleton;
      o.mapping.bones = bones_along_longest_axis(std::vector<Vec3>{{-0.2, 0, 0}, {0.2, 0, 0}, {0, 0.1, 0}},
                                                 static_cast<int>(dice.uniform(1, 5)));
      const double reach = std::pow(10, dice.uniform(-2, 0));
      for (Bone& bone : o.mapping.bones) bone.radius = reach;
      scene.tell(" %zu bones of %.2g m k %.2g v %.1f", o.mapping.bones.size(), reach, stiffness,
                 o.body.velocity.norm());
    });
  }
}

/// Joints of all kinds among the bodies and to the world, with limits, motors and forces at which they break; leads and hands; volumes that
/// are kept, swell and shrink.
void join_bodies(RandomScene& scene, std::uint64_t seed) {
  reference::Dice dice(seed + 33);
  Scene& all = scene.world.scene;
  const auto place_of = [&](Id id) { return find_object(all, id)->transform.position; };
  const auto add = [&](JointKind kind, Id a, Id b, const JointPlaces& places) {
    Joint joint;
    joint.id = next_id(all);
    joint.name = "joint " + std::to_string(joint.id.value);
    joint.kind = kind;
    joint.a.object = a.value;
    joint.b.object = b.value;
    joint = with_places(joint, places, placed_in(all));
    joint.limited = dice.uniform() < 0.4;
    joint.least_turn = joint.least_way = -dice.uniform(0, 0.4);
    joint.most_turn = joint.most_way = dice.uniform(0, 0.4);
    joint.motor = dice.uniform() < 0.3;
    joint.motor_turn = dice.uniform(-10, 10);
    joint.motor_speed = dice.uniform(-2, 2);
    joint.motor_torque = joint.motor_force = std::pow(10, dice.uniform(-1, 2));
    joint.stiffness = std::pow(10, dice.uniform(0, 5));
    joint.damping = dice.uniform() < 0.5 ? 0 : dice.uniform(0, 5);
    joint.collide = dice.uniform() < 0.2;
    if (dice.uniform() < 0.2 && !has_target(kind)) joint.break_force = std::pow(10, dice.uniform(0, 3));
    scene.tell(" joint %d %llu-%llu", static_cast<int>(kind), static_cast<unsigned long long>(a.value),
               static_cast<unsigned long long>(b.value));
    all.joints.emplace_back(joint);
    return joint.id;
  };
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const Id body = scene.bodies[k], other = k > 0 ? scene.bodies[k - 1] : Id{};
    const Vec3 at = place_of(body), from = k > 0 ? place_of(other) : Vec3(at + Vec3(0, 0.5, 0));
    if (dice.uniform() < (k > 0 ? 0.8 : 0.3)) {
      const auto kind = static_cast<JointKind>(static_cast<int>(dice.uniform(0, 6)));
      const bool two = has_length(kind);
      add(kind, other, body,
          {two ? from : Vec3(0.5 * (from + at)), two ? at : Vec3(0.5 * (from + at)), Quat(dice.attitude())});
    }
    const double drawn = dice.uniform();
    if (drawn < 0.4) {
      const Id to = add(drawn < 0.25 ? JointKind::lead : JointKind::pull, body, Id{}, {at, at, Quat::Identity()});
      Vec3 now = at;
      for (int key = 0; key < 6; ++key, now += 0.2 * dice.vector()) {
        now.y() = std::max(now.y(), 0.6);
        all = with_key(std::move(all), to.value, "b.place", 0.3 * key, now);
      }
      if (dice.uniform() < 0.3) all = with_key(std::move(all), to.value, "strictness", 0, dice.uniform());
      all = with_key(std::move(all), to.value, "on", 0, true);
      if (dice.uniform() < 0.5) all = with_key(std::move(all), to.value, "on", dice.uniform(0.3, 1), false);
    }
    if (find_object(all, body)->body.kind != BodyKind::flexible || dice.uniform() < 0.5) continue;
    all = with_object(std::move(all), body, [](Object& o) { o.body.volume.of = VolumeOf::hull; });
    if (dice.uniform() < 0.5) {
      all = with_key(std::move(all), body.value, "body.volume.size", 0, 1.0);
      all = with_key(std::move(all), body.value, "body.volume.size", 0.7, dice.uniform(0.6, 1.6));
    }
    scene.text += " keeps its volume";
  }
}

enum class As { springs, pulses, drawn, bones, joined };

void run_scenes(std::uint64_t first, int count, As as = As::springs) {
  for (int k = 0; k < count; ++k) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
    RandomScene scene = random_scene(seed);
    if (as == As::pulses) use_pulses(scene, seed);
    if (as == As::bones) hang_on_bones(scene, seed);
    if (as == As::drawn || as == As::bones) draw_solvers(scene, seed);
    if (as == As::joined) join_bodies(scene, seed);
    const Outcome out = watch(scene);
    INFO(scene.text);
    CHECK(out.stopped == "");
    CHECK(out.gain < 1e-6);
    CHECK(out.unbooked < (as == As::joined ? 1e-8 : 1e-9));
    CHECK(out.overbooked < 3);
    CHECK(out.lowest > -0.1);
    CHECK(out.outside < 0.1);
    CHECK(out.over_account >= 0);
  }
}

}  // namespace

TEST_CASE("Random scenes neither stop nor gain nor sink", "[constraint][random_scenes]") {
  run_scenes(kFirstSeed, test::rounds(20, 8));
}

TEST_CASE("200 random scenes", "[random_scenes][slow]") { run_scenes(kFirstSeed + 1000, 200); }

TEST_CASE("Random scenes with sine pulses neither stop nor gain nor sink", "[constraint][random_scenes][pulse]") {
  run_scenes(kFirstSeed, test::rounds(20, 8), As::pulses);
}

// Half of what the other generators have: it takes as long as three of them. The 2,000 are behind `long`.
TEST_CASE("100 random scenes with sine pulses", "[random_scenes][slow]") {
  run_scenes(kFirstSeed + 1000, 100, As::pulses);
}

TEST_CASE("Random scenes of any elastic solver neither stop nor gain nor sink",
          "[constraint][random_scenes][solvers]") {
  run_scenes(kFirstSeed, test::rounds(20, 8), As::drawn);
}

TEST_CASE("200 random scenes of any elastic solver", "[random_scenes][slow]") {
  run_scenes(kFirstSeed + 1000, 200, As::drawn);
}

TEST_CASE("Random scenes of skins on bones neither stop nor gain nor sink", "[constraint][random_scenes][skeleton]") {
  run_scenes(kFirstSeed, test::rounds(20, 8), As::bones);
}

// Of 300 others (seeds 33000000 on) four were 0.11 to 0.20 m deep while bones jumped and followed a single node; of 1,000 now none is.
TEST_CASE("200 random scenes of skins on bones", "[random_scenes][slow]") {
  run_scenes(kFirstSeed + 1000, 200, As::bones);
}

TEST_CASE("Random scenes with joints, leads, hands and volumes neither stop nor gain nor sink",
          "[constraint][random_scenes][joint]") {
  run_scenes(kFirstSeed, test::rounds(20, 3), As::joined);
}

TEST_CASE("60 random scenes with joints, leads, hands and volumes", "[random_scenes][joint][slow]") {
  run_scenes(kFirstSeed + 1000, 60, As::joined);
}

// A lead held a ball off its hinge. As it let go the hinge was shut within a sub-step, at 39 m/s: 40 J from 0.3.
TEST_CASE("a joint that was held open gives nothing as it shuts", "[constraint][random_scenes][joint]") {
  run_scenes(42300122, 1, As::joined);
}

TEST_CASE("skins on jellies that are turned inside out stay in the room", "[constraint][random_scenes][skeleton]") {
  // 0.18 and 0.28 m in a wall, 0.29 m in the floor, while bones jumped; then 0.13 and 0.28 m while they followed a single node.
  for (const std::uint64_t seed : {31000031u, 31000032u, 31000203u}) run_scenes(seed, 1, As::drawn);
}

// Impulses that no step followed were taken back to those before, which no step followed either from the places that rows had come to.
TEST_CASE("impulses that no step follows any more stop no run", "[constraint][random_scenes][skeleton][slow]") {
  run_scenes(20271776, 1, As::bones);
}

namespace {

/// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
void run_long(int count, As as) {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  run_scenes(first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 10000, wanted ? std::atoi(wanted) : count, as);
}

}  // namespace

TEST_CASE("5,000 random scenes", "[.long]") { run_long(5000, As::springs); }
TEST_CASE("2,000 random scenes with sine pulses", "[.long]") { run_long(2000, As::pulses); }
TEST_CASE("2,000 random scenes of any elastic solver", "[.long]") { run_long(2000, As::drawn); }
TEST_CASE("2,000 random scenes of skins on bones", "[.long]") { run_long(2000, As::bones); }
TEST_CASE("2,000 random scenes with joints, leads, hands and volumes", "[.long]") { run_long(2000, As::joined); }

}  // namespace random_scenes_test
