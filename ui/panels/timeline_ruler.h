// The painted part of the time line: frame ruler, range with handles, what is computed, contacts of the run, play head.
// From top to bottom: numbers and ticks (drag: scrub), changes of surfaces (click: there), contact ticks (click: what collided), a strip that shows which frames are
// there.
#pragma once

#include <memory>
#include <optional>

#include "ui/model/key_edits.h"
#include "ui/panels/time_strip.h"

namespace hazumi {

class CollisionReadout;
class SurfaceMarks;

class TimelineRuler : public TimeStrip {
  Q_OBJECT
 public:
  explicit TimelineRuler(UiContext& context, QWidget* parent = nullptr);
  ~TimelineRuler() override;

  QSize sizeHint() const override { return {600, 62}; }
  QSize minimumSizeHint() const override { return {200, 54}; }

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
  bool hover_line() const override { return hover_ >= 0 && drag_ == Drag::none; }

 private:
  enum class Drag { none, scrub, first, last };

  void on_fill();
  Drag part_at(QPointF place) const;
  double key_height() const;
  KeyTimes keys_at(QPointF place) const;
  bool select_keys_at(QPointF place, bool adds);
  void open_readout(int frame);
  void move_range(Drag part, int frame);
  void paint_contacts(QPainter& painter);
  void paint_keys(QPainter& painter);
  void paint_computed(QPainter& painter);
  void paint_handles(QPainter& painter);

  int computed_ = 0, stale_until_ = 0;
  Drag drag_ = Drag::none;
  quint64 gesture_ = 0;
  std::optional<int> pressed_tick_;  ///< until the mouse moves
  double press_x_ = 0;
  CollisionReadout* readout_ = nullptr;  ///< the window owns it
  std::unique_ptr<SurfaceMarks> surfaces_;
};

}  // namespace hazumi
