// A body of either kind, what rows grip it by, and how it answers to impulses there.
//
// Anchor: a linear map G from a body's velocities to the velocity of one common world point p (m). Rigid: V + ω×(p − c̄).
// Flexible: Σ G_k u_k over a few nodes. G must reproduce rigid motion about p with the nodes at x̄ (half-way): then its transpose
// gives p's force and torque, and P and L of a pair of bodies about any point are kept (contact.md, A3):
//   a node:   p = x̄_k, G = 1
//   a face or an edge of it, q = Σ w_k x̄_k (Σ w = 1), p anywhere near:  G_k = w_k 1 − [p − q]ₓ I⁻¹ [s_k]ₓ,
//             s_k = x̄_k − their mean, I = Σ (|s|² − s sᵀ).  An edge is a face with w = 0 at the third node: two nodes alone
//             cannot take a torque about their own line.
// Mobility (m/s per N s) of rows i and j on one body: rigid 1/m − [a_i]R_m J⁻¹R_mᵀ[a_j], flexible G_i R_m A⁻¹ R_mᵀ G_jᵀ with R_m the
// attitude half-way. A⁻¹ holds the rigid motion too, as K annihilates it.
#pragma once

#include <vector>

#include "tests/sim/reference/flexible.h"
#include "tests/sim/reference/rigid.h"

namespace hazumi::reference {

struct Body {
  bool is_flexible = false;
  FlexibleBody flexible;
  RigidBody rigid;
  Vec3 arm_centre = Vec3::Zero();  ///< c̄ of a rigid body, from which arms are measured

  Body() = default;
  explicit Body(FlexibleBody b) : is_flexible(true), flexible(std::move(b)) {}
  explicit Body(RigidBody b) : rigid(std::move(b)) {}

