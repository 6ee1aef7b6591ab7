#include "core/sim/contact/proxy.h"

#include <algorithm>
#include <cmath>

#include "core/sim/body/body.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/shard_surface.h"
#include "core/sim/contact/surface_mesh.h"

namespace hazumi {
namespace {

ContactShape shape_by_looks(const Object& object, const Body& body) {
  for (const ContactShapeInfo* info : contact_shapes())
    if (info->suits && info->suits(object, body)) return info->choices.front();
  return ContactShape::surface;
}

constexpr double kMostSquash = 0.2;  // of a ball's radius

/// A fifth of the radius of a ball, a tenth of a cube's edge, a fifth of a plate's thickness nearly: what is in farther could be led out on
/// the other side. Sheets have no inside.
double most_squash(const ContactProxy& proxy) {
  if (!proxy.surface) return proxy.info->near ? 1e300 : kMostSquash * proxy.radius;
  const SurfaceMesh& mesh = *proxy.surface;
  double volume = 0, area = 0;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (!mesh.solid[f]) return 0;
    const Vec3 &a = mesh.points[mesh.faces[f][0]], &b = mesh.points[mesh.faces[f][1]],
               &c = mesh.points[mesh.faces[f][2]];
    volume += a.dot(b.cross(c)) / 6;
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  return area > 0 ? std::max(0.0, kMostSquash * 3 * volume / area) : 0;
}

}  // namespace

std::vector<std::uint32_t> extreme_points(std::span<const Vec3> points, int directions) {
  std::vector<std::uint32_t> kept;
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : points) centre += p / static_cast<double>(points.size());
  const double golden = kPi * (3.0 - std::sqrt(5.0));
  const auto farthest = [&](const Vec3& direction) {
    std::size_t best = 0;
    double most = -1e300;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = direction.dot(points[i] - centre);
      if (d > most) most = d, best = i;
    }
    kept.push_back(static_cast<std::uint32_t>(best));
  };
  if (points.empty()) return kept;
  for (int axis = 0; axis < 3; ++axis)
    for (double sign : {-1.0, 1.0}) farthest(sign * Vec3::Unit(axis));
  for (double x : {-1.0, 1.0})
    for (double y : {-1.0, 1.0})
      for (double z : {-1.0, 1.0}) farthest(Vec3(x, y, z));
  for (int i = 0; i < directions; ++i) {
    const double y = 1.0 - 2.0 * (i + 0.5) / directions;
    const double r = std::sqrt(1.0 - y * y);
    farthest(Vec3(r * std::cos(golden * i), y, r * std::sin(golden * i)));
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  // Vertices are split along sharp edges: of several at one place the first is enough.
  std::vector<std::uint32_t> single;
  for (std::uint32_t v : kept)
    if (std::none_of(single.begin(), single.end(), [&](std::uint32_t w) { return points[v] == points[w]; }))
      single.push_back(v);
  return single;
}

ContactProxy make_contact_proxy(const Object& object, const Body& body, const Body* before) {
  ContactProxy proxy;
  const bool missing = object.display.kind == DisplayKind::mesh && !object.display.mesh.mesh;
  const bool mesh = body.mesh && !body.mesh->positions.empty();
  if (!object.contact.enabled || object.contact.shape == ContactShape::none || missing) return proxy;
  if (!mesh && body.truss.empty() && !body.collides_bare()) return proxy;

  ContactShape shape = body.contact_shape(object.contact.shape);
  if (shape == ContactShape::automatic) shape = shape_by_looks(object, body);

  const std::vector<Vec3>& cloud = mesh ? body.mesh->positions : body.truss.nodes;
  Box3 box;
  for (const Vec3& p : cloud) box.add(p - body.mesh_origin);
  if (!box.valid()) box.add(Vec3::Zero());
  proxy.centre = box.centre();
  for (const Vec3& p : cloud) proxy.reach = std::max(proxy.reach, (p - body.mesh_origin).norm());
  proxy.thickness = object.contact.thickness;
  proxy.shape = shape;
  proxy.info = find_contact_shape(shape);
  proxy.info->make({object, body, cloud, box, before}, proxy);
  proxy.squash = most_squash(proxy);
  proxy.self = object.contact.self_collision && body.deforms && body.moves && (proxy.surface || proxy.info->itself);
  return proxy;
}

ContactProxy make_parts_proxy(const Body& body, const Mapping* mapping, std::span<const std::uint32_t> part_of_node) {
  ContactProxy proxy = body.proxy;
  if (!proxy.info) return proxy;
  if (!mapping && proxy.surface) {  // the hull of its nodes, without what went from part to part
    DisplayMesh hull;
    hull.positions = body.truss.nodes;
    for (const auto& face : body.truss.hull)
      if (part_of_node[face[0]] == part_of_node[face[1]] && part_of_node[face[0]] == part_of_node[face[2]])
        hull.faces.push_back(face);
    proxy.surface = make_surface_mesh(hull, body.mesh_origin, true, {}, part_of_node);
  }
  proxy.self = proxy.surface && body.moves;  // parts touch each other, whatever the whole does
  if (!mapping) return proxy;
  if (proxy.surface) proxy.surface = make_shard_surface(*body.mesh, body.mesh_origin, part_of_node);
  if (!proxy.skin.empty()) {
    std::vector<std::uint32_t> skin = proxy.surface ? proxy.surface->source : proxy.skin;
    use_skin(body, *mapping, std::move(skin), nullptr, proxy);
  }
  return proxy;
}

}  // namespace hazumi
