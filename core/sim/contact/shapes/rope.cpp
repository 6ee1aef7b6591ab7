// A rope: its line of nodes, as thick all round as its analysis model says. Each part is a capsule.
//
// Nodes touch as balls, between them parts touch edges and corners of what is in their way, and each other. Forces act on the line: a
// rope that has no twist takes no turn about itself. What it touches takes them at the same place, so that no spin comes from the
// distance between the two; only two ropes take theirs each on its own line.
#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/topology.h"
#include "core/scene/derived/rope.h"
#include "core/sim/contact/narrow_mesh.h"
#include "core/sim/contact/rope_touch.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {
namespace {

constexpr double kLeansOut = 0.05;      // sine: into a face at an edge that is touched
constexpr double kRopesApart = 2;       // of the reach of rows: nearer parts of one rope, as it was made, do not touch
constexpr double kOnNext = 1e-9;        // sine: a node is nearest, not the part after it
constexpr std::uint32_t kTouches = 64;  // of one node with one flat piece

enum class RopeFeature : std::uint64_t { node = 1, other_node = 2, parts = 3, corner = 4 };

std::uint64_t rope_feature(RopeFeature kind, std::uint32_t first, std::uint32_t second, bool behind = false) {
  return static_cast<std::uint64_t>(kind) << 61 | std::uint64_t{first} << 32 | std::uint64_t{second} << 1 |
         (behind ? 1u : 0u);
}

void make_rope(const ProxySetup& setup, ContactProxy& proxy) {
  proxy.radius = proxy.skin_offset = rope_radius(setup.object);
  proxy.centre.setZero();
}

/// The line over the sub-step, in a space.
class Line {
 public:
  Line(const BodyShape& shape, const ContactSpace& space)
      : shape_(shape), line_(shape.body->truss.line), parts_(shape.parts.get()) {
    for (const std::uint32_t node : line_) {
      from_.push_back(into(space.from, shape.nodes_from[node]));
      to_.push_back(into(space.to, shape.nodes_to[node]));
    }
  }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(line_.size()); }
  std::uint32_t parts() const { return nodes() - 1; }
  double radius() const { return shape_.proxy().radius; }
  const Vec3& from(std::uint32_t node) const { return from_[node]; }
  const Vec3& to(std::uint32_t node) const { return to_[node]; }
  bool whole(std::uint32_t part) const {
    return !parts_ || parts_->of_node[line_[part]] == parts_->of_node[line_[part + 1]];
  }
  SegmentPath path(std::uint32_t part) const { return {{from_[part], from_[part + 1]}, {to_[part], to_[part + 1]}}; }
  SegmentPath point(std::uint32_t node) const { return {{from_[node], from_[node]}, {to_[node], to_[node]}}; }
  Box3 box(std::uint32_t first, std::uint32_t last, double margin) const {
    Box3 box;
    for (const std::uint32_t k : {first, last})
      for (const Vec3& p : {from_[k], to_[k]}) {
        box.add(p - Vec3::Constant(margin));
        box.add(p + Vec3::Constant(margin));
      }
    return box;
  }
  ContactAnchor anchor(std::uint32_t part, double s) const {
    ContactAnchor anchor;
    anchor.kind = ContactAnchor::nodal;
    anchor.nodes = {line_[part], line_[std::min(part + 1, nodes() - 1)], 0};
    anchor.weights = {1 - s, s, 0};
    return anchor;
  }
  /// Whether a place p (of the end) that is nearest to a place s of a part belongs to it, not to the next part: a node between two parts
  /// is of the first one.
  bool owns(std::uint32_t part, double s, const Vec3& apart) const {
    if (s <= 0) return part == 0 || !whole(part - 1);
    if (s < 1 || part + 1 >= parts() || !whole(part + 1)) return true;
    const Vec3 next = to_[part + 2] - to_[part + 1];
    return next.dot(apart) <= kOnNext * next.norm() * apart.norm();
  }
  /// As it was made, along the line from a node to a part.
  double made_apart(std::uint32_t node, std::uint32_t part) const {
    const std::vector<Vec3>& x = shape_.body->truss.nodes;
    if (node >= part && node <= part + 1) return 0;
    const std::uint32_t end = node < part ? part : part + 1;
    return (x[line_[node]] - x[line_[end]]).norm();
  }

