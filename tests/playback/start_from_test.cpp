// A state of a run as the start of another: positions and velocities go over, rest shapes stay, and what comes then is what would have
// come.
#include "core/playback/start_from.h"
#include "core/motion/compile.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "core/sim/body/flexible.h"
#include "tests/sim/joint/joint_support.h"
#include "tests/support/fill_run.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_scenes.h"

namespace start_from_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Random {
  std::mt19937 engine;
  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  Quat turn() { return Quat(in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)).normalized(); }
};

/// One of each kind, moving anyhow; every third time hung on pins.
Scene random_scene(Random& random, int number) {
  World world;
  world.add(World::box(Vec3(0.4, 0.7, 1.1), random.vector(2), random.in(0.1, 20)));
  world.add(World::jelly(0.5, random.vector(2), random.in(50, 5000), random.in(0.1, 5), number % 2 == 0));
  Object point = ball(0, "", BodyKind::point, random.vector(2));
  world.add(point);
  Object strung = strung_cube(0, random.vector(2)), plate = World::box(Vec3(1, 0.2, 1), random.vector(2));
  plate.display.kind = DisplayKind::none;
  plate.analysis = strung.analysis;
  const int pins = number % 3 == 0 ? 1 + number / 3 % 4 : 0;
  for (Object* object : {&strung, &plate}) {
    StrungTruss truss = *object->analysis.strung;
    for (int i = 0; i < pins; ++i) truss.nodes[static_cast<std::size_t>(i)].pinned = true;
    object->analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
    world.add(*object);
  }
  for (Shared<Object>& object : world.scene.objects)
    object = object.edited([&](Object& o) {
      o.transform.rotation = random.turn();
      o.transform.scale = Vec3::Constant(1) + random.vector(0.3);
      o.body.velocity = random.vector(5);
      o.body.spin = random.vector(6);
      o.body.damping = random.in(0, 0.5);
      o.contact.enabled = false;
    });
  world.scene.settings.last_frame = 60;
  return world.scene;
}

/// Sets the nodes of what deforms in motion of their own.
void shake(Random& random, const Model& model, State& state) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const auto* body = dynamic_cast<const FlexibleBody*>(&model.bodies[i]);
    if (!body) continue;
    std::vector<Vec3> shifts(body->truss.nodes.size());
    std::vector<NodeImpulse> impulses;
    for (std::uint32_t n = 0; n < shifts.size(); ++n) {
      shifts[n] = random.vector(0.1);
      impulses.push_back({n, body->truss.masses[n] * random.vector(2)});
    }
    body->elastic->displace(state.bodies[i].values, shifts);
    body->elastic->apply_impulses(state.bodies[i].values, impulses);
  }
}

/// Largest difference of places (m), or of velocities of nodes and centres and of spins, of two states.
std::pair<double, double> difference(const Model& a, const State& sa, const Model& b, const State& sb) {
  double places = 0, speeds = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &x = a.bodies[i], &y = b.bodies[i];
    const std::span<const double> vx = sa.bodies[i].values, vy = sb.bodies[i].values;
    std::vector<Vec3> px(x.truss.nodes.size()), py(px.size()), scratch;
    x.positions(vx, px), y.positions(vy, py);
    for (std::size_t n = 0; n < px.size(); ++n) places = std::max(places, (px[n] - py[n]).norm());
    const Pose from = x.object_pose(x.pose(vx)), to = y.object_pose(y.pose(vy));
    places = std::max({places, (from.position - to.position).norm(),
                       (from.rotation.toRotationMatrix() - to.rotation.toRotationMatrix()).norm()});
    const Observables ox = x.observe(vx), oy = y.observe(vy);
    speeds = std::max({speeds, (ox.momentum - oy.momentum).norm() / ox.mass,
                       (ox.angular_momentum - oy.angular_momentum).norm() / ox.mass});
    if (const auto* bending = dynamic_cast<const FlexibleBody*>(&x)) {
      bending->elastic->velocities(vx, px);
      dynamic_cast<const FlexibleBody&>(y).elastic->velocities(vy, py);
      for (std::size_t n = 0; n < px.size(); ++n) speeds = std::max(speeds, (px[n] - py[n]).norm());
    }
  }
  return {places, speeds};
}

