#include "core/geometry/mapping/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/geometry/mapping/triangle.h"
#include "core/geometry/mesh/box_tree.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

Mat3 basis(const DrivingTriangle& t, std::span<const Vec3> nodes, const Vec3& origin) {
  const Vec3 &a = nodes[t.nodes[0]], &b = nodes[t.nodes[1]], &c = nodes[t.nodes[2]];
  Mat3 m;
  if (t.fallback)
    m << b - a, c - a, triangle_normal(a, b, c);
  else
    m << a - origin, b - origin, c - origin;
  return m;
}

/// Which cones (from the origin through a triangle) may hold a direction: the sphere of directions is cut
/// into the cells of a cube map; a cone is listed in every cell that its bounding cap may meet. Spares
/// looking at all triangles per vertex.
class ConeCells {
 public:
  ConeCells(const std::vector<DrivingTriangle>& triangles, std::span<const Vec3> nodes, const Vec3& origin) {
    for (int face = 0; face < 6; ++face)
      for (int j = 0; j < kSide; ++j)
        for (int i = 0; i < kSide; ++i) centres_.push_back(direction(face, i + 0.5, j + 0.5));
    cells_.resize(centres_.size());
    // The widest cells are those in the middle of a face: half their diagonal.
    const double cell = std::atan(std::sqrt(2.0) / kSide) + 1e-6;
    for (std::uint32_t k = 0; k < triangles.size(); ++k) {
      if (triangles[k].fallback) continue;
      Vec3 corners[3], axis = Vec3::Zero();
      for (int j = 0; j < 3; ++j) axis += corners[j] = (nodes[triangles[k].nodes[j]] - origin).normalized();
      double cap = kPi;
      if (axis.norm() > 0.1) {
        axis.normalize();
        cap = 0;
        for (const Vec3& c : corners) cap = std::max(cap, std::acos(std::clamp(axis.dot(c), -1.0, 1.0)));
        if (cap > 1.5) cap = kPi;  // wider than a hemisphere: the cap of the corners need not hold the cone
      }
      const double least = cap + cell >= kPi ? -2.0 : std::cos(cap + cell);
      for (std::size_t c = 0; c < cells_.size(); ++c)
        if (axis.dot(centres_[c]) >= least || least < -1) cells_[c].push_back(k);
    }
  }

  /// Ascending; nothing for the zero vector.
  const std::vector<std::uint32_t>& near(const Vec3& d) const {
    static const std::vector<std::uint32_t> none;
    Eigen::Index axis = 0;
    const double most = d.cwiseAbs().maxCoeff(&axis);
    if (!(most > 0)) return none;
    const int face = 2 * static_cast<int>(axis) + (d[axis] < 0);
    const auto at = [&](double x) { return std::clamp(static_cast<int>((x / most + 1) * 0.5 * kSide), 0, kSide - 1); };
    const int i = at(d[(axis + 1) % 3]), j = at(d[(axis + 2) % 3]);
    return cells_[static_cast<std::size_t>((face * kSide + j) * kSide + i)];
  }

 private:
  static constexpr int kSide = 12;
  static Vec3 direction(int face, double i, double j) {
    const int axis = face / 2;
    Vec3 d;
    d[axis] = face % 2 ? -1 : 1;
    d[(axis + 1) % 3] = 2 * i / kSide - 1;
    d[(axis + 2) % 3] = 2 * j / kSide - 1;
    return d.normalized();
  }
  std::vector<Vec3> centres_;
  std::vector<std::vector<std::uint32_t>> cells_;
};

/// Score of a cone for a vertex: 0…1 when all e ≥ 0 (of several, a hull that is not star-shaped, the one
/// nearest the surface), below 0 outside (the least outside wins), both in units of |e|.
double cone_score(const DrivingTriangle& t, const Vec3& from_origin) {
  const Vec3 e = t.inverse * from_origin;
  const double inside = e.minCoeff() / std::max(1e-12, e.cwiseAbs().sum());
  return inside >= -1e-9 ? 1.0 / (1.0 + std::abs(e.sum() - 1.0)) : inside - 1.0;
}

}  // namespace

