#include "core/sim/body/body.h"

#include "core/scene/values/scene.h"

namespace hazumi {

Body::Body(const BodySetup& setup) : mesh(setup.mesh), truss(setup.truss) {
  const Object& object = setup.object;
  const BodyKindInfo& kind = body_kind(object.body.kind);
  id = object.id;
  name = object.name;
  moves = kind.moves;
  deforms = kind.deforms;
  substance = object.material.substance;
  hertz_young = substance.young;
  if (moves) {
    mass = object_mass(object, *mesh);
    gravity = object.body.gravity;
    velocity = object.body.velocity;
    spin = object.body.spin;
  }
  put_origin(object, Vec3::Zero());
}

void Body::put_origin(const Object& object, const Vec3& origin) {
  mesh_origin = origin;
  start.rotation = object.transform.rotation.normalized();
  start.position = object.transform.position + start.rotation * mesh_origin;
}

BodyStart Body::start_of(std::span<const double> values) const {
  return {object_pose(pose(values)), velocity, spin, {}};
}

void Body::hold(double, BodyMotion&) const {}

void Body::inverse_blocks(std::span<const std::uint32_t>, std::span<Mat3>, ElasticWorkspace&) const {}

std::string Body::divergence_hint() const { return "Raise the sub-steps, or lower the speed of \"" + name + "\"."; }

bool Body::present(double) const { return true; }

void Body::positions(std::span<const double> values, std::span<Vec3> nodes) const {
  const Pose object = object_pose(pose(values));
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = object * truss.nodes[i];
}

ContactShape Body::contact_shape(ContactShape wanted) const {
  if (wanted == ContactShape::plane && moves) return ContactShape::box;
  return wanted == ContactShape::nodes ? ContactShape::vertices : wanted;
}

const BodyInfo* find_body(std::string_view kind, const Truss& truss) {
  for (const BodyInfo* info : body_table())
    if (info->kind == kind && (info->fits == nullptr || info->fits(truss))) return info;
  return nullptr;
}

}  // namespace hazumi