State state_of(const Scene& scene, int frame) {
  Simulator simulator(compiled(scene), 1);
  const State* state = simulator.state_at(frame);
  REQUIRE(state);
  return *state;
}

}  // namespace

TEST_CASE("200 random states go over: places, attitudes, velocities, spins, nodes of soft bodies", "[start_from]") {
  Random random{std::mt19937(11)};
  double places = 0, speeds = 0;
  std::size_t bent = 0, straight = 0;
  for (int number = 0; number < 200; ++number) {
    INFO(number);
    const Scene scene = random_scene(random, number);
    const auto model = compiled(scene);
    State state = initial_state(*model);
    if (number % 4 != 0) shake(random, *model, state);
    const Scene begun = started_from(scene, *model, state);
    REQUIRE_FALSE(has_error(validate(begun)));
    const auto after = compiled(begun);
    const auto [dx, dv] = difference(*model, state, *after, initial_state(*after));
    places = std::max(places, dx), speeds = std::max(speeds, dv);
    for (std::size_t i = 0; i < begun.objects.size(); ++i) {
      const Object &was = *scene.objects[i], &now = *begun.objects[i];
      (now.body.start.empty() ? straight : bent) += body_kind(now.body.kind).deforms ? 1 : 0;
      // The rest shape is the rest shape.
      CHECK(object_truss(was, {}).nodes == object_truss(now, {}).nodes);
      CHECK(was.transform.scale == now.transform.scale);
    }
  }
  CHECK(places < 1e-12);  // 3e-15 measured
  CHECK(speeds < 1e-11);
  CHECK(bent == 300);
  CHECK(straight == 100);
}

TEST_CASE("In free flight, what comes from there is what would have come", "[start_from]") {
  Random random{std::mt19937(12)};
  for (int number = 0; number < 12; ++number) {
    INFO(number);
    Scene scene = random_scene(random, number);
    Simulator simulator(compiled(scene), 1);
    constexpr int kFrom = 17, kMore = 20;
    const State* state = simulator.state_at(kFrom);
    REQUIRE(state);
    const Scene begun = started_from(scene, simulator.model(), *state);
    Simulator on(compiled(begun), 1);
    const State* first = simulator.state_at(kFrom + kMore);
    const State* second = on.state_at(kMore);
    REQUIRE((first && second));
    const auto [dx, dv] = difference(simulator.model(), *first, on.model(), *second);
    CHECK(dx < 1e-8);
    CHECK(dv < 1e-7);
    // Where nothing were bent, or moved by its nodes, it would be another motion.
    Scene stiff = begun;
    for (auto& object : stiff.objects) object = object.edited([](Object& o) { o.body.start.clear(); });
    Simulator other(compiled(stiff), 1);
    REQUIRE(other.state_at(kMore));
    CHECK(difference(simulator.model(), *first, other.model(), *other.state_at(kMore)).first > 1e-4);
  }
}

namespace {

/// What nobody touches and what shakes so that springs keep something or break, of jelly, boxes and a strung cube.
Scene shaken_scene(Random& random, int number, double yield, double breaks) {
  World world;
  world.scene.settings.gravity = random.vector(3);
  Object o = number % 3 == 2 ? World::jelly(0.5, Vec3::Zero(), 800) : World::box(Vec3(0.8, 0.6, 0.5), Vec3::Zero());
  o.body.kind = BodyKind::flexible;
  if (number % 3 < 2) {
    o.analysis.kind = AnalysisKind::box_grid;
    o.analysis.size = Vec3(0.8, 0.6, 0.5);
    o.analysis.divisions = {2 + number % 2, 1, 2};
  }
  o.body.mass = random.in(0.5, 3);
  o.body.stiffness = random.in(500, 4000);
  o.body.damping = random.in(0, 2);
  if (yield > 0) set_parameter(o.body.parameters, {"lagrange", "yield", {}, yield});
  if (breaks > 0) set_parameter(o.body.parameters, {"lagrange", "breaks", {}, breaks});
  o.transform.rotation = random.turn();
  o.body.velocity = random.vector(3);
  o.body.spin = random.vector(3);
  o.contact.enabled = false;
  const Id id = world.add(o);
  const std::size_t nodes = object_truss(*find_object(world.scene, id), {}).nodes.size();
  world.scene = with_object(world.scene, id, [&](Object& edited) {
    for (std::size_t i = 0; i < nodes; ++i)
      edited.body.start.push_back({random.vector(0.03), random.vector(breaks > 0 ? 5 : 2)});
  });
  return world.scene;
}

struct Gone {
  double kept = 0;  // m, the most
  int broken = 0, parts = 1;
};

Gone gone_through(const Model& model, const State& state) {
  Gone out;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    std::vector<SpringPast> all;
    dynamic_cast<const FlexibleBody&>(model.bodies[i]).elastic->past(state.bodies[i].values, all);
    for (const SpringPast& spring : all) {
      out.kept = std::max(out.kept, std::abs(spring.kept));
      out.broken += spring.broken;
    }
    out.parts = std::max(out.parts, model.bodies[i].observe(state.bodies[i].values).parts);
  }
  return out;
}

}  // namespace

