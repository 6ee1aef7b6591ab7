// Every step between a mesh file and the scene on its own, then all of them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/topology.h"
#include "core/import/mesh_file.h"
#include "core/import/prepare.h"

namespace hazumi::prepare_test {

namespace {

DisplayMesh ball(int around = 24) {
  return make_primitive({PrimitiveShape::sphere, Vec3(1, 1, 1), {around, around / 2, 1}});
}
DisplayMesh box(int n = 3) { return make_primitive({PrimitiveShape::box, Vec3(1, 2, 3), {n, n, n}}); }

void turn(DisplayMesh& mesh, std::size_t face) { std::swap(mesh.faces[face][1], mesh.faces[face][2]); }

/// The mesh without some of its faces (ascending numbers), parts kept right.
DisplayMesh without(DisplayMesh mesh, const std::vector<std::uint32_t>& faces) {
  for (auto at = faces.rbegin(); at != faces.rend(); ++at) {
    mesh.faces.erase(mesh.faces.begin() + *at);
    for (Part& part : mesh.parts) {
      if (part.first_face > *at)
        --part.first_face;
      else if (*at < part.first_face + part.face_count)
        --part.face_count;
    }
  }
  return mesh;
}

double volume(const DisplayMesh& mesh) {
  double six = 0;
  for (const auto& f : mesh.faces) six += mesh.positions[f[0]].dot(mesh.positions[f[1]].cross(mesh.positions[f[2]]));
  return six / 6;
}

/// Faces with corners of their own, as an STL file has them.
DisplayMesh loose(const DisplayMesh& mesh) {
  DisplayMesh out = mesh;
  out.positions.clear();
  out.normals.clear();
  out.texture.clear();
  for (auto& f : out.faces)
    for (std::uint32_t& v : f) {
      out.positions.push_back(mesh.positions[v]);
      out.normals.push_back(mesh.normals[v]);
      v = static_cast<std::uint32_t>(out.positions.size() - 1);
    }
  return out;
}

/// A unit vector that differs from number to number.
Vec3 wobble(std::size_t number) {
  const auto x = static_cast<double>(number);
  return Vec3(std::sin(x + 1), std::sin(2 * x), std::sin(3 * x)).normalized();
}

void check_sound(const DisplayMesh& mesh) {
  REQUIRE(mesh.normals.size() == mesh.positions.size());
  for (const Vec3& n : mesh.normals) CHECK(n.norm() == Approx(1));
  std::uint32_t next = 0;
  for (const Part& part : mesh.parts) {
    CHECK(part.first_face == next);
    CHECK(part.face_count > 0);
    next += part.face_count;
  }
  CHECK(next == mesh.faces.size());
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f) REQUIRE(v < mesh.positions.size());
}

bool same_bits(const DisplayMesh& a, const DisplayMesh& b) {
  return a.positions.size() == b.positions.size() && a.faces == b.faces &&
         std::memcmp(a.positions.data(), b.positions.data(), a.positions.size() * sizeof(Vec3)) == 0 &&
         std::memcmp(a.normals.data(), b.normals.data(), a.normals.size() * sizeof(Vec3)) == 0;
}

}  // namespace

TEST_CASE("The axis that points up in the file becomes y, without mirroring", "[import][prepare]") {
  for (UpAxis up : {UpAxis::x, UpAxis::y, UpAxis::z}) {
    DisplayMesh mesh = box();
    mesh.positions.push_back(up == UpAxis::x ? Vec3(9, 0, 0) : up == UpAxis::y ? Vec3(0, 9, 0) : Vec3(0, 0, 9));
    mesh.normals.push_back(mesh.positions.back() / 9);
    const double before = volume(mesh);
    turn_up_axis(mesh, up);
    CHECK(mesh.positions.back().isApprox(Vec3(0, 9, 0)));
    CHECK(mesh.normals.back().isApprox(Vec3(0, 1, 0)));
    CHECK(volume(mesh) == Approx(before));
  }
}

