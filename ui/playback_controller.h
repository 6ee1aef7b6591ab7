// Frame number, playing, and the background fill, in the interface thread. The viewport, time line and status bar listen.
#pragma once

#include <atomic>
#include <memory>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/playback/background_fill.h"
#include "ui/document_controller.h"

namespace hazumi {

class PlaybackController : public QObject {
  Q_OBJECT
 public:
  explicit PlaybackController(DocumentController& document, int threads, QObject* parent = nullptr);
  ~PlaybackController() override;

  int frame() const { return frame_; }
  bool playing() const { return playing_; }
  bool looping() const { return looping_; }
  /// What to show now: the frame at frame(), or null when it is not computed yet (the viewport then shows the newest frame
  /// before it, dimmed status "computing…", never an out-of-date one). Frame 0 of a fresh edit: the authored pose.
  FramePtr shown() const;
  const FrameCache& cache() const { return cache_; }
  FillStatus status() const;
  std::shared_ptr<const RunLog> log() const;

  void set_frame(int frame);          ///< clamped to the scene's range
  void step(int frames);
  void play(bool on);
  void toggle() { play(!playing_); }
  void to_start();
  void to_end();
  void set_looping(bool on) { looping_ = on; }

 signals:
  void frame_changed(int frame);
  void playing_changed(bool playing);
  void fill_changed();                ///< more frames computed, phase changed (at most 30 times a second)
  void shown_changed();               ///< shown() is another frame than before: repaint

 private:
  void on_change(const ChangeSet& change);
  void on_tick();
  void on_notify();

  DocumentController& document_;
  FrameCache cache_;
  std::unique_ptr<BackgroundFill> fill_;
  QTimer tick_;
  QElapsedTimer clock_;
  double start_frame_ = 0;
  int frame_ = 0;
  bool playing_ = false, looping_ = true;
  std::atomic<bool> notified_{false};
};

}  // namespace hazumi
