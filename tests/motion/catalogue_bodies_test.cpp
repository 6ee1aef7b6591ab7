// Motions of the catalogue on things that are not round: box, Spot and a kangaroo, each beside itself ten times as large and a hundred times
// as heavy (issue: five bodies, the same log, times by √size).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "core/import/mesh_file.h"
#include "core/motion/catalogue.h"
#include "core/motion/check.h"
#include "core/scene/file/scene_io.h"
#include "tests/support/graph.h"

namespace catalogue_bodies_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object of_mesh(const char* name, DisplayMesh mesh) {
  Object o = World::hard(name, {}, Vec3::Zero(), 1);
  o.display.kind = DisplayKind::mesh;
  o.display.mesh.mesh = std::make_shared<const DisplayMesh>(std::move(mesh));
  o.display.mesh.content = mesh_hash(*o.display.mesh.mesh);
  return o;
}

std::vector<Object> bodies() {
  std::vector<Object> all = {World::sphere(0.5, Vec3::Zero()), World::box(Vec3(1, 0.8, 1.2), Vec3::Zero())};
  auto spot = load_mesh_file(std::string(HAZUMI_SOURCE_DIR) + "/scenes/spot.obj", MeshSettings{});
  REQUIRE(spot.ok());
  all.push_back(of_mesh("spot", std::move(spot->mesh)));
  auto scene = load_scene(std::string(HAZUMI_SOURCE_DIR) + "/scenes/kangaroos.json");
  REQUIRE(scene.ok());
  MeshStore store;
  const auto held = store.prepare(*scene, 2);
  for (const auto& object : scene->objects)
    if (object->display.kind == DisplayKind::metaballs) {
      all.push_back(of_mesh("kangaroo", *store.mesh(*object)));
      break;
    }
  REQUIRE(all.size() == 4);
  return all;
}

MotionBody by_mesh(const Object& object) {
  MeshStore meshes;
  return motion_body(object, *meshes.mesh(object));
}

bool bends(const Scene& motion) {
  return std::any_of(motion.motion.begin(), motion.motion.end(), [](const auto& node) {
    const ProcedureKind* kind = find_procedure_kind(node->kind);
    return kind && kind->shapes;
  });
}

/// (kind and turn, and when, in the thing's times) of the motion on that thing, so large and heavy; it stands on the floor, or is `high` of
/// its sizes above it.
std::vector<std::pair<std::string, double>> story(const Scene& motion, Object o, double size, double mass,
                                                  double high) {
  World world;
  world.scene.settings.substeps = std::max(4, static_cast<int>(std::ceil(4 / std::sqrt(size / 0.5))));
  world.scene.settings.rest_speed = 0.05 * std::sqrt(size / 0.5);
  Object floor =
      make_object(0, "Floor", {PrimitiveShape::plane, Vec3(400, 1, 400), {1, 1, 1}}, Vec3::Zero(), BodyKind::fixed);
  floor.material.substance = {1000, 1e9, 0.3, 0.5, 0.5};
  world.add(floor);
  const double grows = size / by_mesh(o).size;
  MeshStore meshes;
  double low = 1e300;
  for (const auto& p : meshes.mesh(o)->positions) low = std::min(low, static_cast<double>(p.y()));
  o.transform.scale *= grows;
  o.transform.position = Vec3(0, -grows * low + high * size, 0);
  o.body.mass = mass;
  o.name = "Thing";
  const Id thing = world.add(o);
  auto put = put_motion(world.scene, motion, {{stand_ins(motion).front().id, thing}}, {}, by_mesh);
  REQUIRE(put.ok());
  world.scene = put->scene;
  MotionRun run(world);
  run.go(static_cast<int>(4 * std::sqrt(size / 0.5) / run.model->step));
  CHECK_FALSE(run.stopped);
  std::vector<std::pair<std::string, double>> all;
  for (const MotionMark& m : run.marks)
    if (m.turn == MotionTurn::happened || m.turn == MotionTurn::started || m.turn == MotionTurn::ended)
      all.emplace_back(find_motion(run.scene, m.box)->kind + (m.turn == MotionTurn::happened  ? ""
                                                              : m.turn == MotionTurn::started ? "+"
                                                                                              : "-"),
                       (static_cast<double>(m.substep) + m.moment) * run.model->step / std::sqrt(size / 0.5));
  return all;
}

struct Shipped {
  std::string file;
  Scene motion;
};
std::vector<Shipped> shipped() {
  std::vector<Shipped> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HAZUMI_SOURCE_DIR) + "/assets/motions")) {
    if (entry.path().extension() != ".json") continue;
    auto motion = load_scene(entry.path());
    REQUIRE(motion.ok());
    if (!bends(*motion)) all.push_back({entry.path().stem().string(), std::move(motion).value()});
  }
  std::sort(all.begin(), all.end(), [](const Shipped& a, const Shipped& b) { return a.file < b.file; });
  return all;
}

/// Of how many the log and the times are those of the first.
int compare(const std::vector<Shipped>& motions, const Object& o, bool expected) {
  int same = 0;
  for (const auto& [file, motion] : motions) {
    const double high = file == "by_strength" ? 3 : 0;
    const auto first = story(motion, o, 0.5, 1, high), again = story(motion, o, 5, 100, high);
    bool all = first.size() == again.size();
    double off = 0;
    for (std::size_t i = 0; all && i < first.size(); ++i) {
      all = first[i].first == again[i].first;
      off = std::max(off, std::abs(first[i].second - again[i].second) / std::max(1.0, first[i].second));
    }
    if (all && off < 0.02)
      ++same;
    else
      UNSCOPED_INFO(file << " on " << o.name << ": " << first.size() << " and " << again.size() << " lines, off by "
                         << off);
  }
  if (expected) CHECK(same == static_cast<int>(motions.size()));
  return same;
}

}  // namespace

TEST_CASE("Every motion of the catalogue on box, Spot and kangaroo happens the same ten times as large",
          "[motion][catalogue][.long]") {
  const auto motions = shipped();
  for (const Object& o : bodies()) {
    INFO(o.name);
    compare(motions, o, true);
  }
}

}  // namespace catalogue_bodies_test
