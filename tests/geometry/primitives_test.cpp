#include <catch2/catch.hpp>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"

namespace primitives_test {

using namespace hazumi;

namespace {

Primitive make(PrimitiveShape shape, const Vec3& size, std::array<int, 3> divisions) {
  Primitive p;
  p.shape = shape;
  p.size = size;
  p.divisions = divisions;
  return p;
}

/// `fine`: divided finely enough that a face leans little against the normals of its corners.
void check_sound(const DisplayMesh& mesh, bool fine = true) {
  REQUIRE(mesh.normals.size() == mesh.positions.size());
  for (const auto& f : mesh.faces) {
    const Vec3 n = (mesh.positions[f[1]] - mesh.positions[f[0]]).cross(mesh.positions[f[2]] - mesh.positions[f[0]]);
    CHECK(n.norm() > 0);
    for (auto v : f)
      CHECK((!fine || n.normalized().dot(mesh.normals[v]) > 0.2));  // normals on the outer side of their faces
  }
  for (const auto& n : mesh.normals) CHECK(n.norm() == Approx(1));
}

}  // namespace

TEST_CASE("Closed primitives are closed, oriented outwards and have the volume they should") {
  const Vec3 size(2, 3, 1.5);
  for (const auto& divisions : {std::array<int, 3>{1, 1, 1}, {5, 2, 3}, {64, 32, 4}}) {
    for (auto shape : {PrimitiveShape::box, PrimitiveShape::sphere, PrimitiveShape::cylinder, PrimitiveShape::cone,
                       PrimitiveShape::torus}) {
      CAPTURE(static_cast<int>(shape), divisions[0]);
      const DisplayMesh mesh = make_primitive(make(shape, size, divisions));
      check_sound(mesh, divisions[0] >= 64 || shape != PrimitiveShape::torus);
      CHECK(is_closed(mesh));
      CHECK(mesh_volume(mesh.positions, mesh.faces) > 0);
      REQUIRE(mesh.parts.size() == 1);
      CHECK(mesh.parts[0].face_count == mesh.faces.size());
    }
  }
  const auto volume = [&](PrimitiveShape shape) {
    const DisplayMesh mesh = make_primitive(make(shape, size, {256, 128, 2}));
    return mesh_volume(mesh.positions, mesh.faces);
  };
  CHECK(volume(PrimitiveShape::box) == Approx(2 * 3 * 1.5));
  CHECK(volume(PrimitiveShape::sphere) == Approx(kPi / 6 * 2 * 3 * 1.5).epsilon(6e-4));
  CHECK(volume(PrimitiveShape::cylinder) == Approx(kPi / 4 * 2 * 1.5 * 3).epsilon(3e-4));
  CHECK(volume(PrimitiveShape::cone) == Approx(kPi / 12 * 2 * 1.5 * 3).epsilon(3e-4));
  const DisplayMesh ring = make_primitive(make(PrimitiveShape::torus, Vec3(2, 0.5, 2), {256, 128, 1}));
  CHECK(mesh_volume(ring.positions, ring.faces) == Approx(2 * kPi * kPi * 0.75 * 0.25 * 0.25).epsilon(1e-3));
}

TEST_CASE("A primitive fills its bounding box") {
  for (auto shape : {PrimitiveShape::box, PrimitiveShape::sphere, PrimitiveShape::cylinder, PrimitiveShape::cone,
                     PrimitiveShape::plane, PrimitiveShape::superellipsoid, PrimitiveShape::hyperboloid_one,
                     PrimitiveShape::hyperboloid_two, PrimitiveShape::capsule, PrimitiveShape::tube,
                     PrimitiveShape::wedge, PrimitiveShape::rounded_box}) {
    const Box3 box = bounds(make_primitive(make(shape, Vec3(2, 3, 1), {64, 32, 4})));
    CHECK(box.size().x() == Approx(2).epsilon(1e-9));
    CHECK(box.size().z() == Approx(1).epsilon(1e-9));
    CHECK(box.size().y() == Approx(shape == PrimitiveShape::plane ? 0 : 3).margin(1e-12));
    CHECK(box.centre().norm() < 1e-12);
  }
}

TEST_CASE("The plane is an open sheet facing up") {
  const DisplayMesh mesh = make_primitive(make(PrimitiveShape::plane, Vec3(2, 1, 2), {3, 1, 2}));
  check_sound(mesh);
  CHECK(mesh.faces.size() == 12);
  CHECK_FALSE(is_closed(mesh));
  for (const auto& n : mesh.normals) CHECK(n == Vec3(0, 1, 0));
}

TEST_CASE("A closed mesh with one face turned or missing is not closed") {
  DisplayMesh mesh = make_primitive(make(PrimitiveShape::box, Vec3::Ones(), {2, 2, 2}));
  std::swap(mesh.faces[3][0], mesh.faces[3][1]);
  CHECK_FALSE(is_closed(mesh));
  mesh.faces.erase(mesh.faces.begin() + 3);
  CHECK_FALSE(is_closed(mesh));
}

TEST_CASE("Mass properties of a box off the origin are the closed form") {
  DisplayMesh mesh = make_primitive(make(PrimitiveShape::box, Vec3(1, 2, 3), {2, 1, 3}));
  for (auto& p : mesh.positions) p += Vec3(100, -50, 20);
  const MassProperties m = mass_properties(mesh, 700);
  CHECK(m.mass == Approx(4200));
  CHECK((m.centre - Vec3(100, -50, 20)).norm() < 1e-9);
  CHECK(m.inertia(0, 0) == Approx(4200.0 / 12 * (4 + 9)));
  CHECK(m.inertia(1, 1) == Approx(4200.0 / 12 * (1 + 9)));
  CHECK(m.inertia(2, 2) == Approx(4200.0 / 12 * (1 + 4)));
  CHECK(std::abs(m.inertia(0, 1)) < 1e-9);
}

TEST_CASE("Mass properties of nodes are their sums") {
  const std::vector<Vec3> nodes = {{1, 0, 0}, {-1, 0, 0}, {0, 2, 0}};
  const std::vector<double> masses = {1, 1, 2};
  const MassProperties m = mass_properties(nodes, masses);
  CHECK(m.mass == 4);
  CHECK((m.centre - Vec3(0, 1, 0)).norm() < 1e-15);
  CHECK(m.inertia(2, 2) == Approx(2 * 2 + 2 * 1));
}

}  // namespace primitives_test
