#include "core/geometry/mapping/skinning.h"

#include "core/geometry/mapping/dual_quaternion.h"
#include "core/geometry/mapping/lanes.h"

namespace hazumi {

namespace {

constexpr std::size_t kBlock = 4096;  // vertices

/// Of a motion, or of a blend of motions: x' = turn x + place.
struct Affine {
  Eigen::Matrix3f turn = Eigen::Matrix3f::Zero();
  Vec3f place = Vec3f::Zero();
};

Affine blend(const std::vector<Affine>& bones, const VertexBones& w) {
  Affine sum;
  for (std::size_t k = 0; k < 4 && w.weights[k] > 0; ++k) {
    sum.turn += w.weights[k] * bones[w.bones[k]].turn;
    sum.place += w.weights[k] * bones[w.bones[k]].place;
  }
  return sum;
}

}  // namespace

void skin_vertices(const std::vector<Pose>& motions, const std::vector<VertexBones>& weights,
                   const std::vector<Vec3>& reference, const std::vector<Vec3f>& reference_normals, const Vec3& origin,
                   bool linear, std::span<Vec3f> positions, std::span<Vec3f> normals, Executor& executor) {
  const Vec3f base = origin.cast<float>();
  std::vector<DualQuaternion<float>> duals;
  std::vector<Affine> affines;
  for (Pose motion : motions) {
    motion.position -= origin;
    if (linear) {
      affines.push_back({motion.rotation.toRotationMatrix().cast<float>(), motion.position.cast<float>()});
      continue;
    }
    const DualQuaternion<double> d = dual_quaternion(motion);
    duals.push_back({d.real.cast<float>(), d.dual.cast<float>()});
  }
  executor.blocks(reference.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Vec3f x = reference[v].cast<float>();
      if (linear) {
        const Affine b = blend(affines, weights[v]);
        positions[v] = base + (b.turn * x + b.place);
        normals[v] = unit(b.turn * reference_normals[v], reference_normals[v]);
        continue;
      }
      const DualQuaternion<float> d = blend(duals, weights[v]);
      positions[v] = base + move(d, x);
      normals[v] = unit(turn(d, reference_normals[v]), reference_normals[v]);
    }
  });
}

}  // namespace hazumi
