// Shipped motions on things of other shapes (spec 7.4): a box, Spot and the kangaroo beside a ball, and each ten times as large and a
// hundred times as heavy. What a motion waits for happens to each of them in the same order, and to the large one by the root of the size.
// Four times as large, 64 times as heavy and in sub-steps that are twice as long each is the same motion to round-off, whatever it falls on.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "core/geometry/metaball/polygonise.h"
#include "core/import/mesh_file.h"
#include "core/motion/catalogue.h"
#include "core/scene/file/scene_io.h"
#include "tests/motion/catalogue_story.h"

namespace catalogue_bodies_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

const std::string kRoot = HAZUMI_SOURCE_DIR;

/// A thing as it is, 1 kg; its size and its lowest point tell where it stands.
struct Form {
  std::string name;
  Object object;
  double size = 1;  ///< m, as MotionBody
  Box3 box;
};

MotionBody by_mesh(const Object& object) {
  MeshStore meshes;
  return motion_body(object, *meshes.mesh(object));
}

Form form_of(const std::string& name, Object object) {
  object.transform = {};
  object.body = {};
  object.body.kind = BodyKind::rigid;
  object.body.mass = 1;
  object.material.substance = {1000, 1e9, 0.3, 0.5, 0.5};
  if (object.display.kind == DisplayKind::metaballs) {
    PolygoniseOptions options;
    options.tolerance = 0.05;
    Executor executor(1);
    object.display.mesh.mesh =
        std::make_shared<const DisplayMesh>(polygonise(object.display.metaballs, options, executor));
    object.display.mesh.content = mesh_hash(*object.display.mesh.mesh);
    object.display.kind = DisplayKind::mesh;
  }
  if (object.display.kind == DisplayKind::mesh && !object.display.mesh.mesh) {
    auto read = load_mesh_file(kRoot + "/scenes/" + object.display.mesh.file, object.display.mesh.settings);
    REQUIRE(read.ok());
    object.display.mesh.mesh = std::make_shared<const DisplayMesh>(std::move(read.value().mesh));
    object.display.mesh.content = mesh_hash(*object.display.mesh.mesh);
  }
  MeshStore meshes;
  Form form;
  form.name = name;
  form.object = object;

  for (const Vec3& p : meshes.mesh(object)->positions) form.box.add(p);
  form.size = by_mesh(object).size;
  return form;
}

Object named(const std::string& scene, const std::string& name) {
  const auto read = load_scene(kRoot + "/scenes/" + scene);
  REQUIRE(read.ok());
  for (const auto& object : read->objects)
    if (object->name.starts_with(name)) return *object;
  FAIL(name);
  return {};
}

std::vector<Form> forms() {
  return {form_of("ball", World::sphere(0.25, Vec3::Zero())),
          form_of("box", World::box(Vec3::Constant(0.5), Vec3::Zero())), form_of("Spot", named("spot.json", "Spot")),
          form_of("kangaroo", named("kangaroos.json", "Kangaroo"))};
}

enum class Steps {
  of_film,  ///< as many a second, so that a large thing has more of them in its own times
  of_thing  ///< as long a part of its own times
};

