#include <cmath>

#include "core/geometry/metaball/contour.h"

namespace hazumi::metaball {

void centre(Surface3& surface) {
  constexpr double kSmooth = 0.7;  // cosine of the normals of two ends
  struct Sum {
    double shift = 0, area = 0;
  };
  std::vector<Sum> sums(surface.vertices.size());
  for (const auto& f : surface.faces) {
    const SheetVertex* v[3] = {&surface.vertices[f[0]], &surface.vertices[f[1]], &surface.vertices[f[2]]};
    double rise = 0;
    for (int k = 0; k < 3; ++k) {
      const SheetVertex &a = *v[k], &b = *v[(k + 1) % 3];
      if (a.sharp || b.sharp || !a.proved || !b.proved || a.normal.dot(b.normal) < kSmooth) continue;
      rise += (b.point - a.point).dot(b.normal - a.normal);
    }
    const double area = (v[1]->point - v[0]->point).cross(v[2]->point - v[0]->point).norm();
    for (std::uint32_t i : f) {
      sums[i].shift += area * rise / 24;
      sums[i].area += area;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    SheetVertex& v = surface.vertices[i];
    if (!v.sharp && v.proved && sums[i].area > 0) v.point += v.normal * (sums[i].shift / sums[i].area);
  }
}

}  // namespace hazumi::metaball
