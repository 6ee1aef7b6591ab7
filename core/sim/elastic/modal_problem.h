// The generalised eigenproblem K φ = λ M φ of a truss, as vibration.cpp and modes.cpp solve it: nodes in a
// plane or on a line are treated in it, where linear springs have stiffness at all, and pinned nodes have no
// unknowns.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <vector>

#include "core/geometry/truss/truss.h"

namespace hazumi {

struct ModalProblem {
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;
  using Sparse = Eigen::SparseMatrix<double>;

  int dimension = 3;                ///< d: 1 line, 2 plane, 3 space
  Matrix basis;                     ///< 3 × d, unit vectors of the line, plane or space
  Matrix nodes;                     ///< d × N, about the centre of mass, all nodes
  std::vector<std::uint32_t> free;  ///< nodes that are not pinned; unknowns d k … d k + d − 1 are those of node free[k]
  Vector masses;                    ///< kg, one per unknown
  Sparse stiffness, damping;        ///< of the unknowns
  double largest = 0;               ///< 1/s², upper bound of λ (Gershgorin)
};

/// Below this share of ModalProblem::largest a mode counts as free of stiffness.
inline constexpr double kModeWithoutStiffness = 1e-9;

/// Nothing for fewer than two nodes, no springs, masses that are not positive, nodes at one place, or pins at
/// every node.
std::optional<ModalProblem> make_modal_problem(const Truss& truss);

/// Rigid motions that leave the pins where they are, M-orthonormal columns.
ModalProblem::Matrix rigid_modes(const ModalProblem& problem, const Truss& truss);

/// Adds the columns of `x` to the M-orthonormal set `kept`, leaving out what it holds already.
void append_orthonormal(ModalProblem::Matrix& kept, const ModalProblem::Matrix& x, const ModalProblem::Vector& masses);

}  // namespace hazumi
