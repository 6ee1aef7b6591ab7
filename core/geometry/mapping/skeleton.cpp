#include "core/geometry/mapping/skeleton.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mapping/dual_quaternion.h"
#include "core/geometry/mapping/skinning.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kFrameShare = 1e-3;  // η
// Where the nodes about a bone are turned inside out its attitude jumps, and the rate on the way there is without bound. Below what
// η gives to nodes on a line, 2 η.
constexpr double kLeastRate = 5e-4;

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
    double least = 1e300;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      square[i] = (nodes_[i] - nearest_on_bone(bones_[b], nodes_[i])).squaredNorm();
      least = std::min(least, square[i]);
    }
    const double radius = std::max(bones_[b].radius, 1e-9);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const double g = std::exp(-std::min(700.0, (square[i] - least) / (radius * radius)));
      if (g < 1e-6) continue;
      joint.fit.push_back({i, g * truss.masses[i]});
      joint.total += g * truss.masses[i];
    }
    for (NodeWeight& w : joint.fit) {
      w.weight /= joint.total;
      joint.mean += w.weight * nodes_[w.node];
    }
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

std::vector<Pose> SkeletonMapping::bone_motions(std::span<const Vec3> nodes, const Pose& frame) const {
  std::vector<Pose> motions(bones_.size());
  std::vector<Vec3> missed(bones_.size(), Vec3::Zero());
  std::vector<double> total(bones_.size(), 0.0);
  const Mat3 attitude = frame.rotation.toRotationMatrix();
  for (std::size_t b : order_) {
    const Joint& joint = joints_[b];
    Vec3 mean = Vec3::Zero();
    for (const NodeWeight& w : joint.fit) mean += w.weight * nodes[w.node];
    Mat3 a = Mat3::Zero();
    double spread = 0;
    for (const NodeWeight& w : joint.fit) {
      const Vec3 r = nodes_[w.node] - joint.mean;
      a += w.weight * (nodes[w.node] - mean) * r.transpose();
      spread += w.weight * r.squaredNorm();
    }
    a += kFrameShare * spread * attitude;
    Pose& motion = motions[b];
    motion.rotation = polar_rotation(a, frame.rotation);
    // The head goes with the parent; a root is put in its place below.
    const Vec3& head = bones_[b].head;
    const Vec3 carried = joint.parent < 0 ? mean + motion.rotation * (head - joint.mean)
                                          : motions[static_cast<std::size_t>(joint.parent)] * head;
    motion.position = carried - motion.rotation * head;
    missed[static_cast<std::size_t>(joint.root)] += joint.total * (mean - motion * joint.mean);
    total[static_cast<std::size_t>(joint.root)] += joint.total;
  }
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const auto root = static_cast<std::size_t>(joints_[b].root);
    motions[b].position += missed[root] / total[root];
  }
  return motions;
}

void SkeletonMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                   std::span<Vec3f> normals, Executor& executor) const {
  skin_vertices(bone_motions(nodes, frame), weights_, reference_, normals_, frame.position, false, positions, normals,
                executor);
}

void SkeletonMapping::map_points(std::span<const Vec3> nodes, const Pose& frame,
                                 std::span<const std::uint32_t> vertices, std::span<Vec3> points) const {
  if (vertices.empty()) return;
  std::vector<DualQuaternion<double>> bones;
  for (Pose motion : bone_motions(nodes, frame)) {
    motion.position -= frame.position;
    bones.push_back(dual_quaternion(motion));
  }
  for (std::size_t k = 0; k < vertices.size(); ++k)
    points[k] = frame.position + move(blend(bones, weights_[vertices[k]]), reference_[vertices[k]]);
}

