// How a body moved over one sub-step, as rows of contacts see it: the velocity of a place of it at the start (u⁻) and in the mean
// over the sub-step (ū), and how it answers to impulses there.
//
//   what does not deform   u = V + ω × (p − o)           A⁻¹ = diag(1/m, R J⁻¹ Rᵀ), R the attitude half-way
//                          o: c̄ = ½ (c⁻ + c⁺) of free bodies, the pin of pinned ones (V = 0, 1/m = 0)
//                          ω̄: hω̄ × ½ (R⁻ + R⁺) s = (R⁺ − R⁻) s, exactly in one part (rigid_midpoint.h)
//   what deforms           u_i of the nodes, ū_i = (x_i⁺ − x_i⁻)/h; V of the centre of mass, ω of the frame that fits the nodes
//                          half-way: ω = S Σ m R r × u  (R = polar(Σ m y rᵀ), S: polar_rate() of core/math/rotation.h; of what is
//                          pinned about the first pin, and the turns that the pins leave). R and S stay while impulses change, so
//                          that what carried an impulse is what its work is measured with; hold() moves them.
// With these ū the energy of a body changes by Σ λ·ū of the impulses λ, whatever they are (contact.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/geometry/mapping/mapping.h"
#include "core/math/types.h"

namespace hazumi {

/// The frame of what deforms, as rows hold it, and vertices of the skin that do not follow the nodes linearly.
struct HeldFrame {
  Mat3 attitude = Mat3::Identity();  ///< R
  Mat3 rate = Mat3::Zero();          ///< S, 1/(kg m²)
  std::vector<std::uint32_t> vertices;
  std::vector<VertexRate> rates;  ///< one per vertex; of what is pinned the nodes hold the part of the centre, too
};

struct BodyParts;

struct BodyMotion {
  bool moves = false;  ///< impulses change it at all
  bool deforms = false;
  bool led = false;                       ///< it goes where it is told, no impulse changes it
  bool turns_freely = false;              ///< nothing but impulses and forces changes its angular momentum
  Vec3 centre = Vec3::Zero();             ///< m, origin of the body frame, half-way
  Mat3 attitude = Mat3::Identity();       ///< half-way, a rotation
  Mat3 mean_attitude = Mat3::Identity();  ///< ½ (R⁻ + R⁺), no rotation

  // What does not deform; of what deforms the velocities are those of the centre of mass and of the frame
  Vec3 origin = Vec3::Zero();                                      ///< o, m
  double inverse_mass = 0;                                         ///< 1/kg
  Mat3 inverse_inertia = Mat3::Zero();                             ///< R J⁻¹ Rᵀ, 1/(kg m²)
  Vec3 linear_start = Vec3::Zero(), linear_mean = Vec3::Zero();    ///< V⁻, V̄, m/s
  Vec3 angular_start = Vec3::Zero(), angular_mean = Vec3::Zero();  ///< ω⁻, ω̄, rad/s

  // What deforms
  std::vector<Vec3> nodes_from, nodes_to;  ///< x⁻, x⁺, m
  std::vector<Vec3> velocities;            ///< u⁻, m/s
  std::span<const double> masses;          ///< kg
  std::span<const Vec3> arms;              ///< r, m, body axes
  HeldFrame held;
  std::shared_ptr<const BodyParts> parts;  ///< null: it is one
  int solver = -1;                         ///< by which it bends (BodyForces::solver)
  bool limp = false;                       ///< Body::limp()

  Vec3 middle(std::uint32_t node) const { return 0.5 * (nodes_from[node] + nodes_to[node]); }
};

}  // namespace hazumi
