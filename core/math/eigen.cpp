// Why two ways to the lowest pairs. Lanczos starts from one vector and sees one of several equal eigenvectors. Where few
// are wanted, the ones found are set aside and it is looked again until nothing lower turns up (lowest_pairs). Where a
// great many equal ones are wanted, the zeros of a loose truss, the shift is a little different in each coordinate, so
// that no two are equal any more; what was found is turned back to the matrix itself (null_space).
#include "core/math/eigen.h"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/random.h"

namespace hazumi {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Factor = Eigen::SimplicialLDLT<SparseMatrix>;

constexpr double kShift = 1e-9;  // of the largest value: makes the factor positive definite
constexpr int kMostRounds = 12;
// Relative residuals. Zeros are told from other values by many powers of ten, and any mixture of them will do; values
// beside them cannot be had to ten digits, since the solves carry the round-off of the zeros.
constexpr double kExact = 1e-10, kRough = 1e-2;
constexpr double kSame = 1e-6;  // of a vector, what must be left of it to be another one

struct Cancelled {};

/// P (A + S)⁻¹ P with P = I − Q Qᵀ: the vectors that are known already (Q) have eigenvalue 0 here, the lowest others
/// the largest.
class ShiftInvert {
 public:
  using Scalar = double;
  ShiftInvert(const Factor& factor, const Matrix& known, const std::function<bool()>& cancelled)
      : factor_(factor), known_(known), cancelled_(cancelled) {}
  Eigen::Index rows() const { return factor_.rows(); }
  Eigen::Index cols() const { return factor_.rows(); }
  void perform_op(const double* in, double* out) const {
    if (cancelled_ && cancelled_()) throw Cancelled{};
    Vector x = Eigen::Map<const Vector>(in, rows());
    if (known_.cols() > 0) x -= known_ * (known_.transpose() * x);
    Vector y = factor_.solve(x);
    if (known_.cols() > 0) y -= known_ * (known_.transpose() * y);
    Eigen::Map<Vector>(out, rows()) = y;
  }

 private:
  const Factor& factor_;
  const Matrix& known_;
  const std::function<bool()>& cancelled_;
};

Matrix lanczos(const Factor& factor, const Matrix& known, const std::function<bool()>& cancelled, int wanted,
               int vectors, double tolerance) {
  ShiftInvert op(factor, known, cancelled);
  Spectra::SymEigsSolver<ShiftInvert> solver(op, wanted, vectors);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 300, tolerance);
  return solver.eigenvectors();
}

/// `found` with the columns of `shapes` and their Rayleigh quotients, ascending.
EigenPairs merged(const EigenPairs& found, const SparseMatrix& a, const Matrix& shapes) {
  const Eigen::Index n = a.rows(), before = found.values.size();
  EigenPairs all{Vector(before + shapes.cols()), Matrix(n, before + shapes.cols())};
  all.values.head(before) = found.values;
  all.vectors.leftCols(before) = found.vectors;
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const Vector shape = shapes.col(j).normalized();
    all.vectors.col(before + j) = shape;
    all.values[before + j] = shape.dot(a * shape);
  }
  std::vector<Eigen::Index> order(static_cast<std::size_t>(all.values.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index l, Eigen::Index r) { return all.values[l] < all.values[r]; });
  EigenPairs sorted{Vector(all.values.size()), Matrix(n, all.vectors.cols())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.values[static_cast<Eigen::Index>(i)] = all.values[order[i]];
    sorted.vectors.col(static_cast<Eigen::Index>(i)) = all.vectors.col(order[i]);
  }
  return sorted;
}

