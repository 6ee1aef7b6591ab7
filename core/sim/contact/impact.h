// Impacts: contacts that close faster than SceneSettings::rest_speed start a Hertz pulse (hertz.h); every open pulse gives
// its impulse of this sub-step.
//
// One pulse per body pair and region. Contacts of a pair that look the same way form a region; its place is their mean,
// weighted by depth; a pulse that is open there already takes them over. So a flat face that lands on four corners bounces
// as hard as one corner under its middle. Corners that still approach afterwards are stopped by resting rows.
//
// n₁ is the speed that one unit of impulse gives at that place, nᵀ W n = 1/M₁ + 1/M₂ + (turning part). For a central
// impact that is (M₁ + M₂)/(M₁ M₂) of 3.2; off centre the plain masses would drive the place apart faster than e v₀ and
// add energy. Flexible bodies enter with all their mass, as in the thesis.
//
// Energy. The rigid part of a pulse changes the kinetic energy by −(1 − e²) v₀²/(2 n₁) exactly. The deformation of a
// flexible body is driven by a share θ of the pulse at the touching nodes, so chosen that the vibration it starts holds at
// most what the bounce has lost. The whole pulse on one node of a soft truss would hand it many times the energy of the
// fall; none at all would leave a jelly unmoved. A pulse stops early when its place already separates with e v₀ (something
// else pushed as well).
// Friction: the tangential impulse stops the sliding or is μ times the normal impulse, whichever is less.
//
// In time: a pulse begins when the surfaces meet within the sub-step, not at its start. Its impulse acts at the centroid
// of the pulse, so a body hit at the share s of a sub-step also moves on by (1 − s) h Δv: a ball rebounds from where the
// floor is, and its height does not depend on how sub-steps fall.
#pragma once

#include <vector>

#include "core/sim/contact/body_motion.h"
#include "core/sim/contact/contact.h"
#include "core/sim/contact/shape.h"
#include "core/sim/step.h"

namespace hazumi {

double pair_restitution(const Body& a, const Body& b);  ///< √(e₁ e₂)
double pair_friction(const Body& a, const Body& b);     ///< √(μ₁ μ₂)

struct ImpactContext {
  const Model& model;
  std::vector<BodyShape>& shapes;
  std::vector<BodyMotion>& motions;  ///< at the end of the sub-step, before impacts
  std::vector<Vec3>& velocity_from;  ///< of the centres of mass at the start of the sub-step, plus impulses since
  std::int64_t substep;
};

/// Impulses of the pulses that were open at the start of the sub-step; drops those that end.
void continue_pulses(const ImpactContext& context, std::vector<ContactPulse>& pulses);
/// Opens pulses where contacts close, gives their first impulses, marks contacts that a pulse holds.
/// Returns the bodies that were hit now. `contacts` ordered by (a, b).
std::vector<std::uint32_t> begin_pulses(const ImpactContext& context, std::vector<Contact>& contacts,
                                        std::vector<ContactPulse>& pulses, std::vector<ContactEvent>& events);

}  // namespace hazumi
