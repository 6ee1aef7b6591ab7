// Motions put on other things (spec 7.4): the same happens, in their sizes and times.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

#include "core/motion/catalogue.h"
#include "core/motion/check.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/validate.h"
#include "tests/motion/catalogue_story.h"

namespace catalogue_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct ShippedMotion {
  std::string file;
  Scene motion;
};

std::vector<ShippedMotion> shipped_motions() {
  std::vector<ShippedMotion> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HAZUMI_SOURCE_DIR) + "/assets/motions")) {
    if (entry.path().extension() != ".json") continue;
    auto motion = load_scene(entry.path());
    REQUIRE(motion.ok());
    all.push_back({entry.path().stem().string(), std::move(motion).value()});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  return all;
}

MotionBody by_mesh(const Object& object) {
  MeshStore meshes;
  return motion_body(object, *meshes.mesh(object));
}

/// A ball of that size and mass on a floor, with the motion; 4 s in its times.
std::unique_ptr<MotionRun> on_ball(const Scene& motion, double size, double mass, const Vec3& place = Vec3::Zero()) {
  World world;
  // As many sub-steps of its times at least.
  world.scene.settings.substeps = std::max(4, static_cast<int>(std::ceil(4 / std::sqrt(size / 0.5))));
  Object floor =
      make_object(0, "Floor", {PrimitiveShape::plane, Vec3(400, 1, 400), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
  floor.material.substance = {1000, 1e9, 0.3, 0.5, 0.5};
  world.add(floor);
  // What changes its shape bends, as heavily as it is large.
  const bool bends = std::any_of(motion.motion.begin(), motion.motion.end(), [](const auto& node) {
    const ProcedureKind* kind = find_procedure_kind(node->kind);
    return kind && kind->shapes;
  });
  Object o = World::sphere(0.5 * size, place + Vec3(0, 0.5 * size, 0), mass);
  if (bends) {
    o = World::jelly(0.5 * size, place + Vec3(0, 0.5 * size, 0), 2000 * mass * 0.5 / size, mass);
    o.body.damping = 8 * mass * std::sqrt(0.5 / size);
  }
  o.name = "Thing";
  const Id ball = world.add(o);
  // What counts as rest is a speed, too.
  world.scene.settings.rest_speed = 0.05 * std::sqrt(size / 0.5);
  auto put = put_motion(world.scene, motion, {{stand_ins(motion).front().id, ball}}, {}, by_mesh);
  INFO((put.ok() ? std::string() : to_string(put.error())));
  REQUIRE(put.ok());
  world.scene = put->scene;
  CHECK(motion_problems(world.scene).empty());
  CHECK_FALSE(has_error(validate(world.scene)));
  auto run = std::make_unique<MotionRun>(world);
  run->go(static_cast<int>(4 * std::sqrt(size / 0.5) / run->model->step));
  CHECK_FALSE(run->stopped);
  return run;
}

}  // namespace

TEST_CASE("Shipped motions are files that read back the same, and there are at least sixteen", "[motion][catalogue]") {
  const auto all = shipped_motions();
  CHECK(all.size() >= 16);
  for (const auto& [file, motion] : all) {
    INFO(file);
    CHECK(no_motion(motion).empty());
    CHECK(motion.name.size() > 2);
    CHECK(motion.description.ends_with('.'));
    const std::string text = scene_to_text(motion);
    const auto back = scene_from_text(text, {});
    REQUIRE(back.ok());
    CHECK(scene_to_text(*back) == text);
    CHECK_FALSE(has_error(validate(motion)));
    // Nothing of it is seen.
    for (const auto& object : motion.objects) CHECK(object->display.kind == DisplayKind::none);
  }
}

TEST_CASE("Every shipped motion happens the same on balls of other sizes and masses, by the root of the size",
          "[motion][catalogue][slow]") {
  for (const auto& [file, motion] : shipped_motions()) {
    const double high = file == "by_strength" ? 1.5 : 0;  // it must hit something
    const auto first = story(*on_ball(motion, 0.5, 1, Vec3(0, high, 0)), 0.5);
    CHECK(first.size() >= 4);
    struct Other {
      double size, mass;
      Vec3 place;
    };
    for (const Other& other :
         {Other{0.5, 7, Vec3(3, 0, 1)}, Other{5, 100, Vec3::Zero()}, Other{0.1, 0.01, Vec3(-1, 0, 0)}}) {
      INFO(file << " on " << other.size << " m, " << other.mass << " kg");
      const auto again = story(
          *on_ball(motion, other.size, other.mass, other.place + Vec3(0, high * other.size / 0.5, 0)), other.size);
      REQUIRE(again.size() == first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        INFO(first[i].first << " at " << first[i].second);
        CHECK(again[i].first == first[i].first);
        CHECK(again[i].second == Approx(first[i].second).epsilon(0.02).margin(0.02));
      }
    }
  }
}

TEST_CASE("A motion of a scene, put back on its own things, is the same motion", "[motion][catalogue]") {
  const auto bowling = load_scene(std::string(HAZUMI_SOURCE_DIR) + "/scenes/bowling.json");
  REQUIRE(bowling.ok());
  std::set<Id> boxes;
  for (const auto& node : bowling->motion) boxes.insert(node->id);
  const BodyOf body = [](const Object&) { return MotionBody{0.4, 9}; };
  const Scene motion = motion_of(*bowling, boxes, "Bowling", "A throw.", body);
  CHECK(motion.objects.size() == 3);  // ball, lane, one of the pins
  CHECK(motion.collections.size() == 1);
  Scene bare = *bowling;
  bare.motion.clear();
  // Lane and pins are found by their names.
  const Id ball = stand_ins(motion).front().id;
  const auto put = put_motion(bare, motion, {{ball, ball}}, {}, body);
  REQUIRE(put.ok());
  REQUIRE(put->boxes.size() == boxes.size());
  REQUIRE(put->scene.motion.size() == bowling->motion.size());
  const std::uint64_t shift = put->scene.motion[0]->id.value - bowling->motion[0]->id.value;
  for (std::size_t i = 0; i < bowling->motion.size(); ++i) {
    const MotionNode &was = *bowling->motion[i], &is = *put->scene.motion[i];
    CHECK(is.kind == was.kind);
    CHECK(is.object == was.object);
    CHECK(is.other == was.other);
    CHECK(is.parameters == was.parameters);
    REQUIRE(is.wires.size() == was.wires.size());
    for (std::size_t k = 0; k < was.wires.size(); ++k) CHECK(is.wires[k].to == was.wires[k].to + shift);
  }
}

TEST_CASE("What adapts can be switched off, and expressions adapt too", "[motion][catalogue]") {
  World world;
  const Id ball = world.add(World::sphere(0.25, Vec3(1, 2, 0)));
  Graph graph(world);
  const Id aim = graph.does("aim", ball, {{"x", 3}, {"y", 2}, {"duration", 1}}), thrown = graph.does("throw", ball);
  graph.change(thrown, [](MotionNode& n) { n.parameters = {{"x", "2*t", 0}, {"y", {}, 1}}; });
  const Id push = graph.does("push", ball, {{"x", 6}});
  const Id event = graph.when("time", ball, {{"time", 2}});
  for (const Id one : {aim, thrown, push}) graph.wire(event, one);
  const auto size = [](double s, double m) { return [=](const Object&) { return MotionBody{s, m}; }; };
  std::set<Id> boxes = {aim, thrown, push, event};
  const Scene motion = motion_of(world.scene, boxes, "M", "D.", size(0.5, 1));
  World other;
  const Id big = other.add(World::sphere(1, Vec3(10, 4, 0), 8));
  const auto value = [&](const MotionAdapts& adapts, const char* kind, const char* name) {
    const auto put = put_motion(other.scene, motion, {{ball, big}}, adapts, size(2, 8));
    REQUIRE(put.ok());
    for (const auto& node : put->scene.motion)
      if (node->kind == kind)
        if (const MotionParameter* p = find_parameter(*node, name)) return p->word.empty() ? p->number : -1;
    return 0.0;
  };
  CHECK(value({}, "time", "time") == Approx(4));
  CHECK(value({}, "aim", "x") == Approx(10 + 4 * 2));
  CHECK(value({}, "aim", "y") == Approx(4));
  CHECK(value({}, "aim", "duration") == Approx(2));
  CHECK(value({}, "throw", "y") == Approx(2));
  CHECK(value({}, "throw", "x") == -1);
  CHECK(value({}, "push", "x") == Approx(6 * 8));
  CHECK(value({false, true, true}, "throw", "y") == Approx(0.5));
  CHECK(value({true, false, true}, "time", "time") == Approx(2));
  CHECK(value({true, true, false}, "push", "x") == Approx(6));
}

TEST_CASE("A motion needs a thing, and says so", "[motion][catalogue]") {
  const Scene motion = shipped_motions().front().motion;
  World world;
  world.floor();
  CHECK_FALSE(put_motion(world.scene, motion, {}, {}, by_mesh).ok());
  CHECK_FALSE(put_motion(world.scene, motion, {{stand_ins(motion).front().id, Id{77}}}, {}, by_mesh).ok());
  CHECK_FALSE(put_motion(world.scene, Scene{}, {}, {}, by_mesh).ok());
  CHECK_FALSE(no_motion(Scene{}).empty());
}

namespace {

/// A jelly without gravity that is stretched for a while.
struct Stretched {
  World world;
  Id soft;
  Scene motion;

  explicit Stretched(bool strung) {
    world.scene.settings.gravity.setZero();
    Object jelly = World::jelly(0.25, Vec3(0, 1, 0), 900, 2);
    jelly.body.damping = 3;
    jelly.body.solver = "polyhedral";
    set_parameter(jelly.body.parameters, {"polyhedral", "stiffness", {}, 1.5});
    jelly.body.volume.of = VolumeOf::hull;
    if (strung) {
      StrungTruss truss = to_strung(make_truss(truss_recipe(jelly.analysis)));
      jelly.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
      jelly.analysis.kind = AnalysisKind::strung;
    }
    soft = world.add(jelly);
    Graph graph(world);
    const Id pose = graph.does("pose", soft, {{"stretch", 40}, {"in", 0.2}, {"stay", 0.4}, {"out", 0.2}});
    const Id when = graph.when("time", soft, {{"time", 0}});
    graph.wire(when, pose);
    motion = motion_of(world.scene, {when, pose}, "Stretched", "", by_mesh);
  }
};

std::vector<Vec3> nodes_of(const Run& run, Id id) {
  std::vector<Vec3> x(run.model->bodies[run.index(id)].truss.nodes.size());
  run.model->bodies[run.index(id)].positions(run.state.bodies[run.index(id)].values, x);
  return x;
}

}  // namespace

TEST_CASE("What bends has its analysis model along: a rigid thing bends then as it did, at its own size and mass",
          "[motion][catalogue]") {
  for (const bool strung : {false, true}) {
    INFO(strung);
    const Stretched made(strung);
    const Object& stand_in = *find_object(made.motion, made.soft);
    CHECK(stand_in.body.kind == BodyKind::flexible);
    CHECK(stand_in.display.kind == DisplayKind::none);
    CHECK_FALSE(has_error(validate(made.motion)));
    const auto read = scene_from_text(scene_to_text(made.motion), "/nowhere");
    REQUIRE(read.ok());
    CHECK(scene_to_text(*read) == scene_to_text(made.motion));

    // Four times as large and 64 times as heavy: the same in its own times, twice as long.
    World other;
    other.scene.settings.gravity.setZero();
    other.scene.settings.frame_rate = made.world.scene.settings.frame_rate / 2;
    const Id big = other.add(World::sphere(1, Vec3(3, 2, 1), 128));
    const auto put = put_motion(other.scene, *read, {{made.soft, big}}, {}, by_mesh);
    REQUIRE(put.ok());
    CHECK_FALSE(has_error(validate(put->scene)));
    const Object& is = *find_object(put->scene, big);
    CHECK(is.body.kind == BodyKind::flexible);
    CHECK(is.body.solver == "polyhedral");
    CHECK(is.body.stiffness == Approx(900 * 64 / 4.0));
    CHECK(is.body.damping == Approx(3 * 64 / 2.0));
    CHECK(is.body.volume.of == VolumeOf::hull);
    CHECK(is.body.mass == 128);
    CHECK(find_parameter(is.body.parameters, "polyhedral", "stiffness")->number == 1.5);
    other.scene = put->scene;
    Run small(made.world), large(other);
    double bent = 0;
    const std::vector<Vec3> begun = nodes_of(small, made.soft);
    for (int k = 0; k < 40; ++k) {
      small.step();
      large.step();
      const std::vector<Vec3> a = nodes_of(small, made.soft), b = nodes_of(large, big);
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        bent = std::max(bent, (a[i] - begun[i]).norm());
        REQUIRE((4 * (a[i] - Vec3(0, 1, 0)) - (b[i] - Vec3(3, 2, 1))).norm() < 1e-6);
      }
    }
    CHECK(bent > 0.02);
  }
}

TEST_CASE("An analysis model is not put where it is not asked for, nor where it is no use", "[motion][catalogue]") {
  const Stretched made(false);
  World world;
  Object stone = World::box(Vec3(1, 1, 1), Vec3(0, 0.5, 0));
  stone.body.kind = BodyKind::fixed;
  const Id wall = world.add(stone), own = world.add(World::jelly(0.1, Vec3(0, 2, 0), 77)),
           hard = world.add(World::sphere(0.3, Vec3(0, 4, 0)));
  for (const Id id : {wall, own}) {
    const auto on = put_motion(world.scene, made.motion, {{made.soft, id}}, {}, by_mesh);
    REQUIRE(on.ok());
    CHECK(find_object(on->scene, id)->body.kind == find_object(world.scene, id)->body.kind);
    CHECK(find_object(on->scene, id)->body.stiffness == find_object(world.scene, id)->body.stiffness);
  }
  MotionAdapts without;
  without.model = false;
  const auto off = put_motion(world.scene, made.motion, {{made.soft, hard}}, without, by_mesh);
  REQUIRE(off.ok());
  CHECK(find_object(off->scene, hard)->body.kind == BodyKind::rigid);
}

}  // namespace catalogue_test
