#include "core/geometry/truss/tetra_fill.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Polyhedral_mesh_domain_with_features_3.h>
#include <CGAL/Polyhedron_incremental_builder_3.h>
#include <CGAL/make_mesh_3.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/welded_surface.h"
#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/select.h"

namespace hazumi {

namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Mesh_polyhedron_3<Kernel>::type;
using Domain = CGAL::Polyhedral_mesh_domain_with_features_3<Kernel>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain, CGAL::Default, CGAL::Sequential_tag>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;
using Point = Kernel::Point_3;

constexpr int kPasses = 8;
constexpr double kNear = 0.15;         // a count that near to the one wanted is taken at once
constexpr unsigned kStartPoints = 16;  // on every piece of the surface
constexpr unsigned kSeed = 20;

Diagnostic refusal(std::string message, std::string hint) {
  return {Severity::error, "display", std::move(message), std::move(hint)};
}

Diagnostic cancelled_note() { return {Severity::info, "analysis", "The filling was cancelled.", ""}; }

class Builder : public CGAL::Modifier_base<Surface::HalfedgeDS> {
 public:
  explicit Builder(const WeldedSurface& surface) : surface_(surface) {}
  void operator()(Surface::HalfedgeDS& target) override {
    CGAL::Polyhedron_incremental_builder_3<Surface::HalfedgeDS> build(target, false);
    build.begin_surface(surface_.positions.size(), surface_.faces.size());
    for (const Vec3& p : surface_.positions) build.add_vertex(Point(p.x(), p.y(), p.z()));
    for (const auto& f : surface_.faces) build.add_facet(f.begin(), f.end());
    build.end_surface();
    good = !build.error();
  }
  bool good = false;

