#include "core/geometry/metaball/field.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

/// x^p for x ≥ 0; n is p when p is a small whole number. Below 1e-9 a negative power is held: the slope of a
/// pinched shape (ε > 2) is infinite on its creases.
double power(double x, double p, int n) {
  if (n > 0) {
    double result = (n & 1) ? x : 1.0, square = x;
    for (int k = n >> 1; k > 0; k >>= 1) {
      square *= square;
      if (k & 1) result *= square;
    }
    return result;
  }
  if (p < 0) return std::pow(std::max(x, 1e-9), p);
  return x > 0 ? std::pow(x, p) : (p == 0 ? 1.0 : 0.0);
}

/// N_p(a, b), a and b ≥ 0, without overflow.
double norm(double a, double b, double p, int n) {
  if (n == 2) return std::sqrt(a * a + b * b);
  if (n == 1) return a + b;
  const double high = std::max(a, b), low = std::min(a, b);
  if (low <= 0) return high;
  const double t = power(low / high, p, n);
  return t < 1e-17 ? high : high * std::pow(1 + t, 1 / p);
}

double density(double r, double w) {
  if (r >= 1) return 0;
  return r < 1.0 / 3 ? w * (1 - 3 * r * r) : 1.5 * w * (1 - r) * (1 - r);
}
/// ρ'(r).
double density_slope(double r, double w) {
  if (r >= 1) return 0;
  return r < 1.0 / 3 ? -6 * w * r : -3 * w * (1 - r);
}

/// −ρ'(r) / (w r): falls with r.
double fall(double r) {
  if (r >= 1) return 0;
  return r < 1.0 / 3 ? 6 : 3 * (1 - r) / r;
}

int whole(double p) {
  const double n = std::round(p);
  return std::abs(p - n) < 1e-12 && n <= 40 ? static_cast<int>(n) : 0;
}

}  // namespace

FieldPrimitive::FieldPrimitive(const MetaballPrimitive& primitive) {
  centre = primitive.centre;
  const Mat3 rotation = primitive.rotation.normalized().toRotationMatrix();
  const Vec3 a = primitive.radii.cwiseMax(1e-9);
  to_unit = a.cwiseInverse().asDiagonal() * rotation.transpose();
  reach = rotation.cwiseAbs() * a;
  p1 = 2 / std::clamp(primitive.round_xz, 0.02, 10.0);
  p2 = 2 / std::clamp(primitive.round_xy, 0.02, 10.0);
  n1 = whole(p1);
  n2 = whole(p2);
  torus = primitive.shape == MetaballShape::torus;
  tube = torus ? std::clamp(primitive.tube, 1e-3, 0.999) : 0;
  ring = torus ? 1 - tube : 0;
  weight = primitive.weight;
  round = !torus && n1 == 2 && n2 == 2;
  flat = -1;
  for (int k = 0; k < 3 && !torus && weight > 0 && std::min(p1, p2) >= kCreased; ++k)
    if (a[k] <= 0.3 * std::min(a[(k + 1) % 3], a[(k + 2) % 3])) flat = k;
  // Where the density of a single primitive is 1: 4.1's closed form.
  const double w = std::abs(weight);
  const double surface = w > 1.5 ? 1 - std::sqrt(2 / (3 * w)) : w > 1 ? std::sqrt((1 - 1 / w) / 3) : 0;
  thinnest = std::max(surface, 0.2) * (torus ? std::min(std::min(a.x(), a.y()) * tube, a.z()) : a.minCoeff());
}

double FieldPrimitive::value(const Vec3& p) const {
  const Vec3 X = to_unit * (p - centre);
  if (round) {
    const double s = X.squaredNorm();
    if (s >= 1) return 0;
    if (s < 1.0 / 9) return weight * (1 - 3 * s);
    const double c = 1 - std::sqrt(s);
    return 1.5 * weight * c * c;
  }
  const double u = std::abs(X.x()), v = std::abs(X.y()), z = std::abs(X.z());
  if (u >= 1 || v >= 1 || z >= 1) return 0;
  double m = norm(u, v, p2, n2);
  if (torus) m = std::abs(m - ring) / tube;
  return m >= 1 ? 0 : density(norm(m, z, p1, n1), weight);
}

