#include "core/geometry/mesh/topology.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/hash.h"
#include "core/base/slot_table.h"

namespace hazumi {

namespace {

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

std::vector<std::uint32_t> weld(const std::vector<Vec3>& positions) {
  std::vector<std::uint32_t> place(positions.size());
  SlotTable slots(positions.size());
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    const Vec3& p = positions[v];
    // + 0.0: equal keys must hash equally, and -0.0 == 0.0.
    const std::uint64_t hash = Hasher().add(p.x() + 0.0).add(p.y() + 0.0).add(p.z() + 0.0).value();
    place[v] = slots.find_or_put(hash, v, [&](std::uint32_t other) { return positions[other] == p; });
  }
  return place;
}

MeshTopology topology(const DisplayMesh& mesh) { return topology(mesh, weld(mesh.positions)); }

MeshTopology topology(const DisplayMesh& mesh, std::vector<std::uint32_t> place) {
  MeshTopology result;
  result.place = std::move(place);
  result.face_edges.assign(mesh.faces.size(), {kNoIndex, kNoIndex, kNoIndex});
  result.edges.reserve(mesh.faces.size() * 3 / 2 + 16);
  SlotTable slots(mesh.faces.size() * 3);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& face = mesh.faces[f];
    const std::uint32_t v[3] = {result.place[face[0]], result.place[face[1]], result.place[face[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t a = std::min(v[k], v[(k + 1) % 3]), b = std::max(v[k], v[(k + 1) % 3]);
      const auto fresh = static_cast<std::uint32_t>(result.edges.size());
      const std::uint32_t at = slots.find_or_put(mix64((std::uint64_t{a} << 32) | b), fresh, [&](std::uint32_t e) {
        return result.edges[e].a == a && result.edges[e].b == b;
      });
      if (at == fresh) result.edges.push_back({a, b});
      MeshEdge& edge = result.edges[at];
      if (edge.uses < 2) edge.sides[edge.uses] = 3 * f + k;
      ++edge.uses;
      result.face_edges[f][k] = at;
    }
  }
  return result;
}

std::vector<std::vector<std::uint32_t>> border_rings(const MeshTopology& topology) {
  // Open edges of each place as a linked list: 2 e and 2 e + 1 are the ends of open edge e.
  std::vector<std::uint32_t> open;
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e)
    if (topology.edges[e].uses == 1) open.push_back(e);
  if (open.empty()) return {};
  std::vector<std::uint32_t> head(topology.place.size(), kNoIndex), next(2 * open.size(), kNoIndex);
  for (std::uint32_t i = static_cast<std::uint32_t>(open.size()); i-- > 0;)
    for (std::uint32_t end = 0; end < 2; ++end) {
      const MeshEdge& edge = topology.edges[open[i]];
      std::uint32_t& first = head[end == 0 ? edge.a : edge.b];
      next[2 * i + end] = first;
      first = 2 * i + end;
    }
  std::vector<char> used(open.size(), 0);
  std::vector<std::uint32_t> step(topology.place.size(), kNoIndex);  // where on the path a place lies
  std::vector<std::vector<std::uint32_t>> rings;
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < open.size(); ++start) {
    if (used[start]) continue;
    path = {topology.edges[open[start]].a};
    step[path[0]] = 0;
    while (!path.empty()) {
      std::uint32_t& list = head[path.back()];
      while (list != kNoIndex && used[list / 2]) list = next[list];
      if (list == kNoIndex) {  // a chain that does not close: back to the last fork
        step[path.back()] = kNoIndex;
        path.pop_back();
        continue;
      }
      const std::uint32_t i = list / 2;
      used[i] = 1;
      const MeshEdge& edge = topology.edges[open[i]];
      const std::uint32_t to = edge.a == path.back() ? edge.b : edge.a;
      if (step[to] == kNoIndex) {
        step[to] = static_cast<std::uint32_t>(path.size());
        path.push_back(to);
        continue;
      }
      const auto from = path.begin() + step[to];
      if (path.end() - from >= 3) rings.emplace_back(from, path.end());
      for (auto at = from + 1; at != path.end(); ++at) step[*at] = kNoIndex;
      path.erase(from + 1, path.end());
    }
  }
  return rings;
}

