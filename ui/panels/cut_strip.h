// The cuts from one camera to the next, under the ruler of the time line: a stretch for each in its camera's colour,
// with its name. A cut is dragged to another frame, deleted with the Delete key or by the menu, which adds cuts too; a
// click on a stretch selects its camera. It is there while the scene has several cameras, or cuts. The cuts are keys of
// a track like any other (core/scene/derived/cameras.h); those that motions make as it is computed have no line and stay where they are.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/shared.h"
#include "core/playback/film.h"
#include "ui/panels/time_strip.h"

class QMenu;

namespace hazumi {

class CutStrip : public TimeStrip {
  Q_OBJECT
 public:
  explicit CutStrip(UiContext& context, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {600, kHeight}; }
  QSize minimumSizeHint() const override { return {100, kHeight}; }
  /// Over what the window of time shows.
  std::vector<CameraStretch> stretches() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  static constexpr int kHeight = 20;  ///< logical pixels

  struct Cut {
    Id track;
    double time = 0;  ///< s
  };
  void refresh();
  double x_of_time(double time) const;
  std::optional<Cut> cut_at(QPointF place) const;
  std::optional<CameraStretch> stretch_at(QPointF place) const;
  bool is_selected(double time) const;
  void drag_to(int frame);
  void delete_cut(const Cut& cut);
  QMenu* make_menu(QPointF place);

  std::optional<Cut> dragged_;
  std::optional<Shared<Scene>> before_;  ///< what the drag began with
  bool moved_ = false;
  double press_x_ = 0;
  quint64 gesture_ = 0;
  std::shared_ptr<const FrameCues> cues_;  ///< that are shown
};

}  // namespace hazumi
