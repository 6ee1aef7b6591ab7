// Stiffness and damping of a truss in its body frame (thesis 2.11-2.16): every spring (i, j) with unit
// direction b adds k b bᵀ to the blocks (i,i), (j,j) and −k b bᵀ to (i,j), (j,i) of K; C likewise with its
// damping constant c.
//
//   n       nodes, numbered in the order of `order`: own number a is the set-up's node order[a]
//   d, v    displacements (m) and their rates (m/s), 3n numbers, x y z of one node side by side
//   m       node masses, kg
//   e, π    stretch b·(d_j − d_i) of a spring; what it has kept of it, m, one number a spring in own order
//
// K and C are applied spring by spring: 48 bytes a spring instead of 18 blocks of 9 numbers with their
// indices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/truss/truss.h"
#include "core/math/sparse_factor.h"

namespace hazumi {

class SpringNetwork {
 public:
  SpringNetwork() = default;
  /// Nodes in a fill-reducing order.
  SpringNetwork(std::span<const Vec3> nodes, std::span<const Spring> springs);

  std::size_t node_count() const { return order_.size(); }
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// out ← −(K d + C v), N.
  void forces(const double* d, const double* v, double* out) const;
  void stiffness_forces(const double* d, double* out) const;  ///< out ← K d, N
  double energy(const double* d) const;                       ///< ½ dᵀ K d, J
  std::size_t spring_count() const { return elements_.size(); }
  /// Spring of the set-up of each in own order.
  const std::vector<std::uint32_t>& source() const { return source_; }
  double stretch(std::size_t own, const double* d) const;  ///< e of one, m
  double length(std::size_t own) const { return elements_[own].length; }
  /// out ← out − Σ k b π of the springs: what pulls towards stretches π, N.
  void add_kept(const double* kept, double* out) const;
  double energy_beyond(const double* d, const double* kept) const;  ///< ½ Σ k (e − π)², J
  /// Where |e − o − π| is beyond `limit` of a spring's length, π takes `share` of what is beyond. `offset`: of the rest shape, o = b·(o_j − o_i);
  /// null: none.
  void flow(const double* d, const double* offset, double limit, double share, double* kept) const;
  /// M + c_factor C + k_factor K as 3×3 blocks; `masses` in own order. Rows and columns of the nodes `held`
  /// (own numbers, ascending) have only their mass: what is solved leaves them where they are.
  SparseMatrix matrix(const std::vector<double>& masses, double c_factor, double k_factor,
                      const std::vector<std::uint32_t>& held = {}) const;
  /// Largest eigenvalue of M⁻¹ (c_factor C + k_factor K), by power iteration from a fixed start: never above
  /// the true one, within about one per cent of it.
  double largest_rate(const std::vector<double>& masses, double c_factor, double k_factor) const;

 private:
  struct Element {
    std::uint32_t a = 0, b = 0;  // first number of the node: 3 × node
    double x = 0, y = 0, z = 0;  // unit direction from a to b
    double k = 0, c = 0;
    double length = 0;  // m
  };
  std::vector<std::uint32_t> order_;
  std::vector<Element> elements_;  // ascending (a, b)
  std::vector<std::uint32_t> source_;
};

}  // namespace hazumi
