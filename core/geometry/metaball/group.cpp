#include "core/geometry/metaball/group.h"

#include <algorithm>

#include "core/base/hash.h"

namespace hazumi {

bool operator==(const MetaballPrimitive& a, const MetaballPrimitive& b) {
  return a.id == b.id && a.name == b.name && a.visible == b.visible && a.shape == b.shape && a.centre == b.centre &&
         a.rotation.coeffs() == b.rotation.coeffs() && a.radii == b.radii && a.round_xz == b.round_xz &&
         a.round_xy == b.round_xy && a.tube == b.tube && a.weight == b.weight && a.bone == b.bone &&
         a.preset == b.preset && a.surface == b.surface && a.kept == b.kept;
}

bool operator==(const MetaballGroup& a, const MetaballGroup& b) {
  return a.primitives == b.primitives && a.final_tolerance == b.final_tolerance &&
         a.preview_tolerance == b.preview_tolerance && a.moving == b.moving && a.own_colours == b.own_colours;
}

std::uint64_t shape_hash(const MetaballGroup& group) {
  Hasher hasher;
  hasher.add(group.final_tolerance);
  for (const MetaballPrimitive& p : group.primitives) {
    if (!p.visible) continue;
    hasher.add(static_cast<int>(p.shape));
    for (double x : p.centre) hasher.add(x);
    for (double x : p.rotation.coeffs()) hasher.add(x);
    for (double x : p.radii) hasher.add(x);
    hasher.add(p.round_xz).add(p.round_xy).add(p.weight);
    if (p.shape == MetaballShape::torus) hasher.add(p.tube);
  }
  return hasher.value();
}

void leave_bone(MetaballGroup& group, std::uint32_t bone) {
  for (MetaballPrimitive& p : group.primitives)
    if (p.bone == bone) p.bone = 0;
}

std::uint32_t next_primitive_id(const MetaballGroup& group) {
  std::uint32_t largest = 0;
  for (const MetaballPrimitive& p : group.primitives) largest = std::max(largest, p.id);
  return largest + 1;
}

}  // namespace hazumi
