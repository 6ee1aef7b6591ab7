// What deforms, and bends on the way that keys lead it: they have its centre of mass and its turn, physics has the rest of it (spec 5.4;
// Kondo, Kanai and Anjyo 2004, section 5.2, which corrects places and speeds of all vertices evenly).
//
// As the sub-step k begins all of it is given a velocity and a spin, as by a blow:
//   Δv = (x*ₖ₊₁ − x*ₖ)/h + (1 − e^(−h/τ)) (x*ₖ − x)/h − ½ h a − v          a: m/s², of gravity and of all forces on it but fields
//   ΔΩ = rate(R*ₖ → R*ₖ₊₁) + (1 − e^(−h/τ)) rate(R → R*ₖ) − ½ h I⁻¹ M − ω     ω = I⁻¹ L about its centre of mass, M: moment of the forces
// A free body goes from key to key by that, to round-off, and what contacts keep from it comes nearer as e^(−t/τ). (To be there at once asks
// for e/h, which threw what was held at one end by any speed.) A rigid motion more bends nothing by itself. Its energy is booked as given
// (StepReport::given).
#pragma once

#include <cstdint>

#include "core/math/types.h"

namespace hazumi {

struct BodyForces;
struct Model;
struct State;

/// Where keys have an object frame as the sub-step begins, and at its end.
struct CarriedWay {
  Pose now, after;
  double tau = 0;  ///< s
};
inline constexpr double kCarryTime = 0.02;  // s, τ of what is not on its way back to its keys

/// `forces`: all that acts on it but fields. It is not led, but kicked.
void carry_whole(const Model& model, const State& state, std::uint32_t body, const CarriedWay& way, BodyForces& forces);

}  // namespace hazumi
