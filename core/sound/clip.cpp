#include "core/sound/clip.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr float kHalf = 0.70710678F;  // of what goes to both sides, so that it is as loud as before

std::int16_t rounded(float value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * 32767.0F));
}

}  // namespace

StereoSample folded(std::span<const float> channels) {
  const auto value = [&](std::size_t i) { return std::isfinite(channels[i]) ? channels[i] : 0.0F; };
  if (channels.empty()) return {0, 0};
  if (channels.size() == 1) return {rounded(value(0)), rounded(value(0))};
  const bool centre = channels.size() >= 6;
  float left = 0, right = 0;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const bool both = (centre && (i == 2 || i == 3)) || (i + 1 == channels.size() && i % 2 == 0);
    if (both || i % 2 == 0) left += both ? kHalf * value(i) : value(i);
    if (both || i % 2 == 1) right += both ? kHalf * value(i) : value(i);
  }
  return {rounded(left), rounded(right)};
}

}  // namespace hazumi
