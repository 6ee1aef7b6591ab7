// How vertices on bones follow nodes and frame (Mapping::rates).
#include "core/geometry/mapping/skeleton.h"
#include "core/math/rotation.h"

namespace hazumi {

// Bones by their attitudes and the weighted means of their nodes, from parents to children; then the place of the whole tree.
// `motions` are those of the end, and what is wanted of places is their rates alone.
std::vector<SkeletonMapping::BoneRate> SkeletonMapping::bone_rates(const std::vector<BoneMotion>& motions,
                                                                   std::span<const Vec3> nodes,
                                                                   const Pose& frame) const {
  std::vector<BoneRate> rates(bones_.size()), missed(bones_.size());
  std::vector<double> total(bones_.size(), 0.0);
  for (BoneRate& r : missed) r.shift.assign(nodes.size(), Mat3::Zero());
  // A place x of bone b: what its turning and bending do to it.
  const auto add_turning = [&](std::size_t b, const Vec3& x, double sign, std::vector<Mat3>& shift, Mat3& frame_shift) {
    const BoneFit& fit = joints_[b].fit;
    for (std::size_t k = 0; k < fit.weights().size(); ++k)
      shift[fit.weights()[k].node] += sign * fit.follows(rates[b].own, motions[b], k, x);
    frame_shift += sign * fit.follows_frame(rates[b].own, motions[b], x);
  };
  for (std::size_t b : order_) {
    const Joint& joint = joints_[b];
    const Vec3& middle = joint.fit.mean();
    BoneRate& bone = rates[b];
    bone.own = joint.fit.rate(nodes, frame.rotation, motions[b]);
    // Where the head is carried, less the turn of the bone about it.
    bone.shift.assign(nodes.size(), Mat3::Zero());
    if (joint.parent < 0) {
      for (const NodeWeight& w : joint.fit.weights()) bone.shift[w.node] = w.weight * Mat3::Identity();
      add_turning(b, middle, -1, bone.shift, bone.frame_shift);
    } else {
      const auto p = static_cast<std::size_t>(joint.parent);
      bone.shift = rates[p].shift;
      bone.frame_shift = rates[p].frame_shift;
      add_turning(p, bones_[b].head, 1, bone.shift, bone.frame_shift);
      add_turning(b, bones_[b].head, -1, bone.shift, bone.frame_shift);
    }
    BoneRate& root = missed[static_cast<std::size_t>(joint.root)];
    total[static_cast<std::size_t>(joint.root)] += joint.total;
    std::vector<Mat3> missing(nodes.size(), Mat3::Zero());
    Mat3 frame_missing = -bone.frame_shift;
    for (const NodeWeight& w : joint.fit.weights()) missing[w.node] = w.weight * Mat3::Identity();
    for (std::size_t k = 0; k < nodes.size(); ++k) missing[k] -= bone.shift[k];
    add_turning(b, middle, -1, missing, frame_missing);
    for (std::size_t k = 0; k < nodes.size(); ++k) root.shift[k] += joint.total * missing[k];
    root.frame_shift += joint.total * frame_missing;
  }
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const auto root = static_cast<std::size_t>(joints_[b].root);
    for (std::size_t k = 0; k < nodes.size(); ++k) rates[b].shift[k] += missed[root].shift[k] / total[root];
    rates[b].frame_shift += missed[root].frame_shift / total[root];
  }
  return rates;
}

