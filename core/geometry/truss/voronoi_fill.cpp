#include "core/geometry/truss/voronoi_fill.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/welded_surface.h"
#include "core/geometry/truss/cell_complex.h"
#include "core/geometry/truss/voronoi_seeds.h"

namespace hazumi {

namespace {

namespace pmp = CGAL::Polygon_mesh_processing;
using CutKernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using CutMesh = CGAL::Surface_mesh<CutKernel::Point_3>;

constexpr double kOn = 1e-8;  // of the extent: a place is on a plane, an edge

Diagnostic not_filled(std::string message, std::string hint) {
  return {Severity::error, "display", std::move(message), std::move(hint)};
}
Diagnostic called_off() { return {Severity::info, "analysis", "The filling was cancelled.", ""}; }

Vec3 place(const CutKernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }

CutMesh mesh_of(const std::vector<Vec3>& positions, const std::vector<std::array<std::uint32_t, 3>>& faces) {
  CutMesh mesh;
  for (const Vec3& p : positions) mesh.add_vertex(CutKernel::Point_3(p.x(), p.y(), p.z()));
  for (const auto& f : faces)
    mesh.add_face(CutMesh::Vertex_index(f[0]), CutMesh::Vertex_index(f[1]), CutMesh::Vertex_index(f[2]));
  return mesh;
}

/// The edges and corners of a surface that a body keeps.
struct Features {
  std::vector<std::pair<Vec3, Vec3>> edges;
  std::vector<Vec3> corners;

  Features(const WeldedSurface& surface, double angle) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Vec3>> normals;
    for (const auto& f : surface.faces) {
      const Vec3& o = surface.positions[f[0]];
      const Vec3 normal = (surface.positions[f[1]] - o).cross(surface.positions[f[2]] - o).normalized();
      for (std::size_t k = 0; k < 3; ++k) normals[std::minmax(f[k], f[(k + 1) % 3])].push_back(normal);
    }
    std::map<std::uint32_t, std::vector<Vec3>> ways;  // along sharp edges
    for (const auto& [edge, two] : normals) {
      if (two.size() != 2 || !(two[0].dot(two[1]) < std::cos(angle))) continue;
      const Vec3 &a = surface.positions[edge.first], &b = surface.positions[edge.second];
      edges.emplace_back(a, b);
      ways[edge.first].push_back((b - a).normalized());
      ways[edge.second].push_back((a - b).normalized());
    }
    for (const auto& [vertex, list] : ways)
      if (list.size() != 2 || -list[0].dot(list[1]) < std::cos(angle)) corners.push_back(surface.positions[vertex]);
  }
  bool on_edge(const Vec3& p, double near) const {
    return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
      const Vec3 along = edge.second - edge.first;
      const double t = std::clamp((p - edge.first).dot(along) / along.squaredNorm(), 0.0, 1.0);
      return (edge.first + t * along - p).squaredNorm() < near * near;
    });
  }
  bool is_corner(const Vec3& p, double near) const {
    return std::any_of(corners.begin(), corners.end(),
                       [&](const Vec3& c) { return (c - p).squaredNorm() < near * near; });
  }
};

class Cutter {
 public:
  Cutter(const WeldedSurface& surface, double feature_angle)
      : surface_(surface), features_(surface, feature_angle), closed_(mesh_of(surface.positions, surface.faces)) {
    Box3 box;
    for (const Vec3& p : surface.positions) box.add(p);
    near_ = kOn * box.size().norm();
    box_ = box;
    const Vec3 margin = Vec3::Constant(0.37 * box.size().norm());
    box_.low -= margin;
    box_.high += margin;
  }
  const CutMesh& closed() const { return closed_; }

