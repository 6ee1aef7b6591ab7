// The generalised eigenproblem K φ = λ M φ of a body (linear_system.h) as modes.cpp solves it: nodes in a plane or on a
// line are treated in it, where linear springs have stiffness at all, and pinned nodes have no unknowns.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/sim/elastic/linear_system.h"

namespace hazumi {

struct ModalProblem {
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;

  int dimension = 3;                ///< d: 1 line, 2 plane, 3 space
  Matrix basis;                     ///< 3 × d, unit vectors of the line, plane or space
  Matrix nodes;                     ///< d × N, about the centre of mass, all nodes
  std::vector<std::uint32_t> free;  ///< nodes that are not pinned; unknowns d k … d k + d − 1 are those of node free[k]
  Vector masses;                    ///< kg, one per unknown
  SparseMatrix stiffness, damping;  ///< of the unknowns
  double largest = 0;               ///< 1/s², upper bound of λ (Gershgorin)
};

/// Below this share of ModalProblem::largest a mode counts as free of stiffness.
inline constexpr double kModeWithoutStiffness = 1e-9;

/// Nothing for fewer than two nodes, no stiffness, masses that are not positive, nodes at one place, or pins at
/// every node.
std::optional<ModalProblem> make_modal_problem(const LinearSystem& system);

/// Rigid motions that leave the pins where they are, M-orthonormal columns.
ModalProblem::Matrix rigid_modes(const ModalProblem& problem, const std::vector<std::uint32_t>& pinned);

}  // namespace hazumi
