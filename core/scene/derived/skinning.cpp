#include "core/scene/derived/skinning.h"

#include <algorithm>
#include <map>

#include "core/import/prepare.h"
#include "core/scene/derived/keyed_motion.h"
#include "core/scene/values/lists.h"

namespace hazumi {

namespace {

constexpr float kLeastWeight = 0.005f;  // of a bone at a vertex: less is left out
constexpr double kShareOfSide = 0.5;    // reach of a bone as a part of its carrier's second longest side
constexpr double kLeastBone = 1e-4;     // m
constexpr float kHeavy = 0.5f;

/// In the skin's object frame, before its scale.
Vec3 local(const Transform& skin, const Vec3& world) {
  return (skin.rotation.conjugate() * (world - skin.position)).cwiseQuotient(skin.scale);
}

Bone bone_of(const Transform& skin, const SkinCarrier& carrier) {
  const Transform& at = carrier.object->transform;
  Bone bone;
  bone.name = carrier.object->name;
  bind_bone(bone, skin, carrier.object);
  Box3 box;
  if (carrier.mesh)
    for (const Vec3& p : carrier.mesh->positions) box.add(p);
  if (!box.valid()) box.add(Vec3::Zero());
  Vec3 sides = box.size();
  Eigen::Index axis = 0;
  const double length = std::max(sides.maxCoeff(&axis), kLeastBone);
  sides[axis] = 0;
  const double width = std::max(sides.maxCoeff(), 0.1 * length);
  // From half its width inside of one end to the same of the other: what lies beyond the ends goes with it too.
  const double half = std::max(0.5 * length - 0.5 * width, 0.05 * length);
  const auto end = [&](double way) {
    return local(skin, at.position + at.rotation * (box.centre() + way * Vec3::Unit(axis)));
  };
  bone.head = end(-half);
  bone.tail = end(half);
  bone.radius = std::clamp(kShareOfSide * width / std::cbrt(skin.scale.prod()), 1e-6, 1e6);
  return bone;
}

}  // namespace

void bind_bone(Bone& bone, const Transform& skin, const Object* carrier) {
  bone.carrier = carrier == nullptr ? 0 : carrier->id.value;
  if (carrier == nullptr) return;
  bone.bound_position = local(skin, carrier->transform.position);
  bone.bound_rotation = (skin.rotation.conjugate() * carrier->transform.rotation).normalized();
}

Object bound_to(Object skin, const std::vector<SkinCarrier>& carriers) {
  if (!is_skin(skin)) skin.mapping.collides_released = skin.contact.enabled;
  skin.body.kind = kStandingBody;
  skin.contact.enabled = false;
  skin.mapping.kind = MappingKind::skeleton;
  skin.mapping.bones.clear();
  skin.mapping.painted.clear();
  std::uint32_t id = 0;
  for (const SkinCarrier& carrier : carriers) {
    if (carrier.object->id == skin.id) continue;
    skin.mapping.bones.push_back(bone_of(skin.transform, carrier));
    skin.mapping.bones.back().id = ++id;
  }
  return skin;
}

Object released(Object skin) {
  for (Bone& bone : skin.mapping.bones) bone.carrier = 0;
  if (skin.mapping.collides_released) skin.contact.enabled = true;
  skin.mapping.collides_released = false;
  return skin;
}

std::set<Id> carriers_of(const Scene& scene, const Object& skin) {
  std::set<Id> ids;
  if (!is_skin(skin)) return ids;
  for (const Bone& bone : skin.mapping.bones)
    if (find_object(scene, Id{bone.carrier})) ids.insert(Id{bone.carrier});
  return ids;
}

namespace {

/// What hangs on bones that keys lead, and is led by keys of its own beside them.
std::set<Id> hanging_on(const Scene& scene, const std::set<Id>& carriers) {
  std::set<Id> hanging;
  for (const auto& object : scene.objects) {
    if (object->contact.groups.empty() || object->contact.ignores != object->contact.groups) continue;
    if (carriers.contains(object->id) || !has_keyed_motion(scene, object->id)) continue;
    const bool beside = std::any_of(carriers.begin(), carriers.end(), [&](Id id) {
      const Object* bone = find_object(scene, id);
      return bone->contact.groups == object->contact.groups && bone->contact.ignores == object->contact.ignores &&
             bone->collection == object->collection && has_keyed_motion(scene, id);
    });
    if (beside) hanging.insert(object->id);
  }
  return hanging;
}

}  // namespace

std::set<Id> with_carriers(const Scene& scene, std::set<Id> ids) {
  const std::set<Id> given = ids;
  for (const Id id : given) {
    const Object* skin = find_object(scene, id);
    if (skin == nullptr || !is_skin(*skin)) continue;
    const std::vector<Bone>& bones = skin->mapping.bones;
    const std::vector<int> parents = bone_parents(bones);
    const auto stands = [&](std::size_t b) {
      for (int at = static_cast<int>(b); at >= 0; at = parents[static_cast<std::size_t>(at)])
        if (find_object(scene, Id{bones[static_cast<std::size_t>(at)].carrier})) return false;
      return true;
    };
    bool some = false;
    for (std::size_t b = 0; b < bones.size(); ++b) some = some || stands(b);
    if (!some) ids.erase(id);
    const std::set<Id> carriers = carriers_of(scene, *skin);
    ids.merge(hanging_on(scene, carriers));
    ids.insert(carriers.begin(), carriers.end());
  }
  return ids;
}

namespace {

/// Of each vertex of the mesh the vertex of the skin at its place, else the nearest.
std::vector<std::size_t> vertices_of_file(const ClipFile& file, const ClipSkin& skin, const MeshSettings& settings,
                                          const DisplayMesh& mesh) {
  DisplayMesh whole = skin_mesh(file, skin);
  turn_up_axis(whole, settings.up);
  scale_mesh(whole, settings.scale);
  const auto key = [](const Vec3& p) { return std::array<double, 3>{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}; };
  std::map<std::array<double, 3>, std::size_t> at;
  for (std::size_t v = 0; v < whole.positions.size(); ++v) at.try_emplace(key(whole.positions[v]), v);
  std::vector<std::size_t> out;
  for (const Vec3& p : mesh.positions) {
    if (const auto found = at.find(key(p)); found != at.end()) {
      out.push_back(found->second);
      continue;
    }
    std::size_t nearest = 0;
    for (std::size_t v = 1; v < whole.positions.size(); ++v)
      if ((whole.positions[v] - p).squaredNorm() < (whole.positions[nearest] - p).squaredNorm()) nearest = v;
    out.push_back(nearest);
  }
  return out;
}

/// Parents, ends and reach: from joint to joint where bones hang on each other, else through the vertices that go with it.
void lay_bones(const ClipFile& file, const ClipSkinning& made, const DisplayMesh& mesh,
               const std::vector<VertexBones>& weights, std::vector<Bone>& bones) {
  std::map<int, std::size_t> of_node;
  for (std::size_t b = 0; b < bones.size(); ++b) of_node.try_emplace(file.pieces[made.piece[b]].node, b);
  std::vector<Vec3> ends(bones.size(), Vec3::Zero()), middle(bones.size(), Vec3::Zero());
  std::vector<double> children(bones.size(), 0.0), heavy(bones.size(), 0.0), away(bones.size(), 0.0);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    int node = file.nodes[static_cast<std::size_t>(file.pieces[made.piece[b]].node)].parent;
    while (node >= 0 && !of_node.contains(node)) node = file.nodes[static_cast<std::size_t>(node)].parent;
    if (node < 0) continue;
    const std::size_t parent = of_node.at(node);
    if (parent == b) continue;
    bones[b].parent = bones[parent].id;
    ends[parent] += bones[b].bound_position;
    children[parent] += 1;
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (weights[v].weights[0] >= kHeavy) {
      middle[weights[v].bones[0]] += mesh.positions[v];
      heavy[weights[v].bones[0]] += 1;
    }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    Bone& bone = bones[b];
    bone.head = bone.bound_position;
    bone.tail = bone.head;
    if (heavy[b] > 0) bone.tail = 2 * middle[b] / heavy[b] - bone.head;
    if (children[b] > 0) bone.tail = ends[b] / children[b];
    if ((bone.tail - bone.head).norm() < kLeastBone) bone.tail = bone.head + Vec3(0, 0.05, 0);
  }
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (const std::size_t b = weights[v].bones[0]; weights[v].weights[0] >= kHeavy)
      away[b] += (mesh.positions[v] - nearest_on_bone(bones[b], mesh.positions[v])).norm();
  for (std::size_t b = 0; b < bones.size(); ++b)
    if (heavy[b] > 0) bones[b].radius = std::clamp(1.5 * away[b] / heavy[b], 1e-3, 1e6);
}

}  // namespace

