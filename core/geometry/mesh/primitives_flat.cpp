// Shapes with flat sides: wedge and rounded box.
#include <vector>

#include "core/geometry/mesh/primitive_builder.h"

namespace hazumi::primitive {

DisplayMesh wedge(const Primitive& p) {
  Builder b;
  const int nx = std::max(1, p.divisions[0]), m = std::max({1, p.divisions[1], p.divisions[2]});
  // Every vertex lies on one lattice, so that edges close bit by bit. Section across x: the triangle z index + y index ≤ m,
  // its right angle below at the back.
  const auto coordinate = [&](int axis, int k, int n) { return p.size[axis] * (static_cast<double>(k) / n - 0.5); };
  const auto point = [&](int x, int y, int z) {
    return Vec3(coordinate(0, x, nx), coordinate(1, y, m), coordinate(2, z, m));
  };
  // A sheet over x and one edge of the triangle, from its point 0 to its point m.
  const auto sheet = [&](const auto& y_of, const auto& z_of, const Vec3& normal) {
    const auto first = static_cast<Index>(b.mesh.positions.size());
    for (int k = 0; k <= m; ++k)
      for (int x = 0; x <= nx; ++x) b.vertex(point(x, y_of(k), z_of(k)), normal);
    const auto at = [&](int x, int k) { return first + static_cast<Index>(k * (nx + 1) + x); };
    for (int k = 0; k < m; ++k)
      for (int x = 0; x < nx; ++x) b.quad(at(x, k), at(x + 1, k), at(x + 1, k + 1), at(x, k + 1));
  };
  const auto up = [](int k) { return k; };
  const auto down = [m](int k) { return m - k; };
  const auto zero = [](int) { return 0; };
  sheet(zero, up, Vec3(0, -1, 0));                   // bottom, to the front
  sheet(up, down, Vec3(0, p.size.z(), p.size.y()));  // slope, to the top
  sheet(down, zero, Vec3(0, 0, -1));                 // back, to the bottom
  for (const int side : {0, nx}) {
    const auto first = static_cast<Index>(b.mesh.positions.size());
    std::vector<Index> row_start;
    Index next = first;
    for (int y = 0; y <= m; ++y) {
      row_start.push_back(next);
      for (int z = 0; z + y <= m; ++z, ++next) b.vertex(point(side, y, z), Vec3(side == 0 ? -1 : 1, 0, 0));
    }
    const auto at = [&](int y, int z) { return row_start[static_cast<std::size_t>(y)] + static_cast<Index>(z); };
    const auto turned = [&](Index i, Index j, Index k) { side == 0 ? b.triangle(i, j, k) : b.triangle(i, k, j); };
    for (int y = 0; y < m; ++y)
      for (int z = 0; z + y < m; ++z) {
        turned(at(y, z), at(y, z + 1), at(y + 1, z));
        if (z + y + 1 < m) turned(at(y, z + 1), at(y + 1, z + 1), at(y + 1, z));
      }
  }
  return b.finish("wedge");
}

DisplayMesh rounded_box(const Primitive& p) {
  constexpr int kBend = 3;  // pieces of a rounding on each side of its middle
  Builder b;
  const Vec3 half = 0.5 * p.size;
  const double radius = p.ratio * half.minCoeff();
  const Vec3 inner = half - Vec3::Constant(radius);
  // Along an axis: the bend, straight, the bend. In the bend the offset r tan t gives equal angles between neighbours.
  const auto coordinates = [&](int axis) {
    std::vector<double> along;
    const int n = std::max(1, p.divisions[static_cast<std::size_t>(axis)]);
    for (int k = kBend; k > 0; --k)
      along.push_back(k == kBend ? half[axis] : inner[axis] + radius * std::tan(0.25 * kPi * k / kBend));
    for (double& c : along) c = -c;
    for (int k = 0; k <= n; ++k)
      along.push_back(k == 0 ? -inner[axis] : k == n ? inner[axis] : inner[axis] * (2.0 * k / n - 1));
    for (int k = kBend - 1; k >= 0; --k) along.push_back(-along[static_cast<std::size_t>(k)]);
    return along;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const std::vector<double> us = coordinates(u), vs = coordinates(v);
    for (const int side : {-1, 1}) {
      const auto first = static_cast<Index>(b.mesh.positions.size());
      for (const double cv : vs)
        for (const double cu : us) {
          Vec3 on_box;
          on_box[axis] = side * half[axis];
          on_box[u] = cu;
          on_box[v] = cv;
          const Vec3 core = on_box.cwiseMax(-inner).cwiseMin(inner), out = (on_box - core).normalized();
          b.vertex(core + radius * out, out);
        }
      const auto width = static_cast<Index>(us.size());
      const auto at = [&](Index i, Index j) { return first + j * width + i; };
      for (Index j = 0; j + 1 < vs.size(); ++j)
        for (Index i = 0; i + 1 < width; ++i)
          side > 0 ? b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
                   : b.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  return b.finish("rounded box");
}

}  // namespace hazumi::primitive
