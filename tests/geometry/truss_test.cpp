#include <catch2/catch.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <set>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/truss/truss.h"
#include "core/math/eigen.h"

namespace truss_test {

using namespace hazumi;

namespace {

/// Number of deformations that cost no energy to first order: 3N − rank K, K = Σ b bᵀ over the springs.
int free_modes(const Truss& truss) {
  const auto n = static_cast<Eigen::Index>(truss.nodes.size());
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (const auto& s : truss.springs) {
    const Vec3 b = (truss.nodes[s.b] - truss.nodes[s.a]).normalized();
    const Mat3 e = b * b.transpose();
    k.block<3, 3>(3 * s.a, 3 * s.a) += e;
    k.block<3, 3>(3 * s.b, 3 * s.b) += e;
    k.block<3, 3>(3 * s.a, 3 * s.b) -= e;
    k.block<3, 3>(3 * s.b, 3 * s.a) -= e;
  }
  const Eigen::VectorXd values = dense_eigen(k).values;
  return static_cast<int>((values.array() < 1e-9 * values.maxCoeff()).count());
}

TrussRecipe recipe(TrussShape shape, std::array<int, 3> divisions) {
  TrussRecipe r;
  r.shape = shape;
  r.divisions = divisions;
  r.size = Vec3(1, 2, 1.5);
  r.offset = Vec3(0.1, 0.2, 0.3);
  return r;
}

}  // namespace

TEST_CASE("Every catalogue truss has exactly the six rigid modes") {
  for (auto shape : {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron})
    for (auto divisions : {std::array<int, 3>{1, 1, 1}, {2, 1, 2}, {3, 2, 1}}) {
      CAPTURE(static_cast<int>(shape), divisions[0]);
      CHECK(free_modes(make_truss(recipe(shape, divisions))) == 6);
    }
}

TEST_CASE("Catalogue trusses have closed outward hulls, mass 1, no doubled nodes or springs") {
  for (auto shape : {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron})
    for (auto divisions : {std::array<int, 3>{1, 1, 1}, {3, 2, 2}}) {
      CAPTURE(static_cast<int>(shape), divisions[0]);
      const Truss truss = make_truss(recipe(shape, divisions));
      CHECK(mesh_volume(truss.nodes, truss.hull) > 0);
      DisplayMesh hull;
      hull.positions = truss.nodes;
      hull.faces = truss.hull;
      CHECK(is_closed(hull));
      double mass = 0;
      for (double m : truss.masses) mass += m;
      CHECK(mass == Approx(1));
      std::set<std::pair<unsigned, unsigned>> springs;
      for (const auto& s : truss.springs) {
        CHECK(s.a < s.b);
        CHECK(springs.emplace(s.a, s.b).second);
        CHECK((truss.nodes[s.a] - truss.nodes[s.b]).norm() > 1e-3);
      }
      Box3 box;
      for (const auto& p : truss.nodes) box.add(p);
      CHECK((box.centre() - Vec3(0.1, 0.2, 0.3)).norm() < 1e-12);
    }
}

TEST_CASE("Grids have cells that fill them, other shapes have none") {
  TrussRecipe recipe;
  recipe.shape = TrussShape::box_grid;
  recipe.divisions = {2, 3, 4};
  recipe.size = Vec3(2, 3, 4);
  const Truss grid = make_truss(recipe);
  REQUIRE(grid.cells.size() == 24);
  double volume = 0;
  std::vector<int> used(grid.nodes.size(), 0);
  for (const auto& cell : grid.cells) {
    REQUIRE(cell.size() == 8);
    for (const std::uint32_t node : cell) ++used[node];
    // x fastest, then y, then z, from the lowest corner.
    const Vec3 a = grid.nodes[cell[1]] - grid.nodes[cell[0]], b = grid.nodes[cell[2]] - grid.nodes[cell[0]],
               c = grid.nodes[cell[4]] - grid.nodes[cell[0]];
    CHECK((a - Vec3(1, 0, 0)).norm() < 1e-12);
    CHECK((grid.nodes[cell[7]] - grid.nodes[cell[0]] - a - b - c).norm() < 1e-12);
    volume += a.cross(b).dot(c);
  }
  CHECK(volume == Approx(24));
  CHECK(*std::min_element(used.begin(), used.end()) == 1);
  CHECK(*std::max_element(used.begin(), used.end()) == 8);
  recipe.shape = TrussShape::plane_grid;
  CHECK(make_truss(recipe).cells.size() == 8);  // 2 by 4, one high
  recipe.shape = TrussShape::icosahedron;
  CHECK(make_truss(recipe).cells.empty());
}

TEST_CASE("The bare solids have the node and spring counts of the thesis") {
  const Truss icosahedron = make_truss(recipe(TrussShape::icosahedron, {1, 1, 1}));
  CHECK(icosahedron.nodes.size() == 12);
  CHECK(icosahedron.hull.size() == 20);
  CHECK(icosahedron.springs.size() == 30 + 6);
  const Truss octahedron = make_truss(recipe(TrussShape::octahedron, {1, 1, 1}));
  CHECK(octahedron.nodes.size() == 6);
  CHECK(octahedron.hull.size() == 8);
  CHECK(octahedron.springs.size() == 12 + 3);
  CHECK(make_truss(recipe(TrussShape::box_grid, {2, 3, 4})).nodes.size() == 3 * 4 * 5);
}

}  // namespace truss_test
