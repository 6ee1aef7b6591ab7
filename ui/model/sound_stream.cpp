#include "ui/model/sound_stream.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {
constexpr double kNoTime = 1e-7;  // of a step
}  // namespace

void SoundStream::fill(std::span<const PlacedSound> sounds, std::int64_t first, std::span<float> stereo) const {
  const double step = frame_rate * speed / rate;  // of the way, in a sample
  const int there = way.length() + 1;             // steps from the beginning of the first frame to the end of the last
  const bool once = way.ending == Ending::once;
  for (std::size_t done = 0; done < stereo.size();) {
    const double steps = start + static_cast<double>(first + static_cast<std::int64_t>(done / 2)) * step;
    // A turn is where it is in real numbers, whatever rounding says: a ten-millionth of a step is none.
    const double at = once ? steps : std::fmod(steps + kNoTime, way.lap()) - kNoTime;
    const std::span<float> rest = stereo.subspan(done);
    if (once && at + kNoTime >= there) {
      std::ranges::fill(rest, 0.0F);
      return;
    }
    const bool back = at + kNoTime >= there;
    const double turn = back || once ? std::max(way.lap(), there) : std::min(way.lap(), there);
    const auto samples = static_cast<std::size_t>(std::clamp(std::ceil((turn - at - kNoTime) / step), 1.0, 1e9));
    const std::span<float> piece = rest.first(std::min(rest.size(), 2 * samples));
    Stretch stretch;
    stretch.begin = (way.range.first + (back ? way.lap() + 1 - at : at)) / frame_rate;
    stretch.speed = back ? -speed : speed;
    stretch.rate = rate;
    mix(sounds, stretch, piece);
    done += piece.size();
  }
}

}  // namespace hazumi