  double mass() const { return is_flexible ? flexible.total : rigid.mass; }
  const Vec3& centre() const { return is_flexible ? flexible.centre : rigid.centre; }
  double kinetic() const { return is_flexible ? flexible.kinetic() : rigid.kinetic(); }
  double energy(const Vec3& gravity) const {
    return kinetic() + (is_flexible ? flexible.elastic() : 0.0) - mass() * gravity.dot(centre());
  }
  Vec3 momentum() const { return is_flexible ? flexible.momentum() : rigid.momentum(); }
  Vec3 angular_momentum() const { return is_flexible ? flexible.angular_momentum() : rigid.angular_momentum(); }
  /// Greatest speed of a part, m/s.
  double speed() const {
    if (is_flexible) return flexible.velocity.colwise().norm().maxCoeff();
    return std::max(rigid.velocity.norm(), rigid.rate().norm() * rigid.half.norm());
  }
};

/// The end of a sub-step of either kind.
struct BodyStep {
  FlexibleStep flexible;
  RigidStep rigid;
};

struct Anchor {
  int body = -1;               ///< −1: the world, which does not move
  Vec3 point = Vec3::Zero();   ///< p; the same for both anchors of a row
  std::vector<int> node = {};  ///< of a flexible body
  std::vector<Mat3> weight = {};
};

inline Anchor node_anchor(int body, int node, const Vec3& at) { return {body, at, {node}, {Mat3::Identity()}}; }

/// Of three nodes or more, not on a line; `w` their weights (Σ = 1), p the common point.
inline Anchor face_anchor(int body, const std::vector<int>& nodes, const Vector& w, const Nodes& mean, const Vec3& p) {
  const auto count = static_cast<Eigen::Index>(nodes.size());
  Nodes arm(3, count);
  for (Eigen::Index k = 0; k < count; ++k) arm.col(k) = mean.col(nodes[k]);
  const Vec3 middle = arm.rowwise().mean(), q = arm * w;
  arm.colwise() -= middle;
  Mat3 inertia = Mat3::Zero();
  for (Eigen::Index k = 0; k < count; ++k) inertia += point_inertia(arm.col(k));
  const Mat3 lever = skew(p - q) * inertia.inverse();
  Anchor a{body, p, nodes, {}};
  for (Eigen::Index k = 0; k < count; ++k) a.weight.emplace_back(w[k] * Mat3::Identity() - lever * skew(arm.col(k)));
  return a;
}

/// Barycentric weights of the point of a triangle's plane nearest to p, clamped to the triangle one by one.
inline Vec3 face_weights(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 e1 = b - a, e2 = c - a, n = e1.cross(e2), e = p - a;
  const double w1 = std::clamp(e.cross(e2).dot(n) / n.squaredNorm(), 0.0, 1.0);
  const double w2 = std::clamp(e1.cross(e).dot(n) / n.squaredNorm(), 0.0, 1 - w1);
  return {1 - w1 - w2, w1, w2};
}

/// A contact of a's point with b's surface. Velocities are a's less b's; along `normal`, from b to a, positive separates.
struct Row {
  Anchor a, b;
  Vec3 normal = Vec3::UnitY();
  double gap = 0;       ///< at the start of the sub-step, m; negative: overlap
  long key = 0;         ///< names the pair of features from sub-step to sub-step
  int pair = 0;         ///< of bodies
  double slop = 1e300;  ///< m, overlap that is left alone
};

inline Vec3 start_velocity(const std::vector<Body>& bodies, const Anchor& a) {
  if (a.body < 0) return Vec3::Zero();
  const Body& b = bodies[a.body];
  if (!b.is_flexible) return b.rigid.velocity + (b.rigid.attitude * b.rigid.rate()).cross(Vec3(a.point - b.arm_centre));
  Vec3 v = Vec3::Zero();
  for (std::size_t k = 0; k < a.node.size(); ++k) v += a.weight[k] * b.flexible.velocity.col(a.node[k]);
  return v;
}

/// ū, the velocity that carries the work of an impulse.
inline Vec3 mean_velocity(const std::vector<Body>& bodies, const std::vector<BodyStep>& steps, const Anchor& a) {
  if (a.body < 0) return Vec3::Zero();
  const Body& b = bodies[a.body];
  const BodyStep& s = steps[a.body];
  if (!b.is_flexible) return s.rigid.mean_velocity + s.rigid.mean_rate.cross(Vec3(a.point - b.arm_centre));
  Vec3 v = Vec3::Zero();
  for (std::size_t k = 0; k < a.node.size(); ++k)
    v += a.weight[k] * 0.5 * (b.flexible.velocity.col(a.node[k]) + s.flexible.velocity.col(a.node[k]));
  return v;
}

/// All bodies forward by h under the impulses of the rows, 3 a row, world axes.
inline std::vector<BodyStep> advance(const std::vector<Body>& bodies, double h, const Vec3& gravity,
                                     const std::vector<Row>& rows, const Vector& impulse,
                                     const std::vector<BodyStep>* near = nullptr) {
  std::vector<BodyStep> steps(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& b = bodies[i];
    Nodes at_nodes = Nodes::Zero(3, b.flexible.count());
    Vec3 push = Vec3::Zero(), twist = Vec3::Zero();
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (const auto& [anchor, sign] : {std::pair(&rows[c].a, 1.0), std::pair(&rows[c].b, -1.0)}) {
        if (anchor->body != static_cast<int>(i)) continue;
        const Vec3 j = sign * impulse.segment<3>(3 * static_cast<Eigen::Index>(c));
        push += j;
        twist += (anchor->point - b.arm_centre).cross(j);
        for (std::size_t k = 0; k < anchor->node.size(); ++k)
          at_nodes.col(anchor->node[k]) += anchor->weight[k].transpose() * j;
      }
    if (b.is_flexible)
      steps[i].flexible =
          step_flexible(b.flexible, h, gravity, at_nodes, near ? &(*near)[i].flexible.velocity : nullptr);
    else
      steps[i].rigid = step_rigid(b.rigid, h, gravity, push, twist);
  }
  return steps;
}

/// W, 3 × 3 blocks for all pairs of rows, with the attitudes given (flexible: half-way; rigid: half-way).
inline Matrix mobility(const std::vector<Body>& bodies, const std::vector<Row>& rows, const std::vector<Mat3>& half) {
  const Eigen::Index m = 3 * static_cast<Eigen::Index>(rows.size());
  Matrix w = Matrix::Zero(m, m);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& b = bodies[i];
    // G of all rows on this body: its velocities are 3n numbers, of a rigid one V and ω.
    const Eigen::Index n = b.is_flexible ? 3 * b.flexible.count() : 6;
    Matrix g = Matrix::Zero(m, n);
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (const auto& [anchor, sign] : {std::pair(&rows[c].a, 1.0), std::pair(&rows[c].b, -1.0)}) {
        if (anchor->body != static_cast<int>(i)) continue;
        const Eigen::Index at = 3 * static_cast<Eigen::Index>(c);
        if (!b.is_flexible) {
          g.block<3, 3>(at, 0) += sign * Mat3::Identity();
          g.block<3, 3>(at, 3) -= sign * skew(anchor->point - b.arm_centre);
        }
        for (std::size_t k = 0; k < anchor->node.size(); ++k)
          g.block<3, 3>(at, 3 * anchor->node[k]) += sign * anchor->weight[k] * half[i];
      }
    Matrix inverse = b.flexible.inverse;
    if (!b.is_flexible) {
      inverse = Matrix::Zero(6, 6);
      inverse.block<3, 3>(0, 0) = Mat3::Identity() / b.rigid.mass;
      inverse.block<3, 3>(3, 3) = b.rigid.world_inverse(half[i]);
    }
    w += g * inverse * g.transpose();
  }
  return w;
}

/// Turns all bodies together at once so that their angular momentum changes by `change`, and no velocity at a contact does
/// (contact.md, A3): u += Ω×(x − C), Ω = I⁻¹ΔL about the common centre C.
inline void turn_together(std::vector<Body>& bodies, const Vec3& change) {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  for (const Body& b : bodies) {
    mass += b.mass();
    centre += b.mass() * b.centre();
  }
  centre /= mass;
  Mat3 inertia = Mat3::Zero();
  for (const Body& b : bodies) {
    if (!b.is_flexible) {
      const RigidBody& r = b.rigid;
      inertia += r.attitude * r.inertia * r.attitude.transpose() + r.mass * point_inertia(r.centre - centre);
      continue;
    }
    const Nodes x = b.flexible.positions().colwise() - centre;
    for (Eigen::Index i = 0; i < x.cols(); ++i) inertia += b.flexible.mass[i] * point_inertia(x.col(i));
  }
  const Vec3 turn = inertia.inverse() * change;
  for (Body& b : bodies) {
    if (!b.is_flexible) {
      RigidBody& r = b.rigid;
      r.velocity += turn.cross(Vec3(r.centre - centre));
      r.spin += r.attitude * r.inertia * r.attitude.transpose() * turn;
      continue;
    }
    const Nodes x = b.flexible.positions().colwise() - centre;
    for (Eigen::Index i = 0; i < x.cols(); ++i) b.flexible.velocity.col(i) += turn.cross(Vec3(x.col(i)));
  }
}

}  // namespace hazumi::reference
