#include "core/sim/elastic/vibration.h"

#include <cmath>
#include <limits>

#include "core/math/types.h"

namespace hazumi {

Vibration make_vibration(const ModeValues& mode) {
  Vibration v;
  v.lambda = mode.lambda;
  v.gamma = mode.gamma;
  const double omega = std::sqrt(mode.lambda);
  v.damping_ratio = mode.gamma / (2 * omega);
  if (v.damping_ratio < 1) {
    const double damped = omega * std::sqrt(1 - v.damping_ratio * v.damping_ratio);
    v.frequency = damped / (2 * kPi);
    v.period = 1 / v.frequency;
    v.half_time = mode.gamma > 0 ? std::log(2.0) / (mode.gamma / 2) : std::numeric_limits<double>::infinity();
    return v;
  }
  // Creep: halving time of the displacement itself, by bisection (it falls monotonously).
  double low = 0, high = 1 / omega;
  while (v.displacement(high) > 0.5) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (v.displacement(middle) > 0.5 ? low : high) = middle;
  }
  v.half_time = high;
  return v;
}

double Vibration::displacement(double time) const {
  const double omega = std::sqrt(lambda), half = gamma / 2;
  const double root = half * half - lambda;
  if (damping_ratio < 1) {
    const double damped = std::sqrt(-root);
    return std::exp(-half * time) * (std::cos(damped * time) + half / damped * std::sin(damped * time));
  }
  if (damping_ratio < 1 + 1e-6) return std::exp(-omega * time) * (1 + omega * time);
  const double r = std::sqrt(root), slow = lambda / (half + r), fast = half + r;
  return (fast * std::exp(-slow * time) - slow * std::exp(-fast * time)) / (fast - slow);
}

double Vibration::envelope(double time) const {
  if (damping_ratio >= 1) return displacement(time);
  return std::exp(-gamma / 2 * time) / std::sqrt(1 - damping_ratio * damping_ratio);
}

}  // namespace hazumi