TEST_CASE("Scale is a factor of all positions", "[import][prepare]") {
  DisplayMesh mesh = box();
  scale_mesh(mesh, 0.0254);
  CHECK(bounds(mesh).size().isApprox(0.0254 * Vec3(1, 2, 3)));
}

TEST_CASE("Vertices nearer than the distance are merged and close the surface", "[import][prepare]") {
  DisplayMesh mesh = loose(box());
  const std::vector<std::uint32_t> place = weld(mesh.positions);
  std::size_t places = 0;
  for (std::uint32_t v = 0; v < place.size(); ++v) places += place[v] == v ? 1 : 0;
  // Each corner strays by less than half the distance, in a pattern.
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) mesh.positions[v] += 4e-5 * wobble(v);
  REQUIRE_FALSE(is_closed(mesh));
  const std::size_t faces = mesh.faces.size();
  const std::size_t loose_places = mesh.positions.size();
  CHECK(merge_vertices(mesh, 1e-4) == loose_places - places);
  CHECK(mesh.faces.size() == faces);
  CHECK(is_closed(mesh));
  check_sound(mesh);
  CHECK(merge_vertices(mesh, 1e-4) == 0);

  // A distance as large as the cells of the box makes faces collapse; they go.
  DisplayMesh coarse = box(8);
  const double before = volume(coarse);
  CHECK(merge_vertices(coarse, 0.2) > 0);
  CHECK(coarse.faces.size() < box(8).faces.size());
  CHECK(volume(coarse) > 0.5 * before);
  check_sound(coarse);
  DisplayMesh none = box();
  CHECK(merge_vertices(none, 0) == 0);
}

TEST_CASE("Faces are turned to agree and to look outwards", "[import][prepare]") {
  DisplayMesh mesh = box();
  for (std::size_t f = 0; f < mesh.faces.size(); f += 3) turn(mesh, f);
  CHECK(orient_faces(mesh) == mesh.faces.size() / 3);
  CHECK(is_closed(mesh));
  CHECK(volume(mesh) == Approx(6));
  check_sound(mesh);
  CHECK(orient_faces(mesh) == 0);
  for (const Vec3& n : mesh.normals) CHECK(n.cwiseAbs().maxCoeff() == Approx(1));
}

TEST_CASE("Small holes are closed, larger ones stay", "[import][prepare]") {
  DisplayMesh mesh = without(box(), {0, 22, 40});
  mesh.parts[0].name = "Body";
  REQUIRE_FALSE(is_closed(mesh));
  MeshReport report;
  count_mesh(mesh, report);
  CHECK(report.holes == std::vector<int>{3, 3, 3});
  CHECK(report.open_edges == 9);
  CHECK(fill_holes(mesh, 2) == 0);
  CHECK(fill_holes(mesh, 3) == 3);
  CHECK(is_closed(mesh));
  CHECK(volume(mesh) == Approx(6));
  check_sound(mesh);

  // The cap of a ball: a ring of 24 edges, closed flat.
  DisplayMesh open = ball();
  std::vector<std::uint32_t> cap;
  for (std::uint32_t f = 0; f < open.faces.size(); ++f) {
    double low = 1;
    for (std::uint32_t v : open.faces[f]) low = std::min(low, open.positions[v].y());
    if (low > 0.4) cap.push_back(f);
  }
  open = without(open, cap);
  count_mesh(open, report);
  REQUIRE(report.holes.size() == 1);
  const int edges = report.holes[0];
  CHECK(edges == 24);
  CHECK(fill_holes(open, edges - 1) == 0);
  CHECK(fill_holes(open, edges) == 1);
  CHECK(is_closed(open));
  CHECK(volume(open) < volume(ball()));
  CHECK(volume(open) > 0.97 * volume(ball()));
}

