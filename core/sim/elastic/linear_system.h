// A body for small motions about its rest shape, and what contact asks of it: what stiffness, modes and vibration are
// computed from, whatever the body is made of. A solver answers both from a set-up alone, without factoring anything.
//
//   M ẍ + C ẋ + K x = f           x displacements of the nodes, m (object frame), 3n numbers, x y z of a node together
//
//   K, C   stiffness N/m and damping N s/m, symmetric, positive semi-definite, 3n × 3n; rigid motions cost nothing
//   M      node masses, kg
//   ψ      softness, 1 soft … 0 stiff: ψ² = 1 / (1 + mean over the nodes of (½ h c + ¼ h² k) / m)
//   k, c   stiffness and damping that a node feels while its neighbours are held: tr K_ii, tr C_ii
#pragma once

#include <cstdint>
#include <vector>

#include "core/math/sparse_factor.h"
#include "core/math/types.h"

namespace hazumi {

struct ElasticSetup;

struct LinearSystem {
  std::vector<Vec3> nodes;     ///< m, rest shape, object frame
  std::vector<double> masses;  ///< kg
  std::vector<std::uint32_t> pinned;
  SparseMatrix stiffness, damping;  ///< of all nodes, the pinned ones too
};

/// What contact asks of a body before it runs.
struct ElasticContact {
  double modulus = 0;         ///< Pa, E where it touches something (Hertz)
  double node_stiffness = 0;  ///< N/m, mean of k over the nodes
  double softness = 1;        ///< ψ of sim/contact/body_motion.h
};

/// Of springs: k b bᵀ and c b bᵀ for each, b its direction in the rest shape (thesis 2.13).
LinearSystem linear_springs(const ElasticSetup& setup);
/// Of springs: E is the mean of l k / A (thesis 3.39), or the substance's when their stiffness follows from it.
ElasticContact contact_of_springs(const ElasticSetup& setup);
/// Of anything else: k and c from the matrices, E is the substance's.
ElasticContact contact_of_system(const ElasticSetup& setup, const LinearSystem& system);

}  // namespace hazumi
