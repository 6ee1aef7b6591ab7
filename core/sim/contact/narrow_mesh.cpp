// Surface against surface: one walk through both trees finds faces whose boxes meet; each of them looks at vertices and edges that
// no face before it has (representative triangles: Curtis, Tamstorf, Manocha 2008). A vertex is looked at in the space of the
// body that it may touch.
#include "core/sim/contact/narrow_mesh.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/geometry/mesh/topology.h"

namespace hazumi {
namespace {

constexpr double kMadeApart = 2;  // of the reach of rows: nearer parts of one surface do not touch each other

using Candidates = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // vertex and face, or two edges

Box3 grown(Box3 box, double by) {
  box.low.array() -= by;
  box.high.array() += by;
  return box;
}

Box3 vertex_box(const MeshView& view, std::uint32_t v) {
  Box3 box;
  box.add(view.from(v));
  box.add(view.to(v));
  return box;
}

struct Found {
  Candidates first_on_second, second_on_first, edges;
};

/// Faces of one surface that the pair looks at: their boxes are found once.
class LookedAt {
 public:
  /// Boxes are grown by `margin`.
  LookedAt(FaceMarks& marks, const MeshView& view, double margin) : marks_(marks), view_(view), margin_(margin) {
    marks_.begin_pair(view.mesh().faces.size(), view.mesh().points.size());
  }
  const Box3& box(std::uint32_t face) {
    if (std::exchange(marks_.seen[face], marks_.pair) != marks_.pair)
      marks_.boxes[face] = grown(view_.swept(face), margin_);
    return marks_.boxes[face];
  }
  /// Vertices of a face that comes near a solid: even where no face is near them, they may be inside.
  void mark(std::uint32_t face, Candidates& out) {
    for (const std::uint32_t v : view_.mesh().faces[face])
      if (std::exchange(marks_.marked[v], marks_.pair) != marks_.pair) out.emplace_back(v, kNoIndex);
  }