TEST_CASE("Dents and cracks go over, and what comes then is what would have come", "[start_from]") {
  Random random{std::mt19937(20261129)};
  int dented = 0, cracked = 0, shards = 0, other = 0;
  double places = 0, speeds = 0;
  const int count = rounds(60, 12);
  for (int number = 0; number < count; ++number) {
    INFO(number);
    const double breaks = number % 2 ? random.in(0.005, 0.05) : 0, yield = number % 4 == 1 ? 0 : random.in(0.01, 0.05);
    const Scene scene = shaken_scene(random, number, yield, breaks);
    Simulator simulator(compiled(scene), 1);
    constexpr int kFrom = 13, kMore = 12;
    const State* state = simulator.state_at(kFrom);
    REQUIRE(state);
    const Gone had = gone_through(simulator.model(), *state);
    const Scene begun = started_from(scene, simulator.model(), *state);
    REQUIRE_FALSE(has_error(validate(begun)));
    const auto read = scene_from_text(scene_to_text(begun), {});
    REQUIRE(read.ok());
    Simulator on(compiled(read.value()), 1);
    const Gone has = gone_through(on.model(), *on.state_at(0));
    CHECK(has.broken == had.broken);
    CHECK(has.parts == had.parts);
    CHECK(std::abs(has.kept - had.kept) <= 1e-12 * had.kept);
    const auto [x, v] = difference(simulator.model(), *state, on.model(), *on.state_at(0));
    CHECK(x < 1e-11);
    CHECK(v < 1e-10);
    const State* first = simulator.state_at(kFrom + kMore);
    const State* second = on.state_at(kMore);
    REQUIRE((first && second));
    const auto [dx, dv] = difference(simulator.model(), *first, on.model(), *second);
    places = std::max(places, dx), speeds = std::max(speeds, dv);
    CHECK(gone_through(on.model(), *second).broken == gone_through(simulator.model(), *first).broken);
    CHECK(dx < 1e-7);
    CHECK(dv < 1e-6);
    // A scene that has forgotten goes another way.
    Scene forgot = begun;
    for (auto& object : forgot.objects) object = object.edited([](Object& o) { o.body.start_springs.clear(); });
    Simulator anew(compiled(forgot), 1);
    const State* third = anew.state_at(kMore);
    other += third && difference(simulator.model(), *first, anew.model(), *third).first > 1e-4;
    dented += had.kept > 0, cracked += had.broken > 0, shards += had.parts > 1;
  }
  WARN(dented << " dented, " << cracked << " cracked, " << shards << " in parts, " << other
              << " otherwise when forgotten; off by " << places << " m, " << speeds << " m/s");
  CHECK(dented > count / 2);
  CHECK(cracked > count / 8);
  CHECK(shards > count / 10);
  CHECK(other > count / 3);
}

TEST_CASE("What was dented stays so when it yields no more", "[start_from]") {
  Random random{std::mt19937(7)};
  Scene scene = shaken_scene(random, 0, 0.01, 0);
  scene.settings.gravity.setZero();
  Simulator simulator(compiled(scene), 1);
  const State* state = simulator.state_at(60);
  REQUIRE(state);
  Scene fired = started_from(scene, simulator.model(), *state);
  for (auto& object : fired.objects)
    object = object.edited([](Object& o) {
      o.body.parameters.clear();
      o.body.damping = 4;
    });
  Simulator on(compiled(fired), 1);
  const Gone had = gone_through(simulator.model(), *state), has = gone_through(on.model(), *on.state_at(60));
  CHECK(had.kept > 0.001);
  CHECK(std::abs(has.kept - had.kept) <= 1e-12);
}

