#include <catch2/catch.hpp>
#include <map>

#include <cmath>
#include <random>
#include <thread>

#include "core/geometry/mesh/facts.h"
#include "core/geometry/mesh/primitives.h"

namespace mesh_facts_test {

using namespace hazumi;

namespace {

DisplayMesh shape(PrimitiveShape kind, std::array<int, 3> divisions) {
  Primitive p;
  p.shape = kind;
  p.size = Vec3(2, 1, 3);
  p.divisions = divisions;
  return make_primitive(p);
}

FaceHit by_trying_all(const DisplayMesh& mesh, const MeshRay& ray) {
  FaceHit best;
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& face = mesh.faces[f];
    const double at = hit_triangle(ray, mesh.positions[face[0]], mesh.positions[face[1]], mesh.positions[face[2]]);
    if (at < best.at) best = {at, f};
  }
  return best;
}

}  // namespace

TEST_CASE("The tree of faces gives what trying every face gives", "[mesh_facts]") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> somewhere(-4, 4), inside(-1, 1);
  for (const DisplayMesh& mesh :
       {shape(PrimitiveShape::torus, {40, 24, 1}), shape(PrimitiveShape::box, {1, 1, 1}),
        shape(PrimitiveShape::plane, {30, 1, 30}), shape(PrimitiveShape::superellipsoid, {32, 32, 1})}) {
    const FaceTree tree(mesh);
    int met = 0;
    for (int i = 0; i < 2000; ++i) {
      MeshRay ray{Vec3(somewhere(random), somewhere(random), somewhere(random)), Vec3::Zero()};
      ray.direction = Vec3(inside(random), 0.5 * inside(random), 1.5 * inside(random)) - ray.origin;
      if (i % 5 == 0) {  // along an axis, in the plane of box sides
        ray.origin = Vec3(inside(random), 5, inside(random));
        ray.direction = Vec3(0, -1, 0);
      }
      const FaceHit expected = by_trying_all(mesh, ray), got = tree.nearest(mesh, ray);
      REQUIRE(got.at == expected.at);
      if (std::isfinite(expected.at)) {
        REQUIRE(got.face == expected.face);
        ++met;
        CHECK(tree.nearest(mesh, ray, {0.5 * expected.at, 0}).at == 0.5 * expected.at);
      }
    }
    CHECK(met > 300);
  }
  const DisplayMesh none;
  CHECK_FALSE(std::isfinite(FaceTree(none).nearest(none, {Vec3(0, 0, 5), Vec3(0, 0, -1)}).at));
}

TEST_CASE("Diagonals of flat quads are not drawn, all other edges are, once", "[mesh_facts]") {
  // Each side of the box of 2 × 3 × 1 quads has its own vertices.
  const auto edges = drawn_edges(shape(PrimitiveShape::box, {2, 3, 1}));
  const auto grid = [](std::size_t n, std::size_t m) { return n * (m + 1) + m * (n + 1); };
  CHECK(edges.size() == 2 * (grid(2, 3) + grid(3, 1) + grid(1, 2)));
  Primitive ball;
  ball.shape = PrimitiveShape::sphere;
  ball.divisions = {64, 32, 1};
  CHECK(drawn_edges(make_primitive(ball)).size() == 64 * 31 + 64 * 32);
  // A fan about one vertex, and two triangles with a sharp fold, keep all edges.
  DisplayMesh fold;
  fold.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}};
  fold.faces = {{0, 1, 2}, {0, 2, 3}};
  CHECK(drawn_edges(fold).size() == 5);
}

