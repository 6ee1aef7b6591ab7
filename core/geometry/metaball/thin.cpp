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

/// Where nothing reaches and so nothing leads on: whether a ridge of a primitive, or where two of its ridges cross, is within `thin`, and
/// inside. What is there is thinner than the way to it.
bool beside_ridge(const PrimitiveList& list, const Vec3& place, double thin) {
  for (int i = 0; i < list.count; ++i) {
    const KernelPrimitive& f = list.all[list.index[i]];
    Vec3 to[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3 row(f.to_unit[k][0], f.to_unit[k][1], f.to_unit[k][2]);
      double z = 0;
      for (int j = 0; j < 3; ++j) z += row[j] * (place[j] - f.centre[j]);
      to[k] = row * (-z / row.squaredNorm());
    }
    Lanes x[3], value, g[3];
    unsigned near = 0;
    for (int l = 0; l < kLanes; ++l) {  // bit k: on the plane across axis k; 0 is the place itself, 7 the centre
      Vec3 way = Vec3::Zero();
      for (int k = 0; k < 3; ++k)
        if (l >> k & 1) way += to[k];
      if (l > 0 && l < 7 && way.squaredNorm() <= thin * thin) near |= 1u << l;
      for (int k = 0; k < 3; ++k) x[k][l] = place[k] + way[k];
    }
    if (near == 0) continue;
    kernels().evaluate(list, 1, &x[0], &x[1], &x[2], &value, &g[0], &g[1], &g[2]);
    for (int l = 0; l < kLanes; ++l)
      if (near >> l & 1u && value[l] >= 1) return true;
  }
  return false;
}

}  // namespace

bool beside_thin(const PrimitiveList& list, const Vec3& place, const Sample& sample, double thin) {
  // Cosine: 78°. Of a wedge whose normals are less than 90° apart, a corner's neighbour along one of the axes is inside with it,
  // however it lies; of a sharper one corners may be alone.
  constexpr double kTurned = 0.2;
  const double side = sample.f < 0 ? 1 : -1;
  const auto other = [&](double f) { return (f >= 0) != (sample.f >= 0); };
  bool sheet = false;
  Vec3 first = Vec3::Zero(), over = Vec3::Zero();  // the gradient at the place, and the way to behind the sheet's ridge
  Vec3 from = place, gradient = sample.gradient, across = Vec3::Zero();
  double left = thin;
  // A sheet; then, within it, a spike.
  for (int stage = 0; stage < 2; ++stage) {
    if (!(gradient.squaredNorm() > 0)) return stage == 0 && beside_ridge(list, place, thin);
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
    const bool turned = own.dot(last) < kTurned * last.norm();
    if (stage == 1) {
      if (sheet || !found) return found && turned;
      // Where sheets cross, each may turn by 90° alone: what is behind both ridges tells.
      const Row beyond(list, place + over + 2 * at.high * side * normal, Vec3::Zero(), 0, 0);
      return first.dot(beyond.gradient[0]) < kTurned * beyond.gradient[0].norm();
    }
    if (turned && found) return true;
    sheet = turned;
    first = own;
    over = 2 * at.high * side * normal;
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
