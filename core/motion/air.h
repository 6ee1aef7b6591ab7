// How something flies through a scene's fields of force and its own drag, to be drawn before anything has run (sketch.h): as a ball whose
// drag is the mean of that of all its attitudes. A run has its surface, and how it turns (sim/fields/stage.h, whose equations these are).
//
//   c ρ A/8m |u − U|   1/s, drag of a closed surface A by air of density ρ, Newtonian impact averaged over attitudes; of an open one A/4
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/geometry/mesh/winding.h"
#include "core/sim/fields/ball.h"

namespace hazumi {

struct Object;

class SketchAir {
 public:
  /// Null: nothing acts on it. `film`: s, when it leaves. `mass` in kg. Without a mesh it is a ball of its mass and density.
  static std::shared_ptr<const SketchAir> round(const Scene& scene, const Object& object, const DisplayMesh* mesh,
                                                double mass, double film);

  struct Start {
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero(), gravity = Vec3::Zero();  ///< m, m/s, m/s²
    double share = 1;                                                            ///< of all that air and fields do
  };
  /// Where it is at `times`, s after it left, ascending; fewer where it leaves all bounds.
  std::vector<Vec3> flown(const Start& start, std::span<const double> times) const;

 private:
  std::vector<FieldNow> fields_;
  FlyingBall ball_;
  double film_ = 0;
};

}  // namespace hazumi
