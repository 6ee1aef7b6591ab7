// The ruler of frames: numbers and ticks over the window of time that all editors of time share, the range of the scene, the play head.
// Drag: scrub; wheel: zoom; middle button: pan. Markers and the part that is played are on it (time_marks.h). The time line is one with more in it; the dope sheet and the curves have one on top.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/model/context.h"
#include "ui/model/time_window.h"

namespace hazumi {

class TimeMarks;

class TimeStrip : public QWidget {
  Q_OBJECT
 public:
  static constexpr double kRulerHeight = 24;  ///< numbers and ticks

  explicit TimeStrip(UiContext& context, QWidget* parent = nullptr);
  ~TimeStrip() override;

  QSize sizeHint() const override { return {600, static_cast<int>(kRulerHeight)}; }
  QSize minimumSizeHint() const override { return {100, static_cast<int>(kRulerHeight)}; }

  double x_of(double frame) const;  ///< logical pixel of a frame's line
  int frame_at(double x) const;     ///< nearest frame
  double head_width() const;        ///< of the number at the play head

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

  TimeScale scale() const;
  void begin_scrub(int frame);
  void end_scrub(bool goes_on = true);  ///< what played plays on
  double snap(double x) const;          ///< to whole physical pixels, so that lines stay crisp at every scale
  void paint_range(QPainter& painter);
  void paint_ticks(QPainter& painter, double below);  ///< `below`: what at the bottom has no lines
  void paint_head(QPainter& painter);
  TimeMarks& marks() { return *marks_; }
  const TimeMarks& marks() const { return *marks_; }
  void paint_marks(QPainter& painter);
  virtual bool hover_line() const { return hover_ >= 0; }

  UiContext context_;
  double hover_ = -1;  ///< x; < 0: mouse is not here

 private:
  std::unique_ptr<TimeMarks> marks_;
  void update_head();
  int label_step() const;

  int shown_head_ = -1;
  bool scrubs_ = false, resume_ = false;
  double pan_x_ = -1;  ///< of the middle button; < 0: it is up
};

/// Wheel and middle button over an editor of time.
void zoom_time(UiContext& context, QWheelEvent& event, double width);
/// Lines of frames and the range of the scene behind the keys, from `top` down.
void paint_time_lines(QPainter& painter, UiContext& context, const QWidget& at, double top);
/// The line of the play head over an editor of time.
void paint_head_line(QPainter& painter, UiContext& context, const QWidget& at);

}  // namespace hazumi
