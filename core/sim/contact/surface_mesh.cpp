#include "core/sim/contact/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/geometry/mesh/topology.h"

namespace hazumi {
namespace {

constexpr std::uint32_t kFacesOfPart = 48, kPartsOfGroup = 12;
constexpr double kFlat = 0.9999619;  // cosine of half a degree: faces that make less are flat together

std::uint32_t root_of_face(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

void join(std::vector<std::uint32_t>& parent, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t a = root_of_face(parent, i), b = root_of_face(parent, j);
  parent[std::max(a, b)] = std::min(a, b);
}

/// Faces and vertices that count, from those of the display mesh. Returns for each face of the mesh its number, or kNoIndex.
std::vector<std::uint32_t> take_faces(const DisplayMesh& mesh, const Vec3& origin, const MeshTopology& all,
                                      SurfaceMesh& s) {
  std::vector<std::uint32_t> number(mesh.positions.size(), kNoIndex), taken(mesh.faces.size(), kNoIndex);
  const auto vertex = [&](std::uint32_t v) {
    std::uint32_t& at = number[all.place[v]];
    if (at == kNoIndex) {
      at = static_cast<std::uint32_t>(s.points.size());
      s.points.push_back(mesh.positions[all.place[v]] - origin);
      s.source.push_back(all.place[v]);
      s.box.add(s.points.back());
    }
    return at;
  };
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) vertex(v);
  const std::vector<char> turn = faces_to_turn(mesh, all);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    if (all.face_edges[f][0] == kNoIndex) continue;
    taken[f] = static_cast<std::uint32_t>(s.faces.size());
    std::array<std::uint32_t, 3> face = {vertex(mesh.faces[f][0]), vertex(mesh.faces[f][1]), vertex(mesh.faces[f][2])};
    if (turn[f]) std::swap(face[1], face[2]);
    s.faces.push_back(face);
    const Vec3 area = (s.points[face[1]] - s.points[face[0]]).cross(s.points[face[2]] - s.points[face[0]]);
    s.normals.push_back(area.squaredNorm() > 1e-280 ? Vec3(area.normalized()) : Vec3(Vec3::Zero()));
  }
  return taken;
}

/// Edges, who is beside whom, closed pieces. A closed piece whose faces look inwards is a room: solid on both sides.
void link(const DisplayMesh& mesh, const MeshTopology& all, const std::vector<std::uint32_t>& taken, SurfaceMesh& s) {
  const std::size_t count = s.faces.size();
  s.beside.assign(count, {kNoIndex, kNoIndex, kNoIndex});
  std::vector<std::uint32_t> piece(count), flat(count);
  std::iota(piece.begin(), piece.end(), 0u);
  std::iota(flat.begin(), flat.end(), 0u);
  std::vector<char> open(count, 0);
  const auto corner_of = [&](std::uint32_t f, std::uint32_t a, std::uint32_t b) {  // of the edge between a and b
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t p = s.faces[f][k], q = s.faces[f][(k + 1) % 3];
      if ((p == a && q == b) || (p == b && q == a)) return k;
    }
    return std::size_t{0};
  };
  for (const MeshEdge& e : all.edges) {
    const std::uint32_t f = taken[e.sides[0] / 3], g = e.uses > 1 ? taken[e.sides[1] / 3] : f;
    const auto ends_in = [&](std::uint32_t side, std::uint32_t face) {
      const auto& corners = mesh.faces[side / 3];
      const std::uint32_t a = all.place[corners[side % 3]], b = all.place[corners[(side % 3 + 1) % 3]];
      std::array<std::uint32_t, 2> ends = {0, 0};
      for (const std::uint32_t v : s.faces[face]) {
        if (s.source[v] == a) ends[0] = v;
        if (s.source[v] == b) ends[1] = v;
      }
      return ends;
    };
    SurfaceEdge edge{ends_in(e.sides[0], f), {f, g}, true};
    if (e.uses != 2) {
      open[f] = open[g] = 1;
      s.edges.push_back(edge);
      continue;
    }
    const std::size_t k = corner_of(f, edge.ends[0], edge.ends[1]), l = corner_of(g, edge.ends[0], edge.ends[1]);
    s.beside[f][k] = g;
    s.beside[g][l] = f;
    join(piece, f, g);
    const bool agree = s.faces[f][k] != s.faces[g][l];
    if (!agree) open[f] = open[g] = 1;
    const Vec3 n = s.normals[f], m = s.normals[g];
    if (n.dot(m) > kFlat && agree) {
      edge.sharp = false;
      join(flat, f, g);
    } else if (agree) {
      edge.sharp = n.dot(s.points[s.faces[g][(l + 2) % 3]] - s.points[edge.ends[0]]) < 0;  // hollow edges: false
    }
    s.edges.push_back(edge);
  }
  std::vector<double> volume(count, 0.0);
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f) {
    if (taken[f] == kNoIndex) continue;
    const auto& v = mesh.faces[f];
    const Vec3 o = s.box.centre() + (mesh.positions[s.source[0]] - s.points[0]);
    volume[root_of_face(piece, taken[f])] +=
        (mesh.positions[v[0]] - o).dot((mesh.positions[v[1]] - o).cross(mesh.positions[v[2]] - o));
  }
  for (std::uint32_t f = 0; f < count; ++f)
    if (open[f]) open[root_of_face(piece, f)] = 1;
  s.solid.resize(count);
  s.region.resize(count);
  for (std::uint32_t f = 0; f < count; ++f) {
    const std::uint32_t root = root_of_face(piece, f);
    s.solid[f] = !open[root] && volume[root] > 0;
    s.any_solid = s.any_solid || s.solid[f];
    s.any_open = s.any_open || !s.solid[f];
    s.region[f] = root_of_face(flat, f);
  }
  // A sheet is solid on both sides: what is hollow from one of them is sharp from the other.
  for (SurfaceEdge& e : s.edges)
    if (!s.solid[e.faces[0]]) e.sharp = e.sharp || s.region[e.faces[0]] != s.region[e.faces[1]];
}

