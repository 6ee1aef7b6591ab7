// Eigenvalues of symmetric matrices, and small systems. Eigen's dense solvers and Spectra cost seconds to compile each, so all
// of them are compiled in eigen.cpp, and callers see plain functions. The same matrix gives the same bits on every run.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>

#include "core/math/sparse_factor.h"
#include "core/math/types.h"

namespace hazumi {

/// Ascending values; orthonormal columns.
struct EigenPairs3 {
  Vec3 values = Vec3::Zero();
  Mat3 vectors = Mat3::Identity();
};
EigenPairs3 symmetric_eigen(const Mat3& m);
/// In closed form: several times faster, about eight digits.
EigenPairs3 symmetric_eigen_direct(const Mat3& m);
Vec3 symmetric_eigenvalues(const Mat3& m);

/// The shortest x of all that bring a x nearest to b: a may be singular.
Vec3 least_squares(const Mat3& a, const Vec3& b);
Eigen::Matrix<double, 6, 6> inverse_of(const Eigen::Matrix<double, 6, 6>& m);

/// Ascending values; orthonormal columns.
struct EigenPairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
EigenPairs dense_eigen(const Eigen::MatrixXd& symmetric);

struct LowestPairs {
  double largest = 0;          ///< an upper bound of all eigenvalues
  double zero = 1e-9;          ///< of `largest`: values up to this count as none
  int count = 1;               ///< wanted above that
  Eigen::MatrixXd known = {};  ///< orthonormal columns to leave out: eigenvectors that are known already; may be empty
  std::function<bool()> cancelled = {};  ///< asked before every solve
};

/// The lowest `count` eigenpairs of a sparse positive semi-definite matrix that are not zero, and before them the
/// zero ones that were met. Shift-invert Lanczos with implicit restarts (Spectra); nothing when cancelled.
std::optional<EigenPairs> lowest_pairs(const SparseMatrix& symmetric, const LowestPairs& wanted);

/// All eigenvectors with a value below `zero` × `largest`, at most `most`: however many are equal. Nothing when
/// cancelled.
std::optional<Eigen::MatrixXd> null_space(const SparseMatrix& symmetric, double largest, double zero, int most,
                                          const std::function<bool()>& cancelled = {});

/// The columns of `x` made orthonormal and free of `kept`; what is left of a column below `least` of it is dropped.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& x, const Eigen::MatrixXd& kept, double least);

}  // namespace hazumi
