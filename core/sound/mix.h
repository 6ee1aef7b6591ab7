// What is heard of a scene: a pure function of the sounds, where they lie in time, and the moments that are asked for. Whoever has a
// device, or plays one in a test, asks for stretch after stretch; stretches of one beginning join bit for bit.
//
// Sample i of a stretch is heard at t = begin + i * speed / rate: twice the speed is an octave higher, a negative speed is heard
// backwards. A clip is read between its samples in a straight line; where several of them fall into one step, as their mean, so
// that what is too high for the device is softened rather than folded down.
#pragma once

#include <cstdint>
#include <span>

#include "core/sound/clip.h"

namespace hazumi {

struct PlacedSound {
  const SoundClip* clip = nullptr;  ///< null: not decoded yet, or not to be had: silence
  double start = 0;                 ///< s, of the scene
  double gain = 1;                  ///< factor on the pressure
  bool muted = false;
};

struct Stretch {
  double begin = 0;        ///< s, of the scene, where playing began
  double speed = 1;        ///< s of the scene in a second
  double rate = 48'000;    ///< 1/s, of the device
  std::int64_t first = 0;  ///< sample since the beginning
};

/// Fills left, right, left, … ; the sum of all sounds, held within -1…1.
void mix(std::span<const PlacedSound> sounds, const Stretch& stretch, std::span<float> stereo);

/// Lets a stretch that stands alone, as the frame under the play head, begin and end in silence, over `samples` or half of it.
void fade_ends(std::span<float> stereo, std::size_t samples);

}  // namespace hazumi
