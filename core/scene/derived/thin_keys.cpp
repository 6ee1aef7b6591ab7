#include "core/scene/derived/thin_keys.h"

#include <algorithm>
#include <cmath>

#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

using Numbers = std::array<double, 4>;

/// Between two values of a track.
double apart(FieldType type, const Numbers& a, const Numbers& b) {
  if (type == FieldType::rotation) return Quat(a[0], a[1], a[2], a[3]).angularDistance(Quat(b[0], b[1], b[2], b[3]));
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

class Thinner {
 public:
  Thinner(const Track& track, FieldType type, double step) : track_(track), type_(type), step_(step) {
    asked_.keys.resize(2);
    asked_.turn = track.turn;
    for (std::size_t i = 0; i < track.keys.size(); ++i) slopes_.push_back(key_slopes(track, type, i));
  }

  /// The keys from `first` to `last` that stay, all but the first of them. `tolerance`: unit of the value.
  std::vector<std::size_t> stay(std::size_t first, std::size_t last, double tolerance) {
    std::vector<std::size_t> all;
    for (std::size_t i = first; i < last; i = all.back()) all.push_back(longest(i, last, tolerance));
    return all;
  }

  /// What the values of these keys span.
  double range(std::size_t first, std::size_t last) const {
    const Numbers start = value(track_.keys[first].time);
    Numbers least = start, most = start;
    double turned = 0;
    for (std::size_t i = first; i <= last; ++i) {
      const Numbers v = value(track_.keys[i].time);
      if (type_ == FieldType::rotation) turned = std::max(turned, apart(type_, start, v));
      for (std::size_t k = 0; k < v.size(); ++k) {
        least[k] = std::min(least[k], v[k]);
        most[k] = std::max(most[k], v[k]);
      }
    }
    return type_ == FieldType::rotation ? turned : apart(type_, least, most);
  }

  /// What is no difference between values of this size.
  double rounding(std::size_t first, std::size_t last) const {
    if (type_ == FieldType::rotation) return 1e-7;
    double size = 0;
    for (std::size_t i = first; i <= last; ++i)
      for (const double number : track_.keys[i].value) size = std::max(size, std::abs(number));
    return 1e-12 * size;
  }

  /// A key with the slopes that it has in the track.
  Key frozen(std::size_t i) const {
    Key key = track_.keys[i];
    if (!is_continuous(type_)) return key;
    key.in = slopes_[i].in;
    key.out = slopes_[i].out;
    key.tangent = key.in == key.out ? KeyTangent::aligned : KeyTangent::free;
    return key;
  }

  /// The most by which the way from one key to another misses the track.
  double worst(std::size_t i, std::size_t j) {
    double most = 0;
    misses(i, j, [&](double miss) {
      most = std::max(most, miss);
      return true;
    });
    return most;
  }

  const KeySlopes& slopes(std::size_t i) const { return slopes_[i]; }

 private:
  Numbers value(double time) const { return track_value(track_, type_, time); }

  bool fits(std::size_t i, std::size_t j, double tolerance) {
    for (std::size_t k = i + 1; k < j; ++k)
      if (track_.keys[k].shape != track_.keys[i].shape) return false;
    return misses(i, j, [&](double miss) { return miss <= tolerance; });
  }

  /// Calls good(by how much) at each place between until it says no.
  template <class Good>
  bool misses(std::size_t i, std::size_t j, const Good& good) {
    asked_.keys[0] = frozen(i);
    asked_.keys[1] = frozen(j);
    asked_.keys[0].reach_out = asked_.keys[1].reach_in = 1.0 / 3;
    const auto asks = [&](double time) { return good(apart(type_, track_value(asked_, type_, time), value(time))); };
    // The keys first: where it misses they tell at once, mostly.
    for (std::size_t k = i + 1; k < j; ++k)
      if (!asks(track_.keys[k].time)) return false;
    for (std::size_t k = i; k < j; ++k) {
      const double from = track_.keys[k].time, to = track_.keys[k + 1].time;
      const int parts = 2 * static_cast<int>(std::clamp(std::ceil((to - from) / step_), 1.0, 1e4));
      for (int p = 1; p < parts; ++p)
        if (!asks(from + (to - from) * p / parts)) return false;
    }
    return true;
  }

  std::size_t longest(std::size_t i, std::size_t last, double tolerance) {
    std::size_t good = i + 1, bad = last + 1;
    for (std::size_t way = 2; i + way <= last; way = std::min(2 * way, last - i)) {
      if (!fits(i, i + way, tolerance)) {
        bad = i + way;
        break;
      }
      good = i + way;
      if (good == last) return last;
    }
    while (bad - good > 1) {
      const std::size_t middle = good + (bad - good) / 2;
      (fits(i, middle, tolerance) ? good : bad) = middle;
    }
    return good;
  }

  const Track& track_;
  FieldType type_;
  double step_;
  std::vector<KeySlopes> slopes_;
  Track asked_;  ///< of two keys; kept, to allocate nothing
};

bool is_chosen(const Key& key, std::span<const double> times) {
  const auto at = std::lower_bound(times.begin(), times.end(), key.time - kSameTime);
  return at != times.end() && *at <= key.time + kSameTime;
}

/// The way from this key to the next is straight, and how it goes on beyond the track's end: it stays.
bool leads_on(const Track& track, std::size_t i) {
  const bool first = i == 0 && track.before == Beyond::linear;
  const bool last = i + 2 == track.keys.size() && track.after == Beyond::linear;
  return (first || last) && track.keys[i].shape == KeyShape::linear;
}

}  // namespace