TEST_CASE("A point thrown on begins on its parabola, and lives as long as it would have", "[start_from]") {
  World world;
  Object point = ball(0, "Point", BodyKind::point, Vec3(0, 3, 0));
  point.body.velocity = Vec3(2, 5, -1);
  point.body.birth = 0.1;
  point.body.death = 2;
  const Id id = world.add(point);
  world.scene.settings.last_frame = 200;
  const Vec3 g = world.scene.settings.gravity;
  const auto begun = [&](int frame) {
    const auto model = compiled(world.scene);
    return started_from(world.scene, *model, state_of(world.scene, frame));
  };
  const Scene at_60 = begun(60);
  const Object& on = *find_object(at_60, id);
  const double t = 1 - 0.1;
  CHECK((on.transform.position - (Vec3(0, 3, 0) + t * point.body.velocity + 0.5 * t * t * g)).norm() < 0.05);
  CHECK((on.body.velocity - (point.body.velocity + t * g)).norm() < 0.1);
  CHECK(on.body.birth == 0);
  CHECK(std::abs(on.body.death - 1) < 1e-12);
  const Scene early = begun(3);
  CHECK(find_object(early, id)->transform.position == point.transform.position);
  CHECK(find_object(early, id)->body.velocity == point.body.velocity);
  CHECK(std::abs(find_object(early, id)->body.birth - 0.05) < 1e-12);
  CHECK(find_object(begun(150), id)->body.death == 0);
}

TEST_CASE("Only the objects that were named begin anew", "[start_from]") {
  const Scene scene = listed_scene();
  const auto model = compiled(scene);
  const State state = state_of(scene, 5);
  const Scene begun = started_from(scene, *model, state, {Id{3}});
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    CHECK(scene.objects[i].same_as(begun.objects[i]) == (scene.objects[i]->id != Id{3}));
  const Scene all = started_from(scene, *model, state);
  CHECK(find_object(all, Id{1})->transform.position == find_object(scene, Id{1})->transform.position);  // fixed
  CHECK(find_object(all, Id{2})->transform.position != find_object(scene, Id{2})->transform.position);
}

TEST_CASE("How a body is bent is saved to the bit, and is no start for another truss", "[start_from]") {
  World world;
  const Id id = world.add(World::jelly(0.5, Vec3(0, 2, 0), 300));
  Random random{std::mt19937(13)};
  const auto model = compiled(world.scene);
  State state = initial_state(*model);
  shake(random, *model, state);
  const Scene begun = started_from(world.scene, *model, state);
  const auto read = scene_from_text(scene_to_text(begun), {});
  REQUIRE(read.ok());
  CHECK(hash(initial_state(*compiled(read.value()))) == hash(initial_state(*compiled(begun))));
  CHECK(scene_to_text(read.value()) == scene_to_text(begun));

  Scene other = with_object(begun, id, [](Object& o) { o.analysis.divisions = {2, 1, 1}; });
  MeshStore meshes;
  const auto made = compile(other, meshes);
  REQUIRE(made.ok());
  REQUIRE(made.diagnostics().size() == 1);
  CHECK(made.diagnostics()[0].severity == Severity::warning);
  const std::string had = std::to_string(find_object(begun, id)->body.start.size()),
                    has = std::to_string(object_truss(*find_object(other, id), {}).nodes.size());
  CHECK(made.diagnostics()[0].message.find(had + " nodes, but its analysis model has " + has) != std::string::npos);
  Scene straight = with_object(other, id, [](Object& o) { o.body.start.clear(); });
  CHECK(hash(initial_state(*made.value())) == hash(initial_state(*compiled(straight))));
}

