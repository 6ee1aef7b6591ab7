#include "core/geometry/metaball/catalogue.h"
#include "core/math/rotation.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {

constexpr double kHalfTurn = 3.14159265358979323846;

double power(double x, double e) { return x <= 0 ? 0 : std::pow(x, e); }

/// Barr's parametrisation: sign(c) |c|^ε.
double odd_power(double c, double e) { return c < 0 ? -std::pow(-c, e) : std::pow(c, e); }

/// r of group.h in the primitive's own frame.
double radius_at(const MetaballPrimitive& p, const Vec3& own) {
  const double x = std::abs(own.x() / p.radii.x()), y = std::abs(own.y() / p.radii.y()),
               z = std::abs(own.z() / p.radii.z());
  const double plane = power(x, 2 / p.round_xy) + power(y, 2 / p.round_xy);
  if (p.shape == MetaballShape::torus) {
    const double ring = std::abs(power(plane, p.round_xy / 2) - (1 - p.tube)) / p.tube;
    return power(power(ring, 2 / p.round_xz) + power(z, 2 / p.round_xz), p.round_xz / 2);
  }
  return power(power(plane, p.round_xy / p.round_xz) + power(z, 2 / p.round_xz), p.round_xz / 2);
}

Quat towards(const Vec3& direction) { return turn_onto(Vec3::UnitZ(), direction); }

/// Builds groups of limbs and balls given by what is seen of them.
struct Modeller {
  MetaballGroup group;
  double weight = 3;  ///< stiffer than 3/2: limbs keep their shape where they meet

  void push(MetaballPrimitive p, const std::string& name) {
    p.id = next_primitive_id(group);
    p.name = name;
    p.weight = weight;
    group.primitives.push_back(std::move(p));
  }
  void ball(const std::string& name, const Vec3& centre, const Vec3& seen) {
    MetaballPrimitive p;
    p.centre = centre;
    p.radii = seen / seen_fraction(weight);
    push(std::move(p), name);
  }
  void limb(const std::string& name, const Vec3& from, const Vec3& to, double thickness) {
    MetaballPrimitive p;
    const Vec3 way = to - from;
    p.centre = 0.5 * (from + to);
    p.rotation = towards(way.normalized()).normalized();
    p.radii = Vec3(thickness, thickness, 0.5 * way.norm() + 0.6 * thickness) / seen_fraction(weight);
    p.round_xz = 0.8;
    push(std::move(p), name);
  }
  /// The same on both sides: x → −x.
  void limbs(const std::string& name, const Vec3& from, const Vec3& to, double thickness) {
    const Vec3 other(-1, 1, 1);
    limb(name + " left", from, to, thickness);
    limb(name + " right", from.cwiseProduct(other), to.cwiseProduct(other), thickness);
  }
  void balls(const std::string& name, const Vec3& centre, const Vec3& seen) {
    ball(name + " left", centre, seen);
    ball(name + " right", centre.cwiseProduct(Vec3(-1, 1, 1)), seen);
  }
};

}  // namespace

double seen_fraction(double weight) {
  const double w = std::abs(weight);
  if (w <= 1) return 0;
  return w < 1.5 ? std::sqrt((1 - 1 / w) / 3) : 1 - std::sqrt(2 / (3 * w));
}

MetaballPrimitive make_metaball(MetaballKind kind) {
  MetaballPrimitive p;
  const double fraction = seen_fraction(p.weight);
  p.radii = Vec3::Constant(0.5) / fraction;
  switch (kind) {
    case MetaballKind::ball:
      p.name = "Ball";
      break;
    case MetaballKind::ellipsoid:
      p.name = "Ellipsoid";
      p.radii = Vec3(0.75, 0.45, 0.45) / fraction;
      break;
    case MetaballKind::box:
      p.name = "Box";
      p.round_xz = p.round_xy = 0.25;
      break;
    case MetaballKind::cylinder:
      p.name = "Cylinder";
      p.round_xz = 0.2;
      p.rotation = Quat(Eigen::AngleAxisd(-kHalfTurn / 2, Vec3::UnitX()));  // its axis, z, stands up
      break;
    case MetaballKind::octahedron:
      p.name = "Octahedron";
      p.round_xz = p.round_xy = 2;
      p.radii = Vec3::Constant(0.65) / fraction;
      break;
    case MetaballKind::pinched:
      p.name = "Star";
      p.round_xz = p.round_xy = 3;
      p.radii = Vec3::Constant(0.8) / fraction;
      break;
    case MetaballKind::torus: {
      p.name = "Torus";
      p.shape = MetaballShape::torus;
      const double ring = 0.5, seen = 0.16, tube = seen / fraction;
      p.radii = Vec3(ring + tube, ring + tube, tube);
      p.tube = tube / (ring + tube);
      p.rotation = Quat(Eigen::AngleAxisd(-kHalfTurn / 2, Vec3::UnitX()));
      break;
    }
  }
  return p;
}

MetaballGroup make_figure() {
  Modeller m;
  m.ball("Belly", {0, 0.98, 0}, {0.21, 0.2, 0.16});
  m.ball("Chest", {0, 1.26, 0}, {0.24, 0.2, 0.16});
  m.ball("Head", {0, 1.64, 0.01}, {0.13, 0.165, 0.145});
  m.limb("Neck", {0, 1.4, 0}, {0, 1.54, 0.01}, 0.07);
  m.limbs("Upper arm", {0.25, 1.36, 0}, {0.44, 1.12, 0}, 0.075);
  m.limbs("Forearm", {0.45, 1.1, 0}, {0.56, 0.86, 0.06}, 0.062);
  m.balls("Hand", {0.6, 0.76, 0.09}, {0.06, 0.085, 0.045});
  m.limbs("Thigh", {0.12, 0.88, 0}, {0.15, 0.52, 0.01}, 0.105);
  m.limbs("Shin", {0.15, 0.48, 0.01}, {0.16, 0.13, 0}, 0.08);
  m.balls("Foot", {0.165, 0.058, 0.06}, {0.07, 0.055, 0.13});
  return m.group;
}

