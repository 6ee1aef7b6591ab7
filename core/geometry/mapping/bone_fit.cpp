#include "core/geometry/mapping/bone_fit.h"

#include <cmath>

#include "core/math/eigen.h"
#include "core/math/rotation.h"

namespace hazumi {

namespace {

constexpr double kFrameShare = 1e-3;  // η
constexpr double kOpen = 4;           // κ
constexpr double kWhole = 0.5;        // q₁ from which on a bone is rigid
constexpr double kSettled = 0.1;      // q₂, the same

Mat3 rest_of_trace(const Mat3& s) { return s.trace() * Mat3::Identity() - s; }  // N

Mat3 symmetric(const Mat3& m) { return 0.5 * (m + m.transpose()); }

/// q = 3/tr(G⁻¹T), and from it a share that grows from 0 to 1 at `full`. G positive or not, T positive.
struct Measure {
  double q = 0, share = 0, slope = 0;  // slope: of the share over q
  Mat3 inverse = Mat3::Zero();         // G⁻¹

  Measure(const Mat3& g, const Mat3& t, double full) {
    const EigenPairs3 pairs = symmetric_eigen(g);
    if (!(pairs.values[0] > 0)) return;
    for (int i = 0; i < 3; ++i) inverse += pairs.vectors.col(i) * pairs.vectors.col(i).transpose() / pairs.values[i];
    q = 3 / (inverse * t).trace();
    const double u = q / full;
    share = u < 1 ? u * u * (3 - 2 * u) : 1;
    slope = u < 1 ? 6 * u * (1 - u) / full : 0;
  }
  /// H of δshare = tr(H δG).
  Mat3 rate(const Mat3& t) const { return slope * q * q / 3 * inverse * t * inverse; }
};

double gain_of(double square) { return std::sqrt(std::sqrt(2 / (1 + square * square))); }  // g

/// (g(a) − g(b))/(a − b), also where they are near.
double slope_of(double a, double b) {
  if (std::abs(a - b) > 1e-4 * (1 + a + b)) return (gain_of(a) - gain_of(b)) / (a - b);
  const double middle = 0.5 * (a + b);
  return -0.5 * middle / (1 + middle * middle) * gain_of(middle);
}

}  // namespace

double BoneFit::open() const { return kOpen * kFrameShare * spread_; }

BoneFit::BoneFit(std::vector<NodeWeight> weights, std::span<const Vec3> nodes) : weights_(std::move(weights)) {
  double total = 0;
  for (const NodeWeight& w : weights_) total += w.weight;
  for (NodeWeight& w : weights_) {
    w.weight /= total;
    mean_ += w.weight * nodes[w.node];
  }
  Mat3 b = Mat3::Zero();
  for (const NodeWeight& w : weights_) {
    const Vec3& r = arms_.emplace_back(nodes[w.node] - mean_);
    spread_ += w.weight * r.squaredNorm();
    b += w.weight * r * r.transpose();
  }
  if (!(spread_ > 0)) return;  // one node: the bone turns with the frame
  b += kFrameShare * spread_ * Mat3::Identity();
  inverse_ = b.inverse();
  stretch_ = b + open() * Mat3::Identity();
  hold_ = rest_of_trace(b);
}

Vec3 BoneFit::mean_of(std::span<const Vec3> nodes) const {
  Vec3 mean = Vec3::Zero();
  for (const NodeWeight& w : weights_) mean += w.weight * nodes[w.node];
  return mean;
}

Mat3 BoneFit::fit(std::span<const Vec3> nodes, const Mat3& frame) const {
  const Vec3 mean = mean_of(nodes);
  Mat3 a = Mat3::Zero();
  for (std::size_t k = 0; k < weights_.size(); ++k)
    a += weights_[k].weight * (nodes[weights_[k].node] - mean) * arms_[k].transpose();
  return a + kFrameShare * spread_ * frame;
}

BoneMotion BoneFit::motion(std::span<const Vec3> nodes, const Quat& frame) const {
  BoneMotion now;
  const Mat3 a = fit(nodes, frame.toRotationMatrix());
  now.motion.rotation = polar_rotation(a, frame);
  if (!(spread_ > 0)) return now;
  const Mat3 r = now.motion.rotation.toRotationMatrix();
  const Mat3 s = symmetric(r.transpose() * a);
  const Measure flat(s + open() * Mat3::Identity(), stretch_, kWhole), loose(rest_of_trace(s), hold_, kSettled);
  now.share = flat.share * loose.share;
  if (now.share == 1) return now;
  const Mat3 f = a * inverse_;
  const EigenPairs3 pairs = symmetric_eigen(f.transpose() * f);
  const Vec3 gain(gain_of(pairs.values[0]), gain_of(pairs.values[1]), gain_of(pairs.values[2]));
  now.bend = now.share * r + (1 - now.share) * (f * pairs.vectors * gain.asDiagonal() * pairs.vectors.transpose());
  return now;
}

// δA = Σ g m δx (X − c)ᵀ + η t [δφ]Q, δS = RᵀδA − [Rᵀδθ] S, δs = tr(Z δS).
BoneFit::Rate BoneFit::rate(std::span<const Vec3> nodes, const Quat& frame, const BoneMotion& now) const {
  Rate rate;
  rate.turn.assign(weights_.size(), Mat3::Zero());
  if (!(spread_ > 0)) {
    rate.frame_turn.setIdentity();
    rate.rigid = frame.toRotationMatrix();
    return rate;
  }
  const Mat3 r = now.motion.rotation.toRotationMatrix(), q = frame.toRotationMatrix();
  const Mat3 a = fit(nodes, q), both = q * r.transpose();
  rate.rigid = r;
  Mat3 polar = Mat3::Zero();
  if (now.share > 0) {
    polar = polar_rate(a, r);
    for (std::size_t k = 0; k < weights_.size(); ++k) rate.turn[k] = polar * (weights_[k].weight * skew(r * arms_[k]));
    rate.frame_turn = kFrameShare * spread_ * polar * (both.trace() * Mat3::Identity() - both);
  }
  if (now.share == 1) return rate;
  const Mat3 f = a * inverse_;
  const EigenPairs3 pairs = symmetric_eigen(f.transpose() * f);
  for (int i = 0; i < 3; ++i) {
    rate.gain[i] = gain_of(pairs.values[i]);
    for (int j = 0; j < 3; ++j) rate.slopes(i, j) = slope_of(pairs.values[i], pairs.values[j]);
  }
  rate.axes = pairs.vectors;
  rate.bent = f * pairs.vectors;
  rate.stretch = rate.bent * rate.gain.asDiagonal() * rate.axes.transpose();
  rate.fill = kFrameShare * spread_ * q * inverse_;
  rate.share.assign(weights_.size(), Vec3::Zero());
  if (!(now.share > 0)) return rate;
  const Mat3 s = symmetric(r.transpose() * a);
  const Measure flat(s + open() * Mat3::Identity(), stretch_, kWhole), loose(rest_of_trace(s), hold_, kSettled);
  const Mat3 z = loose.share * flat.rate(stretch_) + flat.share * rest_of_trace(loose.rate(hold_));
  const Vec3 turning = r * axial(s * z);
  const Vec3 by_turn = polar * turning;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const Vec3 arm = r * arms_[k];
    rate.share[k] = weights_[k].weight * (r * (z * arms_[k]) - by_turn.cross(arm));
  }
  rate.frame_share = kFrameShare * spread_ * axial(q * z * r.transpose()) - rate.frame_turn.transpose() * turning;
  return rate;
}

