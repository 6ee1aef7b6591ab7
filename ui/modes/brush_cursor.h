// The circle of a brush: where it means, how large it is on the screen, and its radius by wheel or by F and the mouse. Shared
// by the brushes of all modes.
#pragma once

#include <optional>

#include "ui/modes/mode.h"

namespace hazumi {

class BrushCursor {
 public:
  static constexpr double kLeast = 1e-3, kMost = 1e3;   ///< m

  /// The mouse is at `pixel` over `place` (object frame before the scale; none: beside everything).
  void at(QPointF pixel, std::optional<Vec3> place);
  const std::optional<Vec3>& place() const { return place_; }

  bool sizing() const { return sizing_; }
  /// F: the mouse sets the radius from now on. `radius` m in the world.
  void start_sizing(double radius);
  /// The radius for the mouse at `pixel`.
  double sized(const ModeView& view, QPointF pixel) const;
  /// True: the size holds; false: the one before, which is returned by start_radius().
  void end_sizing() { sizing_ = false; }
  double start_radius() const { return start_radius_; }

  static double wheeled(double radius, double notches);
  void paint(const ModeView& view, QPainter& painter, double radius, const QColor& colour, const QString& text) const;

  /// From the world into the frame of a scaled object (the mean of its axes).
  static double local_radius(const ObjectSpace& space, double radius);

 private:
  double metres_per_pixel(const ModeView& view) const;

  QPointF pixel_, sizing_from_;
  std::optional<Vec3> place_;
  bool sizing_ = false;
  double start_radius_ = 0;
};

/// What a brush means without a surface under the mouse: the depth of the nearest of these places on the screen.
std::optional<Vec3> brush_place(const ModeContext& context, const ModePointer& pointer, std::span<const Vec3> places);

}  // namespace hazumi
