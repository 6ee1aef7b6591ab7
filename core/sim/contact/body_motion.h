// How a body answers to impulses, for all that happens at velocity level within one sub-step (pulses, resting rows).
//
// A rigid body answers to an impulse J at p with Δv = J/M, Δω = I⁻¹ (p − c) × J. A flexible body does so too, and deforms:
// the impulse is shared out to the nodes of the anchor (w_j, Σ w_j = 1) and what is left of w_j J/m_j when its rigid part is
// taken out is Δḋ. Total momentum and total angular momentum are those of J at p whatever the weights are (3.3).
//
//   c m centre of mass   M kg   I kg m² (world axes)   w_j – share of node j   m_j kg   ψ – see below
//
// How much of the deformation a contact sees. The velocity of a place is u = v + ω × r + ψ Σ w_j ḋ_j, and an impulse drives
// the deformation with the same ψ, so that the impulse does the work J·u exactly. ψ² = 1/(1 + ½ h c/m + ¼ h² k/m) is the
// part of a node's velocity that an implicit step over h lets through (the diagonal of M A⁻¹). For a soft truss ψ ≈ 1:
// nodes hit the floor one by one. For a stiff one ψ ≈ 0: its nodes ring far above 1/h, an instantaneous J/m_j would only
// start a vibration that the integrator can turn from step to step but not resolve, and the body meets the floor as a
// rigid one. Raw node impulses at every stiffness were the alternative; they make steel trusses rattle for ever.
//
// Pinned nodes. The rigid part of a body with pins is what the pins leave (sim/elastic/pins.h): c is the first pin, 1/M = 0, and
// I⁻¹ about it has only the turns that are possible; pinned nodes have 1/m_j = 0. A body held by three pins answers with its
// deformation alone; to an impact it is a wall that gives.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/sim/body/body.h"
#include "core/sim/state.h"

namespace hazumi {

/// What a body tells of itself when it is loaded (Body::load).
struct MotionNow {
  bool movable = false, pinned = false;
  bool nodal = false;  ///< its nodes move on their own
  double inverse_mass = 0, softness = 0, least_mobility = 0;
  Mat3 inverse_inertia = Mat3::Zero();
  Vec3 mass_centre = Vec3::Zero(), centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  Quat rotation = Quat::Identity();
  std::vector<Vec3> nodes, deformation_velocity;
  const std::vector<double>* masses = nullptr;
  const std::vector<char>* held = nullptr;  ///< null: no pins

  void set_mass(double mass) {
    inverse_mass = 1.0 / mass;
    movable = inverse_mass > 0;
  }
  /// After set_mass: what pins hold does not move as a whole.
  void set_pinned() {
    pinned = true;
    least_mobility = 1e-9 * inverse_mass;
    inverse_mass = 0;
  }
  /// As new, but for the memory of the vectors.
  void reset();
};

class BodyMotion {
 public:
  /// Reads body and state; `nodes` (flexible) are the present node positions, world.
  void load(const Body& body, std::span<const double> values, std::span<const Vec3> nodes);
  /// Writes what impulses and shifts have changed since load.
  void store(const Body& body, std::span<double> values);

  bool loaded() const { return loaded_; }
  void unload() { loaded_ = false; }
  bool movable() const { return now_.movable; }
  bool pinned() const { return now_.pinned; }
  /// Least mobility, 1/kg, that counts as one: what pins hold has none, but for rounding.
  double least_mobility() const { return now_.least_mobility; }
  const Vec3& centre() const { return now_.centre; }            ///< of mass; pinned: the first pin
  const Vec3& mass_centre() const { return now_.mass_centre; }  ///< of rigid bodies and points
  const Vec3& velocity() const { return now_.velocity; }
  const Vec3& spin() const { return now_.spin; }

  Vec3 point(const ContactAnchor& anchor) const;  ///< where it is now (as loaded)
  Vec3 rigid_velocity(const Vec3& p) const { return now_.velocity + now_.spin.cross(p - now_.centre); }
  Vec3 deformation_velocity(const ContactAnchor& anchor) const;                           ///< Σ w_j ḋ_j
  Vec3 contact_velocity(const ContactAnchor& anchor, const Vec3& p, double share) const;  ///< u, share = ψ

  double softness() const { return now_.softness; }
  /// nᵀ W n: speed along n per unit impulse along n, rigid part.
  double rigid_mobility(const Vec3& p, const Vec3& n) const;
  /// What deformation adds to it, before any factor ψ or θ².
  double deformation_mobility(const ContactAnchor& anchor, const Vec3& n) const;
  double mobility(const ContactAnchor& anchor, const Vec3& p, const Vec3& n, double share) const {
    return rigid_mobility(p, n) + share * share * deformation_mobility(anchor, n);
  }

  /// `share`: ψ or θ, how much of it drives the deformation.
  void add_impulse(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share);
  /// The same in position: moves the body as `impulse` (kg m) would have its velocity.
  void add_shift(const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share);
  /// Node forces with the sum `force` and its torque about the centre of mass (flexible; 3.3): the shares of the anchor, and
  /// a turn of the whole for the torque that is missing then.
  void share_force(const Body& body, const ContactAnchor& anchor, const Vec3& p, const Vec3& force,
                   std::vector<Vec3>& nodes) const;
  /// How far the place has been moved by shifts.
  Vec3 shift_at(const ContactAnchor& anchor, const Vec3& p) const;

  // For Body::store ---------------------------------------------------------------------------------------------------
  const MotionNow& now() const { return now_; }
  bool changed() const { return change_.any; }  ///< by impulses; velocity() and spin() have them
  bool shifted() const { return shift_.any; }
  const Vec3& linear_shift() const { return shift_.linear; }                   ///< m
  const Vec3& angular_shift() const { return shift_.angular; }                 ///< rad
  Vec3 node_change(std::uint32_t node) const { return whole(change_, node); }  ///< m/s
  Vec3 node_shift(std::uint32_t node) const { return whole(shift_, node); }    ///< m
  std::vector<NodeImpulse> impulses;                                           ///< memory that is kept between steps
  std::vector<Vec3> displacement;                                              ///< likewise

 private:
  struct Rates {  // velocities, or displacements
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    std::vector<Vec3> nodes;                                         // w_j J / m_j summed
    Vec3 nodes_linear = Vec3::Zero(), nodes_angular = Vec3::Zero();  // rigid part of `nodes`
    bool nodal = false, any = false;
  };
  void add(Rates& rates, const ContactAnchor& anchor, const Vec3& p, const Vec3& impulse, double share);
  Vec3 deformation(const Rates& rates, std::uint32_t node) const;
  Vec3 whole(const Rates& rates, std::uint32_t node) const {
    return rates.linear + rates.angular.cross(now_.nodes[node] - now_.centre) + deformation(rates, node);
  }
  Vec3 anchor_nodes(const ContactAnchor& anchor) const;  // Σ w_j x_j

  double inverse_node_mass(std::uint32_t node) const {
    return now_.held && (*now_.held)[node] ? 0.0 : 1.0 / (*now_.masses)[node];
  }

  bool loaded_ = false;
  MotionNow now_;
  Rates change_, shift_;
};

/// Whether two bodies that meet can give way at all: w is the sum of their mobilities.
inline bool can_answer(const BodyMotion& a, const BodyMotion& b, double w) {
  return w > 0 && w > std::max(a.least_mobility(), b.least_mobility());
}

}  // namespace hazumi
