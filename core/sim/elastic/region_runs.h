// Lists of numbers that have stretches in common, as regions of a grid have (27 nodes in nine rows of three, each row in nine regions): what is added up
// over the lists is added up over the stretches first, once each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/elastic/region_turns.h"

namespace hazumi::shape_matching {

struct RegionRuns {
  std::vector<std::uint32_t> start, member;    ///< of a run, consecutive numbers
  std::vector<std::uint32_t> list_start, run;  ///< of a list, its runs
  bool alone = true;                           ///< every number is a run of its own, the i-th of i

  std::size_t count() const { return start.size() - 1; }
  RegionLists runs() const { return {start, member}; }
  RegionLists lists() const { return {list_start, run}; }
};

/// Of ascending lists of numbers below `numbers`; of what has little in common each number alone.
RegionRuns common_runs(const RegionLists& lists, std::size_t numbers);

}  // namespace hazumi::shape_matching