 private:
  const BodyShape& shape_;
  const std::vector<std::uint32_t>& line_;
  const BodyParts* parts_;
  std::vector<Vec3> from_, to_;
};

void rope_plane(BodyShape& rope, BodyShape& plane, ContactSink& sink) {
  const Vec3 n = plane.plane_normal();
  const double level = n.dot(plane.centre_to());
  const Line line(rope, {});
  for (std::uint32_t i = 0; i < line.nodes(); ++i) {
    const Vec3& x = line.to(i);
    const double gap = n.dot(x) - level - line.radius();
    if (gap > sink.margin()) continue;
    sink.add(rope_feature(RopeFeature::node, i, 0), x - line.radius() * n, n, gap, line.anchor(i, 0),
             body_anchor(plane, x));
  }
  sink.thin(true);
}

/// A point with a ball of `radius` about it on a rope, all in the world. add(part, touch).
template <class Add>
void point_on_rope(const SegmentPath& point, double radius, const Line& line, double margin, const Add& add) {
  Box3 box;
  for (const Vec3& p : {point.from[0], point.to[0]}) box.add(p);
  for (std::uint32_t k = 0; k < line.parts(); ++k) {
    if (!line.whole(k) || !line.box(k, k + 1, radius + line.radius() + margin).meets(box)) continue;
    SegmentTouch t;
    if (!segments_touch(point, line.path(k), radius + line.radius(), margin, t)) continue;
    if (line.owns(k, t.t, t.normal)) add(k, t);
  }
}

void rope_sphere(BodyShape& rope, BodyShape& sphere, ContactSink& sink) {
  const Line line(rope, {});
  const Vec3 from = sphere.centre_from(), to = sphere.centre_to();
  const double radius = sphere.proxy().radius;
  point_on_rope({{from, from}, {to, to}}, radius, line, sink.margin(), [&](std::uint32_t k, const SegmentTouch& t) {
    const Vec3 on_line = line.path(k).end(t.t), on_sphere = to - radius * t.normal;
    sink.add(rope_feature(RopeFeature::corner, k, 0), on_sphere, -t.normal, t.gap, line.anchor(k, t.t),
             sphere_anchor(sphere, sphere.body->deforms ? on_sphere : on_line));
  });
  sink.thin(true);
}

void rope_points(BodyShape& rope, BodyShape& points, ContactSink& sink) {
  fill_points(points);
  const Line line(rope, {});
  for (std::uint32_t v = 0; v < points.points_to.size(); ++v) {
    const Vec3 &from = points.points_from[v], &to = points.points_to[v];
    point_on_rope({{from, from}, {to, to}}, 0, line, sink.margin(), [&](std::uint32_t k, const SegmentTouch& t) {
      const Vec3 on_line = line.path(k).end(t.t);
      sink.add(rope_feature(RopeFeature::corner, k, v), to, -t.normal, t.gap, line.anchor(k, t.t),
               points.body->deforms ? point_anchor(points, v) : body_anchor(points, on_line));
    });
  }
  sink.thin(true);
}

