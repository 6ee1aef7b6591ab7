#include "core/math/catenary.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr double kBeside = 1e-3;  // of the length
constexpr double kTaut = 1e-9;
constexpr int kCatenaryHalvings = 100;

}  // namespace

std::vector<Vec2> catenary(double across, double rise, double length, int parts) {
  const double wide = std::max(across, kBeside * length);
  const double ratio = std::sqrt(std::max(length * length - rise * rise, 0.0)) / wide;
  std::vector<Vec2> out;
  if (ratio > 1 + kTaut) {
    double low = 0, high = 20;  // x = wide/2a: sinh(x)/x grows, beyond a thousand before 10
    for (int k = 0; k < kCatenaryHalvings; ++k) {
      const double x = 0.5 * (low + high);
      (std::sinh(x) / x < ratio ? low : high) = x;
    }
    const double a = 0.5 * wide / high, x0 = 0.5 * wide - a * std::asinh(0.5 * rise / (a * std::sinh(high)));
    const double begin = std::sinh(-x0 / a), level = a * std::cosh(x0 / a);
    for (int k = 0; k <= parts; ++k) {
      const double x = x0 + a * std::asinh(length * k / (parts * a) + begin);
      out.emplace_back(x, a * std::cosh((x - x0) / a) - level);
    }
  } else {
    for (int k = 0; k <= parts; ++k) out.emplace_back(wide * k / parts, rise * k / parts);
  }
  const Vec2 off = Vec2(across, rise) - out.back();
  for (int k = 0; k <= parts; ++k) out[static_cast<std::size_t>(k)] += off * k / parts;
  return out;
}

}  // namespace hazumi
