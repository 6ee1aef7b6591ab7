#include "core/sim/contact/hertz.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/math/types.h"

namespace hazumi {

HertzCurvature sphere_on_plane(double radius) { return {0.5 / radius, 0.5 / radius}; }

HertzCurvature sphere_on_sphere(double radius_1, double radius_2) {
  const double a = 0.5 / radius_1 + 0.5 / radius_2;
  return {a, a};
}

HertzCurvature crossed_cylinders(double radius_1, double radius_2) {
  const double a = 0.5 / radius_1, b = 0.5 / radius_2;
  return {std::min(a, b), std::max(a, b)};
}

HertzCurvature sphere_on_cylinder(double sphere_radius, double cylinder_radius) {
  return {0.5 / sphere_radius, 0.5 * (1.0 / sphere_radius + 1.0 / cylinder_radius)};
}

double hertz_q(double ratio) {
  static constexpr double kRatio[] = {0.00765, 0.0311, 0.0718, 0.1325, 0.2174, 0.3333, 0.4903, 0.7041, 1.0};
  static constexpr double kQ[] = {1.1450, 0.6662, 0.5132, 0.4300, 0.3819, 0.3505, 0.3322, 0.3215, 0.3180};
  constexpr int n = static_cast<int>(std::size(kRatio));
  if (ratio > 1.0) ratio = 1.0 / ratio;
  if (!(ratio > kRatio[0])) return kQ[0];
  int i = 1;
  while (i < n - 1 && ratio > kRatio[i]) ++i;
  const double t = std::log(ratio / kRatio[i - 1]) / std::log(kRatio[i] / kRatio[i - 1]);
  return kQ[i - 1] + t * (kQ[i] - kQ[i - 1]);
}

double hertz_delta(double young, double poisson) { return (1.0 - poisson * poisson) / (kPi * young); }

double hertz_stiffness(double delta_1, double delta_2, const HertzCurvature& c) {
  return 4.0 / 3.0 * hertz_q(c.a / c.b) / ((delta_1 + delta_2) * std::sqrt(c.a + c.b));
}

namespace {
constexpr double kSpeedOfSine = 1.068;  // π α_m/(T_max v₀)
}  // namespace

double hertz_squash(double speed, double duration) { return kSpeedOfSine * speed * duration / kPi; }

HertzPulse hertz_pulse(double n1, double stiffness, double speed, double restitution) {
  HertzPulse p;
  p.approach = std::pow(1.25 * speed * speed / (n1 * stiffness), 0.4);
  p.duration = kPi * p.approach / (kSpeedOfSine * speed);
  p.impulse = (1.0 + restitution) * speed / n1;
  p.peak = 0.5 * kPi * p.impulse / p.duration;
  p.physical_peak = 1.25 * speed * speed / (n1 * p.approach);
  return p;
}

// ½ (cos a − cos b) = sin((a + b)/2) sin((b − a)/2): no cancellation when the interval is short.
double pulse_impulse(double impulse, double duration, double from, double to) {
  from = std::clamp(from, 0.0, duration);
  to = std::clamp(to, from, duration);
  const double a = kPi * from / duration, b = kPi * to / duration;
  return impulse * std::sin(0.5 * (a + b)) * std::sin(0.5 * (b - a));
}

double pulse_centroid(double duration, double from, double to) {
  from = std::clamp(from, 0.0, duration);
  to = std::clamp(to, from, duration);
  const double a = kPi * from / duration, b = kPi * to / duration;
  if (b - a < 1e-4) return 0.5 * (from + to);
  const auto first = [](double x) { return std::sin(x) - x * std::cos(x); };  // ∫ x sin x dx
  const double t = (first(b) - first(a)) / (std::cos(a) - std::cos(b)) * duration / kPi;
  return std::clamp(t, from, to);
}

}  // namespace hazumi