TEST_CASE("Facts of a big mesh are there after prepare, in whichever thread", "[mesh_facts][threads]") {
  const DisplayMesh big = shape(PrimitiveShape::sphere, {160, 100, 1});
  REQUIRE(big.faces.size() > MeshFacts::kSmall);
  MeshFacts facts(big);
  CHECK(facts.pending());
  CHECK(facts.tree() == nullptr);
  CHECK(facts.edges(big) == nullptr);
  CHECK_FALSE(facts.solid(big));
  std::thread one([&] { facts.prepare(big); }), two([&] { facts.prepare(big); });
  one.join();
  two.join();
  CHECK_FALSE(facts.pending());
  REQUIRE(facts.tree() != nullptr);
  CHECK(facts.solid(big));
  REQUIRE(facts.edges(big) != nullptr);
  CHECK(facts.box().size().isApprox(Vec3(2, 1, 3), 1e-9));

  const DisplayMesh small = shape(PrimitiveShape::plane, {2, 1, 2});
  MeshFacts of_small(small);
  CHECK_FALSE(of_small.pending());
  CHECK_FALSE(of_small.solid(small));  // a sheet
  CHECK(of_small.edges(small)->size() == 12);
}

TEST_CASE("Coarse faces keep to their parts and to the shape", "[mesh_facts]") {
  DisplayMesh mesh = shape(PrimitiveShape::sphere, {300, 150, 1});
  const auto faces = static_cast<std::uint32_t>(mesh.faces.size());
  mesh.parts = {{"dot", 100, 50}, {"half", 150, faces / 2}};  // what comes before and after belongs to no part
  const CoarseFaces coarse = coarse_faces(mesh, 6000);
  CHECK(coarse.faces.size() > 2000);
  CHECK(coarse.faces.size() < 9000);
  CHECK(coarse.range(100, 50)[1] == 50);  // small parts stay
  CHECK(coarse.range(100, 50 + faces / 2)[1] == coarse.range(100, 50)[1] + coarse.range(150, faces / 2)[1]);
  CHECK(coarse.range(0, faces)[1] == coarse.faces.size());
  CHECK(coarse.range(7, 50)[1] == 0);
  for (const auto& face : coarse.faces)
    for (const std::uint32_t v : face) REQUIRE(v < mesh.positions.size());
  MeshFacts facts(mesh);
  facts.prepare(mesh);
  CHECK(facts.coarse() == nullptr);  // not so many faces
}

TEST_CASE("Things that are small in a picture have ever fewer faces", "[mesh_facts]") {
  for (const auto& [divisions, count] :
       {std::pair<std::array<int, 3>, std::size_t>{{48, 40, 1}, 2}, {{20, 12, 1}, 1}, {{8, 6, 1}, 0}}) {
    const DisplayMesh mesh = shape(PrimitiveShape::sphere, divisions);
    CAPTURE(mesh.faces.size());
    MeshFacts facts(mesh);
    CHECK_FALSE(facts.levelled());
    const auto& levels = facts.levels(mesh);
    CHECK(facts.levelled());
    CHECK(&levels == &facts.levels(mesh));
    REQUIRE(levels.size() == count);
    CHECK(facts.coarse() == nullptr);
    std::size_t before = mesh.faces.size();
    for (const CoarseFaces& level : levels) {
      CHECK(level.faces.size() >= before / 12);
      CHECK(level.faces.size() <= before / 2);
      CHECK(level.range(0, static_cast<std::uint32_t>(mesh.faces.size()))[1] == level.faces.size());
      before = level.faces.size();
    }
  }
  // Closed is what has each edge from both sides.
  const DisplayMesh box = shape(PrimitiveShape::box, {12, 12, 12});
  MeshFacts of_box(box);
  REQUIRE(of_box.levels(box).size() > 0);
  for (const CoarseFaces& level : of_box.levels(box)) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
    for (const auto& face : level.faces)
      for (std::size_t k = 0; k < 3; ++k) ++sides[{face[k], face[(k + 1) % 3]}];
    const bool closed = std::all_of(sides.begin(), sides.end(), [&](const auto& side) {
      const auto back = sides.find({side.first.second, side.first.first});
      return side.second == 1 && back != sides.end() && back->second == 1;
    });
    CHECK(level.closed == closed);
  }
}

}  // namespace mesh_facts_test
