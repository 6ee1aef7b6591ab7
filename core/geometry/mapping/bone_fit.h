// How one bone follows the nodes near it.
//
//   A = Σ g m (x − c')(X − c)ᵀ + η t Q     c, c' weighted means, weights g m of sum 1, Q the body frame, t = tr Σ g m (X − c)(X − c)ᵀ
//   B = the same at reference (SPD, η fills what nodes on a line or in a plane leave open)
//   R = polar(A)                           what a bone is: it turns and does not stretch
//   F = A B⁻¹                              how the space about it is bent, by least squares
//   M = F g(FᵀF), g(λ) = (2/(1 + λ²))^¼    the same, and no stretch of it is above 1.19
//   L = s R + (1 − s) M                    how it is moved
//
// R is no continuous function: where two of the stretches of A cancel, s₂ + s₃ = 0, which is where nodes are being turned inside
// out, it jumps by up to half a turn, and a skin that goes with it moves by its size although no node does. No rotation that depends on
// the nodes alone is continuous there (about such a place R winds once around an axis), nor one that is followed from sub-step to
// sub-step, since it is the one maximum of tr(RᵀA) that jumps. So a bone is a rotation only as long as its nodes say which:
//
//   S = RᵀA (symmetric; B at reference),  N(S) = tr(S) 1 − S
//   q₁ = 3/tr((S + κ η t)⁻¹(B + κ η t)), κ = 4      a mean of how thick the nodes are, 1 at reference: s₃ of its thickness in one
//                                                  direction are 3/(2 + 1/s₃). κ: nodes on a line are not flat when they turn from Q
//   q₂ = 3/tr(N(S)⁻¹N(B))                          0 where R jumps
//   s = h(q₁/0.5) h(q₂/0.1),  h(u) = u² (3 − 2u) in 0 … 1;  q = 0 where a matrix is not positive
//
// So s is 1 unless the nodes are squeezed to a quarter of their thickness (or all to a half), and 0 before they are turned inside out. L
// has a continuous derivative. Where nodes are flat the skin is flat too, and contact with it holds them apart.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/mapping/bones.h"
#include "core/geometry/mapping/mapping.h"

namespace hazumi {

/// Where a bone is: x' = motion x, or where share < 1 x' = bend x + place.
struct BoneMotion {
  Pose motion;                   ///< R, and where R takes the middle of its nodes to where they are
  double share = 1;              ///< s
  Mat3 bend = Mat3::Identity();  ///< L, of share < 1
  Vec3 place = Vec3::Zero();     ///< m, of share < 1

  Vec3 turned(const Vec3& x) const { return share == 1 ? Vec3(motion.rotation * x) : Vec3(bend * x); }
  Vec3 operator*(const Vec3& x) const { return share == 1 ? motion * x : Vec3(bend * x + place); }
};

/// No bone is longer by more than this.
inline constexpr double kMostStretch = 1.19;

class BoneFit {
 public:
  BoneFit() = default;
  /// `weights`: g m, of any sum, of some of `nodes` (at reference).
  BoneFit(std::vector<NodeWeight> weights, std::span<const Vec3> nodes);

  /// Weights of sum 1, and the weighted mean of nodes.
  const std::vector<NodeWeight>& weights() const { return weights_; }
  const Vec3& mean() const { return mean_; }
  Vec3 mean_of(std::span<const Vec3> nodes) const;

  /// R, s and L; nothing of where the bone is.
  BoneMotion motion(std::span<const Vec3> nodes, const Quat& frame) const;

  /// How R, s and L follow each node of the fit (in the order of weights()) and the turn of the frame: R → exp(δθ) R.
  struct Rate {
    std::vector<Mat3> turn;  ///< δθ = turn δx
    Mat3 frame_turn = Mat3::Zero();
    std::vector<Vec3> share;  ///< δs = share·δx; empty where s stays 1
    Vec3 frame_share = Vec3::Zero();
    Mat3 rigid = Mat3::Identity(), stretch = Mat3::Identity();  ///< R, M
    // How M follows F
    Mat3 fill = Mat3::Zero();                       ///< η t Q B⁻¹
    Mat3 axes = Mat3::Zero(), bent = Mat3::Zero();  ///< V of FᵀF = V λ Vᵀ, F V
    Vec3 gain = Vec3::Zero();                       ///< g(λ)
    Mat3 slopes = Mat3::Zero();                     ///< (g(λᵢ) − g(λⱼ))/(λᵢ − λⱼ)
  };
  Rate rate(std::span<const Vec3> nodes, const Quat& frame, const BoneMotion& now) const;
  /// δ(L x) = block δx_k, of node k of the fit; and of the turn of the frame.
  Mat3 follows(const Rate& rate, const BoneMotion& now, std::size_t k, const Vec3& x) const;
  Mat3 follows_frame(const Rate& rate, const BoneMotion& now, const Vec3& x) const;

 private:
  double open() const;                                                      // κ η t
  Mat3 stretch_rate(const Rate& rate, std::size_t k, const Vec3& x) const;  // of M x, as follows()
  Mat3 frame_stretch_rate(const Rate& rate, const Vec3& x) const;
  Mat3 fit(std::span<const Vec3> nodes, const Mat3& frame) const;

  std::vector<NodeWeight> weights_;
  std::vector<Vec3> arms_;  // X − c
  Vec3 mean_ = Vec3::Zero();
  double spread_ = 0;                                                           // t
  Mat3 inverse_ = Mat3::Zero(), stretch_ = Mat3::Zero(), hold_ = Mat3::Zero();  // B⁻¹, B + κ η t, N(B)
};

/// σ of a vertex, and where the linear blend takes it, from `origin` on.
double whole_share(const std::vector<BoneMotion>& motions, const VertexBones& w);
struct BentPlace {
  Vec3 place = Vec3::Zero();
  Mat3 bend = Mat3::Zero();
};
BentPlace blend_linear(const std::vector<BoneMotion>& motions, const VertexBones& w, const Vec3& x, const Vec3& origin);

}  // namespace hazumi
