#include "core/geometry/truss/rigidity.h"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/geometry/truss/select.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kZero = 1e-10;          // of the largest eigenvalue
constexpr Eigen::Index kDense = 240;     // unknowns
constexpr Eigen::Index kMostModes = 66;  // zero modes that are counted
constexpr double kMoves = 0.1;           // of the largest share in the mechanisms: this node is loose

/// The columns of x made orthonormal and free of `kept`; what is left of a column below 1e-6 of it is
/// dropped.
Matrix orthonormal(const Matrix& x, const Matrix& kept) {
  Matrix q(x.rows(), 0);
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    Vector v = x.col(j);
    const double before = v.norm();
    for (int twice = 0; twice < 2; ++twice) {
      if (kept.cols() > 0) v -= kept * (kept.transpose() * v);
      if (q.cols() > 0) v -= q * (q.transpose() * v);
    }
    if (!(v.norm() > 1e-6 * before)) continue;
    q.conservativeResize(x.rows(), q.cols() + 1);
    q.rightCols(1) = v.normalized();
  }
  return q;
}

/// Lowest modes of K below the threshold: inverse iteration with a shifted factor tells them from elastic
/// ones by many powers of ten, so a few rounds do. The block grows until it holds a mode that is not zero.
Matrix null_space(const Sparse& stiffness, double largest, const std::function<bool()>& cancelled) {
  const Eigen::Index n = stiffness.rows();
  if (n <= kDense) {
    const Eigen::SelfAdjointEigenSolver<Matrix> modes{Matrix(stiffness)};
    Eigen::Index count = 0;
    while (count < n && modes.eigenvalues()[count] < kZero * largest) ++count;
    return modes.eigenvectors().leftCols(count);
  }
  Sparse shifted = stiffness;
  for (Eigen::Index i = 0; i < n; ++i) shifted.coeffRef(i, i) += 1e-3 * kZero * largest;
  const Eigen::SimplicialLDLT<Sparse> factor(shifted);
  if (factor.info() != Eigen::Success) return Matrix(n, 0);
  for (Eigen::Index block = 12;; block = std::min(2 * block, kMostModes + 2)) {
    Matrix x(n, block);
    for (Eigen::Index j = 0; j < block; ++j)
      for (Eigen::Index i = 0; i < n; ++i)
        x(i, j) = random_unit(1, Id{}, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)) - 0.5;
    Eigen::SelfAdjointEigenSolver<Matrix> ritz;
    for (int round = 0; round < 4; ++round) {
      if (cancelled && cancelled()) return Matrix(n, 0);
      x = factor.solve(x);
      const Matrix q = Eigen::HouseholderQR<Matrix>(x).householderQ() * Matrix::Identity(n, block);
      ritz.compute(q.transpose() * (stiffness * q));
      x = q * ritz.eigenvectors();
    }
    Eigen::Index count = 0;
    while (count < block && ritz.eigenvalues()[count] < kZero * largest) ++count;
    if (count < block || block >= kMostModes + 2) return x.leftCols(count);
  }
}

std::string list_of(const NodeSelection& nodes) {
  std::string text;
  for (std::size_t i = 0; i < nodes.size() && i < 6; ++i) text += (i ? ", " : "") + std::to_string(nodes[i]);
  if (nodes.size() > 6) text += " and " + std::to_string(nodes.size() - 6) + " more";
  return text;
}

std::string sentence_of(const Rigidity& r, std::size_t nodes) {
  if (nodes == 0) return "The truss has no nodes yet: add some, then string springs between them.";
  if (r.mechanisms == 0)
    return r.rigid_motions == 0 ? "The truss holds its shape and its pins hold it in place."
                                : "The truss holds its shape.";
  if (r.pieces > 1)
    return "The truss is in " + std::to_string(r.pieces) + " pieces that no spring joins: string springs between them.";
  if (r.flat)
    return "All nodes lie in one plane, and straight springs do not resist bending out of it: add nodes "
           "beside the plane, or pin "
           "the sheet where it is held.";
  const std::string count = (r.more ? "More than " : "") + std::to_string(r.mechanisms);
  const std::string motions = r.mechanisms == 1 && !r.more ? "One motion bends" : count + " motions bend";
  return motions + " no spring (node" + (r.loose.size() == 1 ? " " : "s ") + list_of(r.loose) +
         "): string more springs there, in directions that differ.";
}

}  // namespace

