#include "core/sim/elastic/modes.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/math/eigen.h"
#include "core/sim/elastic/modal_problem.h"

namespace hazumi {

namespace {

using Matrix = ModalProblem::Matrix;
using Vector = ModalProblem::Vector;

constexpr int kMostModes = 50;
constexpr Eigen::Index kFewUnknowns = 40;  // always dense

constexpr double kMultiple = 1e-12;  // of the largest entry: two matrices are multiples of each other

/// f with b = f a, both of one length; 1 when both are zero.
std::optional<double> factor_between(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::nullopt;
  double largest = 0, factor = 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i]) > largest) {
      largest = std::abs(a[i]);
      factor = b[i] / a[i];
    }
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(b[i] - factor * a[i]) <= kMultiple * std::abs(factor) * largest)) return std::nullopt;
  return factor;
}

std::optional<double> factor_between(const SparseMatrix& a, const SparseMatrix& b) {
  const auto count = static_cast<std::size_t>(a.nonZeros());
  if (a.rows() != b.rows() || a.nonZeros() != b.nonZeros() ||
      !std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) ||
      !std::equal(a.innerIndexPtr(), a.innerIndexPtr() + count, b.innerIndexPtr()))
    return std::nullopt;
  return factor_between({a.valuePtr(), count}, {b.valuePtr(), count});
}

}  // namespace

std::optional<VibrationModes> scaled_modes(const LinearSystem& solved, const VibrationModes& modes,
                                           const LinearSystem& now) {
  if (solved.nodes != now.nodes || solved.pinned != now.pinned) return std::nullopt;
  const auto k = factor_between(solved.stiffness, now.stiffness), c = factor_between(solved.damping, now.damping),
             m = factor_between(solved.masses, now.masses);
  if (!k || !c || !m || !(*k > 0) || !(*m > 0)) return std::nullopt;
  VibrationModes scaled = modes;
  for (VibrationMode& mode : scaled.modes) {
    mode.values.lambda *= *k / *m;
    mode.values.gamma *= *c / *m;
    mode.vibration = make_vibration(mode.values);
  }
  return scaled;
}

Result<VibrationModes> vibration_modes(const LinearSystem& system, const ModesOptions& options) {
  if (system.stiffness.nonZeros() == 0)
    return Diagnostic{Severity::error, "analysis", "Nothing holds the analysis model together, so it cannot vibrate.",
                      "String springs between its nodes."};
  VibrationModes result;
  const auto problem = make_modal_problem(system);
  if (!problem) {
    if (!system.pinned.empty() && system.pinned.size() >= system.nodes.size())
      return result;  // nothing is left to swing
    return Diagnostic{
        Severity::error, "analysis",
        "The analysis model cannot vibrate: it needs two nodes at different places, with masses above zero.",
        "Give every node a mass and springs a length."};
  }
  const int count = std::clamp(options.count, 1, kMostModes);
  const Eigen::Index n = problem->masses.size();
  const Vector scale = problem->masses.cwiseSqrt().cwiseInverse();
  const SparseMatrix scaled = scale.asDiagonal() * problem->stiffness * scale.asDiagonal();
  const Matrix rigid = rigid_modes(*problem, system.pinned);
  result.rigid_motions = static_cast<int>(rigid.cols());
  const bool small = static_cast<int>(problem->free.size()) <= options.dense_limit || n < kFewUnknowns;
  std::optional<EigenPairs> found;  // in M-scaled coordinates ψ = M^½ φ
  if (!options.cancelled || !options.cancelled())
    found = small ? dense_eigen(Matrix(scaled))
                  : lowest_pairs(scaled, {.largest = problem->largest,
                                          .zero = kModeWithoutStiffness,
                                          .count = count,
                                          .known = scale.cwiseInverse().asDiagonal() * rigid,
                                          .cancelled = options.cancelled});
  if (!found) return Diagnostic{Severity::info, "analysis", "The search for vibrations was cancelled.", ""};
  const EigenPairs& pairs = *found;
  for (Eigen::Index i = 0; i < pairs.values.size() && static_cast<int>(result.modes.size()) < count; ++i) {
    const double lambda = pairs.values[i];
    if (!(lambda > kModeWithoutStiffness * problem->largest)) {
      ++result.mechanisms;
      continue;
    }
    const Vector phi = scale.cwiseProduct(pairs.vectors.col(i));  // φᵀ M φ = 1
    VibrationMode mode;
    mode.values = {lambda, std::max(0.0, phi.dot(problem->damping * phi))};
    mode.vibration = make_vibration(mode.values);
    mode.shape.assign(system.nodes.size(), Vec3::Zero());
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