  /// Adds the pieces of the cell of seed `i`; false: the surface cannot be cut.
  bool cut(const std::vector<Vec3>& seeds, std::size_t i, std::vector<CutCell>& out) const {
    const ConvexCell cell = voronoi_cell(seeds, i, box_);
    double reach = 0;
    for (const Vec3& p : cell.corners) reach = std::max(reach, (p - seeds[i]).norm());
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const auto& face : cell.faces) {  // from the corner with the lowest place, so that both sides cut it alike
      const auto first = std::min_element(face.begin(), face.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vec3 &p = cell.corners[a], &q = cell.corners[b];
        return std::tuple(p.x(), p.y(), p.z()) < std::tuple(q.x(), q.y(), q.z());
      });
      const auto at = static_cast<std::size_t>(first - face.begin()), n = face.size();
      for (std::size_t k = 1; k + 1 < n; ++k)
        triangles.push_back({face[at], face[(at + k) % n], face[(at + k + 1) % n]});
    }
    CutMesh whole = mesh_of(cell.corners, triangles), pieces;
    if (comes_near(seeds[i], reach)) {
      CutMesh surface = closed_;
      if (!pmp::corefine_and_compute_intersection(whole, surface, pieces)) return false;
    } else if (is_inside(seeds[i])) {
      pieces = std::move(whole);
    }
    add_pieces(pieces, cell, seeds, i, out);
    return true;
  }

 private:
  bool comes_near(const Vec3& seed, double reach) const {
    return std::any_of(surface_.faces.begin(), surface_.faces.end(), [&](const auto& f) {
      const Vec3 &a = surface_.positions[f[0]], &b = surface_.positions[f[1]], &c = surface_.positions[f[2]];
      const Vec3 middle = (a + b + c) / 3;
      const double wide =
          std::sqrt(std::max({(a - middle).squaredNorm(), (b - middle).squaredNorm(), (c - middle).squaredNorm()}));
      return (middle - seed).norm() < 1.001 * (reach + wide);
    });
  }
  /// By solid angles: nowhere near the surface they sum to 4π or to nothing.
  bool is_inside(const Vec3& p) const {
    double angle = 0;
    for (const auto& f : surface_.faces) {
      const Vec3 a = surface_.positions[f[0]] - p, b = surface_.positions[f[1]] - p, c = surface_.positions[f[2]] - p;
      const double x = a.norm(), y = b.norm(), z = c.norm();
      angle += 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
    }
    return angle > 2 * kPi;
  }

  CutCell::Point point_of(const Vec3& p, const ConvexCell& cell, const std::vector<Vec3>& seeds, std::size_t i,
                          std::vector<char>& on_face) const {
    CutCell::Point point{p, {static_cast<std::uint32_t>(i)}};
    on_face.assign(cell.faces.size(), 0);
    for (std::size_t k = 0; k < cell.faces.size(); ++k) {
      if (cell.beyond[k] < 0) continue;
      const auto j = static_cast<std::size_t>(cell.beyond[k]);
      const Vec3 to = seeds[j] - seeds[i];
      if (std::abs((p - 0.5 * (seeds[i] + seeds[j])).dot(to.normalized())) > near_) continue;
      on_face[k] = 1;
      point.cells.push_back(static_cast<std::uint32_t>(j));
    }
    std::sort(point.cells.begin(), point.cells.end());
    point.surface = std::none_of(cell.corners.begin(), cell.corners.end(),
                                 [&](const Vec3& c) { return (c - p).squaredNorm() < near_ * near_; });
    point.sharp = point.surface && features_.on_edge(p, near_);
    point.corner = point.sharp && features_.is_corner(p, near_);
    return point;
  }

  /// Each part that hangs together is a piece; what runs inside out around a hollow belongs to the largest.
  void add_pieces(const CutMesh& mesh, const ConvexCell& cell, const std::vector<Vec3>& seeds, std::size_t i,
                  std::vector<CutCell>& out) const {
    if (mesh.number_of_faces() == 0) return;
    CutMesh labelled = mesh;
    auto part = labelled.add_property_map<CutMesh::Face_index, std::size_t>("f:part", 0).first;
    const std::size_t count = pmp::connected_components(labelled, part);
    std::vector<CutCell> parts(count);
    std::vector<std::map<std::uint32_t, std::uint32_t>> number(count);
    std::vector<std::vector<std::vector<char>>> on_faces(count);
    for (const auto f : labelled.faces()) {
      CutCell& piece = parts[part[f]];
      std::array<std::uint32_t, 3> t{};
      std::size_t k = 0;
      for (const auto v : CGAL::vertices_around_face(labelled.halfedge(f), labelled)) {
        const auto [at, fresh] = number[part[f]].emplace(v, static_cast<std::uint32_t>(piece.points.size()));
        if (fresh) {
          on_faces[part[f]].emplace_back();
          piece.points.push_back(point_of(place(labelled.point(v)), cell, seeds, i, on_faces[part[f]].back()));
        }
        t[k++] = at->second;
      }
      const auto& on = on_faces[part[f]];
      bool outside = true;
      for (std::size_t face = 0; face < cell.faces.size(); ++face)
        outside = outside && !(on[t[0]][face] && on[t[1]][face] && on[t[2]][face]);
      const Vec3 &a = piece.points[t[0]].place, &b = piece.points[t[1]].place, &c = piece.points[t[2]].place;
      piece.volume += (a - seeds[i]).dot((b - seeds[i]).cross(c - seeds[i])) / 6;
      piece.triangles.push_back(t);
      piece.outside.push_back(outside ? 1 : 0);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const CutCell& a, const CutCell& b) { return a.volume > b.volume; });
    for (std::size_t p = parts.size(); p-- > 1;) {
      if (parts[p].volume > 0) continue;
      const auto first = static_cast<std::uint32_t>(parts[0].points.size());
      parts[0].points.insert(parts[0].points.end(), parts[p].points.begin(), parts[p].points.end());
      for (auto t : parts[p].triangles) parts[0].triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      parts[0].outside.insert(parts[0].outside.end(), parts[p].outside.begin(), parts[p].outside.end());
      parts[0].volume += parts[p].volume;
      parts.pop_back();
    }
    out.insert(out.end(), parts.begin(), parts.end());
  }

  const WeldedSurface& surface_;
  Features features_;
  CutMesh closed_;
  Box3 box_;
  double near_ = 0;
};

