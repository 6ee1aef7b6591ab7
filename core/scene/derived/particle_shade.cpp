#include "core/scene/derived/particle_shade.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/random.h"
#include "core/scene/derived/life_curve.h"
#include "core/scene/values/lists.h"

namespace hazumi {

namespace {

enum ShadePurpose : std::uint64_t { kBrightness = 0x6c6f6f6b, kHue };
enum CopyPurpose : std::uint64_t { kCopyTurn = 0x636f7079, kCopyHeight, kCopyRound, kCopySpin };

/// From `first` at birth through the keys to `last` at the end; `value` of a key.
template <class Key, class Value>
double over_life(double age, double first, const std::vector<Key>& keys, double last, const Value& value) {
  if (keys.empty()) return first + age * (last - first);
  std::array<LifeKnot, lists::kMostLifeKeys + 2> knots;
  const std::size_t count = std::min(keys.size(), lists::kMostLifeKeys);
  knots[0] = {0, first};
  for (std::size_t i = 0; i < count; ++i) knots[i + 1] = {keys[i].age, value(keys[i])};
  knots[count + 1] = {1, last};
  return through({knots.data(), count + 2}, age);
}

/// Through the keys alone; none: 1.
template <class Key, class Value>
double by_keys(double age, const std::vector<Key>& keys, const Value& value) {
  if (keys.empty()) return 1;
  std::array<LifeKnot, lists::kMostLifeKeys> knots;
  const std::size_t count = std::min(keys.size(), lists::kMostLifeKeys);
  for (std::size_t i = 0; i < count; ++i) knots[i] = {keys[i].age, value(keys[i])};
  return through({knots.data(), count}, age);
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

double size_over_life(const ParticleSource& s, double age) {
  return over_life(age, 1, s.size_keys, s.growth, [](const LifeSize& key) { return key.size; });
}

Vec3 colour_over_life(const ParticleSource& s, double age) {
  Vec3 colour;
  for (Eigen::Index k = 0; k < 3; ++k)
    colour[k] = over_life(age, s.colour[k], s.colour_keys, s.end_colour[k],
                          [k](const LifeColour& key) { return key.colour[k]; });
  return colour;
}

double opacity_over_life(const ParticleSource& s, double age) {
  return by_keys(age, s.opacity_keys, [](const LifeOpacity& key) { return key.opacity; });
}

double speed_over_life(const ParticleSource& s, double age) {
  return by_keys(age, s.speed_keys, [](const LifeSpeed& key) { return key.speed; });
}

double drag_over_life(const ParticleSource& s, double age) {
  return by_keys(age, s.drag_keys, [](const LifeDrag& key) { return key.drag; });
}

ParticleShade particle_shade(const ParticleSource& s, std::uint64_t number, float age, float size) {
  ParticleShade shade;
  age = std::clamp(age, 0.0f, 1.0f);
  Vec3f colour = colour_over_life(s, age).cast<float>();
  const double growth = size_over_life(s, age);
  if (s.hue_spread > 0) {
    // Turned about the line of greys.
    const float angle = 3.1415927f * static_cast<float>(s.hue_spread) * (2 * particle_look(s.id, number, kHue) - 1);
    colour = Eigen::AngleAxisf(angle, Vec3f::Constant(0.57735027f)) * colour;
  }
  if (s.colour_spread > 0)
    colour *= 1 + static_cast<float>(s.colour_spread) * (2 * particle_look(s.id, number, kBrightness) - 1);
  shade.colour = colour.cwiseMax(0.0f).cwiseMin(1.0f);
  double opacity = s.opacity * opacity_over_life(s, age);
  if (age < s.fade_in) opacity *= age / s.fade_in;
  if (1 - age < s.fade_out) opacity *= (1 - age) / s.fade_out;
  shade.opacity = static_cast<float>(opacity);
  shade.size = size * static_cast<float>(growth);
  return shade;
}

}  // namespace hazumi
