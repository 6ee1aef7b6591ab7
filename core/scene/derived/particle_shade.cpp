#include "core/scene/derived/particle_shade.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"

namespace hazumi {

namespace {

enum ShadePurpose : std::uint64_t { kBrightness = 0x6c6f6f6b, kHue };

}  // namespace

float particle_look(Id source, std::uint64_t number, std::uint64_t purpose) {
  return static_cast<float>(random_unit(0, source, number, purpose));
}

ParticleShade particle_shade(const ParticleSource& s, std::uint64_t number, float age, float size) {
  ParticleShade shade;
  age = std::clamp(age, 0.0f, 1.0f);
  Vec3f colour = (s.colour + static_cast<double>(age) * (s.end_colour - s.colour)).cast<float>();
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
  shade.size = size * (1 + age * static_cast<float>(s.growth - 1));
  return shade;
}

}  // namespace hazumi
