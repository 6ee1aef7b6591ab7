// What joints hold with and how bodies do over the frames, beside the motion: one line for each of them, in the window of time that all editors of
// time share. Drag: scrub; wheel: zoom, with Ctrl the values; middle button: pan; double click: all of it. What is not computed yet is shaded.
// Drawn by QCustomPlot, which only plot_view.cpp knows.
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "ui/model/context.h"
#include "ui/model/plot_series.h"

class QCPAxis;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;

namespace hazumi {

class Sight;

class PlotView : public QWidget {
  Q_OBJECT
 public:
  PlotView(UiContext& context, QWidget* parent);

  /// Until one was chosen: force, in a scene without joints speed.
  PlotQuantity quantity() const;
  void set_quantity(const PlotQuantity& quantity);
  void set_legend(bool on);
  /// All values that are there, over the range of the scene.
  void fit();

  const std::vector<PlotSeries>& series() const { return series_; }
  const PlotFrames& frames() const { return frames_; }
  const std::vector<Id>& things() const { return things_; }
  /// Why nothing is shown, a sentence; empty: something is.
  QString why() const;
  /// Of an axis of values, low and high; the second is that of hinges beside ways in m.
  std::pair<double, double> value_range(bool second = false) const;
  QString value_label(bool second = false) const;
  QPointF place_of(double frame, double value) const;  ///< in this widget
  double uncomputed_from() const;                      ///< the frame where the shade begins

 signals:
  void changed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void gather();  ///< what is asked for and was computed
  void rebuild();
  void refill();
  void make_lines();
  void show_values();
  void show_time();
  void show_head();
  void fit_values();
  bool wheel(QWheelEvent& event);
  bool press(QMouseEvent& event);
  bool drag(QMouseEvent& event);
  void scrub(double x);
  void style(QCPAxis* axis) const;

  UiContext context_;
  QCustomPlot* plot_;
  QCPItemStraightLine* head_;
  QCPItemRect* shade_;
  QCPItemText *said_, *shade_said_;
  Sight* sight_;
  std::optional<PlotQuantity> quantity_;
  PlotFrames frames_;
  std::uint64_t generation_ = 0;
  std::vector<Id> things_;
  std::vector<PlotSeries> series_;
  bool own_values_ = false;  ///< a person zoomed them: they are not fitted any more
  enum class Drag { none, scrub, pan } drag_ = Drag::none;
  QPointF last_;
};

}  // namespace hazumi