// δM = δF g(C) + F δg(C), C = FᵀF, VᵀδgV = slopes ∘ VᵀδCV. Of a node δF = δx bᵀ, b = g m B⁻¹ (X − c).
Mat3 BoneFit::stretch_rate(const Rate& rate, std::size_t k, const Vec3& x) const {
  const Vec3 y = rate.axes.transpose() * x;
  const Vec3 b = rate.axes.transpose() * (weights_[k].weight * (inverse_ * arms_[k]));
  Mat3 inner = b.asDiagonal() * rate.slopes * y.asDiagonal();
  inner.diagonal() += rate.slopes * b.cwiseProduct(y);
  return b.dot(rate.gain.cwiseProduct(y)) * Mat3::Identity() + rate.bent * inner * rate.bent.transpose();
}

Mat3 BoneFit::frame_stretch_rate(const Rate& rate, const Vec3& x) const {
  const Vec3 y = rate.axes.transpose() * x;
  Mat3 sum;
  for (int axis = 0; axis < 3; ++axis) {
    const Mat3 turned = skew(Vec3::Unit(axis)) * rate.fill * rate.axes;
    const Mat3 half = turned.transpose() * rate.bent, change = rate.slopes.cwiseProduct(half + half.transpose());
    sum.col(axis) = turned * rate.gain.cwiseProduct(y) + rate.bent * (change * y);
  }
  return sum;
}

Mat3 BoneFit::follows(const Rate& rate, const BoneMotion& now, std::size_t k, const Vec3& x) const {
  const Vec3 rigid = rate.rigid * x;
  const Mat3 turned = -(skew(rigid) * rate.turn[k]);
  if (now.share == 1) return turned;
  return now.share * turned + (rigid - rate.stretch * x) * rate.share[k].transpose() +
         (1 - now.share) * stretch_rate(rate, k, x);
}

Mat3 BoneFit::follows_frame(const Rate& rate, const BoneMotion& now, const Vec3& x) const {
  const Vec3 rigid = rate.rigid * x;
  const Mat3 turned = -(skew(rigid) * rate.frame_turn);
  if (now.share == 1) return turned;
  return now.share * turned + (rigid - rate.stretch * x) * rate.frame_share.transpose() +
         (1 - now.share) * frame_stretch_rate(rate, x);
}

double whole_share(const std::vector<BoneMotion>& motions, const VertexBones& w) {
  double whole = 1;
  for (std::size_t k = 0; k < 4 && w.weights[k] > 0; ++k) whole *= motions[w.bones[k]].share;
  return whole;
}

BentPlace blend_linear(const std::vector<BoneMotion>& motions, const VertexBones& w, const Vec3& x,
                       const Vec3& origin) {
  BentPlace sum;
  double total = 0;
  for (std::size_t k = 0; k < 4 && w.weights[k] > 0; ++k) {
    const BoneMotion& bone = motions[w.bones[k]];
    const double weight = static_cast<double>(w.weights[k]);
    sum.place += weight * (bone * x - origin);
    sum.bend += weight * (bone.share == 1 ? bone.motion.rotation.toRotationMatrix() : bone.bend);
    total += weight;
  }
  sum.place /= total;  // weights are floats
  sum.bend /= total;
  return sum;
}

}  // namespace hazumi
