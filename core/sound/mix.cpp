#include "core/sound/mix.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr double kUnit = 1.0 / 32767;

/// `channel` at a place between samples; silence beyond both ends.
double value_at(const SoundClip& clip, double place, std::size_t channel) {
  const double below = std::floor(place);
  const auto at = [&](double i) {
    return i >= 0 && i < static_cast<double>(clip.samples.size()) ? clip.samples[static_cast<std::size_t>(i)][channel]
                                                                  : 0;
  };
  return at(below) + (place - below) * (at(below + 1) - at(below));
}

/// Mean over the samples within half a step of a place.
double mean_about(const SoundClip& clip, double place, double step, std::size_t channel) {
  const double from = std::max(std::ceil(place - step / 2), 0.0);
  const double to = std::min(std::ceil(place + step / 2), static_cast<double>(clip.samples.size()));
  double sum = 0;
  for (double i = from; i < to; ++i) sum += clip.samples[static_cast<std::size_t>(i)][channel];
  return sum / step;
}

void add(const PlacedSound& sound, const Stretch& stretch, std::span<float> stereo) {
  const SoundClip& clip = *sound.clip;
  const double step = std::abs(stretch.speed) * clip.rate / stretch.rate;
  for (std::size_t i = 0; i < stereo.size() / 2; ++i) {
    const double heard = static_cast<double>(stretch.first + static_cast<std::int64_t>(i)) / stretch.rate;
    const double place = (stretch.begin + heard * stretch.speed - sound.start) * clip.rate;
    if (place < -1 - step || place > static_cast<double>(clip.samples.size()) + step) continue;
    for (std::size_t channel = 0; channel < 2; ++channel) {
      const double value = step > 1 ? mean_about(clip, place, step, channel) : value_at(clip, place, channel);
      stereo[2 * i + channel] += static_cast<float>(sound.gain * kUnit * value);
    }
  }
}

}  // namespace

void mix(std::span<const PlacedSound> sounds, const Stretch& stretch, std::span<float> stereo) {
  std::ranges::fill(stereo, 0.0F);
  if (stretch.speed == 0) return;  // a time that stands still is silent
  for (const PlacedSound& sound : sounds)
    if (sound.clip != nullptr && !sound.muted) add(sound, stretch, stereo);
  for (float& value : stereo) value = std::clamp(value, -1.0F, 1.0F);
}

void fade_ends(std::span<float> stereo, std::size_t samples) {
  const std::size_t count = stereo.size() / 2;
  const std::size_t length = std::min(samples, count / 2);
  for (std::size_t i = 0; i < length; ++i) {
    const float factor = static_cast<float>(i) / static_cast<float>(length);
    for (std::size_t channel = 0; channel < 2; ++channel) {
      stereo[2 * i + channel] *= factor;
      stereo[2 * (count - 1 - i) + channel] *= factor;
    }
  }
}

}  // namespace hazumi
