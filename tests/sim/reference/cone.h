// The frictional contact problem of one sub-step and three ways to solve it (contact.md, A6).
//
//   u = c + W λ        per row, n its normal:  λ_n ≥ 0, u_n ≥ b, λ_n(u_n − b) = 0,   |λ_t| ≤ μ λ_n, λ_t against u_t where it slips
// W dense (3 × 3 blocks, m/s per N s), b targets (m/s), λ N s.
//
//   sweep     row after row, each solved by itself: normal first, then the block of friction with w_t, its largest eigenvalue
//   cg        nonsmooth nonlinear conjugate gradients: the change of a sweep is the gradient
//   direct    which rows push and which slip is guessed from λ and u; what is left is one linear system, with a proximal term that
//             makes it regular where more rows push than there are freedoms; a sweep checks the guess
#pragma once

#include <algorithm>
#include <vector>

#include "tests/sim/reference/dense.h"
#include "tests/support/dense.h"

namespace hazumi::reference {

enum class Solver { sweep, cg, direct };

class ConeProblem {
 public:
  ConeProblem(Matrix w, std::vector<Vec3> normals, double friction)
      : w_(std::move(w)), normals_(std::move(normals)), friction_(friction), tangent_(normals_.size()) {
    for (int c = 0; c < count(); ++c) {
      const Mat3 block = w_.block<3, 3>(3 * c, 3 * c);
      const Vec3& n = normals_[c];
      const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
      const double a = t1.dot(block * t1), b = t2.dot(block * t2), s = t1.dot(block * t2);
      tangent_[c] = 0.5 * (a + b) + std::hypot(0.5 * (a - b), s);
    }
  }
  const Matrix& w() const { return w_; }
  int count() const { return static_cast<int>(normals_.size()); }
  int passes() const { return passes_; }

  /// λ from the start value given; `c` is the velocity without λ. Stops at changes below `tolerance` m/s.
  void solve(Solver solver, const std::vector<double>& target, const Vector& c, Vector& lambda, double tolerance,
             int most_passes) {
    u_ = c + w_ * lambda;
    target_ = target;
    passes_ = 0;
    if (solver == Solver::cg) return gradients(lambda, tolerance, most_passes);
    if (solver == Solver::direct) {
      for (int k = 0; k < 10; ++k) {
        const double change = active_set(c, lambda);
        ++passes_;
        if (change < 100 * tolerance || sweep(lambda, false) < tolerance) break;
      }
      sweep(lambda, false);
      return;
    }
    for (int k = 0; k < most_passes; ++k) {
      ++passes_;
      if (sweep(lambda, k % 2) < tolerance) break;
    }
  }

 private:
  double normal_mobility(int c) const { return normals_[c].dot(w_.block<3, 3>(3 * c, 3 * c) * normals_[c]); }

  /// The greatest change of a row, m/s.
  double sweep(Vector& lambda, bool backwards) {
    double change = 0;
    for (int k = 0; k < count(); ++k) {
      const int c = backwards ? count() - 1 - k : k;
      const Vec3& n = normals_[c];
      const double w = normal_mobility(c);
      const Vec3 before = lambda.segment<3>(3 * c), u = u_.segment<3>(3 * c);
      const double fn0 = before.dot(n), fn = std::max(0.0, fn0 + (target_[c] - u.dot(n)) / w);
      const Vec3 u1 = u + w_.block<3, 3>(3 * c, 3 * c) * (fn - fn0) * n;
      Vec3 ft = before - n * fn0 - (u1 - n * n.dot(u1)) / tangent_[c];
      if (const double size = ft.norm(); size > friction_ * fn) ft *= friction_ * fn / size;
      const Vec3 step = fn * n + ft - before;
      u_ += w_.middleCols<3>(3 * c) * step;
      lambda.segment<3>(3 * c) += step;
      change = std::max(change, step.cwiseAbs().maxCoeff() * w);
    }
    return change;
  }