MetaballGroup make_animal() {
  Modeller m;
  m.limb("Body", {0, 0.82, -0.38}, {0, 0.84, 0.38}, 0.23);
  m.ball("Chest", {0, 0.84, 0.4}, {0.22, 0.26, 0.24});
  m.ball("Rump", {0, 0.84, -0.42}, {0.23, 0.25, 0.23});
  m.limb("Neck", {0, 0.98, 0.52}, {0, 1.25, 0.72}, 0.12);
  m.ball("Head", {0, 1.32, 0.82}, {0.14, 0.14, 0.17});
  m.ball("Snout", {0, 1.26, 1.02}, {0.08, 0.075, 0.13});
  m.limbs("Ear", {0.08, 1.42, 0.78}, {0.13, 1.58, 0.74}, 0.04);
  m.limbs("Upper foreleg", {0.14, 0.74, 0.42}, {0.15, 0.45, 0.4}, 0.085);
  m.limbs("Foreleg", {0.15, 0.42, 0.4}, {0.15, 0.1, 0.42}, 0.062);
  m.limbs("Upper hind leg", {0.14, 0.76, -0.44}, {0.15, 0.45, -0.5}, 0.105);
  m.limbs("Hind leg", {0.15, 0.42, -0.51}, {0.15, 0.1, -0.46}, 0.062);
  m.balls("Front paw", {0.15, 0.055, 0.46}, {0.07, 0.05, 0.095});
  m.balls("Hind paw", {0.15, 0.055, -0.42}, {0.07, 0.05, 0.095});
  m.limb("Tail", {0, 0.94, -0.62}, {0, 1.12, -0.98}, 0.05);
  return m.group;
}

double density(const MetaballPrimitive& primitive, const Vec3& place) {
  const double r = radius_at(primitive, primitive.rotation.conjugate() * (place - primitive.centre));
  if (!(r < 1)) return 0;
  return primitive.weight * (r < 1.0 / 3 ? 1 - 3 * r * r : 1.5 * (1 - r) * (1 - r));
}

Vec3 effective_extent(const MetaballPrimitive& primitive) {
  return primitive.rotation.toRotationMatrix().cwiseAbs() * primitive.radii;
}

std::vector<std::vector<Vec3>> section_lines(const MetaballPrimitive& p, int across, double fraction, int pieces) {
  // u and v span the section; ε of the curve in it. In the ellipsoid the sections that contain z have ε₁.
  const int u = across == 2 ? 0 : across == 1 ? 0 : 1, v = across == 2 ? 1 : 2;
  const double e = across == 2 ? p.round_xy : p.round_xz;
  const auto line = [&](const Vec3& centre, double a, double b, double exponent) {
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(pieces));
    for (int i = 0; i < pieces; ++i) {
      const double t = 2 * kHalfTurn * i / pieces;
      Vec3 q = centre;
      q[u] += a * odd_power(std::cos(t), exponent);
      q[v] += b * odd_power(std::sin(t), exponent);
      points.push_back(q);
    }
    return points;
  };
  if (p.shape == MetaballShape::torus) {
    const double ring = 1 - p.tube, reach = p.tube * fraction;
    if (across == 2)
      return {
          line(Vec3::Zero(), p.radii.x() * (ring + reach), p.radii.y() * (ring + reach), e),
          line(Vec3::Zero(), p.radii.x() * std::max(ring - reach, 0.0), p.radii.y() * std::max(ring - reach, 0.0), e)};
    std::vector<std::vector<Vec3>> both;
    for (double side : {1.0, -1.0}) {
      Vec3 centre = Vec3::Zero();
      centre[u] = side * ring * p.radii[u];
      both.push_back(line(centre, p.radii[u] * reach, p.radii[v] * fraction, e));
    }
    return both;
  }
  return {line(Vec3::Zero(), p.radii[u] * fraction, p.radii[v] * fraction, e)};
}

std::string unique_primitive_name(const MetaballGroup& group, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(group.primitives.begin(), group.primitives.end(), [&](const auto& p) { return p.name == name; });
  };
  if (!taken(wanted)) return wanted;
  // "Ball 2" counts on from "Ball".
  std::string stem = wanted;
  const std::size_t space = stem.find_last_of(' ');
  if (space != std::string::npos && space + 1 < stem.size() &&
      std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(space) + 1, stem.end(),
                  [](char c) { return c >= '0' && c <= '9'; }))
    stem.resize(space);
  for (int i = 2;; ++i)
    if (const std::string name = stem + " " + std::to_string(i); !taken(name)) return name;
}

const MetaballPrimitive* find_primitive(const MetaballGroup& group, std::uint32_t id) {
  for (const MetaballPrimitive& p : group.primitives)
    if (p.id == id) return &p;
  return nullptr;
}

MetaballPrimitive* find_primitive(MetaballGroup& group, std::uint32_t id) {
  return const_cast<MetaballPrimitive*>(find_primitive(static_cast<const MetaballGroup&>(group), id));
}

MetaballPrimitive mirrored(const MetaballPrimitive& primitive, int axis) {
  // The shape is even in each of its own axes, so the mirrored one is the same shape with rotation M R M.
  MetaballPrimitive result = primitive;
  result.centre[axis] = -result.centre[axis];
  Quat& q = result.rotation;
  for (int i = 0; i < 3; ++i)
    if (i != axis) q.vec()[i] = -q.vec()[i];
  return result;
}

}  // namespace hazumi