 private:
  FaceMarks& marks_;
  const MeshView& view_;
  double margin_;
};

/// What may touch, all seen in the space of the second.
Found find_candidates(SurfaceTree& tree_a, SurfaceTree& tree_b, const MeshView& a, const MeshView& b,
                      const ContactSpace& space_a, double margin, PairMarks& marks) {
  Found found;
  const SurfaceMesh &mesh_a = a.mesh(), &mesh_b = b.mesh();
  LookedAt of_a(marks.first, a, margin), of_b(marks.second, b, 0);
  tree_a.across(tree_b, BoxAcross(space_a, b.space(), margin), [&](std::uint32_t f, std::uint32_t g) {
    const Box3 &box_a = of_a.box(f), &box_b = of_b.box(g);
    if (!box_a.meets(box_b)) return;
    for (std::size_t k = 0; k < 3; ++k) {
      if (mesh_a.owned[f] & 1u << k) {
        const std::uint32_t v = mesh_a.faces[f][k];
        if (grown(vertex_box(a, v), margin).meets(box_b)) found.first_on_second.emplace_back(v, g);
      }
      if (mesh_b.owned[g] & 1u << k) {
        const std::uint32_t v = mesh_b.faces[g][k];
        if (vertex_box(b, v).meets(box_a)) found.second_on_first.emplace_back(v, f);
      }
    }
    if (mesh_b.any_solid) of_a.mark(f, found.first_on_second);
    if (mesh_a.any_solid) of_b.mark(g, found.second_on_first);
    for (const std::uint32_t e : mesh_a.owned_edges[f]) {
      if (e == kNoIndex) break;
      const Box3 edge = grown(a.swept_edge(e), margin);
      if (!edge.meets(box_b)) continue;
      for (const std::uint32_t d : mesh_b.owned_edges[g]) {
        if (d == kNoIndex) break;
        if (edge.meets(b.swept_edge(d))) found.edges.emplace_back(e, d);
      }
    }
  });
  std::sort(found.first_on_second.begin(), found.first_on_second.end());
  std::sort(found.second_on_first.begin(), found.second_on_first.end());
  return found;
}

struct PairTouch {
  BodyShape &mover, &target;
  bool mover_first;
  SurfaceFeature kind;
  std::uint32_t piece = kNoIndex;  // of the target, of a body in parts that touch each other: the one that is touched
  bool own() const { return &mover == &target && piece == kNoIndex; }
};

struct Crossed {
  std::uint32_t vertex;
  Vec3 to;
  MeshTouch touch;
};

/// Of what moves, then of what it touches.
std::pair<ContactAnchor, ContactAnchor> anchors_of(const PairTouch& pair, const MeshView& target, const Crossed& c) {
  const Vec3 p = target.space().to * c.to, normal = target.space().to.rotation * c.touch.normal;
  return {
      surface_vertex_anchor(pair.mover, c.vertex),
      surface_place_anchor(pair.target, target.mesh().faces[c.touch.face], c.touch.weights, p - c.touch.gap * normal)};
}

void add_vertex(const PairTouch& pair, const MeshView& target, const Crossed& c, ContactSink& sink) {
  const Vec3 p = target.space().to * c.to, normal = target.space().to.rotation * c.touch.normal;
  const auto [mine, other] = anchors_of(pair, target, c);
  const std::uint64_t feature =
      surface_feature(pair.kind, c.vertex, target.mesh().region[c.touch.face], c.touch.behind);
  if (pair.mover_first)
    sink.add(feature, p, normal, c.touch.gap, mine, other);
  else
    sink.add(feature, p, -normal, c.touch.gap, other, mine);
}

/// Those of parts that nothing else holds apart.
void leave_needed(const PairTouch& pair, const MeshView& target, const ContactSink& sink,
                  std::vector<Crossed>& refused) {
  std::erase_if(refused, [&](const Crossed& c) {
    const auto [mine, other] = anchors_of(pair, target, c);
    return !(pair.mover_first ? sink.empty(mine, other) : sink.empty(other, mine));
  });
}

/// Whether a vertex is behind a solid face of its own body without having come in through it: the other skin of a part that is
/// squeezed flat. What came in has a row.
bool through_itself(const MeshView& view, SurfaceFeature kind, std::uint32_t v, const Vec3& from, std::uint32_t face,
                    const ContactSink& sink) {
  const FaceNow now = face_now(view, face, from);
  return now.solid && now.height(now.start) < -sink.slop() &&
         !sink.remembered(surface_feature(kind, v, view.mesh().region[face], false), 1) &&
         other_skin(view.mesh(), v, face);
}

void vertices_on(const PairTouch& pair, const Candidates& candidates, SurfaceTree& tree, ContactSink& sink,
                 std::vector<Crossed>& refused) {
  const ContactSpace space = space_of(pair.target);
  const MeshView mover(pair.mover, space), target(pair.target, space);
  VertexOnMesh search(target, tree, sink.slop(), sink.margin());
  VertexPath path;
  path.centre = into(space.from, pair.mover.from.position);
  std::vector<Vec3> arms;
  std::vector<std::uint32_t> near;
  std::vector<MeshTouch> held, crossed;
  for (std::size_t at = 0; at < candidates.size();) {
    const std::uint32_t v = candidates[at].first;
    path.from = mover.from(v);
    path.to = mover.to(v);
    if (pair.own()) path.own = v;
    path.piece = pair.piece;
    near.clear();
    for (; at < candidates.size() && candidates[at].first == v; ++at) {
      const std::uint32_t f = candidates[at].second;
      if (f != kNoIndex && !(pair.own() && through_itself(target, pair.kind, v, path.from, f, sink))) near.push_back(f);
    }
    arms.clear();
    for (const std::uint32_t f : mover.mesh().around(v)) {
      const auto& face = mover.mesh().faces[f];
      const std::size_t k = face[0] == v ? 0 : face[1] == v ? 1 : 2, last = (k + 2) % 3;
      arms.push_back((mover.to(face[(k + 1) % 3]) - path.to).normalized());
      if (mover.mesh().beside[f][last] == kNoIndex) arms.push_back((mover.to(face[last]) - path.to).normalized());
    }
    path.arms = arms;
    recall(sink, pair.kind, v, path);
    held.clear();
    crossed.clear();
    search.find(path, near, held, crossed);
    for (const MeshTouch& t : held) add_vertex(pair, target, {v, path.to, t}, sink);
    for (const MeshTouch& t : crossed) refused.push_back({v, path.to, t});
  }
}

void edges_on(BodyShape& a, BodyShape& b, const MeshView& view_a, const MeshView& view_b, const Candidates& candidates,
              ContactSink& sink) {
  const Pose& space = view_b.space().to;
  const Vec3 apart = into(view_b.space().from, a.from.position) - into(view_b.space().from, b.from.position);
  const bool parts = &a == &b && !view_a.mesh().piece.empty();
  for (const auto& [e, d] : candidates) {
    const EdgePath path_a = edge_path(view_a, e), path_b = edge_path(view_b, d);
    if (path_a.flat || path_b.flat) continue;
    const RowMemory* before = sink.remembered(surface_feature(SurfaceFeature::edges, e, d, false), 1);
    const int side = !before ? 0 : before->key.feature & 1 ? -1 : 1;
    EdgeTouch t;
    if (!edges_touch(path_a, path_b, side, apart, sink.slop(), sink.margin(), parts, t)) continue;
    const Vec3 p = space * Vec3(path_a.to[0] + t.s * (path_a.to[1] - path_a.to[0]));
    const Vec3 q = space * Vec3(path_b.to[0] + t.t * (path_b.to[1] - path_b.to[0]));
    const std::array<double, 2> of_a = {1 - t.s, t.s}, of_b = {1 - t.t, t.t};
    sink.add(surface_feature(SurfaceFeature::edges, e, d, t.turned), 0.5 * (p + q), space.rotation * t.normal, t.gap,
             surface_place_anchor(a, view_a.mesh().edges[e].ends, of_a, p),
             surface_place_anchor(b, view_b.mesh().edges[d].ends, of_b, q));
  }
}

double distance_of_edges(const SurfaceMesh& mesh, std::uint32_t e, std::uint32_t d) {
  const auto end = [&](std::uint32_t edge, std::size_t k) -> const Vec3& {
    return mesh.points[mesh.edges[edge].ends[k]];
  };
  const Vec3 u = end(e, 1) - end(e, 0), w = end(d, 1) - end(d, 0);
  const LinePlaces lines = nearest_on_lines(end(e, 0), u, end(d, 0), w, 1e-6);
  if (lines.crossing && lines.s > 0 && lines.s < 1 && lines.t > 0 && lines.t < 1)
    return std::abs(lines.normal.dot(end(e, 0) - end(d, 0)));
  const auto from_line = [](const Vec3& p, const Vec3& a, const Vec3& along) {
    return (p - a - std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0) * along).norm();
  };
  return std::min({from_line(end(e, 0), end(d, 0), w), from_line(end(e, 1), end(d, 0), w),
                   from_line(end(d, 0), end(e, 0), u), from_line(end(d, 1), end(e, 0), u)});
}

/// What of a surface may touch the surface itself: as it was made it is not as near as that.
Found find_own(SurfaceTree& tree, const MeshView& view, double margin, FaceMarks& marks) {
  Found found;
  const SurfaceMesh& mesh = view.mesh();
  LookedAt looked(marks, view, margin);
  const auto made_apart = [&](std::uint32_t v, std::uint32_t face) {
    const auto& c = mesh.faces[face];
    if (v == c[0] || v == c[1] || v == c[2]) return false;
    const Vec3& p = mesh.points[v];
    const Vec3 near = nearest_on_triangle(p, mesh.points[c[0]], mesh.points[c[1]], mesh.points[c[2]]).place;
    return (p - near).norm() > kMadeApart * margin;
  };
  tree.across(tree, BoxAcross(view.space(), view.space(), margin), [&](std::uint32_t f, std::uint32_t g) {
    if (f == g) return;
    const Box3& other = looked.box(g);
    if (!looked.box(f).meets(other)) return;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(mesh.owned[f] & 1u << k)) continue;
      const std::uint32_t v = mesh.faces[f][k];
      if (vertex_box(view, v).meets(other) && made_apart(v, g)) found.first_on_second.emplace_back(v, g);
    }
    const auto& corners = mesh.faces[f];
    if (mesh.solid[g] && std::all_of(corners.begin(), corners.end(), [&](std::uint32_t v) { return made_apart(v, g); }))
      looked.mark(f, found.first_on_second);
    for (const std::uint32_t e : mesh.owned_edges[f]) {
      if (e == kNoIndex) break;
      const Box3 edge = grown(view.swept_edge(e), margin);
      if (!edge.meets(other)) continue;
      for (const std::uint32_t d : mesh.owned_edges[g]) {
        if (d == kNoIndex) break;
        if (e < d && edge.meets(view.swept_edge(d)) && distance_of_edges(mesh, e, d) > kMadeApart * margin)
          found.edges.emplace_back(e, d);
      }
    }
  });
  std::sort(found.first_on_second.begin(), found.first_on_second.end());
  std::sort(found.edges.begin(), found.edges.end());
  return found;
}

