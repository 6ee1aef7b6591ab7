// Where particles are born, and how fast. All random numbers are of (seed, source, number of the particle): which particle comes before does not
// matter.
//
//   ball        place evenly in it, middle direction away from the centre
//   disc, ring  place evenly on it; middle direction the axis, leaning outwards by the tilt
//   surface     place evenly on the display model's faces, by their area as the run begins; middle direction the normal
//   curve       place evenly along it; middle direction the axis
// Directions are spread evenly over the cap of a cone about the middle direction. A source that moves is where it is at the moment of each birth.
#pragma once

#include <memory>
#include <vector>

#include "core/geometry/curve/curve.h"
#include "core/scene/values/particle_source.h"
#include "core/sim/particles/flight.h"
#include "core/sim/particles/memory.h"
#include "core/sim/state.h"

namespace hazumi {

struct Model;
struct Body;

/// Places on the display model of a body.
class BirthSurface {
 public:
  explicit BirthSurface(const Body& body);
  bool empty() const { return faces_.empty(); }
  struct Place {
    std::array<std::uint32_t, 3> corners;
    double first = 0, second = 0;  ///< parts of the second and third corner
  };
  /// Of three numbers 0…1.
  Place place(double a, double b, double c) const;

 private:
  std::vector<std::array<std::uint32_t, 3>> faces_;
  std::vector<double> until_;  ///< m², of the faces up to each
};

/// A source over one sub-step.
struct BirthPlace {
  const ParticleSource* source = nullptr;
  Pose from, to;                        ///< of the source, in the world
  const CurveWay* way = nullptr;        ///< of a source on a curve
  const BirthSurface* faces = nullptr;  ///< of a source on a surface
  const Body* carrier = nullptr;
  const std::vector<double>*before = nullptr, *after = nullptr;  ///< of the carrier
  Vec3 velocity = Vec3::Zero();  ///< m/s, given to all: of a burst that something else asked for
  double step = 0;               ///< s
  ParticleDice dice;
};

/// Puts particle `at` of the memory, whose number is there, where it is born at this part of the sub-step; with its velocity and life.
void give_birth(const BirthPlace& place, double part, std::size_t at, ParticleMemory& particles);

/// Births of one sub-step: by the rate, then bursts.
struct Births {
  std::uint64_t by_rate = 0, in_bursts = 0;
  double first = 0, per = 0, begin = 0, end = 1;  ///< owed at the beginning; by the rate in all; parts of the sub-step
  double burst_at = 0, burst_period = 0;          ///< of the first, and from one to the next: parts of the sub-step
  std::uint64_t burst = 1;
  std::uint64_t count() const { return by_rate + in_bursts; }
  double part(std::uint64_t birth) const;  ///< 0…1, when it comes
};
/// `begin`, `end`: of the sub-step, s of the film; `owed` is counted on.
Births births_of(const ParticleSource& source, double begin, double end, double step, double& owed);

}  // namespace hazumi
