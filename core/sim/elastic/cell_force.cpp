// Forces of the cells of a body over a step: discrete gradients without a torque (cell_settle.cpp has the equations).
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/math/rotation.h"
#include "core/sim/elastic/cell_step.h"

namespace hazumi::cell_body {

namespace {

constexpr double kFlatCell = 1e-6;    // of B's size: a cell too flat to turn about every axis
constexpr double kHalfTurn = 0.17;    // cos of half of 160°
constexpr std::size_t kMostArms = 8;  // of a cell that warps

}  // namespace

/// Two nodes: E = ¼ k (l − L)², whose discrete gradient is along r̄: l⁺² − l⁻² = 2 r̄·Δr.
void Body::Step::pair_force(const Cell& cell, std::size_t e) {
  const auto at_cell = cells.nodes(cell);
  const std::size_t a = at_cell[0], b = at_cell[1];
  if (cell.bends && many()) {  // a spring of length 0, which `matrix` knows from the start
    const Vec3 f = 0.5 * cell.stiffness * (at(p, b) - at(p, a) + 0.5 * (at(moved, b) - at(moved, a)));
    put(pull, b, at(pull, b) + f);
    put(pull, a, at(pull, a) - f);
    return;
  }
  const double length = 2 * cells.rest(cell)[1].norm();
  const Vec3 before = at(p, b) - at(p, a), after = point(b, 1) - point(a, 1), mean = 0.5 * (before + after);
  const double l0 = before.norm(), l1 = after.norm(), l = 0.5 * (l0 + l1);
  const double tension = 0.5 * (cell.stiffness * (l - length) + cell.drag / h * (l1 - l0));
  if (matrix) {
    const double straight = mean.norm(), along = 0.125 * h * h * cell.stiffness + 0.25 * h * cell.drag;
    matrix->set(e, straight > 0 ? Vec3(mean / straight) : Vec3(Vec3::Zero()),
                cell.bends ? along
                : l > 0    ? 0.25 * h * h * std::max(0.0, tension / l)
                           : 0,
                along);
    if (!(l > 0)) return;
  } else {
    for (const std::size_t k : {0, 1}) put_force(cell, k, 0, Vec3::Zero());
    if (!(l0 > 0 && l1 > 0)) return;
    put_turn(turns, e, (turn_onto(before, after) * turn_at(cell_turns, e)).normalized());
  }
  const Vec3 f = tension / l * mean;
  if (!matrix) {
    put_force(cell, 0, 0, -f);
    put_force(cell, 1, 0, f);
    return;
  }
  put(pull, b, at(pull, b) + f);
  put(pull, a, at(pull, a) - f);
}

/// False: by the turn that fits the middle, which has no torque either, but not the energy to the last bit.
bool Body::Step::shape_force(const Cell& cell, std::size_t e) {
  const auto at_cell = cells.nodes(cell);
  const auto rest = cells.rest(cell);
  const std::size_t count = cell.count;
  Vec3 c0 = Vec3::Zero(), c1 = Vec3::Zero();
  for (std::size_t k = 0; k < count; ++k) {
    c0 += at(p, at_cell[k]);
    c1 += at(moved, at_cell[k]);
  }
  c0 /= static_cast<double>(count);
  c1 = c0 + c1 / static_cast<double>(count);
  Mat3 n0 = Mat3::Zero(), n1 = Mat3::Zero();
  for (std::size_t k = 0; k < count; ++k) {
    n0 += (at(p, at_cell[k]) - c0) * rest[k].transpose();
    n1 += (point(at_cell[k], 1) - c1) * rest[k].transpose();
  }
  const Quat q0 = turn_at(cell_turns, e);
  Quat q1 = Cells::turn(cell, n1, turn_at(turns, e));
  if (q1.coeffs().dot(q0.coeffs()) < 0) q1.coeffs() = -q1.coeffs();
  put_turn(turns, e, q1);
  const Mat3 m0 = q0.toRotationMatrix(), m1 = q1.toRotationMatrix(), half = 0.5 * (m0 + m1), middle = 0.5 * (n0 + n1);
  const Mat3 b = turning_moment(half, middle).transpose();
  const double size = b.cwiseAbs().maxCoeff();
  if (q0.coeffs().dot(q1.coeffs()) < kHalfTurn || !(std::abs(b.determinant()) > kFlatCell * size * size * size)) {
    const Mat3 m = Cells::turn(cell, middle, q0).toRotationMatrix();
    const Vec3 c = 0.5 * (c0 + c1);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = at_cell[k];
      put_force(cell, k, 0, cell.stiffness * (point(i, 0.5) - c - m * rest[k]));
    }
    return false;
  }
  // y = d̄ + η Δd/h, s of the torque Σ r̄ × X̂ y = axial(Σ r̄ yᵀ X̂ᵀ).
  const double late = 0.5 + body.damping_ / h, early = 0.5 - body.damping_ / h;
  const Mat3 back0 = early * m0.transpose(), back1 = late * m1.transpose();
  Mat3 moment = Mat3::Zero();
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 r0 = at(p, at_cell[k]) - c0, r1 = point(at_cell[k], 1) - c1;
    const Vec3 y = back0 * r0 + back1 * r1 - rest[k];
    moment += 0.5 * (r0 + r1) * y.transpose();
  }
  const Vec3 s = inverse3(b) * axial(moment * half.transpose());
  const Mat3 turned = cell.stiffness * half;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = at_cell[k];
    const Vec3 r0 = at(p, i) - c0, r1 = point(i, 1) - c1;
    const Vec3 y = back0 * r0 + back1 * r1 - rest[k];
    put_force(cell, k, 0, turned * (y - s.cross(rest[k])));
  }
  return true;
}

