// How a body moved over one sub-step, as rows of contacts see it: the velocity of a place of it at the start (u⁻) and in the mean
// over the sub-step (ū), and how it answers to impulses there.
//
//   what does not deform   u = V + ω × (p − o)           A⁻¹ = diag(1/m, R J⁻¹ Rᵀ), R the attitude half-way
//                          o: c̄ = ½ (c⁻ + c⁺) of free bodies, the pin of pinned ones (V = 0, 1/m = 0)
//                          ω̄: hω̄ × ½ (R⁻ + R⁺) s = (R⁺ − R⁻) s, exactly in one part (rigid_midpoint.h)
//   what deforms           u_i of the nodes, ū_i = (x_i⁺ − x_i⁻)/h
// With these ū the energy of a body changes by Σ λ·ū of the impulses λ, whatever they are (contact.md).
#pragma once

#include <span>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct BodyMotion {
  bool moves = false;  ///< impulses change it at all
  bool deforms = false;
  bool turns_freely = false;              ///< nothing but impulses and forces changes its angular momentum
  Vec3 centre = Vec3::Zero();             ///< m, origin of the body frame, half-way
  Mat3 attitude = Mat3::Identity();       ///< half-way, a rotation
  Mat3 mean_attitude = Mat3::Identity();  ///< ½ (R⁻ + R⁺), no rotation

  // What does not deform; of what deforms the centre of mass has a velocity too
  Vec3 origin = Vec3::Zero();                                      ///< o, m
  double inverse_mass = 0;                                         ///< 1/kg
  Mat3 inverse_inertia = Mat3::Zero();                             ///< R J⁻¹ Rᵀ, 1/(kg m²)
  Vec3 linear_start = Vec3::Zero(), linear_mean = Vec3::Zero();    ///< V⁻, V̄, m/s
  Vec3 angular_start = Vec3::Zero(), angular_mean = Vec3::Zero();  ///< ω⁻, ω̄, rad/s

  // What deforms
  std::vector<Vec3> nodes_from, nodes_to;  ///< x⁻, x⁺, m
  std::vector<Vec3> velocities;            ///< u⁻, m/s
  std::span<const double> masses;          ///< kg

  Vec3 middle(std::uint32_t node) const { return 0.5 * (nodes_from[node] + nodes_to[node]); }
};

}  // namespace hazumi
