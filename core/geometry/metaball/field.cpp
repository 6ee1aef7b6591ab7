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

Range ordered(double a, double b) { return a < b ? Range{a, b} : Range{b, a}; }
Range times(const Range& a, const Range& b) {
  const double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {std::min({p[0], p[1], p[2], p[3]}), std::max({p[0], p[1], p[2], p[3]})};
}
Range times(double s, const Range& a) { return ordered(s * a.low, s * a.high); }
void add(Range& sum, const Range& a) {
  sum.low += a.low;
  sum.high += a.high;
}
/// |x| over [x − h, x + h].
Range absolute(double x, double h) { return {std::max(0.0, std::abs(x) - h), std::abs(x) + h}; }

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
  unit_per_half = to_unit.cwiseAbs().rowwise().sum();
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
    const Vec3 g(
        u > 0 ? std::copysign(along_m * power(u * over_m, p2 - 1, n), X.x() * along_m) : 0,
        v > 0 ? std::copysign(along_m * power(v * over_m, p2 - 1, n), X.y() * along_m) : 0,
        z > 0 ? std::copysign(slope * power(z / r, p1 - 1, n1 - 1 > 0 ? n1 - 1 : 0), X.z() * slope) : 0);
    gradient.noalias() += to_unit.transpose() * g;
  }
  return density(r, weight);
}

bool bound_value(const FieldPrimitive& f, const Vec3& x, double h, FieldBounds& out) {
  out.X.noalias() = f.to_unit * (x - f.centre);
  out.H = f.unit_per_half * h;
  const Range u = absolute(out.X.x(), out.H.x()), v = absolute(out.X.y(), out.H.y()),
              z = absolute(out.X.z(), out.H.z());
  // A hair beyond 1: a corner of a neighbour must never see a primitive that this cell dropped.
  constexpr double kEdge = 1 + 1e-9;
  if (u.low >= kEdge || v.low >= kEdge || z.low >= kEdge) return false;
  if (f.round) {
    const double low = u.low * u.low + v.low * v.low + z.low * z.low;
    if (low >= kEdge * kEdge) return false;
    out.r = {std::sqrt(low), std::sqrt(u.high * u.high + v.high * v.high + z.high * z.high)};
  } else {
    Range m{norm(u.low, v.low, f.p2, f.n2), norm(u.high, v.high, f.p2, f.n2)};
    if (f.torus) {
      const Range t{(m.low - f.ring) / f.tube, (m.high - f.ring) / f.tube};
      m.high = std::max(std::abs(t.low), std::abs(t.high));
      m.low = t.low <= 0 && t.high >= 0 ? 0 : std::min(std::abs(t.low), std::abs(t.high));
    }
    if (m.low >= kEdge) return false;
    out.r = {norm(m.low, z.low, f.p1, f.n1), norm(m.high, z.high, f.p1, f.n1)};
    if (out.r.low >= kEdge) return false;
  }
  out.rho = ordered(density(out.r.low, f.weight), density(out.r.high, f.weight));
  return true;
}

