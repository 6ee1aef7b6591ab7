// How a body answers to impulses within one sub-step, whatever its kind: the part of Body that rows of contacts and joints
// are made of.
//
//   u            velocities of a body in its own coordinates, Body::velocity_size() numbers: fixed none; point v; rigid v of
//                the centre of mass and ω; pinned ω about the pin; flexible the velocities of its nodes; world axes
//   J            of an anchor: velocity of its place, m/s = J u                              Body::velocity_at
//   λ            impulse at an anchor, N s
//   A            matrix of the body's step: M, and with springs M + ½ h C + β h² K
//   du = A⁻¹ Jᵀ λ   change of u by the end of the sub-step, exact                            Body::respond
//   W_ij = J_i A⁻¹ J_jᵀ   1/kg, velocity of place i per unit of impulse at place j           coupling; mobility for i = j
//
// The place of an anchor of what deforms, Σ w_j x_j + offset: the offset turns with the nodes as a whole, J = Σ w_j u_j + ω ×
// offset with ω from their angular momentum, and Jᵀ gives the missing torque to all nodes. So the sums of impulse and of its
// moment are those of λ at the place whatever the weights are.
#pragma once

#include "core/sim/body/body.h"

namespace hazumi {

Mat3 coupling(const Body& body, std::span<const double> values, const ContactAnchor& i, const ContactAnchor& j);
Mat3 mobility(const Body& body, std::span<const double> values, const ContactAnchor& anchor);
/// u += du, x += ½ h du for what begins at the start of the sub-step, h du for what is kicked.
void apply_response(const Body& body, std::span<double> values, std::span<const double> du, double h);
/// J that a move costs under gravity g (m/s²): elastic, potential, and of rotation where the angular momentum stays.
double displacement_cost(const Body& body, std::span<const double> values, std::span<const double> dx, const Vec3& g);

}  // namespace hazumi