ThinnedTrack thinned(const Track& track, FieldType type, std::span<const double> times, const ThinKeys& how) {
  ThinnedTrack out{track, 0, 0};
  const std::size_t n = track.keys.size();
  Thinner thinner(track, type, how.step);
  std::vector<std::size_t> from;  // of each key that stays, its place in the track
  out.track.keys.clear();
  const auto put = [&](std::size_t i, Key key) {
    out.track.keys.push_back(std::move(key));
    from.push_back(i);
  };
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i;
    while (end < n && is_chosen(track.keys[end], times) && !(end == i + 1 && leads_on(track, i))) ++end;
    if (end == n && end > i + 1 && leads_on(track, n - 2)) --end;
    if (end - i < 3) {
      end = std::max(end, i + 1);
      for (; i < end; ++i) put(i, track.keys[i]);
      continue;
    }
    put(i, track.keys[i]);
    std::size_t last = i;
    const double tolerance = std::max(how.part * thinner.range(i, end - 1), thinner.rounding(i, end - 1));
    for (const std::size_t next : thinner.stay(i, end - 1, tolerance)) {
      Key to = track.keys[next];
      if (next > last + 1) {
        out.off = std::max(out.off, thinner.worst(last, next));
        out.gone += next - last - 1;
        Key& back = out.track.keys.back();
        const double in = back.reach_in;
        back = thinner.frozen(last);
        back.reach_in = in;
        to = thinner.frozen(next);
        back.reach_out = to.reach_in = 1.0 / 3;
      }
      put(next, std::move(to));
      last = next;
    }
    i = end;
  }
  // Slopes of neighbours that went.
  for (std::size_t i = 0; out.gone > 0 && is_continuous(type) && i < from.size(); ++i) {
    const KeySlopes now = key_slopes(out.track, type, i), &was = thinner.slopes(from[i]);
    if (now.in == was.in && now.out == was.out) continue;
    Key& key = out.track.keys[i];
    key.in = was.in;
    key.out = was.out;
    key.tangent = key.in == key.out ? KeyTangent::aligned : KeyTangent::free;
  }
  return out;
}

}  // namespace hazumi