struct PartsFound {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Candidates> vertices;  // of the first part on faces of the second
  Candidates edges;
};

/// What of the parts of one body may touch: as of two bodies, also where they were made as one.
PartsFound find_parts(SurfaceTree& tree, const MeshView& view, double margin, FaceMarks& marks) {
  PartsFound found;
  const SurfaceMesh& mesh = view.mesh();
  LookedAt looked(marks, view, margin);
  std::vector<std::uint32_t> marked(mesh.points.size(), kNoIndex);
  tree.across(tree, BoxAcross(view.space(), view.space(), margin), [&](std::uint32_t f, std::uint32_t g) {
    const Box3& other = looked.box(g);
    if (mesh.piece_of_face(f) == mesh.piece_of_face(g) || !looked.box(f).meets(other)) return;
    Candidates& vertices = found.vertices[{mesh.piece_of_face(f), mesh.piece_of_face(g)}];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.faces[f][k];
      if ((mesh.owned[f] & 1u << k) && vertex_box(view, v).meets(other)) vertices.emplace_back(v, g);
      // Faces come part by part: mostly the piece is that of the face before.
      if (mesh.solid[g] && std::exchange(marked[v], mesh.piece_of_face(g)) != mesh.piece_of_face(g))
        vertices.emplace_back(v, kNoIndex);
    }
    for (const std::uint32_t e : mesh.owned_edges[f]) {
      if (e == kNoIndex) break;
      if (!mesh.edges[e].sharp) continue;  // cuts are flat, and lie on each other
      const Box3 edge = grown(view.swept_edge(e), margin);
      if (!edge.meets(other)) continue;
      for (const std::uint32_t d : mesh.owned_edges[g]) {
        if (d == kNoIndex) break;
        if (e < d && mesh.edges[d].sharp && edge.meets(view.swept_edge(d))) found.edges.emplace_back(e, d);
      }
    }
  });
  for (auto& [parts, list] : found.vertices) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::sort(found.edges.begin(), found.edges.end());
  return found;
}

