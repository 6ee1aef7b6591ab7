// Skeleton (spec 1.6; thesis 2.5 and 4.2.3): the nodes move bones, the bones move the display vertices.
//
// A bone moves rigidly: its attitude is the best fit of the analysis nodes near it (bone_fit.h), of weights g m,
//
//   g_i = exp(−(d_i² − d_min²)/radius²)      d_i the distance from node to bone at reference; m mass
//
// Joints hold: a child's head goes where its parent takes it; each tree of bones as a whole is put where the weighted means of its
// bones are missed least. A rigid motion of the nodes is reproduced exactly. Bones do not stretch, but for those whose nodes are
// squeezed flat or turned inside out, and have no attitude: they bend as their nodes do, to a share 1 − s.
//
// Skinning by dual quaternions (Kavan et al. 2008): the blend of rigid motions is a rigid motion, so a
// twisted arm keeps its thickness where the linear blend of matrices collapses to a point (the candy
// wrapper). Normals turn with the blend. Beside bones that bend by their share of the linear blend:
//
//   x' = σ x_dual + (1 − σ) Σ w (L_b x + p_b),   σ = Π s_b over the bones of the vertex
#pragma once

#include "core/geometry/mapping/bone_fit.h"
#include "core/geometry/mapping/bones.h"
#include "core/geometry/mapping/dual_quaternion.h"
#include "core/geometry/mapping/mapping.h"

namespace hazumi {

class SkeletonMapping final : public Mapping {
 public:
  /// `settings` has bones.
  SkeletonMapping(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss);

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  DriverInfo drivers(std::size_t vertex) const override;
  void rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
             std::span<VertexRate> rates) const override;
  void node_heat(std::uint32_t node, std::span<float> out) const override;
  void bone_heat(std::uint32_t bone, std::span<float> out) const override;

  /// Motion of each bone: x' = position + rotation x, x in the object frame at reference. For drawing the
  /// skeleton.
  std::vector<Pose> bone_motions(std::span<const Vec3> nodes, const Pose& frame) const;
  const std::vector<VertexBones>& weights() const { return weights_; }

 private:
  struct Joint {
    int parent = -1;  // place in the list
    int root = 0;
    BoneFit fit;
    double total = 0;  // share in placing its tree
  };

  /// How a bone follows: what is its own, and its place, one block per node and one for the turn of the body frame.
  struct BoneRate {
    BoneFit::Rate own;
    std::vector<Mat3> shift;
    Mat3 frame_shift = Mat3::Zero();
  };
  /// Of a vertex, one block per node and one for the turn of the body frame.
  struct Follow {
    std::vector<Mat3> nodes;
    Mat3 frame = Mat3::Zero();
  };
  std::vector<BoneMotion> motions(std::span<const Vec3> nodes, const Pose& frame) const;
  std::vector<BoneRate> bone_rates(const std::vector<BoneMotion>& motions, std::span<const Vec3> nodes,
                                   const Pose& frame) const;
  Vec3 follow_bones(const std::vector<BoneMotion>& motions, const std::vector<BoneRate>& rates,
                    const std::vector<DualQuaternion<double>>& duals, std::size_t vertex, const Vec3& origin,
                    Follow& follow) const;
  void follow_bent(const std::vector<BoneMotion>& motions, const std::vector<BoneRate>& rates, std::size_t vertex,
                   const Vec3& place, Follow& follow) const;

  std::vector<Bone> bones_;
  std::vector<Joint> joints_;
  std::vector<std::size_t> order_;  // parents before children
  std::vector<Vec3> nodes_;         // at reference
  std::vector<VertexBones> weights_;
  std::vector<Vec3> reference_;
  std::vector<Vec3f> normals_;
};

}  // namespace hazumi