Rigidity diagnose_rigidity(const StrungTruss& truss, const std::function<bool()>& cancelled) {
  Rigidity result;
  result.rigid_motions = 0;
  const std::size_t count = truss.nodes.size();
  result.pieces = connected_pieces(truss).count;
  std::vector<Eigen::Index> place(count, -1);  // first unknown of a free node
  Eigen::Index n = 0;
  Vec3 centre = Vec3::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    centre += truss.nodes[i].position / static_cast<double>(count);
    if (truss.nodes[i].pinned) continue;
    place[i] = n;
    n += 3;
  }
  if (n == 0) {
    result.sentence = sentence_of(result, count);
    return result;
  }
  Mat3 spread = Mat3::Zero();
  double size = 0;
  for (const StrungNode& node : truss.nodes) {
    const Vec3 p = node.position - centre;
    spread += p * p.transpose();
    size = std::max(size, p.norm());
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread, Eigen::EigenvaluesOnly);
  result.flat = !(axes.eigenvalues()[0] > 1e-18 * axes.eigenvalues()[2]);

  std::vector<Eigen::Triplet<double>> entries;
  Vector bound = Vector::Zero(n);
  for (const StrungSpring& s : truss.springs) {
    const Vec3 along = truss.nodes[s.b].position - truss.nodes[s.a].position;
    if (!(along.norm() > 0)) continue;
    const Mat3 element = along.normalized() * along.normalized().transpose();
    const Eigen::Index at[2] = {place[s.a], place[s.b]};
    for (int p = 0; p < 2; ++p)
      for (int q = 0; q < 2; ++q) {
        if (at[p] < 0 || at[q] < 0) continue;
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) entries.emplace_back(at[p] + r, at[q] + c, (p == q ? 1 : -1) * element(r, c));
      }
    for (const Eigen::Index i : at)
      if (i >= 0) bound[i] += 2;
  }
  Sparse stiffness(n, n);
  stiffness.setFromTriplets(entries.begin(), entries.end());
  const double largest = std::max(1.0, bound.maxCoeff());
  const Matrix zero = null_space(stiffness, largest, cancelled);
  if (cancelled && cancelled()) {
    result.sentence.clear();
    return result;
  }

  // Rigid motions that keep all pins where they are: the null space of the six motions at the pins.
  const auto motions_at = [&](std::size_t i) {
    Eigen::Matrix<double, 3, 6> m;
    const Vec3 p = (truss.nodes[i].position - centre) / (size > 0 ? size : 1);
    m << Mat3::Identity(), -(Mat3() << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0).finished();
    return m;
  };
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero();
  for (std::size_t i = 0; i < count; ++i)
    if (place[i] < 0) held += motions_at(i).transpose() * motions_at(i);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> free(held);
  Matrix rigid(n, 6);
  rigid.setZero();
  for (int k = 0; k < 6; ++k)
    if (free.eigenvalues()[k] < 1e-9)
      for (std::size_t i = 0; i < count; ++i)
        if (place[i] >= 0) rigid.block<3, 1>(place[i], k) = motions_at(i) * free.eigenvectors().col(k);
  const Matrix basis = orthonormal(rigid, Matrix(n, 0));
  result.rigid_motions = static_cast<int>(basis.cols());

  const Matrix loose = orthonormal(zero, basis);
  result.mechanisms = static_cast<int>(loose.cols());
  if (zero.cols() > kMostModes) {
    result.more = true;
    result.mechanisms = std::min(result.mechanisms, static_cast<int>(kMostModes) - 6);
  }
  if (loose.cols() > 0) {
    const Vector share = loose.rowwise().squaredNorm();
    std::vector<double> moved(count, 0);
    for (std::size_t i = 0; i < count; ++i)
      if (place[i] >= 0) moved[i] = share.segment<3>(place[i]).sum();
    const double most = *std::max_element(moved.begin(), moved.end());
    for (std::size_t i = 0; i < count; ++i)
      if (moved[i] > kMoves * most) result.loose.push_back(static_cast<Index>(i));
  }
  result.sentence = sentence_of(result, count);
  return result;
}

}  // namespace hazumi
