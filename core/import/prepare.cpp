#include "core/import/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/hash.h"
#include "core/geometry/mesh/topology.h"

namespace hazumi {

namespace {

/// Drops collapsed faces (two corners at one place) and vertices that no face uses; parts keep their order,
/// empty ones go.
void compact(DisplayMesh& mesh) {
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::vector<Part> parts;
  faces.reserve(mesh.faces.size());
  for (Part& part : mesh.parts) {
    const auto first = static_cast<std::uint32_t>(faces.size());
    for (std::uint32_t i = part.first_face; i < part.first_face + part.face_count; ++i) {
      const auto& f = mesh.faces[i];
      const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
      if (a != b && b != c && c != a) faces.push_back(f);
    }
    part.first_face = first;
    part.face_count = static_cast<std::uint32_t>(faces.size()) - first;
    if (part.face_count > 0) parts.push_back(std::move(part));
  }
  mesh.faces = std::move(faces);
  mesh.parts = std::move(parts);

  std::vector<std::uint32_t> now(mesh.positions.size(), kNoIndex);
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f) now[v] = 0;
  std::uint32_t kept = 0;
  for (std::uint32_t v = 0; v < now.size(); ++v) {
    if (now[v] == kNoIndex) continue;
    now[v] = kept;
    mesh.positions[kept] = Vec3(mesh.positions[v]);
    if (!mesh.normals.empty()) mesh.normals[kept] = Vec3(mesh.normals[v]);
    if (!mesh.texture.empty()) mesh.texture[kept] = Vec2(mesh.texture[v]);
    if (!mesh.looks.empty()) mesh.looks[kept] = VertexLook(mesh.looks[v]);
    ++kept;
  }
  mesh.positions.resize(kept);
  if (!mesh.normals.empty()) mesh.normals.resize(kept);
  if (!mesh.texture.empty()) mesh.texture.resize(kept);
  if (!mesh.looks.empty()) mesh.looks.resize(kept);
  for (auto& f : mesh.faces)
    for (std::uint32_t& v : f) v = now[v];
}

template <class Turn>
void turn_all(DisplayMesh& mesh, const Turn& turn) {
  for (Vec3& p : mesh.positions) p = turn(p);
  for (Vec3& n : mesh.normals) n = turn(n);
}

/// Triangles of least area over a ring of points, as corners of the ring.
std::vector<std::array<std::uint32_t, 3>> least_area(const std::vector<Vec3>& ring) {
  const auto n = static_cast<std::uint32_t>(ring.size());
  std::vector<double> weight(std::size_t{n} * n, 0.0);
  std::vector<std::uint32_t> split(std::size_t{n} * n, 0);
  for (std::uint32_t span = 2; span < n; ++span)
    for (std::uint32_t i = 0; i + span < n; ++i) {
      const std::uint32_t k = i + span;
      double best = std::numeric_limits<double>::infinity();
      for (std::uint32_t m = i + 1; m < k; ++m) {
        const double area = 0.5 * (ring[m] - ring[i]).cross(ring[k] - ring[i]).norm();
        const double total = weight[i * n + m] + weight[m * n + k] + area;
        if (total < best) {
          best = total;
          split[i * n + k] = m;
        }
      }
      weight[i * n + k] = best;
    }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 2>> todo = {{0, n - 1}};
  while (!todo.empty()) {
    const auto [i, k] = todo.back();
    todo.pop_back();
    if (k < i + 2) continue;
    const std::uint32_t m = split[i * n + k];
    triangles.push_back({i, m, k});
    todo.push_back({m, k});
    todo.push_back({i, m});
  }
  return triangles;
}

}  // namespace

void turn_up_axis(DisplayMesh& mesh, UpAxis up) {
  if (up == UpAxis::z) turn_all(mesh, [](const Vec3& p) { return Vec3(p.x(), p.z(), -p.y()); });
  if (up == UpAxis::x) turn_all(mesh, [](const Vec3& p) { return Vec3(-p.y(), p.x(), p.z()); });
}

Quat up_turn(UpAxis up) {
  if (up == UpAxis::z) return Quat(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitX()));
  if (up == UpAxis::x) return Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  return Quat::Identity();
}

