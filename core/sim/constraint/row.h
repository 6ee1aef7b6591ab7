// One row of the constraint problem: a place where two bodies touch, and how it holds each of them.
//
//   p   one world point for both bodies, half-way through the sub-step (m): the impulse λ acts on both there, so that momentum
//       and angular momentum about any point are kept
//   G   velocity of p from the body's velocities. What does not deform: V + ω × (p − o). What deforms: Σ G_k u_k, which must
//       reproduce rigid motion about p with the nodes at x̄_k, half-way. Up to three parts with weights w, Σ w = 1:
//         G u = Σ w v + ω × (p − q),   q = Σ w x̄ of the parts as far as v says how they move
//         v   a node: u_k at x̄_k.  A vertex of the skin that is linear: Σ weight u_k + centre V.  Another: block u + origin V + turn ω
//         V   of the centre of mass, ω of the frame that fits the nodes half-way (motion.h): both are sums over all nodes
//       (SkinDrivers, VertexRate). What moves is then the vertex itself: the gap changes by h n·ū, exactly where the vertex is
//       linear, else to the third order. Three nodes in its place would move otherwise, as soon as the body deforms, and the
//       vertex would sink while the row says that it rests.
//       Gᵀλ: λ shared out over nodes, and for V and ω the impulses m_k (push/M + (Sᵀ twist) × R r_k): see share_out().
// p is where the contact's anchor is: on the body whose surface is the sharper one (a node, a corner, the lowest point of a
// ball), in the middle where none is.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/math/rotation.h"
#include "core/sim/body/motion.h"
#include "core/sim/constraint/law.h"
#include "core/sim/contact/contact.h"
#include "core/sim/model.h"

namespace hazumi {

/// How a row holds one body.
struct RowGrip {
  struct Part {
    const SkinDrivers* skin = nullptr;  ///< null: the node
    std::uint32_t node = 0;             ///< or of a vertex that is not linear its number in BodyMotion::held
    double weight = 0;                  ///< w
  };
  static constexpr std::size_t kMost = 3;
  std::array<Part, kMost> part;
  std::uint8_t count = 0;     ///< of parts; 0: does not deform
  bool plain = true;          ///< nothing of G depends on where nodes are
  Vec3 lever = Vec3::Zero();  ///< p − q, m; of what does not deform: how far from the row's point it is held
};

/// Of a row on a surface that curves on (row_curve.h).
struct RowCurve {
  bool lies = false;         ///< what rolls or slides was in touch at the start
  bool curves = false;       ///< the normal is between those of start and end, and x⁻ is seen along it
  bool follows = false;      ///< it turns with the surface and does not come in
  double lain = 0;           ///< m, gap at the start from where it lay
  Vec3 onto = Vec3::Zero();  ///< n⁺
  double gap = 0;            ///< m, at the start, from the surface that n⁺ is of
  double comes = 0;          ///< τ⁻, m/s
  double leaves = 0;         ///< τ⁺, m/s
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
  bool grips = false;  ///< and yielded then: it is one of what squeezes something
  // Of this sub-step
  Vec3 point = Vec3::Zero();  ///< p
  RowGrip a, b;
  RowMemory memory;
  double before = 0;  ///< u⁻ along the normal, m/s
  RowCurve curve;
  double target = 0;            ///< b, m/s
  Vec3 impulse = Vec3::Zero();  ///< λ on a; b takes −λ
  double end_gap = 0;           ///< m, at the end of the sub-step, before overlaps are taken out
  std::int32_t pulse = -1;      ///< number of the pulse that it is under, in its island (pulse.h)
  double squash = 0;            ///< m, overlap that this lets it have

  double start_gap() const { return curve.curves ? curve.lain : gap; }
  /// It is moved to where the surface is, in or out.
  bool follows() const { return curve.follows && !(memory.exit > 0) && pulse < 0; }
};

/// Vertices of an anchor that do not follow the nodes linearly are listed in the held frame; true: one is new there, and
/// Body::hold() is to be called before the anchor is used.
bool list_vertices(const ContactAnchor& anchor, BodyMotion& motion);
/// Where an anchor is half-way, m.
Vec3 place(const BodyMotion& motion, const ContactAnchor& anchor);
/// Which body p is a place of: 1: a, −1: b, 0: in the middle between both.
int holder(const Row& row, const BodyMotion& a, const BodyMotion& b);
/// p of a row, without its grips.
Vec3 common_point(const Row& row, const BodyMotion& a, const BodyMotion& b);
void take_hold(const BodyMotion& motion, const ContactAnchor& anchor, const Vec3& point, RowGrip& grip);

/// G u⁻ and G ū of one body, m/s.
Vec3 start_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point);
Vec3 mean_velocity(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, double h);
/// J, the most that can have been taken where a row was met: what moves there had no more, as seen from the other one. What something
/// led does beyond that, squeezing what has nowhere to go, is stored nowhere and cannot come back.
double to_be_taken(const BodyMotion& a, const BodyMotion& b, const Row& row);
/// Adds Gᵀλ: to `push` and `twist`, of what deforms also to `nodes` (N s).
void add_impulse(const BodyMotion& motion, const RowGrip& grip, const Vec3& point, const Vec3& impulse, BodyForces& to);
/// What deforms: `push` and `twist` on the body as a whole become impulses of the nodes.
void share_out(const BodyMotion& motion, BodyForces& to);

/// What the two bodies (their numbers in Model::bodies, in any order) are told in this sub-step, else what the scene gives, else
/// √(e₁ e₂) and √(μ₁ μ₂).
double pair_restitution(const Model& model, std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b);
double pair_friction(const Model& model, std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b);
/// They are told not to touch.
bool told_to_pass(std::span<const BodyForces> forces, std::uint32_t a, std::uint32_t b);

/// Between which motions a row is made.
struct RowSetting {
  const Model& model;
  std::span<const BodyForces> forces;
  const BodyMotion &a, &b;
  /// How both came to where the contact was found. Where overlaps were taken out before, that is another way than a and b go.
  const BodyMotion &seen_a, &seen_b;
};

/// The row of a contact; its gap at the start is that which the motions that it was seen with lead to the contact's gap at the end.
/// `credit`: PairMemory::turning.
Row make_row(const RowSetting& on, const Contact& contact, double credit = 0);

/// What grips have of nodes, V and ω, each to be summed: G u = Σ block u + of_centre V + of_turn ω.
struct GripSums {
  Mat3 of_centre = Mat3::Zero(), of_turn = Mat3::Zero();
};

template <class What>
GripSums each_node(const RowGrip& grip, const BodyMotion& motion, const What& what) {
  GripSums sums;
  sums.of_turn = -skew(grip.lever);
  for (std::size_t k = 0; k < grip.count; ++k) {
    const RowGrip::Part& part = grip.part[k];
    if (!part.skin) {
      what(part.node, Mat3(part.weight * Mat3::Identity()));
    } else if (part.skin->linear) {
      for (const NodeWeight& w : part.skin->nodes) what(w.node, Mat3(part.weight * w.weight * Mat3::Identity()));
      sums.of_centre += part.weight * part.skin->centre * Mat3::Identity();
    } else {
      const VertexRate& rate = motion.held.rates[part.node];
      for (const NodeBlock& b : rate.nodes) what(b.node, Mat3(part.weight * b.block));
      sums.of_centre += part.weight * rate.origin;
      sums.of_turn += part.weight * rate.turn;
    }
  }
  return sums;
}

}  // namespace hazumi
