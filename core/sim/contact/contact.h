// One place where two bodies touch at the end of a sub-step, or touched on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/short_list.h"
#include "core/math/types.h"
#include "core/sim/contact/anchor.h"
#include "core/sim/contact/key.h"

namespace hazumi {

inline constexpr double kSlop = 5e-5;  ///< Contact::slop as a part of the size of the smaller body
inline constexpr double kKeep = 1e-3;  ///< gap, as a part of that size, up to which a resting contact is not forgotten
/// Cosine: by how much the surface under what rolls turns at most in a sub-step, to count as one that curves on.
inline constexpr double kCurves = 0.9;

/// How what rolls or slides was in touch at the start of a sub-step, with a surface that curves on from there to where it is now.
struct ContactStart {
  Vec3 normal = Vec3::Zero();  ///< world, unit, from b to a
  double gap = 0;              ///< m, negative: overlap
};

struct Contact {
  std::uint32_t body_a = 0, body_b = 0;  ///< numbers in Model::bodies, a < b
  std::uint64_t feature = 0;       ///< which vertex, node or corner; the same one has the same number a step later
  Vec3 point = Vec3::Zero();       ///< world, m, at the end of the sub-step
  Vec3 normal = Vec3::Zero();      ///< world, unit, from b to a
  double gap = 0;                  ///< m along the normal at the end of the sub-step, negative: overlap
  ShortList<ContactStart> starts;  ///< of balls: near an edge they touch two faces
  double slop = 0;                 ///< m, overlap that is left alone so that resting contacts stay closed
  std::uint64_t parts = 0;         ///< which parts of the two bodies touch, of bodies in several (elastic/body_parts.h)
  ContactAnchor a, b;
};

/// In touch. Places with a wider gap (up to kKeep) are listed too, only for what rested there in the step before.
inline bool touches(const Contact& c) { return c.gap <= c.slop; }

inline ContactKey contact_key(const Contact& c) { return {bodies_key(c.body_a, c.body_b), c.feature}; }

}  // namespace hazumi
