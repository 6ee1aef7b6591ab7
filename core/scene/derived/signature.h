// What a run reads of one thing of a scene, as three hashes: what acts from the start, what acts only once it touches
// something, and how contacts are found. Made from the field table and the lists: a row is in the hash that
// effect_now() says, members that the present kind of thing does not read (the spring constant of a rigid body) in none.
#pragma once

#include <cstdint>

#include "core/scene/values/scene.h"

namespace hazumi {

struct Signature {
  std::uint64_t motion = 0;
  std::uint64_t contact = 0;  ///< restitution, friction, elasticity at contacts; 0: nothing is read
  std::uint64_t touch = 0;    ///< whether and as what it touches; 0: it takes no part in contacts
  friend bool operator==(const Signature&, const Signature&) = default;
};

Signature signature_of(const Object& object);
/// The same, worked out once for each version of an object and kept beside it.
Signature signature_of(const Shared<Object>& object);
std::uint64_t signature_of(const SceneSettings& settings);

}  // namespace hazumi