void bound_slopes(const FieldPrimitive& f, FieldBounds& b) {
  const double w = f.weight;
  if (f.round) {
    const Range c = ordered(-w * fall(b.r.low), -w * fall(b.r.high));
    for (int k = 0; k < 3; ++k) b.slope[k] = times(c, Range{b.X[k] - b.H[k], b.X[k] + b.H[k]});
  } else {
    // |ρ'| rises to 2|w| at r = 1/3 and falls to 0 at 1.
    Range steep = ordered(std::abs(density_slope(b.r.low, w)), std::abs(density_slope(b.r.high, w)));
    if (b.r.low <= 1.0 / 3 && b.r.high >= 1.0 / 3) steep.high = 2 * std::abs(w);
    const Range slope = times(w > 0 ? -1.0 : 1.0, steep);
    const Range u = absolute(b.X.x(), b.H.x()), v = absolute(b.X.y(), b.H.y()),
                z = absolute(b.X.z(), b.H.z());
    // ∂N/∂a = (a/N(a,b))^(p−1) for a in `a`, b in `c`.
    const auto norm_slope = [](const Range& a, const Range& c, double p, int n) {
      const auto ratio = [&](double s, double t) {
        const double whole_norm = norm(s, t, p, n);
        return whole_norm > 0 ? s / whole_norm : 0.0;
      };
      // Where both may vanish the ratio takes every value from 0 to 1.
      const double low = a.low <= 0 ? 0 : ratio(a.low, c.high);
      const double high = c.low <= 0 ? 1 : ratio(a.high, c.low);
      const int k = n - 1 > 0 ? n - 1 : 0;
      if (p == 1) return Range{1, 1};
      return ordered(power(low, p - 1, k), power(high, p - 1, k));
    };
    Range m{norm(u.low, v.low, f.p2, f.n2), norm(u.high, v.high, f.p2, f.n2)};
    Range sign{1, 1};
    if (f.torus) {
      const Range t{(m.low - f.ring) / f.tube, (m.high - f.ring) / f.tube};
      sign = {t.low < 0 ? -1 / f.tube : 1 / f.tube, t.high > 0 ? 1 / f.tube : -1 / f.tube};
      m.high = std::max(std::abs(t.low), std::abs(t.high));
      m.low = t.low <= 0 && t.high >= 0 ? 0 : std::min(std::abs(t.low), std::abs(t.high));
    }
    const Range along_m = times(times(slope, sign), norm_slope(m, z, f.p1, f.n1));
    const auto signed_axis = [](double x, double h, Range a) {
      if (x - h >= 0) return a;
      if (x + h <= 0) return Range{-a.high, -a.low};
      return Range{-a.high, a.high};
    };
    b.slope[0] = times(along_m, signed_axis(b.X.x(), b.H.x(), norm_slope(u, v, f.p2, f.n2)));
    b.slope[1] = times(along_m, signed_axis(b.X.y(), b.H.y(), norm_slope(v, u, f.p2, f.n2)));
    b.slope[2] = times(slope, signed_axis(b.X.z(), b.H.z(), norm_slope(z, m, f.p1, f.n1)));
  }
  // r |ρ'| / |w| = 6r² below 1/3, then 3 r (1 − r): rises up to r = 1/2.
  const auto along = [](double r) { return r >= 1 ? 0 : r < 1.0 / 3 ? 6 * r * r : 3 * r * (1 - r); };
  Range e = ordered(along(b.r.low), along(b.r.high));
  if (b.r.low <= 0.5 && b.r.high >= 0.5) e.high = 0.75;
  b.euler = times(-w, e);
}

Range bound_directional(const FieldPrimitive& f, const FieldBounds& b, const Vec3& d) {
  const Vec3 e = f.to_unit * d;
  Range plain = times(e.x(), b.slope[0]);
  add(plain, times(e.y(), b.slope[1]));
  add(plain, times(e.z(), b.slope[2]));
  if (f.torus) return plain;
  const double square = b.X.squaredNorm();
  if (square <= 0) return plain;
  // d = α X + rest, and X = x − δ with |δ| ≤ H: d·∇ρ = α x·∇ρ − α δ·∇ρ + rest·∇ρ.
  const double alpha = e.dot(b.X) / square;
  const Vec3 rest = e - alpha * b.X;
  Range ray = times(alpha, b.euler);
  for (int k = 0; k < 3; ++k) {
    const double s = std::abs(alpha) * b.H[k];
    add(ray, times(Range{rest[k] - s, rest[k] + s}, b.slope[k]));
  }
  return {std::max(plain.low, ray.low), std::min(plain.high, ray.high)};
}

MetaballField::MetaballField(const MetaballGroup& group) {
  for (std::size_t i = 0; i < group.primitives.size() && primitives_.size() < 4096; ++i) {
    const MetaballPrimitive& p = group.primitives[i];
    const bool finite = p.centre.allFinite() && p.radii.allFinite() && p.rotation.coeffs().allFinite() &&
                        std::isfinite(p.weight) && p.radii.minCoeff() > 0;
    if (!p.visible || p.weight == 0 || !finite) continue;
    primitives_.emplace_back(p);
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
  Range sum;
  const Vec3 x = box.centre(), half = 0.5 * box.size();
  for (const FieldPrimitive& f : primitives_) {
    // A box is bounded like a cube, with half widths of its own.
    FieldPrimitive scaled = f;
    scaled.unit_per_half = f.to_unit.cwiseAbs() * half;
    FieldBounds b;
    if (bound_value(scaled, x, 1, b)) add(sum, b.rho);
  }
  return sum;
}

Range MetaballField::directional_range(const Vec3& x, double h, const Vec3& d) const {
  Range sum;
  for (const FieldPrimitive& f : primitives_) {
    FieldBounds b;
    if (!bound_value(f, x, h, b)) continue;
    bound_slopes(f, b);
    add(sum, bound_directional(f, b, d));
  }
  return sum;
}

}  // namespace hazumi
