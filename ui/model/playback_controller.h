// Frame number, playing, and the background fill, in the interface thread. The viewport, time line and status bar listen.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/playback/background_fill.h"
#include "ui/model/document_controller.h"

namespace hazumi {

class PlaybackController : public QObject {
  Q_OBJECT
 public:
  explicit PlaybackController(DocumentController& document, int threads, QObject* parent = nullptr);
  ~PlaybackController() override;

  int frame() const { return frame_; }
  bool playing() const { return playing_; }
  bool looping() const { return looping_; }
  /// What to show now: the frame at frame(), or null when it is not computed yet or on its way from the disk (the viewport then
  /// shows the nearest frame that is there and says so, never an out-of-date one). Frame 0 of a fresh edit: the authored pose.
  FramePtr shown() const;
  /// The frame at frame() is computed and on its way from the disk.
  bool reading() const;
  const FrameCache& cache() const { return cache_; }
  FillStatus status() const;
  std::shared_ptr<const RunLog> log() const;
  FrameUse frame_use() const { return cache_.store().use(); }
  FrameLimits frame_limits() const { return cache_.store().limits(); }
  void set_frame_limits(const FrameLimits& limits);
  /// Soon what was freed goes back to the system.
  void tidy() { cache_.store().tidy(); }

  void set_frame(int frame);  ///< clamped to the scene's range
  void step(int frames);
  void play(bool on);
  void toggle() { play(!playing_); }
  void to_start();
  void to_end();
  void set_looping(bool on);
  /// Playing has caught up with the computation and waits for its newest frame, or for one from the disk.
  bool waiting() const { return waiting_; }
  bool waits_for_disk() const { return waiting_ && on_disk_; }
  /// Of what overlaps at the start (none named: everything): the job moves it, see separation_wanted.
  void want_separation(const std::vector<std::pair<Id, Id>>& pairs) { emit separation_wanted(pairs); }
  /// The frame shown becomes the start of these objects, none named: of all. A job does it, see start_wanted.
  void want_start(const std::set<Id>& ids) { emit start_wanted(ids); }
  /// BackgroundFill::want_state; `take` is called in the interface thread.
  void want_state(int frame, StateTaker take, std::function<bool()> cancelled);
  void set_paused(bool paused);  ///< of the background fill (while a dialog needs the processor)

 signals:
  void frame_changed(int frame);
  void playing_changed(bool playing);
  void looping_changed(bool looping);
  void waiting_changed(bool waiting);
  void fill_changed();  ///< more frames computed, phase changed (at most 30 times a second)
  void separation_wanted(const std::vector<std::pair<hazumi::Id, hazumi::Id>>& pairs);
  void start_wanted(const std::set<hazumi::Id>& ids);
  void shown_changed();  ///< shown() is another frame than before: repaint

 private:
  void on_change(const ChangeSet& change);
  void on_tick();
  void on_notify();
  void on_replaced();
  void refill(int first_frame);
  void announce();
  void begin_clock(int frame);
  void set_waiting(bool waiting);
  void attend(int frame);
  int last_playable() const;

  DocumentController& document_;
  FrameCache cache_;
  std::unique_ptr<BackgroundFill> fill_;
  QTimer tick_;
  QTimer throttle_;
  QElapsedTimer clock_, since_announced_;
  FramePtr announced_;
  double start_frame_ = 0;
  int frame_ = 0, wanted_last_ = -1;
  bool playing_ = false, looping_ = true, waiting_ = false, on_disk_ = false;
  std::atomic<bool> notified_{false};
};

}  // namespace hazumi