// Bones by their attitudes (polar_rate) and the weighted means of their nodes, from parents to children; then the place of the
// whole tree. `motions` are those of the end, and what is wanted of positions is their rates alone.
std::vector<SkeletonMapping::BoneRate> SkeletonMapping::bone_rates(const std::vector<Pose>& motions,
                                                                   std::span<const Vec3> nodes,
                                                                   const Pose& frame) const {
  const std::size_t n = nodes.size();
  std::vector<BoneRate> rates(bones_.size()), missed(bones_.size());
  std::vector<double> total(bones_.size(), 0.0);
  for (BoneRate& r : missed) r.shift.assign(n, Mat3::Zero());
  const Mat3 attitude = frame.rotation.toRotationMatrix();
  for (std::size_t b : order_) {
    const Joint& joint = joints_[b];
    const Mat3 r = motions[b].rotation.toRotationMatrix();
    Vec3 mean = Vec3::Zero();
    for (const NodeWeight& w : joint.fit) mean += w.weight * nodes[w.node];
    Mat3 a = Mat3::Zero();
    double spread = 0;
    for (const NodeWeight& w : joint.fit) {
      const Vec3 arm = nodes_[w.node] - joint.mean;
      a += w.weight * (nodes[w.node] - mean) * arm.transpose();
      spread += w.weight * arm.squaredNorm();
    }
    a += kFrameShare * spread * attitude;
    const Mat3 rate = polar_rate(a, r, kLeastRate), both = attitude * r.transpose();
    BoneRate& bone = rates[b];
    bone.turn.assign(n, Mat3::Zero());
    for (const NodeWeight& w : joint.fit)
      bone.turn[w.node] = rate * (w.weight * skew(r * (nodes_[w.node] - joint.mean)));
    bone.frame_turn = kFrameShare * spread * rate * (both.trace() * Mat3::Identity() - both);
    // Where the head is carried, less the turn of the bone about it.
    const bool rooted = joint.parent < 0;
    const Mat3 own = skew(r * (rooted ? joint.mean : bones_[b].head));
    bone.shift.assign(n, Mat3::Zero());
    if (rooted) {
      for (const NodeWeight& w : joint.fit) bone.shift[w.node] = w.weight * Mat3::Identity();
    } else {
      const auto p = static_cast<std::size_t>(joint.parent);
      const Mat3 carried = skew(motions[p].rotation * bones_[b].head);
      for (std::size_t k = 0; k < n; ++k) bone.shift[k] = rates[p].shift[k] - carried * rates[p].turn[k];
      bone.frame_shift = rates[p].frame_shift - carried * rates[p].frame_turn;
    }
    for (std::size_t k = 0; k < n; ++k) bone.shift[k] += own * bone.turn[k];
    bone.frame_shift += own * bone.frame_turn;
    const auto root = static_cast<std::size_t>(joint.root);
    const Mat3 middle = skew(r * joint.mean);
    total[root] += joint.total;
    for (std::size_t k = 0; k < n; ++k) missed[root].shift[k] += joint.total * (middle * bone.turn[k] - bone.shift[k]);
    for (const NodeWeight& w : joint.fit) missed[root].shift[w.node] += joint.total * w.weight * Mat3::Identity();
    missed[root].frame_shift += joint.total * (middle * bone.frame_turn - bone.frame_shift);
  }
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const auto root = static_cast<std::size_t>(joints_[b].root);
    for (std::size_t k = 0; k < n; ++k) rates[b].shift[k] += missed[root].shift[k] / total[root];
    rates[b].frame_shift += missed[root].frame_shift / total[root];
  }
  return rates;
}

