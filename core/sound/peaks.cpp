#include "core/sound/peaks.h"

#include <algorithm>
#include <limits>

namespace hazumi {

namespace {

using Limits = std::numeric_limits<std::int16_t>;
constexpr Peak kNothing{Limits::max(), Limits::min()};

void join(Peak& peak, const Peak& other) {
  peak.low = std::min(peak.low, other.low);
  peak.high = std::max(peak.high, other.high);
}

void join(Peak& peak, const StereoSample& sample) {
  const auto [low, high] = std::minmax(sample[0], sample[1]);
  join(peak, Peak{low, high});
}

}  // namespace

SoundPeaks::SoundPeaks(const SoundClip& clip) {
  std::vector<Peak> level(clip.samples.size() / kFinest, kNothing);
  for (std::size_t i = 0; i < level.size() * kFinest; ++i) join(level[i / kFinest], clip.samples[i]);
  while (!level.empty()) {
    std::vector<Peak> next(level.size() / kFactor, kNothing);
    for (std::size_t i = 0; i < next.size() * kFactor; ++i) join(next[i / kFactor], level[i]);
    levels_.push_back(std::move(level));
    level = std::move(next);
  }
}

Peak SoundPeaks::over(const SoundClip& clip, std::size_t begin, std::size_t end) const {
  end = std::min(end, clip.samples.size());
  if (begin >= end) return {};
  Peak peak = kNothing;
  for (std::size_t i = begin; i < end;) {
    // The largest entry that begins here and ends in the stretch.
    std::size_t size = 1, level = 0;
    for (std::size_t larger = kFinest; level < levels_.size(); larger *= kFactor, ++level) {
      if (i % larger != 0 || i + larger > end || i / larger >= levels_[level].size()) break;
      size = larger;
    }
    if (level == 0)
      join(peak, clip.samples[i]);
    else
      join(peak, levels_[level - 1][i / size]);
    i += size;
  }
  return peak;
}

}  // namespace hazumi
