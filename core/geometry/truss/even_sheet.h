// A surface of fewer triangles that are about as large everywhere: what a cloth folds by (docs/numerics/cloth.md).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct EvenSheet {
  std::vector<Vec3> positions;
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< at most two at an edge, in opposite directions
};

/// Collapses edges of `sheet`, the shortest first, until at most `nodes` positions are left or none can go without a fold or a hole that
/// closes: borders, holes and handles stay. A collapsed edge becomes its middle or an end, whichever is nearest to the faces and borders
/// that were there (Garland, Heckbert 1997). False: called off.
bool make_even(EvenSheet& sheet, std::size_t nodes, const std::atomic<bool>* cancelled);

}  // namespace hazumi
