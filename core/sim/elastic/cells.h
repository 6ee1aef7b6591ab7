// Cells of a body: sets of nodes, each of which keeps its shape (Miyazaki 1999: polyhedral elements). A cell pulls every node to
// where the rest shape, turned to fit, would have it; nothing of it pushes or turns the cell as a whole.
//
//   c, r_i   Σ x / n, x_i − c                       R_i    the same at rest, m
//   N        Σ r Rᵀ, m²                             M      the rotation with Σ r × M R = 0 and least |r − M R|: N = M S
//   d_i      Mᵀ r_i − R_i, m                        E      ½ k Σ |d|², J;  ∂E/∂x_i = k (r_i − M R_i)
//   k        N/m, of every node of a cell           η      s, damping C = η K
//
// In the plane M has a closed form, tan θ = Σ R × r / Σ R · r (equation 9 of the paper); in space it is iterated from the rotation
// that the cell had (13), here until nothing is left: with less, the error would turn the cell (docs/numerics/polyhedral.md).
//
// Strained cells are elements of a material instead (corotated, uniform strain; spec 5.4, core/sim/elastic/fem.cpp):
//
//   b_k      (Σ R Rᵀ)⁻¹ R_k, 1/m                          F = Σ r bᵀ    M   of F = M S
//   μ, λ     Lamé's numbers, Pa;  V   volume at rest, m³  E = V (μ |S − 1|² + ½ λ tr²(S − 1)) + ½ κ Σ |r − F R|², J
//   σ        V (2 μ (S − 1) + λ tr(S − 1)), J             ∂E/∂x_k = M σ b_k + κ (r_k − F R_k)
//   κ        N/m, against what F does not see; a tetrahedron has nothing of that
//
// About rest E = ½ uᵀ K u with K of each cell k (1 − 11ᵀ/n) without its turns: the modes of one cell that are not rigid have all the
// same stiffness k. For uniform strain ε of the material that is a modulus E = k Σ |R|² / 3V with Poisson's ratio 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/rotation.h"
#include "core/math/sparse_factor.h"
#include "core/sim/elastic/solver.h"

namespace hazumi {

/// One cell's numbers, of nodes in any order of the caller's.
struct Cell {
  std::size_t first = 0, count = 0;  ///< in Cells::nodes and Cells::rest
  double stiffness = 0;              ///< k, N/m; of a strained cell 0
  bool strained = false;
  bool bends = false;  ///< part of a Bend: two nodes that pull or push in proportion to their distance
  double drag = 0;     ///< of two nodes: damping, N s/m, counted as the stiffness is
  double shear = 0, bulk = 0, warp = 0;  ///< μ V and λ V, J; κ, N/m; of a strained cell
  Mat3 turning = Mat3::Zero();  ///< (Σ |R|² − R Rᵀ)⁻¹, 1/m²; of two nodes without what leaves them as they are
};

class Cells {
 public:
  Cells() = default;
  /// The cells of a set-up: its own; else its tetrahedra; else, where it has few nodes, one of all of them, since that is what keeps
  /// such a solid's shape; else of every node those that springs join to it, which overlap. Nodes on a line are taken in pairs.
  /// `stiffness` and `damping` multiply what the springs say: as much energy at uniform strain as they have in the mean of all
  /// directions (Σ k l² / 5 against k Σ |R|² / 3), and η = Σ c l² / Σ k l². Without springs k follows from the substance.
  Cells(const ElasticSetup& setup, double stiffness, double damping);
  /// Strained ones: the tetrahedra of the set-up; else the boxes of its grid; else the tetrahedra that the surface about its nodes is
  /// made of (tetrahedra_of). κ of a box is E V / 6 a², a its longest edge: a row of cubes bends as a beam does. The material is the set-up's times `stiffness`, or, where the stiffness of springs was given, what holds as much
  /// energy at uniform strain in one direction. None: it has no tetrahedra.
  static Cells strained(const ElasticSetup& setup, double stiffness, double damping);

