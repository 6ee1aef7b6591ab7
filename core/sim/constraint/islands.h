// Islands: rows that share no body that can move do not know of each other. Each is solved by itself, and the bits of one do not
// depend on others.
#pragma once

#include <span>
#include <vector>

#include "core/sim/constraint/row.h"

namespace hazumi {

struct IslandRange {
  std::size_t begin = 0, end = 0;  ///< of the rows
};

/// Sorts rows by island (that of the lowest body first) and within an island by key.
std::vector<IslandRange> sort_into_islands(std::span<const BodyMotion> motions, const Linkages& linkages,
                                           std::vector<Row>& rows);

}  // namespace hazumi
