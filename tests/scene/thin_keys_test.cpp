// Few keys of many (core/scene/derived/thin_keys.h).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/thin_keys.h"
#include "core/scene/derived/tracks.h"
#include "tests/scene/random_scene.h"
#include "tests/support/sanitized.h"

namespace thin_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Key key_at(double time, const std::array<double, 4>& value) {
  Key key;
  key.time = time;
  key.value = value;
  return key;
}

Track recorded(int frames, const std::function<std::array<double, 4>(double)>& value) {
  Track track;
  for (int f = 0; f <= frames; ++f) track.keys.push_back(key_at(f / 60.0, value(f / 60.0)));
  return track;
}

std::vector<double> times_of(const Track& track) {
  std::vector<double> times;
  for (const Key& key : track.keys) times.push_back(key.time);
  return times;
}

double apart(FieldType type, const std::array<double, 4>& a, const std::array<double, 4>& b) {
  if (type == FieldType::rotation) return Quat(a[0], a[1], a[2], a[3]).angularDistance(Quat(b[0], b[1], b[2], b[3]));
  return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2) +
                   std::pow(a[3] - b[3], 2));
}

/// A hand's way: sums of a few waves; now and then a rest, a jump, or what steps.
Track random_track(Dice& dice, FieldType type) {
  Track track;
  double frequency[4][2], amount[4][2];
  for (int c = 0; c < 4; ++c)
    for (int w = 0; w < 2; ++w) {
      frequency[c][w] = 1 + 8 * dice.unit();
      amount[c][w] = dice.unit() - 0.5;
    }
  double time = -1 + dice.unit();
  const auto keys = 3 + dice.below(60);
  std::array<double, 4> value = {};
  for (std::int64_t k = 0; k < keys; ++k, time += dice.below(5) == 0 ? 0.2 * dice.unit() + 1e-3 : 1 / 60.0) {
    if (dice.below(8) != 0 && type != FieldType::boolean)
      for (std::size_t c = 0; c < 4; ++c)
        value[c] = amount[c][0] * std::sin(frequency[c][0] * time) + amount[c][1] * std::cos(frequency[c][1] * time);
    if (type == FieldType::boolean) value = {dice.below(4) == 0 ? 1.0 : 0.0, 0, 0, 0};
    if (type == FieldType::number) value[1] = value[2] = value[3] = 0;
    if (type == FieldType::vector) value[3] = 0;
    Key key = key_at(time, value);
    if (type == FieldType::rotation) {
      const Quat turn = exp_rotation(3 * Vec3(value[0], value[1], value[2]));
      key.value = {turn.w(), turn.x(), turn.y(), turn.z()};
    }
    if (dice.below(6) == 0) key.shape = static_cast<KeyShape>(dice.below(3));
    if (dice.below(6) == 0) key.tangent = static_cast<KeyTangent>(dice.below(4));
    for (std::size_t c = 0; c < 3; ++c) {
      key.in[c] = dice.unit() - 0.5;
      key.out[c] = dice.unit() - 0.5;
    }
    if (dice.below(9) == 0) key.reach_in = dice.unit();
    track.keys.push_back(key);
  }
  track.before = static_cast<Beyond>(dice.below(4));
  track.after = static_cast<Beyond>(dice.below(4));
  return track;
}

}  // namespace

TEST_CASE("Thinned: rest, line and wave", "[thin_keys]") {
  const auto keys = [](const std::function<std::array<double, 4>(double)>& value) {
    const Track track = recorded(240, value);
    return thinned(track, FieldType::vector, times_of(track), {0.01, 1 / 60.0});
  };
  CHECK(keys([](double) { return std::array<double, 4>{1, 2, 3}; }).track.keys.size() == 2);
  // Automatic slopes are 0 at both ends: a bend there.
  CHECK(keys([](double t) { return std::array<double, 4>{t, -2 * t, 0}; }).track.keys.size() <= 4);
  const ThinnedTrack wave = keys([](double t) { return std::array<double, 4>{t, std::sin(2 * kPi * t), 0}; });
  CHECK(wave.gone + wave.track.keys.size() == 241);
  CHECK(wave.track.keys.size() <= 20);  // 17 of four waves
  CHECK(wave.off <= 0.01 * std::sqrt(4.0 * 4 + 2 * 2));
  CHECK(wave.off > 1e-4);
}

