#include "core/geometry/mesh/primitives.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/primitive_builder.h"

namespace hazumi {

namespace {

using namespace primitive;

DisplayMesh box(const Primitive& p) {
  Builder b;
  const auto& n = p.divisions;
  const auto coordinate = [&](int axis, int k) { return p.size[axis] * (static_cast<double>(k) / n[axis] - 0.5); };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; ++side) {
      const auto base = static_cast<Index>(b.mesh.positions.size());
      Vec3 normal = Vec3::Zero();
      normal[axis] = side ? 1 : -1;
      for (int j = 0; j <= n[v]; ++j)
        for (int i = 0; i <= n[u]; ++i) {
          Vec3 q;
          q[axis] = coordinate(axis, side ? n[axis] : 0);
          q[u] = coordinate(u, i);
          q[v] = coordinate(v, j);
          b.vertex(q, normal);
        }
      const auto at = [&](int i, int j) { return base + static_cast<Index>(j * (n[u] + 1) + i); };
      for (int j = 0; j < n[v]; ++j)
        for (int i = 0; i < n[u]; ++i)
          side ? b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))
               : b.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  return b.finish("box");
}

DisplayMesh sphere(const Primitive& p) {
  Builder b;
  const int around = std::max(3, p.divisions[0]), rows = std::max(2, p.divisions[1]);
  const Vec3 r = 0.5 * p.size;
  const auto add = [&](const Vec3& unit) { return b.vertex(r.cwiseProduct(unit), unit.cwiseQuotient(r)); };
  const Index south = add(Vec3(0, -1, 0));
  for (int j = 1; j < rows; ++j) {
    const double polar = kPi * j / rows;
    for (int i = 0; i < around; ++i) {
      const Vec2 c = circle(i, around);
      add(Vec3(std::sin(polar) * c.x(), -std::cos(polar), std::sin(polar) * c.y()));
    }
  }
  const Index north = add(Vec3(0, 1, 0));
  const auto at = [&](int i, int j) { return south + 1 + static_cast<Index>((j - 1) * around + i % around); };
  for (int i = 0; i < around; ++i) {
    b.triangle(south, at(i + 1, 1), at(i, 1));
    for (int j = 1; j + 1 < rows; ++j) b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    b.triangle(north, at(i, rows - 1), at(i + 1, rows - 1));
  }
  return b.finish("sphere");
}

/// Disc in the plane y, facing up or down, `rings` rings of `around` vertices.
void disc(Builder& b, const Vec3& r, double y, bool up, int around, int rings) {
  const Vec3 normal(0, up ? 1 : -1, 0);
  const Index centre = b.vertex(Vec3(0, y, 0), normal);
  for (int k = 1; k <= rings; ++k)
    for (int i = 0; i < around; ++i) {
      const Vec2 c = circle(i, around);
      const double t = k == rings ? 1.0 : static_cast<double>(k) / rings;
      b.vertex(Vec3(t * (r.x() * c.x()), y, t * (r.z() * c.y())), normal);
    }
  const auto at = [&](int i, int k) { return centre + 1 + static_cast<Index>((k - 1) * around + i % around); };
  for (int i = 0; i < around; ++i) {
    up ? b.triangle(centre, at(i, 1), at(i + 1, 1)) : b.triangle(centre, at(i + 1, 1), at(i, 1));
    for (int k = 1; k < rings; ++k)
      up ? b.quad(at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k))
         : b.quad(at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  }
}

DisplayMesh cylinder(const Primitive& p) {
  Builder b;
  const int around = std::max(3, p.divisions[0]), along = std::max(1, p.divisions[1]);
  const Vec3 r = 0.5 * p.size;
  const auto height = [&](int j) { return p.size.y() * (static_cast<double>(j) / along - 0.5); };
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const Vec2 c = circle(i, around);
      b.vertex(Vec3(r.x() * c.x(), height(j), r.z() * c.y()), Vec3(c.x() / r.x(), 0, c.y() / r.z()));
    }
  const auto at = [&](int i, int j) { return static_cast<Index>(j * around + i % around); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  disc(b, r, height(0), false, around, std::max(1, p.divisions[2]));
  disc(b, r, height(along), true, around, std::max(1, p.divisions[2]));
  return b.finish("cylinder");
}

