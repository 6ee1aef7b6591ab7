// Particles in water (scene/derived/field_values.h): what lifts them, and what of the water goes with them. A particle is a ball.
//
//   z     depth of its centre, m: z⁺ = z − h u·n − h²/2 ā, where ā is the mean of a·n over the depths from z to z⁺ (discrete gradient): however light
//         and small a ball is, it swings for ever and gains nothing; drag, which is not in it, only makes the way shorter
//   β     weight of the water there times the part of the ball that is below (sim/fields/immersed.h)
//   a     (m b − β ρ V g)/(m + β ρ V/2), m/s²: Archimedes, and the water that a ball takes along (added mass of a sphere, Lamb 1932, §92)
//   K     of air and water by β, of all forces m/(m + β ρ V/2) times what it is per mass of the particle alone
//
//   m, V  mass of the particle, kg; volume, m³        b, g  all else that accelerates it; gravity of the scene, m/s²
//   ρ     of the water, kg/m³                         n     up, unit          h   s
// Added mass changes no place of rest and no terminal speed: both are where forces are in balance. Limits: none where a ball goes in or comes out
// (slamming), no waves; bodies have none (sim/fields/stage.h).
#pragma once

#include "core/scene/derived/field_values.h"

namespace hazumi {

/// One particle over a sub-step.
struct Floating {
  Vec3 middle = Vec3::Zero();    ///< m, x + h u/2
  Vec3 velocity = Vec3::Zero();  ///< u, m/s
  double h = 0;                  ///< s
  double radius = 0, mass = 1;   ///< m, kg
};

/// What `water` does to it. `pull`: all that accelerates it so far, m/s², with the water `added` that it takes along already, kg; both become what
/// they are with this one. Gives back β, of the mean over the way.
double immerse(const Floating& ball, const Water& water, const Vec3& gravity, Vec3& pull, double& added);

}  // namespace hazumi
