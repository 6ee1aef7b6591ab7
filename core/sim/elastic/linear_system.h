// A body for small motions about its rest shape, and what contact asks of it: what stiffness, modes and vibration are
// computed from, whatever the body is made of. A solver answers both from a set-up alone, without factoring anything.
//
//   M ẍ + C ẋ + K x = f           x displacements of the nodes, m (object frame), 3n numbers, x y z of a node together
//
//   K, C   stiffness N/m and damping N s/m, symmetric, positive semi-definite, 3n × 3n; rigid motions cost nothing
//   M      node masses, kg
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

/// Of springs: k b bᵀ and c b bᵀ for each, b its direction in the rest shape (thesis 2.13).
LinearSystem linear_springs(const ElasticSetup& setup);
/// Pa, E where springs touch something (Hertz): the mean of l k / A (thesis 3.39), or the substance's when their stiffness follows
/// from it.
double contact_modulus_of_springs(const ElasticSetup& setup);

}  // namespace hazumi
