// What a track says at a time (tracks.h): Bezier segments of numbers and of rotations, and what comes beyond the ends.
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

Quat quat_of(const Numbers& v) {
  const Quat q(v[0], v[1], v[2], v[3]);
  const double norm = q.norm();
  return norm > 0 ? Quat(q.coeffs() / norm) : Quat::Identity();
}
Numbers from_quat(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Vec3 vec_of(const Numbers& v) { return {v[0], v[1], v[2]}; }
Numbers from_vec(const Vec3& v) { return {v.x(), v.y(), v.z(), 0}; }

/// The rotation that takes a to b the shortest way, in the axes of a, as a vector.
Vec3 between(const Quat& a, const Quat& b) { return log_rotation(a.conjugate() * b); }

double between_numbers(double a, double b, double share) {
  return share <= 0 ? a : share >= 1 ? b : a + share * (b - a);
}

/// The parameter of a Bezier curve whose time is `x` of 0…1, with inner control points a and 1 − b: its time rises everywhere.
double parameter(double x, double a, double b) {
  if (a == 1.0 / 3 && b == 1.0 / 3) return x;
  const auto time = [&](double u) {
    const double w = 1 - u;
    return 3 * w * w * u * a + 3 * w * u * u * (1 - b) + u * u * u;
  };
  double low = 0, high = 1;
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    (time(middle) < x ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double bezier(double a, double b, double c, double d, double u) {
  const double w = 1 - u;
  return w * w * w * a + 3 * w * w * u * b + 3 * w * u * u * c + u * u * u * d;
}

Quat blend(const Quat& a, const Quat& b, double u) { return (a * exp_rotation(u * between(a, b))).normalized(); }

/// How values are added and compared: of numbers by themselves, of rotations on the sphere.
class KeyCurve {
 public:
  KeyCurve(const Track& track, FieldType type)
      : track_(track),
        keys_(track.keys),
        continuous_(is_continuous(type)),
        sphere_(type == FieldType::rotation && track.turn == TurnBy::quaternion),
        count_(track_components(type, track.turn)) {}

  Numbers at(double time) const {
    const double first = keys_.front().time, last = keys_.back().time;
    if (time < first - kSameTime) return beyond(track_.before, time, first, last, false);
    if (time > last + kSameTime) return beyond(track_.after, time, first, last, true);
    return inside(time);
  }

  KeySlopes slopes(std::size_t place) const {
    const Key& key = keys_[place];
    if (key.tangent == KeyTangent::flat || !continuous_) return {};
    if (key.tangent == KeyTangent::free) return {key.in, key.out};
    if (key.tangent == KeyTangent::aligned) return {key.out, key.out};
    const Numbers both = automatic(place);
    return {both, both};
  }

 private:
  Numbers inside(double time) const {
    const auto after = std::upper_bound(keys_.begin(), keys_.end(), time + kSameTime,
                                        [](double wanted, const Key& key) { return wanted < key.time; });
    const auto place = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - keys_.begin() - 1, 0));
    const Key& from = keys_[place];
    if (place + 1 == keys_.size() || std::abs(time - from.time) <= kSameTime) return from.value;
    return segment(place, time - from.time);
  }

  Numbers segment(std::size_t place, double x) const {
    const Key &from = keys_[place], &to = keys_[place + 1];
    const double length = to.time - from.time;
    if (from.shape == KeyShape::step || !continuous_ || !(length > 0)) return from.value;
    if (from.shape == KeyShape::linear) {
      if (sphere_) return from_quat(blend(quat_of(from.value), quat_of(to.value), x / length));
      Numbers value = {};
      for (int i = 0; i < count_; ++i)
        value[at_(i)] = between_numbers(from.value[at_(i)], to.value[at_(i)], x / length);
      return value;
    }
    const Numbers out = slopes(place).out, in = slopes(place + 1).in;
    const double u = parameter(x / length, from.reach_out, to.reach_in);
    const double before = from.reach_out * length, after = to.reach_in * length;
    if (sphere_) {
      const Quat a = quat_of(from.value);
      Quat d = quat_of(to.value);
      if (a.dot(d) < 0) d.coeffs() *= -1;
      const Quat b = a * exp_rotation(before * vec_of(out)), c = d * exp_rotation(-after * vec_of(in));
      const Quat ab = blend(a, b, u), bc = blend(b, c, u), cd = blend(c, d, u);
      return from_quat(blend(blend(ab, bc, u), blend(bc, cd, u), u));
    }
    Numbers value = {};
    for (int i = 0; i < count_; ++i) {
      const std::size_t k = at_(i);
      value[k] = bezier(from.value[k], from.value[k] + before * out[k], to.value[k] - after * in[k], to.value[k], u);
    }
    return value;
  }

  Numbers beyond(Beyond how, double time, double first, double last, bool behind) const {
    const std::size_t end = behind ? keys_.size() - 1 : 0;
    const double length = last - first;
    if (how == Beyond::hold || (!continuous_ && how == Beyond::linear) || !(length > 0)) return keys_[end].value;
    if (how == Beyond::linear) return moved(keys_[end].value, end_slope(behind), time - keys_[end].time);
    const double turns = std::floor((time - first + kSameTime) / length);
    const Numbers value = inside(std::clamp(time - turns * length, first, last));
    return how == Beyond::cycle || !continuous_ ? value : shifted(value, turns);
  }

  /// Further by `seconds` at a constant slope.
  Numbers moved(Numbers value, const Numbers& slope, double seconds) const {
    if (sphere_) return from_quat((quat_of(value) * exp_rotation(seconds * vec_of(slope))).normalized());
    for (int i = 0; i < count_; ++i) value[at_(i)] += seconds * slope[at_(i)];
    return value;
  }

  /// Of a cycle that goes on where the one before ended, the value in another of its turns.
  Numbers shifted(Numbers value, double turns) const {
    const Numbers &first = keys_.front().value, &last = keys_.back().value;
    if (sphere_) {
      const Vec3 turn = log_rotation(quat_of(last) * quat_of(first).conjugate());
      return from_quat((exp_rotation(turns * turn) * quat_of(value)).normalized());
    }
    for (int i = 0; i < count_; ++i) value[at_(i)] += turns * (last[at_(i)] - first[at_(i)]);
    return value;
  }

  Numbers end_slope(bool behind) const {
    if (keys_.size() < 2) return {};
    const std::size_t place = behind ? keys_.size() - 2 : 0;
    if (keys_[place].shape == KeyShape::step) return {};
    if (keys_[place].shape == KeyShape::linear) return secant(place);
    return behind ? slopes(place + 1).in : slopes(place).out;
  }

  /// From the key at this place to the next one.
  Numbers secant(std::size_t place) const { return secant(keys_[place].value, keys_[place + 1].value, length(place)); }
  Numbers secant(const Numbers& from, const Numbers& to, double seconds) const {
    if (sphere_) return from_vec(Vec3(between(quat_of(from), quat_of(to)) / seconds));
    Numbers slope = {};
    for (int i = 0; i < count_; ++i) slope[at_(i)] = (to[at_(i)] - from[at_(i)]) / seconds;
    return slope;
  }
  double length(std::size_t place) const { return keys_[place + 1].time - keys_[place].time; }

  Numbers automatic(std::size_t place) const {
    const std::size_t n = keys_.size();
    if (n < 2) return {};
    const bool first = place == 0, last = place + 1 == n;
    if (!first && !last) return mean(secant(place - 1), length(place - 1), secant(place), length(place));
    const auto cycles = [](Beyond how) { return how == Beyond::cycle || how == Beyond::cycle_offset; };
    const Beyond how = first ? track_.before : track_.after;
    if (how == Beyond::linear) return secant(first ? 0 : n - 2);
    if (!cycles(how)) return {};
    // In a plain cycle the last key is the first one of the next turn.
    return mean(secant(n - 2), length(n - 2), secant(0), length(0));
  }

  Numbers mean(const Numbers& before, double h0, const Numbers& after, double h1) const {
    if (sphere_) {
      const Vec3 a = vec_of(before), b = vec_of(after);
      return a.dot(b) <= 0 ? Numbers{} : from_vec(Vec3((h1 * a + h0 * b) / (h0 + h1)));
    }
    Numbers slope = {};
    for (int i = 0; i < count_; ++i) {
      const double a = before[at_(i)], b = after[at_(i)];
      if (a * b > 0) slope[at_(i)] = 3 * (h0 + h1) / ((2 * h1 + h0) / a + (h1 + 2 * h0) / b);
    }
    return slope;
  }

  static std::size_t at_(int i) { return static_cast<std::size_t>(i); }

  const Track& track_;
  const std::vector<Key>& keys_;
  const bool continuous_, sphere_;
  const int count_;
};

}  // namespace

bool is_continuous(FieldType type) {
  return type == FieldType::number || type == FieldType::vector || type == FieldType::colour ||
         type == FieldType::rotation;
}

int track_components(FieldType type, TurnBy turn) {
  if (type == FieldType::rotation) return turn == TurnBy::angles ? 3 : 4;
  return type == FieldType::vector || type == FieldType::colour ? 3 : 1;
}

std::array<double, 4> track_value(const Track& track, FieldType type, double time) {
  if (track.keys.empty()) return {};
  const Numbers value = KeyCurve(track, type).at(time);
  if (type != FieldType::rotation) return value;
  return from_quat(track.turn == TurnBy::angles ? from_euler_angles(vec_of(value)) : quat_of(value));
}

KeySlopes key_slopes(const Track& track, FieldType type, std::size_t place) {
  return KeyCurve(track, type).slopes(place);
}

}  // namespace hazumi
