// Motion of glTF and FBX. Nodes and keys of glTF are read by gltf_motion.h and put beside Assimp's nodes, which stand in the
// same order; those of FBX are Assimp's. Its keys of a turn are quaternions of angles that FBX keeps, and between keys FBX goes
// along the angles: so they are made angles again, each the nearest to the one before.
//
// A node of FBX stands at T Rpre R Rpost⁻¹ S, but for pivots (FBX SDK, "Computing transformation matrices"). Assimp makes a node of
// each that is not 1, "NAME_$AssimpFbx$_PreRotation" and so on, above the one that has the name. Where there are pivots each has its
// keys; where there are none, all keys are of the named node, with turns Rpre R Rpost: these are taken apart again.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/import/assimp_scene.h"
#include "core/import/bvh.h"
#include "core/import/gltf_motion.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

using NodeNumbers = std::map<const aiNode*, int>;

Vec3 nearest_turns(Vec3 angles, const Vec3& to) {
  for (Eigen::Index k = 0; k < 3; ++k) angles[k] += 2 * kPi * std::round((to[k] - angles[k]) / (2 * kPi));
  return angles;
}

/// Angles x, y, z of a turn, of all that give it those nearest to others.
Vec3 angles_near(const Quat& q, const Vec3& to) {
  const Vec3 one = euler_angles(q), other(one.x() + kPi, kPi - one.y(), one.z() + kPi);
  const Vec3 a = nearest_turns(one, to), b = nearest_turns(other, to);
  return (a - to).squaredNorm() <= (b - to).squaredNorm() ? a : b;
}

class FbxMotion {
 public:
  FbxMotion(const aiScene& scene, ClipFile& file, NodeNumbers& numbers)
      : scene_(scene), file_(file), numbers_(numbers) {}

  void run() {
    std::vector<std::pair<const aiNode*, int>> open{{scene_.mRootNode, -1}};
    while (!open.empty() && file_.nodes.size() <= kMostClipNodes) {
      const auto [from, parent] = open.back();
      open.pop_back();
      const int number = static_cast<int>(file_.nodes.size());
      ClipNode node;
      node.name = plain_name(from->mName.C_Str());
      node.parent = parent;
      const Eigen::Affine3d rest = affine(from->mTransformation);
      node.rest = rest.matrix().topRows<3>();
      node.place = rest.translation();
      node.turn = turn_in(rest.linear());
      node.scale = rest.linear().colwise().norm();
      numbers_[from] = by_name_[from->mName.C_Str()] = number;
      file_.nodes.push_back(std::move(node));
      for (unsigned i = from->mNumChildren; i-- > 0;) open.push_back({from->mChildren[i], number});
    }
    for (unsigned a = 0; a < scene_.mNumAnimations; ++a) {
      const aiAnimation& from = *scene_.mAnimations[a];
      ticks_ = from.mTicksPerSecond > 0 ? from.mTicksPerSecond : 25;
      if (from.mTicksPerSecond > 1) file_.rate = from.mTicksPerSecond;
      Clip clip;
      clip.name = from.mName.length > 0 ? plain_name(from.mName.C_Str()) : "Clip " + std::to_string(a + 1);
      for (unsigned c = 0; c < from.mNumChannels; ++c) add(*from.mChannels[c], clip);
      shapes_ = shapes_ || from.mNumMorphMeshChannels > 0;
      file_.clips.push_back(std::move(clip));
    }
  }
  bool shapes() const { return shapes_; }  ///< some of them change

 private:
  void add(const aiNodeAnim& from, Clip& clip) {
    const std::string name = from.mNodeName.C_Str();
    const auto node = by_name_.find(name);
    if (node == by_name_.end()) return;
    const auto part = [&](const char* what) {
      const auto at = by_name_.find(name + "_$AssimpFbx$_" + what);
      return at == by_name_.end() ? -1 : at->second;
    };
    const int pre = part("PreRotation"), post = part("PostRotation");
    const bool apart = pre >= 0 || post >= 0;
    const auto carrier = [&](const char* what) { return apart && part(what) >= 0 ? part(what) : node->second; };
    ClipChannel place{carrier("Translation"), ClipPart::place}, turn{carrier("Rotation"), ClipPart::angles},
        scale{carrier("Scaling"), ClipPart::scale};
    // It stands before all turns.
    if (apart && part("Translation") < 0) place.node = pre >= 0 ? pre : part("Rotation") >= 0 ? part("Rotation") : post;
    const auto of = [&](int other) {
      return other < 0 ? Quat::Identity() : file_.nodes[static_cast<std::size_t>(other)].turn;
    };
    const Quat before_it = of(pre).conjugate(), behind_it = of(post);
    // What stands behind stays behind it.
    const bool at_name = turn.node == node->second && post >= 0;
    if (at_name) turn.node = pre >= 0 ? pre : post;
    const auto vectors = [&](const aiVectorKey* keys, unsigned count, ClipChannel& to) {
      for (unsigned i = 0; i < count; ++i)
        put(to, keys[i].mTime, Vec3(keys[i].mValue.x, keys[i].mValue.y, keys[i].mValue.z));
    };
    vectors(from.mPositionKeys, from.mNumPositionKeys, place);
    vectors(from.mScalingKeys, from.mNumScalingKeys, scale);
    Vec3 before = Vec3::Zero();
    for (unsigned i = 0; i < from.mNumRotationKeys; ++i) {
      const aiQuaternion& q = from.mRotationKeys[i].mValue;
      Quat own = before_it * Quat(q.w, q.x, q.y, q.z) * behind_it;
      if (at_name) own = pre >= 0 ? of(pre) * own : own * of(post);
      before = angles_near(own, before);
      put(turn, from.mRotationKeys[i].mTime, before);
    }
    for (ClipChannel* channel : {&place, &turn, &scale})
      if (!channel->times.empty()) clip.channels.push_back(std::move(*channel));
  }

