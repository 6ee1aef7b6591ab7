// What is seen: the triangles of the display mesh, moved by the skin's mapping where the body deforms; without a mesh the hull of the
// truss. Closed pieces are solid, open ones are sheets.
#include <numeric>

#include "core/sim/contact/narrow_mesh.h"
#include "core/sim/contact/shape_table.h"
#include "core/sim/contact/shard_surface.h"

namespace hazumi {
namespace {

void make_surface(const ProxySetup& setup, ContactProxy& proxy) {
  const Body& body = setup.body;
  const Vec3 half = 0.5 * setup.box.size();
  if (body.deforms && !body.mapping) {
    DisplayMesh hull;
    hull.positions = body.truss.nodes;
    hull.faces = body.truss.hull;
    proxy.surface = make_surface_mesh(hull, body.mesh_origin, true);
    double sum = 0;
    for (const Vec3& p : body.truss.nodes) sum += (p - body.mesh_origin).norm();
    proxy.radius = sum / static_cast<double>(body.truss.nodes.size());
    return;
  }
  DisplayMesh nodes;  // of what does not deform and has no mesh
  if (!body.mesh || body.mesh->positions.empty()) {
    nodes.positions = body.truss.nodes;
    nodes.faces = body.truss.hull;
  }
  const Body* const before = setup.before;
  if (before && nodes.positions.empty() && before->mesh == body.mesh && before->mesh_origin == body.mesh_origin &&
      before->proxy.shape == ContactShape::surface && before->deforms == body.deforms)
    proxy.surface = before->proxy.surface;
  else if (body.deforms && body.mesh->shards)
    proxy.surface = make_shard_surface(*body.mesh, body.mesh_origin, {});
  else
    proxy.surface = make_surface_mesh(nodes.positions.empty() ? *body.mesh : nodes, body.mesh_origin, body.deforms);
  if (body.deforms) {
    use_skin(body, *body.mapping, proxy.surface->source, before, proxy);
    proxy.centre.setZero();
    proxy.radius = half.sum() / 3.0;
  } else {
    proxy.radius = half.minCoeff() > 0 ? half.minCoeff() : half.maxCoeff();
  }
}

}  // namespace

HAZUMI_CONTACT_SHAPE(5, surface)

const ContactShapeInfo& contact_surface() {
  static constexpr ContactShape kChoices[] = {ContactShape::surface};
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