/// Vertices of no face, as they come near faces of the other.
void add_loose(const MeshView& view, SurfaceTree& other, double margin, Candidates& out) {
  for (const std::uint32_t v : view.mesh().loose)
    other.within(grown(vertex_box(view, v), margin), [&](std::uint32_t f) { out.emplace_back(v, f); });
  if (!view.mesh().loose.empty()) std::sort(out.begin(), out.end());
}

/// Vertices that had a row on a sheet, wherever they are now: they may be deeper in it than rows reach.
void add_remembered(const ContactSink& sink, SurfaceFeature kind, const SurfaceMesh& target, Candidates& out) {
  if (!target.any_open) return;
  const std::size_t found = out.size();
  for (const RowMemory& row : sink.before())
    if (row.key.feature >> 61 == static_cast<std::uint64_t>(kind))
      out.emplace_back(static_cast<std::uint32_t>(row.key.feature >> 32) & 0x1fffffffu, kNoIndex);
  if (out.size() > found) std::sort(out.begin(), out.end());
}

}  // namespace

void recall(const ContactSink& sink, SurfaceFeature kind, std::uint32_t vertex, VertexPath& path) {
  path.side = 0;
  path.region = kNoIndex;
  if (const RowMemory* row = sink.remembered(surface_feature(kind, vertex, 0, false), 32)) {
    path.side = row->key.feature & 1 ? -1 : 1;
    path.region = static_cast<std::uint32_t>(row->key.feature) >> 1;
  }
}

