// Dense systems for references of tests. Eigen's decompositions cost seconds to compile in each file that calls one, so they are
// compiled once (dense.cpp, a part of the runner).
#pragma once

#include <Eigen/Core>

namespace hazumi::test {

/// x of a x = b, a square and not singular (LU with rows exchanged).
Eigen::VectorXd solved(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);
/// a may be singular: the Moore–Penrose inverse.
Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& a);

}  // namespace hazumi::test