/// As shape_force(), of a material: y_k = σ̂ b_k with σ̂ of ½ (S⁻ + S⁺) − 1 + η ΔS/h, N = F, and Σ r̄ yᵀ = F̄ σ̂; and κ (o + η D/h) with o = r − F R. D is what o changes by
/// beside turning with the cell, so that damping does not brake a spin: Δo − θ × ō. By θ its power is that of B⁻ᵀ Σ ō × κ η D/h, which joins s.
bool Body::Step::strain_force(const Cell& cell, std::size_t e) {
  const auto slopes = cells.rest(cell);
  const Mat3 f0 = slope(cells, cell, [&](std::size_t i) { return at(p, i); });
  const Mat3 change = slope(cells, cell, [&](std::size_t i) { return at(moved, i); }), f1 = f0 + change;
  const Quat q0 = turn_at(cell_turns, e);
  Quat q1 = Cells::turn(cell, f1, turn_at(turns, e));
  if (q1.coeffs().dot(q0.coeffs()) < 0) q1.coeffs() = -q1.coeffs();
  put_turn(turns, e, q1);
  const Mat3 m0 = q0.toRotationMatrix(), m1 = q1.toRotationMatrix(), half = 0.5 * (m0 + m1), middle = 0.5 * (f0 + f1);
  const Mat3 b = turning_moment(half, middle).transpose();
  const double size = b.cwiseAbs().maxCoeff();
  const bool exact =
      q0.coeffs().dot(q1.coeffs()) >= kHalfTurn && std::abs(b.determinant()) > kFlatCell * size * size * size;
  Vec3 braked = Vec3::Zero();  // Σ ō × κ η D/h
  if (cell.warp > 0) {
    const bool damped = exact && body.damping_ > 0;
    const Quat turned = q1 * q0.conjugate();
    const Vec3 theta = damped ? Vec3(2 / turned.w() * turned.vec()) : Vec3(Vec3::Zero());
    std::array<Vec3, kMostArms> mean;
    warp(
        cells, cell, middle, [&](std::size_t i) { return point(i, 0.5); },
        [&](std::size_t k, const Vec3& o) { mean[k] = o; });
    for (std::size_t k = 0; k < cell.count; ++k) put_force(cell, k, 0, cell.warp * mean[k]);
    if (damped)
      warp(
          cells, cell, change, [&](std::size_t i) { return at(moved, i); },
          [&](std::size_t k, const Vec3& o) {
            const Vec3 f = body.damping_ / h * (o - theta.cross(mean[k]));
            put_force(cell, k, 1, cell.warp * f);
            braked += cell.warp * mean[k].cross(f);
          });
  }
  Mat3 pushed;  // f_k = −pushed b_k
  if (exact) {
    const Mat3 s0 = m0.transpose() * f0, s1 = m1.transpose() * f1;
    Mat3 off = (0.5 - body.damping_ / h) * s0 + (0.5 + body.damping_ / h) * s1;
    off = (0.5 * (off + off.transpose())).eval();
    off.diagonal().array() -= 1;
    const Mat3 stress = Cells::stress(cell, off);
    const Vec3 s = inverse3(b) * (axial(middle * stress * half.transpose()) + braked);
    pushed = half * (stress - skew(s));
  } else {
    const Mat3 m = Cells::turn(cell, middle, q0).toRotationMatrix();
    Mat3 off = m.transpose() * middle;
    off = (0.5 * (off + off.transpose())).eval();
    off.diagonal().array() -= 1;
    pushed = m * Cells::stress(cell, off);
  }
  for (std::size_t k = 0; k < cell.count; ++k) put_force(cell, k, body.slots_ - 1, pushed * slopes[k]);
  return exact;
}

void Body::Step::cell_forces() {
  bent_ = 0;
  if (matrix) {
    std::fill(pull, pull + 3 * n, 0.0);
    for (std::size_t e = 0; e < cells.size(); ++e) pair_force(cells[e], e);
    return body.clear_held(pull);
  }
  std::atomic<std::size_t> bent = 0;
  in_blocks(executor, cells.size(), kTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) {
      const Cell& cell = cells[e];
      if (body.slots_ > 1) std::fill_n(of_cells + 3 * body.slots_ * cell.first, 3 * body.slots_ * cell.count, 0.0);
      if (cell.count == 2)
        pair_force(cell, e);
      else if (!(cell.strained ? strain_force(cell, e) : shape_force(cell, e)))
        bent.fetch_add(1, std::memory_order_relaxed);
    }
  });
  bent_ = bent.load();
  in_blocks(executor, n, kNodesTogether, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3 sum = Vec3::Zero();
      for (std::uint32_t k = body.slot_start_[i]; k < body.slot_start_[i + 1]; ++k)
        for (std::size_t slot = 0; slot < body.slots_; ++slot) sum += at(of_cells, body.slot_[k] + slot);
      put(pull, i, sum);
    }
  });
  body.clear_held(pull);
}

}  // namespace hazumi::cell_body
