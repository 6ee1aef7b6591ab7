// What a body is told of its substance itself, beside what it is told of its contacts with others: an entry of BodyForces::contacts that
// is of no other body. It stands for the body's own friction and restitution, of which those of a pair are made.
#pragma once

#include <span>

#include "core/sim/body/body.h"

namespace hazumi {

inline constexpr std::int32_t kOfItself = -2;  ///< ContactTold::other

inline void tell_substance(BodyForces& to, double friction, double restitution) {
  ContactTold told;
  told.other = kOfItself;
  told.friction = friction;
  told.restitution = restitution;
  to.contacts.push_back(told);
}
/// Null: as it is.
inline const ContactTold* substance_told(std::span<const BodyForces> forces, std::uint32_t body) {
  if (forces.empty()) return nullptr;
  for (const ContactTold& told : forces[body].contacts)
    if (told.other == kOfItself) return &told;
  return nullptr;
}

}  // namespace hazumi
