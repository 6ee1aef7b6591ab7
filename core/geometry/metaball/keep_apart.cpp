#include <array>
#include <bit>
#include <cmath>

#include "core/geometry/metaball/contour.h"

namespace hazumi::metaball {

namespace {

using Written = std::array<float, 3>;

Written written(const Vec3& p) {
  // + 0: a negative zero is the same place.
  return {static_cast<float>(p.x()) + 0.0f, static_cast<float>(p.y()) + 0.0f, static_cast<float>(p.z()) + 0.0f};
}

std::size_t hash(const Written& p) {
  std::uint64_t h = 0;
  for (float x : p) h = (h ^ std::bit_cast<std::uint32_t>(x)) * 0x9e3779b97f4a7c15ull;
  return static_cast<std::size_t>(h ^ h >> 29);
}

/// The next of the places around p, `step` apart, in shells that grow.
Vec3 around(const Vec3& p, int number, double step) {
  const int shell = number / 26 + 1, i = number % 26, k = i < 13 ? i : i + 1;
  return p + step * shell * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
}

}  // namespace

void keep_apart(Surface3& surface) {
  std::size_t count = 0;
  for (const SheetVertex& v : surface.vertices) count += v.apart ? 0 : 1;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * count + 1), 0);  // number of the vertex + 1
  const std::size_t mask = table.size() - 1;
  const auto slot = [&](const Written& p) {
    std::size_t at = hash(p) & mask;
    while (table[at] != 0 && written(surface.vertices[table[at] - 1].point) != p) at = (at + 1) & mask;
    return at;
  };
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    SheetVertex& v = surface.vertices[i];
    if (v.apart) continue;
    const Vec3 start = v.point;
    const double step = 1.2e-7 * std::max(start.cwiseAbs().maxCoeff(), 1e-30);
    std::size_t at = slot(written(v.point));
    for (int number = 0; table[at] != 0; ++number) {
      v.point = around(start, number, step);
      at = slot(written(v.point));
    }
    table[at] = static_cast<std::uint32_t>(i) + 1;
  }
}

}  // namespace hazumi::metaball
