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
/// `joined`: the number of the linkage of each body, below 0: none; empty: there are none. Bodies of one linkage are in one island.
std::vector<IslandRange> sort_into_islands(std::span<const BodyMotion> motions, std::vector<Row>& rows,
                                           std::span<const std::int32_t> joined = {});

}  // namespace hazumi
