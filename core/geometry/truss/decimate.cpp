// A truss from the display model's own vertices: decimation by quadric error (Garland, Heckbert 1997, as
// meshoptimizer has it), then springs through the inside until it holds its shape.
#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/geometry/mesh/welded_surface.h"
#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/fit.h"
#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/select.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

constexpr int kFewestOfPart = 6, kFewest = 4, kMostNodes = 5000;

Diagnostic refusal(std::string message, std::string hint) {
  return {Severity::error, "display", std::move(message), std::move(hint)};
}

/// The faces with about `nodes` of the vertices left.
std::vector<Triangle> decimated(const WeldedSurface& surface, const std::vector<Triangle>& faces, int nodes) {
  std::vector<Index> indices;
  for (const Triangle& f : faces) indices.insert(indices.end(), f.begin(), f.end());
  std::vector<float> points;
  points.reserve(3 * surface.positions.size());
  for (const Vec3& p : surface.positions)
    for (const double x : p) points.push_back(static_cast<float>(x));
  const std::size_t wanted = 3 * static_cast<std::size_t>(std::max(4, 2 * nodes - 4));
  std::vector<Index> kept(indices.size());
  const std::size_t stride = 3 * sizeof(float);
  std::size_t count =
      meshopt_simplify(kept.data(), indices.data(), indices.size(), points.data(), surface.positions.size(), stride,
                       std::min(wanted, indices.size()), std::numeric_limits<float>::max(), 0, nullptr);
  // Stuck on many small pieces: give up their connectivity rather than the number.
  if (count > 2 * wanted)
    count = meshopt_simplifySloppy(kept.data(), indices.data(), indices.size(), points.data(), surface.positions.size(),
                                   stride, wanted, std::numeric_limits<float>::max(), nullptr);
  std::vector<Triangle> result;
  for (std::size_t k = 0; k + 2 < count; k += 3) {
    const Triangle t = {kept[k], kept[k + 1], kept[k + 2]};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) result.push_back(t);
  }
  return result;
}

double area(const WeldedSurface& surface, const std::vector<Triangle>& faces) {
  double sum = 0;
  for (const Triangle& f : faces)
    sum += 0.5 * (surface.positions[f[1]] - surface.positions[f[0]])
                     .cross(surface.positions[f[2]] - surface.positions[f[0]])
                     .norm();
  return sum;
}

class Springs {
 public:
  void add(Index a, Index b) {
    if (a != b) pairs_.emplace(std::min(a, b), std::max(a, b));
  }
  bool has(Index a, Index b) const { return pairs_.contains({std::min(a, b), std::max(a, b)}); }
  void store(StrungTruss& truss) const {
    truss.springs.clear();
    for (const auto& [a, b] : pairs_) truss.springs.push_back({a, b, 1, 1, 1});
  }

 private:
  std::set<std::pair<Index, Index>> pairs_;
};

/// Edges, and over every edge from one opposite corner to the other, against bending.
void string_surface(const std::vector<Triangle>& faces, Springs& springs) {
  std::map<std::pair<Index, Index>, std::vector<Index>> opposite;
  for (const Triangle& f : faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = f[k], b = f[(k + 1) % 3];
      springs.add(a, b);
      opposite[{std::min(a, b), std::max(a, b)}].push_back(f[(k + 2) % 3]);
    }
  for (const auto& [edge, corners] : opposite)
    for (std::size_t i = 0; i < corners.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) springs.add(corners[i], corners[j]);
}

/// From every node straight through the body to the corners of the triangle where its inward normal comes out
/// (Möller, Trumbore 1997).
void string_inside(const StrungTruss& truss, const std::vector<Triangle>& faces, Springs& springs) {
  std::vector<Vec3> normals(truss.nodes.size(), Vec3::Zero());
  const auto at = [&](Index i) -> const Vec3& { return truss.nodes[i].position; };
  for (const Triangle& f : faces) {
    const Vec3 normal = (at(f[1]) - at(f[0])).cross(at(f[2]) - at(f[0]));
    for (const Index i : f) normals[i] += normal;
  }
  for (Index i = 0; i < truss.nodes.size(); ++i) {
    if (!(normals[i].norm() > 0)) continue;
    const Vec3 inward = -normals[i].normalized();
    double nearest = std::numeric_limits<double>::infinity();
    const Triangle* hit = nullptr;
    for (const Triangle& f : faces) {
      if (f[0] == i || f[1] == i || f[2] == i) continue;
      const Vec3 u = at(f[1]) - at(f[0]), v = at(f[2]) - at(f[0]), p = inward.cross(v), s = at(i) - at(f[0]);
      const double det = u.dot(p);
      if (std::abs(det) < 1e-300) continue;
      const double b = s.dot(p) / det, c = inward.dot(s.cross(u)) / det, t = v.dot(s.cross(u)) / det;
      if (b < 0 || c < 0 || b + c > 1 || !(t > 0) || t >= nearest) continue;
      nearest = t;
      hit = &f;
    }
    if (hit)
      for (const Index other : *hit) springs.add(i, other);
  }
}

/// Nodes by their distance to p, nearest first.
std::vector<Index> by_distance(const StrungTruss& truss, const Vec3& p, const std::vector<Index>& among) {
  std::vector<Index> order = among;
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return (truss.nodes[a].position - p).squaredNorm() < (truss.nodes[b].position - p).squaredNorm();
  });
  return order;
}