  /// The springs and bends of the set-up, each a cell (a bend three) of two nodes with a stiffness and a damping of its own (k and the drag of a cell are twice those of
  /// its spring). They have no turns: a spring pulls along where it is.
  static Cells springs(const ElasticSetup& setup, double stiffness, double damping);

  std::size_t size() const { return cells_.size(); }
  bool are_springs() const { return springs_; }
  std::size_t turn_count() const { return springs_ ? 0 : cells_.size(); }  ///< cells that have a turn
  /// Drag of cells of two nodes that have no damping of their own.
  void set_drag(double damping);
  double damping() const { return damping_; }  ///< η, s
  const Cell& operator[](std::size_t e) const { return cells_[e]; }
  std::span<const std::uint32_t> nodes(const Cell& cell) const { return {nodes_.data() + cell.first, cell.count}; }
  /// R of its nodes; of a strained cell b.
  std::span<const Vec3> rest(const Cell& cell) const { return {rest_.data() + cell.first, cell.count}; }
  /// Edges between all nodes that share a cell, each once.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs() const;
  /// Nodes are called otherwise from now on: node i is now `place[i]`.
  void renumber(std::span<const std::uint32_t> place);

  /// The rest shape becomes another one, of nodes in the cells' numbers: every cell keeps its share of the material. One that would be
  /// flat or inside out keeps the shape that it has.
  void take_shape(std::span<const Vec3> shape);
  /// By how much the rest shape of a cell has been turned by that.
  Quat turned(std::size_t e) const { return turned_.empty() ? Quat::Identity() : turned_[e]; }
  /// K, C and M about the rest shape; nodes in the numbers of the set-up.
  LinearSystem linear_system(const ElasticSetup& setup) const;
  /// factor K as 3×3 blocks, added to `out` (n nodes in own numbers), but for rows and columns of nodes that are `held`. `turns`: M K Mᵀ
  /// of each cell, its K about the cell's rest shape; empty: as they lie.
  void add_stiffness(double factor, const std::vector<char>& held, std::vector<Eigen::Triplet<double>>& out,
                     std::span<const Quat> turns = {}) const;
  /// stiff K + drag C; C = `damping` K, of springs what each has.
  void add_stiffness(double stiff, double drag, double damping, const std::vector<char>& held,
                     std::vector<Eigen::Triplet<double>>& out) const;
  /// R of a strained cell's nodes.
  std::span<const Vec3> arms(const Cell& cell) const { return {arms_.data() + cell.first, cell.count}; }
  /// σ of a strained cell that is off its rest shape by `strain` = S − 1.
  static Mat3 stress(const Cell& cell, const Mat3& strain) {
    return 2 * cell.shear * strain + cell.bulk * strain.trace() * Mat3::Identity();
  }
  /// M of a cell from N, of a strained one from F; what N leaves open is as in `near`.
  static Quat turn(const Cell& cell, const Mat3& fit, const Quat& near);
  /// 1/s²: no mode of M⁻¹K is above it, or much above it. The largest Σ k/m over the nodes; of strained cells Σ |K_ij|/m.
  double rate_bound(std::span<const double> masses) const;

 private:
  void add(std::span<const Vec3> shape, std::vector<std::uint32_t> nodes);
  void add_strained(std::span<const Vec3> shape, std::span<const std::uint32_t> nodes, double volume);
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Vec3> rest_;  // R; of strained ones b
  std::vector<Vec3> arms_;  // R of strained ones
  std::vector<Quat> turned_;
  double damping_ = 0;
  bool springs_ = false;
};

/// One pass of the paper's iteration (13): the small turn that the moment equation Σ r × M R = 0 asks for, from `turn`.
Quat turned_by_one_pass(const Mat3& fit, const Quat& turn);
/// Equation 9: the angle of M where all is in the plane z = 0, from N.
double plane_angle(const Mat3& fit);

}  // namespace hazumi
