// The rows at the left of the dope sheet and the curves: fold a thing, choose tracks (their curves are shown), mute them. Beside
// curves each number has a letter in its colour, which shows or hides it.
#pragma once

#include <optional>

#include <QWidget>

#include "ui/panels/track_view.h"

namespace hazumi {

class TrackList : public QWidget {
  Q_OBJECT
 public:
  TrackList(UiContext& context, TrackView& view, bool components, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {210, 100}; }
  QSize minimumSizeHint() const override { return {120, 40}; }

  /// Where in this widget: the arrow, the eye, a letter; of a row of view.rows().
  QRectF arrow_place(int row) const;
  QRectF eye_place(int row) const;
  QRectF letter_place(int row, int component) const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void paint_row(QPainter& painter, int index);
  int letters(const TrackRow& row) const;
  int letter_at(int row, QPointF place) const;
  void choose(const TrackRow& row, bool adds);

  UiContext context_;
  TrackView& view_;
  bool components_;
  int hovered_ = -1;
};

}  // namespace hazumi
