// Meshes that cloths are made of in tests: irregular triangles, open, with holes, closed.
#pragma once

#include <cmath>
#include <random>
#include <set>

#include "core/geometry/mesh/mesh.h"

namespace hazumi::test {

struct SheetDraw {
  std::mt19937_64 source;
  double operator()(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
  }
  int count(int low, int high) { return low + static_cast<int>((*this)(0, high - low + 0.999)); }
};

/// `length` along x, `width` along z, in y = 0 about the origin: columns × rows of two triangles each, either way; corners inside
/// `shift` of a square away from where they would be.
inline DisplayMesh irregular_sheet(double length, double width, int columns, int rows, double shift, SheetDraw& in) {
  DisplayMesh mesh;
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (columns + 1) + i); };
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i) {
      const double x = i + (i > 0 && i < columns ? shift * in(-1, 1) : 0),
                   z = j + (j > 0 && j < rows ? shift * in(-1, 1) : 0);
      mesh.positions.emplace_back(length * (x / columns - 0.5), 0, width * (z / rows - 0.5));
    }
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const auto a = at(i, j), b = at(i, j + 1), c = at(i + 1, j + 1), d = at(i + 1, j);
      if (in(0, 1) < 0.5) {
        mesh.faces.push_back({a, b, d});
        mesh.faces.push_back({b, c, d});
      } else {
        mesh.faces.push_back({a, b, c});
        mesh.faces.push_back({a, c, d});
      }
    }
  mesh.normals.assign(mesh.positions.size(), Vec3(0, 1, 0));
  mesh.parts.push_back({"sheet", 0, static_cast<std::uint32_t>(mesh.faces.size())});
  return mesh;
}

inline void keep_faces(DisplayMesh& mesh, auto keep) {
  std::erase_if(mesh.faces, [&](const auto& f) {
    return !keep(Vec3((mesh.positions[f[0]] + mesh.positions[f[1]] + mesh.positions[f[2]]) / 3));
  });
  mesh.parts[0].face_count = static_cast<std::uint32_t>(mesh.faces.size());
}

/// An irregular_sheet of so many columns rolled up to a skirt about y, open above and below; its ends are at the same places.
inline DisplayMesh rolled(DisplayMesh mesh, int columns, double top, double bottom, double height) {
  Vec3 low = mesh.positions[0], high = low;
  for (const Vec3& p : mesh.positions) low = low.cwiseMin(p), high = high.cwiseMax(p);
  for (Vec3& p : mesh.positions) {
    const Vec3 part = (p - low).cwiseQuotient((high - low) + Vec3(0, 1, 0));
    const double angle = 2 * kPi * part.x(), radius = top + (bottom - top) * part.z();
    p = Vec3(radius * std::cos(angle), height * (0.5 - part.z()), radius * std::sin(angle));
  }
  const auto row = static_cast<std::size_t>(columns) + 1;
  for (std::size_t end = row - 1; end < mesh.positions.size(); end += row)
    mesh.positions[end] = mesh.positions[end + 1 - row];
  return mesh;
}

}  // namespace hazumi::test