TEST_CASE("Simplification keeps the shape, parts, seams and borders", "[import][prepare]") {
  DisplayMesh mesh = ball(96);
  REQUIRE(is_closed(mesh));
  const double before = volume(mesh);
  const std::size_t faces = mesh.faces.size();
  CHECK(simplify_mesh(mesh, 0.1) > faces / 20 * 17);
  CHECK(is_closed(mesh));
  CHECK(volume(mesh) == Approx(before).epsilon(0.03));
  check_sound(mesh);

  // However few are asked for, something is left.
  DisplayMesh few = ball(8);
  CHECK(simplify_mesh(few, 0.001) > 0);
  CHECK(few.faces.size() >= 2);
  check_sound(few);

  // Two parts that meet: the border between them stays closed and nobody loses its name.
  DisplayMesh parts = loose(ball(96));
  const auto half = static_cast<std::uint32_t>(parts.faces.size() / 2);
  parts.parts = {{"Upper", 0, half}, {"Lower", half, static_cast<std::uint32_t>(parts.faces.size()) - half}};
  simplify_mesh(parts, 0.2);
  REQUIRE(parts.parts.size() == 2);
  CHECK(parts.parts[0].name == "Upper");
  CHECK(parts.parts[1].name == "Lower");
  CHECK(parts.faces.size() < 2 * half / 3);
  CHECK(is_closed(parts));
  check_sound(parts);

  // An open square keeps its outline.
  DisplayMesh plane = make_primitive({PrimitiveShape::plane, Vec3(2, 1, 4), {20, 1, 20}});
  simplify_mesh(plane, 0.05);
  CHECK(plane.faces.size() <= 40);
  CHECK(bounds(plane).size().isApprox(Vec3(2, 0, 4), 1e-9));
  double area = 0;
  for (const auto& f : plane.faces)
    area += 0.5 *
            (plane.positions[f[1]] - plane.positions[f[0]]).cross(plane.positions[f[2]] - plane.positions[f[0]]).norm();
  CHECK(area == Approx(8));

  // Texture coordinates belong to the vertices that are left.
  DisplayMesh mapped = make_primitive({PrimitiveShape::plane, Vec3(1, 1, 1), {20, 1, 20}});
  mapped.texture.clear();
  for (const Vec3& p : mapped.positions) mapped.texture.emplace_back(p.x() + 0.5, p.z() + 0.5);
  simplify_mesh(mapped, 0.2);
  REQUIRE(mapped.texture.size() == mapped.positions.size());
  for (std::size_t v = 0; v < mapped.positions.size(); ++v)
    CHECK(mapped.texture[v].isApprox(Vec2(mapped.positions[v].x() + 0.5, mapped.positions[v].z() + 0.5)));
  CHECK(simplify_mesh(mapped, 1) == 0);
}

TEST_CASE("All steps together mend a broken box, the same each time", "[import][prepare]") {
  ImportedMesh file;
  file.mesh = without(loose(box(6)), {3, 100});
  for (std::size_t f = 0; f < 60; f += 7) turn(file.mesh, f);
  turn_up_axis(file.mesh, UpAxis::x);
  scale_mesh(file.mesh, 1000);
  for (std::size_t v = 0; v < file.mesh.positions.size(); ++v) file.mesh.positions[v].x() += 1e-3 * wobble(v).x();
  file.report.warnings = {"A sentence."};
  file.report.materials = 4;
  MeshSettings settings;
  settings.scale = 0.001;
  settings.merge_distance = 1e-5;
  settings.orient = true;
  settings.fill_holes = 8;
  settings.simplify = 0.5;
  const auto first = prepare_mesh(file, settings), second = prepare_mesh(file, settings);
  REQUIRE((first && second));
  CHECK(first->merged > 0);
  CHECK(first->turned > 0);
  CHECK(first->filled == 2);
  CHECK(first->simplified > 0);
  CHECK(is_closed(first->mesh));
  CHECK(volume(first->mesh) == Approx(6).epsilon(1e-7));
  CHECK(first->report.open_edges == 0);
  CHECK(first->report.flipped == 0);
  CHECK(first->report.faces == first->mesh.faces.size());
  CHECK(first->report.warnings == file.report.warnings);
  CHECK(first->report.materials == 4);
  CHECK(same_bits(first->mesh, second->mesh));
  const std::atomic<bool> cancel{true};
  CHECK_FALSE(prepare_mesh(file, settings, &cancel));
}

}  // namespace hazumi::prepare_test