  void put(ClipChannel& to, double ticks, const Vec3& value) const {
    const double time = ticks / ticks_;
    if (!to.times.empty() && time == to.times.back())
      to.times.pop_back(), to.values.pop_back();  // the later one counts
    to.times.push_back(time);
    to.values.push_back({value.x(), value.y(), value.z(), 0});
  }

  const aiScene& scene_;
  ClipFile& file_;
  NodeNumbers& numbers_;
  std::map<std::string, int> by_name_;
  double ticks_ = 25;
  bool shapes_ = false;
};

/// Assimp's nodes in the order of read_gltf_motion(); false: they are not as many.
bool number_gltf_nodes(const aiScene& scene, const ClipFile& file, NodeNumbers& numbers) {
  // Several roots get one above them.
  const auto roots =
      std::count_if(file.nodes.begin(), file.nodes.end(), [](const ClipNode& n) { return n.parent < 0; });
  int next = roots == 1 ? 0 : -1;
  std::vector<const aiNode*> open{scene.mRootNode};
  while (!open.empty()) {
    const aiNode* node = open.back();
    open.pop_back();
    numbers[node] = next++;
    for (unsigned i = node->mNumChildren; i-- > 0;) open.push_back(node->mChildren[i]);
  }
  return next == static_cast<int>(file.nodes.size());
}

void make_pieces(const std::vector<PartCarrier>& carriers, const std::vector<FileSkin>& skins,
                 const NodeNumbers& numbers, ClipFile& file) {
  std::vector<const aiNode*> nodes;  // of the pieces
  std::map<int, std::size_t> of_node;
  std::set<std::string> used;
  for (std::size_t part = 0; part < carriers.size(); ++part) {
    const auto found = numbers.find(carriers[part].node);
    const int node = found == numbers.end() ? -1 : found->second;
    if (node < 0) continue;
    const auto [at, fresh] = of_node.try_emplace(node, file.pieces.size());
    if (fresh) {
      const std::string& name = file.nodes[static_cast<std::size_t>(node)].name;
      std::string unique = name.empty() ? "Part" : name;
      for (int n = 2; !used.insert(unique).second; ++n) unique = name + " " + std::to_string(n);
      file.pieces.push_back({unique, node, {}, false, true});
      nodes.push_back(carriers[part].node);
    }
    ClipPiece& piece = file.pieces[at->second];
    piece.of_skin = piece.of_skin && carriers[part].bone;
    piece.bone = piece.bone || carriers[part].bone;
    piece.parts.push_back(static_cast<int>(part));
  }
  file.skins = finished_skins(skins, file.pieces, nodes);
}

ClipFile refused(std::string problem) {
  ClipFile none;
  none.problem = std::move(problem);
  return none;
}

}  // namespace

ClipFile read_clips(const std::filesystem::path& file, std::string bytes, const std::string& ending) {
  if (ending == "bvh") return read_bvh(bytes);
  const bool fbx = ending == "fbx";
  ClipFile out;
  if (!fbx) {
    FolderAccess access(file);
    out.problem = read_gltf_motion(bytes, access, out);
    if (!out.problem.empty()) return refused(out.problem);
  }
  bool fits = true;
  std::vector<std::string> warnings = std::move(out.imported.report.warnings);
  FileMesh mesh = read_scene_with_assimp(
      file, std::move(bytes), ending,
      [&](const aiScene& scene, const std::vector<PartCarrier>& carriers, const std::vector<FileSkin>& skins) {
        NodeNumbers numbers;
        if (scene.mRootNode == nullptr) return;
        if (fbx) {
          FbxMotion motion(scene, out, numbers);
          motion.run();
          if (motion.shapes()) warnings.emplace_back(kNoShapes);
        } else {
          fits = number_gltf_nodes(scene, out, numbers);
        }
        if (fits) make_pieces(carriers, skins, numbers, out);
      });
  if (!mesh.problem.empty() && (mesh.problem != kNoFaces || out.clips.empty())) return refused(mesh.problem);
  if (!fits) return refused("The nodes of the file cannot be told apart; it is damaged.");
  out.imported = std::move(mesh.imported);
  if (std::string problem = settle_clips(out); !problem.empty()) return refused(problem);
  add_all_together(out);
  if (out.imported.mesh.faces.empty()) add_bars(out);
  if (out.imported.mesh.faces.empty()) return refused(kNoFaces);
  std::vector<std::string>& told = out.imported.report.warnings;
  told.insert(told.end(), warnings.begin(), warnings.end());
  return out;
}

}  // namespace hazumi
