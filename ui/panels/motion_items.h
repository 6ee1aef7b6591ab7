// Boxes and wires of motion graphs as they are drawn, in the notation of the thesis: events are boxes, procedures have round corners, a doubled
// outline says that parameters were given, a ring that an event is a loop; related events have a double arrow between them. They know neither
// scene nor mouse: the canvas says what they show, and asks what is where.
#pragma once

#include <QColor>
#include <QGraphicsItem>
#include <QPainterPath>
#include <QString>

#include "core/base/id.h"

namespace hazumi {

/// What a box shows.
struct BoxLook {
  QString title, sentence, condition, owner, fault;
  QColor colour;  ///< of whose motion it is
  bool event = true, loop = false, doubled = false, muted = false, unknown = false, stop = false;
  bool own = false;  ///< of what is selected in the view
  bool selected = false, active = false;
  bool hovered = false;
  bool lit = false;  ///< it is armed
  bool running = false;
  double flash = 0;  ///< 1: it happens in the frame that is shown; 0: long ago
  int count = 0;     ///< how often it happened up to the frame that is shown
  friend bool operator==(const BoxLook&, const BoxLook&) = default;
};

class MotionBox : public QGraphicsItem {
 public:
  static constexpr double kWidth = 176, kPortReach = 11;
  explicit MotionBox(Id id) : id_(id) { setZValue(1); }

  Id id() const { return id_; }
  const BoxLook& look() const { return look_; }
  void show(BoxLook look);

  QRectF body() const { return {0, 0, kWidth, height_}; }  ///< in its own axes
  QRectF placed() const { return body().translated(pos()); }
  // Where wires begin and end, and the mark of a loop, in the axes of the canvas.
  QPointF entry() const { return pos() + QPointF(0, height_ / 2); }
  QPointF exit() const { return pos() + QPointF(kWidth, height_ / 2); }
  QPointF relation() const { return pos() + QPointF(kWidth / 2, height_); }
  QRectF loop_mark() const;

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  void paint_body(QPainter& painter);
  void paint_words(QPainter& painter);
  void paint_marks(QPainter& painter);
  QStringList sentence_lines() const;

  Id id_;
  BoxLook look_;
  double height_ = 58;
};

/// What a wire shows.
struct WireLook {
  bool related = false, selected = false, hovered = false, muted = false, lit = false;
  int place = 0;  ///< of a case, in which turn it is tried; 0: of no case
  friend bool operator==(const WireLook&, const WireLook&) = default;
};

class MotionWireItem : public QGraphicsItem {
 public:
  MotionWireItem(Id from, Id to) : from_(from), to_(to) {}

  Id from() const { return from_; }
  Id to() const { return to_; }
  const WireLook& look() const { return look_; }
  void show(const WireLook& look, const QPainterPath& path);
  double distance(QPointF place) const;  ///< of a place of the canvas

  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 private:
  Id from_, to_;
  WireLook look_;
  QPainterPath path_;
};

/// From the right of a box to the left of another one, around them where that is behind.
QPainterPath wire_path(QPointF from, QPointF to);
/// Between two boxes, from edge to edge.
QPainterPath relation_path(const QRectF& from, const QRectF& to);
void paint_wire(QPainter& painter, const QPainterPath& path, const QColor& colour, double width, bool related);

}  // namespace hazumi
