// The painted part of the time line: frame ruler, range with handles, what is computed, contacts of the run, play head.
// From top to bottom: numbers and ticks (drag: scrub), contact ticks (click: what collided), a strip that shows which frames are
// there.
#pragma once

#include <optional>

#include <QWidget>

#include "ui/model/context.h"

namespace hazumi {

class CollisionReadout;

class TimelineRuler : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineRuler(UiContext& context, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {600, 62}; }
  QSize minimumSizeHint() const override { return {200, 54}; }

  double x_of(double frame) const;  ///< logical pixel of a frame's line
  int frame_at(double x) const;     ///< nearest frame
  int stale_until() const { return stale_until_; }

  /// Frame of the collisions whose tick is here.
  std::optional<int> tick_at(QPointF place) const;
  /// What the selection met last up to the frame that is shown; goes there.
  void show_last_collision();
  CollisionReadout* readout() const { return readout_; }  ///< null until one was opened

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  enum class Drag { none, scrub, first, last };

  void fit();
  void on_fill();
  void update_head();
  Drag part_at(QPointF place) const;
  void open_readout(int frame);
  void move_range(Drag part, int frame);
  int label_step() const;
  double snap(double x) const;  ///< to whole physical pixels, so that lines stay crisp at every scale
  void paint_range(QPainter& painter);
  void paint_ticks(QPainter& painter);
  void paint_contacts(QPainter& painter);
  void paint_keys(QPainter& painter);
  void paint_computed(QPainter& painter);
  void paint_handles(QPainter& painter);
  void paint_head(QPainter& painter);

  UiContext context_;
  int view_first_ = 0, view_last_ = 250;  ///< frames at the left and right margin
  int computed_ = 0, stale_until_ = 0;
  int shown_head_ = -1;
  double hover_ = -1;  ///< x; < 0: mouse is not here
  Drag drag_ = Drag::none;
  bool resume_ = false;
  quint64 gesture_ = 0;
  std::optional<int> pressed_tick_;  ///< until the mouse moves
  double press_x_ = 0;
  CollisionReadout* readout_ = nullptr;  ///< the window owns it
};

}  // namespace hazumi
