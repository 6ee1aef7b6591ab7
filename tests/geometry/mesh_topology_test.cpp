#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/topology.h"

namespace hazumi::mesh_topology_test {

namespace {

DisplayMesh box() { return make_primitive({PrimitiveShape::box, Vec3(1, 2, 3), {2, 2, 2}}); }

DisplayMesh triangles(std::vector<Vec3> positions, std::vector<std::array<std::uint32_t, 3>> faces) {
  DisplayMesh mesh;
  mesh.positions = std::move(positions);
  mesh.faces = std::move(faces);
  mesh.parts = {{"Part", 0, static_cast<std::uint32_t>(mesh.faces.size())}};
  compute_normals(mesh);
  return mesh;
}

}  // namespace

TEST_CASE("Vertices at equal positions are one place", "[topology]") {
  const std::vector<std::uint32_t> place = weld({{0, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {1, 1e-9, 0}, {1, 0, 0}});
  CHECK(place == std::vector<std::uint32_t>{0, 1, 0, 3, 1});
  CHECK(weld({}).empty());
}

TEST_CASE("Edges of a box: two faces each, Euler's number 2", "[topology]") {
  const DisplayMesh mesh = box();
  const MeshTopology all = topology(mesh);
  std::size_t places = 0;
  for (std::uint32_t v = 0; v < all.place.size(); ++v) places += all.place[v] == v ? 1 : 0;
  CHECK(places + mesh.faces.size() == all.edges.size() + 2);
  for (const MeshEdge& edge : all.edges) {
    CHECK(edge.uses == 2);
    CHECK(all.upwards(mesh, edge.sides[0]) != all.upwards(mesh, edge.sides[1]));
  }
  CHECK(border_rings(all).empty());
  CHECK(is_closed(mesh));
}

TEST_CASE("Rings around holes are found, touching ones taken apart", "[topology]") {
  DisplayMesh mesh = box();
  mesh.faces.pop_back();
  --mesh.parts.back().face_count;
  CHECK_FALSE(is_closed(mesh));
  auto rings = border_rings(topology(mesh));
  REQUIRE(rings.size() == 1);
  CHECK(rings[0].size() == 3);

  // Two triangles that touch in one corner: two rings of three, not one of six.
  const DisplayMesh bow = triangles({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}});
  rings = border_rings(topology(bow));
  REQUIRE(rings.size() == 2);
  CHECK(rings[0].size() == 3);
  CHECK(rings[1].size() == 3);
}

TEST_CASE("Three faces at one edge are seen", "[topology]") {
  const DisplayMesh fan =
      triangles({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}}, {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  const MeshTopology all = topology(fan);
  CHECK(std::count_if(all.edges.begin(), all.edges.end(), [](const MeshEdge& e) { return e.uses == 3; }) == 1);
}

TEST_CASE("Faces that point the wrong way are found, in closed pieces and in open ones", "[topology]") {
  DisplayMesh mesh = box();
  for (std::size_t f : {0u, 5u, 11u}) std::swap(mesh.faces[f][1], mesh.faces[f][2]);
  std::vector<char> turn = faces_to_turn(mesh, topology(mesh));
  CHECK(std::count(turn.begin(), turn.end(), 1) == 3);
  CHECK((turn[0] && turn[5] && turn[11]));
  // Inside out as a whole.
  mesh = box();
  for (auto& f : mesh.faces) std::swap(f[1], f[2]);
  turn = faces_to_turn(mesh, topology(mesh));
  CHECK(std::count(turn.begin(), turn.end(), 1) == static_cast<std::ptrdiff_t>(mesh.faces.size()));
  // Open: as most are.
  mesh = make_primitive({PrimitiveShape::plane, Vec3(1, 1, 1), {4, 1, 4}});
  std::swap(mesh.faces[0][1], mesh.faces[0][2]);
  turn = faces_to_turn(mesh, topology(mesh));
  CHECK(turn[0]);
  CHECK(std::count(turn.begin(), turn.end(), 1) == 1);
}

TEST_CASE("Normals are smooth over a sphere and split at the edges of a box", "[topology]") {
  DisplayMesh ball = make_primitive({PrimitiveShape::sphere, Vec3(1, 1, 1), {32, 16, 1}});
  const DisplayMesh before = ball;
  ball.normals.clear();
  compute_creased_normals(ball, kPi / 3);
  REQUIRE(ball.normals.size() == ball.positions.size());
  for (std::size_t v = 0; v < ball.positions.size(); ++v)
    CHECK(ball.normals[v].dot(ball.positions[v].normalized()) > 0.9985);

  // A box whose corners are shared: 8 vertices become 24.
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  DisplayMesh cube = triangles(corners, {{0, 2, 3},
                                         {0, 3, 1},
                                         {4, 5, 7},
                                         {4, 7, 6},
                                         {0, 1, 5},
                                         {0, 5, 4},
                                         {2, 6, 7},
                                         {2, 7, 3},
                                         {0, 4, 6},
                                         {0, 6, 2},
                                         {1, 3, 7},
                                         {1, 7, 5}});
  REQUIRE(is_closed(cube));
  cube.texture.assign(8, Vec2(0.5, 0.25));
  compute_creased_normals(cube, kPi / 3);
  CHECK(cube.positions.size() == 24);
  CHECK(cube.texture.size() == 24);
  CHECK(is_closed(cube));
  for (const auto& f : cube.faces) {
    const Vec3 n =
        (cube.positions[f[1]] - cube.positions[f[0]]).cross(cube.positions[f[2]] - cube.positions[f[0]]).normalized();
    for (std::uint32_t v : f) CHECK(cube.normals[v].isApprox(n));
  }
}

}  // namespace hazumi::mesh_topology_test
