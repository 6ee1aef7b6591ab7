#include "core/scene/derived/particle_shade.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace hazumi {

namespace {

enum ShadePurpose : std::uint64_t { kBrightness = 0x6c6f6f6b, kHue };
enum CopyPurpose : std::uint64_t { kCopyTurn = 0x636f7079, kCopyHeight, kCopyRound, kCopySpin };

/// Values at 0, `middle` and 1 over a life: cubics without overshoot (Fritsch & Carlson 1980, with Fritsch & Butland's mean
/// of slopes at the middle and straight ends).
double over_life(double age, double middle, double a, double m, double b) {
  const double first = (m - a) / middle, last = (b - m) / (1 - middle);
  const double slope = first * last > 0 ? 3 / ((2 - middle) / first + (1 + middle) / last) : 0;
  const bool early = age < middle;
  const double span = early ? middle : 1 - middle, t = (age - (early ? 0 : middle)) / span;
  const double from = early ? a : m, to = early ? m : b;
  const double out = span * (early ? first : slope), in = span * (early ? slope : last);
  return from + t * (out + t * (3 * (to - from) - 2 * out - in + t * (out + in - 2 * (to - from))));
}

}  // namespace

float particle_look(Id source, std::uint64_t number, std::uint64_t purpose) {
  return static_cast<float>(random_unit(0, source, number, purpose));
}

Eigen::AngleAxisf copy_turn(const ParticleSource& source, std::uint64_t number, float seconds) {
  const auto look = [&](std::uint64_t purpose) { return particle_look(source.id, number, purpose); };
  const float z = 2 * look(kCopyHeight) - 1, flat = std::sqrt(std::max(0.0f, 1 - z * z)),
              round = 6.2831853f * look(kCopyRound);
  const float angle =
      6.2831853f * look(kCopyTurn) + static_cast<float>(source.spin) * (2 * look(kCopySpin) - 1) * seconds;
  return {angle, Vec3f(flat * std::cos(round), z, flat * std::sin(round))};
}

ParticleShade particle_shade(const ParticleSource& s, std::uint64_t number, float age, float size) {
  ParticleShade shade;
  age = std::clamp(age, 0.0f, 1.0f);
  Vec3f colour;
  double growth = 1 + age * (s.growth - 1);
  if (s.bends) {
    for (int k = 0; k < 3; ++k)
      colour[k] = static_cast<float>(over_life(age, s.middle, s.colour[k], s.middle_colour[k], s.end_colour[k]));
    growth = over_life(age, s.middle, 1, s.middle_growth, s.growth);
  } else {
    colour = (s.colour + static_cast<double>(age) * (s.end_colour - s.colour)).cast<float>();
  }
  if (s.hue_spread > 0) {
    // Turned about the line of greys.
    const float angle = 3.1415927f * static_cast<float>(s.hue_spread) * (2 * particle_look(s.id, number, kHue) - 1);
    colour = Eigen::AngleAxisf(angle, Vec3f::Constant(0.57735027f)) * colour;
  }
  if (s.colour_spread > 0)
    colour *= 1 + static_cast<float>(s.colour_spread) * (2 * particle_look(s.id, number, kBrightness) - 1);
  shade.colour = colour.cwiseMax(0.0f).cwiseMin(1.0f);
  double opacity = s.opacity;
  if (age < s.fade_in) opacity *= age / s.fade_in;
  if (1 - age < s.fade_out) opacity *= (1 - age) / s.fade_out;
  shade.opacity = static_cast<float>(opacity);
  shade.size = size * static_cast<float>(growth);
  return shade;
}

}  // namespace hazumi
