#include "core/sim/elastic/modes.h"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "core/sim/elastic/modal_problem.h"

namespace hazumi {

namespace {

using Matrix = ModalProblem::Matrix;
using Vector = ModalProblem::Vector;
using Sparse = ModalProblem::Sparse;

constexpr double kShift = 1e-9;  // of the largest λ: makes the factor positive definite
constexpr int kMostModes = 50, kMostRounds = 12;

struct Cancelled {};

/// Eigenpairs in M-scaled coordinates ψ = M^½ φ, ascending.
struct Pairs {
  Vector values;
  Matrix shapes;  // orthonormal columns
};

/// P (K̃ + s I)⁻¹ P with P = I − Q Qᵀ: the modes that are known already (Q) have eigenvalue 0 here, the lowest
/// others the largest.
class ShiftInvert {
 public:
  using Scalar = double;
  ShiftInvert(const Eigen::SimplicialLDLT<Sparse>& factor, const Matrix& known, const std::function<bool()>& cancelled)
      : factor_(factor), known_(known), cancelled_(cancelled) {}
  Eigen::Index rows() const { return known_.rows(); }
  Eigen::Index cols() const { return known_.rows(); }
  void perform_op(const double* in, double* out) const {
    if (cancelled_ && cancelled_()) throw Cancelled{};
    Vector x = Eigen::Map<const Vector>(in, rows());
    x -= known_ * (known_.transpose() * x);
    Vector y = factor_.solve(x);
    y -= known_ * (known_.transpose() * y);
    Eigen::Map<Vector>(out, rows()) = y;
  }

 private:
  const Eigen::SimplicialLDLT<Sparse>& factor_;
  const Matrix& known_;
  const std::function<bool()>& cancelled_;
};

/// The lowest `count` modes with stiffness, and those without that are met on the way.
Pairs lanczos(const Sparse& scaled, const Matrix& rigid, double largest, int count,
              const std::function<bool()>& cancelled) {
  const Eigen::Index n = scaled.rows();
  Sparse shifted = scaled;
  for (Eigen::Index i = 0; i < n; ++i) shifted.coeffRef(i, i) += kShift * largest;
  const Eigen::SimplicialLDLT<Sparse> factor(shifted);
  Pairs found{Vector(0), Matrix(n, 0)};
  if (factor.info() != Eigen::Success) return found;
  // One starting vector may miss the second of two equal modes: with those found locked it is looked again,
  // until nothing lower than the ones already there turns up.
  Matrix known = rigid;
  for (int round = 0; round < kMostRounds; ++round) {
    const Eigen::Index left = n - known.cols();
    if (left < 1) break;
    const int wanted = static_cast<int>(std::min<Eigen::Index>(count + 2, std::max<Eigen::Index>(1, left - 1)));
    const int vectors = static_cast<int>(std::min<Eigen::Index>(n, std::max(2 * wanted + 10, 30)));
    ShiftInvert op(factor, known, cancelled);
    Spectra::SymEigsSolver<ShiftInvert> solver(op, wanted, vectors);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, 300, 1e-10);
    const Matrix shapes = solver.eigenvectors();
    if (shapes.cols() == 0) break;
    Pairs all{Vector(found.values.size() + shapes.cols()), Matrix(n, found.shapes.cols() + shapes.cols())};
    all.values.head(found.values.size()) = found.values;
    all.shapes.leftCols(found.shapes.cols()) = found.shapes;
    for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
      const Vector shape = shapes.col(j).normalized();
      all.shapes.col(found.shapes.cols() + j) = shape;
      all.values[found.values.size() + j] = shape.dot(scaled * shape);
    }
    std::vector<Eigen::Index> order(static_cast<std::size_t>(all.values.size()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](Eigen::Index a, Eigen::Index b) { return all.values[a] < all.values[b]; });
    // The highest one that is wanted, before and after: the same means that nothing was missed.
    const auto last = [&](const Vector& values) {
      int elastic = 0;
      for (Eigen::Index i = 0; i < values.size(); ++i)
        if (values[i] > kModeWithoutStiffness * largest && ++elastic == count) return values[i];
      return std::numeric_limits<double>::infinity();
    };
    const double before = last(found.values);
    Pairs sorted{Vector(all.values.size()), Matrix(n, all.shapes.cols())};
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.values[static_cast<Eigen::Index>(i)] = all.values[order[i]];
      sorted.shapes.col(static_cast<Eigen::Index>(i)) = all.shapes.col(order[i]);
    }
    found = std::move(sorted);
    if (std::isfinite(before) && last(found.values) >= before * (1 - 1e-9)) break;
    known.resize(n, 0);
    append_orthonormal(known, rigid, Vector::Ones(n));
    append_orthonormal(known, found.shapes, Vector::Ones(n));
  }
  return found;
}

