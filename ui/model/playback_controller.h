// Frame number, playing, and the background fill, in the interface thread. The viewport, time line and status bar listen.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "core/playback/background_fill.h"
#include "ui/model/document_controller.h"
#include "ui/model/play_way.h"

namespace hazumi {

class PlaybackController : public QObject {
  Q_OBJECT
 public:
  explicit PlaybackController(DocumentController& document, int threads, QObject* parent = nullptr);
  ~PlaybackController() override;

  int frame() const { return frame_; }
  bool playing() const { return playing_; }
  // How it plays: states of the view, no edits.
  Ending ending() const { return ending_; }
  double speed() const { return speed_; }  ///< 1: as fast as it is
  bool every_frame() const { return every_frame_; }
  /// What is played when that is less than the range of the scene.
  std::optional<PlayRange> part() const { return part_; }
  /// What is played.
  PlayRange range() const;
  /// What to show now: the frame at frame(), or null when it is not computed yet or on its way from the disk (the viewport then
  /// shows the nearest frame that is there and says so, never an out-of-date one). Frame 0 of a fresh edit: the authored pose.
  FramePtr shown() const;
  /// The frame at frame() is computed and on its way from the disk.
  bool reading() const;
  const FrameCache& cache() const { return cache_; }
  FillStatus status() const;
  std::shared_ptr<const RunLog> log() const;
  std::shared_ptr<const std::vector<SkinShape>> skins() const { return fill_->skins(); }  ///< BackgroundFill::skins()
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
  void set_ending(Ending ending);
  void set_speed(double speed);  ///< above 0
  /// Each frame is shown for at least its time, and in the picture before the next one, however long that takes. Else what is
  /// slow leaves frames out and keeps to the clock.
  void set_every_frame(bool on);
  void set_part(std::optional<PlayRange> part);
  /// What tells playing how time passes, in s from anywhere: sound that is heard, so that the picture keeps to it. None: the
  /// computer's clock.
  void set_clock(std::function<double()> seconds);
  /// What plays, and where in it, in steps of it, the clock is.
  PlayWay way() const;
  double steps() const { return start_step_ + steps_passed(); }
  /// `asks`: whether what is shown now is in the picture. Nobody draws: none.
  void set_picture(std::function<bool()> asks) { in_picture_ = std::move(asks); }
  /// Playing has caught up with the computation and waits for its newest frame, or for one from the disk.
  bool waiting() const { return waiting_; }
  bool waits_for_disk() const { return waiting_ && on_disk_; }
  /// Of what overlaps at the start (none named: everything): the job moves it, see separation_wanted.
  void want_separation(const std::vector<std::pair<Id, Id>>& pairs) { emit separation_wanted(pairs); }
  /// The frame shown becomes the start of these objects, none named: of all. A job does it, see start_wanted.
  void want_start(const std::set<Id>& ids) { emit start_wanted(ids); }
  /// BackgroundFill::want_state; `take` is called in the interface thread.
  void want_state(int frame, StateTaker take, std::function<bool()> cancelled);
  /// Shows the run of another scene than the document's, up to a frame and no further: one that shares its past with the run that is
  /// shown, as when a hand pulls at something in it. It plays to its end, once.
  void run_beside(Shared<Scene> scene, int last_frame);
  /// The same for good: its frames are kept for who comes back to that scene, as those that undo finds.
  void run_kept(Shared<Scene> scene, int last_frame);
  bool beside() const { return beside_.has_value(); }
  void end_beside();  ///< the document's own run again, with the frames that it had
  /// The edit makes the document what is run beside it; false: it was not made.
  bool adopt_beside(const std::function<bool()>& edit);
  void set_paused(bool paused);  ///< of the background fill (while a dialog needs the processor)

 signals:
  void beside_ended();  ///< the document was changed, or a frame asked for: its own run is shown again
  void frame_changed(int frame);
  void playing_changed(bool playing);
  void manner_changed();  ///< ending, speed, every frame, part
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
  double seconds() const;
  double steps_passed() const;

  DocumentController& document_;
  FrameCache cache_;
  std::unique_ptr<BackgroundFill> fill_;
  QTimer tick_;
  QTimer throttle_;
  QElapsedTimer own_clock_, since_announced_;
  std::function<double()> clock_;  ///< empty: our own
  FramePtr announced_;
  std::function<bool()> in_picture_;
  std::optional<PlayRange> part_;
  double speed_ = 1;
  std::optional<Shared<Scene>> beside_;  ///< what is run instead of the document
  int beside_last_ = 0;
  bool adopting_ = false;
  int start_step_ = 0;  ///< when the clock began
  double carried_ = 0;  ///< part of a step that had passed then
  double began_ = 0;    ///< s, of the clock
  int frame_ = 0, wanted_last_ = -1;
  Ending ending_ = Ending::loop;
  bool playing_ = false, every_frame_ = false, waiting_ = false, on_disk_ = false;
  bool back_ = false;  ///< back and forth: on the way back
  std::atomic<bool> notified_{false};
};

}  // namespace hazumi
