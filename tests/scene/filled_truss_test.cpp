// A tetrahedral fill is made once, by hand of the person who asks for it; the scene keeps the result.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/cloth_mesh.h"
#include "core/geometry/truss/tetra_fill.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/values/scene.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/world.h"

namespace filled_truss_test {

using namespace hazumi;

TEST_CASE("A filled truss is saved with its scene and read again bit for bit, so that opening fills nothing",
          "[scene_io][tetra_fill]") {
  TetraFillOptions options;
  options.tetrahedra = 400;
  const DisplayMesh mesh = make_primitive({PrimitiveShape::sphere, Vec3(1, 1.3, 0.9), {24, 16, 1}});
  Result<TetraFill> fill = fill_with_tetrahedra(mesh, options);
  REQUIRE(fill.ok());
  Scene scene;
  Object object = test::make_object(1, "Filled", {PrimitiveShape::sphere, Vec3(1, 1.3, 0.9), {24, 16, 1}}, Vec3::Zero(),
                                    BodyKind::flexible);
  object.analysis.kind = AnalysisKind::strung;
  object.analysis.strung = std::make_shared<const StrungTruss>(fill->truss);
  scene.objects.push_back(object);
  const test::TemporaryFolder folder;
  REQUIRE(save_scene(scene, folder / "filled.json").ok());
  const Result<Scene> read = load_scene(folder / "filled.json");
  REQUIRE(read.ok());
  const Object& again = *read->objects.at(0);
  REQUIRE(again.analysis.strung);
  CHECK(again.analysis.strung->tetrahedra.size() > 100);
  CHECK(*again.analysis.strung == fill->truss);
  CHECK(truss_hash(*again.analysis.strung) == truss_hash(fill->truss));
  CHECK(object_truss(again, mesh).tetrahedra == object_truss(object, mesh).tetrahedra);
}

TEST_CASE("Voronoi cells are saved with their scene and read again bit for bit", "[scene_io][voronoi_fill]") {
  VoronoiFillOptions options;
  options.cells = 30;
  const Primitive ball = {PrimitiveShape::sphere, Vec3(1, 1.3, 0.9), {16, 10, 1}};
  const DisplayMesh mesh = make_primitive(ball);
  const auto fill = fill_with_cells(mesh, options);
  REQUIRE(fill.ok());
  Scene scene;
  Object object = test::make_object(1, "Cells", ball, Vec3::Zero(), BodyKind::flexible);
  object.analysis.kind = AnalysisKind::strung;
  object.analysis.strung = std::make_shared<const StrungTruss>(fill->truss);
  object.body.solver = "polyhedral";
  scene.objects.push_back(object);
  const test::TemporaryFolder folder;
  REQUIRE(save_scene(scene, folder / "cells.json").ok());
  const Result<Scene> read = load_scene(folder / "cells.json");
  REQUIRE(read.ok());
  const Object& again = *read->objects.at(0);
  REQUIRE(again.analysis.strung);
  CHECK(*again.analysis.strung == fill->truss);
  CHECK(truss_hash(*again.analysis.strung) == truss_hash(fill->truss));
  const Truss truss = object_truss(again, mesh);
  REQUIRE(truss.cells.size() == fill->volumes.size());
  std::size_t nodes = 0;
  for (const auto& cell : truss.cells) nodes += cell.size();
  CHECK(nodes == fill->truss.cells.size());
  // A truss that differs in its cells alone is another one.
  StrungTruss fewer = fill->truss;
  fewer.cells.pop_back();
  CHECK(truss_hash(fewer) != truss_hash(fill->truss));
}

TEST_CASE("A cloth from a mesh is saved with its scene and read again bit for bit", "[scene_io][cloth]") {
  const Primitive ring = {PrimitiveShape::torus, Vec3(1, 0.3, 1), {24, 12, 1}};
  const DisplayMesh mesh = make_primitive(ring);
  const auto made = cloth_of_mesh(mesh, {.nodes = 120});
  REQUIRE(made.ok());
  Scene scene;
  Object object = test::make_object(1, "Ring", ring, Vec3::Zero(), BodyKind::flexible);
  object.analysis.kind = AnalysisKind::strung;
  object.analysis.strung = std::make_shared<const StrungTruss>(*made);
  object.analysis.bending = 3e-5;
  object.body.solver = "springs";
  scene.objects.push_back(object);
  const test::TemporaryFolder folder;
  REQUIRE(save_scene(scene, folder / "cloth.json").ok());
  const Result<Scene> read = load_scene(folder / "cloth.json");
  REQUIRE(read.ok());
  const Object& again = *read->objects.at(0);
  REQUIRE(again.analysis.strung);
  CHECK(*again.analysis.strung == *made);
  CHECK(again.analysis.bending == 3e-5);
  CHECK(object_truss(again, mesh).bends == object_truss(object, mesh).bends);
  CHECK(object_truss(again, mesh).hull == made->sheet);

  StrungTruss crowded = *made;
  crowded.sheet.push_back({crowded.sheet[0][0], crowded.sheet[0][1], crowded.sheet[0][2]});
  object.analysis.strung = std::make_shared<const StrungTruss>(crowded);
  scene.objects[0] = object;
  const Diagnostics told = validate(scene);
  REQUIRE_FALSE(told.empty());
  CHECK(told[0].message.find("at most two at an edge") != std::string::npos);
}

TEST_CASE("Nothing but the dialog that a person opens calls the mesher", "[scene_io][tetra_fill]") {
  namespace fs = std::filesystem;
  const fs::path root = HAZUMI_SOURCE_DIR;
  const std::set<std::string> makers = {"core/geometry/truss/tetra_fill.cpp", "core/geometry/truss/voronoi_fill.cpp"};
  std::vector<std::string> callers;
  for (const char* part : {"core", "render", "ui", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / part)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream in(entry.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      const bool calls =
          text.find("fill_with_tetrahedra(") != std::string::npos || text.find("fill_with_cells(") != std::string::npos;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      if (calls && !makers.contains(file)) callers.push_back(file);
    }
  std::sort(callers.begin(), callers.end());
  CHECK(callers == std::vector<std::string>{"ui/panels/truss_builder.cpp"});
}

}  // namespace filled_truss_test
