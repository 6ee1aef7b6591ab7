#include "core/geometry/mapping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hazumi {

namespace {

/// Unit normal of a triangle; zero area gives +y (its offset then simply rides along).
Vec3 unit_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double length = n.norm();
  return length > 0 ? Vec3(n / length) : Vec3(0, 1, 0);
}

/// Squared distance from p to triangle (a, b, c) and the barycentric coordinates of the projection onto its plane,
/// clamped for the distance only (Ericson 2004, 5.1.5, by regions).
double distance_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto segment = [&p](const Vec3& u, const Vec3& v) {
    const Vec3 e = v - u;
    const double length = e.squaredNorm();
    const double t = length > 0 ? std::clamp((p - u).dot(e) / length, 0.0, 1.0) : 0.0;
    return (p - u - t * e).squaredNorm();
  };
  const Vec3 n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  if (area > 0) {
    const double u = (b - p).cross(c - p).dot(n) / area, v = (c - p).cross(a - p).dot(n) / area;
    if (u >= 0 && v >= 0 && u + v <= 1) {
      const double h = (p - a).dot(n);
      return h * h / area;
    }
  }
  return std::min({segment(a, b), segment(b, c), segment(c, a)});
}

Mat3 basis(const DrivingTriangle& t, std::span<const Vec3> nodes, const Vec3& origin) {
  const Vec3 &a = nodes[t.nodes[0]], &b = nodes[t.nodes[1]], &c = nodes[t.nodes[2]];
  Mat3 m;
  if (t.fallback)
    m << b - a, c - a, unit_normal(a, b, c);
  else
    m << a - origin, b - origin, c - origin;
  return m;
}

}  // namespace

LinearMapping make_linear_mapping(const DisplayMesh& mesh, const Truss& truss) {
  LinearMapping mapping;
  double mass = 0;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    mapping.origin += truss.masses[i] * truss.nodes[i];
    mass += truss.masses[i];
  }
  if (mass > 0) mapping.origin /= mass;

  // Candidates: every hull triangle, linear when its tetrahedron with the origin has volume.
  std::vector<DrivingTriangle> candidates;
  bool any_linear = false;
  for (const auto& hull : truss.hull) {
    DrivingTriangle t;
    t.nodes = hull;
    const Mat3 x = basis(t, truss.nodes, mapping.origin);
    const double size = std::max({x.col(0).norm(), x.col(1).norm(), x.col(2).norm()});
    t.fallback = !(std::abs(x.determinant()) > 1e-4 * size * size * size);
    const Mat3 b = basis(t, truss.nodes, mapping.origin);
    if (std::abs(b.determinant()) > 0) {
      t.reference = t.fallback ? truss.nodes[hull[0]] : mapping.origin;
      t.inverse = b.inverse();
      any_linear = any_linear || !t.fallback;
      candidates.push_back(t);
    }
  }

  const std::size_t count = mesh.positions.size();
  mapping.drivers.resize(count);
  mapping.triangle_of.resize(count);
  mapping.positions.resize(count);
  mapping.normals.resize(count);
  std::vector<std::uint32_t> number(candidates.size(), std::numeric_limits<std::uint32_t>::max());
  for (std::size_t v = 0; v < count && !candidates.empty(); ++v) {
    const Vec3& x = mesh.positions[v];
    mapping.positions[v] = x.cast<float>();
    mapping.normals[v] = (v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0)).cast<float>();
    std::size_t best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const DrivingTriangle& t = candidates[k];
      if (any_linear == t.fallback) continue;
      double score;
      if (any_linear) {
        // The cone from the origin through the triangle that holds x: all e ≥ 0. Of several (a hull that is not
        // star-shaped) the one nearest the surface, of none the least outside, both in units of |e|.
        const Vec3 e = t.inverse * (x - mapping.origin);
        const double inside = e.minCoeff() / std::max(1e-12, e.cwiseAbs().sum());
        score = inside >= -1e-9 ? 1.0 / (1.0 + std::abs(e.sum() - 1.0)) : inside - 1.0;
      } else {
        score = -distance_squared(x, truss.nodes[t.nodes[0]], truss.nodes[t.nodes[1]], truss.nodes[t.nodes[2]]);
      }
      if (score > best_score) {
        best_score = score;
        best = k;
      }
    }
    const DrivingTriangle& t = candidates[best];
    if (number[best] == std::numeric_limits<std::uint32_t>::max()) {
      number[best] = static_cast<std::uint32_t>(mapping.triangles.size());
      mapping.triangles.push_back(t);
    }
    mapping.triangle_of[v] = number[best];
    VertexDriver& driver = mapping.drivers[v];
    driver.nodes = t.nodes;
    driver.fallback = t.fallback;
    const Vec3 e = t.inverse * (x - t.reference);
    if (t.fallback) {
      driver.weights = {1.0 - e[0] - e[1], e[0], e[1]};
      driver.normal_offset = e[2];
    } else {
      driver.weights = {e[0], e[1], e[2]};
    }
  }
  return mapping;
}

void map_vertices(const LinearMapping& mapping, std::span<const Vec3> nodes, const Vec3& origin,
                  std::span<Vec3f> positions, std::span<Vec3f> normals, Executor& executor) {
  struct Affine {
    Eigen::Matrix3f f, normal;  // F and, up to a positive factor, F⁻ᵀ
    Vec3f t;                    // x' = t + F x, x in the object frame
  };
  std::vector<Affine> maps(mapping.triangles.size());
  for (std::size_t k = 0; k < maps.size(); ++k) {
    const DrivingTriangle& t = mapping.triangles[k];
    const Mat3 f = basis(t, nodes, origin) * t.inverse;
    Mat3 cofactor;  // det(F) F⁻ᵀ: columns are cross products, defined for singular F too
    cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    maps[k].f = f.cast<float>();
    maps[k].normal = (f.determinant() < 0 ? Mat3(-cofactor) : cofactor).cast<float>();
    maps[k].t = ((t.fallback ? nodes[t.nodes[0]] : origin) - f * t.reference).cast<float>();
  }
  executor.blocks(mapping.positions.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Affine& m = maps[mapping.triangle_of[v]];
      positions[v] = m.t + m.f * mapping.positions[v];
      const Vec3f n = m.normal * mapping.normals[v];
      const float length = n.squaredNorm();
      normals[v] = length > 0 ? Vec3f(n * (1.0f / std::sqrt(length))) : mapping.normals[v];
    }
  });
}

Vec3 map_vertex(const LinearMapping& mapping, std::span<const Vec3> nodes, const Vec3& origin, std::size_t v) {
  const VertexDriver& d = mapping.drivers[v];
  const Vec3 &a = nodes[d.nodes[0]], &b = nodes[d.nodes[1]], &c = nodes[d.nodes[2]];
  if (d.fallback)
    return d.weights[0] * a + d.weights[1] * b + d.weights[2] * c + d.normal_offset * unit_normal(a, b, c);
  return origin + d.weights[0] * (a - origin) + d.weights[1] * (b - origin) + d.weights[2] * (c - origin);
}

}  // namespace hazumi
