#include "core/scene/derived/track_difference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "core/scene/derived/track_hash.h"
#include "core/scene/derived/tracks.h"

namespace hazumi {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// From `from` to where the next one begins.
struct Piece {
  enum class Form { constant, line, spline, beyond, round };
  double from = -kForever;
  Form form = Form::constant;
  std::array<std::uint64_t, 8> bits = {};

  template <class... Number>
  static Piece of(double from, Form form, Number... numbers) {
    return {from, form, {std::bit_cast<std::uint64_t>(numbers)...}};
  }
  friend bool says_same(const Piece& a, const Piece& b) { return a.form == b.form && a.bits == b.bits; }
};

class Pieces {
 public:
  Pieces(const Track& track, FieldType type) : track_(track), type_(type) {
    const std::vector<Key>& keys = track.keys;
    add_end(-kForever, track.before, 0);
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) add(i);
    add_end(keys.back().time, track.after, keys.size() - 1);
  }
  const Piece& at(double time) const {
    const auto after = std::upper_bound(all_.begin(), all_.end(), time,
                                        [](double wanted, const Piece& piece) { return wanted < piece.from; });
    return *std::prev(after);
  }
  const std::vector<Piece>& all() const { return all_; }

 private:
  void add(std::size_t i) {
    const Key &from = track_.keys[i], &to = track_.keys[i + 1];
    const double v = from.value[0], w = to.value[0];
    const bool holds = !is_continuous(type_) || from.shape == KeyShape::step || !(to.time > from.time);
    if (holds || (from.shape == KeyShape::linear && v == w))
      all_.push_back(Piece::of(from.time, Piece::Form::constant, v));
    else if (from.shape == KeyShape::linear)
      all_.push_back(Piece::of(from.time, Piece::Form::line, from.time, v, to.time, w));
    else
      all_.push_back(Piece::of(from.time, Piece::Form::spline, from.time, v, to.time, w,
                               key_slopes(track_, type_, i).out[0], key_slopes(track_, type_, i + 1).in[0],
                               from.reach_out, to.reach_in));
  }

  void add_end(double from, Beyond how, std::size_t key) {
    const bool long_enough = track_.keys.back().time > track_.keys.front().time;
    if (how == Beyond::hold || !long_enough || (how == Beyond::linear && !is_continuous(type_)))
      return all_.push_back(Piece::of(from, Piece::Form::constant, track_.keys[key].value[0]));
    // Its slope and its turns are of keys elsewhere.
    Hasher hasher;
    add_track(hasher, &track_);
    const auto form = how == Beyond::linear ? Piece::Form::beyond : Piece::Form::round;
    all_.push_back({from, form, {hasher.value(), static_cast<std::uint64_t>(key != 0)}});
  }

  const Track& track_;
  const FieldType type_;
  std::vector<Piece> all_;
};

}  // namespace

Track constant_track(double number) {
  Track track;
  track.keys.resize(1);
  track.keys[0].value[0] = number;
  return track;
}

std::optional<double> first_difference(const Track& a, const Track& b, FieldType type) {
  const Pieces x(a, type), y(b, type);
  std::vector<double> begins;
  for (const Pieces* pieces : {&x, &y})
    for (const Piece& piece : pieces->all()) begins.push_back(piece.from);
  std::sort(begins.begin(), begins.end());
  for (const double from : begins)
    if (!says_same(x.at(from), y.at(from))) return from - 2 * kSameTime;  // what is so near to a key is at it
  return std::nullopt;
}

}  // namespace hazumi