TEST_CASE("The fill gives the state of a frame, and goes on with its run", "[start_from][threads]") {
  const Scene scene = busy_scene();
  constexpr int kLast = 24;
  FillRun run(1);
  run.fill.start(Shared<Scene>(scene), 0, kLast);
  run.wait_for(9);
  std::mutex mutex;
  std::condition_variable wake;
  int answers = 0;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const State> state;
  const auto ask = [&](int frame, std::function<bool()> cancelled = {}) {
    const int before = answers;
    run.fill.want_state(
        frame,
        [&](std::shared_ptr<const Model> m, std::shared_ptr<const State> s) {
          std::lock_guard lock(mutex);
          model = std::move(m), state = std::move(s), ++answers;
          wake.notify_all();
        },
        std::move(cancelled));
    std::unique_lock lock(mutex);
    REQUIRE(wake.wait_for(lock, std::chrono::minutes(2), [&] { return answers > before; }));
  };
  ask(7);
  REQUIRE(state);
  CHECK(hash(*state) == run.cache.frame(7)->state_hash);
  CHECK(model->signature == simulation_signature(scene));
  CHECK(run.settle().phase == FillStatus::Phase::complete);
  run.check_equals_fresh(scene, kLast);
  ask(13);  // of a run that is complete, which it stays
  REQUIRE(state);
  CHECK(hash(*state) == run.cache.frame(13)->state_hash);
  CHECK(run.fill.status().phase == FillStatus::Phase::complete);
  ask(13, [] { return true; });
  CHECK_FALSE(state);
  // Of what stopped there is no state beyond.
  run.fill.start(Shared<Scene>(diverging_scene()), 0, 200);
  CHECK(run.settle().phase == FillStatus::Phase::stopped);
  ask(run.cache.size() - 1);
  CHECK(state);
  ask(run.cache.size() + 5);
  CHECK_FALSE(state);
  CHECK(run.fill.status().phase == FillStatus::Phase::stopped);
}

namespace {

/// A hinge and a slider with limits, a spring and a rope as long as they are made, a soft sheet on two hooks, a joint that breaks.
Scene joined_scene(Random& random) {
  JointWorld world;
  const auto box = [&](const Vec3& at, double mass) {
    Object o = World::box(Vec3(0.3, 0.3, 0.3), at, mass);
    o.contact.enabled = false;
    o.transform.rotation = random.turn();
    o.body.velocity = random.vector(1.5);
    o.body.spin = random.vector(3);
    return world.add(o);
  };
  const Quat axis = random.turn();
  const Id first = box(Vec3(0.4, 3, 0), random.in(0.5, 3)), second = box(Vec3(0.9, 3, 0), random.in(0.5, 3)),
           third = box(Vec3(1.5, 3, 0), random.in(0.5, 3)), fourth = box(Vec3(2.1, 3, 0), random.in(0.5, 3)),
           weak = box(Vec3(-1, 3, 0), 1);
  world.joined(JointKind::hinge, first, Id{}, Vec3(0, 3, 0), axis, [&](Joint& j) {
    j.limited = true;
    j.least_turn = -random.in(0.1, 1);
    j.most_turn = random.in(0.1, 1);
  });
  world.joined(JointKind::slider, first, second, Vec3(0.65, 3, 0), random.turn(), [&](Joint& j) {
    j.limited = true;
    j.least_way = -random.in(0.01, 0.2);
    j.most_way = random.in(0.01, 0.2);
  });
  world.joined(JointKind::spring, second, third, Vec3(0.9, 3, 0), Quat::Identity(), [&](Joint& j) {
    j.b.place = world.own(third, Vec3(1.5, 3.1, 0));
    j.stiffness = random.in(20, 200);
  });
  world.joined(JointKind::rope, third, fourth, Vec3(1.5, 3, 0), Quat::Identity(),
               [&](Joint& j) { j.b.place = world.own(fourth, Vec3(2.1, 3, 0)); });
  world.joined(JointKind::fixed, weak, Id{}, Vec3(-1.2, 3, 0), Quat::Identity(), [&](Joint& j) { j.break_force = 3; });
  Object sheet =
      make_object(0, "sheet", {PrimitiveShape::plane, Vec3(0.8, 1, 0.8), {4, 1, 4}}, Vec3(0, 2, 3), BodyKind::flexible);
  sheet.analysis.kind = AnalysisKind::cloth;
  sheet.analysis.divisions = {4, 1, 4};
  sheet.analysis.size = sheet.display.primitive.size;
  sheet.body.solver = "springs";
  sheet.body.mass = 0.2;
  sheet.body.stiffness = 100;
  sheet.body.damping = 0.2;
  sheet.contact.enabled = false;
  const Id hung = world.add(sheet);
  world.joined(JointKind::ball, hung, Id{}, Vec3(-0.4, 2, 2.6));
  world.joined(JointKind::ball, hung, Id{}, Vec3(0.4, 2, 2.6));
  const Id load = box(Vec3(0, 1.5, 3.4), 0.1);
  world.joined(JointKind::rope, hung, load, Vec3(0.4, 2, 3.4), Quat::Identity(),
               [&](Joint& j) { j.b.place = world.own(load, Vec3(0, 1.5, 3.4)); });
  world.scene.settings.substeps = 4;
  world.scene.settings.last_frame = 120;
  return world.scene;
}

/// Their numbers go by keys through the two seconds.
Scene with_keyed_joints(Scene scene, Random& random) {
  const auto key = [&](std::size_t k, const char* field, double from, double to) {
    const std::uint64_t id = scene.joints[k]->id.value;
    scene = with_key(std::move(scene), id, field, 0, FieldValue(from));
    scene = with_key(std::move(scene), id, field, 2, FieldValue(to));
  };
  const Joint &hinge = *scene.joints[0], &slider = *scene.joints[1], &spring = *scene.joints[2];
  const double least = hinge.least_turn, most = slider.most_way, stiff = spring.stiffness;
  key(0, "least_turn", least, least - random.in(0, 0.5));
  key(1, "most_way", most, most + random.in(0, 0.3));
  key(2, "stiffness", stiff, stiff * random.in(0.5, 2));
  return scene;
}

}  // namespace

