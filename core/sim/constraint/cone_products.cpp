// The method `products` of cone.h, for islands with something limp in them that many rows hold: a cloth that lies on a floor. W of it has a
// block for any two of its rows, gigabytes for some thousands, where W λ is one solve with the factor of A.
//
//   λ⁺ = Π(y − τ D⁻¹ (c + W y − b)),   D: w along n, w_t across     Π: λ_n ≥ 0, then |λ_t| ≤ μ λ_n
//
// y as of momentum (cone_momentum.cpp), W y from those of λ⁺ and of the λ before, so that a pass is one product. τ ≤ 1 becomes shorter where
// dᵀW d > dᵀD d / τ, d = λ⁺ − y: what a pass would gain is then not what D says.
// Source: Nesterov 1983; begun anew: O'Donoghue and Candès, 2015; for contacts: Mazhar, Heyn, Negrut and Tasora, 2015.
#include <algorithm>
#include <cmath>

#include "core/sim/constraint/cone_solve.h"

namespace hazumi {
namespace {

constexpr double kShortens = 0.9, kMostShortened = 0.1, kShortest = 1e-6;
constexpr double kGrows = 4;    // of the least change since the sequence began
constexpr int kAnewAfter = 50;  // passes after which W y is made anew from y

}  // namespace

/// Where a row goes from λ `from` with a velocity u, as far as the share says.
Vec3 ConeSolve::shortened_next(std::size_t i, const Vec3& from, const Vec3& u, double share) const {
  const ConeRow& row = rows_[i];
  const Vec3& n = row.normal;
  const double was = from.dot(n), now = std::max(0.0, was + share * (row.least - u.dot(n)) / ws_.w[i]);
  Vec3 across = Vec3::Zero();
  if (ws_.w_t[i] > 0) across = from - was * n - share / ws_.w_t[i] * (u - u.dot(n) * n);
  const double most = friction(i) * now, size = across.norm();
  if (size > most) across *= most / size;
  return now * n + across;
}

/// dᵀD d of a row; `change`: the greatest that this has changed its velocity by, m/s.
double ConeSolve::pull(std::size_t i, const Vec3& step, double& change) const {
  const double along = step.dot(rows_[i].normal), across = (step - along * rows_[i].normal).norm();
  change = std::max({change, ws_.w[i] * std::abs(along), ws_.w_t[i] * across});
  return ws_.w[i] * along * along + ws_.w_t[i] * across * across;
}

void ConeSolve::by_products() {
  result_.used = ConeMethod::products;
  result_.settled = false;
  std::vector<Vec3>&y = ws_.before, &w_y = ws_.given, &last = ws_.direction, &w_now = ws_.next, &w_last = ws_.w_last;
  w_last.resize(count());
  products_->product(impulse_, w_now);
  std::copy(impulse_.begin(), impulse_.end(), y.begin());
  last = y;
  w_y = w_last = w_now;
  double t = 1, share = 1, least = 1e300;
  while (!result_.settled && result_.passes < options_.most_passes) {
    double size = 0, answer = 0;
    for (bool fits = false; !fits;) {
      size = answer = result_.change = 0;
      for (std::size_t i = 0; i < count(); ++i)
        impulse_[i] = ws_.w[i] > 0 ? shortened_next(i, y[i], free_[i] + w_y[i], share) : Vec3(Vec3::Zero());
      products_->product(impulse_, w_now);
      ++result_.passes;
      for (std::size_t i = 0; i < count(); ++i) {
        const Vec3 step = impulse_[i] - y[i];
        size += pull(i, step, result_.change);
        answer += step.dot(w_now[i] - w_y[i]);
      }
      fits = !(share * answer > size) || share < kShortest || result_.passes >= options_.most_passes;
      if (!fits) share *= std::clamp(kShortens * size / (share * answer), kMostShortened, kShortens);
    }
    result_.change /= share;
    result_.settled = result_.change < options_.tolerance;
    double along = 0;
    for (std::size_t i = 0; i < count(); ++i) along += ws_.w[i] * (y[i] - impulse_[i]).dot(impulse_[i] - last[i]);
    if (along > 0 || result_.change > kGrows * least) {
      t = 1;
      least = 1e300;
    }
    least = std::min(least, result_.change);
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t)), lead = (t - 1) / next;
    t = next;
    for (std::size_t i = 0; i < count(); ++i) {
      y[i] = impulse_[i] + lead * (impulse_[i] - last[i]);
      w_y[i] = w_now[i] + lead * (w_now[i] - w_last[i]);
      last[i] = impulse_[i];
    }
    w_last = w_now;
    if (result_.passes % kAnewAfter == 0) products_->product(y, w_y);
  }
  for (std::size_t i = 0; i < count(); ++i) ws_.u[i] = free_[i] + w_now[i];
}

}  // namespace hazumi
