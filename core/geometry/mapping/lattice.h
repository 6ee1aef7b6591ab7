// Free-form deformation (Sederberg and Parry 1986; spec 1.6): the space around the object is a Bernstein
// polynomial whose control points follow the nodes; smooth everywhere, faithful to no single node.
//
//   s(x)  (x − low)/size in the box of truss and display model, each 0…1      o, R  body frame, o₀ its origin
//   at reference b(x)  products of Bernstein polynomials of degree n_x, n_y, n_z; Σ b = 1 g_c   control
//   points at rest, evenly spread: Σ b_c(x) g_c = x x' = o + R (x − o₀) + R Σ_c b_c(x) δ_c                u_i
//   = Rᵀ(X'_i − o) − (X_i − o₀), what node i has moved in the frame δ = arg min 1/N Σ_i |Σ_c b_c(X_i) δ_c −
//   u_i|² + λ Σ |D² δ|² + ε Σ |δ|²,  λ = 1e-6, ε = 1e-10/count
//
// D² are the second differences along the axes and across two of them: nothing for an affine motion, which
// therefore comes out exactly (to ε); where no node is, the lattice goes on straight. ε settles what the
// nodes leave open (a flat truss says nothing about its thickness): there the control points keep to the body
// frame. The matrix is constant and factored once.
//
// The box holds the display model as well: outside of it the polynomial would swing. Normals: the Jacobian of
// the polynomial. Departure from the paper: control points are not moved by hand. Cost: N × 729 numbers per
// solve at degree 8.
#pragma once

#include "core/geometry/mapping/mapping.h"

namespace hazumi {

class LatticeMapping final : public Mapping {
 public:
  LatticeMapping(std::array<int, 3> degree, const DisplayMesh& mesh, const Truss& truss);

  void map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                    std::span<Vec3f> normals, Executor& executor) const override;
  void map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                  std::span<Vec3> points) const override;
  DriverInfo drivers(std::size_t vertex) const override;
  void node_heat(std::uint32_t node, std::span<float> out) const override;

  std::array<int, 3> degree() const { return degree_; }  ///< 1…8
  /// Where the control points are, x fastest, in the space of `nodes`: for drawing the lattice.
  std::vector<Vec3> control_points(std::span<const Vec3> nodes, const Pose& frame) const;

 private:
  static constexpr int kMost = 8;
  struct Basis {
    double b[3][kMost + 1];
  };
  Basis basis(const Vec3& x) const;
  template <class Visit>
  void each(const Basis& basis, const Visit& visit) const;
  void factor();
  void solve(std::span<Vec3> x) const;
  std::vector<Vec3> displacements(std::span<const Vec3> nodes, const Pose& frame) const;  // δ

  std::array<int, 3> degree_;
  std::size_t count_ = 0;  // control points
  Vec3 low_, size_, origin_;
  std::vector<Vec3> nodes_;  // at reference
  std::vector<Basis> node_basis_;
  std::vector<double> factor_;  // U of A = Uᵀ U, row by row, count_ × count_
  std::vector<double>
      answers_;  // A⁻¹ b(X_i)/N of every node, count_ numbers each: what its motion does to the control points
  std::vector<Vec3> reference_;  // display vertices
  std::vector<float> parameter_[3],
      normal_[3];  // s and normals, one array per axis, filled up to a multiple of four
};

}  // namespace hazumi