Result<VoronoiFill> fill_surface(const WeldedSurface& surface, double volume, const VoronoiFillOptions& options) {
  const std::atomic<bool> never = false;
  const std::atomic<bool>& cancelled = options.cancelled ? *options.cancelled : never;
  const Cutter cutter(surface, options.feature_angle);
  if (cutter.closed().number_of_faces() != surface.faces.size() || !CGAL::is_closed(cutter.closed()))
    return not_filled("The surface of the display model cannot be filled: its faces do not fit together.",
                      "Merge vertices and close holes under Mesh, or build the shape from metaballs.");
  if (pmp::does_self_intersect(cutter.closed()))
    return not_filled("The surface of the display model cuts through itself, so it has no clear inside.",
                      "Take out the parts that overlap, or build the shape from metaballs, which blend instead "
                      "of overlapping.");
  const int count = std::clamp(options.cells, kFewestCells, kMostCells);
  const std::vector<Vec3> seeds =
      scattered_seeds(surface, volume, count, std::clamp(options.relaxation, 0, 200), options.seed, cancelled);
  std::vector<CutCell> cells;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (cancelled) return called_off();
    if (!cutter.cut(seeds, i, cells))
      return not_filled("The display model could not be divided into cells: its faces are too irregular.",
                        "Take another seed, simplify the mesh, or build the shape from metaballs.");
  }
  auto made = truss_of_cells(cells, std::cbrt(volume / count));
  if (!made.ok()) return made.error();
  return VoronoiFill{std::move(made.value().truss), std::move(made.value().volumes)};
}

}  // namespace

Result<VoronoiFill> fill_with_cells(const DisplayMesh& mesh, const VoronoiFillOptions& options) {
  if (mesh.empty()) return not_filled("There is no display model to fill.", "Give the object a display model first.");
  for (const Vec3& p : mesh.positions)
    if (!p.allFinite())
      return not_filled("The display model has a vertex that is not a number.", "Repair the mesh under Mesh.");
  WeldedSurface surface = weld_surface(mesh);
  if (!surface.closed)
    return not_filled("The display model is not closed, so it has no inside to fill.",
                      "Close its holes under Mesh, choose a closed shape, or use a plane grid for a sheet.");
  double volume = mesh_volume(surface.positions, surface.faces);
  if (volume < 0) {  // inside out
    for (auto& f : surface.faces) std::swap(f[1], f[2]);
    volume = -volume;
  }
  if (!(volume > 1e-9 * std::pow(bounds(mesh).size().maxCoeff(), 3)))
    return not_filled("The display model encloses no volume.",
                      "Choose a solid shape, or use a plane grid for a sheet.");
  try {
    return fill_surface(surface, volume, options);
  } catch (const std::exception&) {
    return not_filled("The display model could not be divided into cells: its faces are too irregular.",
                      "Take another seed, simplify the mesh, or build the shape from metaballs.");
  }
}

}  // namespace hazumi
