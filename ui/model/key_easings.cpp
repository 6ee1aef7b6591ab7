#include "ui/model/key_easings.h"

#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

Key ease_key(double time, double value, double in, double out, double reach_in = 1.0 / 3, double reach_out = 1.0 / 3) {
  Key key;
  key.time = time;
  key.value = {value, 0, 0, 0};
  key.shape = KeyShape::spline;
  key.tangent = KeyTangent::free;
  key.in = {in, 0, 0, 0};
  key.out = {out, 0, 0, 0};
  key.reach_in = reach_in;
  key.reach_out = reach_out;
  return key;
}

/// One segment that leaves (0, 0) level.
std::vector<Key> one_segment(double slope, double reach_out, double reach_in) {
  return {ease_key(0, 0, 0, 0, 1.0 / 3, reach_out), ease_key(1, 1, slope, 0, reach_in)};
}

/// Time and value run backwards.
std::vector<Key> turned_round(const std::vector<Key>& keys) {
  std::vector<Key> turned;
  for (auto it = keys.rbegin(); it != keys.rend(); ++it)
    turned.push_back(ease_key(1 - it->time, 1 - it->value[0], it->out[0], it->in[0], it->reach_out, it->reach_in));
  return turned;
}

std::vector<Key> bounce_in() {
  constexpr double n = 7.5625, d = 2.75;
  // Out: it falls, and bounces three times; between two bounces a parabola.
  std::vector<Key> out = {ease_key(0, 0, 0, 0)};
  double middle = 0;
  for (const auto& [end, next] : {std::pair(1.0, 1.5), {2.0, 2.25}, {2.5, 2.625}, {2.75, 2.75}}) {
    const double u = end / d;
    out.push_back(ease_key(u, 1, 2 * n * (u - middle / d), 2 * n * (u - next / d)));
    middle = next;
  }
  out.back().out = {};
  return turned_round(out);
}

std::vector<Key> elastic_in() {
  // Out: keys where it turns round, each a half swing after the one before.
  constexpr double turn = 2 * kPi / 3;
  const double damping = 10 * std::log(2.0), first = std::atan(10 * turn / damping);
  // Between two of them, which are alike but for their size, the reaches make the spline a swing that fades.
  constexpr double away = 0.295, towards = 0.455;
  std::vector<Key> out = {ease_key(0, 0, 0, damping, towards, away)};
  for (int k = 0; k < 6; ++k) {
    const double angle = first + k * kPi, u = (angle / turn + 0.75) / 10;
    out.push_back(ease_key(u, 1 + std::exp(-damping * u) * std::sin(angle), 0, 0, towards, away));
  }
  out.push_back(ease_key(1, 1, 0, 0, towards, away));
  return turned_round(out);
}

// clang-format off
const Easing kEasings[] = {
    {"sine", "Sine", "The softest: a quarter of a swing.", [] { return one_segment(kPi / 2, 0.365, 0.32); }},
    {"quad", "Quadratic", "As what falls.", [] { return one_segment(2, 1.0 / 3, 1.0 / 3); }},
    {"cubic", "Cubic", "Stronger than what falls.", [] { return one_segment(3, 1.0 / 3, 1.0 / 3); }},
    {"quart", "Quartic", "Strong.", [] { return one_segment(4, 0.495, 0.25); }},
    {"quint", "Quintic", "Stronger still.", [] { return one_segment(5, 0.59, 0.205); }},
    {"expo", "Exponential", "Twice as fast after each tenth of the way.", [] { return one_segment(6.94, 0.63, 0.15); }},
    {"circ", "Circular", "A quarter of a circle.", [] { return one_segment(80, 0.25, 0.01); }},
    {"back", "Back", "Draws back first, or goes beyond and comes back.", [] { return one_segment(4.70158, 1.0 / 3, 1.0 / 3); }},
    {"elastic", "Elastic", "Swings like a spring; sets keys where it turns round.", &elastic_in},
    {"bounce", "Bounce", "Bounces like a ball; sets keys where it meets the ground.", &bounce_in},
};
// clang-format on

/// Between two values of a track: where it is at a share of the way, and the slope of a speed of 1.
class Way {
 public:
  Way(const Numbers& from, const Numbers& to, bool sphere) : from_(from), sphere_(sphere) {
    if (!sphere) {
      for (std::size_t i = 0; i < 4; ++i) whole_[i] = to[i] - from[i];
      return;
    }
    const Quat a(from[0], from[1], from[2], from[3]), b(to[0], to[1], to[2], to[3]);
    const Vec3 turn = log_rotation(a.conjugate() * b);
    whole_ = {turn.x(), turn.y(), turn.z(), 0};
  }

