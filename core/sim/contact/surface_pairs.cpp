// Pairs with a surface, but for what two surfaces do (narrow_mesh.cpp).
#include <algorithm>

#include "core/geometry/mesh/topology.h"
#include "core/sim/contact/narrow_mesh.h"

namespace hazumi {

Vec3 into(const Pose& space, const Vec3& p) { return space.rotation.conjugate() * (p - space.position); }

ContactAnchor surface_vertex_anchor(const BodyShape& shape, std::uint32_t vertex) {
  if (shape.body->deforms) return point_anchor(shape, vertex);
  ContactAnchor anchor;
  anchor.offset = shape.proxy().surface->points[vertex];
  return anchor;
}

ContactAnchor surface_place_anchor(const BodyShape& shape, std::span<const std::uint32_t> vertices,
                                   std::span<const double> weights, const Vec3& place) {
  if (!shape.body->deforms) return body_anchor(shape, place);
  ContactAnchor anchor;
  anchor.kind = ContactAnchor::nodal;
  const ContactProxy& proxy = shape.proxy();
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    anchor.weights[k] = weights[k];
    if (proxy.skin.empty())
      anchor.nodes[k] = proxy.surface->source[vertices[k]];
    else
      anchor.skin[k] = &proxy.skin_drivers[vertices[k]];
  }
  return anchor;
}

void surface_plane(BodyShape& surface, const BodyShape& plane, ContactSink& sink) {
  const Vec3 n = plane.plane_normal();
  if (surface.body->deforms) {
    const double level = n.dot(plane.centre_to());
    SurfaceTree tree(surface);
    const SurfaceMesh& mesh = tree.mesh();
    std::vector<std::uint32_t> near, vertices = mesh.loose;
    const auto near_plane = [&](const Box3& box) {
      return n.dot(box.centre()) - 0.5 * n.cwiseAbs().dot(box.size()) - level <= sink.margin();
    };
    for (std::uint32_t g = 0; g < mesh.groups.size(); ++g) {
      if (!near_plane(tree.bound_of_group(g))) continue;
      tree.look_into(g);
      for (const std::uint32_t p : mesh.groups[g].parts) {
        if (!near_plane(tree.bound(p))) continue;
        near.push_back(p);
        vertices.insert(vertices.end(), mesh.parts[p].corners.begin(), mesh.parts[p].corners.end());
      }
    }
    tree.open(near);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (const std::uint32_t v : vertices) {
      const Vec3& p = surface.points_to[v];
      const double gap = n.dot(p) - level;
      if (gap <= sink.margin()) sink.add(v, p, n, gap, point_anchor(surface, v), body_anchor(plane, p - gap * n));
    }
  } else {
    const Vec3 up = surface.to.rotation.conjugate() * n;
    const double level = n.dot(plane.centre_to() - surface.to.position);
    const std::vector<Vec3>& points = surface.proxy().surface->points;
    for (std::uint32_t v = 0; v < points.size(); ++v) {
      const double gap = up.dot(points[v]) - level;
      if (gap > sink.margin()) continue;
      const Vec3 p = surface.to * points[v];
      sink.add(v, p, n, gap, surface_vertex_anchor(surface, v), body_anchor(plane, p - gap * n));
    }
  }
  sink.thin(surface.body->deforms);
}

namespace {

/// What the ball lay on at the start, where the surface curves on from there to what it touches.
ShortList<ContactStart> lay_on(const ContactSpace& space, std::span<const MeshTouch> starts, const Vec3& end) {
  ShortList<ContactStart> on;
  for (const MeshTouch& s : starts)
    if (const Vec3 normal = space.from.rotation * s.normal; normal.dot(end) >= kCurves) on.push_back({-normal, s.gap});
  return on;
}

}  // namespace

void surface_sphere(BodyShape& surface, BodyShape& sphere, ContactSink& sink) {
  SurfaceTree tree(surface);
  const ContactSpace space = space_of(surface);
  const MeshView view(surface, space);
  const Vec3 from = into(space.from, sphere.centre_from()), to = into(space.to, sphere.centre_to());
  const double radius = sphere.proxy().radius;
  const Vec3 around = Vec3::Constant(radius + sink.margin());
  Box3 box;
  for (const Vec3& p : {from, to}) {
    box.add(p - around);
    box.add(p + around);
  }
  std::vector<std::uint32_t> near;
  tree.within(box, [&](std::uint32_t f) { near.push_back(f); });
  std::sort(near.begin(), near.end());
  std::vector<MeshTouch> touches, starts;
  ball_on_mesh(view, tree, from, to, radius, sink.margin(), near, touches, view.rests() ? &starts : nullptr);
  for (std::size_t k = 0; k < touches.size(); ++k) {
    const MeshTouch& t = touches[k];
    std::uint32_t rank = 0;  // among those of the same flat piece
    const std::uint32_t region = view.mesh().region[t.face];
    for (std::size_t l = 0; l < k; ++l) rank += view.mesh().region[touches[l].face] == region ? 1 : 0;
    const Vec3 normal = space.to.rotation * t.normal, on_sphere = sphere.centre_to() - radius * normal;
    sink.add(surface_feature(SurfaceFeature::ball, rank, region, t.behind), on_sphere, -normal, t.gap,
             surface_place_anchor(surface, view.mesh().faces[t.face], t.weights, on_sphere - t.gap * normal),
             sphere_anchor(sphere, on_sphere), lay_on(space, starts, normal));
  }
  sink.thin(surface.body->deforms);
}

void surface_points(BodyShape& surface, BodyShape& points, ContactSink& sink) {
  fill_points(points);
  SurfaceTree tree(surface);
  const ContactSpace space = space_of(surface);
  const MeshView view(surface, space);
  VertexOnMesh search(view, tree, sink.slop(), sink.margin());
  std::vector<MeshTouch> held, crossed;
  std::vector<std::uint32_t> near;
  const Vec3 around = Vec3::Constant(sink.margin());
  for (std::uint32_t v = 0; v < points.points_to.size(); ++v) {
    VertexPath path;
    path.from = into(space.from, points.points_from[v]);
    path.to = into(space.to, points.points_to[v]);
    path.centre = into(space.from, points.from.position);
    recall(sink, SurfaceFeature::vertex_of_second, v, path);
    Box3 box;
    for (const Vec3& p : {path.from, path.to}) {
      box.add(p - around);
      box.add(p + around);
    }
    near.clear();
    tree.within(box, [&](std::uint32_t f) { near.push_back(f); });
    std::sort(near.begin(), near.end());
    held.clear();
    search.find(path, near, held, crossed);
    for (const MeshTouch& t : held) {
      const Vec3 normal = space.to.rotation * t.normal, p = points.points_to[v];
      sink.add(surface_feature(SurfaceFeature::vertex_of_second, v, view.mesh().region[t.face], t.behind), p, -normal,
               t.gap, surface_place_anchor(surface, view.mesh().faces[t.face], t.weights, p - t.gap * normal),
               point_anchor(points, v));
    }
  }
  sink.thin(true);
}

}  // namespace hazumi