  void gradients(Vector& lambda, double tolerance, int most_passes) {
    Vector weight(3 * count());
    for (int c = 0; c < count(); ++c)
      weight.segment<3>(3 * c).setConstant(std::sqrt(w_.block<3, 3>(3 * c, 3 * c).trace()));
    Vector direction = Vector::Zero(3 * count());
    double last = 0;
    for (int k = 0; k < most_passes; ++k) {
      const Vector before = lambda;
      const double change = sweep(lambda, false);
      ++passes_;
      if (change < tolerance || k + 1 == most_passes) return;
      const Vector gradient = lambda - before;
      const double size = gradient.cwiseProduct(weight).squaredNorm();
      const double beta = k > 0 ? size / (last + 1e-300) : 2;
      last = size;
      if (beta > 1) {
        direction = gradient;
        continue;
      }
      lambda += beta * direction;
      u_ += beta * (w_ * direction);
      direction = beta * direction + gradient;
    }
  }

  /// One unknown of the linear system: its equation is row·u = value, its impulse goes along `column`.
  struct Unknown {
    int contact;
    Vec3 row, column;
    double value;
  };

  std::vector<Unknown> guess(const Vector& lambda) const {
    std::vector<Unknown> unknowns;
    for (int c = 0; c < count(); ++c) {
      const Vec3& n = normals_[c];
      const Vec3 f = lambda.segment<3>(3 * c), u = u_.segment<3>(3 * c);
      const double fn = f.dot(n) + (target_[c] - u.dot(n)) / normal_mobility(c);
      if (fn <= 0) continue;
      const Vec3 ft = f - n * n.dot(f) - (u - n * n.dot(u)) / tangent_[c];
      if (ft.norm() > friction_ * fn) {
        unknowns.push_back({c, n, n + friction_ * ft.normalized(), target_[c]});
        continue;
      }
      const Vec3 t1 = n.unitOrthogonal();
      for (const Vec3& axis : {n, t1, Vec3(n.cross(t1))})
        unknowns.push_back({c, axis, axis, axis == n ? target_[c] : 0.0});
    }
    return unknowns;
  }

  double active_set(const Vector& c, Vector& lambda) {
    constexpr double kProximal = 1e-5;
    const std::vector<Unknown> unknowns = guess(lambda);
    const auto size = static_cast<Eigen::Index>(unknowns.size());
    Vector next = Vector::Zero(3 * count());
    if (size > 0) {
      Matrix a(size, size);
      Vector value(size);
      for (Eigen::Index i = 0; i < size; ++i) {
        const Unknown& p = unknowns[i];
        for (Eigen::Index j = 0; j < size; ++j) {
          const Unknown& q = unknowns[j];
          a(i, j) = p.row.dot(w_.block<3, 3>(3 * p.contact, 3 * q.contact) * q.column);
        }
        const double hold = kProximal * p.row.dot(w_.block<3, 3>(3 * p.contact, 3 * p.contact) * p.row);
        value[i] =
            p.value - p.row.dot(c.segment<3>(3 * p.contact)) + hold * p.row.dot(lambda.segment<3>(3 * p.contact));
        a(i, i) += hold;
      }
      const Vector x = test::solved(a, value);
      for (Eigen::Index i = 0; i < size; ++i) next.segment<3>(3 * unknowns[i].contact) += x[i] * unknowns[i].column;
    }
    double change = 0;
    for (int k = 0; k < count(); ++k) {
      const Vec3& n = normals_[k];
      const Vec3 f = next.segment<3>(3 * k);
      const double fn = std::max(0.0, f.dot(n));
      Vec3 ft = f - n * n.dot(f);
      if (const double t = ft.norm(); t > friction_ * fn) ft *= friction_ * fn / t;
      next.segment<3>(3 * k) = fn * n + ft;
      change = std::max(change, (next - lambda).segment<3>(3 * k).cwiseAbs().maxCoeff() * normal_mobility(k));
    }
    lambda = next;
    u_ = c + w_ * lambda;
    return change;
  }

  Matrix w_;
  std::vector<Vec3> normals_;
  double friction_;
  std::vector<double> tangent_;
  std::vector<double> target_;
  Vector u_;
  int passes_ = 0;
};

}  // namespace hazumi::reference
