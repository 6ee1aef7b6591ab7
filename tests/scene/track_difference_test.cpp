// From when on two tracks say something else (derived/track_difference.h), against what they say.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/base/random.h"
#include "core/scene/derived/track_difference.h"
#include "core/scene/derived/tracks.h"

namespace track_difference_test {

using namespace hazumi;

namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  double unit() { return random_unit(seed_, Id{1}, count_++, 7); }
  int below(int n) { return std::min(static_cast<int>(unit() * n), n - 1); }

 private:
  std::uint64_t seed_, count_ = 0;
};

Key some_key(Dice& dice, double time) {
  Key key;
  key.time = time;
  key.value[0] = dice.below(4);
  key.shape = static_cast<KeyShape>(dice.below(3));
  key.tangent = static_cast<KeyTangent>(dice.below(4));
  key.in[0] = dice.unit();
  key.out[0] = dice.unit();
  key.reach_in = key.reach_out = dice.below(2) ? 1.0 / 3 : 0.2 + 0.5 * dice.unit();
  return key;
}

Track some_track(Dice& dice) {
  Track track;
  double time = dice.unit();
  for (int k = 1 + dice.below(6); k > 0; --k) {
    track.keys.push_back(some_key(dice, time));
    time += 0.1 + dice.unit();
  }
  if (dice.below(3) == 0) track.before = static_cast<Beyond>(dice.below(4));
  if (dice.below(3) == 0) track.after = static_cast<Beyond>(dice.below(4));
  return track;
}

/// A key comes, goes, moves or says another number; or what is beyond the ends changes.
Track edited(Track track, Dice& dice) {
  const auto at = static_cast<std::size_t>(dice.below(static_cast<int>(track.keys.size())));
  switch (dice.below(6)) {
    case 0:
      if (track.keys.size() > 1) track.keys.erase(track.keys.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      track.keys.push_back(some_key(dice, track.keys.back().time + 0.1 + dice.unit()));
      break;
    case 2:
      track.after = static_cast<Beyond>(dice.below(4));
      break;
    case 3:
      track.keys[at].time += 0.05 * (dice.unit() - 0.5);
      break;
    default:
      track.keys[at] = some_key(dice, track.keys[at].time);
  }
  return track;
}

bool say_same(const Track& a, const Track& b, FieldType type, double time) {
  return std::bit_cast<std::uint64_t>(track_value(a, type, time)[0]) ==
         std::bit_cast<std::uint64_t>(track_value(b, type, time)[0]);
}

}  // namespace

TEST_CASE("Two tracks say the same, bit for bit, up to where they are said to differ", "[scene][tracks]") {
  int later = 0, sharp = 0, never = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    INFO("seed " << seed);
    Dice dice(seed);
    const FieldType type = dice.below(4) == 0 ? FieldType::integer : FieldType::number;
    const Track a = some_track(dice), b = edited(a, dice);
    const auto from = first_difference(a, b, type);
    CHECK(first_difference(b, a, type) == from);
    CHECK(first_difference(a, a, type) == std::nullopt);
    bool differs = false;
    for (double time = -3; time < 12; time += 0.01) {
      const bool same = say_same(a, b, type, time);
      if (!from || time < *from) REQUIRE(same);
      differs = differs || !same;
    }
    // At the keys themselves, and just before them, too.
    for (const Track* track : {&a, &b})
      for (const Key& key : track->keys)
        for (const double time : {key.time - 1e-10, key.time, key.time + 1e-10})
          if (!from || time < *from) REQUIRE(say_same(a, b, type, time));
    never += !from;
    later += from && std::isfinite(*from);
    sharp += from && differs;
  }
  CHECK(later > 900);
  CHECK(never > 50);
  CHECK(sharp > 1400);
}

TEST_CASE("A number without keys is a track that always says it", "[scene][tracks]") {
  Track keyed = constant_track(3);
  CHECK(first_difference(keyed, constant_track(3), FieldType::number) == std::nullopt);
  CHECK(*first_difference(keyed, constant_track(-3), FieldType::number) == -std::numeric_limits<double>::infinity());
  Key later;
  later.time = 2;
  later.value[0] = 5;
  keyed.keys.push_back(later);
  // From the first key on it glides.
  CHECK(*first_difference(keyed, constant_track(3), FieldType::number) == Approx(0).margin(1e-8));
  keyed.keys[0].shape = KeyShape::step;
  CHECK(*first_difference(keyed, constant_track(3), FieldType::number) == Approx(2).margin(1e-8));
  keyed.keys[1].value[0] = 3;
  CHECK(first_difference(keyed, constant_track(3), FieldType::number) == std::nullopt);
  keyed.keys[0].shape = KeyShape::linear;
  CHECK(first_difference(keyed, constant_track(3), FieldType::number) == std::nullopt);
}

}  // namespace track_difference_test
