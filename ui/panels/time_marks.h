// What a ruler of frames has on it beside its numbers: the flags of the markers and the bar of the part that is played. Taken by the
// mouse before the ruler itself is: a flag is dragged or clicked, its name typed after a double click; the ends of the bar are
// dragged, and with Shift a part is drawn anew.
#pragma once

#include <optional>

#include <QPointer>
#include <QRectF>

#include "core/base/id.h"
#include "ui/model/context.h"

class QMenu;
class QPainter;

namespace hazumi {

class NameEdit;

class TimeStrip;
struct Marker;

class TimeMarks {
 public:
  TimeMarks(UiContext& context, TimeStrip& strip) : context_(context), strip_(strip) {}

  /// Of the left button. True: something of this was taken hold of, and move() and release() are for it too.
  bool press(QPointF place, Qt::KeyboardModifiers keys);
  bool move(QPointF place);
  bool release();
  bool double_click(QPointF place);
  bool held() const { return drag_ != Drag::none; }

  std::optional<Id> marker_at(QPointF place) const;
  /// The mouse would take hold of an end of the part, or of a flag.
  bool sideways_at(QPointF place) const { return end_at(place) != Drag::none; }
  /// Markers and part, and what can be done at this place; deleted when it closes.
  QMenu* make_menu(QPointF place);
  void type_name(Id id);

  void paint_part(QPainter& painter) const;
  void paint_markers(QPainter& painter) const;

 private:
  enum class Drag { none, marker, first, last, part };

  QRectF flag_of(const Marker& marker) const;
  double aside(const Marker& marker) const;
  Drag end_at(QPointF place) const;
  void add_marker_entries(QMenu& menu, Id id);

  UiContext& context_;
  TimeStrip& strip_;
  Drag drag_ = Drag::none;
  Id marker_;
  bool moved_ = false;
  int anchor_ = 0;  ///< frame where a part was begun
  double press_x_ = 0, grip_ = 0;
  quint64 gesture_ = 0;
  QPointer<NameEdit> name_;
};

}  // namespace hazumi