  Numbers at(double share) const {
    if (sphere_) {
      const Quat a(from_[0], from_[1], from_[2], from_[3]);
      return numbers_of(FieldValue((a * exp_rotation(share * Vec3(whole_[0], whole_[1], whole_[2]))).normalized()));
    }
    Numbers value = from_;
    for (std::size_t i = 0; i < 4; ++i) value[i] += share * whole_[i];
    return value;
  }
  Numbers slope(double speed) const {
    Numbers value = whole_;
    for (double& number : value) number *= speed;
    return value;
  }

 private:
  Numbers from_, whole_{};
  bool sphere_;
};

std::vector<std::size_t> eased_places(const Track& track, const std::vector<double>& times) {
  const auto chosen = [&](std::size_t i) { return std::binary_search(times.begin(), times.end(), track.keys[i].time); };
  std::vector<std::size_t> between, after;
  for (std::size_t i = 0; i + 1 < track.keys.size(); ++i) {
    if (!chosen(i)) continue;
    after.push_back(i);
    if (chosen(i + 1)) between.push_back(i);
  }
  return between.empty() ? after : between;
}

/// Puts the shape between the keys at `place` and behind it; the number of keys that came in.
std::size_t ease(Track& track, FieldType type, std::size_t place, const std::vector<Key>& shape) {
  const KeySlopes left = key_slopes(track, type, place), right = key_slopes(track, type, place + 1);
  const bool sphere = type == FieldType::rotation && track.turn == TurnBy::quaternion;
  Key &from = track.keys[place], &to = track.keys[place + 1];
  const double start = from.time, length = to.time - from.time;
  const Way way(from.value, to.value, sphere);
  const auto set_out = [&](Key& key, const Key& of) {
    key.out = way.slope(of.out[0] / length);
    key.reach_out = of.reach_out;
    key.shape = KeyShape::spline;
    key.tangent = KeyTangent::free;
  };
  const auto set_in = [&](Key& key, const Key& of) {
    key.in = way.slope(of.in[0] / length);
    key.reach_in = of.reach_in;
    key.tangent = KeyTangent::free;
  };
  from.in = left.in;  // what is before and behind stays as it is
  to.out = right.out;
  set_out(from, shape.front());
  set_in(to, shape.back());
  std::vector<Key> inner;
  for (std::size_t i = 1; i + 1 < shape.size(); ++i) {
    Key key;
    key.time = start + shape[i].time * length;
    key.value = way.at(shape[i].value[0]);
    set_in(key, shape[i]);
    set_out(key, shape[i]);
    inner.push_back(key);
  }
  // Keys of a very short way would meet.
  double before = start;
  for (const Key& key : inner) {
    if (!(key.time - before > 2 * kSameTime)) return 0;
    before = key.time;
  }
  track.keys.insert(track.keys.begin() + static_cast<std::ptrdiff_t>(place) + 1, inner.begin(), inner.end());
  return inner.size();
}

}  // namespace

std::span<const Easing> easings() { return kEasings; }

std::vector<Key> easing_keys(const Easing& easing, EaseEnd end) {
  std::vector<Key> in = easing.keys();
  if (end == EaseEnd::in) return in;
  const std::vector<Key> out = turned_round(in);
  if (end == EaseEnd::out) return out;
  // Half as long and half as high: the slopes stay.
  const auto half = [](Key key, double from) {
    key.time = from + key.time / 2;
    key.value[0] = from + key.value[0] / 2;
    return key;
  };
  std::vector<Key> both;
  for (const Key& key : in) both.push_back(half(key, 0));
  both.back().out = out.front().out;
  both.back().reach_out = out.front().reach_out;
  for (std::size_t i = 1; i < out.size(); ++i) both.push_back(half(out[i], 0.5));
  return both;
}

KeyEdit eased_keys(const Scene& scene, const KeyTimes& keys, const Easing& easing, EaseEnd end) {
  const std::vector<Key> shape = easing_keys(easing, end);
  KeyEdit edit{scene, keys};
  for (auto& track : edit.scene.tracks) {
    const auto at = keys.find(track->id);
    if (at == keys.end()) continue;
    const FieldType type = type_of(scene, *track);
    const std::vector<std::size_t> places = eased_places(*track, at->second);
    if (!is_continuous(type) || places.empty()) continue;
    track = track.edited([&](Track& next) {
      // From the last to the first: places before stay where they are.
      for (auto place = places.rbegin(); place != places.rend(); ++place) (void)ease(next, type, *place, shape);
    });
  }
  return edit;
}

}  // namespace hazumi
