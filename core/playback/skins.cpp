#include "core/playback/skins.h"

#include "core/geometry/mapping/skinning.h"

namespace hazumi {

namespace {

/// Where what carries a bone is. A skin stands: else where it is would hang on the order in which skins are placed.
Pose carrier_pose(const Model& model, const Frame& frame, std::uint32_t body) {
  for (const SkinnedBody& skin : model.skins)
    if (skin.body == body) return skin.start;
  const ObjectFrame& object = frame.objects[body];
  return {object.position.cast<double>(), object.rotation.cast<double>().normalized()};
}

/// From the skin's space at reference to the world: T C⁻¹.
Pose motion_of(const Pose& carrier, const Pose& bound) {
  const Quat turn = (carrier.rotation * bound.rotation.conjugate()).normalized();
  return {carrier.position - turn * bound.position, turn};
}

}  // namespace

void place_skins(const Model& model, Frame& frame, Executor& executor) {
  for (const SkinnedBody& skin : model.skins) {
    const Body& body = model.bodies[skin.body];
    std::vector<Pose> motions;
    for (const SkinnedBody::BoneOfSkin& bone : skin.bones)
      motions.push_back(motion_of(carrier_pose(model, frame, bone.carrier), bone.bound));
    ObjectFrame& out = frame.objects[skin.body];
    const Pose& root = motions[skin.root];
    out.position = root.position.cast<float>();
    out.rotation = root.rotation.cast<float>();
    if (skin.bones[skin.root].carrier != skin.body) out.present = frame.objects[skin.bones[skin.root].carrier].present;
    for (std::size_t i = 0; i < out.nodes.size() && i < body.truss.nodes.size(); ++i)
      out.nodes[i] = (root * body.truss.nodes[i]).cast<float>();
    out.deformed = true;
    out.vertices.resize(body.mesh->positions.size());
    out.normals.resize(body.mesh->positions.size());
    skin_vertices(motions, *skin.weights, body.mesh->positions, skin.normals, root.position, skin.linear, out.vertices,
                  out.normals, executor);
  }
}

}  // namespace hazumi
