#include "core/geometry/truss/rigidity.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/truss/select.h"
#include "core/math/eigen.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Sparse = SparseMatrix;

constexpr double kZero = 1e-10;       // of the largest eigenvalue
constexpr Eigen::Index kDense = 240;  // unknowns
constexpr int kMostModes = 66;        // zero modes that are counted
constexpr double kMoves = 0.1;        // of the largest share in the mechanisms: this node is loose
constexpr double kNew = 1e-6;         // of a motion, what must be left of it to be another one

/// The motions that no spring resists, as orthonormal columns; nothing when cancelled.
std::optional<Matrix> unresisted(const Sparse& stiffness, double largest, const std::function<bool()>& cancelled) {
  if (stiffness.rows() > kDense) return null_space(stiffness, largest, kZero, kMostModes, cancelled);
  if (cancelled && cancelled()) return std::nullopt;
  const EigenPairs modes = dense_eigen(Matrix(stiffness));
  Eigen::Index count = 0;
  while (count < stiffness.rows() && modes.values[count] < kZero * largest) ++count;
  return Matrix(modes.vectors.leftCols(count));
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
  const Vec3 spreads = symmetric_eigenvalues(spread);
  result.flat = !(spreads[0] > 1e-18 * spreads[2]);

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
  const std::optional<Matrix> zero = unresisted(stiffness, largest, cancelled);
  if (!zero || (cancelled && cancelled())) {
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
  const EigenPairs free = dense_eigen(held);
  Matrix rigid(n, 6);
  rigid.setZero();
  for (int k = 0; k < 6; ++k)
    if (free.values[k] < 1e-9)
      for (std::size_t i = 0; i < count; ++i)
        if (place[i] >= 0) rigid.block<3, 1>(place[i], k) = motions_at(i) * free.vectors.col(k);
  const Matrix basis = orthonormal(rigid, Matrix(n, 0), kNew);
  result.rigid_motions = static_cast<int>(basis.cols());

  const Matrix loose = orthonormal(*zero, basis, kNew);
  result.mechanisms = static_cast<int>(loose.cols());
  if (zero->cols() > kMostModes) {
    result.more = true;
    result.mechanisms = std::min(result.mechanisms, kMostModes - 6);
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
