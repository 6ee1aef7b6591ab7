// Metaballs to begin with, and small edits of a group that keep it valid: values in, values out.
//
// How large a single primitive is seen: on its own the surface ρ(r) = 1 of a weight w > 1 lies at
//   r = √((1 − 1/w)/3)   w < 3/2        r = 1 − √(2/(3w))   w ≥ 3/2          (inverse of ρ in group.h)
// of the effective radii; a weight of 3/2 is seen at a third. A weight ≤ 1 alone has no surface.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/geometry/metaball/group.h"

namespace hazumi {

enum class MetaballKind { ball, ellipsoid, box, cylinder, octahedron, pinched, torus };

/// r above; 0 when there is no surface. A negative weight is taken by its size: what it can carve at most.
double seen_fraction(double weight);

/// About a metre across, name set, id 0, at the origin; y is up.
MetaballPrimitive make_metaball(MetaballKind kind);
/// A group about 1.8 m high that stands on y = 0.
MetaballGroup make_figure();
/// Four legs, looks along +z, stands on y = 0.
MetaballGroup make_animal();

/// ρ of one primitive at a place of the object's frame (negative weights: negative). 0 outside the effective radii.
double density(const MetaballPrimitive& primitive, const Vec3& place);
/// Half extents along x, y, z of the box around the effective radii.
Vec3 effective_extent(const MetaballPrimitive& primitive);
/// Closed line of `pieces` points in the primitive's own frame, on the section through its centre: across axis 0, 1 or 2,
/// where r = `fraction`. A torus: the outer line of that section (around its axis), or of both rings, one after the other.
std::vector<std::vector<Vec3>> section_lines(const MetaballPrimitive& primitive, int across, double fraction,
                                             int pieces);

/// "Ball 2": a name that no primitive of the group has.
std::string unique_primitive_name(const MetaballGroup& group, const std::string& wanted);
const MetaballPrimitive* find_primitive(const MetaballGroup& group, std::uint32_t id);
MetaballPrimitive* find_primitive(MetaballGroup& group, std::uint32_t id);
/// Mirrored across the plane of the object's frame that is normal to `axis` and goes through the origin.
MetaballPrimitive mirrored(const MetaballPrimitive& primitive, int axis);

}  // namespace hazumi