/// Nodes as balls.
void nodes_on_surface(const Line& line, const MeshView& view, SurfaceTree& tree, ContactSink& sink) {
  const SurfaceMesh& mesh = view.mesh();
  const ContactSpace& space = view.space();
  std::vector<std::uint32_t> near;
  std::vector<MeshTouch> touches;
  for (std::uint32_t i = 0; i < line.nodes(); ++i) {
    near.clear();
    touches.clear();
    tree.within(line.box(i, i, line.radius() + sink.margin()), [&](std::uint32_t f) { near.push_back(f); });
    std::sort(near.begin(), near.end());
    ball_on_mesh(view, tree, line.from(i), line.to(i), line.radius(), sink.margin(), near, touches);
    for (std::size_t k = 0; k < touches.size(); ++k) {
      const MeshTouch& t = touches[k];
      std::uint32_t rank = 0;  // among those of the same flat piece
      const std::uint32_t region = mesh.region[t.face];
      for (std::size_t l = 0; l < k; ++l) rank += mesh.region[touches[l].face] == region ? 1 : 0;
      if (rank >= kTouches) continue;
      const Vec3 normal = space.to.rotation * t.normal, x = space.to * line.to(i);
      sink.add(rope_feature(RopeFeature::node, i * kTouches + rank, region, t.behind), x - line.radius() * normal,
               normal, t.gap, line.anchor(i, 0), surface_place_anchor(tree.shape(), mesh.faces[t.face], t.weights, x));
    }
  }
}

/// Whether what is on this side of an edge is outside of both its faces.
bool leads_out(const EdgePath& edge, const Vec3& n) {
  return n.dot(edge.inwards[0]) <= kLeansOut && n.dot(edge.inwards[1]) <= kLeansOut;
}

/// One part on edges and corners of a face.
void part_on_face(const Line& line, std::uint32_t k, std::uint32_t f, const MeshView& view, BodyShape& target,
                  ContactSink& sink) {
  const SurfaceMesh& mesh = view.mesh();
  const Pose& space = view.space().to;
  const SegmentPath part = line.path(k);
  const double radius = line.radius();
  SegmentTouch t;
  for (const std::uint32_t e : mesh.owned_edges[f]) {
    if (e == kNoIndex) break;
    const EdgePath edge = edge_path(view, e);
    if (edge.flat || !segments_touch(part, {edge.from, edge.to}, radius, sink.margin(), t) || !t.crossing) continue;
    if (!leads_out(edge, t.normal)) {
      // Its middle has come past the edge: back on the side that is outside.
      const double away = radius + t.gap;
      if (!leads_out(edge, -t.normal) || away > radius) continue;
      t.normal = -t.normal;
      t.gap = -away - radius;
    }
    const Vec3 x = space * part.end(t.s), n = space.rotation * t.normal;
    const std::array<double, 2> weights = {1 - t.t, t.t};
    sink.add(rope_feature(RopeFeature::parts, k, e), x - radius * n, n, t.gap, line.anchor(k, t.s),
             surface_place_anchor(target, mesh.edges[e].ends, weights, x));
  }
  for (std::size_t c = 0; c < 3; ++c) {
    if (!(mesh.owned[f] & 1u << c)) continue;
    const std::uint32_t v = mesh.faces[f][c];
    const SegmentPath corner{{view.from(v), view.from(v)}, {view.to(v), view.to(v)}};
    if (!segments_touch(part, corner, radius, sink.margin(), t) || t.s <= 0 || t.s >= 1) continue;
    TrianglePlace at;
    at.part = TrianglePlace::first_corner + static_cast<int>(c);
    if (!nearest_here(view, f, at, t.normal)) continue;
    const Vec3 x = space * part.end(t.s), n = space.rotation * t.normal;
    const std::array<std::uint32_t, 1> vertex = {v};
    const std::array<double, 1> weight = {1};
    sink.add(rope_feature(RopeFeature::corner, k, v), x - radius * n, n, t.gap, line.anchor(k, t.s),
             surface_place_anchor(target, vertex, weight, x));
  }
}

