#include "core/sim/elastic/modal_problem.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace hazumi {

using Matrix = ModalProblem::Matrix;
using Vector = ModalProblem::Vector;

std::optional<ModalProblem> make_modal_problem(const Truss& truss) {
  const auto count = static_cast<Eigen::Index>(truss.nodes.size());
  if (count < 2 || truss.springs.empty() || truss.masses.size() != truss.nodes.size()) return std::nullopt;
  double total = 0;
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    if (!(truss.masses[i] > 0)) return std::nullopt;
    total += truss.masses[i];
    centre += truss.masses[i] * truss.nodes[i];
  }
  centre /= total;
  Mat3 spread = Mat3::Zero();
  for (const Vec3& node : truss.nodes) spread += (node - centre) * (node - centre).transpose();
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
  const double widest = axes.eigenvalues()[2];
  if (!(widest > 0) || !std::isfinite(widest)) return std::nullopt;

  ModalProblem problem;
  problem.dimension = 0;
  for (int i = 0; i < 3; ++i) problem.dimension += axes.eigenvalues()[i] > 1e-12 * widest;
  const Eigen::Index d = problem.dimension;
  problem.basis = axes.eigenvectors().rightCols(d);
  problem.nodes.resize(d, count);
  for (Eigen::Index i = 0; i < count; ++i)
    problem.nodes.col(i) = problem.basis.transpose() * (truss.nodes[static_cast<std::size_t>(i)] - centre);

  std::vector<Eigen::Index> place(truss.nodes.size(), 0);
  for (const std::uint32_t node : truss.pinned)
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
    problem.masses.segment(static_cast<Eigen::Index>(k) * d, d).setConstant(truss.masses[problem.free[k]]);

  std::vector<Eigen::Triplet<double>> k, c;
  k.reserve(truss.springs.size() * static_cast<std::size_t>(4 * d * d));
  c.reserve(k.capacity());
  Vector bound = Vector::Zero(count);
  for (const Spring& spring : truss.springs) {
    const Vector along = problem.nodes.col(spring.b) - problem.nodes.col(spring.a);
    const double length = along.norm();
    if (!(length > 0)) return std::nullopt;
    const Matrix element = along * along.transpose() / (length * length);
    const Eigen::Index a = place[spring.a], b = place[spring.b];
    for (const auto& [p, q, sign] : {std::tuple(a, a, 1.0), {b, b, 1.0}, {a, b, -1.0}, {b, a, -1.0}}) {
      if (p < 0 || q < 0) continue;
      for (Eigen::Index r = 0; r < d; ++r)
        for (Eigen::Index s = 0; s < d; ++s) {
          k.emplace_back(p + r, q + s, sign * spring.stiffness * element(r, s));
          c.emplace_back(p + r, q + s, sign * spring.damping * element(r, s));
        }
    }
    bound[spring.a] += 2 * spring.stiffness / truss.masses[spring.a];
    bound[spring.b] += 2 * spring.stiffness / truss.masses[spring.b];
  }
  problem.stiffness.resize(n, n);
  problem.damping.resize(n, n);
  problem.stiffness.setFromTriplets(k.begin(), k.end());
  problem.damping.setFromTriplets(c.begin(), c.end());
  problem.largest = bound.maxCoeff();
  if (!(problem.largest > 0) || !std::isfinite(problem.largest)) return std::nullopt;
  return problem;
}

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

Matrix rigid_modes(const ModalProblem& problem, const Truss& truss) {
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
  for (const std::uint32_t node : truss.pinned) {
    const Matrix m = at_node(node);
    held += m.transpose() * m;
  }
  Matrix left = Matrix::Identity(motions, motions);  // columns: motions that the pins allow
  if (!truss.pinned.empty()) {
    const Eigen::SelfAdjointEigenSolver<Matrix> allowed(held);
    Eigen::Index count = 0;
    while (count < motions && allowed.eigenvalues()[count] < 1e-9) ++count;
    left = allowed.eigenvectors().leftCols(count);
  }
  Matrix modes(d * static_cast<Eigen::Index>(problem.free.size()), left.cols());
  for (std::size_t k = 0; k < problem.free.size(); ++k)
    modes.middleRows(static_cast<Eigen::Index>(k) * d, d) = at_node(problem.free[k]) * left;
  Matrix basis(modes.rows(), 0);
  append_orthonormal(basis, modes, problem.masses);
  return basis;
}

}  // namespace hazumi
