// Polygoniser of metaball groups (spec 4.2).
#include <catch2/catch.hpp>

#include "core/geometry/metaball/polygonise.h"

using namespace hazumi;

namespace {

double volume(const DisplayMesh& mesh) {
  double sum = 0;
  for (const auto& f : mesh.faces)
    sum += mesh.positions[f[0]].dot(mesh.positions[f[1]].cross(mesh.positions[f[2]])) / 6;
  return sum;
}

}  // namespace

TEST_CASE("A single ball is a closed sphere of the radius where its density is one", "[metaball]") {
  MetaballGroup group;
  group.primitives.resize(1);
  group.primitives[0].radii = Vec3(1, 1, 1);
  Executor executor(1);
  const DisplayMesh mesh = polygonise(group, {}, executor);
  REQUIRE(is_closed(mesh));
  CHECK(volume(mesh) == Approx(4.0 / 3 * kPi / 27).epsilon(0.015));
  REQUIRE(mesh.parts.size() == 1);
  CHECK(mesh.parts[0].name == "Surface");
  CHECK(mesh.looks.empty());
}