/// Joins loose pieces to what is nearest: the three nodes of a piece that are nearest to the rest, each to
/// its three nearest there.
void join_pieces(StrungTruss& truss, Springs& springs) {
  while (true) {
    springs.store(truss);
    const TrussPieces pieces = connected_pieces(truss);
    if (pieces.count <= 1) return;
    std::vector<Index> inside, outside;
    for (Index i = 0; i < truss.nodes.size(); ++i)
      (pieces.piece[i] == pieces.count - 1 ? inside : outside).push_back(i);
    std::vector<std::pair<double, Index>> near;
    for (const Index i : inside) {
      double least = std::numeric_limits<double>::infinity();
      for (const Index j : outside)
        least = std::min(least, (truss.nodes[i].position - truss.nodes[j].position).squaredNorm());
      near.emplace_back(least, i);
    }
    std::sort(near.begin(), near.end());
    for (std::size_t k = 0; k < near.size() && k < 3; ++k) {
      const auto others = by_distance(truss, truss.nodes[near[k].second].position, outside);
      for (std::size_t j = 0; j < others.size() && j < 3; ++j) springs.add(near[k].second, others[j]);
    }
  }
}

}  // namespace

Result<StrungTruss> truss_by_decimation(const DisplayMesh& mesh, const DecimationOptions& options) {
  if (mesh.empty())
    return refusal("There is no display model to make a truss from.", "Give the object a display model first.");
  for (const Vec3& p : mesh.positions)
    if (!p.allFinite())
      return refusal("The display model has a vertex that is not a number.", "Repair the mesh under Mesh.");
  const auto cancelled = [&] { return options.cancelled && options.cancelled(); };
  const Diagnostic stopped{Severity::info, "analysis", "The decimation was cancelled.", ""};
  const WeldedSurface surface = weld_surface(mesh);
  const int nodes = std::clamp(options.nodes, kFewest, kMostNodes);

  std::map<Index, std::vector<Triangle>> groups;  // by part, or all as one
  for (std::size_t f = 0; f < surface.faces.size(); ++f)
    groups[options.per_part ? surface.part[f] : 0].push_back(surface.faces[f]);
  const double whole = area(surface, surface.faces);
  if (!(whole > 0)) return refusal("The faces of the display model have no area.", "Choose another shape.");
  std::vector<Triangle> faces;
  for (const auto& [part, group] : groups) {
    if (cancelled()) return stopped;
    const double share = nodes * area(surface, group) / whole;
    const int budget = groups.size() == 1 ? nodes : std::max(kFewestOfPart, static_cast<int>(std::lround(share)));
    const auto kept = decimated(surface, group, budget);
    faces.insert(faces.end(), kept.begin(), kept.end());
  }
  if (faces.empty()) return refusal("Nothing was left of the display model after decimation.", "Ask for more nodes.");

  StrungTruss truss;
  std::map<Index, Index> number;
  for (Triangle& f : faces)
    for (Index& i : f) {
      const auto [at, fresh] = number.emplace(i, static_cast<Index>(truss.nodes.size()));
      if (fresh) truss.nodes.push_back({surface.positions[i], 1, false});
      i = at->second;
    }
  Springs springs;
  string_surface(faces, springs);
  string_inside(truss, faces, springs);
  join_pieces(truss, springs);
  springs.store(truss);

  // What still moves freely is tied to more and more of what is near; then to a node in the middle, as the
  // catalogue's round shapes are.
  std::vector<Index> everyone = all_nodes(truss);
  Rigidity rigidity = diagnose_rigidity(truss, options.cancelled);
  if (rigidity.flat)
    return refusal("The display model is flat, and straight springs do not resist bending out of a plane.",
                   "Use a plane grid, which has some thickness.");
  for (std::size_t most = 6; !rigidity.rigid() && most <= 24 && !cancelled(); most *= 2) {
    for (const Index node : rigidity.loose) {
      const auto near = by_distance(truss, truss.nodes[node].position, everyone);
      for (std::size_t k = 1; k < near.size() && k <= most; ++k) springs.add(node, near[k]);
    }
    springs.store(truss);
    rigidity = diagnose_rigidity(truss, options.cancelled);
  }
  if (!rigidity.rigid() && !cancelled()) {
    StrungNode middle;
    for (const StrungNode& node : truss.nodes)
      middle.position += node.position / static_cast<double>(truss.nodes.size());
    const auto centre = static_cast<Index>(truss.nodes.size());
    truss.nodes.push_back(middle);
    for (const Index node : everyone)
      if ((truss.nodes[node].position - middle.position).norm() > 0) springs.add(node, centre);
    springs.store(truss);
    rigidity = diagnose_rigidity(truss, options.cancelled);
  }
  if (cancelled()) return stopped;
  if (!rigidity.rigid())
    return refusal("A truss from this display model would not hold its shape.",
                   "Ask for more nodes, or fit a catalogue shape and move its nodes.");
  // The simplified surface is the hull where it is still closed: every edge runs both ways once.
  std::set<std::pair<Index, Index>> edges;
  bool closed = true;
  for (const Triangle& f : faces)
    for (std::size_t k = 0; k < 3; ++k) closed = edges.emplace(f[k], f[(k + 1) % 3]).second && closed;
  for (const auto& e : edges) closed = closed && edges.contains({e.second, e.first});
  double volume = 0;
  for (const Triangle& f : faces)
    volume += truss.nodes[f[0]].position.dot(truss.nodes[f[1]].position.cross(truss.nodes[f[2]].position));
  if (closed && volume > 0) truss.hull = faces;
  return truss;
}

}  // namespace hazumi
