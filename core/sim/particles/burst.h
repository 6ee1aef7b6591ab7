// What something asks a source for at once (motion/procedures/emit.cpp), wherever the source is itself, or there.
#pragma once

#include <cstdint>

#include "core/base/id.h"
#include "core/math/types.h"

namespace hazumi {

struct ParticleBurst {
  Id source;
  Vec3 place = Vec3::Zero(), axis = Vec3::UnitY();  ///< m, world; unit: where the source is put, and how it is turned
  Vec3 velocity = Vec3::Zero();                     ///< m/s, that they have besides
  std::uint64_t count = 0;
  bool beside = false;     ///< the surface of something is there, with that normal: copies are put beside it
  double thickness = 0;    ///< m, that is kept from that surface
  bool at_source = false;  ///< where the source is itself, with what carries it; place and axis say nothing then
};

}  // namespace hazumi
