// Shapes that are a profile (distance q from the axis, height y) taken around an outline (x, z): superquadrics, capsule, tube.
//
// Spherical product of two curves (Barr 1981): p = (a q x, b y, c q z). With dual normals of the curves, that is gradients
// of what is 1 along them (so that n · p = 1 on the outline), the surface's normal is (n_q n_x / a, n_y / b, n_q n_z / c).
//
// A curve is a row of strips, smooth within and split where the shape has an edge: superellipses with an exponent near 2 and
// above have one wherever they cross an axis.
#include <vector>

#include "core/geometry/mesh/primitive_builder.h"

namespace hazumi::primitive {

namespace {

constexpr double kSharp = 1.9;   // exponents from which on the crossing of an axis is an edge
constexpr double kInside = 0.1;  // of a step: where the normal beside an edge is taken, which has none itself

/// A point of a curve with its dual normal. Outline: u = x, v = z; profile: u = q, v = y.
struct CurvePoint {
  double u, v, nu, nv;
};

struct Strip {
  std::vector<CurvePoint> points;
  bool closed = false;  // the last point is followed by the first
};

double signed_power(double base, double exponent) {
  return base == 0 ? 0 : std::copysign(std::pow(std::abs(base), exponent), base);
}

/// Superellipse |u|^(2/ε) + |v|^(2/ε) = 1 at sin t, cos t: u = sin^ε, dual normal sin^(2 − ε).
CurvePoint superellipse(double sine, double cosine, double e) {
  return {signed_power(sine, e), signed_power(cosine, e), signed_power(sine, 2 - e), signed_power(cosine, 2 - e)};
}

/// Point k of n (a multiple of four), from v = 1 towards u = 1. side ±1: the normal just after or before it.
CurvePoint superellipse(int k, int n, double e, int side) {
  const auto at = [&](double step) {
    const double angle = 2 * kPi * step / n;
    return superellipse(std::sin(angle), std::cos(angle), e);
  };
  const int quarter = n / 4, q = ((k % n) + n) % n;
  if (q % quarter != 0) return at(q);
  // On the axes: exactly, since a power of 6e-17 is far from zero.
  static constexpr double kSine[] = {0, 1, 0, -1}, kCosine[] = {1, 0, -1, 0};
  const double s = kSine[q / quarter], c = kCosine[q / quarter];
  CurvePoint point{s, c, s, c};
  if (side != 0) {
    const CurvePoint beside = at(q + side * kInside);
    point.nu = beside.nu;
    point.nv = beside.nv;
  }
  return point;
}

/// From point `first` to point `last` of n; closed when that is all around.
std::vector<Strip> superellipse_strips(int first, int last, int n, double e) {
  std::vector<Strip> strips;
  if (e < kSharp) {
    Strip& strip = strips.emplace_back();
    strip.closed = last - first == n;
    for (int k = first; k < last + (strip.closed ? 0 : 1); ++k) strip.points.push_back(superellipse(k, n, e, 0));
    return strips;
  }
  for (int from = first; from < last; from += n / 4) {
    Strip& strip = strips.emplace_back();
    for (int k = from; k <= from + n / 4; ++k)
      strip.points.push_back(superellipse(k, n, e, k == from ? 1 : k == from + n / 4 ? -1 : 0));
  }
  return strips;
}

std::vector<Strip> round_outline(int around) {
  Strip strip;
  strip.closed = true;
  for (int k = 0; k < around; ++k) {
    const Vec2 c = circle(k, around);
    strip.points.push_back({c.x(), c.y(), c.x(), c.y()});
  }
  return {strip};
}

/// Flat ring at height y, from one distance of the axis to another: outwards it faces down, inwards up.
Strip ring(double y, double from, double to, int rings) {
  Strip strip;
  for (int k = 0; k <= rings; ++k) {
    const double q = k == 0 ? from : k == rings ? to : from + (to - from) * k / rings;
    strip.points.push_back({q, y, 0, from < to ? -1.0 : 1.0});
  }
  return strip;
}

DisplayMesh turned(const Primitive& p, const std::vector<Strip>& profile, const std::vector<Strip>& outline,
                   const char* name) {
  Builder b;
  const Vec3 half = 0.5 * p.size;
  for (const Strip& rows : profile)
    for (const Strip& columns : outline) {
      const auto first = static_cast<Index>(b.mesh.positions.size());
      const std::size_t height = rows.points.size(), width = columns.points.size();
      for (const CurvePoint& r : rows.points)
        for (const CurvePoint& c : columns.points)
          b.vertex(Vec3(half.x() * (r.u * c.u), half.y() * r.v, half.z() * (r.u * c.v)),
                   Vec3(r.nu * c.nu / half.x(), r.nv / half.y(), r.nu * c.nv / half.z()));
      const auto at = [&](std::size_t i, std::size_t j) {
        return first + static_cast<Index>((j % height) * width + i % width);
      };
      for (std::size_t j = 0; j + (rows.closed ? 0 : 1) < height; ++j)
        for (std::size_t i = 0; i + (columns.closed ? 0 : 1) < width; ++i) {
          const bool from_axis = rows.points[j].u == 0, to_axis = rows.points[(j + 1) % height].u == 0;
          if (from_axis)
            b.triangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
          else if (to_axis)
            b.triangle(at(i, j), at(i + 1, j), at(i, j + 1));
          else
            b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
  return b.finish(name);
}

int multiple(int n, int of) { return std::max(of, (n + of - 1) / of * of); }

std::vector<Strip> super_outline(const Primitive& p) {
  const int around = multiple(p.divisions[0], 4);
  return superellipse_strips(0, around, around, p.round_across);
}

}  // namespace

DisplayMesh superellipsoid(const Primitive& p) {
  // Half a superellipse from the lower pole (v = −1) by u = 1 to the upper one: backwards through superellipse_strips.
  const int rows = multiple(p.divisions[1], 2);
  std::vector<Strip> profile = superellipse_strips(0, rows, 2 * rows, p.round_along);
  for (Strip& strip : profile) {
    std::reverse(strip.points.begin(), strip.points.end());
  }
  std::reverse(profile.begin(), profile.end());
  return turned(p, profile, super_outline(p), "superellipsoid");
}

DisplayMesh supertorus(const Primitive& p) {
  const int around_tube = multiple(p.divisions[1], 4);
  const double tube = 2 * torus_tube(p.size), middle = 1 - tube;  // outer radius 1
  std::vector<Strip> profile = superellipse_strips(0, around_tube, around_tube, p.round_along);
  for (Strip& strip : profile) {
    std::reverse(strip.points.begin(), strip.points.end());
    for (CurvePoint& point : strip.points) {
      point.u = middle + tube * point.u;
      point.nu /= tube;
    }
  }
  return turned(p, profile, super_outline(p), "supertorus");
}

DisplayMesh hyperboloid_one(const Primitive& p) {
  const int rows = multiple(p.divisions[1], 2), rings = std::max(1, p.divisions[2]);
  const double e = p.round_along, waist = p.ratio, k = std::pow(waist, -2 / e) - 1;
  const auto point = [&](int row, double inside) {
    const double y = 2.0 * row / rows - 1, beside = y + inside * 2 / rows;
    const auto distance = [&](double h) { return waist * std::pow(1 + k * std::pow(std::abs(h), 2 / e), e / 2); };
    CurvePoint result{row == 0 || row == rows ? 1 : distance(y), y, 0, 0};
    result.nu = std::pow(distance(beside) / waist, 2 / e - 1) / waist;
    result.nv = beside == 0 ? 0 : -k * signed_power(beside, 2 / e - 1);
    return result;
  };
  std::vector<Strip> profile = {ring(-1, 0, 1, rings)};
  const bool sharp = e >= kSharp;
  profile.emplace_back();
  for (int row = 0; row <= rows; ++row) {
    const bool edge = sharp && 2 * row == rows;
    profile.back().points.push_back(point(row, edge ? -kInside : 0));
    if (!edge) continue;
    profile.emplace_back();
    profile.back().points.push_back(point(row, kInside));
  }
  profile.push_back(ring(1, 1, 0, rings));
  return turned(p, profile, super_outline(p), "one-sheet hyperboloid");
}

DisplayMesh hyperboloid_two(const Primitive& p) {
  const int rows = std::max(1, p.divisions[1]), rings = std::max(1, p.divisions[2]);
  const double e = p.round_along, gap = p.ratio, k = std::pow(gap, -2 / e) - 1;
  const auto point = [&](int row) {
    const double q = static_cast<double>(row) / rows;
    // At the apex of a pointed sheet there is no one normal: the one a little outwards.
    const double beside = row == 0 && e >= kSharp ? kInside / rows : q;
    const auto height = [&](double distance) { return gap * std::pow(1 + k * std::pow(distance, 2 / e), e / 2); };
    CurvePoint result{q, row == rows ? 1 : height(q), 0, 0};
    result.nu = beside == 0 ? 0 : k * std::pow(beside, 2 / e - 1);
    result.nv = -std::pow(height(beside) / gap, 2 / e - 1) / gap;
    return result;
  };
  Strip upper, lower;
  for (int row = 0; row <= rows; ++row) upper.points.push_back(point(row));
  lower = upper;
  std::reverse(lower.points.begin(), lower.points.end());
  for (CurvePoint& at : lower.points) {
    at.v = -at.v;
    at.nv = -at.nv;
  }
  return turned(p, {ring(-1, 0, 1, rings), lower, upper, ring(1, 1, 0, rings)}, super_outline(p),
                "two-sheet hyperboloid");
}

DisplayMesh capsule(const Primitive& p) {
  const double height = 0.5 * p.size.y(), cap = std::min(height, 0.25 * (p.size.x() + p.size.z()));
  const double share = cap / height;  // of half the height
  const int rows = std::max(2, p.divisions[1]);
  const int bend = share < 1 ? std::max(1, rows / 3) : std::max(1, rows / 2),
            straight = share < 1 ? std::max(1, rows - 2 * bend) : 0;
  Strip strip;
  const auto round = [&](int k, double side) {
    // k = 0 on the axis, k = bend where the cap meets the side.
    const double angle = 0.5 * kPi * k / bend;
    const double q = k == 0 ? 0 : k == bend ? 1 : std::sin(angle), y = k == 0 ? 1 : k == bend ? 0 : std::cos(angle);
    strip.points.push_back({q, k == 0 ? side : side * ((1 - share) + share * y), q, side * y / share});
  };
  for (int k = 0; k <= bend; ++k) round(k, -1);
  for (int k = 1; k < straight; ++k) strip.points.push_back({1, (1 - share) * (2.0 * k / straight - 1), 1, 0});
  for (int k = straight > 0 ? bend : bend - 1; k >= 0; --k) round(k, 1);
  return turned(p, {strip}, round_outline(std::max(3, p.divisions[0])), "capsule");
}

DisplayMesh tube(const Primitive& p) {
  const int along = std::max(1, p.divisions[1]), rings = std::max(1, p.divisions[2]);
  const auto wall = [&](double distance, double facing) {
    Strip strip;
    for (int k = 0; k <= along; ++k) {
      const double y = k == 0 ? -1 : k == along ? 1 : 2.0 * k / along - 1;
      strip.points.push_back({distance, facing * y, facing, 0});
    }
    return strip;
  };
  return turned(p, {ring(-1, p.ratio, 1, rings), wall(1, 1), ring(1, 1, p.ratio, rings), wall(p.ratio, -1)},
                round_outline(std::max(3, p.divisions[0])), "tube");
}

}  // namespace hazumi::primitive
