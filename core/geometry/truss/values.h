// Mass, stiffness, damping and cross-section of a strung truss in the units of the body (kg, N/m, N s/m, m²),
// for a selection or under a brush. The truss itself stores factors (strung_truss.h); the totals are the
// body's.
#pragma once

#include "core/base/result.h"
#include "core/geometry/truss/edit.h"

namespace hazumi {

/// What of BodySettings, Material and Transform the factors stand on.
struct TrussTotals {
  double mass = 1;              ///< kg, of the whole body
  double stiffness = 800;       ///< N/m (used when not `from_material`)
  double damping = 0.5;         ///< N s/m
  bool from_material = false;   ///< stiffness is E A / l
  double young = 1e7;           ///< Pa
  double cross_section = 1e-4;  ///< m²
  Vec3 scale = Vec3::Ones();    ///< of the object; lengths l are scaled ones
};

double node_mass(const StrungTruss& truss, std::uint32_t node, const TrussTotals& totals);           ///< kg
double spring_length(const StrungTruss& truss, std::uint32_t spring, const TrussTotals& totals);     ///< m
double spring_stiffness(const StrungTruss& truss, std::uint32_t spring, const TrussTotals& totals);  ///< N/m
double spring_damping(const StrungTruss& truss, std::uint32_t spring, const TrussTotals& totals);    ///< N s/m
double spring_cross_section(const StrungTruss& truss, std::uint32_t spring,
                            const TrussTotals& totals);  ///< m²

/// Every selected node weighs `mass` kg. The body keeps its mass: the others share the rest as they did
/// before. An error (one sentence) when the selection would take all of it, or when all nodes are selected
/// and the sum is not the body's mass.
Result<StrungTruss> set_node_mass(const StrungTruss& truss, const NodeSelection& nodes, double mass,
                                  const TrussTotals& totals);
struct MassEdit {
  StrungTruss truss;
  double body_mass = 0;  ///< kg, for BodySettings::mass
};
/// The same, but the others keep their kilograms and the body gets heavier or lighter.
Result<MassEdit> set_node_mass_and_total(const StrungTruss& truss, const NodeSelection& nodes, double mass,
                                         const TrussTotals& totals);
/// Values must be finite and above 0 (damping: 0 or more), else an error.
Result<StrungTruss> set_spring_stiffness(const StrungTruss& truss, const SpringSelection& springs, double stiffness,
                                         const TrussTotals& totals);
Result<StrungTruss> set_spring_damping(const StrungTruss& truss, const SpringSelection& springs, double damping,
                                       const TrussTotals& totals);
Result<StrungTruss> set_spring_cross_section(const StrungTruss& truss, const SpringSelection& springs, double area,
                                             const TrussTotals& totals);

enum class BrushQuantity { mass, stiffness, damping, cross_section };
enum class BrushAction {
  raise,   ///< factor × e^(strength w)
  lower,   ///< factor × e^(−strength w)
  set,     ///< towards `target` by the share strength × w
  smooth,  ///< towards the mean of the neighbours by the share strength × w
};

/// One dab. w = 1 within (1 − falloff) × radius of the centre, from there smoothly (3t² − 2t³) to 0 at the
/// radius. Nodes count where they are, springs where they are nearest to the centre. Factors stay within 1e-4
/// … 1e4 (damping may be 0 by `set`).
struct TrussBrush {
  BrushQuantity quantity = BrushQuantity::stiffness;
  BrushAction action = BrushAction::raise;
  Vec3 centre = Vec3::Zero();  ///< m, object frame
  double radius = 0.2;         ///< m
  double strength = 0.1;       ///< 0…1 a dab
  double falloff = 1;          ///< 0 hard … 1 soft
  double target = 1;           ///< factor, for `set`
};
double brush_weight(const TrussBrush& brush, double distance);
/// Unchanged (equal to `truss`) where nothing is within the radius.
StrungTruss apply_brush(const StrungTruss& truss, const TrussBrush& brush, const OptionalSymmetry& symmetry = {});
/// The factors that a brush paints, one per node (mass) or spring: for showing them as colours.
std::vector<double> brush_factors(const StrungTruss& truss, BrushQuantity quantity);

}  // namespace hazumi
