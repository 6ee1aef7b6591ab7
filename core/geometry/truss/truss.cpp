#include "core/geometry/truss/truss.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

void add_spring(std::set<std::pair<Index, Index>>& springs, Index a, Index b) {
  if (a != b) springs.emplace(std::min(a, b), std::max(a, b));
}

/// Unit cube lattice of n cells; nodes in x-fastest order; centred, extents ±½.
Truss grid(const std::array<int, 3>& n) {
  Truss truss;
  const auto at = [&](int i, int j, int k) { return static_cast<Index>((k * (n[1] + 1) + j) * (n[0] + 1) + i); };
  for (int k = 0; k <= n[2]; ++k)
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i)
        truss.nodes.emplace_back(static_cast<double>(i) / n[0] - 0.5, static_cast<double>(j) / n[1] - 0.5,
                                 static_cast<double>(k) / n[2] - 0.5);
  std::set<std::pair<Index, Index>> springs;
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        Index corner[8];
        for (int c = 0; c < 8; ++c) corner[c] = at(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1));
        truss.cells.emplace_back(corner, corner + 8);
        for (int a = 0; a < 8; ++a)  // all pairs of a cell: 12 edges, 12 face diagonals, 4 body diagonals
          for (int b = a + 1; b < 8; ++b) add_spring(springs, corner[a], corner[b]);
      }
  for (const auto& [a, b] : springs) truss.springs.push_back({a, b, 1, 1});
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < n[v]; ++j)
        for (int i = 0; i < n[u]; ++i) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> q{};
            q[axis] = side ? n[axis] : 0;
            q[u] = i + di;
            q[v] = j + dj;
            return at(q[0], q[1], q[2]);
          };
          const Index a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
          if (side) {
            truss.hull.push_back({a, b, c});
            truss.hull.push_back({a, c, d});
          } else {
            truss.hull.push_back({a, c, b});
            truss.hull.push_back({a, d, c});
          }
        }
  }
  return truss;
}

/// A solid with triangular faces and every edge cut into n parts; nodes numbered in order of first use.
Truss divide(const std::vector<Vec3>& corners, const std::vector<Triangle>& faces, int n, bool round, bool hollow) {
  Truss truss;
  // A node is named by its integer barycentric coordinates over the corners, so that faces share nodes exactly.
  std::map<std::vector<std::pair<Index, int>>, Index> numbers;
  const auto node = [&](const Triangle& f, int a, int b, int c) {
    std::vector<std::pair<Index, int>> key;
    if (a) key.emplace_back(f[0], a);
    if (b) key.emplace_back(f[1], b);
    if (c) key.emplace_back(f[2], c);
    std::sort(key.begin(), key.end());
    const auto [it, fresh] = numbers.emplace(key, static_cast<Index>(truss.nodes.size()));
    if (fresh) {
      Vec3 p = Vec3::Zero();
      for (const auto& [corner, weight] : key) p += weight * corners[corner];
      p /= n;
      truss.nodes.push_back(round ? Vec3(p.normalized() * corners[0].norm()) : p);
    }
    return it->second;
  };
  for (Index i = 0; i < corners.size(); ++i)  // corners first, in their own order
    for (const auto& f : faces)
      for (int k = 0; k < 3; ++k)
        if (f[k] == i) node(f, k == 0 ? n : 0, k == 1 ? n : 0, k == 2 ? n : 0);
  for (const auto& f : faces)
    for (int i = 0; i < n; ++i)
      for (int j = 0; i + j < n; ++j) {
        const auto at = [&](int di, int dj) { return node(f, n - i - j - di - dj, i + di, j + dj); };
        truss.hull.push_back({at(0, 0), at(1, 0), at(0, 1)});
        if (i + j + 1 < n) truss.hull.push_back({at(1, 0), at(1, 1), at(0, 1)});
      }
  std::set<std::pair<Index, Index>> springs;
  for (const auto& t : truss.hull)
    for (int k = 0; k < 3; ++k) add_spring(springs, t[k], t[(k + 1) % 3]);
  const auto count = static_cast<Index>(truss.nodes.size());
  if (!hollow && n == 1) {
    for (Index i = 0; i < count; ++i)
      for (Index j = i + 1; j < count; ++j)
        if ((truss.nodes[i] + truss.nodes[j]).norm() < 1e-9) add_spring(springs, i, j);
  } else if (!hollow) {
    truss.nodes.push_back(Vec3::Zero());
    for (Index i = 0; i < count; ++i) add_spring(springs, i, count);
  }
  for (const auto& [a, b] : springs) truss.springs.push_back({a, b, 1, 1});
  return truss;
}

Truss octahedron(int n, bool hollow) {
  const std::vector<Vec3> corners = {{0.5, 0, 0}, {-0.5, 0, 0}, {0, 0.5, 0}, {0, -0.5, 0}, {0, 0, 0.5}, {0, 0, -0.5}};
  const std::vector<Triangle> faces = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  return divide(corners, faces, n, false, hollow);
}

Truss icosahedron(int n, bool hollow) {
  // A corner at the top and at the bottom, two rings of five between them; radius ½.
  std::vector<Vec3> corners = {{0, 0.5, 0}};
  const double y = 0.5 / std::sqrt(5.0), r = 2.0 * y;
  for (int ring = 0; ring < 2; ++ring)
    for (int i = 0; i < 5; ++i) {
      const double angle = 2.0 * kPi * (i + 0.5 * ring) / 5.0;
      corners.emplace_back(r * std::sin(angle), ring ? -y : y, r * std::cos(angle));
    }
  corners.emplace_back(0, -0.5, 0);
  std::vector<Triangle> faces;
  for (Index i = 0; i < 5; ++i) {
    const Index u = 1 + i, u1 = 1 + (i + 1) % 5, l = 6 + i, l1 = 6 + (i + 1) % 5;
    faces.push_back({0, u, u1});
    faces.push_back({u, l, u1});
    faces.push_back({u1, l, l1});
    faces.push_back({11, l1, l});
  }
  return divide(corners, faces, n, true, hollow);
}