void surface_surface(BodyShape& a, BodyShape& b, ContactSink& sink) {
  SurfaceTree tree_a(a), tree_b(b);
  const ContactSpace space_a = space_of(a), space_b = space_of(b);
  const double margin = sink.margin();
  const MeshView a_by_b(a, space_b), b_by_b(b, space_b), a_by_a(a, space_a), b_by_a(b, space_a);
  Found found = find_candidates(tree_a, tree_b, a_by_b, b_by_b, space_a, margin, sink.marks);
  add_loose(a_by_b, tree_b, margin, found.first_on_second);
  add_loose(b_by_a, tree_a, margin, found.second_on_first);
  add_remembered(sink, SurfaceFeature::vertex_of_first, b_by_b.mesh(), found.first_on_second);
  add_remembered(sink, SurfaceFeature::vertex_of_second, a_by_a.mesh(), found.second_on_first);
  std::vector<Crossed> refused_a, refused_b;
  const PairTouch of_a{a, b, true, SurfaceFeature::vertex_of_first};
  const PairTouch of_b{b, a, false, SurfaceFeature::vertex_of_second};
  vertices_on(of_a, found.first_on_second, tree_b, sink, refused_a);
  vertices_on(of_b, found.second_on_first, tree_a, sink, refused_b);
  const bool by_a = b.body->deforms && !a.body->deforms;
  edges_on(a, b, by_a ? a_by_a : a_by_b, by_a ? b_by_a : b_by_b, found.edges, sink);
  leave_needed(of_a, b_by_b, sink, refused_a);
  leave_needed(of_b, a_by_a, sink, refused_b);
  for (const Crossed& c : refused_a) add_vertex(of_a, b_by_b, c, sink);
  for (const Crossed& c : refused_b) add_vertex(of_b, a_by_a, c, sink);
  sink.thin(a.body->deforms || b.body->deforms);
}

namespace {

void parts_among_each_other(BodyShape& a, ContactSink& sink) {
  SurfaceTree tree(a);
  const MeshView view(a, space_of(a));
  const PartsFound found = find_parts(tree, view, sink.margin(), sink.marks.first);
  std::vector<std::vector<Crossed>> refused;
  const auto touch_of = [&](std::uint32_t piece) {
    return PairTouch{a, a, true, SurfaceFeature::vertex_of_first, piece};
  };
  for (const auto& [parts, candidates] : found.vertices)
    vertices_on(touch_of(parts.second), candidates, tree, sink, refused.emplace_back());
  edges_on(a, a, view, view, found.edges, sink);
  std::size_t at = 0;
  for (const auto& [parts, candidates] : found.vertices)
    leave_needed(touch_of(parts.second), view, sink, refused[at++]);
  at = 0;
  for (const auto& [parts, candidates] : found.vertices)
    for (const Crossed& c : refused[at++]) add_vertex(touch_of(parts.second), view, c, sink);
  sink.thin(true);
}

}  // namespace

void surface_itself(BodyShape& a, ContactSink& sink) {
  if (!a.proxy().surface->piece.empty()) return parts_among_each_other(a, sink);
  SurfaceTree tree(a);
  const MeshView view(a, space_of(a));
  const Found found = find_own(tree, view, sink.margin(), sink.marks.first);
  std::vector<Crossed> refused;
  const PairTouch touch{a, a, true, SurfaceFeature::vertex_of_first};
  vertices_on(touch, found.first_on_second, tree, sink, refused);
  edges_on(a, a, view, view, found.edges, sink);
  leave_needed(touch, view, sink, refused);
  for (const Crossed& c : refused) add_vertex(touch, view, c, sink);
  sink.thin(true);
}

}  // namespace hazumi
