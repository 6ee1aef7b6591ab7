// Changes of the surfaces of moving metaballs on the time line: two drops that touch where pieces merge, part or get a handle, a triangle
// where an export began a new mesh because triangles could not follow. A click goes there; what happened is the tool tip.
#pragma once

#include <optional>

#include <QPointF>
#include <QString>

#include "ui/model/context.h"

class QPainter;

namespace hazumi {

class TimeStrip;

class SurfaceMarks {
 public:
  SurfaceMarks(UiContext& context, const TimeStrip& strip) : context_(context), strip_(strip) {}

  /// Of the mark that is here.
  std::optional<int> frame_at(QPointF place) const;
  /// What happens in a frame, an object a line.
  QString text(int frame) const;
  void paint(QPainter& painter) const;
  /// Middle of the marks, logical pixels.
  static double height();

 private:
  UiContext& context_;
  const TimeStrip& strip_;
};

}  // namespace hazumi