/// E = ½ k |x_a − 2 x_b + x_c|².
void add_bend(Index a, Index b, Index c, double k, Truss& truss) {
  truss.bends.push_back({a, b, 2 * k});
  truss.bends.push_back({b, c, 2 * k});
  truss.bends.push_back({a, c, -k});
}

/// Springs count by the width that they stand for, half of a square's at the border: a side u of a square of u and v has k v/u, a
/// diagonal `shear` times the mean of k v/u and k u/v.
Truss cloth(int columns, int rows, const TrussRecipe& recipe) {
  Truss truss;
  const double u = recipe.size.x() / columns, v = recipe.size.z() / rows;
  const auto at = [&](int i, int j) { return static_cast<Index>(j * (columns + 1) + i); };
  const auto share = [](int k, int count) { return k == 0 || k == count ? 0.5 : 1.0; };
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i)
      truss.nodes.emplace_back(static_cast<double>(i) / columns - 0.5, 0, static_cast<double>(j) / rows - 0.5);
  const auto spring = [&](Index a, Index b, double stiff) { truss.springs.push_back({a, b, stiff, stiff}); };
  const double across = recipe.shear * (u * u + v * v) / (2 * u * v);
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) {
      if (i < columns) spring(at(i, j), at(i + 1, j), share(j, rows) * v / u);
      if (j < rows) spring(at(i, j), at(i, j + 1), share(i, columns) * u / v);
      if (i < columns && j < rows && across > 0) {
        spring(at(i, j), at(i + 1, j + 1), across);
        spring(at(i + 1, j), at(i, j + 1), across);
      }
      if (recipe.bending > 0 && i + 2 <= columns)
        add_bend(at(i, j), at(i + 1, j), at(i + 2, j), recipe.bending * share(j, rows) * v / (u * u * u), truss);
      if (recipe.bending > 0 && j + 2 <= rows)
        add_bend(at(i, j), at(i, j + 1), at(i, j + 2), recipe.bending * share(i, columns) * u / (v * v * v), truss);
      if (i == columns || j == rows) continue;
      // Diagonals of faces in turns: none of the two ways is better.
      const Index a = at(i, j), b = at(i, j + 1), c = at(i + 1, j + 1), d = at(i + 1, j);
      if ((i + j) % 2 == 0) {
        truss.hull.push_back({a, b, d});
        truss.hull.push_back({b, c, d});
      } else {
        truss.hull.push_back({a, b, c});
        truss.hull.push_back({a, c, d});
      }
    }
  std::sort(truss.springs.begin(), truss.springs.end(),
            [](const Spring& s, const Spring& t) { return s.a != t.a ? s.a < t.a : s.b < t.b; });
  return truss;
}

/// A node weighs as much as the cloth about it: half at the border, a quarter in a corner.
void weigh_cloth(int columns, int rows, Truss& truss) {
  double sum = 0;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) {
      const double share = (i == 0 || i == columns ? 0.5 : 1) * (j == 0 || j == rows ? 0.5 : 1);
      truss.masses[static_cast<std::size_t>(j * (columns + 1) + i)] = share;
      sum += share;
    }
  for (double& m : truss.masses) m /= sum;
}

/// Springs in series: of n each is n times as stiff as all of them, k/u with u = length/n. A bend has D/u³, and nodes at the ends weigh
/// half of others.
Truss rope(int parts, const TrussRecipe& recipe) {
  Truss truss;
  Eigen::Index axis = 0;
  const double u = recipe.size.maxCoeff(&axis) / parts;
  const auto count = static_cast<Index>(parts) + 1;
  for (Index i = 0; i < count; ++i) {
    truss.nodes.push_back((static_cast<double>(i) / parts - 0.5) * Vec3::Unit(axis));
    truss.line.push_back(i);
    if (i + 1 < count) truss.springs.push_back({i, i + 1, 1 / u, 1 / u});
    if (recipe.bending > 0 && i + 2 < count) add_bend(i, i + 1, i + 2, recipe.bending / (u * u * u), truss);
  }
  return truss;
}

}  // namespace

Truss make_truss(const TrussRecipe& recipe) {
  std::array<int, 3> n = recipe.divisions;
  for (int& k : n) k = std::max(1, k);
  Truss truss;
  switch (recipe.shape) {
    case TrussShape::plane_grid:
      truss = grid({n[0], 1, n[2]});
      break;
    case TrussShape::box_grid:
      truss = grid(n);
      break;
    case TrussShape::octahedron:
      truss = octahedron(n[0], recipe.hollow);
      break;
    case TrussShape::icosahedron:
      truss = icosahedron(n[0], recipe.hollow);
      break;
    case TrussShape::cloth:
      truss = cloth(n[0], n[2], recipe);
      break;
    case TrussShape::rope:
      truss = rope(n[0], recipe);
      break;
  }
  for (Vec3& p : truss.nodes) p = recipe.offset + recipe.size.cwiseProduct(p);
  truss.masses.assign(truss.nodes.size(), 1.0 / static_cast<double>(truss.nodes.size()));
  if (recipe.shape == TrussShape::cloth) weigh_cloth(n[0], n[2], truss);
  if (recipe.shape == TrussShape::rope) {
    truss.masses.assign(truss.nodes.size(), 1.0 / n[0]);
    truss.masses.front() = truss.masses.back() = 0.5 / n[0];
  }
  return truss;
}

}  // namespace hazumi
