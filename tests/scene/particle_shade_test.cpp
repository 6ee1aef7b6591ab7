// Growth and colour over a particle's life.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "core/scene/derived/particle_shade.h"
#include "core/scene/file/scene_io.h"
#include "core/scene/file/scene_read.h"
#include "core/scene/values/lists.h"

using namespace hazumi;

namespace particle_shade_test {

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : dice_(seed) {}
  double in(double low, double high) { return low + (high - low) * 0x1.0p-64 * static_cast<double>(dice_()); }

 private:
  std::mt19937_64 dice_;
};

/// Up to 64 keys over the life, of each sort.
ParticleSource random_life(std::uint64_t seed) {
  Draw draw(seed);
  ParticleSource s;
  s.fade_in = s.fade_out = 0;
  s.growth = draw.in(0, 10);
  for (int k = 0; k < 3; ++k) {
    s.colour[k] = draw.in(0, 1);
    s.end_colour[k] = draw.in(0, 1);
  }
  const auto ages = [&] {
    std::vector<double> all;
    for (int k = static_cast<int>(draw.in(0, seed % 10 == 0 ? 64.9 : 6.9)); k > 0; --k)
      all.push_back(draw.in(0.001, 0.999));
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const double age : ages()) s.size_keys.push_back({age, draw.in(0, 10)});
  for (const double age : ages()) s.colour_keys.push_back({age, Vec3(draw.in(0, 1), draw.in(0, 1), draw.in(0, 1))});
  for (const double age : ages()) s.opacity_keys.push_back({age, draw.in(0, 1)});
  return s;
}

/// It goes through the knots, from each to the next one without turning, and with the same slope on both sides of those in between.
void check_curve(const std::vector<std::pair<double, double>>& knots, const std::function<double(double)>& at) {
  for (const auto& [age, value] : knots) CHECK(at(age) == Approx(value).margin(1e-9));
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    const auto [from, a] = knots[k];
    const auto [to, b] = knots[k + 1];
    double last = a;
    for (int i = 1; i <= 20; ++i) {
      const double value = at(from + (to - from) * i / 20);
      CHECK((value - last) * (b - a) >= -1e-12);
      last = value;
    }
    if (k == 0) continue;
    const double step = 1e-6 * std::min(to - from, from - knots[k - 1].first);
    const double before = (at(from) - at(from - step)) / step, after = (at(from + step) - at(from)) / step;
    const double steep =
        std::abs((b - a) / (to - from)) + std::abs((a - knots[k - 1].second) / (from - knots[k - 1].first));
    CHECK(std::abs(after - before) < 1e-4 * steep + 1e-9 / step);
  }
}

}  // namespace

namespace {

void check_lives(std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    const ParticleSource s = random_life(seed);
    std::vector<std::pair<double, double>> knots = {{0, 1}};
    for (const LifeSize& key : s.size_keys) knots.emplace_back(key.age, key.size);
    knots.emplace_back(1, s.growth);
    if (!s.size_keys.empty()) check_curve(knots, [&](double age) { return size_over_life(s, age); });
    for (int k = 0; k < 3; ++k) {
      knots = {{0, s.colour[k]}};
      for (const LifeColour& key : s.colour_keys) knots.emplace_back(key.age, key.colour[k]);
      knots.emplace_back(1, s.end_colour[k]);
      if (!s.colour_keys.empty()) check_curve(knots, [&](double age) { return colour_over_life(s, age)[k]; });
    }
    knots.clear();
    for (const LifeOpacity& key : s.opacity_keys) knots.emplace_back(key.age, key.opacity);
    if (knots.empty()) {
      CHECK(opacity_over_life(s, 0.4) == 1);
    } else {
      check_curve(knots, [&](double age) { return opacity_over_life(s, age); });
      CHECK(opacity_over_life(s, 0) == knots.front().second);
      CHECK(opacity_over_life(s, 1) == knots.back().second);
    }
    const ParticleShade shade = particle_shade(s, 1, 0.37f, 2);
    CHECK(shade.size == Approx(2 * size_over_life(s, 0.37f)));
    CHECK(shade.opacity == Approx(opacity_over_life(s, 0.37f)));
    CHECK((shade.colour.cast<double>() - colour_over_life(s, 0.37f)).norm() < 1e-6);
  }
}

}  // namespace

TEST_CASE("Over its life a particle goes through all of its keys, without overshoot and without a kink",
          "[particles]") {
  check_lives(0, 200);
}

TEST_CASE("20,000 random lives of particles", "[.long]") { check_lives(1000, 20000); }