 private:
  const WeldedSurface& surface_;
};

/// Middles of faces spread over every piece of the surface: each piece must be touched once or refinement
/// never learns of it.
std::vector<std::uint32_t> start_faces(const WeldedSurface& surface) {
  std::vector<std::uint32_t> root(surface.positions.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const auto& f : surface.faces)
    for (int k = 1; k < 3; ++k) {
      const std::uint32_t a = find(f[0]), b = find(f[k]);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::map<std::uint32_t, std::vector<std::uint32_t>> pieces;
  for (std::size_t f = 0; f < surface.faces.size(); ++f)
    pieces[find(surface.faces[f][0])].push_back(static_cast<std::uint32_t>(f));
  std::vector<std::uint32_t> chosen;
  for (const auto& [piece, faces] : pieces)
    for (std::size_t k = 0; k < kStartPoints; ++k) chosen.push_back(faces[k * faces.size() / kStartPoints]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

struct Attempt {
  Complex complex;
  bool too_many = false;
};

/// One refinement with cells up to `size`. Stops early at `most` vertices.
void refine(const Domain& domain, const WeldedSurface& surface, const std::vector<std::uint32_t>& starts, double size,
            bool features, std::size_t most, std::atomic<bool>* stop, Attempt& attempt) {
  namespace p = CGAL::parameters;
  CGAL::get_default_random() = CGAL::Random(kSeed);
  const Criteria criteria(p::edge_size = size, p::facet_angle = 25, p::facet_size = size,
                          p::facet_distance = 0.2 * size, p::cell_radius_edge_ratio = 3, p::cell_size = size);
  Complex& complex = attempt.complex;
  CGAL::Mesh_error_code error;
  if (features) CGAL::Mesh_3::internal::init_c3t3_with_features(complex, domain, criteria, false, most, &error, stop);
  const auto meet = domain.construct_intersection_object();
  const auto touches = domain.do_intersect_surface_object();
  auto weighted = complex.triangulation().geom_traits().construct_weighted_point_3_object();
  for (const std::uint32_t f : starts) {
    const Vec3 &a = surface.positions[surface.faces[f][0]], &b = surface.positions[surface.faces[f][1]],
               &c = surface.positions[surface.faces[f][2]];
    const Vec3 middle = (a + b + c) / 3, normal = (b - a).cross(c - a);
    const double reach = 0.01 * std::sqrt(normal.norm());
    if (!(reach > 0)) continue;
    const Vec3 in = middle - reach * normal.normalized(), out = middle + reach * normal.normalized();
    const Kernel::Segment_3 needle(Point(in.x(), in.y(), in.z()), Point(out.x(), out.y(), out.z()));
    if (!touches(needle)) continue;
    const auto found = meet(needle);
    if (std::get<2>(found) != 2) continue;
    const auto vertex = complex.triangulation().insert(weighted(std::get<0>(found)));
    if (vertex == Complex::Vertex_handle()) continue;  // within the ball around a sharp edge
    complex.set_dimension(vertex, 2);
    complex.set_index(vertex, std::get<1>(found));
  }
  // What CGAL::refine_mesh_3 does without its four optimisations, which would be compiled all the same, for a quarter of a minute.
  Complex fresh;
  std::for_each(complex.triangulation().finite_vertices_begin(), complex.triangulation().finite_vertices_end(),
                CGAL::details::Insert_vertex_in_c3t3<Complex>(fresh));
  complex.swap(fresh);
  constexpr int manifold = CGAL::parameters::internal::Manifold_options::MANIFOLD;
  CGAL::Mesh_3::Mesher_3<Complex, Criteria, Domain> mesher(complex, domain, criteria, manifold, most, &error, stop);
  mesher.refine_mesh();
  complex.clear_manifold_info();
  attempt.too_many = complex.triangulation().number_of_vertices() >= most;
}

TetraFill strung_from(const Complex& complex) {
  TetraFill fill;
  StrungTruss& truss = fill.truss;
  std::unordered_map<const void*, std::uint32_t> number;  // looked up only, never walked over
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<double> mass;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell) {
    std::array<std::uint32_t, 4> c;
    for (int k = 0; k < 4; ++k) {
      const auto vertex = cell->vertex(k);
      const auto [at, fresh] = number.emplace(&*vertex, static_cast<std::uint32_t>(truss.nodes.size()));
      c[static_cast<std::size_t>(k)] = at->second;
      if (!fresh) continue;
      const auto& p = vertex->point();
      truss.nodes.push_back({Vec3(p.x(), p.y(), p.z()), 1, false});
      mass.push_back(0);
    }
    const Vec3& o = truss.nodes[c[0]].position;
    const double six =
        (truss.nodes[c[1]].position - o).cross(truss.nodes[c[2]].position - o).dot(truss.nodes[c[3]].position - o);
    if (six < 0) std::swap(c[2], c[3]);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        if (c[a] < c[b]) edges.emplace(c[a], c[b]);
    if (!(std::abs(six) > 0)) continue;  // flat to the last bit: carries no volume, its edges are springs all the same
    truss.tetrahedra.push_back(c);
    fill.volume += std::abs(six) / 6;
    for (const std::uint32_t i : c) mass[i] += std::abs(six) / 24;
  }
  for (const auto& [a, b] : edges) truss.springs.push_back({a, b, 1, 1, 1});
  truss.hull = tetrahedra_boundary(truss.tetrahedra);
  // Factors with mean 1; a node between slivers only gets a hundredth, not nothing.
  const double mean = fill.volume / static_cast<double>(truss.nodes.size());
  for (std::size_t i = 0; i < mass.size(); ++i) truss.nodes[i].mass = std::max(0.01, mass[i] / mean);
  return fill;
}

Result<TetraFill> fill(const WeldedSurface& surface, double volume, const TetraFillOptions& options) {
  std::atomic<bool> never = false;
  // CGAL only reads it.
  auto* stop = options.cancelled ? const_cast<std::atomic<bool>*>(options.cancelled) : &never;
  const auto stopped = [&] { return stop->load(); };
  Builder builder(surface);
  Surface closed;
  closed.delegate(builder);
  if (!builder.good || !closed.is_closed())
    return refusal("The surface of the display model cannot be filled: its faces do not fit together.",
                   "Merge vertices and close holes under Mesh, or build the shape from metaballs.");
  if (stopped()) return cancelled_note();
  if (CGAL::Polygon_mesh_processing::does_self_intersect(closed))
    return refusal("The surface of the display model cuts through itself, so it has no clear inside.",
                   "Take out the parts that overlap, or build the shape from metaballs, which blend instead "
                   "of overlapping.");
  if (stopped()) return cancelled_note();
  Domain domain(closed);
  bool features = options.feature_angle < kPi;
  if (features) domain.detect_features(degrees(std::max(0.1, options.feature_angle)));

  const double wanted = std::clamp(options.tetrahedra, 20, 100'000);
  const std::vector<std::uint32_t> starts = start_faces(surface);
  double size = 1.3 * std::cbrt(volume / wanted);
  double too_fine = 0, too_coarse = 0;  // sizes met so far, 0: none
  std::optional<TetraFill> best;
  double best_error = 1e300;
  int crowded = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    Attempt attempt;
    refine(domain, surface, starts, size, features, static_cast<std::size_t>(2 * wanted + 500), stop, attempt);
    if (stopped()) return cancelled_note();
    const double count = static_cast<double>(attempt.complex.number_of_cells_in_complex());
    if (attempt.too_many || count > wanted) {
      too_fine = size;
      // Many short sharp edges need more cells than are wanted, however large the others are.
      if (attempt.too_many && ++crowded == 2 && features) {
        features = false;
        too_fine = too_coarse = 0;
      }
    } else {
      too_coarse = size;
    }
    if (!attempt.too_many && count > 0) {
      const double error = std::abs(std::log(count / wanted));
      if (error < best_error) {
        best_error = error;
        best = strung_from(attempt.complex);
        best->cell_size = size;
      }
      if (error < kNear) break;
    }
    const double step = attempt.too_many ? 1.7 : count > 0 ? std::clamp(std::pow(count / wanted, 0.4), 0.5, 2.0) : 0.6;
    size *= step;
    if (too_fine > 0 && too_coarse > 0 && !(size > too_fine && size < too_coarse))
      size = std::sqrt(too_fine * too_coarse);
  }
  if (!best)
    return refusal("The display model could not be filled with tetrahedra.",
                   "Ask for more tetrahedra, or simplify the mesh first.");
  const std::uint32_t pieces = connected_pieces(best->truss).count;
  if (pieces > 1)
    return Result<TetraFill>(std::move(*best), {{Severity::warning, "analysis",
                                                 "The fill is in " + std::to_string(pieces) +
                                                     " pieces that do not touch, like the display model.",
                                                 "String springs between them."}});
  return std::move(*best);
}

}  // namespace

Result<TetraFill> fill_with_tetrahedra(const DisplayMesh& mesh, const TetraFillOptions& options) {
  if (mesh.empty()) return refusal("There is no display model to fill.", "Give the object a display model first.");
  for (const Vec3& p : mesh.positions)
    if (!p.allFinite())
      return refusal("The display model has a vertex that is not a number.", "Repair the mesh under Mesh.");
  WeldedSurface surface = weld_surface(mesh);
  if (!surface.closed)
    return refusal("The display model is not closed, so it has no inside to fill.",
                   "Close its holes under Mesh, choose a closed shape, or use a plane grid for a sheet.");
  double volume = mesh_volume(surface.positions, surface.faces);
  if (volume < 0) {  // inside out
    for (auto& f : surface.faces) std::swap(f[1], f[2]);
    volume = -volume;
  }
  Vec3 size = Vec3::Zero();
  for (int k = 0; k < 3; ++k) size[k] = bounds(mesh).size()[k];
  if (!(volume > 1e-9 * std::pow(size.maxCoeff(), 3)))
    return refusal("The display model encloses no volume.", "Choose a solid shape, or use a plane grid for a sheet.");
  try {
    return fill(surface, volume, options);
  } catch (const std::exception&) {
    if (options.cancelled && options.cancelled->load()) return cancelled_note();
    return refusal("The display model could not be filled with tetrahedra: its faces are too irregular.",
                   "Simplify the mesh, or build the shape from metaballs.");
  }
}

}  // namespace hazumi
