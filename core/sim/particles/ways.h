// Ways of a block of particles over a sub-step, side by side: those that nothing is near go to their end at once, all others are looked at one by
// one (stage.cpp). With the speed u as the sub-step begins and u⁺ as it ends
//
//   a   (u⁺ − u)/h          x⁺  x + h (c₀ u + c₁ h a)          u⁺  u + h a          c₀, c₁  1 and ½, or of the speed over the life (flight.h)
//
// as of what meets something, whose acceleration has to be known in between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"
#include "core/sim/particles/face_cells.h"
#include "core/sim/particles/flight.h"

namespace hazumi {

/// Of particles that no plane and no body of these is near, it is known that they meet nothing.
struct Surroundings {
  struct Level {
    std::array<double, 3> normal;  ///< unit, world
    double level = 0;              ///< m along it: above are places that are free for what has no size
  };
  struct Body {
    Box3 box;       ///< world
    Pose from, to;  ///< of what has cells, as the sub-step begins and ends
    bool moves = false;
    double thickness = 0;
    const FaceCells* cells = nullptr;  ///< of the faces of what does not bend; null: all in the box is near
    std::uint32_t obstacle = 0;        ///< the number of what has cells
  };
  double step = 1;  ///< s, of the sub-step
  std::vector<Level> planes;
  std::vector<Body> bodies;
};

/// Least radius of what meets something, m.
inline constexpr double kLeastParticleRadius = 1e-5;

/// Of a block.
struct Nearness {
  std::array<std::uint8_t, kParticleList> near;  ///< of each whether it is left as it is
  FacesTold told;                                ///< of those
};

/// Moves those of the block that fly and have nothing near.
void go_freely(const Surroundings& round, const Flown& flown, std::size_t first, std::size_t count,
               ParticleMemory& particles, Nearness& out);

}  // namespace hazumi
