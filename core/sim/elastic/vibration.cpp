#include "core/sim/elastic/vibration.h"

#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include "core/base/random.h"

namespace hazumi {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Below this share of the largest λ a mode counts as free of stiffness.
constexpr double kZero = 1e-9;

/// The truss in the coordinates of the line, plane or space that its nodes span.
struct Problem {
  int dimension = 3;
  Matrix nodes;                 ///< dimension × N, about the centre of mass
  Vector masses;                ///< one per unknown
  Sparse stiffness, damping;
  double largest = 0;           ///< upper bound of λ (Gershgorin)
};

std::optional<Problem> make_problem(const Truss& truss) {
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

  Problem problem;
  problem.dimension = 0;
  for (int i = 0; i < 3; ++i) problem.dimension += axes.eigenvalues()[i] > 1e-12 * widest;
  const Eigen::Index d = problem.dimension, n = d * count;
  const Matrix basis = axes.eigenvectors().rightCols(d);
  problem.nodes.resize(d, count);
  problem.masses.resize(n);
  for (Eigen::Index i = 0; i < count; ++i) {
    problem.nodes.col(i) = basis.transpose() * (truss.nodes[static_cast<std::size_t>(i)] - centre);
    problem.masses.segment(i * d, d).setConstant(truss.masses[static_cast<std::size_t>(i)]);
  }
  std::vector<Eigen::Triplet<double>> k, c;
  k.reserve(truss.springs.size() * static_cast<std::size_t>(4 * d * d));
  c.reserve(k.capacity());
  Vector bound = Vector::Zero(count);
  for (const Spring& spring : truss.springs) {
    const Eigen::Index a = spring.a, b = spring.b;
    const Vector along = problem.nodes.col(b) - problem.nodes.col(a);
    const double length = along.norm();
    if (!(length > 0)) return std::nullopt;
    const Matrix element = along * along.transpose() / (length * length);
    for (Eigen::Index r = 0; r < d; ++r)
      for (Eigen::Index s = 0; s < d; ++s) {
        const double e = element(r, s);
        for (const auto& [p, q, sign] : {std::tuple(a, a, 1.0), {b, b, 1.0}, {a, b, -1.0}, {b, a, -1.0}}) {
          k.emplace_back(p * d + r, q * d + s, sign * spring.stiffness * e);
          c.emplace_back(p * d + r, q * d + s, sign * spring.damping * e);
        }
      }
    bound[a] += 2 * spring.stiffness / problem.masses[a * d];
    bound[b] += 2 * spring.stiffness / problem.masses[b * d];
  }
  problem.stiffness.resize(n, n);
  problem.damping.resize(n, n);
  problem.stiffness.setFromTriplets(k.begin(), k.end());
  problem.damping.setFromTriplets(c.begin(), c.end());
  problem.largest = bound.maxCoeff();
  if (!(problem.largest > 0) || !std::isfinite(problem.largest)) return std::nullopt;
  return problem;
}

LowestMode mode_of(const Problem& problem, double lambda, const Vector& shape) {
  return {lambda, std::max(0.0, shape.dot(problem.damping * shape))};
}

std::optional<LowestMode> solve_dense(const Problem& problem) {
  const Vector scale = problem.masses.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * Matrix(problem.stiffness) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(scaled);
  if (modes.info() != Eigen::Success) return std::nullopt;
  for (Eigen::Index i = 0; i < scaled.rows(); ++i)
    if (modes.eigenvalues()[i] > kZero * problem.largest)
      return mode_of(problem, modes.eigenvalues()[i], scale.cwiseProduct(modes.eigenvectors().col(i)));
  return std::nullopt;
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

Matrix rigid_modes(const Problem& problem) {
  const Eigen::Index d = problem.dimension, count = problem.nodes.cols();
  Matrix modes = Matrix::Zero(d * count, d + d * (d - 1) / 2);
  Eigen::Index column = d;
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index node = 0; node < count; ++node) modes(node * d + i, i) = 1;
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = i + 1; j < d; ++j, ++column)
      for (Eigen::Index node = 0; node < count; ++node) {
        modes(node * d + i, column) = -problem.nodes(j, node);
        modes(node * d + j, column) = problem.nodes(i, node);
      }
  return modes;
}

/// Smooth fields to begin with (stretches, shears, bends), which the lowest modes resemble, and two of noise so that no
/// symmetry keeps the wanted mode out.
Matrix start_fields(const Problem& problem) {
  const Eigen::Index d = problem.dimension, count = problem.nodes.cols();
  std::vector<Vector> fields;
  const double size = problem.nodes.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j)
      for (int power = 1; power <= 2; ++power) {
        Vector field = Vector::Zero(d * count);
        for (Eigen::Index node = 0; node < count; ++node)
          field[node * d + i] = std::pow(problem.nodes(j, node) / size, power);
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

std::optional<LowestMode> solve_sparse(const Problem& problem, const std::function<bool()>& cancelled) {
  const Vector& masses = problem.masses;
  // Shift: makes the factor positive definite; far below the modes that are looked for, so it costs few iterations.
  const double shift = 1e-7 * problem.largest;
  Sparse shifted = problem.stiffness;
  for (Eigen::Index i = 0; i < masses.size(); ++i) shifted.coeffRef(i, i) += shift * masses[i];
  const Eigen::SimplicialLDLT<Sparse> factor(shifted);
  if (factor.info() != Eigen::Success) return std::nullopt;

  Matrix locked(masses.size(), 0);
  append_orthonormal(locked, rigid_modes(problem), masses);
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
    if (lambda <= kZero * problem.largest) {
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
  const auto problem = make_problem(truss);
  if (!problem) return std::nullopt;
  return problem->masses.size() <= options.dense_limit ? solve_dense(*problem) : solve_sparse(*problem, options.cancelled);
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
