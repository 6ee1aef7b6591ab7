#include "core/scene/derived/life_curve.h"

#include <algorithm>

namespace hazumi {

namespace {

LifePiece piece_behind(std::span<const LifeKnot> knots, std::size_t k) {
  const auto slope = [&](std::size_t i) {
    return (knots[i + 1].value - knots[i].value) / (knots[i + 1].age - knots[i].age);
  };
  const auto at = [&](std::size_t i) {
    if (i == 0) return slope(0);
    if (i + 1 == knots.size()) return slope(knots.size() - 2);
    const double first = slope(i - 1), last = slope(i), a = knots[i - 1].age, m = knots[i].age, b = knots[i + 1].age;
    return first * last > 0 ? 3 * (b - a) / ((2 * b - m - a) / first + (b + m - 2 * a) / last) : 0;
  };
  const double span = knots[k + 1].age - knots[k].age;
  return {knots[k].age, span, knots[k].value, knots[k + 1].value, span * at(k), span * at(k + 1)};
}

}  // namespace

double through(std::span<const LifeKnot> knots, double age) {
  const std::size_t count = knots.size();
  if (age < knots[0].age) return knots[0].value;
  if (count == 1 || age > knots[count - 1].age) return knots[count - 1].value;
  std::size_t k = 0;
  while (k + 2 < count && age >= knots[k + 1].age) ++k;
  return piece_behind(knots, k).at(age);
}

LifeCurve::LifeCurve(std::span<const LifeKnot> knots) {
  if (knots.empty()) return;
  none_ = false;
  first_ = knots.front().value;
  last_ = knots.back().value;
  end_ = knots.back().age;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) pieces_.push_back(piece_behind(knots, k));
}

std::ptrdiff_t LifeCurve::piece_at(double age) const {
  const auto behind = [](double when, const LifePiece& piece) { return when < piece.age; };
  return std::upper_bound(pieces_.begin(), pieces_.end(), age, behind) - pieces_.begin() - 1;
}

double LifeCurve::value(std::ptrdiff_t piece, double age) const {
  if (piece < 0) return first_;
  return age > end_ ? last_ : pieces_[static_cast<std::size_t>(piece)].at(age);
}

double LifeCurve::at(double age) const { return value(piece_at(age), age); }

LifeCurve::Means LifeCurve::means(double from, double to) const {
  constexpr double kFirst = 0.1127016653792583, kPlaces[] = {kFirst, 0.5, 1 - kFirst};
  constexpr double kWeights[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  if (!(to > from)) return {at(from), 0.5 * at(from)};
  double whole = 0, late = 0;
  for (double begin = from; begin < to;) {
    const std::ptrdiff_t piece = piece_at(begin);
    const auto next = static_cast<std::size_t>(piece + 1);
    double end = to;
    if (next < pieces_.size())
      end = std::min(end, pieces_[next].age);
    else if (begin < end_)
      end = std::min(end, end_);
    const double span = end - begin;
    for (int k = 0; k < 3; ++k) {
      const double age = begin + kPlaces[k] * span, part = kWeights[k] * span * value(piece, age);
      whole += part;
      late += part * (age - from);
    }
    begin = end;
  }
  return {whole / (to - from), late / ((to - from) * (to - from))};
}

}  // namespace hazumi
