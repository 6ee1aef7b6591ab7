// What deforms, and bends on the way that keys lead it: they have its centre of mass and its turn, physics has the rest of it (spec 5.4;
// Kondo, Kanai and Anjyo 2004, section 5.2, which corrects places and speeds of all vertices evenly).
//
// As the sub-step begins all of it is given the velocity and the spin with which it is where its keys are when that ends:
//   Δv = (c* − c)/h − ½ h a − v            c*: of the keys at the end; a: of gravity and of all forces on it, m/s²
//   ΔΩ = rate(R → R*)/h − ω − ½ h I⁻¹ τ     ω = I⁻¹ L about c; R: of the frame that its solver holds it by
// A rigid motion more bends nothing by itself. What contacts keep it from is asked for again in the next sub-step, so that it is pressed
// on what is in its way by what one sub-step needs. The energy of that is booked as given (StepReport::given).
#pragma once

#include <cstdint>

namespace hazumi {

struct BodyForces;
struct Model;
struct State;

/// `forces` says where it is led to (not nothing), and all that acts on it but fields; it is not led any more, but kicked.
void carry_whole(const Model& model, const State& state, std::uint32_t body, BodyForces& forces);

}  // namespace hazumi