TEST_CASE("Thinned: fewer than three in a row stay", "[thin_keys]") {
  const Track track = recorded(9, [](double) { return std::array<double, 4>{}; });
  const std::vector<double> pairs = {track.keys[0].time, track.keys[1].time, track.keys[3].time, track.keys[4].time,
                                     track.keys[9].time};
  const ThinnedTrack same = thinned(track, FieldType::number, pairs, {});
  CHECK(same.gone == 0);
  CHECK(same.track.keys.size() == 10);
  const std::vector<double> row = {track.keys[3].time, track.keys[4].time, track.keys[5].time, track.keys[9].time};
  CHECK(thinned(track, FieldType::number, row, {}).gone == 1);
}

TEST_CASE("Thinned: random tracks stay within, and outside as they were", "[thin_keys][random]") {
  const int count = rounds(400, 40);
  std::size_t gone = 0, all = 0;
  for (int n = 0; n < count; ++n) {
    const std::uint64_t seed = 20261129 + static_cast<std::uint64_t>(n);
    INFO("seed " << seed);
    Dice dice(seed);
    static constexpr FieldType kTypes[] = {FieldType::number, FieldType::vector, FieldType::rotation,
                                           FieldType::boolean};
    const FieldType type = kTypes[dice.below(4)];
    const Track track = random_track(dice, type);
    // A stretch of it, sometimes all.
    const auto size = static_cast<std::int64_t>(track.keys.size());
    const auto first = dice.coin() ? 0 : dice.below(size / 2 + 1),
               last = dice.coin() ? size - 1 : size / 2 + dice.below(size / 2);
    std::vector<double> times;
    for (std::int64_t k = first; k <= last; ++k) times.push_back(track.keys[static_cast<std::size_t>(k)].time);
    const double part = std::pow(10.0, -4 + 3 * dice.unit());
    const ThinnedTrack result = thinned(track, type, times, {part, 1 / 60.0});
    all += times.size();
    gone += result.gone;
    REQUIRE(result.gone + result.track.keys.size() == track.keys.size());
    // Keys that stay say what they said, at their time; those outside are all there.
    std::size_t at = 0;
    for (const Key& key : track.keys) {
      const bool stays = at < result.track.keys.size() && result.track.keys[at].time == key.time;
      if (stays) REQUIRE(result.track.keys[at++].value == key.value);
      const bool chosen = std::find(times.begin(), times.end(), key.time) != times.end();
      if (!chosen || key.time == times.front() || key.time == times.back()) REQUIRE(stays);
    }
    // In between within the tolerance at frames, and hardly beyond it anywhere; a cycle repeats what was thinned.
    double range = 0;
    for (double t : times)
      for (double u : times)
        range = std::max(range, apart(type, track_value(track, type, t), track_value(track, type, u)));
    CHECK(result.off <= 2 * part * range + 1e-12);
    const bool cycles = track.before >= Beyond::cycle || track.after >= Beyond::cycle;
    for (double t = track.keys.front().time - (cycles ? 0 : 1); t < track.keys.back().time + (cycles ? 0 : 1);
         t += 0.0037) {
      const double miss = apart(type, track_value(track, type, t), track_value(result.track, type, t));
      INFO("time " << t);
      if (t < times.front() || t > times.back())
        REQUIRE(miss < 1e-6);
      else
        REQUIRE(miss <= 4 * part * range + 1e-6);
    }
  }
  CHECK(gone > all / 4);
}

}  // namespace thin_keys_test