// The place is F(q, e)/|q|² with q, e the sums of the bones' dual quaternions (before they are made unit) and F quadratic; δq and
// δe of a bone that turns by δθ and whose position goes by δt: ½ (0, δθ) q and ½ ((0, δt) q + (0, t) δq).
Vec3 SkeletonMapping::follow_bones(const std::vector<BoneMotion>& motions, const std::vector<BoneRate>& rates,
                                   const std::vector<DualQuaternion<double>>& duals, std::size_t vertex,
                                   const Vec3& origin, Follow& follow) const {
  const auto times = [](const Vec3& a, const Eigen::Vector4d& q) {  // ½ (0, a) q
    const Vec3 v = q.tail<3>(), turned = 0.5 * (q[0] * a + a.cross(v));
    return Eigen::Vector4d(-0.5 * a.dot(v), turned.x(), turned.y(), turned.z());
  };
  const VertexBones& w = weights_[vertex];
  const Vec3& x = reference_[vertex];
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
  for (int k = 0; k < 4 && w.weights[k] > 0; ++k) {
    const std::size_t b = w.bones[k];
    const BoneFit& fit = joints_[b].fit;
    const BoneRate& bone = rates[b];
    const Vec3 position = motions[b].motion.position - origin;
    Mat3 by_turn, by_shift;
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::Vector4d dq = weight(k) * times(Vec3::Unit(axis), duals[b].real);
      by_turn.col(axis) = place_rate(dq, times(position, dq));
      by_shift.col(axis) = place_rate(Eigen::Vector4d::Zero(), dq);
    }
    for (std::size_t i = 0; i < follow.nodes.size(); ++i) follow.nodes[i] += by_shift * bone.shift[i];
    follow.frame += by_turn * bone.own.frame_turn + by_shift * bone.frame_shift;
    // Of a bone that bends the rigid motion is the one that takes the middle of its nodes to the same place.
    const Mat3 about = skew(bone.own.rigid * fit.mean());
    for (std::size_t i = 0; i < fit.weights().size(); ++i) {
      Mat3& block = follow.nodes[fit.weights()[i].node];
      block += by_turn * bone.own.turn[i];
      if (motions[b].share < 1)
        block += by_shift * (fit.follows(bone.own, motions[b], i, fit.mean()) + about * bone.own.turn[i]);
    }
    if (motions[b].share < 1)
      follow.frame += by_shift * (fit.follows_frame(bone.own, motions[b], fit.mean()) + about * bone.own.frame_turn);
  }
  return moved;
}

// x = σ x_dual + (1 − σ) x_bent; `follow` is that of x_dual before, less `beside` = x_dual − x_bent.
void SkeletonMapping::follow_bent(const std::vector<BoneMotion>& motions, const std::vector<BoneRate>& rates,
                                  std::size_t vertex, const Vec3& beside, Follow& follow) const {
  const VertexBones& w = weights_[vertex];
  const double whole = whole_share(motions, w);
  for (Mat3& block : follow.nodes) block *= whole;
  follow.frame *= whole;
  double total = 0;
  for (int k = 0; k < 4 && w.weights[k] > 0; ++k) total += static_cast<double>(w.weights[k]);
  for (int k = 0; k < 4 && w.weights[k] > 0; ++k) {
    const std::size_t b = w.bones[k];
    const BoneFit& fit = joints_[b].fit;
    const BoneRate& bone = rates[b];
    const double share = (1 - whole) * static_cast<double>(w.weights[k]) / total;
    for (std::size_t i = 0; i < follow.nodes.size(); ++i) follow.nodes[i] += share * bone.shift[i];
    follow.frame += share * bone.frame_shift;
    double others = 1;
    for (int l = 0; l < 4 && w.weights[l] > 0; ++l)
      if (l != k) others *= motions[w.bones[l]].share;
    const bool bends = motions[b].share < 1;
    for (std::size_t i = 0; i < fit.weights().size(); ++i) {
      Mat3& block = follow.nodes[fit.weights()[i].node];
      block += share * fit.follows(bone.own, motions[b], i, reference_[vertex]);
      if (bends) block += others * beside * bone.own.share[i].transpose();
    }
    follow.frame += share * fit.follows_frame(bone.own, motions[b], reference_[vertex]);
    if (bends) follow.frame += others * beside * bone.own.frame_share.transpose();
  }
}

void SkeletonMapping::rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                            std::span<VertexRate> rates) const {
  if (vertices.empty()) return;
  const std::vector<BoneMotion> motions = this->motions(nodes, frame);
  const std::vector<BoneRate> bones = bone_rates(motions, nodes, frame);
  std::vector<DualQuaternion<double>> duals;
  for (const BoneMotion& bone : motions) {
    Pose motion = bone.motion;
    motion.position -= frame.position;
    duals.push_back(dual_quaternion(motion));
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    Follow follow;
    follow.nodes.assign(nodes.size(), Mat3::Zero());
    Vec3 moved = follow_bones(motions, bones, duals, vertices[i], frame.position, follow);
    const double whole = whole_share(motions, weights_[vertices[i]]);
    if (whole < 1) {
      const Vec3 bent = blend_linear(motions, weights_[vertices[i]], reference_[vertices[i]], frame.position).place;
      follow_bent(motions, bones, vertices[i], moved - bent, follow);
      moved = whole * moved + (1 - whole) * bent;
    }
    VertexRate& rate = rates[i];
    rate = VertexRate();
    rate.place = frame.position + moved;
    rate.turn = follow.frame;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) rate.nodes.push_back({node, follow.nodes[node]});
  }
}

}  // namespace hazumi
