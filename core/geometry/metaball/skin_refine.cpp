#include "core/geometry/metaball/skin_refine.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hazumi::metaball {

namespace {

constexpr int kHalvings = 2;
constexpr double kTurns = 0.5;  // tolerances: an edge may turn over what puts it so far off on the largest primitive
constexpr double kBent = 0.1;   // tolerances: nearer to the surface than this an edge is left as it is

using Face = std::array<std::uint32_t, 3>;
using Edge = std::array<std::uint32_t, 2>;

/// Edges that are halved, with the number of the vertex in the middle of each.
std::map<Edge, std::uint32_t> bent_edges(const DisplayMesh& mesh, const SkinMesh& joined, double tolerance,
                                         double diameter) {
  // r a² / 8 of an edge that turns by a on a radius r.
  const double turn = 4 * std::sqrt(kTurns * tolerance / diameter);
  std::map<Edge, std::uint32_t> middles;
  for (const Face& f : mesh.faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = f[k], b = f[(k + 1) % 3];
      if (a > b || joined.sharp[joined.of[a]] || joined.sharp[joined.of[b]]) continue;
      if ((mesh.normals[a] - mesh.normals[b]).norm() <= turn ||
          bend(mesh.positions[a], mesh.positions[b], mesh.normals[a], mesh.normals[b]) <= kBent * tolerance)
        continue;
      middles.emplace(Edge{a, b}, static_cast<std::uint32_t>(mesh.positions.size() + middles.size()));
    }
  return middles;
}

/// In two, three or four where edges are halved: both faces of an edge halve it at the same place.
void cut_face(const Face& f, const std::map<Edge, std::uint32_t>& middles, std::vector<Face>& out) {
  Face middle{};
  int halved = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto at = middles.find({std::min(f[k], f[(k + 1) % 3]), std::max(f[k], f[(k + 1) % 3])});
    middle[k] = at == middles.end() ? 0 : at->second;
    halved += at != middles.end();
  }
  if (halved == 3) {
    for (std::size_t k = 0; k < 3; ++k) out.push_back({f[k], middle[k], middle[(k + 2) % 3]});
    out.push_back(middle);
    return;
  }
  if (halved == 0) return out.push_back(f);
  std::size_t k = 0;  // the last halved edge before one that is not
  while (middle[k] == 0 || middle[(k + 1) % 3] != 0) ++k;
  const std::uint32_t a = f[k], b = f[(k + 1) % 3], c = f[(k + 2) % 3], m = middle[k], before = middle[(k + 2) % 3];
  out.push_back({m, b, c});
  if (halved == 1) return out.push_back({a, m, c});
  out.push_back({a, m, before});
  out.push_back({before, m, c});
}

}  // namespace

std::shared_ptr<const DisplayMesh> refined(std::shared_ptr<const DisplayMesh> mesh, const Pose& place,
                                           const FieldPoints& field, const SkinBounds& bounds, double tolerance,
                                           Executor& executor) {
  const Quat back = place.rotation.conjugate();
  for (int round = 0; round < kHalvings; ++round) {
    const auto middles = bent_edges(*mesh, joined_mesh(*mesh, place), tolerance, bounds.diameter);
    if (middles.empty()) return mesh;
    SkinState made;
    made.places.resize(middles.size());
    made.normals.resize(middles.size());
    DisplayMesh finer = *mesh;
    if (!finer.looks.empty()) finer.looks.resize(finer.positions.size() + middles.size());
    for (const auto& [edge, m] : middles) {
      const std::size_t i = m - mesh->positions.size();
      made.places[i] = place * Vec3(0.5 * (mesh->positions[edge[0]] + mesh->positions[edge[1]]));
      made.normals[i] = (place.rotation * Vec3(mesh->normals[edge[0]] + mesh->normals[edge[1]])).normalized();
      if (finer.looks.empty()) continue;
      const VertexLook &a = mesh->looks[edge[0]], &b = mesh->looks[edge[1]];
      finer.looks[m] = {0.5f * (a.ambient + b.ambient), 0.5f * (a.diffuse + b.diffuse),
                        0.5f * (a.specular + b.specular), 0.5f * (a.shininess + b.shininess)};
    }
    if (!put_on_surface(field, bounds, made, executor)) return mesh;
    for (std::size_t i = 0; i < made.places.size(); ++i) {
      finer.positions.push_back(back * (made.places[i] - place.position));
      finer.normals.push_back(back * made.normals[i]);
    }
    finer.faces.clear();
    for (const Face& f : mesh->faces) cut_face(f, middles, finer.faces);
    if (finer.parts.size() == 1) finer.parts[0].face_count = static_cast<std::uint32_t>(finer.faces.size());
    mesh = std::make_shared<const DisplayMesh>(std::move(finer));
  }
  return mesh;
}

}  // namespace hazumi::metaball
