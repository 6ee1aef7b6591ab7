#include "ui/model/playback_controller.h"

#include <algorithm>
#include <cmath>

namespace hazumi {

namespace {
constexpr int kAnnounceInterval = 33;  // ms: what people can follow in a progress display
constexpr int kTickInterval = 4;       // ms: well below a frame at 120 frames a second
constexpr int kReadAhead = 48;         // frames, while playing
constexpr int kReadAround = 6;         // frames to each side, at rest
}  // namespace

PlaybackController::PlaybackController(DocumentController& document, int threads, QObject* parent)
    : QObject(parent), document_(document) {
  const auto notify = [this] {
    // From the worker. One queued call at a time; what it reports is read when it arrives.
    if (!notified_.exchange(true))
      QMetaObject::invokeMethod(this, &PlaybackController::on_notify, Qt::QueuedConnection);
  };
  fill_ = std::make_unique<BackgroundFill>(cache_, threads, notify, document.mesh_store());
  cache_.store().set_notify(notify);
  tick_.setTimerType(Qt::PreciseTimer);
  tick_.setInterval(kTickInterval);
  throttle_.setSingleShot(true);
  connect(&tick_, &QTimer::timeout, this, &PlaybackController::on_tick);
  connect(&throttle_, &QTimer::timeout, this, &PlaybackController::announce);
  connect(&document_, &DocumentController::changed, this, &PlaybackController::on_change);
  connect(&document_, &DocumentController::document_replaced, this, &PlaybackController::on_replaced);
  document_.set_first_frame([this](const Cause& cause) {
    // The size is read before the log, so "no contact yet" is true for the frames counted here. One frame less is kept:
    // the worker may already hold the state after the last one, with a contact that the log did not show yet.
    const int known = std::max(0, cache_.size() - 1);
    return std::min(fill_->first_frame(cause), known);
  });
}

PlaybackController::~PlaybackController() {
  fill_.reset();
  cache_.store().set_notify({});  // an export may hold the store on
}

FramePtr PlaybackController::shown() const { return cache_.frame(frame_); }
bool PlaybackController::reading() const { return frame_ < cache_.size() && !shown(); }
FillStatus PlaybackController::status() const { return fill_->status(); }
std::shared_ptr<const RunLog> PlaybackController::log() const { return fill_->log(); }
void PlaybackController::set_frame_limits(const FrameLimits& limits) {
  if (limits == frame_limits()) return;
  fill_->set_limits(limits);
  announce();
}
void PlaybackController::set_paused(bool paused) { fill_->pause(paused); }
void PlaybackController::want_state(int frame, StateTaker take, std::function<bool()> cancelled) {
  fill_->want_state(
      frame,
      [this, take = std::move(take)](std::shared_ptr<const Model> model, std::shared_ptr<const State> state) {
        QMetaObject::invokeMethod(
            this, [take, model = std::move(model), state = std::move(state)] { take(model, state); },
            Qt::QueuedConnection);
      },
      std::move(cancelled));
}

void PlaybackController::set_frame(int frame) {
  const SceneSettings& settings = document_.scene().settings;
  frame = std::clamp(frame, settings.first_frame, std::max(settings.first_frame, settings.last_frame));
  begin_clock(frame);
  if (frame == frame_) return;
  frame_ = frame;
  attend(frame_);
  emit frame_changed(frame_);
  announced_ = shown();
  emit shown_changed();
}

void PlaybackController::step(int frames) {
  play(false);
  set_frame(frame_ + frames);
}

void PlaybackController::to_start() { set_frame(document_.scene().settings.first_frame); }
void PlaybackController::to_end() { set_frame(document_.scene().settings.last_frame); }

void PlaybackController::set_looping(bool on) {
  if (looping_ == on) return;
  looping_ = on;
  emit looping_changed(on);
}

void PlaybackController::set_waiting(bool waiting) {
  if (waiting_ == waiting) return;
  waiting_ = waiting;
  emit waiting_changed(waiting);
}

void PlaybackController::begin_clock(int frame) {
  start_frame_ = frame;
  clock_.start();
}

int PlaybackController::last_playable() const {
  const int last = document_.scene().settings.last_frame;
  // A run that stopped (diverged) has no frames beyond; the motion up to there plays like a shorter range.
  if (fill_->status().phase == FillStatus::Phase::stopped) return std::clamp(cache_.size() - 1, 0, last);
  return last;
}

/// Frames that may be on the disk: the one that is looked at, then those that come, in time or by a hand on the time line.
void PlaybackController::attend(int frame) {
  std::vector<int> frames{frame};
  const int first = document_.scene().settings.first_frame, last = last_playable();
  if (playing_) {
    for (int i = 1, next = frame; i <= kReadAhead; ++i) {
      if (next >= last && !looping_) break;
      next = next >= last ? first : next + 1;
      frames.push_back(next);
    }
  } else {
    for (int i = 1; i <= kReadAround; ++i) frames.insert(frames.end(), {frame + i, frame - i});
  }
  cache_.wish(frames);
}

void PlaybackController::play(bool on) {
  if (playing_ == on) return;
  playing_ = on;
  if (on) {
    if (frame_ >= last_playable()) set_frame(document_.scene().settings.first_frame);
    begin_clock(frame_);
    attend(frame_);
    tick_.start();
  } else {
    tick_.stop();
    set_waiting(false);
  }
  emit playing_changed(playing_);
}

void PlaybackController::on_tick() {
  const SceneSettings& settings = document_.scene().settings;
  const double passed = static_cast<double>(clock_.nsecsElapsed()) * 1e-9 * settings.frame_rate;
  int wanted = static_cast<int>(std::floor(start_frame_ + passed));
  const int last = last_playable();
  const int newest = cache_.size() - 1;

  if (wanted > last) {
    if (newest >= last && looping_ && last > settings.first_frame) {
      const int length = last - settings.first_frame + 1;
      wanted = settings.first_frame + (wanted - settings.first_frame) % length;
      begin_clock(wanted);
    } else {
      wanted = last;
    }
  }
  const int playable = std::min(wanted, newest);
  // Behind the computation time stands still, so that nothing is skipped when it goes on.
  const bool behind = wanted > newest && newest < last;
  const bool another = playable >= settings.first_frame && playable != frame_ && (!behind || playable > frame_);
  if (another) attend(playable);  // from here on it stays in memory
  const bool on_disk = another && !cache_.frame(playable);
  if (on_disk)
    begin_clock(frame_);
  else if (behind)
    begin_clock(std::max(frame_, playable));
  on_disk_ = on_disk;
  set_waiting(behind || on_disk);

  if (another && !on_disk) {
    frame_ = playable;
    emit frame_changed(frame_);
    announced_ = shown();
    emit shown_changed();
  }
  if (!looping_ && frame_ >= last) play(false);
}

void PlaybackController::refill(int first_frame) {
  wanted_last_ = document_.scene().settings.last_frame;
  fill_->start(document_.snapshot(), first_frame, wanted_last_);
  throttle_.stop();
  announce();
}

void PlaybackController::on_change(const ChangeSet& change) {
  const SceneSettings& settings = document_.scene().settings;
  if (change.first_frame != kNoFrame || settings.last_frame != wanted_last_) refill(change.first_frame);
  if (change.settings) {
    if (playing_) begin_clock(frame_);
    if (frame_ < settings.first_frame || frame_ > settings.last_frame) set_frame(frame_);
  }
}

void PlaybackController::on_replaced() {
  play(false);
  frame_ = document_.scene().settings.first_frame;
  fill_->forget();
  refill(0);
  emit frame_changed(frame_);
  emit shown_changed();
}

void PlaybackController::on_notify() {
  notified_ = false;
  if (throttle_.isActive()) return;
  const qint64 passed = since_announced_.isValid() ? since_announced_.elapsed() : kAnnounceInterval;
  if (passed >= kAnnounceInterval)
    announce();
  else
    throttle_.start(static_cast<int>(kAnnounceInterval - passed));
}

void PlaybackController::announce() {
  since_announced_.start();
  // What the disk does not give back is computed again.
  if (const int lost = cache_.first_lost(); lost >= 0) fill_->start(document_.snapshot(), lost, wanted_last_);
  if (reading()) attend(frame_);  // a run that was brought back
  emit fill_changed();
  const FramePtr now = shown();
  if (now == announced_) return;
  announced_ = now;
  emit shown_changed();
}

}  // namespace hazumi
