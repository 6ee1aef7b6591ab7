// How nodes and springs of a strung truss look while they are edited: colours of a quantity with their legend, marks of
// pinned and loose nodes.
#pragma once

#include <optional>

#include "ui/modes/mode.h"
#include "ui/modes/truss_options.h"

namespace hazumi {

/// Colours of factors: low blue, 1 pale, high magenta; the same distance from 1 in both directions (× and ÷), at least 2.
struct FactorScale {
  double bound = 2;  ///< the colours end at 1/bound and bound

  static FactorScale of(const std::vector<double>& factors);
  glm::vec4 colour(double factor, float alpha = 1) const;
};

/// What the colours show now; none: springs are plain (nodes always show their mass).
std::optional<BrushQuantity> shown_quantity(const TrussOptions& options);

void draw_truss(const ModeView& view, RenderList& list);
void paint_truss(const ModeView& view, QPainter& painter);

/// Nodes and springs at `places` (world), for what is only looked at: a vibration.
void draw_bare_truss(const Truss& truss, std::span<const glm::vec3> places, RenderList& list);

}  // namespace hazumi
