// Where something touches one body, so that the place can be found again when the body has moved on.
#pragma once

#include <array>
#include <cstdint>

#include "core/math/types.h"

namespace hazumi {

struct SkinDrivers;

struct ContactAnchor {
  enum Kind : std::uint32_t {
    body_axes,   ///< offset from the centre of mass, turns with the body
    world_axes,  ///< offset from the centre of mass, keeps its direction (the lowest point of a rolling ball)
    nodal,  ///< what deforms: Σ weight · part + offset in the body frame; a part is a node, or a vertex of its skin
  };
  std::uint32_t kind = body_axes;
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  std::array<const SkinDrivers*, 3> skin = {};  ///< vertices, in place of the nodes where not null
  std::array<double, 3> weights = {0, 0, 0};    ///< sum 1
  Vec3 offset = Vec3::Zero();                   ///< m
};

}  // namespace hazumi
