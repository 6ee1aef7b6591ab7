// Analysis models made from the display model (spec 1.7): a catalogue shape fitted to it, or its own
// decimated vertices.
#pragma once

#include <functional>

#include "core/base/result.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/truss/strung.h"
#include "core/geometry/truss/truss.h"

namespace hazumi {

enum class FitFrame {
  bounding_box,    ///< along the object's axes: the recipe alone says it all
  principal_axes,  ///< along the principal axes of the surface: a strung truss is needed, since recipes do
                   ///< not turn
};

struct FitOptions {
  TrussShape shape = TrussShape::icosahedron;
  std::array<int, 3> divisions = {1, 1, 1};
  FitFrame frame = FitFrame::bounding_box;
  /// Grow it until every vertex of the mesh is inside (linear mapping then never extrapolates). Off: its
  /// extents are those of the mesh.
  bool enclose = false;
  double margin = 0;  ///< m, added on every side
};

struct TrussFit {
  TrussRecipe recipe;                ///< size and offset; in the turned frame when `rotation` is not the identity
  Quat rotation = Quat::Identity();  ///< of the shape about the object's origin: node = rotation ×
                                     ///< make_truss(recipe) node
  StrungTruss strung;                ///< the truss itself, rotation applied
};

/// Fails for an empty mesh. Extents below a hundredth of the largest are taken as that (a flat mesh gets a
/// thin truss).
Result<TrussFit> fit_truss(const DisplayMesh& mesh, const FitOptions& options);

struct DecimationOptions {
  int nodes = 60;         ///< aimed at, 4…5,000
  bool per_part = false;  ///< every part keeps nodes of its own (at least 6): thin limbs stay local
  std::function<bool()> cancelled = {};
};

/// The mesh simplified (meshoptimizer) to about so many vertices; its edges as springs, and springs through
/// the inside: across every edge, through the body along the inward normal, and a centre node with spokes if
/// that is not yet rigid. The hull is the simplified surface where that is closed. Result: connected, no
/// mechanisms (truss_rigidity.h), or one sentence with a remedy.
Result<StrungTruss> truss_by_decimation(const DisplayMesh& mesh, const DecimationOptions& options);

}  // namespace hazumi