void scale_mesh(DisplayMesh& mesh, double factor) {
  if (factor == 1) return;
  for (Vec3& p : mesh.positions) p *= factor;
}

std::size_t merge_vertices(DisplayMesh& mesh, double distance) {
  if (!(distance > 0) || mesh.positions.empty()) return 0;
  const std::vector<std::uint32_t> place = weld(mesh.positions);
  // Points that stay, by cells four times as wide as the distance: only a point near a wall has to look next
  // door.
  std::size_t size = 16;
  while (size < 2 * mesh.positions.size()) size *= 2;
  std::vector<std::uint32_t> head(size, kNoIndex), next(mesh.positions.size(), kNoIndex);
  const double width = 4 * distance;
  const auto slot = [&](double x, double y, double z) {
    return Hasher().add(x + 0.0).add(y + 0.0).add(z + 0.0).value() & (size - 1);
  };
  std::vector<std::uint32_t> target(mesh.positions.size());
  std::size_t merged = 0;
  for (std::uint32_t v = 0; v < target.size(); ++v) {
    if (place[v] != v) {
      target[v] = target[place[v]];
      continue;
    }
    const Vec3 p = mesh.positions[v];
    const Eigen::Array3d low = ((p.array() - distance) / width).floor(),
                         high = ((p.array() + distance) / width).floor();
    std::uint32_t found = kNoIndex;  // the first one of all that are near enough
    for (double x = low.x(); x <= high.x(); ++x)
      for (double y = low.y(); y <= high.y(); ++y)
        for (double z = low.z(); z <= high.z(); ++z)
          for (std::uint32_t o = head[slot(x, y, z)]; o != kNoIndex; o = next[o])
            if (o < found && (mesh.positions[o] - p).squaredNorm() <= distance * distance) found = o;
    target[v] = found == kNoIndex ? v : found;
    if (found != kNoIndex) {
      ++merged;
      continue;
    }
    const Eigen::Array3d own = (p.array() / width).floor();
    std::uint32_t& first = head[slot(own.x(), own.y(), own.z())];
    next[v] = first;
    first = v;
  }
  if (merged == 0) return 0;
  for (std::uint32_t v = 0; v < target.size(); ++v) mesh.positions[v] = Vec3(mesh.positions[target[v]]);
  compact(mesh);
  compute_creased_normals(mesh, kCreaseAngle);
  return merged;
}

std::size_t orient_faces(DisplayMesh& mesh) { return orient_faces(mesh, topology(mesh)); }

std::size_t orient_faces(DisplayMesh& mesh, const MeshTopology& all) {
  const std::vector<char> turn = faces_to_turn(mesh, all);
  std::size_t turned = 0;
  for (std::size_t f = 0; f < turn.size(); ++f) {
    if (!turn[f]) continue;
    std::swap(mesh.faces[f][1], mesh.faces[f][2]);
    ++turned;
  }
  if (turned > 0) compute_creased_normals(mesh, kCreaseAngle);
  return turned;
}

std::size_t fill_holes(DisplayMesh& mesh, int most_edges) { return fill_holes(mesh, most_edges, topology(mesh)); }