/// 4 s of the motion in the thing's times.
std::unique_ptr<MotionRun> run_of(const Form& form, const Scene& motion, double size, double mass, double high,
                                  Steps steps = Steps::of_film) {
  World world;
  const double slow = std::sqrt(size / 0.5);
  world.scene.settings.substeps = std::max(4, static_cast<int>(std::ceil(4 / slow)));
  if (steps == Steps::of_thing) world.scene.settings.frame_rate /= slow;
  Object floor =
      make_object(0, "Floor", {PrimitiveShape::plane, Vec3(400, 1, 400), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
  floor.material.substance = {1000, 1e9, 0.3, 0.5, 0.5};
  world.add(floor);
  Object o = form.object;
  o.name = "Thing";
  const double scale = size / form.size;
  o.transform.scale = Vec3::Constant(scale);
  o.transform.position = Vec3(0, -scale * form.box.low.y() + high * size / 0.5, 0);
  o.body.mass = mass;
  if (std::any_of(motion.motion.begin(), motion.motion.end(), [](const auto& node) {
        const ProcedureKind* kind = find_procedure_kind(node->kind);
        return kind && kind->shapes;
      })) {
    o.analysis = {};
    o.analysis.kind = AnalysisKind::box_grid;
    o.analysis.divisions = {2, 2, 2};
    o.analysis.size = 1.02 * form.box.size();
    o.analysis.offset = form.box.centre();
    o.body.kind = BodyKind::flexible;
    o.body.stiffness = 2000 * mass * 0.5 / size;
    o.body.damping = 8 * mass * std::sqrt(0.5 / size);
  }
  const Id thing = world.add(o);
  world.scene.settings.rest_speed = 0.05 * slow;
  auto put = put_motion(world.scene, motion, {{stand_ins(motion).front().id, thing}}, {}, by_mesh);
  REQUIRE(put.ok());
  world.scene = put->scene;
  auto run = std::make_unique<MotionRun>(world);
  run->go(static_cast<int>(std::floor(4 * slow / run->model->step + 1e-6)));
  CHECK_FALSE(run->stopped);
  return run;
}

/// What falls on a horn, a tail or an edge goes on from there in its own way: a bounce makes a thousand times of a difference, so that other
/// sub-steps, which the large thing has in its own times, make another motion of it. Of these the beginning is compared.
bool goes_its_own_way(const std::string& motion, const std::string& form) {
  static const std::set<std::pair<std::string, std::string>> all = {
      {"by_strength", "Spot"},   {"by_strength", "kangaroo"},   {"rubber", "box"},
      {"rubber", "kangaroo"},    {"hop_along", "Spot"},         {"hop_along", "kangaroo"},
      {"start_rolling", "Spot"}, {"start_rolling", "kangaroo"}, {"three_and_out", "Spot"},
      {"toss", "Spot"},          {"toss", "kangaroo"}};
  return all.contains({motion, form});
}

constexpr std::size_t kBeginning = 3;  // marks

/// The whole log of `one` in sub-steps that are the same part of its times. Lengths and times grow by powers of two, so that nothing is
/// rounded otherwise but what the motion's own numbers were adapted by.
void compare_whole(const Form& form, const Scene& motion, double high, const Story& one, bool swings) {
  const Story large = story(*run_of(form, motion, 2, 64, high, Steps::of_thing), 2);
  // Where round-off grows to a second a twin that begins higher by some of it says how far the logs can be compared.
  const Story twin = swings ? story(*run_of(form, motion, 0.5, 1, high * (1 + 1e-14)), 0.5) : one;
  if (!swings) REQUIRE(large.size() == one.size());
  std::size_t i = 0;
  for (; i < one.size(); ++i) {
    const double known =
        i < twin.size() && twin[i].first == one[i].first ? std::abs(twin[i].second - one[i].second) : 1;
    if (known > 1e-4) break;
    INFO(one[i].first << " at " << one[i].second << ", of one of 2 m");
    REQUIRE(i < large.size());
    CHECK(large[i].first == one[i].first);
    CHECK(large[i].second == Approx(one[i].second).margin(1e-8 + 10 * known));
  }
  CHECK(i >= (swings ? 11 : one.size()));
}

/// Every `step`-th motion, from `first` on.
void try_motions(std::size_t first, std::size_t step) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot + "/assets/motions"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 16);
  const auto all = forms();
  for (std::size_t k = first; k < files.size(); k += step) {
    const std::string name = files[k].stem().string();
    const auto motion = load_scene(files[k]);
    REQUIRE(motion.ok());
    const double high = name == "by_strength" ? 1.5 : 0;  // it must hit something
    std::vector<Story> told;
    for (const Form& form : all) {
      INFO(name << " on " << form.name);
      const Story one = story(*run_of(form, *motion, 0.5, 1, high), 0.5),
                  large = story(*run_of(form, *motion, 5, 100, high), 5);
      compare_whole(form, *motion, high, one, name == "by_strength" && form.name == "Spot");
      const bool own = goes_its_own_way(name, form.name);
      REQUIRE(std::min(one.size(), large.size()) >= kBeginning);
      if (!own) REQUIRE(large.size() == one.size());
      const std::size_t count = own ? kBeginning : one.size();
      for (std::size_t i = 0; i < count; ++i) {
        INFO(one[i].first << " at " << one[i].second);
        CHECK(large[i].first == one[i].first);
        CHECK(large[i].second == Approx(one[i].second).epsilon(0.02).margin(0.02));
      }
      told.push_back(one);
      // As the ball's, in order; times are those of the shape. A box that hops along tilts, and rests less often in four seconds.
      const bool as_ball = !own && !(name == "hop_along" && form.name == "box");
      if (as_ball) REQUIRE(one.size() == told.front().size());
      for (std::size_t i = 0; i < (as_ball ? one.size() : kBeginning); ++i)
        CHECK(one[i].first == told.front()[i].first);
    }
  }
}

}  // namespace

TEST_CASE("Shipped motions happen the same on a box, Spot and the kangaroo, small and large",
          "[motion][catalogue][slow]") {
  try_motions(0, 3);
}

TEST_CASE("All of them", "[.long][motion][catalogue]") { try_motions(0, 1); }

}  // namespace catalogue_bodies_test