// The place is F(q, e)/|q|² with q, e the sums of the bones' dual quaternions (before they are made unit) and F quadratic; δq and
// δe of a bone that turns by δθ and whose position goes by δt: ½ (0, δθ) q and ½ ((0, δt) q + (0, t) δq).
void SkeletonMapping::rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                            std::span<VertexRate> rates) const {
  if (vertices.empty()) return;
  const std::vector<Pose> motions = bone_motions(nodes, frame);
  const std::vector<BoneRate> bones = bone_rates(motions, nodes, frame);
  std::vector<DualQuaternion<double>> duals;
  for (Pose motion : motions) {
    motion.position -= frame.position;
    duals.push_back(dual_quaternion(motion));
  }
  const auto times = [](const Vec3& a, const Eigen::Vector4d& q) {  // ½ (0, a) q
    const Vec3 v = q.tail<3>(), turned = 0.5 * (q[0] * a + a.cross(v));
    return Eigen::Vector4d(-0.5 * a.dot(v), turned.x(), turned.y(), turned.z());
  };
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexBones& w = weights_[vertices[i]];
    const Vec3& x = reference_[vertices[i]];
    const Eigen::Vector4d pivot = duals[w.bones[0]].real;
    Eigen::Vector4d q = Eigen::Vector4d::Zero(), e = q;
    const auto weight = [&](int k) {
      const double share = w.weights[k];
      return pivot.dot(duals[w.bones[k]].real) < 0 ? -share : share;
    };
    for (int k = 0; k < 4 && w.weights[k] > 0; ++k) {
      q += weight(k) * duals[w.bones[k]].real;
      e += weight(k) * duals[w.bones[k]].dual;
    }
    const Vec3 v = q.tail<3>(), f = e.tail<3>();
    const double size = q.squaredNorm();
    const Vec3 moved = ((q[0] * q[0] - v.squaredNorm()) * x + 2 * v.dot(x) * v + 2 * q[0] * v.cross(x) +
                        2 * (q[0] * f - e[0] * v + v.cross(f))) /
                       size;
    const auto place_rate = [&](const Eigen::Vector4d& dq, const Eigen::Vector4d& de) -> Vec3 {
      const Vec3 dv = dq.tail<3>(), df = de.tail<3>();
      const Vec3 turned = 2 * (q[0] * dq[0] - v.dot(dv)) * x + 2 * (v.dot(x) * dv + dv.dot(x) * v) +
                          2 * (dq[0] * v.cross(x) + q[0] * dv.cross(x));
      const Vec3 shifted = dq[0] * f + q[0] * df - de[0] * v - e[0] * dv + dv.cross(f) + v.cross(df);
      return (turned + 2 * shifted - 2 * q.dot(dq) * moved) / size;
    };
    VertexRate& rate = rates[i];
    rate = VertexRate();
    rate.place = frame.position + moved;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) rate.nodes.push_back({node, Mat3::Zero()});
    for (int k = 0; k < 4 && w.weights[k] > 0; ++k) {
      const std::size_t b = w.bones[k];
      const Vec3 position = motions[b].position - frame.position;
      Mat3 by_turn, by_shift;
      for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector4d dq = weight(k) * times(Vec3::Unit(axis), duals[b].real);
        by_turn.col(axis) = place_rate(dq, times(position, dq));
        by_shift.col(axis) = place_rate(Eigen::Vector4d::Zero(), dq);
      }
      for (NodeBlock& node : rate.nodes)
        node.block += by_turn * bones[b].turn[node.node] + by_shift * bones[b].shift[node.node];
      rate.turn += by_turn * bones[b].frame_turn + by_shift * bones[b].frame_shift;
    }
  }
}

// The offset: a vertex hangs on its bones by rigid pieces, through joints, and the mean over a tree of bones
// lies among the nodes. So no vertex is farther out than the farthest node and the longest such way.
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
    for (const NodeWeight& w : joints_[b].fit) nodes[w.node] += weight * w.weight;
    const double arm = (reference_[vertex] - bones_[b].head).norm() + to_root(b);
    for (std::size_t c = 0; c < bones_.size(); ++c)
      if (joints_[c].root == joints_[b].root)
        info.offset = std::max(info.offset, c == b ? (reference_[vertex] - joints_[b].mean).norm()
                                                   : arm + to_root(c) + (bones_[c].head - joints_[c].mean).norm());
  }
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] > 0) info.nodes.push_back({i, nodes[i]});
  return info;
}

void SkeletonMapping::node_heat(std::uint32_t node, std::span<float> out) const {
  std::vector<float> share(bones_.size(), 0.0f);
  for (std::size_t b = 0; b < bones_.size(); ++b)
    for (const NodeWeight& w : joints_[b].fit)
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
