// A decoded sound, as the mixer and the waveform read it: two channels of 16 bits at a rate that is heard, whatever the file has. An
// hour at 48 kHz takes 690 MB so; as floats of eight channels at 192 kHz it would take 22 GB.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hazumi {

using StereoSample = std::array<std::int16_t, 2>;  // left, right

struct SoundClip {
  double rate = 48'000;  ///< 1/s
  std::vector<StereoSample> samples;

  double seconds() const { return static_cast<double>(samples.size()) / rate; }
};

/// One moment of a file with any number of channels, -1…1 each: one channel is heard on both sides; of more than two, even ones are
/// left and odd ones right, as front, rear and side pairs are ordered; the third and fourth of six or more are centre and bass, and
/// go to both. What is no number is silence.
StereoSample folded(std::span<const float> channels);

}  // namespace hazumi
