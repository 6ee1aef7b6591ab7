// The highest and lowest values of a clip by level, for drawing its waveform at any zoom: a level has one entry for kFinest samples, the
// next for kFactor times as many. A stretch is put together from the largest entries within it, so that an hour in a pixel costs
// no more than a second, and the answer is that of looking at every sample.
#pragma once

#include <cstddef>
#include <vector>

#include "core/sound/clip.h"

namespace hazumi {

struct Peak {
  std::int16_t low = 0, high = 0;  ///< of both channels
  friend bool operator==(const Peak&, const Peak&) = default;
};

class SoundPeaks {
 public:
  static constexpr std::size_t kFinest = 256, kFactor = 4;

  explicit SoundPeaks(const SoundClip& clip);
  /// Over samples begin ≤ i < end of the clip that it was made of; beyond its ends there is nothing, of nothing: silence.
  Peak over(const SoundClip& clip, std::size_t begin, std::size_t end) const;

 private:
  std::vector<std::vector<Peak>> levels_;  ///< whole entries only
};

}  // namespace hazumi
