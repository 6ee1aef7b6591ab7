// The curve of one number of a track as what is drawn: Bezier segments in pixels, exactly those of derived/tracks.h, since time and
// value are only stretched on the way to the screen. Where keys are closer than pixels a column from the least to the greatest.
#pragma once

#include <QPainterPath>

#include "core/scene/derived/tracks.h"
#include "ui/model/time_window.h"

namespace hazumi {

/// Where a time and a value are on the screen.
struct CurvePlace {
  TimeScale time;
  double frame_rate = 60;
  double factor = 1, offset = 0;         ///< shown value = factor · value + offset
  double low = 0, high = 1, height = 1;  ///< shown values at the bottom and at the top

  double x(double seconds) const { return time.x_of(seconds * frame_rate); }
  double y(double value) const;
  double seconds(double pixel) const { return time.frame_at(pixel) / frame_rate; }
  double value(double pixel) const;  ///< of the field
};

struct CurveLine {
  QPainterPath keyed;   ///< between the first key and the last
  QPainterPath beyond;  ///< before and after
};
/// What is left and right of the window is left out. `coarse`: of many curves, drawn with fewer points.
CurveLine curve_line(const Track& track, FieldType type, std::size_t component, const CurvePlace& place, double width,
                     bool coarse);

/// Numbers of Key::value at a time: of rotations by angles the angles.
std::array<double, 4> curve_values(const Track& track, FieldType type, double time);
KeySlopes curve_slopes(const Track& track, FieldType type, std::size_t place);
/// Its numbers have slopes of their own, and handles: quaternions turn as a whole.
bool has_handles(const Track& track, FieldType type);
/// Least and greatest that the curve comes to between its keys, from `from` to `to` (s).
std::pair<double, double> curve_bounds(const Track& track, FieldType type, std::size_t component, double from,
                                       double to);

}  // namespace hazumi
