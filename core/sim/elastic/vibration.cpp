#include "core/sim/elastic/vibration.h"

#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "core/base/random.h"
#include "core/sim/elastic/modal_problem.h"

namespace hazumi {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

LowestMode mode_of(const ModalProblem& problem, double lambda, const Vector& shape) {
  return {lambda, std::max(0.0, shape.dot(problem.damping * shape))};
}

std::optional<LowestMode> solve_dense(const ModalProblem& problem) {
  const Vector scale = problem.masses.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * Matrix(problem.stiffness) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(scaled);
  if (modes.info() != Eigen::Success) return std::nullopt;
  for (Eigen::Index i = 0; i < scaled.rows(); ++i)
    if (modes.eigenvalues()[i] > kModeWithoutStiffness * problem.largest)
      return mode_of(problem, modes.eigenvalues()[i], scale.cwiseProduct(modes.eigenvectors().col(i)));
  return std::nullopt;
}

/// Smooth fields to begin with (stretches, shears, bends), which the lowest modes resemble, and two of noise so that no
/// symmetry keeps the wanted mode out.
Matrix start_fields(const ModalProblem& problem) {
  const Eigen::Index d = problem.dimension, count = static_cast<Eigen::Index>(problem.free.size());
  std::vector<Vector> fields;
  const double size = problem.nodes.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j)
      for (int power = 1; power <= 2; ++power) {
        Vector field = Vector::Zero(d * count);
        for (Eigen::Index node = 0; node < count; ++node)
          field[node * d + i] = std::pow(problem.nodes(j, problem.free[static_cast<std::size_t>(node)]) / size, power);
        fields.push_back(std::move(field));
      }
  for (std::uint64_t purpose = 0; purpose < 2; ++purpose) {
    Vector field(d * count);
    for (Eigen::Index i = 0; i < field.size(); ++i)
      field[i] = random_unit(1, Id{}, static_cast<std::uint64_t>(i), purpose) - 0.5;
    fields.push_back(std::move(field));
  }
  Matrix x(d * count, static_cast<Eigen::Index>(fields.size()));
  for (std::size_t i = 0; i < fields.size(); ++i) x.col(static_cast<Eigen::Index>(i)) = fields[i];
  return x;
}

std::optional<LowestMode> solve_sparse(const ModalProblem& problem, const Truss& truss,
                                       const std::function<bool()>& cancelled) {
  const Vector& masses = problem.masses;
  // Shift: makes the factor positive definite; far below the modes that are looked for, so it costs few iterations.
  const double shift = 1e-7 * problem.largest;
  Sparse shifted = problem.stiffness;
  for (Eigen::Index i = 0; i < masses.size(); ++i) shifted.coeffRef(i, i) += shift * masses[i];
  const Eigen::SimplicialLDLT<Sparse> factor(shifted);
  if (factor.info() != Eigen::Success) return std::nullopt;

  Matrix locked = rigid_modes(problem, truss);
  Matrix x = start_fields(problem);
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 200; ++iteration) {
    if (cancelled && cancelled()) return std::nullopt;
    Matrix all = locked;
    append_orthonormal(all, x, masses);
    const Matrix q = all.rightCols(all.cols() - locked.cols());
    if (q.cols() == 0) return std::nullopt;
    const Eigen::SelfAdjointEigenSolver<Matrix> ritz(q.transpose() * (problem.stiffness * q));
    if (ritz.info() != Eigen::Success) return std::nullopt;
    const Matrix modes = q * ritz.eigenvectors();
    const double lambda = ritz.eigenvalues()[0];
    const Vector shape = modes.col(0);
    if (lambda <= kModeWithoutStiffness * problem.largest) {
      append_orthonormal(locked, shape, masses);  // a mechanism: not elastic, look for the next
      before = std::numeric_limits<double>::infinity();
    } else if (std::abs(before - lambda) <= 1e-9 * lambda) {
      return mode_of(problem, lambda, shape);
    } else {
      before = lambda;
    }
    x = factor.solve(masses.asDiagonal() * modes);
  }
  return std::nullopt;
}

}  // namespace

std::optional<LowestMode> lowest_mode(const Truss& truss, const LowestModeOptions& options) {
  const auto problem = make_modal_problem(truss);
  if (!problem) return std::nullopt;
  return problem->masses.size() <= options.dense_limit ? solve_dense(*problem)
                                                       : solve_sparse(*problem, truss, options.cancelled);
}

Vibration make_vibration(const LowestMode& mode) {
  Vibration v;
  v.lambda = mode.lambda;
  v.gamma = mode.gamma;
  const double omega = std::sqrt(mode.lambda);
  v.damping_ratio = mode.gamma / (2 * omega);
  if (v.damping_ratio < 1) {
    const double damped = omega * std::sqrt(1 - v.damping_ratio * v.damping_ratio);
    v.frequency = damped / (2 * kPi);
    v.period = 1 / v.frequency;
    v.half_time = mode.gamma > 0 ? std::log(2.0) / (mode.gamma / 2) : std::numeric_limits<double>::infinity();
    return v;
  }
  // Creep: halving time of the displacement itself, by bisection (it falls monotonously).
  double low = 0, high = 1 / omega;
  while (v.displacement(high) > 0.5) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (v.displacement(middle) > 0.5 ? low : high) = middle;
  }
  v.half_time = high;
  return v;
}

double Vibration::displacement(double time) const {
  const double omega = std::sqrt(lambda), half = gamma / 2;
  const double root = half * half - lambda;
  if (damping_ratio < 1) {
    const double damped = std::sqrt(-root);
    return std::exp(-half * time) * (std::cos(damped * time) + half / damped * std::sin(damped * time));
  }
  if (damping_ratio < 1 + 1e-6) return std::exp(-omega * time) * (1 + omega * time);
  const double r = std::sqrt(root), slow = lambda / (half + r), fast = half + r;
  return (fast * std::exp(-slow * time) - slow * std::exp(-fast * time)) / (fast - slow);
}

double Vibration::envelope(double time) const {
  if (damping_ratio >= 1) return displacement(time);
  return std::exp(-gamma / 2 * time) / std::sqrt(1 - damping_ratio * damping_ratio);
}

}  // namespace hazumi