void rope_surface(BodyShape& rope, BodyShape& surface, ContactSink& sink) {
  SurfaceTree tree(surface);
  const ContactSpace space = space_of(surface);
  const Line line(rope, space);
  const MeshView view(surface, space);
  nodes_on_surface(line, view, tree, sink);
  std::vector<std::uint32_t> near;
  for (std::uint32_t k = 0; k < line.parts(); ++k) {
    if (!line.whole(k)) continue;
    near.clear();
    tree.within(line.box(k, k + 1, line.radius() + sink.margin()), [&](std::uint32_t f) { near.push_back(f); });
    std::sort(near.begin(), near.end());
    for (const std::uint32_t f : near) part_on_face(line, k, f, view, surface, sink);
  }
  sink.thin(true);
}

/// Nodes of a on parts of b; with `between` not where they are nearest to its nodes. `may`: of a node and a part.
template <class May>
void nodes_on_parts(const Line& a, const Line& b, RopeFeature kind, bool between, ContactSink& sink, const May& may) {
  for (std::uint32_t i = 0; i < a.nodes(); ++i)
    point_on_rope(a.point(i), a.radius(), b, sink.margin(), [&](std::uint32_t k, const SegmentTouch& t) {
      if (!may(i, k) || (between && (t.t <= 0 || t.t >= 1))) return;
      const Vec3 p = a.to(i) - a.radius() * t.normal;
      if (kind == RopeFeature::node)
        sink.add(rope_feature(kind, i, k), p, t.normal, t.gap, a.anchor(i, 0), b.anchor(k, t.t));
      else
        sink.add(rope_feature(kind, i, k), p, -t.normal, t.gap, b.anchor(k, t.t), a.anchor(i, 0));
    });
}

template <class May>
void parts_on_parts(const Line& a, const Line& b, bool own, ContactSink& sink, const May& may) {
  const double radius = a.radius() + b.radius();
  for (std::uint32_t k = 0; k < a.parts(); ++k) {
    if (!a.whole(k)) continue;
    const Box3 box = a.box(k, k + 1, radius + sink.margin());
    for (std::uint32_t l = own ? k + 2 : 0; l < b.parts(); ++l) {
      if (!b.whole(l) || !box.meets(b.box(l, l + 1, 0)) || !may(k, l)) continue;
      SegmentTouch t;
      if (!segments_touch(a.path(k), b.path(l), radius, sink.margin(), t) || !t.crossing) continue;
      sink.add(rope_feature(RopeFeature::parts, k, l), a.path(k).end(t.s) - a.radius() * t.normal, t.normal, t.gap,
               a.anchor(k, t.s), b.anchor(l, t.t));
    }
  }
}

void rope_rope(BodyShape& a, BodyShape& b, ContactSink& sink) {
  const Line one(a, {}), other(b, {});
  const auto any = [](std::uint32_t, std::uint32_t) { return true; };
  nodes_on_parts(one, other, RopeFeature::node, false, sink, any);
  nodes_on_parts(other, one, RopeFeature::other_node, true, sink, any);
  parts_on_parts(one, other, false, sink, any);
  sink.thin(true);
}

void rope_itself(BodyShape& rope, ContactSink& sink) {
  const Line line(rope, {});
  const double least = 2 * line.radius() + kRopesApart * sink.margin();
  const auto apart = [&](std::uint32_t node, std::uint32_t part) { return line.made_apart(node, part) > least; };
  nodes_on_parts(line, line, RopeFeature::node, false, sink, apart);
  parts_on_parts(line, line, true, sink, [&](std::uint32_t k, std::uint32_t l) { return apart(k + 1, l); });
  sink.thin(true);
}

}  // namespace

HAZUMI_CONTACT_SHAPE(60, rope)

const ContactShapeInfo& contact_rope() {
  static constexpr ContactShape kChoices[] = {ContactShape::rope};
  static constexpr PairRow kPairs[] = {
      {"rope", rope_rope},     {"surface", rope_surface}, {"box", rope_surface},
      {"points", rope_points}, {"sphere", rope_sphere},   {"plane", rope_plane},
  };
  static const ContactShapeInfo info = {
      .name = "rope", .choices = kChoices, .pairs = kPairs, .make = make_rope, .itself = rope_itself};
  return info;
}

}  // namespace hazumi