LinearMapping::LinearMapping(const DisplayMesh& mesh, const Truss& truss)
    : Mapping(MappingKind::linear, mesh.positions.size()), origin_(reference_origin(truss)) {
  // Candidates: every hull triangle, linear when its tetrahedron with the origin has volume.
  std::vector<DrivingTriangle> candidates;
  bool any_linear = false;
  for (const auto& hull : truss.hull) {
    DrivingTriangle t;
    t.nodes = hull;
    const Mat3 x = basis(t, truss.nodes, origin_);
    const double size = std::max({x.col(0).norm(), x.col(1).norm(), x.col(2).norm()});
    t.fallback = !(std::abs(x.determinant()) > 1e-4 * size * size * size);
    const Mat3 b = basis(t, truss.nodes, origin_);
    if (std::abs(b.determinant()) > 0) {
      t.reference = t.fallback ? truss.nodes[hull[0]] : origin_;
      t.inverse = b.inverse();
      any_linear = any_linear || !t.fallback;
      candidates.push_back(t);
    }
  }
  if (candidates.empty()) return;

  const std::size_t count = mesh.positions.size();
  drivers_.resize(count);
  triangle_of_.resize(count);
  positions_.resize(count);
  normals_.resize(count);
  std::vector<std::uint32_t> number(candidates.size(), kNone);
  const ConeCells cones(candidates, truss.nodes, origin_);
  std::vector<Box3> boxes(any_linear ? 0 : candidates.size());
  for (std::size_t k = 0; k < boxes.size(); ++k)
    for (std::uint32_t node : candidates[k].nodes) boxes[k].add(truss.nodes[node]);
  const BoxTree tree(boxes);

  const auto linear_triangle = [&](const Vec3& x) {
    std::uint32_t best = kNone;
    double best_score = -std::numeric_limits<double>::infinity();
    const auto look_at = [&](std::uint32_t k) {
      const double score = cone_score(candidates[k], x - origin_);
      if (score > best_score) best_score = score, best = k;
    };
    for (std::uint32_t k : cones.near(x - origin_)) look_at(k);
    if (best_score > 0) return best;
    best = kNone, best_score = -std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 0; k < candidates.size(); ++k)
      if (!candidates[k].fallback) look_at(k);
    return best == kNone ? 0u : best;
  };
  const auto nearest_triangle = [&](const Vec3& x) {
    const std::uint32_t best = tree.nearest(x, [&](std::uint32_t k) {
      const auto& n = candidates[k].nodes;
      return triangle_distance_squared(x, truss.nodes[n[0]], truss.nodes[n[1]], truss.nodes[n[2]]);
    });
    return best == BoxTree::nothing ? 0u : best;
  };
  for (std::size_t v = 0; v < count; ++v) {
    const Vec3& x = mesh.positions[v];
    positions_[v] = x.cast<float>();
    normals_[v] = (v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0)).cast<float>();
    const std::uint32_t best = any_linear ? linear_triangle(x) : nearest_triangle(x);
    const DrivingTriangle& t = candidates[best];
    if (number[best] == kNone) {
      number[best] = static_cast<std::uint32_t>(triangles_.size());
      triangles_.push_back(t);
    }
    triangle_of_[v] = number[best];
    VertexDriver& driver = drivers_[v];
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
}

void LinearMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                 std::span<Vec3f> normals, Executor& executor) const {
  struct Affine {
    Eigen::Matrix3f f, normal;  // F and, up to a positive factor, F⁻ᵀ
    Vec3f t;                    // x' = t + F x, x in the object frame
  };
  std::vector<Affine> maps(triangles_.size());
  for (std::size_t k = 0; k < maps.size(); ++k) {
    const DrivingTriangle& t = triangles_[k];
    const Mat3 f = basis(t, nodes, frame.position) * t.inverse;
    maps[k].f = f.cast<float>();
    maps[k].normal = normal_matrix(f).cast<float>();
    maps[k].t = ((t.fallback ? nodes[t.nodes[0]] : frame.position) - f * t.reference).cast<float>();
  }
  executor.blocks(positions_.size(), 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Affine& m = maps[triangle_of_[v]];
      positions[v] = m.t + m.f * positions_[v];
      const Vec3f n = m.normal * normals_[v];
      const float length = n.squaredNorm();
      normals[v] = length > 0 ? Vec3f(n * (1.0f / std::sqrt(length))) : normals_[v];
    }
  });
}

Vec3 LinearMapping::map_point(std::span<const Vec3> nodes, const Vec3& origin, std::size_t v) const {
  const VertexDriver& d = drivers_[v];
  const Vec3 &a = nodes[d.nodes[0]], &b = nodes[d.nodes[1]], &c = nodes[d.nodes[2]];
  if (d.fallback)
    return d.weights[0] * a + d.weights[1] * b + d.weights[2] * c + d.normal_offset * triangle_normal(a, b, c);
  return origin + d.weights[0] * (a - origin) + d.weights[1] * (b - origin) + d.weights[2] * (c - origin);
}

void LinearMapping::map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                               std::span<Vec3> points) const {
  for (std::size_t k = 0; k < vertices.size(); ++k) points[k] = map_point(nodes, frame.position, vertices[k]);
}

// The height of a vertex is the weighted sum of the heights of its three nodes, a third of the work of
// mapping it.
void LinearMapping::map_points_below(std::span<const Vec3> nodes, const Pose& frame,
                                     std::span<const std::uint32_t> vertices, const Vec3& n, double level, double slack,
                                     std::span<Vec3> points, std::vector<std::size_t>& hits) const {
  std::vector<double> height(nodes.size());
  const double origin = n.dot(frame.position);
  for (std::size_t i = 0; i < height.size(); ++i) height[i] = n.dot(nodes[i]) - origin;
  hits.clear();
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const std::uint32_t v = vertices[k];
    const VertexDriver& d = drivers_[v];
    double gap = origin - level;
    for (int j = 0; j < 3; ++j) gap += d.weights[j] * height[d.nodes[j]];
    if (!d.fallback && gap > slack) continue;
    points[k] = map_point(nodes, frame.position, v);
    hits.push_back(k);
  }
}

DriverInfo LinearMapping::drivers(std::size_t vertex) const {
  const VertexDriver& d = drivers_[vertex];
  DriverInfo info;
  for (int k = 0; k < 3; ++k) info.nodes.push_back({d.nodes[k], d.weights[k]});
  info.offset = std::abs(d.normal_offset);
  info.linear = d.normal_offset == 0;
  return info;
}

// The normal n of the triangle (a, b, c) with N = (b − a) × (c − a): δn = (1 − n nᵀ) δN/|N|.
void LinearMapping::rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                          std::span<VertexRate> rates) const {
  Mapping::rates(nodes, frame, vertices, rates);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const VertexDriver& d = drivers_[vertices[k]];
    if (d.normal_offset == 0) continue;
    rates[k].origin.setZero();
    const Vec3 &a = nodes[d.nodes[0]], &b = nodes[d.nodes[1]], &c = nodes[d.nodes[2]];
    const double area = (b - a).cross(c - a).norm();
    if (!(area > 0)) continue;
    const Vec3 n = triangle_normal(a, b, c);
    const Mat3 across = d.normal_offset / area * (Mat3::Identity() - n * n.transpose());
    rates[k].nodes[0].block += across * skew(c - b);
    rates[k].nodes[1].block += across * skew(a - c);
    rates[k].nodes[2].block += across * skew(b - a);
  }
}

}  // namespace hazumi
