// What is seen: the triangles of the display mesh, moved by the skin's mapping where the body deforms; without a mesh the hull of the
// truss. Where the object says so fewer of these triangles, or their convex hull. Closed pieces are solid, open ones are sheets.
#include <numeric>

#include "core/sim/contact/coarse_surface.h"
#include "core/sim/contact/narrow_mesh.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/shard_surface.h"

namespace hazumi {
namespace {

/// What is seen, or what the object collides as in its place; vertices as the display mesh numbers them, of a body without a skin its nodes.
std::shared_ptr<const SurfaceMesh> surface_of(const ProxySetup& setup, const DisplayMesh& seen) {
  const Body& body = setup.body;
  const ContactSettings& contact = setup.object.contact;
  if (contact.shape == ContactShape::simplified || contact.shape == ContactShape::hull) {
    const CoarseSurface coarse = contact.shape == ContactShape::hull
                                     ? hull_surface(seen)
                                     : simplified_surface(seen, static_cast<std::size_t>(contact.triangles));
    if (!coarse.mesh.faces.empty())
      return make_surface_mesh(coarse.mesh, body.mesh_origin, body.deforms, coarse.source);
  }
  return make_surface_mesh(seen, body.mesh_origin, body.deforms);
}

/// The surface would be the same.
bool is_as_before(const ProxySetup& setup, const ContactProxy& proxy) {
  const Body &body = setup.body, *const before = setup.before;
  return before && before->mesh == body.mesh && before->mesh_origin == body.mesh_origin &&
         before->proxy.shape == ContactShape::surface && before->deforms == body.deforms &&
         before->proxy.chosen == proxy.chosen && before->proxy.triangles == proxy.triangles;
}

void make_surface(const ProxySetup& setup, ContactProxy& proxy) {
  const Body& body = setup.body;
  const Vec3 half = 0.5 * setup.box.size();
  proxy.shape = ContactShape::surface;
  proxy.chosen = setup.object.contact.shape;
  proxy.triangles = proxy.chosen == ContactShape::simplified ? setup.object.contact.triangles : 0;
  DisplayMesh nodes;  // of what has no mesh, or no skin
  if (!body.mesh || body.mesh->positions.empty() || (body.deforms && !body.mapping)) {
    nodes.positions = body.truss.nodes;
    nodes.faces = body.truss.hull;
  }
  if (body.deforms && !body.mapping) {
    proxy.surface = surface_of(setup, nodes);
    double sum = 0;
    for (const Vec3& p : body.truss.nodes) sum += (p - body.mesh_origin).norm();
    proxy.radius = sum / static_cast<double>(body.truss.nodes.size());
    return;
  }
  if (nodes.positions.empty() && is_as_before(setup, proxy))
    proxy.surface = setup.before->proxy.surface;
  else if (body.deforms && body.mesh->shards)
    proxy.surface = make_shard_surface(*body.mesh, body.mesh_origin, {});
  else
    proxy.surface = surface_of(setup, nodes.positions.empty() ? *body.mesh : nodes);
  if (body.deforms) {
    use_skin(body, *body.mapping, proxy.surface->source, setup.before, proxy);
    proxy.centre.setZero();
    proxy.radius = half.sum() / 3.0;
  } else {
    proxy.radius = half.minCoeff() > 0 ? half.minCoeff() : half.maxCoeff();
  }
}

}  // namespace

HAZUMI_CONTACT_SHAPE(5, surface)
HAZUMI_CONTACT_SHAPE(6, simplified)
HAZUMI_CONTACT_SHAPE(7, hull)

const ContactShapeInfo& contact_surface() {
  static constexpr ContactShape kChoices[] = {ContactShape::surface, ContactShape::simplified, ContactShape::hull};
  static constexpr PairRow kPairs[] = {
      {"surface", surface_surface},
      {"box", surface_surface},
      {"points", surface_points},
      {"sphere", surface_sphere},
      {"plane", [](BodyShape& surface, BodyShape& plane, ContactSink& sink) { surface_plane(surface, plane, sink); }},
  };
  static const ContactShapeInfo info = {
      .name = "surface", .choices = kChoices, .pairs = kPairs, .make = make_surface, .itself = surface_itself};
  return info;
}

}  // namespace hazumi