std::size_t fill_holes(DisplayMesh& mesh, int most_edges, const MeshTopology& all) {
  if (most_edges < 3) return 0;
  // The face and corner at each open edge, found from its two places.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> open;
  for (const MeshEdge& edge : all.edges)
    if (edge.uses == 1) open[{edge.a, edge.b}] = edge.sides[0];
  std::vector<std::uint32_t> part_of(mesh.faces.size(), 0);
  for (std::uint32_t p = 0; p < mesh.parts.size(); ++p)
    std::fill_n(part_of.begin() + mesh.parts[p].first_face, mesh.parts[p].face_count, p);

  std::vector<std::vector<std::array<std::uint32_t, 3>>> added(mesh.parts.size());
  std::size_t filled = 0;
  for (const std::vector<std::uint32_t>& ring : border_rings(all)) {
    const std::size_t n = ring.size();
    if (n > static_cast<std::size_t>(std::min(most_edges, kMostHoleEdges))) continue;
    // Which way round: against the faces beside the hole. Corners are vertices of the part that has most of
    // the ring.
    std::size_t along = 0;
    std::map<std::uint32_t, std::size_t> votes;
    std::vector<std::uint32_t> corner(n, kNoIndex);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t a = ring[i], b = ring[(i + 1) % n];
      const std::uint32_t side = open.at({std::min(a, b), std::max(a, b)});
      const auto& f = mesh.faces[side / 3];
      const std::uint32_t from = f[side % 3], to = f[(side % 3 + 1) % 3];
      along += all.place[from] == a ? 1 : 0;
      corner[i] = all.place[from] == a ? from : to;
      ++votes[part_of[side / 3]];
    }
    std::uint32_t part = votes.begin()->first;
    for (const auto& [p, count] : votes)
      if (count > votes[part]) part = p;
    std::vector<Vec3> points;
    for (std::uint32_t v : corner) points.push_back(mesh.positions[v]);
    for (auto t : least_area(points)) {
      if (2 * along > n) std::swap(t[1], t[2]);
      added[part].push_back({corner[t[0]], corner[t[1]], corner[t[2]]});
    }
    ++filled;
  }
  if (filled == 0) return 0;
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (std::size_t p = 0; p < mesh.parts.size(); ++p) {
    Part& part = mesh.parts[p];
    const auto from = mesh.faces.begin() + part.first_face;
    const auto first = static_cast<std::uint32_t>(faces.size());
    faces.insert(faces.end(), from, from + part.face_count);
    faces.insert(faces.end(), added[p].begin(), added[p].end());
    part.first_face = first;
    part.face_count = static_cast<std::uint32_t>(faces.size()) - first;
  }
  mesh.faces = std::move(faces);
  compute_creased_normals(mesh, kCreaseAngle);
  return filled;
}

void count_mesh(const DisplayMesh& mesh, MeshReport& report) { count_mesh(mesh, report, topology(mesh)); }

void count_mesh(const DisplayMesh& mesh, MeshReport& report, const MeshTopology& all) {
  std::vector<char> used(mesh.positions.size(), 0);
  for (const auto& f : mesh.faces)
    for (std::uint32_t v : f) used[all.place[v]] = 1;
  report.vertices = static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
  report.faces = mesh.faces.size();
  report.parts = mesh.parts.size();
  report.open_edges = report.non_manifold_edges = 0;
  for (const MeshEdge& edge : all.edges) {
    report.open_edges += edge.uses == 1 ? 1 : 0;
    report.non_manifold_edges += edge.uses > 2 ? 1 : 0;
  }
  report.holes.clear();
  for (const auto& ring : border_rings(all)) report.holes.push_back(static_cast<int>(ring.size()));
  std::sort(report.holes.begin(), report.holes.end());
  const std::vector<char> turn = faces_to_turn(mesh, all);
  report.flipped = static_cast<std::size_t>(std::count(turn.begin(), turn.end(), 1));
  const Box3 box = bounds(mesh);
  report.size = box.valid() ? box.size() : Vec3::Zero();
}

std::optional<PreparedMesh> prepare_mesh(ImportedMesh file, const MeshSettings& settings,
                                         const std::atomic<bool>* cancel) {
  const auto stopped = [cancel] { return cancel != nullptr && cancel->load(); };
  PreparedMesh result{std::move(file.mesh), std::move(file.report)};
  DisplayMesh& mesh = result.mesh;
  turn_up_axis(mesh, settings.up);
  scale_mesh(mesh, settings.scale);
  if (stopped()) return {};
  if (settings.merge_distance > 0)
    result.merged = merge_vertices(mesh, settings.merge_distance * bounds(mesh).size().norm());
  if (stopped()) return {};
  // Who is beside whom is found anew only after a step that changed something: a sound mesh needs it once.
  MeshTopology all = topology(mesh);
  if (stopped()) return {};
  if (settings.orient && (result.turned = orient_faces(mesh, all)) > 0) all = topology(mesh);
  if (stopped()) return {};
  if (settings.fill_holes > 0 && (result.filled = fill_holes(mesh, settings.fill_holes, all)) > 0) all = topology(mesh);
  if (stopped()) return {};
  if (settings.simplify < 1 && (result.simplified = simplify_mesh(mesh, settings.simplify)) > 0) all = topology(mesh);
  if (stopped()) return {};
  count_mesh(mesh, result.report, all);
  if (stopped()) return {};
  return result;
}

}  // namespace hazumi
