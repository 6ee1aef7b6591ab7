// What a run reads of one object, as two hashes: what acts from the start, and what acts only once the object
// touches something. Members that the object's present kind does not read (the spring constant of a rigid
// body) are in neither. When in doubt a member is in `motion`: dropping a frame too many is slow, one too few
// is wrong.
#pragma once

#include <cstdint>

#include "core/scene/values/scene.h"

namespace hazumi {

struct ObjectSignature {
  std::uint64_t motion = 0;
  std::uint64_t contact = 0;  ///< restitution, friction, elasticity at contacts; 0 when the object does not touch
  bool touches = false;       ///< takes part in contacts
};

ObjectSignature object_signature(const Object& object);
std::uint64_t settings_signature(const SceneSettings& settings);

}  // namespace hazumi
