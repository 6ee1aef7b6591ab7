#include "core/import/assimp_skin.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/import/assimp_scene.h"

namespace hazumi {

namespace {

constexpr std::size_t kMostBones = 1'000;  // that an object can have

Eigen::Affine3d world_of(const aiNode* node) {
  Eigen::Affine3d world = Eigen::Affine3d::Identity();
  for (; node != nullptr; node = node->mParent) world = affine(node->mTransformation) * world;
  return world;
}

bool whole(const Eigen::Affine3d& m) { return m.matrix().allFinite() && std::abs(m.linear().determinant()) > 1e-30; }

/// C of a bone: so that P(t) C⁻¹ is M(t) M_bound⁻¹, with M = P K and K what the bone's node stretches at rest.
Pose bound_pose(const Eigen::Affine3d& rest, const Eigen::Affine3d& bound) {
  const Mat3 unstretched = rest.linear().inverse() * turn_in(rest.linear()).toRotationMatrix();
  return {bound.translation(), turn_in(bound.linear() * unstretched).normalized()};
}

/// Numbers of the mesh's bones in the skin; −1: nothing goes with it.
std::vector<int> add_bones(const aiScene& scene, const aiMesh& from, const Eigen::Affine3d& place, FileSkin& to) {
  std::vector<int> numbers(from.mNumBones, -1);
  for (unsigned b = 0; b < from.mNumBones; ++b) {
    const aiBone& bone = *from.mBones[b];
    if (std::none_of(bone.mWeights, bone.mWeights + bone.mNumWeights, [](const auto& w) { return w.mWeight > 0; }))
      continue;
    const aiNode* node = scene.mRootNode->FindNode(bone.mName);
    const Eigen::Affine3d offset = affine(bone.mOffsetMatrix), rest = world_of(node);
    if (node == nullptr || !whole(offset) || !whole(rest)) {
      to.usable = false;
      return numbers;
    }
    const Pose bound = bound_pose(rest, place * offset.inverse());
    int at = 0;
    for (; at < static_cast<int>(to.bones.size()); ++at) {
      const Pose& other = to.skin.bones[static_cast<std::size_t>(at)].bound;
      if (to.bones[static_cast<std::size_t>(at)] == node &&
          (other.position - bound.position).norm() <= 1e-9 * (1 + bound.position.norm()) &&
          other.rotation.angularDistance(bound.rotation) < 1e-9)
        break;
    }
    if (at == static_cast<int>(to.bones.size())) {
      to.bones.push_back(node);
      to.skin.bones.push_back({0, bound});
    }
    numbers[b] = at;
  }
  return numbers;
}

/// The mesh's matrix when it was bound: where its first bone has it at rest.
Eigen::Affine3d bound_place(const aiScene& scene, const aiMesh& from, bool& usable) {
  for (unsigned b = 0; b < from.mNumBones; ++b) {
    const aiBone& bone = *from.mBones[b];
    const aiNode* node = bone.mNumWeights > 0 ? scene.mRootNode->FindNode(bone.mName) : nullptr;
    if (node == nullptr) continue;
    const Eigen::Affine3d place = world_of(node) * affine(bone.mOffsetMatrix);
    if (whole(place)) return place;
  }
  usable = false;
  return Eigen::Affine3d::Identity();
}

/// The four heaviest, sum 1; without any the first bone.
VertexBones heaviest(std::vector<std::pair<float, int>> all) {
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  if (all.size() > 4) all.resize(4);
  float sum = 0;
  for (const auto& [weight, bone] : all) sum += weight;
  VertexBones out;
  for (std::size_t k = 0; k < all.size() && sum > 0; ++k) {
    out.bones[k] = static_cast<std::uint16_t>(all[k].second);
    out.weights[k] = all[k].first / sum;
  }
  return out;
}

std::vector<VertexBones> weights_of(const aiMesh& from, const std::vector<int>& numbers) {
  std::vector<std::vector<std::pair<float, int>>> all(from.mNumVertices);
  for (unsigned b = 0; b < from.mNumBones; ++b)
    for (unsigned i = 0; i < from.mBones[b]->mNumWeights; ++i) {
      const aiVertexWeight& w = from.mBones[b]->mWeights[i];
      if (numbers[b] >= 0 && w.mVertexId < from.mNumVertices && std::isfinite(w.mWeight) && w.mWeight > 0)
        all[w.mVertexId].emplace_back(w.mWeight, numbers[b]);
    }
  std::vector<VertexBones> out;
  for (auto& one : all) out.push_back(heaviest(std::move(one)));
  return out;
}

/// Of a mesh that has none of its own: those of its faces, by area.
void normals_from_faces(ClipSkin& skin, std::size_t first_vertex, std::size_t first_face) {
  for (std::size_t f = first_face; f < skin.faces.size(); ++f) {
    const auto& face = skin.faces[f];
    const Vec3 &a = skin.positions[face[0]], &b = skin.positions[face[1]], &c = skin.positions[face[2]];
    for (std::uint32_t v : face) skin.normals[v] += (b - a).cross(c - a);
  }
  for (std::size_t v = first_vertex; v < skin.normals.size(); ++v)
    skin.normals[v] = skin.normals[v].norm() > 0 ? Vec3(skin.normals[v].normalized()) : Vec3(0, 1, 0);
}

}  // namespace

void add_to_skin(const aiScene& scene, const aiMesh& from, const aiNode& node, const std::vector<std::uint32_t>& number,
                 int like, bool mirrored, std::vector<FileSkin>& skins) {
  auto at = std::find_if(skins.begin(), skins.end(), [&](const FileSkin& skin) { return skin.node == &node; });
  if (at == skins.end()) {
    skins.push_back({&node, {}, {}, true});
    at = std::prev(skins.end());
    at->skin.name = plain_name(node.mName.C_Str());
  }
  ClipSkin& skin = at->skin;
  const Eigen::Affine3d place = bound_place(scene, from, at->usable);
  const std::vector<int> bones = add_bones(scene, from, place, *at);
  if (!at->usable || at->bones.size() > kMostBones) {
    at->usable = false;
    return;
  }
  const std::vector<VertexBones> weights = weights_of(from, bones);
  const Mat3 for_normals = place.linear().inverse().transpose();
  const std::size_t first_vertex = skin.vertices.size(), first_face = skin.faces.size();
  std::map<std::uint32_t, std::uint32_t> local;
  const auto vertex = [&](unsigned v) {
    const auto [found, fresh] = local.try_emplace(number[v], static_cast<std::uint32_t>(skin.vertices.size()));
    if (fresh) {
      const aiVector3D& p = from.mVertices[v];
      skin.vertices.push_back(number[v]);
      skin.positions.push_back(place * Vec3(p.x, p.y, p.z));
      Vec3 normal = Vec3::Zero();
      if (from.HasNormals()) normal = for_normals * Vec3(from.mNormals[v].x, from.mNormals[v].y, from.mNormals[v].z);
      skin.normals.push_back(normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(Vec3::Zero()));
      skin.weights.push_back(weights[v]);
    }
    return found->second;
  };
  for (unsigned f = 0; f < from.mNumFaces; ++f) {
    const aiFace& face = from.mFaces[f];
    if (face.mNumIndices != 3) continue;
    std::array<std::uint32_t, 3> corners = {vertex(face.mIndices[0]), vertex(face.mIndices[1]),
                                            vertex(face.mIndices[2])};
    if (mirrored) std::swap(corners[1], corners[2]);
    const Vec3 &a = skin.positions[corners[0]], &b = skin.positions[corners[1]], &c = skin.positions[corners[2]];
    if (a == b || b == c || c == a) continue;
    skin.faces.push_back(corners);
  }
  if (!from.HasNormals()) normals_from_faces(skin, first_vertex, first_face);
  const auto count = static_cast<std::uint32_t>(skin.faces.size() - first_face);
  if (count > 0) skin.parts.push_back({like, static_cast<std::uint32_t>(first_face), count});
}

std::vector<ClipSkin> finished_skins(std::vector<FileSkin> skins, const std::vector<ClipPiece>& pieces,
                                     const std::vector<const aiNode*>& piece_nodes) {
  std::vector<ClipSkin> out;
  std::set<std::string> used;
  for (const ClipPiece& piece : pieces) used.insert(piece.name);
  for (FileSkin& one : skins) {
    for (std::size_t b = 0; b < one.bones.size(); ++b) {
      const auto piece = std::find(piece_nodes.begin(), piece_nodes.end(), one.bones[b]);
      one.usable = one.usable && piece != piece_nodes.end();
      if (one.usable) one.skin.bones[b].piece = static_cast<int>(piece - piece_nodes.begin());
    }
    if (!one.usable || one.skin.faces.empty()) continue;
    std::string name = one.skin.name + (used.contains(one.skin.name) ? " skin" : "");
    const std::string stem = name;
    for (int n = 2; !used.insert(name).second; ++n) name = stem + " " + std::to_string(n);
    one.skin.name = name;
    out.push_back(std::move(one.skin));
  }
  return out;
}

}  // namespace hazumi
