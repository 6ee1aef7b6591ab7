// Growth and colour over a particle's life.
#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "core/scene/derived/particle_shade.h"

using namespace hazumi;

namespace particle_shade_test {

TEST_CASE("Over its life a particle goes through what it is at the middle, without overshoot and without a kink",
          "[particles]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 dice(seed);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1.0p-64 * static_cast<double>(dice());
    };
    ParticleSource s;
    s.bends = true;
    s.fade_in = s.fade_out = 0;
    s.middle = in(0.01, 0.99);
    s.middle_growth = in(0, 10);
    s.growth = in(0, 10);
    for (int k = 0; k < 3; ++k) {
      s.colour[k] = in(0, 1);
      s.middle_colour[k] = in(0, 1);
      s.end_colour[k] = in(0, 1);
    }
    INFO("seed " << seed << ", middle " << s.middle);
    const auto at = [&](double age) { return particle_shade(s, 1, static_cast<float>(age), 1); };
    CHECK((at(0).colour.cast<double>() - s.colour).norm() < 1e-5);
    CHECK((at(1).colour.cast<double>() - s.end_colour).norm() < 1e-5);
    CHECK((at(s.middle).colour.cast<double>() - s.middle_colour).norm() < 1e-4);
    CHECK(at(0).size == Approx(1).margin(1e-5));
    CHECK(at(1).size == Approx(s.growth).margin(1e-5));
    CHECK(at(s.middle).size == Approx(s.middle_growth).margin(1e-4));
    float last = at(0).size;
    for (int i = 1; i <= 100; ++i) {
      const double age = 0.01 * i;
      const float size = at(age).size;
      const bool early = age <= s.middle, straddles = age - 0.01 < s.middle && !early;
      const double way = early ? s.middle_growth - 1 : s.growth - s.middle_growth;
      if (!straddles) CHECK((size - last) * way >= -1e-5);
      last = size;
    }
    // The slope at the middle is the same from both sides.
    const double step = 1e-3 * std::min(s.middle, 1 - s.middle);
    const double before = (at(s.middle).size - at(s.middle - step).size) / step,
                 after = (at(s.middle + step).size - at(s.middle).size) / step;
    const double steep =
        std::abs(s.middle_growth - 1) / s.middle + std::abs(s.growth - s.middle_growth) / (1 - s.middle);
    CHECK(std::abs(after - before) < 0.02 * steep + 2e-6 / step);
  }
}

TEST_CASE("Without a middle a particle goes straight from birth to end", "[particles]") {
  ParticleSource s;
  s.growth = 3;
  s.colour = Vec3(1, 0, 0);
  s.end_colour = Vec3(0, 0, 1);
  s.middle_colour = Vec3(0, 1, 0);
  CHECK(particle_shade(s, 1, 0.25f, 2).size == Approx(3));
  CHECK((particle_shade(s, 1, 0.25f, 2).colour - Vec3f(0.75f, 0, 0.25f)).norm() < 1e-6f);
}

}  // namespace particle_shade_test
