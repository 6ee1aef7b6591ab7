#include "core/sim/skinned.h"

#include <algorithm>

#include "core/geometry/mapping/mapping.h"
#include "core/sim/body_mapping.h"
#include "core/sim/model.h"

namespace hazumi {

namespace {

void weigh(SkinnedBody& skin, const MappingSettings& settings, const DisplayMesh& mesh, Id id, const Model* before) {
  skin.key = mapping_key(settings, mesh, {});
  if (before)
    for (const SkinnedBody& old : before->skins)
      if (old.key == skin.key && before->bodies[old.body].id == id) skin.weights = old.weights;
  if (!skin.weights)
    skin.weights =
        std::make_shared<const std::vector<VertexBones>>(skeleton_weights(settings.bones, settings.painted, mesh));
  skin.normals.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    skin.normals.push_back((v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0)).cast<float>());
}

}  // namespace

MetaballGroup scaled_group(const Object& object) {
  MetaballGroup group = object.display.metaballs;
  for (MetaballPrimitive& p : group.primitives) {
    p.centre = p.centre.cwiseProduct(object.transform.scale);
    p.radii = p.radii.cwiseProduct(object.transform.scale);
  }
  return group;
}

std::vector<std::uint32_t> bones_of_primitives(const MetaballGroup& group, const std::vector<Bone>& bones) {
  std::vector<std::uint32_t> of;
  for (const MetaballPrimitive& p : group.primitives) {
    std::uint32_t nearest = 0;
    double least = 1e300;
    for (std::uint32_t b = 0; b < bones.size(); ++b) {
      const double away = p.bone != 0 && bones[b].id == p.bone
                              ? -1
                              : (nearest_on_bone(bones[b], p.centre) - p.centre).norm() / bones[b].radius;
      if (away < least) {
        least = away;
        nearest = b;
      }
    }
    of.push_back(nearest);
  }
  return of;
}

MetaballGroup moved_group(const MetaballGroup& group, const std::vector<std::uint32_t>& bone_of,
                          const std::vector<Pose>& motions) {
  MetaballGroup moved = group;
  for (std::size_t i = 0; i < moved.primitives.size(); ++i) {
    const Pose& motion = motions[bone_of[i]];
    MetaballPrimitive& p = moved.primitives[i];
    p.centre = motion * p.centre;
    p.rotation = (motion.rotation * p.rotation.normalized()).normalized();
  }
  return moved;
}

std::vector<SkinnedBody> make_skinned(const Model& model, const Scene& scene, const Model* before) {
  std::vector<SkinnedBody> all;
  for (const auto& object : scene.objects) {
    const Body* body = is_skin(*object) ? model.bodies.find(object->id) : nullptr;
    if (body == nullptr || ((!body->mesh || body->mesh->empty()) && !has_moving_metaballs(*object))) continue;
    SkinnedBody skin;
    skin.body = model.bodies.number(object->id);
    skin.start = body->object_pose(body->start);
    skin.linear = object->mapping.linear_blend;
    const MappingSettings settings = scaled_mapping(*object);
    const std::vector<int> parents = bone_parents(settings.bones);
    const auto carried = [&](std::size_t b) {
      const Bone& bone = settings.bones[b];
      return bone.carrier != 0 && bone.carrier != object->id.value && model.bodies.find(Id{bone.carrier}) != nullptr;
    };
    bool rooted = false;
    for (std::size_t b = 0; b < settings.bones.size(); ++b) {
      int at = static_cast<int>(b);
      while (at >= 0 && !carried(static_cast<std::size_t>(at))) at = parents[static_cast<std::size_t>(at)];
      SkinnedBody::BoneOfSkin bone{skin.body, Pose{}};
      if (at >= 0) {
        const Bone& by = settings.bones[static_cast<std::size_t>(at)];
        bone.carrier = model.bodies.number(Id{by.carrier});
        bone.bound = Pose{by.bound_position, by.bound_rotation.normalized()};
        if (!rooted) skin.root = static_cast<std::uint32_t>(b);
        rooted = true;
      }
      skin.bones.push_back(bone);
    }
    if (has_moving_metaballs(*object)) {
      skin.group = std::make_shared<const MetaballGroup>(scaled_group(*object));
      skin.bone_of = bones_of_primitives(*skin.group, settings.bones);
    } else {
      weigh(skin, settings, *body->mesh, object->id, before);
    }
    all.push_back(std::move(skin));
  }
  std::sort(all.begin(), all.end(), [](const SkinnedBody& a, const SkinnedBody& b) { return a.body < b.body; });
  return all;
}

}  // namespace hazumi
