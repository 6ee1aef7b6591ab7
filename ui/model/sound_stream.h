// What a device gets while the motion plays: the sounds of the scene along the way of the play head, around every loop and back.
// A pure function, asked for stretch after stretch by the device's thread.
//
// Position p in steps of the way at sample n of the device: p = start + n / rate * frame_rate * speed. Frame f is seen from
// f / frame_rate for 1 / frame_rate, so a lap goes one step beyond its last frame. On the way back what was heard comes backwards.
#pragma once

#include <cstdint>
#include <span>

#include "core/sound/mix.h"
#include "ui/model/play_way.h"

namespace hazumi {

struct SoundStream {
  PlayWay way;
  double frame_rate = 60;  ///< 1/s
  double speed = 1;        ///< at another one the pitch is another too
  double start = 0;        ///< steps, where playing began
  double rate = 48'000;    ///< 1/s, of the device

  double steps_at(double seconds) const { return start + seconds * frame_rate * speed; }
  /// left, right, left, … from sample `first` on.
  void fill(std::span<const PlacedSound> sounds, std::int64_t first, std::span<float> stereo) const;
};

}  // namespace hazumi