std::optional<ClipSkinning> clip_skinning(const ClipFile& file, const ClipSkin& skin, const MeshSettings& settings,
                                          const DisplayMesh& mesh) {
  ClipSkinning made;
  MappingSettings& mapping = made.mapping;
  mapping.kind = MappingKind::skeleton;
  mapping.linear_blend = true;
  const Quat up = up_turn(settings.up);
  for (const ClipSkin::BoneOfSkin& from : skin.bones) {
    Bone bone;
    bone.id = static_cast<std::uint32_t>(mapping.bones.size() + 1);
    bone.name = file.pieces[static_cast<std::size_t>(from.piece)].name;
    bone.bound_position = settings.scale * (up * from.bound.position);
    bone.bound_rotation = (up * from.bound.rotation * up.conjugate()).normalized();
    mapping.bones.push_back(std::move(bone));
    made.piece.push_back(static_cast<std::size_t>(from.piece));
  }
  std::vector<VertexBones> weights;
  const std::vector<std::size_t> from = vertices_of_file(file, skin, settings, mesh);
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const VertexBones& w = skin.weights[from[v]];
    weights.push_back(w);
    float sum = 0;
    std::array<std::pair<std::uint32_t, float>, 4> rows;
    std::size_t count = 0;
    for (std::size_t k = 0; k < 4; ++k)
      if (w.weights[k] > kLeastWeight) {
        rows[count++] = {w.bones[k] + 1u, w.weights[k]};
        sum += w.weights[k];
      }
    std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t k = 0; k < count; ++k) mapping.painted.push_back({rows[k].first, v, rows[k].second / sum});
    if (mapping.painted.size() > lists::kMostWeights) return std::nullopt;
  }
  lay_bones(file, made, mesh, weights, mapping.bones);
  return made;
}

}  // namespace hazumi
