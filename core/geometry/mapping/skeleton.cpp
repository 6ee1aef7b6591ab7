#include "core/geometry/mapping/skeleton.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mapping/lanes.h"
#include "core/geometry/mapping/skinning.h"
#include "core/geometry/mapping/triangle.h"
#include "core/math/eigen.h"

namespace hazumi {

namespace {

constexpr std::size_t kSettling = 4;          // nodes that a bone needs to have an attitude
constexpr std::size_t kSkeletonBlock = 4096;  // vertices

}  // namespace

SkeletonMapping::SkeletonMapping(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss)
    : Mapping(MappingKind::skeleton, mesh.positions.size()),
      bones_(settings.bones),
      joints_(bones_.size()),
      nodes_(truss.nodes),
      weights_(skeleton_weights(bones_, settings.painted, mesh)),
      reference_(mesh.positions) {
  const std::vector<int> parents = bone_parents(bones_);
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    Joint& joint = joints_[b];
    joint.parent = parents[b];
    joint.root = static_cast<int>(b);
    while (parents[static_cast<std::size_t>(joint.root)] >= 0)
      joint.root = parents[static_cast<std::size_t>(joint.root)];
    std::vector<double> square(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      square[i] = (nodes_[i] - nearest_on_bone(bones_[b], nodes_[i])).squaredNorm();
    std::vector<double> sorted = square;
    std::sort(sorted.begin(), sorted.end());
    const double least = sorted.front(), fourth = sorted[std::min(nodes_.size() - 1, kSettling - 1)] - least;
    const double radius = std::max({bones_[b].radius, std::sqrt(fourth), 1e-9});
    std::vector<NodeWeight> weights;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const double g = std::exp(-std::min(700.0, (square[i] - least) / (radius * radius)));
      if (g < 1e-6) continue;
      weights.push_back({i, g * truss.masses[i]});
      joint.total += g * truss.masses[i];
    }
    joint.fit = BoneFit(std::move(weights), nodes_);
  }
  std::vector<char> done(bones_.size());
  while (order_.size() < bones_.size())
    for (std::size_t b = 0; b < bones_.size(); ++b)
      if (!done[b] && (joints_[b].parent < 0 || done[static_cast<std::size_t>(joints_[b].parent)])) {
        done[b] = 1;
        order_.push_back(b);
      }
  normals_.resize(reference_.size());
  for (std::size_t v = 0; v < reference_.size(); ++v)
    normals_[v] = (v < mesh.normals.size() ? mesh.normals[v] : Vec3(0, 1, 0)).cast<float>();
}

std::vector<BoneMotion> SkeletonMapping::motions(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<BoneMotion> motions(bones_.size());
  std::vector<Vec3> missed(bones_.size(), Vec3::Zero());
  std::vector<double> total(bones_.size(), 0.0);
  const auto place = [](BoneMotion& m) -> Vec3& { return m.share == 1 ? m.motion.position : m.place; };
  for (std::size_t b : order_) {
    const Joint& joint = joints_[b];
    const Vec3 mean = joint.fit.mean_of(nodes);
    BoneMotion& motion = motions[b];
    motion = joint.fit.motion(nodes, frame.rotation);
    // The head goes with the parent; a root is put in its place below.
    const Vec3& head = bones_[b].head;
    const Vec3 carried = joint.parent < 0 ? mean + motion.turned(head - joint.fit.mean())
                                          : motions[static_cast<std::size_t>(joint.parent)] * head;
    place(motion) = carried - motion.turned(head);
    missed[static_cast<std::size_t>(joint.root)] += joint.total * (mean - motion * joint.fit.mean());
    total[static_cast<std::size_t>(joint.root)] += joint.total;
  }
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const auto root = static_cast<std::size_t>(joints_[b].root);
    BoneMotion& motion = motions[b];
    place(motion) += missed[root] / total[root];
    const Vec3& middle = joints_[b].fit.mean();
    if (motion.share < 1) motion.motion.position = motion * middle - motion.motion.rotation * middle;
  }
  return motions;
}

std::vector<Pose> SkeletonMapping::bone_motions(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<Pose> poses;
  for (const BoneMotion& motion : motions(nodes, frame)) poses.push_back(motion.motion);
  return poses;
}

void SkeletonMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                   std::span<Vec3f> normals, Executor& executor) const {
  const std::vector<BoneMotion> bones = motions(nodes, frame);
  std::vector<Pose> rigid;
  bool bent = false;
  for (const BoneMotion& bone : bones) {
    rigid.push_back(bone.motion);
    bent = bent || bone.share < 1;
  }
  skin_vertices(rigid, weights_, reference_, normals_, frame.position, false, positions, normals, executor);
  if (!bent) return;
  executor.blocks(reference_.size(), kSkeletonBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const double whole = whole_share(bones, weights_[v]);
      if (whole == 1) continue;
      const BentPlace bent_place = blend_linear(bones, weights_[v], reference_[v], Vec3::Zero());
      const auto share = static_cast<float>(whole);
      positions[v] = share * positions[v] + (1 - share) * bent_place.place.cast<float>();
      const Vec3f n = unit((normal_matrix(bent_place.bend)).cast<float>() * normals_[v], normals_[v]);
      normals[v] = unit(share * normals[v] + (1 - share) * n, n);
    }
  });
}

void SkeletonMapping::map_points(std::span<const Vec3> nodes, const Pose& frame,
                                 std::span<const std::uint32_t> vertices, std::span<Vec3> points) const {
  if (vertices.empty()) return;
  const std::vector<BoneMotion> motions = this->motions(nodes, frame);
  std::vector<DualQuaternion<double>> bones;
  for (const BoneMotion& bone : motions) {
    Pose motion = bone.motion;
    motion.position -= frame.position;
    bones.push_back(dual_quaternion(motion));
  }
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const VertexBones& w = weights_[vertices[k]];
    const Vec3& x = reference_[vertices[k]];
    points[k] = frame.position + move(blend(bones, w), x);
    const double whole = whole_share(motions, w);
    if (whole < 1)
      points[k] =
          whole * points[k] + (1 - whole) * (frame.position + blend_linear(motions, w, x, frame.position).place);
  }
}

// The offset: a vertex hangs on its bones by rigid pieces, through joints, and the mean over a tree of bones
// lies among the nodes. So no vertex is farther out than the farthest node and the longest such way, bent.
DriverInfo SkeletonMapping::drivers(std::size_t vertex) const {
  DriverInfo info;
  std::vector<double> nodes(nodes_.size(), 0.0);
  const auto to_root = [&](std::size_t b) {
    double length = 0;
    for (int p = joints_[b].parent; p >= 0; b = static_cast<std::size_t>(p), p = joints_[b].parent)
      length += (bones_[b].head - bones_[static_cast<std::size_t>(p)].head).norm();
    return length;
  };
  for (int k = 0; k < 4; ++k) {
    const double weight = weights_[vertex].weights[k];
    if (!(weight > 0)) continue;
    const std::size_t b = weights_[vertex].bones[k];
    info.bones.push_back({bones_[b].id, weight});
    for (const NodeWeight& w : joints_[b].fit.weights()) nodes[w.node] += weight * w.weight;
    const double arm = (reference_[vertex] - bones_[b].head).norm() + to_root(b);
    for (std::size_t c = 0; c < bones_.size(); ++c)
      if (joints_[c].root == joints_[b].root)
        info.offset =
            std::max(info.offset, c == b ? (reference_[vertex] - joints_[b].fit.mean()).norm()
                                         : arm + to_root(c) + (bones_[c].head - joints_[c].fit.mean()).norm());
  }
  info.offset *= kMostStretch;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] > 0) info.nodes.push_back({i, nodes[i]});
  return info;
}

void SkeletonMapping::node_heat(std::uint32_t node, std::span<float> out) const {
  std::vector<float> share(bones_.size(), 0.0f);
  for (std::size_t b = 0; b < bones_.size(); ++b)
    for (const NodeWeight& w : joints_[b].fit.weights())
      if (w.node == node) share[b] = static_cast<float>(w.weight);
  for (std::size_t v = 0; v < weights_.size(); ++v) {
    out[v] = 0;
    for (int k = 0; k < 4; ++k) out[v] += weights_[v].weights[k] * share[weights_[v].bones[k]];
  }
}

void SkeletonMapping::bone_heat(std::uint32_t bone, std::span<float> out) const {
  for (std::size_t v = 0; v < weights_.size(); ++v) {
    out[v] = 0;
    for (int k = 0; k < 4; ++k)
      if (bones_[weights_[v].bones[k]].id == bone) out[v] += weights_[v].weights[k];
  }
}

}  // namespace hazumi
