#include <catch2/catch.hpp>
#include <cmath>

#include "core/math/types.h"
#include "core/sim/contact/hertz.h"

namespace hertz_test {

using namespace hazumi;

TEST_CASE("q_k is the table and between its entries lies between them", "[hertz]") {
  CHECK(hertz_q(1.0) == Approx(0.318));
  CHECK(hertz_q(0.4903) == Approx(0.3322));
  CHECK(hertz_q(0.0311) == Approx(0.6662));
  CHECK(hertz_q(0.00765) == Approx(1.145));
  for (double a = 0.008; a < 0.99; a *= 1.07) {
    CHECK(hertz_q(a) > hertz_q(std::min(1.0, a * 1.07)));
    CHECK(hertz_q(1 / a) == Approx(hertz_q(a)));
  }
}

TEST_CASE("curvatures of the four pairs of shapes", "[hertz]") {
  CHECK(sphere_on_plane(0.5).a == Approx(1.0));
  CHECK(sphere_on_plane(0.5).b == Approx(1.0));
  CHECK(sphere_on_sphere(0.5, 0.25).a == Approx(3.0));
  CHECK(sphere_on_sphere(0.5, 1e12).a == Approx(sphere_on_plane(0.5).a));
  CHECK(crossed_cylinders(1.0, 0.5).a == Approx(0.5));
  CHECK(crossed_cylinders(1.0, 0.5).b == Approx(1.0));
  CHECK(sphere_on_cylinder(0.5, 2.0).a == Approx(1.0));
  CHECK(sphere_on_cylinder(0.5, 2.0).b == Approx(1.25));
}

TEST_CASE("a steel ball on steel against the closed form", "[hertz]") {
  // R = 1 cm, E = 2.1e11, σ = 0.3, ρ = 7850, v0 = 1 m/s on an immovable half space. Timoshenko's T = 2.87 (m²/(R E*² v))^(1/5)
  // with E* = E/(2(1 − σ²)), and peak from ½ m v² = 2/5 K α^(5/2), K = 4/3 E* √R.
  const double radius = 0.01, young = 2.1e11, mass = 7850 * 4.0 / 3.0 * kPi * 1e-6;
  const double delta = hertz_delta(young, 0.3);
  const HertzPulse p = hertz_pulse(1 / mass, hertz_stiffness(delta, delta, sphere_on_plane(radius)), 1.0, 1.0);
  const double modulus = young / (2 * (1 - 0.09));
  const double approach = std::pow(1.25 * mass / (4.0 / 3.0 * modulus * std::sqrt(radius)), 0.4);
  CHECK(p.approach == Approx(approach).epsilon(1e-3));  // 0.318 for 1/π
  CHECK(p.duration == Approx(2.87 * std::pow(mass * mass / (radius * modulus * modulus), 0.2)).epsilon(2e-3));
  CHECK(p.physical_peak == Approx(4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(approach, 1.5)).epsilon(1e-3));
  CHECK(p.impulse == Approx(2 * mass));
  // The thesis's own fit delivers 2.135 v0/n1: this pulse must not.
  CHECK(p.peak * p.duration * 2 / kPi == Approx(2 * mass).epsilon(1e-12));
}

TEST_CASE("pulse integrals add up, at any cut", "[hertz]") {
  const double impulse = 3, duration = 0.02;
  for (double h : {1.0 / 60, 1.0 / 240, 1.0 / 2000, 3e-6}) {
    double sum = 0, moment = 0;
    for (int k = 0; k * h < duration; ++k) {
      const double part = pulse_impulse(impulse, duration, k * h, (k + 1) * h);
      CHECK(part >= 0);
      sum += part;
      moment += part * pulse_centroid(duration, k * h, (k + 1) * h);
    }
    CHECK(std::abs(sum / impulse - 1) < 1e-12);
    CHECK(moment / sum == Approx(duration / 2).epsilon(1e-9));
  }
  CHECK(pulse_impulse(impulse, 1e-6, 0, 0.1) == Approx(impulse));
  CHECK(pulse_impulse(impulse, duration, 0.03, 0.04) == 0);
  CHECK(pulse_centroid(duration, 0, duration) == Approx(duration / 2));
}

TEST_CASE("the three ratios of the thesis, in closed form", "[hertz]") {
  const auto pulse = [](double mass_1, double mass_2, double young_1, double young_2, double radius) {
    const double n1 = 1 / mass_1 + (mass_2 > 0 ? 1 / mass_2 : 0);
    return hertz_pulse(
        n1, hertz_stiffness(hertz_delta(young_1, 0.3), hertz_delta(young_2, 0.3), sphere_on_plane(radius)), 3, 0.6);
  };
  const HertzPulse soft = pulse(1, 0, 1e6, 1e8, 0.5), hard = pulse(1, 0, 1e8, 1e8, 0.5);
  CHECK(hard.peak / soft.peak == Approx(4.80).epsilon(4e-4));
  CHECK(hard.duration / soft.duration == Approx(0.208).epsilon(2e-3));
  const HertzPulse small = pulse(1, 0, 1e6, 1e8, 0.5), large = pulse(8, 0, 1e6, 1e8, 1.0);
  CHECK(large.peak / small.peak == Approx(4).epsilon(1e-9));
  CHECK(large.duration / small.duration == Approx(2).epsilon(1e-9));
  const HertzPulse light = pulse(1, 1, 1e6, 1e6, 0.5), heavy = pulse(10, 1, 1e7, 1e6, 0.5);
  CHECK(heavy.peak / light.peak == Approx(1.818).epsilon(3e-4));
  CHECK(heavy.duration / light.duration == Approx(1).epsilon(1e-9));
}

}  // namespace hertz_test