EigenPairs find_lowest(const SparseMatrix& a, const LowestPairs& wanted) {
  const Eigen::Index n = a.rows();
  EigenPairs found{Vector(0), Matrix(n, 0)};
  SparseMatrix shifted = a;
  for (Eigen::Index i = 0; i < n; ++i) shifted.coeffRef(i, i) += kShift * wanted.largest;
  const Factor factor(shifted);
  if (factor.info() != Eigen::Success) return found;
  // The highest one that is wanted: the same before and after means that nothing was missed.
  const auto last = [&](const Vector& values) {
    int above = 0;
    for (Eigen::Index i = 0; i < values.size(); ++i)
      if (values[i] > wanted.zero * wanted.largest && ++above == wanted.count) return values[i];
    return std::numeric_limits<double>::infinity();
  };
  Matrix known = wanted.known;
  for (int round = 0; round < kMostRounds; ++round) {
    const Eigen::Index left = n - known.cols();
    if (left < 1) break;
    const int pairs = static_cast<int>(std::min<Eigen::Index>(wanted.count + 2, std::max<Eigen::Index>(1, left - 1)));
    const int vectors = static_cast<int>(std::min<Eigen::Index>(n, std::max(2 * pairs + 10, 30)));
    const Matrix shapes = lanczos(factor, known, wanted.cancelled, pairs, vectors, kExact);
    if (shapes.cols() == 0) break;
    const double before = last(found.values);
    found = merged(found, a, shapes);
    if (std::isfinite(before) && last(found.values) >= before * (1 - 1e-9)) break;
    known.resize(n, wanted.known.cols());
    known = wanted.known;
    const Matrix more = orthonormal(found.vectors, wanted.known, 1e-10);
    known.conservativeResize(n, wanted.known.cols() + more.cols());
    known.rightCols(more.cols()) = more;
  }
  return found;
}

template <class Solver>
EigenPairs3 pairs3(const Solver& solved) {
  return {solved.eigenvalues(), solved.eigenvectors()};
}

}  // namespace

EigenPairs3 symmetric_eigen(const Mat3& m) { return pairs3(Eigen::SelfAdjointEigenSolver<Mat3>(m)); }

EigenPairs3 symmetric_eigen_direct(const Mat3& m) {
  Eigen::SelfAdjointEigenSolver<Mat3> solver;
  return pairs3(solver.computeDirect(m));
}

Vec3 symmetric_eigenvalues(const Mat3& m) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(m, Eigen::EigenvaluesOnly).eigenvalues();
}

Vec3 least_squares(const Mat3& a, const Vec3& b) { return a.completeOrthogonalDecomposition().solve(b); }

Eigen::Matrix<double, 6, 6> inverse_of(const Eigen::Matrix<double, 6, 6>& m) { return m.inverse(); }

EigenPairs dense_eigen(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& x, const Eigen::MatrixXd& kept, double least) {
  Matrix q(x.rows(), 0);
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    Vector v = x.col(j);
    const double before = v.norm();
    for (int twice = 0; twice < 2; ++twice) {
      if (kept.cols() > 0) v -= kept * (kept.transpose() * v);
      if (q.cols() > 0) v -= q * (q.transpose() * v);
    }
    if (!(v.norm() > least * before)) continue;
    q.conservativeResize(x.rows(), q.cols() + 1);
    q.rightCols(1) = v.normalized();
  }
  return q;
}

std::optional<EigenPairs> lowest_pairs(const SparseMatrix& symmetric, const LowestPairs& wanted) {
  try {
    return find_lowest(symmetric, wanted);
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

std::optional<Eigen::MatrixXd> null_space(const SparseMatrix& symmetric, double largest, double zero, int most,
                                          const std::function<bool()>& cancelled) {
  const Eigen::Index n = symmetric.rows();
  SparseMatrix shifted = symmetric;
  for (Eigen::Index i = 0; i < n; ++i)
    shifted.coeffRef(i, i) += 1e-3 * zero * largest * (1 + random_unit(1, Id{}, static_cast<std::uint64_t>(i), 0));
  const Factor factor(shifted);
  if (factor.info() != Eigen::Success) return Matrix(n, 0);
  const Matrix none(n, 0);
  try {
    for (int pairs = 12;; pairs = 2 * pairs) {
      const int wanted = static_cast<int>(std::min<Eigen::Index>(n - 1, std::min(pairs, most + 2)));
      const int vectors = static_cast<int>(std::min<Eigen::Index>(n, 2 * wanted + 20));
      Matrix q = orthonormal(lanczos(factor, none, cancelled, wanted, vectors, kRough), none, kSame);
      // What is left in them of other vectors shrinks by nine powers of ten each time.
      for (int twice = 0; twice < 2; ++twice) q = orthonormal(factor.solve(q), none, kSame);
      const EigenPairs ritz = dense_eigen(q.transpose() * (symmetric * q));
      Eigen::Index count = 0;
      while (count < q.cols() && ritz.values[count] < zero * largest) ++count;
      if (count < q.cols() || wanted >= most + 2 || wanted == n - 1)
        return Matrix(q * ritz.vectors.leftCols(std::min<Eigen::Index>(count, most + 2)));
    }
  } catch (const Cancelled&) {
    return std::nullopt;
  }
}

}  // namespace hazumi
