// Pinned nodes of a body, and the motions of the whole that they leave (spec 1.7).
//
//   none    no pins                                  six motions
//   point   one pin (or several at one place)        three turns about it
//   line    pins on a line                           one turn about the line
//   held    pins that span a plane                   none
//
// A pinned body keeps its frame's origin in the first pin instead of the centre of mass. Then pinned nodes
// have no displacement (d = 0) and the turns that are left do not move them, so they stay where they are by
// construction, not by a correction.
#pragma once

#include <cstdint>
#include <span>

#include "core/math/types.h"

namespace hazumi {

enum class PinKind { none, point, line, held };

struct PinFrame {
  PinKind kind = PinKind::none;
  Vec3 origin = Vec3::Zero();  ///< the first pin, m
  Vec3 axis = Vec3::UnitX();   ///< of the line, unit
};

/// Pins that lie off a line by less than 1e-9 of their distance count as on it.
PinFrame pin_frame(std::span<const Vec3> nodes, std::span<const std::uint32_t> pinned);

}  // namespace hazumi