TEST_CASE("A source of an earlier version with a middle has a key there, and looks the same to the bit",
          "[particles][files]") {
  // The curve of that version.
  const auto over_life = [](double age, double middle, double a, double m, double b) {
    const double first = (m - a) / middle, last = (b - m) / (1 - middle);
    const double slope = first * last > 0 ? 3 / ((2 - middle) / first + (1 + middle) / last) : 0;
    const bool early = age < middle;
    const double span = early ? middle : 1 - middle, t = (age - (early ? 0 : middle)) / span;
    const double from = early ? a : m, to = early ? m : b;
    const double out = span * (early ? first : slope), in = span * (early ? slope : last);
    return from + t * (out + t * (3 * (to - from) - 2 * out - in + t * (out + in - 2 * (to - from))));
  };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    const double middle = draw.in(0.01, 0.99), middle_growth = draw.in(0, 10), growth = draw.in(0, 10);
    const Vec3 colour(draw.in(0, 1), draw.in(0, 1), draw.in(0, 1)), there(draw.in(0, 1), draw.in(0, 1), draw.in(0, 1)),
        end(draw.in(0, 1), draw.in(0, 1), draw.in(0, 1));
    const auto text = [](const Vec3& v) { return nlohmann::json({v.x(), v.y(), v.z()}).dump(); };
    const auto number = [](double x) { return nlohmann::json(x).dump(); };
    const std::string file = R"({"format": "hazumi scene", "version": )" + std::to_string(kSceneVersion) +
                             R"(, "particles": [{"id": 1, "name": "Old", "middle_colour": )" + text(there) +
                             R"(, "bends": true, "growth": )" + number(growth) + R"(, "middle": )" + number(middle) +
                             R"(, "middle_growth": )" + number(middle_growth) + R"(, "colour": )" + text(colour) +
                             R"(, "end_colour": )" + text(end) + R"(, "fade_in": 0, "fade_out": 0}]})";
    const Result<Scene> read = read_scene(file);
    REQUIRE(read.ok());
    CHECK(read.diagnostics().empty());
    const ParticleSource& s = *read->particles[0];
    REQUIRE(s.size_keys.size() == 1);
    REQUIRE(s.colour_keys.size() == 1);
    for (int k = 0; k <= 100; ++k) {
      const float age = 0.01f * static_cast<float>(k);
      const ParticleShade shade = particle_shade(s, 1, age, 1);
      CHECK(shade.size == static_cast<float>(over_life(age, middle, 1, middle_growth, growth)));
      for (int c = 0; c < 3; ++c)
        CHECK(shade.colour[c] ==
              std::clamp(static_cast<float>(over_life(age, middle, colour[c], there[c], end[c])), 0.0f, 1.0f));
    }
    // Saved as keys, read the same.
    const Result<Scene> again = read_scene(scene_to_text(*read));
    REQUIRE(again.ok());
    CHECK(same_lists(*again->particles[0], s));
    CHECK(scene_to_text(*read).find("bends") == std::string::npos);
  }
  const Result<Scene> straight =
      read_scene(R"({"format": "hazumi scene", "version": )" + std::to_string(kSceneVersion) +
                 R"(, "particles": [{"id": 1, "name": "Old", "middle_growth": 4}]})");
  REQUIRE(straight.ok());
  CHECK(straight->particles[0]->size_keys.empty());
  const Result<Scene> wrong = read_scene(R"({"format": "hazumi scene", "version": )" + std::to_string(kSceneVersion) +
                                         R"(, "particles": [{"id": 1, "name": "Old", "middle": 4}]})");
  CHECK_FALSE(wrong.ok());
}

TEST_CASE("Keys over the life that are out of order, or out of it, are told of", "[particles][files]") {
  const auto read = [](const std::string& keys) {
    return read_scene(R"({"format": "hazumi scene", "version": )" + std::to_string(kSceneVersion) +
                      R"(, "particles": [{"id": 1, "name": "Puffs", )" + keys + "}]}");
  };
  CHECK(read(R"("size_keys": [[0.2, 3], [0.5, 2]], "opacity_keys": [[0, 1], [1, 0.5]])").ok());
  const auto message = [&](const std::string& keys) {
    const Result<Scene> scene = read(keys);
    return scene.ok() ? std::string() : to_string(scene.error());
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has(message(R"("size_keys": [[0.5, 3], [0.5, 2]])"), "ascending order of age"));
  CHECK(has(message(R"("colour_keys": [[0.5, 1, 0, 0], [0.2, 1, 0, 0]])"), "colour_keys[1]"));
  CHECK(has(message(R"("size_keys": [[1, 3]])"), "Age must be"));
  CHECK(has(message(R"("opacity_keys": [[0.3, 1.5]])"), "Opacity must be"));
  std::string many;
  for (int k = 0; k < 65; ++k) many += (k > 0 ? ", [" : "[") + std::to_string(0.01 + 0.01 * k) + ", 1]";
  CHECK(has(message("\"size_keys\": [" + many + "]"), "at most 64"));
}

TEST_CASE("Without keys a particle goes straight from birth to end", "[particles]") {
  ParticleSource s;
  s.growth = 3;
  s.colour = Vec3(1, 0, 0);
  s.end_colour = Vec3(0, 0, 1);
  CHECK(particle_shade(s, 1, 0.25f, 2).size == Approx(3));
  CHECK((particle_shade(s, 1, 0.25f, 2).colour - Vec3f(0.75f, 0, 0.25f)).norm() < 1e-6f);
}

}  // namespace particle_shade_test
