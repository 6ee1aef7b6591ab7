#include "core/geometry/metaball/thin.h"

#include <cmath>

namespace hazumi::metaball {

namespace {

/// Eight samples along a way from `place`, the last at `high`.
struct Row {
  Row(const PrimitiveList& list, const Vec3& place, const Vec3& way, double low, double high) {
    Lanes x[3], value, g[3];
    for (int l = 0; l < kLanes; ++l) {
      const Vec3 p = place + way * (low + (high - low) * (l + 1) / kLanes);
      for (int k = 0; k < 3; ++k) x[k][l] = p[k];
    }
    kernels().evaluate(list, 1, &x[0], &x[1], &x[2], &value, &g[0], &g[1], &g[2]);
    for (int l = 0; l < kLanes; ++l) {
      f[l] = value[l] - 1;
      gradient[l] = Vec3(g[0][l], g[1][l], g[2][l]);
    }
  }
  /// First sample at which the field along the way turns; kLanes: none.
  int ridge(const Vec3& own) const {
    for (int l = 0; l < kLanes; ++l)
      if (own.dot(gradient[l]) < 0) return l;
    return kLanes;
  }
  double f[kLanes];
  Vec3 gradient[kLanes];
};

/// Between which places of a way the ridge lies, and the gradients there.
struct Bracket {
  double low, high;
  Vec3 before, behind;
  void narrow(const Row& row, int ridge) {
    if (ridge > 0) before = row.gradient[ridge - 1];
    behind = row.gradient[ridge];
    const double step = (high - low) / kLanes;
    high = low + step * (ridge + 1);
    low = high - step;
  }
};

}  // namespace

bool beside_thin(const PrimitiveList& list, const Vec3& place, const Sample& sample, double thin) {
  constexpr double kTurned = -0.2;  // cosine: 102°; edges of boxes are at 0, of octahedra at −0.33
  const double side = sample.f < 0 ? 1 : -1;
  const auto other = [&](double f) { return (f >= 0) != (sample.f >= 0); };
  Vec3 from = place, gradient = sample.gradient, across = Vec3::Zero();
  double left = thin;
  // A sheet; then, within it, a spike.
  for (int stage = 0; stage < 2; ++stage) {
    if (!(gradient.squaredNorm() > 0)) return false;
    const Vec3 own = gradient.normalized();
    Bracket at{0, left, own, own};
    for (int round = 0; round < 2; ++round) {
      const Row row(list, from, side * own, at.low, at.high);
      const int ridge = row.ridge(own);
      if (ridge == kLanes && round == 0) return false;
      if (ridge == kLanes) break;
      at.narrow(row, ridge);
    }
    Vec3 normal = at.before - at.behind;
    normal -= across * across.dot(normal);
    if (!(normal.squaredNorm() > 0)) return false;
    normal.normalize();
    // Straight to the ridge: where its rim is is then the same from all corners around.
    at = {0, left, own, own};
    bool found = false;
    for (int round = 0; round < 3; ++round) {
      const Row row(list, from, side * normal, at.low, at.high);
      int ridge = row.ridge(normal);
      if (ridge == kLanes && round == 0) return false;
      if (ridge == kLanes) break;
      for (int l = 0; l <= ridge; ++l) found = found || other(row.f[l]);
      at.narrow(row, ridge);
    }
    const Row behind(list, from, side * normal, at.low, 2 * at.high);
    Vec3 last = behind.gradient[kLanes - 1];
    last -= across * across.dot(last);
    if (!(own.dot(last) < kTurned * last.norm())) return false;
    if (found) return true;
    from += side * normal * at.low;
    const double square = thin * thin - (from - place).squaredNorm();
    if (!(square > 0)) return false;
    left = std::sqrt(square);
    gradient = at.before + at.behind;
    gradient -= normal * normal.dot(gradient);
    across = normal;
  }
  return false;
}

}  // namespace hazumi::metaball
