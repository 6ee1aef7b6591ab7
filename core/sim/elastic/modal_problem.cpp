#include "core/sim/elastic/modal_problem.h"

#include <algorithm>
#include <cmath>

#include "core/math/eigen.h"

namespace hazumi {

using Matrix = ModalProblem::Matrix;
using Vector = ModalProblem::Vector;

namespace {

/// The matrix of all nodes in the problem's own coordinates, its unknowns only.
SparseMatrix restricted(const SparseMatrix& all, const Matrix& basis, const std::vector<Eigen::Index>& place,
                        Eigen::Index unknowns) {
  const Eigen::Index d = basis.cols();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(all.nonZeros() * (d == 3 ? 1 : d * d)));
  for (Eigen::Index column = 0; column < all.outerSize(); ++column)
    for (SparseMatrix::InnerIterator at(all, column); at; ++at) {
      const Eigen::Index p = place[static_cast<std::size_t>(at.row() / 3)],
                         q = place[static_cast<std::size_t>(at.col() / 3)];
      if (p < 0 || q < 0) continue;
      if (d == 3) {
        entries.emplace_back(p + at.row() % 3, q + at.col() % 3, at.value());
        continue;
      }
      for (Eigen::Index r = 0; r < d; ++r)
        for (Eigen::Index s = 0; s < d; ++s)
          entries.emplace_back(p + r, q + s, basis(at.row() % 3, r) * at.value() * basis(at.col() % 3, s));
    }
  SparseMatrix result(unknowns, unknowns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Gershgorin's bound of the eigenvalues of M⁻¹ K.
double largest_value(const SparseMatrix& stiffness, const Vector& masses) {
  Vector sums = Vector::Zero(masses.size());
  for (Eigen::Index column = 0; column < stiffness.outerSize(); ++column)
    for (SparseMatrix::InnerIterator at(stiffness, column); at; ++at) sums[at.row()] += std::abs(at.value());
  return sums.cwiseQuotient(masses).maxCoeff();
}

/// Adds the columns of `x` to the M-orthonormal set `kept`, leaving out what it holds already.
void append_orthonormal(Matrix& kept, const Matrix& x, const Vector& masses) {
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    Vector v = x.col(j);
    const double before = std::sqrt(v.dot(masses.cwiseProduct(v)));
    for (int twice = 0; twice < 2 && kept.cols() > 0; ++twice) v -= kept * (kept.transpose() * masses.cwiseProduct(v));
    const double size = std::sqrt(v.dot(masses.cwiseProduct(v)));
    if (!(size > 1e-10 * before) || before == 0) continue;
    kept.conservativeResize(masses.size(), kept.cols() + 1);
    kept.rightCols(1) = v / size;
  }
}

}  // namespace

std::optional<ModalProblem> make_modal_problem(const LinearSystem& system) {
  const auto count = static_cast<Eigen::Index>(system.nodes.size());
  if (count < 2 || system.stiffness.nonZeros() == 0 || system.masses.size() != system.nodes.size()) return std::nullopt;
  double total = 0;
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < system.nodes.size(); ++i) {
    if (!(system.masses[i] > 0)) return std::nullopt;
    total += system.masses[i];
    centre += system.masses[i] * system.nodes[i];
  }
  centre /= total;
  Mat3 spread = Mat3::Zero();
  for (const Vec3& node : system.nodes) spread += (node - centre) * (node - centre).transpose();
  const EigenPairs3 axes = symmetric_eigen(spread);
  const double widest = axes.values[2];
  if (!(widest > 0) || !std::isfinite(widest)) return std::nullopt;

  ModalProblem problem;
  problem.dimension = 0;
  for (int i = 0; i < 3; ++i) problem.dimension += axes.values[i] > 1e-12 * widest;
  const Eigen::Index d = problem.dimension;
  problem.basis = d == 3 ? Matrix(Mat3::Identity()) : Matrix(axes.vectors.rightCols(d));
  problem.nodes.resize(d, count);
  for (Eigen::Index i = 0; i < count; ++i)
    problem.nodes.col(i) = problem.basis.transpose() * (system.nodes[static_cast<std::size_t>(i)] - centre);

  std::vector<Eigen::Index> place(system.nodes.size(), 0);
  for (const std::uint32_t node : system.pinned)
    if (node < place.size()) place[node] = -1;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = d * static_cast<Eigen::Index>(problem.free.size());
    problem.free.push_back(static_cast<std::uint32_t>(i));
  }
  const Eigen::Index n = d * static_cast<Eigen::Index>(problem.free.size());
  if (n == 0) return std::nullopt;
  problem.masses.resize(n);
  for (std::size_t k = 0; k < problem.free.size(); ++k)
    problem.masses.segment(static_cast<Eigen::Index>(k) * d, d).setConstant(system.masses[problem.free[k]]);
  problem.stiffness = restricted(system.stiffness, problem.basis, place, n);
  problem.damping = restricted(system.damping, problem.basis, place, n);
  problem.largest = largest_value(problem.stiffness, problem.masses);
  if (!(problem.largest > 0) || !std::isfinite(problem.largest)) return std::nullopt;
  return problem;
}

Matrix rigid_modes(const ModalProblem& problem, const std::vector<std::uint32_t>& pinned) {
  const Eigen::Index d = problem.dimension;
  const Eigen::Index motions = d + d * (d - 1) / 2;
  const double size = problem.nodes.cwiseAbs().maxCoeff();
  const auto at_node = [&](std::uint32_t node) {  // d × motions, lengths over the size of the body
    Matrix m = Matrix::Zero(d, motions);
    m.leftCols(d).setIdentity();
    Eigen::Index column = d;
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = i + 1; j < d; ++j, ++column) {
        m(i, column) = -problem.nodes(j, node) / size;
        m(j, column) = problem.nodes(i, node) / size;
      }
    return m;
  };
  Matrix held = Matrix::Zero(motions, motions);
  for (const std::uint32_t node : pinned) {
    const Matrix m = at_node(node);
    held += m.transpose() * m;
  }
  Matrix left = Matrix::Identity(motions, motions);  // columns: motions that the pins allow
  if (!pinned.empty()) {
    const EigenPairs allowed = dense_eigen(held);
    Eigen::Index count = 0;
    while (count < motions && allowed.values[count] < 1e-9) ++count;
    left = allowed.vectors.leftCols(count);
  }
  Matrix modes(d * static_cast<Eigen::Index>(problem.free.size()), left.cols());
  if (modes.size() == 0) return modes;  // pinned so that nothing moves without deforming
  for (std::size_t k = 0; k < problem.free.size(); ++k)
    modes.middleRows(static_cast<Eigen::Index>(k) * d, d) = at_node(problem.free[k]) * left;
  Matrix basis(modes.rows(), 0);
  append_orthonormal(basis, modes, problem.masses);
  return basis;
}

}  // namespace hazumi