double FieldPrimitive::value(const Vec3& p, Vec3& gradient) const {
  const Vec3 X = to_unit * (p - centre);
  if (round) {
    const double s = X.squaredNorm();
    if (s >= 1) return 0;
    const double r = std::sqrt(s);
    gradient.noalias() += to_unit.transpose() * (X * (-weight * fall(r)));
    return density(r, weight);
  }
  const double u = std::abs(X.x()), v = std::abs(X.y()), z = std::abs(X.z());
  if (u >= 1 || v >= 1 || z >= 1) return 0;
  const double m = norm(u, v, p2, n2);
  const double t = torus ? std::abs(m - ring) / tube : m;
  if (t >= 1) return 0;
  const double r = norm(t, z, p1, n1);
  if (r >= 1) return 0;
  if (r > 0) {
    const double slope = density_slope(r, weight);
    double along_m = slope * power(t / r, p1 - 1, n1 - 1 > 0 ? n1 - 1 : 0);
    if (torus) along_m *= (m < ring ? -1 : 1) / tube;
    const double over_m = m > 0 ? 1 / m : 0;
    const int n = n2 - 1 > 0 ? n2 - 1 : 0;
    // On a crease (u, v or z is 0 and the exponent at most 1) the slope across it is undefined: 0 by
    // symmetry.
    const Vec3 g(u > 0 ? std::copysign(along_m * power(u * over_m, p2 - 1, n), X.x() * along_m) : 0,
                 v > 0 ? std::copysign(along_m * power(v * over_m, p2 - 1, n), X.y() * along_m) : 0,
                 z > 0 ? std::copysign(slope * power(z / r, p1 - 1, n1 - 1 > 0 ? n1 - 1 : 0), X.z() * slope) : 0);
    gradient.noalias() += to_unit.transpose() * g;
  }
  return density(r, weight);
}

namespace {

metaball::KernelPrimitive pack(const FieldPrimitive& f) {
  metaball::KernelPrimitive p{};
  for (int k = 0; k < 3; ++k) {
    p.centre[k] = f.centre[k];
    for (int j = 0; j < 3; ++j) {
      p.to_unit[k][j] = f.to_unit(k, j);
      p.to_unit_f[k][j] = static_cast<float>(f.to_unit(k, j));
    }
  }
  p.p1 = f.p1;
  p.p2 = f.p2;
  p.q1 = 1 / f.p1;
  p.q2 = 1 / f.p2;
  p.ring = f.ring;
  p.tube = f.torus ? f.tube : 1;
  p.weight = f.weight;
  p.n1 = f.n1;
  p.n2 = f.n2;
  p.torus = f.torus;
  p.round = f.round;
  p.even = !f.torus && f.p1 == f.p2;
  return p;
}

/// The same box eight times, and all primitives.
struct OneBox {
  OneBox(const MetaballField& field, const Vec3& x, const Vec3& half)
      : index(field.primitives().size()), reach(index.size()), bounds(index.size()) {
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::uint16_t>(i);
    list = {field.packed().data(), index.data(), static_cast<int>(index.size())};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < metaball::kLanes; ++l) centre[k][l] = x[k];
    const double h[3] = {half.x(), half.y(), half.z()};
    metaball::kernels().bound(list, centre, h, range, reach.data(), bounds.data());
  }
  std::vector<std::uint16_t> index;
  std::vector<std::uint8_t> reach;
  std::vector<metaball::PrimitiveBounds> bounds;
  metaball::PrimitiveList list;
  metaball::Lanes centre[3], range[2];
};

}  // namespace

MetaballField::MetaballField(const MetaballGroup& group) {
  for (std::size_t i = 0; i < group.primitives.size() && primitives_.size() < 4096; ++i) {
    const MetaballPrimitive& p = group.primitives[i];
    const bool finite = p.centre.allFinite() && p.radii.allFinite() && p.rotation.coeffs().allFinite() &&
                        std::isfinite(p.weight) && p.radii.minCoeff() > 0;
    if (!p.visible || p.weight == 0 || !finite) continue;
    primitives_.emplace_back(p);
    packed_.push_back(pack(primitives_.back()));
    source_.push_back(static_cast<std::uint32_t>(i));
    largest_diameter_ = std::max(largest_diameter_, 2 * p.radii.maxCoeff());
  }
}

double MetaballField::value(const Vec3& p) const {
  double sum = 0;
  for (const FieldPrimitive& f : primitives_) sum += f.value(p);
  return sum;
}

double MetaballField::value(const Vec3& p, Vec3& gradient) const {
  double sum = 0;
  gradient.setZero();
  for (const FieldPrimitive& f : primitives_) sum += f.value(p, gradient);
  return sum;
}

double MetaballField::value(const Vec3& p, std::span<const std::uint16_t> list) const {
  double sum = 0;
  for (std::uint16_t i : list) sum += primitives_[i].value(p);
  return sum;
}

double MetaballField::value(const Vec3& p, std::span<const std::uint16_t> list, Vec3& gradient) const {
  double sum = 0;
  gradient.setZero();
  for (std::uint16_t i : list) sum += primitives_[i].value(p, gradient);
  return sum;
}

Range MetaballField::range(const Box3& box) const {
  const OneBox one(*this, box.centre(), 0.5 * box.size());
  return {one.range[0][0], one.range[1][0]};
}

Range MetaballField::directional_range(const Vec3& x, double h, const Vec3& d) const {
  OneBox one(*this, x, Vec3::Constant(h));
  const metaball::Kernels& kernel = metaball::kernels();
  kernel.bound_slopes(one.list, one.reach.data(), one.bounds.data());
  metaball::Lanes along[3], range[2];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < metaball::kLanes; ++l) along[k][l] = d[k];
  kernel.bound_along(one.list, one.reach.data(), one.bounds.data(), along, range);
  return {range[0][0], range[1][0]};
}

}  // namespace hazumi
