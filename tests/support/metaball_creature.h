// A four-legged creature of 100 metaballs in their own colours, each of which blends with a few others: what dragging one
// metaball of many is measured and tested on.
#pragma once

#include <cmath>

#include "core/geometry/metaball/group.h"

namespace hazumi::test {

namespace creature {

inline MetaballPrimitive& add(MetaballGroup& group, const Vec3& centre, const Vec3& radii) {
  MetaballPrimitive p;
  p.id = static_cast<std::uint32_t>(group.primitives.size() + 1);
  p.name = "Metaball " + std::to_string(p.id);
  p.centre = centre;
  p.radii = radii;
  p.weight = 2;
  const double hue = 0.37 * p.id;
  p.surface.diffuse = Vec3(0.5 + 0.4 * std::cos(hue), 0.5 + 0.4 * std::cos(hue + 2.1), 0.5 + 0.4 * std::cos(hue + 4.2));
  p.surface.ambient = 0.3 * p.surface.diffuse;
  group.primitives.push_back(p);
  return group.primitives.back();
}

/// `count` metaballs from a to b that get smaller.
inline void limb(MetaballGroup& group, int count, const Vec3& a, const Vec3& b, double first, double last) {
  for (int i = 0; i < count; ++i) {
    const double t = (i + 0.5) / count, radius = first + (last - first) * t;
    MetaballPrimitive& p = add(group, a + (b - a) * t, Vec3(0.9, 1, 1.15) * radius);
    p.rotation = Quat(Eigen::AngleAxisd(0.3 * i, Vec3(0.2, 1, 0.1).normalized()));
  }
}

}  // namespace creature

/// About 4 m long, stands on y = 0, looks along +z. Nostrils carve, ears are rings, toes and humps are boxy.
inline MetaballGroup creature_of_metaballs() {
  using namespace creature;
  MetaballGroup group;
  group.own_colours = true;
  limb(group, 14, Vec3(0, 1.5, -1.6), Vec3(0, 1.6, 1.4), 0.55, 0.6);  // 14: trunk
  for (int i = 0; i < 6; ++i)
    add(group, Vec3(0, 1.85, -1.2 + 0.45 * i), Vec3(0.2, 0.3, 0.2)).round_xz = 0.3;  // 20: humps
  limb(group, 14, Vec3(0, 1.6, -1.7), Vec3(0, 2.2, -3.2), 0.35, 0.16);               // 34: tail
  limb(group, 6, Vec3(0, 1.7, 1.4), Vec3(0, 2.6, 2.0), 0.45, 0.4);                   // 40: neck
  for (int leg = 0; leg < 4; ++leg) {                                                // 92: legs and toes
    const double x = leg % 2 ? 0.35 : -0.35, z = leg / 2 ? 1.1 : -1.3;
    limb(group, 10, Vec3(x, 1.4, z), Vec3(1.2 * x, 0.15, z), 0.4, 0.28);
    for (int toe = 0; toe < 3; ++toe)
      add(group, Vec3(1.2 * x + 0.1 * (toe - 1), 0.1, z + 0.17), Vec3(0.16, 0.14, 0.3)).round_xy = 0.4;
  }
  add(group, Vec3(0, 2.75, 2.1), Vec3(0.6, 0.6, 0.7));    // head
  add(group, Vec3(0, 2.65, 2.45), Vec3(0.4, 0.35, 0.5));  // 94: snout
  for (int side : {-1, 1}) {                              // 100: eyes, nostrils, ears
    add(group, Vec3(0.17 * side, 2.88, 2.33), Vec3(0.15, 0.15, 0.15)).weight = 3;
    add(group, Vec3(0.08 * side, 2.7, 2.66), Vec3(0.1, 0.1, 0.1)).weight = -2;
    MetaballPrimitive& ear = add(group, Vec3(0.25 * side, 3.05, 2.0), Vec3(0.25, 0.35, 0.12));
    ear.shape = MetaballShape::torus;
  }
  return group;
}

}  // namespace hazumi::test