/// Who looks at which vertex and edge, faces around vertices.
void finish(SurfaceMesh& s, bool bends) {
  std::vector<std::uint32_t> owner(s.points.size(), kNoIndex);
  s.owned.assign(s.faces.size(), 0);
  s.first_at.assign(s.points.size() + 1, 0);
  for (std::uint32_t f = 0; f < s.faces.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = s.faces[f][k];
      ++s.first_at[v + 1];
      if (owner[v] != kNoIndex) continue;
      owner[v] = f;
      s.owned[f] = static_cast<std::uint8_t>(s.owned[f] | 1u << k);
    }
  std::partial_sum(s.first_at.begin(), s.first_at.end(), s.first_at.begin());
  s.faces_at.resize(s.first_at.back());
  std::vector<std::uint32_t> next(s.first_at.begin(), s.first_at.end() - 1);
  for (std::uint32_t f = 0; f < s.faces.size(); ++f)
    for (const std::uint32_t v : s.faces[f]) s.faces_at[next[v]++] = f;
  s.owned_edges.assign(s.faces.size(), {kNoIndex, kNoIndex, kNoIndex});
  for (std::uint32_t e = 0; e < s.edges.size(); ++e) {
    if (!s.edges[e].sharp && !bends) continue;
    auto& list = s.owned_edges[s.edges[e].faces[0]];
    *std::find(list.begin(), list.end() - 1, kNoIndex) = e;
  }
  for (std::uint32_t v = 0; v < s.points.size(); ++v)
    if (owner[v] == kNoIndex) s.loose.push_back(v);
}

/// No part has faces of two pieces, as those go their own ways: for the trees they lie far from each other.
void split_into_parts(SurfaceMesh& s) {
  std::vector<Box3> boxes(s.faces.size());
  for (std::uint32_t f = 0; f < s.faces.size(); ++f)
    for (const std::uint32_t v : s.faces[f]) boxes[f].add(s.points[v]);
  const double far = 4 * s.box.size().norm();
  const auto apart = [&](Box3 box, std::uint32_t piece) {
    box.low.x() += far * piece;
    box.high.x() += far * piece;
    return box;
  };
  std::vector<Box3> placed = boxes;
  if (!s.piece.empty())
    for (std::uint32_t f = 0; f < s.faces.size(); ++f) placed[f] = apart(boxes[f], s.piece_of_face(f));
  const BoxTree all(placed, kFacesOfPart);
  const auto tidy = [](std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  std::vector<Box3> part_boxes, own;
  for (const auto& [first, count] : all.leaves()) {
    SurfacePart part;
    const auto items = all.order().subspan(first, count);
    part.faces.assign(items.begin(), items.end());
    tidy(part.faces);
    if (!s.piece.empty()) part.piece = s.piece_of_face(part.faces[0]);
    own.clear();
    for (const std::uint32_t f : part.faces) {
      own.push_back(boxes[f]);
      part.corners.insert(part.corners.end(), s.faces[f].begin(), s.faces[f].end());
    }
    tidy(part.corners);
    for (const std::uint32_t v : part.corners) {
      part.box.add(s.points[v]);
      for (const std::uint32_t f : s.around(v))
        part.vertices.insert(part.vertices.end(), s.faces[f].begin(), s.faces[f].end());
    }
    tidy(part.vertices);
    part.tree = BoxTree(own, 2);
    part_boxes.push_back(s.piece.empty() ? part.box : apart(part.box, part.piece));
    s.parts.push_back(std::move(part));
  }
  const BoxTree over_parts(part_boxes, kPartsOfGroup);
  std::vector<Box3> group_boxes;
  for (const auto& [first, count] : over_parts.leaves()) {
    SurfaceGroup group;
    const auto items = over_parts.order().subspan(first, count);
    group.parts.assign(items.begin(), items.end());
    tidy(group.parts);
    for (const std::uint32_t p : group.parts) {
      group.corners.insert(group.corners.end(), s.parts[p].corners.begin(), s.parts[p].corners.end());
      group.box.add(s.parts[p].box.low);
      group.box.add(s.parts[p].box.high);
    }
    tidy(group.corners);
    group_boxes.push_back(group.box);
    s.groups.push_back(std::move(group));
  }
  s.top = BoxTree(group_boxes, 2);
}

}  // namespace

std::shared_ptr<const SurfaceMesh> make_surface_mesh(const DisplayMesh& mesh, const Vec3& origin, bool bends,
                                                     std::span<const std::uint32_t> source,
                                                     std::span<const std::uint32_t> pieces) {
  auto s = std::make_shared<SurfaceMesh>();
  MeshTopology all;
  if (pieces.empty()) {
    all = topology(mesh);
  } else {  // pieces far from each other
    DisplayMesh apart;
    apart.positions = mesh.positions;
    apart.faces = mesh.faces;
    const double far = 4 * bounds(mesh).size().norm();
    for (std::size_t v = 0; v < pieces.size(); ++v) apart.positions[v].x() += far * pieces[v];
    all = topology(apart);
  }
  const std::vector<std::uint32_t> taken = take_faces(mesh, origin, all, *s);
  link(mesh, all, taken, *s);
  finish(*s, bends);
  if (!pieces.empty())
    for (const std::uint32_t v : s->source) s->piece.push_back(pieces[v]);
  split_into_parts(*s);
  if (!source.empty())
    for (std::uint32_t& v : s->source) v = source[v];
  return s;
}

}  // namespace hazumi
