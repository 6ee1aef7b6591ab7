#include "core/sim/fields/immersed.h"

#include <algorithm>

namespace hazumi {

Immersed immersed(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> faces,
                  const Vec3& place, const Vec3& up) {
  Immersed sum;
  const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {  // from the place
    const double volume = a.dot(b.cross(c)) / 6;
    sum.volume += volume;
    sum.moment += volume * (place + 0.25 * (a + b + c));
  };
  for (const auto& face : faces) {
    std::array<Vec3, 4> below;
    std::size_t count = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 from = vertices[face[static_cast<std::size_t>(k)]] - place;
      const Vec3 to = vertices[face[static_cast<std::size_t>((k + 1) % 3)]] - place;
      const double height = from.dot(up), next = to.dot(up);
      if (height <= 0) below[count++] = from;
      if ((height <= 0) != (next <= 0)) below[count++] = from + height / (height - next) * (to - from);
    }
    for (std::size_t k = 2; k < count; ++k) add(below[0], below[k - 1], below[k]);
  }
  return sum;
}

double immersed_part_of_ball(double radius, double depth) {
  const double x = std::clamp(0.5 * (depth / radius + 1), 0.0, 1.0);  // depth of the cap by the diameter
  return x * x * (3 - 2 * x);
}

}  // namespace hazumi
