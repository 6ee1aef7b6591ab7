#include "core/playback/skins.h"

#include <algorithm>

#include "core/geometry/mapping/skinning.h"
#include "core/geometry/metaball/polygonise.h"
#include "core/geometry/metaball/skin_tracker.h"
#include "core/sim/body_mapping.h"
#include "core/sim/skinned.h"

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

/// The surface of the frame, in the object frame as the frame has it.
void make_surface(const SkinnedBody& skin, const std::vector<Pose>& motions, ObjectFrame& out, Executor& executor) {
  const Pose own{out.position.cast<double>(), out.rotation.cast<double>().normalized()};
  std::vector<Pose> seen;
  for (const Pose& motion : motions)
    seen.push_back({own.rotation.conjugate() * (motion.position - own.position),
                    (own.rotation.conjugate() * motion.rotation).normalized()});
  PolygoniseOptions options;
  options.tolerance = skin.group->final_tolerance;
  out.surface =
      std::make_shared<const DisplayMesh>(polygonise(moved_group(*skin.group, skin.bone_of, seen), options, executor));
}

}  // namespace

void place_skins(const Model& model, Frame& frame, Executor& executor) {
  FrameSurfaces surfaces;
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
    if (skin.group) {
      make_surface(skin, motions, out, executor);
      const SkinTopology topology = skin_topology(*out.surface);
      if (out.present) surfaces.push_back({out.id, topology.pieces, topology.euler});
      continue;
    }
    out.deformed = true;
    out.vertices.resize(body.mesh->positions.size());
    out.normals.resize(body.mesh->positions.size());
    skin_vertices(motions, *skin.weights, body.mesh->positions, skin.normals, root.position, skin.linear, out.vertices,
                  out.normals, executor);
  }
  if (surfaces.empty()) return;
  std::sort(surfaces.begin(), surfaces.end(), [](const auto& a, const auto& b) { return a.object < b.object; });
  frame.surfaces = std::make_shared<const FrameSurfaces>(std::move(surfaces));
}

std::vector<SkinShape> skin_shapes(const Model& model) {
  std::vector<SkinShape> shapes;
  for (const SkinnedBody& skin : model.skins) {
    if (skin.group) continue;  // its surface is made with the frame
    const Body& body = model.bodies[skin.body];
    shapes.push_back({body.id, body.mesh, skin.weights, skin.normals});
  }
  return shapes;
}

namespace {

ObjectFrame& placed_in(Frame& frame, Id id) {
  const auto at = std::lower_bound(frame.objects.begin(), frame.objects.end(), id,
                                   [](const ObjectFrame& object, Id wanted) { return object.id < wanted; });
  if (at != frame.objects.end() && at->id == id) return *at;
  ObjectFrame& made = *frame.objects.insert(at, ObjectFrame{});
  made.id = id;
  return made;
}

/// One for each of its bones, as make_skinned() has them; none where nothing carries any.
std::vector<Pose> motions_of(const Scene& shown, const Object& skin, const Frame& frame) {
  const MappingSettings settings = scaled_mapping(skin);
  const std::vector<int> parents = bone_parents(settings.bones);
  const Pose own{skin.transform.position, skin.transform.rotation.normalized()};
  std::vector<Pose> motions(settings.bones.size(), own);
  bool carried = false;
  for (std::size_t b = 0; b < motions.size(); ++b) {
    for (int at = static_cast<int>(b); at >= 0; at = parents[static_cast<std::size_t>(at)]) {
      const Bone& bone = settings.bones[static_cast<std::size_t>(at)];
      const Object* carrier = bone.carrier != skin.id.value ? find_object(shown, Id{bone.carrier}) : nullptr;
      if (carrier == nullptr) continue;
      const ObjectFrame* seen = is_skin(*carrier) ? nullptr : frame.find(carrier->id);
      const Pose now = seen ? Pose{seen->position.cast<double>(), seen->rotation.cast<double>().normalized()}
                            : Pose{carrier->transform.position, carrier->transform.rotation.normalized()};
      motions[b] = motion_of(now, Pose{bone.bound_position, bone.bound_rotation.normalized()});
      carried = true;
      break;
    }
  }
  if (!carried) motions.clear();
  return motions;
}

}  // namespace

MetaballGroup metaballs_in(const Scene& shown, const Object& object, const Frame& frame) {
  const MetaballGroup group = scaled_group(object);
  std::vector<Pose> motions = motions_of(shown, object, frame);
  if (motions.empty())
    motions.assign(object.mapping.bones.size(), {object.transform.position, object.transform.rotation.normalized()});
  return moved_group(group, bones_of_primitives(group, scaled_mapping(object).bones), motions);
}

void pose_skins(const Scene& shown, const std::vector<SkinShape>& shapes, MeshStore& meshes, Frame& frame,
                Executor& executor) {
  for (const SkinShape& shape : shapes) {
    const Object* skin = find_object(shown, shape.id);
    if (skin == nullptr || !is_skin(*skin) || meshes.mesh(*skin) != shape.mesh) continue;
    const std::vector<Pose> motions = motions_of(shown, *skin, frame);
    const auto known = [&](const VertexBones& v) {
      return std::all_of(v.bones.begin(), v.bones.end(), [&](std::uint16_t bone) { return bone < motions.size(); });
    };
    if (motions.empty() || !std::all_of(shape.weights->begin(), shape.weights->end(), known)) continue;
    ObjectFrame& out = placed_in(frame, shape.id);
    out.position = motions.front().position.cast<float>();
    out.rotation = motions.front().rotation.cast<float>();
    out.deformed = true;
    out.vertices.resize(shape.mesh->positions.size());
    out.normals.resize(shape.mesh->positions.size());
    skin_vertices(motions, *shape.weights, shape.mesh->positions, shape.normals, motions.front().position,
                  skin->mapping.linear_blend, out.vertices, out.normals, executor);
  }
}

}  // namespace hazumi
