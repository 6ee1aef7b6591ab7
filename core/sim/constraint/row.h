// One row of the constraint problem: a place where two bodies touch, and how it holds each of them.
//
//   p   one world point for both bodies, half-way through the sub-step (m): the impulse λ acts on both there, so that momentum
//       and angular momentum about any point are kept
//   G   velocity of p from the body's velocities. What does not deform: V + ω × (p − o). What deforms: Σ G_k u_k over a few nodes,
//       which must reproduce rigid motion about p with the nodes at x̄_k, half-way:
//         p a node:  G = 1
//         else q = Σ w_k x̄_k, Σ w = 1, p beside it:  G_k = w_k − [p − q]ₓ I⁻¹ [s_k]ₓ,   s_k = x̄_k − their mean, I = Σ (|s|² − s sᵀ)
//       Nodes that span no triangle cannot take a torque: Body::far_nodes join in with weight 0.
//         p a vertex of the skin that follows nodes linearly: G_k = w_k, over all of these, and the rest at the centre of mass
//       (SkinDrivers). What moves is then the vertex itself, and the gap changes by h n·ū exactly. Three nodes in its place would
//       move otherwise, as soon as the body deforms, and the vertex sinks while the row says that it rests.
// p is where the contact's anchor is: on the body whose surface is the sharper one (a node, a corner, the lowest point of a
// ball), in the middle where none is.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/sim/body/motion.h"
#include "core/sim/constraint/law.h"
#include "core/sim/contact/contact.h"
#include "core/sim/model.h"

namespace hazumi {

/// How a row holds one body.
struct RowGrip {
  static constexpr std::size_t kMost = 6;
  const SkinDrivers* skin = nullptr;  ///< of the vertex, in place of the nodes below
  std::uint8_t count = 0;             ///< of nodes; 0: does not deform, or a vertex
  bool plain =
      true;  ///< p is a node or a vertex, or the body does not deform: nothing of it depends on where nodes are
  std::array<std::uint32_t, kMost> node = {};
  std::array<Mat3, kMost> weight;  ///< G_k
};

struct Row {
  ContactKey key;
  std::uint32_t body_a = 0, body_b = 0;  ///< numbers in Model::bodies
  ContactAnchor anchor_a, anchor_b;
  Vec3 normal = Vec3::UnitY();  ///< world, from b to a
  double gap = 0;               ///< m, at the start of the sub-step: x⁻
  double slop = 0;              ///< m, overlap that is left alone
  double friction = 0;
  RowLaw law;
  bool known = false;  ///< it was there in the sub-step before
  // Of this sub-step
  Vec3 point = Vec3::Zero();  ///< p
  RowGrip a, b;
  RowMemory memory;
  double before = 0;            ///< u⁻ along the normal, m/s
  double target = 0;            ///< b, m/s
  Vec3 impulse = Vec3::Zero();  ///< λ on a; b takes −λ
  double end_gap = 0;           ///< m, at the end of the sub-step, before overlaps are taken out
};

/// Where an anchor is half-way, m.
Vec3 place(const BodyMotion& motion, const ContactAnchor& anchor);
/// Which body p is a place of: 1: a, −1: b, 0: in the middle between both.
int holder(const Row& row, const BodyMotion& a, const BodyMotion& b);
/// p of a row, without its grips.
Vec3 common_point(const Row& row, const BodyMotion& a, const BodyMotion& b);
void take_hold(const Body& body, const BodyMotion& motion, const ContactAnchor& anchor, const Vec3& point,
               RowGrip& grip);

/// G u⁻ and G ū of one body, m/s.
Vec3 start_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point);
Vec3 mean_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, double h);
/// Adds Gᵀλ: to `push` and `twist`, or to `nodes` (N s).
void add_impulse(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, const Vec3& impulse, BodyForces& to);

/// √(e₁ e₂) and √(μ₁ μ₂).
double pair_restitution(const Body& a, const Body& b);
double pair_friction(const Body& a, const Body& b);

/// The row of a contact that was found with bodies moving as `a` and `b` say; its gap at the start is that which this motion
/// leads to the contact's gap at the end.
Row make_row(const Model& model, const Contact& contact, std::span<const BodyForces> forces, const BodyMotion& a,
             const BodyMotion& b);

}  // namespace hazumi
