#include "core/scene/derived/bake.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/math/rotation.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

constexpr int kPatience = 24;  // ways in a row that miss before longer ones are given up

/// How fine the numbers are that a tolerance means: so many of them in a unit, a power of ten.
double fineness(double tolerance) {
  constexpr double kOfTolerance = 1e-4;
  return std::pow(10.0, std::clamp(std::ceil(-std::log10(kOfTolerance * tolerance)), 0.0, 15.0));
}

/// By division, so that it is the number that is nearest to the decimal one; never −0.
double rounded(double value, double fine) { return std::round(value * fine) / fine + 0.0; }

Key free_key(double time, const FieldValue& value) {
  Key key;
  key.time = time;
  key.value = numbers_of(value);
  key.tangent = KeyTangent::free;
  return key;
}

/// Of places: slopes and distances of vectors.
struct PlacesOfSamples {
  std::span<const MotionSample> samples;
  static constexpr FieldType type = FieldType::vector;
  FieldValue value(std::size_t i) const { return samples[i].pose.position; }
  /// From sample `from` to sample `to`.
  Vec3 way(std::size_t from, std::size_t to) const { return samples[to].pose.position - samples[from].pose.position; }
  double miss(const std::array<double, 4>& said, std::size_t i) const {
    return (Vec3(said[0], said[1], said[2]) - samples[i].pose.position).norm();
  }
};

/// Of rotations: in the axes of the sample that is left.
struct TurnsOfSamples {
  std::span<const MotionSample> samples;
  static constexpr FieldType type = FieldType::rotation;
  FieldValue value(std::size_t i) const { return samples[i].pose.rotation; }
  Vec3 way(std::size_t from, std::size_t to) const {
    return log_rotation(samples[from].pose.rotation.conjugate() * samples[to].pose.rotation);
  }
  double miss(const std::array<double, 4>& said, std::size_t i) const {
    return Quat(said[0], said[1], said[2], said[3]).angularDistance(samples[i].pose.rotation);
  }
};

template <class What>
class Baker {
 public:
  Baker(std::span<const MotionSample> samples, double tolerance, int longest, const std::atomic<bool>* cancel)
      : what_{samples},
        samples_(samples),
        tolerance_(tolerance),
        fine_(fineness(tolerance)),
        longest_(static_cast<std::size_t>(longest)),
        cancel_(cancel) {
    asked_.keys.resize(2);
  }

  std::vector<Key> keys() const {
    const std::size_t n = samples_.size();
    if (n < 2) return {key(0)};
    // From the last one backwards: how many ways are left, and which comes next.
    std::vector<std::size_t> left(n, n), next(n, n);
    left[n - 1] = 0;
    for (std::size_t i = n - 1; i-- > 0;) {
      if (cancel_ != nullptr && cancel_->load()) return {};
      int missed = 0;
      for (std::size_t j = i + 1; j < n && j - i <= longest_ && missed < kPatience; ++j) {
        if (j > i + 1 && !fits(i, j)) {
          ++missed;
          continue;
        }
        missed = 0;
        // Of equally many the longer way first: keys are then where motion changes.
        if (left[j] + 1 > left[i]) continue;
        left[i] = left[j] + 1;
        next[i] = j;
      }
    }
    std::vector<Key> all{key(0)};
    for (std::size_t i = 0; i + 1 < n; i = next[i]) {
      const auto [from, to] = way(i, next[i]);
      all.back().out = from.out;
      all.push_back(to);
    }
    for (Key& each : all) smooth(each);
    return all;
  }

  double worst(const std::vector<Key>& keys) const {
    Track track;
    track.keys = keys;
    double most = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i)
      most = std::max(most, what_.miss(track_value(track, What::type, samples_[i].time), i));
    return most;
  }

 private:
  Key key(std::size_t at) const {
    Key made = free_key(samples_[at].time, what_.value(at));
    for (double& number : made.value) number = rounded(number, fine_);
    return made;
  }

  /// Slope at sample `at`, by three samples on the side of `to`.
  Vec3 slope(std::size_t at, std::size_t to) const {
    const double step = samples_[1].time - samples_[0].time;
    const bool on = to > at;
    const auto beside = [&](std::size_t k) { return on ? at + k : at - k; };
    const Vec3 one = what_.way(at, beside(1));
    const std::size_t far = on ? to - at : at - to;
    const Vec3 sum = far > 1 ? Vec3(4 * one - what_.way(at, beside(2))) : Vec3(2 * one);
    const Vec3 exact = sum / (on ? 2 * step : -2 * step);
    return exact.unaryExpr([this](double number) { return rounded(number, fine_); });
  }

  std::pair<Key, Key> way(std::size_t i, std::size_t j) const {
    Key from = key(i), to = key(j);
    const Vec3 out = slope(i, j), in = slope(j, i);
    from.out = {out.x(), out.y(), out.z(), 0};
    to.in = {in.x(), in.y(), in.z(), 0};
    return {from, to};
  }

  bool fits(std::size_t i, std::size_t j) const {
    Track& track = asked_;
    std::tie(track.keys[0], track.keys[1]) = way(i, j);
    const auto good = [&](std::size_t k) {
      return what_.miss(track_value(track, What::type, samples_[k].time), k) <= tolerance_;
    };
    if (!good(i + (j - i) / 2)) return false;  // where it misses first, mostly
    for (std::size_t k = i + 1; k < j; ++k)
      if (!good(k)) return false;
    return true;
  }

  /// A key that says nearly the same on both sides is one tangent for the hand.
  void smooth(Key& key) const {
    double differs = 0, size = 1e-9;
    for (std::size_t k = 0; k < 3; ++k) {
      differs += std::abs(key.in[k] - key.out[k]);
      size += std::abs(key.in[k]) + std::abs(key.out[k]);
    }
    if (differs > 1e-6 * size) return;
    key.tangent = KeyTangent::aligned;
  }

  What what_;
  std::span<const MotionSample> samples_;
  double tolerance_, fine_;
  std::size_t longest_;
  const std::atomic<bool>* cancel_;
  mutable Track asked_;  ///< of two keys; kept, to allocate nothing
};

}  // namespace

BakedMotion baked(std::span<const MotionSample> samples, const BakeTolerance& tolerance,
                  const std::atomic<bool>* cancel) {
  BakedMotion out;
  if (samples.empty()) return out;
  const Baker<PlacesOfSamples> places(samples, tolerance.place, tolerance.longest, cancel);
  const Baker<TurnsOfSamples> turns(samples, tolerance.angle, tolerance.longest, cancel);
  out.place = places.keys();
  out.rotation = turns.keys();
  if (out.place.empty() || out.rotation.empty()) return {};
  out.off = places.worst(out.place);
  out.turned = turns.worst(out.rotation);
  return out;
}

}  // namespace hazumi