Pairs dense(const Sparse& scaled) {
  const Eigen::SelfAdjointEigenSolver<Matrix> modes{Matrix(scaled)};
  return {modes.eigenvalues(), modes.eigenvectors()};
}

}  // namespace

Result<VibrationModes> vibration_modes(const Truss& truss, const ModesOptions& options) {
  if (truss.springs.empty())
    return Diagnostic{Severity::error, "analysis", "The analysis model has no springs, so it cannot vibrate.",
                      "String springs between its nodes."};
  VibrationModes result;
  const auto problem = make_modal_problem(truss);
  if (!problem) {
    if (!truss.pinned.empty() && truss.pinned.size() >= truss.nodes.size()) return result;  // nothing is left to swing
    return Diagnostic{
        Severity::error, "analysis",
        "The analysis model cannot vibrate: it needs two nodes at different places, with masses above zero.",
        "Give every node a mass and springs a length."};
  }
  const int count = std::clamp(options.count, 1, kMostModes);
  const Eigen::Index n = problem->masses.size();
  const Vector scale = problem->masses.cwiseSqrt().cwiseInverse();
  const Sparse scaled = scale.asDiagonal() * problem->stiffness * scale.asDiagonal();
  Matrix rigid = rigid_modes(*problem, truss);
  result.rigid_motions = static_cast<int>(rigid.cols());
  rigid = scale.cwiseInverse().asDiagonal() * rigid;
  const bool small = static_cast<int>(problem->free.size()) <= options.dense_limit || n < 40;
  Pairs pairs;
  try {
    if (options.cancelled && options.cancelled()) throw Cancelled{};
    pairs = small ? dense(scaled) : lanczos(scaled, rigid, problem->largest, count, options.cancelled);
  } catch (const Cancelled&) {
    return Diagnostic{Severity::info, "analysis", "The search for vibrations was cancelled.", ""};
  }
  for (Eigen::Index i = 0; i < pairs.values.size() && static_cast<int>(result.modes.size()) < count; ++i) {
    const double lambda = pairs.values[i];
    if (!(lambda > kModeWithoutStiffness * problem->largest)) {
      ++result.mechanisms;
      continue;
    }
    const Vector phi = scale.cwiseProduct(pairs.shapes.col(i));  // φᵀ M φ = 1
    VibrationMode mode;
    mode.values = {lambda, std::max(0.0, phi.dot(problem->damping * phi))};
    mode.vibration = make_vibration(mode.values);
    mode.shape.assign(truss.nodes.size(), Vec3::Zero());
    double longest = 0, largest = 0;
    for (std::size_t k = 0; k < problem->free.size(); ++k) {
      const Vec3 u =
          problem->basis * phi.segment(static_cast<Eigen::Index>(k) * problem->dimension, problem->dimension);
      mode.shape[problem->free[k]] = u;
      longest = std::max(longest, u.norm());
      for (const double x : u)
        if (std::abs(x) > std::abs(largest) * (1 + 1e-6)) largest = x;
    }
    for (Vec3& u : mode.shape) u *= (largest < 0 ? -1 : 1) / longest;
    result.modes.push_back(std::move(mode));
  }
  if (small) result.mechanisms -= result.rigid_motions;  // the dense solver meets the rigid ones too
  return result;
}

}  // namespace hazumi
