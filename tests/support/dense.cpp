#include "tests/support/dense.h"

#include <Eigen/LU>
#include <Eigen/QR>

namespace hazumi::test {

Eigen::VectorXd solved(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) { return a.partialPivLu().solve(b); }

Eigen::MatrixXd inverse(const Eigen::MatrixXd& a) { return a.partialPivLu().inverse(); }

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& a) { return a.completeOrthogonalDecomposition().pseudoInverse(); }

}  // namespace hazumi::test
