#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/sound/mix.h"
#include "core/sound/peaks.h"

namespace hazumi::sound_test {

namespace {

SoundClip tone(double frequency, double rate, double seconds) {
  SoundClip clip{rate, {}};
  for (int i = 0; i < static_cast<int>(rate * seconds); ++i) {
    const auto value = static_cast<std::int16_t>(16'000 * std::sin(2 * std::numbers::pi * frequency * i / rate));
    clip.samples.push_back({value, value});
  }
  return clip;
}

SoundClip noise(std::mt19937& random, std::size_t count) {
  std::uniform_int_distribution<int> value(-32'767, 32'767);
  SoundClip clip{44'100, {}};
  for (std::size_t i = 0; i < count; ++i)
    clip.samples.push_back({static_cast<std::int16_t>(value(random)), static_cast<std::int16_t>(value(random))});
  return clip;
}

/// Times that the left channel goes from below to above.
int rises(const std::vector<float>& stereo) {
  int count = 0;
  for (std::size_t i = 2; i < stereo.size(); i += 2) count += stereo[i - 2] < 0 && stereo[i] >= 0;
  return count;
}

std::vector<float> mixed(const std::vector<PlacedSound>& sounds, const Stretch& stretch, std::size_t samples) {
  std::vector<float> stereo(2 * samples);
  mix(sounds, stretch, stereo);
  return stereo;
}

}  // namespace

TEST_CASE("A clip at the device's rate is heard sample for sample, from its start to its end", "[sound]") {
  const SoundClip clip{48'000, {{32'767, -32'767}, {16'384, 0}, {-8'192, 4'096}}};
  const std::vector<float> heard = mixed({{&clip, 2.0 / 48'000, 0.5, false}}, {}, 7);
  const std::vector<float> expected = {0, 0, 0, 0, 32'767, -32'767, 16'384, 0, -8'192, 4'096, 0, 0, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("value " << i);
    CHECK(heard[i] == Approx(0.5F * expected[i] / 32'767).margin(1e-6));
  }
}

TEST_CASE("Speed is heard as pitch, backwards too, at any rate of the file", "[sound]") {
  for (const double rate : {8'000.0, 44'100.0, 192'000.0})
    for (const double speed : {0.25, 0.5, 1.0, 2.0, -1.0}) {
      const SoundClip clip = tone(440, rate, 4);
      const std::vector<float> heard = mixed({{&clip}}, {speed < 0 ? 2.0 : 0.5, speed, 48'000, 0}, 48'000);
      INFO("file " << rate << ", speed " << speed);
      CHECK(std::abs(rises(heard) - 440 * std::abs(speed)) <= 1);
    }
}

TEST_CASE("What is too high for the device is softened, not folded down", "[sound]") {
  const SoundClip high = tone(60'000, 192'000, 1), low = tone(1'000, 192'000, 1);
  const auto loudest = [](const SoundClip& clip) {
    const std::vector<float> heard = mixed({{&clip}}, {}, 40'000);
    return *std::max_element(heard.begin(), heard.end());
  };
  CHECK(loudest(low) > 0.48F);   // 0.488 as it is
  CHECK(loudest(high) < 0.12F);  // 0.104, the mean over four samples; single samples would leave 0.488
}

TEST_CASE("Muted, missing and empty clips are silent, loud ones are held, sums add", "[sound]") {
  const SoundClip empty, loud{48'000, std::vector<StereoSample>(100, {20'000, -20'000})};
  for (const PlacedSound& silent : {PlacedSound{&loud, 0, 1, true}, PlacedSound{}, PlacedSound{&empty}})
    CHECK(mixed({silent}, {}, 50) == std::vector<float>(100, 0.0F));
  CHECK(mixed({{&loud}}, {0, 0, 48'000, 0}, 50) == std::vector<float>(100, 0.0F));  // time stands still
  const std::vector<float> two = mixed({{&loud}, {&loud}}, {}, 50);
  CHECK(two[0] == 1.0F);
  CHECK(two[1] == -1.0F);
  CHECK(mixed({{&loud, 0, 0.5}, {&loud, 0, 0.25}}, {}, 50)[0] == Approx(0.75 * 20'000 / 32'767).epsilon(1e-6));
}

TEST_CASE("Stretches join bit for bit, wherever they are cut", "[sound]") {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  INFO("seed " << seed);
  const SoundClip clip = noise(random, 5'000);
  for (int round = 0; round < 100; ++round) {
    const double speed = std::uniform_real_distribution(-3.0, 3.0)(random);
    const double begin = std::uniform_real_distribution(-0.05, 0.15)(random);
    const std::size_t cut = std::uniform_int_distribution<std::size_t>(0, 1'000)(random);
    const std::vector<float> whole = mixed({{&clip, 0.01}}, {begin, speed, 48'000, 0}, 1'000);
    std::vector<float> parts = mixed({{&clip, 0.01}}, {begin, speed, 48'000, 0}, cut);
    const auto rest = mixed({{&clip, 0.01}}, {begin, speed, 48'000, static_cast<std::int64_t>(cut)}, 1'000 - cut);
    parts.insert(parts.end(), rest.begin(), rest.end());
    REQUIRE(parts == whole);
  }
}

TEST_CASE("A stretch that stands alone begins and ends in silence", "[sound]") {
  std::vector<float> stereo(2 * 100, 1.0F), brief(2 * 3, 1.0F);
  fade_ends(stereo, 20);
  CHECK(stereo[0] == 0);
  CHECK(stereo[199] == 0);
  CHECK(stereo[2 * 10] == 0.5F);
  CHECK(stereo[2 * 50] == 1);
  fade_ends(brief, 20);
  CHECK(brief == std::vector<float>{0, 0, 1, 1, 0, 0});
}

TEST_CASE("Peaks by level say what looking at every sample says", "[sound]") {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  INFO("seed " << seed);
  for (const std::size_t count : {0, 1, 255, 256, 4'096, 70'000}) {
    const SoundClip clip = noise(random, count);
    const SoundPeaks peaks(clip);
    for (int round = 0; round < 200; ++round) {
      const std::size_t begin = std::uniform_int_distribution<std::size_t>(0, count)(random);
      const std::size_t end = std::uniform_int_distribution<std::size_t>(begin, count + 10)(random);
      Peak expected;
      for (std::size_t i = begin; i < std::min(end, count); ++i) {
        const auto [low, high] = std::minmax(clip.samples[i][0], clip.samples[i][1]);
        expected = i == begin ? Peak{low, high} : Peak{std::min(expected.low, low), std::max(expected.high, high)};
      }
      REQUIRE(peaks.over(clip, begin, end) == expected);
    }
  }
}

TEST_CASE("Any number of channels becomes two", "[sound]") {
  const float one[] = {0.5F}, two[] = {0.5F, -0.25F}, centre[] = {0, 0, 0.5F, 0, 0, 0, 0, 0},
              side[] = {0, 0, 0, 0, 0, 0, 0, 0.5F}, bad[] = {NAN, INFINITY};
  CHECK(folded(one) == StereoSample{16'384, 16'384});
  CHECK(folded(two) == StereoSample{16'384, -8'192});
  CHECK(folded(centre) == StereoSample{11'585, 11'585});
  CHECK(folded(side) == StereoSample{0, 16'384});
  CHECK(folded(bad) == StereoSample{0, 0});
  CHECK(folded({}) == StereoSample{0, 0});
}

}  // namespace hazumi::sound_test
