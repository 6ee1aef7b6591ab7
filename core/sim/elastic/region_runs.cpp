#include "core/sim/elastic/region_runs.h"

#include <numeric>
#include <utility>

namespace hazumi::shape_matching {

namespace {

constexpr double kWorthIt = 0.7;  // of what there is to add up without

RegionRuns numbers_alone(const RegionLists& lists, std::size_t numbers) {
  RegionRuns made;
  made.start.resize(numbers + 1);
  made.member.resize(numbers);
  std::iota(made.start.begin(), made.start.end(), 0u);
  std::iota(made.member.begin(), made.member.end(), 0u);
  made.list_start.assign(lists.start.begin(), lists.start.end());
  made.run.assign(lists.members.begin(), lists.members.begin() + lists.start.back());
  return made;
}

}  // namespace

RegionRuns common_runs(const RegionLists& lists, std::size_t numbers) {
  RegionRuns made;
  made.alone = false;
  made.start.assign(1, 0);
  made.list_start.assign(1, 0);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> known(
      numbers);  // by their first: behind the last, run
  for (std::size_t i = 0; i < lists.count(); ++i) {
    for (std::uint32_t k = lists.start[i]; k < lists.start[i + 1];) {
      const std::uint32_t first = lists.members[k];
      std::uint32_t behind = first + 1;
      for (++k; k < lists.start[i + 1] && lists.members[k] == behind; ++k) ++behind;
      std::uint32_t run = static_cast<std::uint32_t>(made.count());
      for (const auto& [end, number] : known[first])
        if (end == behind) run = number;
      if (run == made.count()) {
        known[first].emplace_back(behind, run);
        for (std::uint32_t j = first; j < behind; ++j) made.member.push_back(j);
        made.start.push_back(static_cast<std::uint32_t>(made.member.size()));
      }
      made.run.push_back(run);
    }
    made.list_start.push_back(static_cast<std::uint32_t>(made.run.size()));
  }
  const double with = static_cast<double>(made.member.size() + made.run.size());
  return with < kWorthIt * static_cast<double>(lists.start.back()) ? made : numbers_alone(lists, numbers);
}

}  // namespace hazumi::shape_matching