TEST_CASE("Joints go on from there as they were", "[start_from][joint]") {
  Random random{std::mt19937(15)};
  int broken = 0;
  double worst = 0;
  for (int number = 0; number < 30; number += test::rounds(1, 4)) {
    CAPTURE(number);
    Scene scene = joined_scene(random);
    if (number >= 20) scene = with_keyed_joints(std::move(scene), random);
    const int from = 20 + static_cast<int>(random.in(0, 40)), more = 15;
    Simulator simulator(compiled(scene), 1);
    const State* state = simulator.state_at(from);
    REQUIRE(state);
    const Scene begun = started_from(scene, simulator.model(), *state);
    for (std::size_t k = 0; k < scene.joints.size(); ++k) broken += scene.joints[k]->on && !begun.joints[k]->on;
    CHECK(validate(begun).empty());
    Simulator on(compiled(begun), 1);
    const State* first = simulator.state_at(from + more);
    const State* second = on.state_at(more);
    REQUIRE((first && second));
    const auto [dx, dv] = difference(simulator.model(), *first, on.model(), *second);
    CHECK(dx < 1e-5);
    worst = std::max(worst, dx);
    // As they were made, they would hold otherwise.
    Scene forgetful = begun;
    forgetful.joints = scene.joints;
    for (Shared<Track>& track : forgetful.tracks) {
      const Track* was = find_track(scene, track->target, track->field);
      track = track.edited([&](Track& t) {
        for (std::size_t k = 0; k < t.keys.size(); ++k) t.keys[k].value = was->keys[k].value;
      });
    }
    Simulator other(compiled(forgetful), 1);
    const State* third = other.state_at(more);
    CHECK((!third || difference(simulator.model(), *first, other.model(), *third).first > 1e-3));
  }
  WARN("places apart by up to " << worst << " m; broken " << broken);
  CHECK(broken >= test::rounds(20, 1));
}

TEST_CASE("A joint of something that does not begin anew stays as it is", "[start_from][joint]") {
  Random random{std::mt19937(16)};
  const Scene scene = joined_scene(random);
  Simulator simulator(compiled(scene), 1);
  const State* state = simulator.state_at(30);
  REQUIRE(state);
  const Id first = scene.joints[1]->a.object == 0 ? Id{scene.joints[1]->b.object} : Id{scene.joints[1]->a.object};
  const Scene begun = started_from(scene, simulator.model(), *state, {first});
  CHECK(begun.joints[0]->least_turn != scene.joints[0]->least_turn);  // to the world
  CHECK(begun.joints[1]->least_way == scene.joints[1]->least_way);
  CHECK(begun.joints[2]->measured);
}

}  // namespace start_from_test
