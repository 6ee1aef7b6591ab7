// The sounds of the scene under the ruler of the time line, each with its waveform; those that overlap lie below one another. A sound
// is dragged in time, to whole frames but with Ctrl; Delete removes it, a double click names it, the menu has the rest. Beside
// sounds a drag scrubs. Where motions play them stands as it is computed, and stays. It is there while the scene has sounds.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QPointer>

#include "core/playback/frame.h"
#include "core/scene/values/sound.h"
#include "ui/panels/time_strip.h"

class QMenu;

namespace hazumi {

class NameEdit;

class SoundStrip : public TimeStrip {
  Q_OBJECT
 public:
  explicit SoundStrip(UiContext& context, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {600, strip_height()}; }
  QSize minimumSizeHint() const override { return {100, strip_height()}; }
  /// Where a sound is drawn; empty: it is not.
  QRectF place_of(Id sound) const;
  Id selected() const { return selected_; }

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
  struct Lane {
    Id sound;
    int number = 0;
    double seconds = 0;
  };
  int strip_height() const;
  int lane_height() const;
  void refresh();
  const Sound* sound_at(QPointF place) const;
  void drag_to(double x, bool free);
  void type_name(Id id);
  void add_gain(QMenu& menu, const Sound& sound);
  QMenu* make_menu(QPointF place);
  void choose_file(Id id);
  void paint_sound(QPainter& painter, const Sound& sound, const QRectF& place, const QRect& dirty);
  void paint_cues(QPainter& painter);
  void paint_wave(QPainter& painter, const Sound& sound, const QRectF& place, const QRect& dirty);

  std::vector<Lane> lanes_;
  std::shared_ptr<const FrameCues> cues_;  ///< that are shown
  int lane_count_ = 0;
  Id selected_;
  Id dragged_;
  double press_x_ = 0, start_before_ = 0;
  bool moved_ = false;
  quint64 gesture_ = 0;
  QPointer<NameEdit> name_;
};

}  // namespace hazumi
