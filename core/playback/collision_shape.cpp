#include "core/playback/collision_shape.h"

#include <algorithm>

#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/surface_mesh.h"

namespace hazumi {

namespace {

constexpr float kLeastPlane = 1;  // m, half the side of the square that is drawn of a plane

CollisionShape shape_of(const Body& body) {
  const ContactProxy& proxy = body.proxy;
  CollisionShape out;
  out.id = body.id;
  if (proxy.shape == ContactShape::none) return out;
  out.centre = (proxy.centre + body.mesh_origin).cast<float>();
  const auto at_pose = [&](const std::vector<Vec3>& points) {
    for (const Vec3& p : points) out.points.push_back((p + body.mesh_origin).cast<float>());
  };
  if (proxy.shape == ContactShape::sphere) {
    out.ball = true;
    out.radius = static_cast<float>(proxy.radius + proxy.thickness);
  } else if (proxy.info && proxy.info->near) {
    out.plane = true;
    out.centre.y() += static_cast<float>(proxy.thickness);
    out.radius = std::max(kLeastPlane, static_cast<float>(proxy.reach));
  } else if (const SurfaceMesh* surface = proxy.surface.get()) {
    if (body.deforms) {
      out.carrier = body.mapping ? CollisionShape::Carrier::vertices : CollisionShape::Carrier::nodes;
      out.sources = surface->source;
    } else {
      at_pose(surface->points);
    }
    const bool box = proxy.shape == ContactShape::box;  // its diagonals are nothing that one touches
    for (const SurfaceEdge& edge : surface->edges)
      if (!box || surface->region[edge.faces[0]] != surface->region[edge.faces[1]]) out.edges.push_back(edge.ends);
  } else if (body.deforms) {
    out.carrier = proxy.skin.empty() ? CollisionShape::Carrier::nodes : CollisionShape::Carrier::vertices;
    out.sources = proxy.skin;
    if (out.sources.empty())
      for (std::uint32_t i = 0; i < body.truss.nodes.size(); ++i) out.sources.push_back(i);
    if (proxy.shape == ContactShape::rope)
      for (std::uint32_t i = 0; i + 1 < body.truss.line.size(); ++i)
        out.edges.push_back({body.truss.line[i], body.truss.line[i + 1]});
  } else {
    at_pose(proxy.points);
  }
  return out;
}

}  // namespace

std::vector<CollisionShape> collision_shapes(const Model& model) {
  std::vector<CollisionShape> shapes;
  for (std::size_t b = 0; b < model.bodies.own(); ++b) shapes.push_back(shape_of(model.bodies[b]));
  return shapes;
}

void place_points(const CollisionShape& shape, const ObjectFrame& object, std::vector<Vec3f>& points) {
  points.clear();
  if (shape.carrier == CollisionShape::Carrier::pose) {
    for (const Vec3f& p : shape.points) points.push_back(object.rotation * p + object.position);
    return;
  }
  const std::vector<Vec3f>& from = shape.carrier == CollisionShape::Carrier::vertices ? object.vertices : object.nodes;
  for (const std::uint32_t i : shape.sources) points.push_back(from[i]);
}

}  // namespace hazumi