std::vector<char> faces_to_turn(const DisplayMesh& mesh, const MeshTopology& topology) {
  std::vector<char> turn(mesh.faces.size(), 0), seen(mesh.faces.size(), 0);
  std::vector<std::uint32_t> piece;
  const Vec3 origin = bounds(mesh).valid() ? bounds(mesh).centre() : Vec3::Zero();
  for (std::uint32_t seed = 0; seed < mesh.faces.size(); ++seed) {
    if (seen[seed] || topology.face_edges[seed][0] == kNoIndex) continue;
    piece = {seed};
    seen[seed] = 1;
    bool closed = true;
    std::size_t turned = 0;
    double volume = 0;  // six times, of the piece as it is after the turning
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::uint32_t f = piece[i];
      const auto& face = mesh.faces[f];
      const double part = (mesh.positions[face[0]] - origin)
                              .dot((mesh.positions[face[1]] - origin).cross(mesh.positions[face[2]] - origin));
      volume += turn[f] ? -part : part;
      turned += turn[f] ? 1 : 0;
      for (std::uint32_t e : topology.face_edges[f]) {
        const MeshEdge& edge = topology.edges[e];
        if (edge.uses == 1) closed = false;
        if (edge.uses != 2) continue;
        const std::uint32_t mine = edge.sides[0] / 3 == f ? edge.sides[0] : edge.sides[1];
        const std::uint32_t other = mine == edge.sides[0] ? edge.sides[1] : edge.sides[0];
        if (seen[other / 3]) continue;
        seen[other / 3] = 1;
        const bool agree = topology.upwards(mesh, mine) != topology.upwards(mesh, other);
        turn[other / 3] = agree ? turn[f] : !turn[f];
        piece.push_back(other / 3);
      }
    }
    const bool all_the_other_way = closed ? volume < 0 : 2 * turned > piece.size();
    if (all_the_other_way)
      for (std::uint32_t f : piece) turn[f] = !turn[f];
  }
  return turn;
}

void compute_creased_normals(DisplayMesh& mesh, double angle) {
  const MeshTopology all = topology(mesh);
  const double cosine = std::cos(angle);
  std::vector<Vec3> areas(mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto& face = mesh.faces[f];
    areas[f] =
        (mesh.positions[face[1]] - mesh.positions[face[0]]).cross(mesh.positions[face[2]] - mesh.positions[face[0]]);
  }
  // Corners (3 face + corner) that share a normal are joined: both ends of every edge that is not sharp.
  std::vector<std::uint32_t> parent(mesh.faces.size() * 3);
  std::iota(parent.begin(), parent.end(), 0u);
  for (const MeshEdge& edge : all.edges) {
    if (edge.uses != 2) continue;
    const std::uint32_t s = edge.sides[0], t = edge.sides[1];
    const Vec3 &n = areas[s / 3], &m = areas[t / 3];
    const double lengths = n.norm() * m.norm();
    // Faces that do not agree about outside have no common normal; faces without area have none to disagree
    // with.
    const bool agree = all.upwards(mesh, s) != all.upwards(mesh, t);
    if (!agree || (lengths > 0 && n.dot(m) < cosine * lengths)) continue;
    const auto after = [](std::uint32_t side) { return side - side % 3 + (side % 3 + 1) % 3; };
    for (const auto& [i, j] : {std::pair{s, after(t)}, std::pair{after(s), t}}) {
      const std::uint32_t a = root(parent, i), b = root(parent, j);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<Vec3> sums(parent.size(), Vec3::Zero());
  for (std::uint32_t c = 0; c < parent.size(); ++c) sums[root(parent, c)] += areas[c / 3];

  // Each vertex takes the normal of the first corner that uses it; a corner of another group gets a copy of
  // the vertex.
  const std::size_t before = mesh.positions.size();
  mesh.normals.assign(before, Vec3(0, 1, 0));  // a vertex of no face still needs a unit normal
  const bool textured = !mesh.texture.empty(), looked = !mesh.looks.empty();
  std::vector<std::uint32_t> group(before, kNoIndex), copy(before, kNoIndex);  // copy: next vertex made from this one
  const auto set_normal = [&](std::uint32_t v, std::uint32_t g) {
    const double length = sums[g].norm();
    if (length > 0) mesh.normals[v] = sums[g] / length;
  };
  for (std::uint32_t c = 0; c < parent.size(); ++c) {
    const std::uint32_t g = root(parent, c);
    std::uint32_t& corner = mesh.faces[c / 3][c % 3];
    std::uint32_t v = corner;
    while (group[v] != kNoIndex && group[v] != g && copy[v] != kNoIndex) v = copy[v];
    if (group[v] != kNoIndex && group[v] != g) {
      const auto fresh = static_cast<std::uint32_t>(mesh.positions.size());
      copy[v] = fresh;
      mesh.positions.push_back(Vec3(mesh.positions[v]));
      mesh.normals.push_back(Vec3(0, 1, 0));
      if (textured) mesh.texture.push_back(Vec2(mesh.texture[v]));
      if (looked) mesh.looks.push_back(VertexLook(mesh.looks[v]));
      group.push_back(kNoIndex);
      copy.push_back(kNoIndex);
      v = fresh;
    }
    if (group[v] == kNoIndex) {
      group[v] = g;
      set_normal(v, g);
    }
    corner = v;
  }
}

}  // namespace hazumi
