#include "core/geometry/truss/hull.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>
#include <map>

#include "core/math/eigen.h"

namespace hazumi {

namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

/// Below this share of the largest extent points count as lying in a plane or on a line.
constexpr double kFlat = 1e-9;

double cross(const Vec2& o, const Vec2& a, const Vec2& b) {
  return (a - o).x() * (b - o).y() - (a - o).y() * (b - o).x();
}

/// Convex polygon (monotone chain, Andrew 1979) around points in a plane, as a fan with both sides.
std::vector<Triangle> flat_hull(std::span<const Vec3> points, const Vec3& centre, const Vec3& u, const Vec3& v) {
  std::vector<std::pair<Vec2, std::uint32_t>> flat;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i] - centre;
    flat.push_back({Vec2(u.dot(p), v.dot(p)), static_cast<std::uint32_t>(i)});
  }
  std::sort(flat.begin(), flat.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first.x(), a.first.y(), a.second) < std::tuple(b.first.x(), b.first.y(), b.second);
  });
  std::vector<std::pair<Vec2, std::uint32_t>> ring;
  const auto chain = [&](auto begin, auto end) {
    const std::size_t base = ring.size();
    for (auto p = begin; p != end; ++p) {
      while (ring.size() >= base + 2 && cross(ring[ring.size() - 2].first, ring.back().first, p->first) <= 0)
        ring.pop_back();
      ring.push_back(*p);
    }
    ring.pop_back();
  };
  chain(flat.begin(), flat.end());
  chain(flat.rbegin(), flat.rend());
  std::vector<Triangle> hull;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    hull.push_back({ring[0].second, ring[i].second, ring[i + 1].second});
    hull.push_back({ring[0].second, ring[i + 1].second, ring[i].second});
  }
  return hull;
}

std::vector<Triangle> space_hull(std::span<const Vec3> points) {
  std::vector<Point> input;
  std::map<std::array<double, 3>, std::uint32_t> number;  // lowest of those at the same place
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = points[i] + Vec3::Zero();
    input.emplace_back(p.x(), p.y(), p.z());
    number.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(i));
  }
  CGAL::Surface_mesh<Point> mesh;
  CGAL::convex_hull_3(input.begin(), input.end(), mesh);
  std::vector<Triangle> hull;
  for (const auto face : mesh.faces()) {
    std::vector<std::uint32_t> corners;
    for (const auto vertex : mesh.vertices_around_face(mesh.halfedge(face))) {
      const Point& p = mesh.point(vertex);
      corners.push_back(number.at({p.x(), p.y(), p.z()}));
    }
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) hull.push_back({corners[0], corners[k], corners[k + 1]});
  }
  return hull;
}

}  // namespace

std::vector<Triangle> convex_hull(std::span<const Vec3> points) {
  if (points.size() < 3) return {};
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : points) {
    if (!p.allFinite()) return {};
    centre += p / static_cast<double>(points.size());
  }
  Mat3 spread = Mat3::Zero();
  for (const Vec3& p : points) spread += (p - centre) * (p - centre).transpose();
  const EigenPairs3 axes = symmetric_eigen(spread);
  const auto extent = [&](int k) {
    double low = 1e300, high = -1e300;
    for (const Vec3& p : points) {
      const double x = axes.vectors.col(k).dot(p - centre);
      low = std::min(low, x);
      high = std::max(high, x);
    }
    return high - low;
  };
  const double widest = extent(2);
  if (!(widest > 0) || extent(1) <= kFlat * widest) return {};
  std::vector<Triangle> hull = extent(0) <= kFlat * widest
                                   ? flat_hull(points, centre, axes.vectors.col(2), axes.vectors.col(1))
                                   : space_hull(points);
  for (Triangle& t : hull) std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  std::sort(hull.begin(), hull.end());
  return hull;
}

}  // namespace hazumi