DisplayMesh cone(const Primitive& p) {
  Builder b;
  const int around = std::max(3, p.divisions[0]), along = std::max(1, p.divisions[1]);
  const Vec3 r = 0.5 * p.size;
  const double bottom = -r.y();
  // Normal of the side: gradient of (x/rx)² + (z/rz)² = ((top − y)/height)², with rx, rz the radii at the bottom.
  const auto slope = [&](const Vec2& c) { return Vec3(c.x() / r.x(), 1.0 / p.size.y(), c.y() / r.z()); };
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < around; ++i) {
      const Vec2 c = circle(i, around);
      const double t = 1.0 - static_cast<double>(j) / along;
      b.vertex(Vec3(t * (r.x() * c.x()), bottom + p.size.y() * (static_cast<double>(j) / along), t * (r.z() * c.y())),
               slope(c));
    }
  const auto at = [&](int i, int j) { return static_cast<Index>(j * around + i % around); };
  for (int i = 0; i < around; ++i) {
    for (int j = 0; j + 1 < along; ++j) b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    // The tip has one vertex per side face: there is no one normal there.
    const Vec2 mean = circle(i, around) + circle(i + 1, around);
    const Index tip = b.vertex(Vec3(0, r.y(), 0), slope(mean.normalized()));
    b.triangle(at(i, along - 1), at(i + 1, along - 1), tip);
  }
  disc(b, r, bottom, false, around, std::max(1, p.divisions[2]));
  return b.finish("cone");
}

DisplayMesh torus(const Primitive& p) {
  Builder b;
  const int around = std::max(3, p.divisions[0]), tube = std::max(3, p.divisions[1]);
  // A round torus of outer radius ½ and tube radius `minor`, stretched to the box.
  const double minor = torus_tube(p.size);
  const Vec3 stretch(p.size.x(), 0.5 * p.size.y() / minor, p.size.z());
  for (int i = 0; i < around; ++i) {
    const Vec2 c = circle(i, around);
    for (int j = 0; j < tube; ++j) {
      const double angle = 2.0 * kPi * j / tube;
      const Vec3 n(std::cos(angle) * c.x(), std::sin(angle), std::cos(angle) * c.y());
      const Vec3 q = (0.5 - minor) * Vec3(c.x(), 0, c.y()) + minor * n;
      b.vertex(stretch.cwiseProduct(q), n.cwiseQuotient(stretch));
    }
  }
  const auto at = [&](int i, int j) { return static_cast<Index>((i % around) * tube + j % tube); };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < tube; ++j) b.quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return b.finish("torus");
}

DisplayMesh plane(const Primitive& p) {
  Builder b;
  const int nx = std::max(1, p.divisions[0]), nz = std::max(1, p.divisions[2]);
  for (int j = 0; j <= nz; ++j)
    for (int i = 0; i <= nx; ++i)
      b.vertex(
          Vec3(p.size.x() * (static_cast<double>(i) / nx - 0.5), 0, p.size.z() * (static_cast<double>(j) / nz - 0.5)),
          Vec3(0, 1, 0));
  const auto at = [&](int i, int j) { return static_cast<Index>(j * (nx + 1) + i); };
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < nx; ++i) b.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  return b.finish("plane");
}

}  // namespace

bool is_superquadric(PrimitiveShape shape) {
  return shape == PrimitiveShape::superellipsoid || shape == PrimitiveShape::supertorus ||
         shape == PrimitiveShape::hyperboloid_one || shape == PrimitiveShape::hyperboloid_two;
}

bool has_ratio(PrimitiveShape shape) {
  return shape == PrimitiveShape::hyperboloid_one || shape == PrimitiveShape::hyperboloid_two ||
         shape == PrimitiveShape::tube || shape == PrimitiveShape::rounded_box;
}

DisplayMesh make_primitive(const Primitive& primitive) {
  Primitive p = primitive;
  for (int& n : p.divisions) n = std::max(1, n);
  switch (p.shape) {
    case PrimitiveShape::box:
      return box(p);
    case PrimitiveShape::sphere:
      return sphere(p);
    case PrimitiveShape::cylinder:
      return cylinder(p);
    case PrimitiveShape::cone:
      return cone(p);
    case PrimitiveShape::torus:
      return torus(p);
    case PrimitiveShape::plane:
      return plane(p);
    case PrimitiveShape::superellipsoid:
      return superellipsoid(p);
    case PrimitiveShape::supertorus:
      return supertorus(p);
    case PrimitiveShape::hyperboloid_one:
      return hyperboloid_one(p);
    case PrimitiveShape::hyperboloid_two:
      return hyperboloid_two(p);
    case PrimitiveShape::capsule:
      return capsule(p);
    case PrimitiveShape::tube:
      return tube(p);
    case PrimitiveShape::wedge:
      return wedge(p);
    case PrimitiveShape::rounded_box:
      return rounded_box(p);
  }
  return {};
}

}  // namespace hazumi
