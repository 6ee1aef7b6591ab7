// The way of the play head through a range of frames: once, again and again, or back and forth. Steps are counted from the first
// frame on; of them and of frames only, so that the clock, reading ahead and the tests ask the same.
#pragma once

#include <algorithm>
#include <optional>

namespace hazumi {

/// Of what plays, when it comes to the end of the range.
enum class Ending { once, loop, back_and_forth };

/// Frames, both included.
struct PlayRange {
  int first = 0, last = 0;
  bool operator==(const PlayRange&) const = default;
};

struct PlayWay {
  PlayRange range;
  Ending ending = Ending::loop;

  int length() const { return range.last - range.first; }  ///< steps from the first to the last frame
  /// Steps after which it goes on as from the first frame. Back and forth neither end is shown twice in a row.
  int lap() const { return ending == Ending::back_and_forth ? std::max(1, 2 * length()) : length() + 1; }

  int frame_at(int step) const {
    if (ending == Ending::once) return range.first + std::clamp(step, 0, length());
    step %= lap();
    return range.first + (step <= length() ? step : lap() - step);
  }
  /// Less than a lap. `back`: on the way from the last to the first.
  int step_of(int frame, bool back) const {
    const int step = std::clamp(frame, range.first, range.last) - range.first;
    return back && ending == Ending::back_and_forth ? (lap() - step) % lap() : step;
  }
};

/// What of `part` is in `whole`; nothing of it, or no part: the whole.
inline PlayRange part_of_range(const std::optional<PlayRange>& part, const PlayRange& whole) {
  if (!part || part->first > whole.last || part->last < whole.first) return whole;
  return {std::max(part->first, whole.first), std::min(part->last, whole.last)};
}

}  // namespace hazumi
