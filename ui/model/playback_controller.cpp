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
  own_clock_.start();
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
  if (frame != frame_ && beside_) {
    end_beside();
    emit beside_ended();
  }
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

void PlaybackController::to_start() { set_frame(range().first); }
void PlaybackController::to_end() { set_frame(range().last); }

void PlaybackController::set_ending(Ending ending) {
  if (ending_ == ending) return;
  ending_ = ending;
  back_ = false;
  begin_clock(frame_);
  emit manner_changed();
}

void PlaybackController::set_speed(double speed) {
  if (speed_ == speed) return;
  begin_clock(frame_);  // what has passed, passed at the speed it had
  speed_ = speed;
  emit manner_changed();
}

void PlaybackController::set_every_frame(bool on) {
  if (every_frame_ == on) return;
  every_frame_ = on;
  begin_clock(frame_);
  emit manner_changed();
}

void PlaybackController::set_part(std::optional<PlayRange> part) {
  if (part && part->first > part->last) std::swap(part->first, part->last);
  if (part_ == part) return;
  part_ = part;
  begin_clock(frame_);
  if (playing_) attend(frame_);
  emit manner_changed();
}

void PlaybackController::set_waiting(bool waiting) {
  if (waiting_ == waiting) return;
  waiting_ = waiting;
  emit waiting_changed(waiting);
}

void PlaybackController::begin_clock(int frame) {
  start_step_ = way().step_of(frame, back_);
  carried_ = 0;
  began_ = seconds();
}

void PlaybackController::set_clock(std::function<double()> seconds) {
  const double steps = this->steps();
  clock_ = std::move(seconds);
  began_ = this->seconds();
  carried_ = steps - start_step_;
}

double PlaybackController::seconds() const {
  return clock_ ? clock_() : static_cast<double>(own_clock_.nsecsElapsed()) * 1e-9;
}

namespace {

PlayRange range_of(const SceneSettings& settings) {
  return {settings.first_frame, std::max(settings.first_frame, settings.last_frame)};
}

}  // namespace

PlayRange PlaybackController::range() const { return part_of_range(part_, range_of(document_.scene().settings)); }

PlayWay PlaybackController::way() const {
  PlayRange whole = range_of(document_.scene().settings);
  // A run that stopped (diverged) has no frames beyond; the motion up to there plays like a shorter range.
  if (fill_->status().phase == FillStatus::Phase::stopped)
    whole.last = std::clamp(cache_.size() - 1, whole.first, whole.last);
  return {part_of_range(part_, whole), beside_ ? Ending::once : ending_};
}

/// Frames that may be on the disk: the one that is looked at, then those that come, in time or by a hand on the time line.
void PlaybackController::attend(int frame) {
  std::vector<int> frames{frame};
  if (playing_) {
    const PlayWay way = this->way();
    const int step = way.step_of(frame, back_);
    for (int i = 1; i <= kReadAhead; ++i) frames.push_back(way.frame_at(step + i));
  } else {
    for (int i = 1; i <= kReadAround; ++i) frames.insert(frames.end(), {frame + i, frame - i});
  }
  cache_.wish(frames);
}

void PlaybackController::play(bool on) {
  if (playing_ == on) return;
  playing_ = on;
  if (on) {
    const PlayWay way = this->way();
    back_ = false;
    const bool at_end = frame_ >= way.range.last && ending_ != Ending::back_and_forth;
    if (at_end || frame_ > way.range.last || frame_ < way.range.first) set_frame(way.range.first);
    begin_clock(frame_);
    attend(frame_);
    tick_.start();
  } else {
    tick_.stop();
    set_waiting(false);
  }
  emit playing_changed(playing_);
}

double PlaybackController::steps_passed() const {
  const double passed = std::max(seconds() - began_, 0.0);
  return std::min(carried_ + passed * document_.scene().settings.frame_rate * speed_, 1e9);
}

void PlaybackController::on_tick() {
  if (every_frame_ && in_picture_ && !in_picture_()) return;
  const PlayWay way = this->way();
  const int newest = cache_.size() - 1;
  const double passed = steps_passed();
  int step = start_step_ + static_cast<int>(std::floor(every_frame_ ? std::min(passed, 1.0) : passed));
  // Not beyond the end of the range before that is computed: no lap leaves anything out.
  if (start_step_ <= way.length() && newest < way.range.last) step = std::min(step, way.length());
  const int wanted = way.frame_at(step), playable = std::min(wanted, newest);
  const bool back = way.ending == Ending::back_and_forth && step % way.lap() > way.length(), was_back = back_;

  // Behind the computation time stands still, so that nothing is skipped when it goes on.
  const bool behind = wanted > newest;
  const bool another = playable >= way.range.first && playable != frame_ && (!behind || (!back && playable > frame_));
  if (another) {
    back_ = back;
    attend(playable);  // from here on it stays in memory
  }
  const bool on_disk = another && !cache_.frame(playable);
  if (on_disk) {
    back_ = was_back;
    begin_clock(frame_);
  } else if (behind) {
    begin_clock(another ? playable : frame_);
  } else if (step >= way.lap() || (every_frame_ && step != start_step_)) {
    const double left = passed - (step - start_step_);
    begin_clock(wanted);
    carried_ = std::clamp(left, 0.0, 0.999);  // what took longer than its frame is not made up for
  }
  on_disk_ = on_disk;
  // What waits for a hand is no delay.
  set_waiting((behind && !(beside_ && newest >= beside_last_)) || on_disk);

  if (another && !on_disk) {
    frame_ = playable;
    emit frame_changed(frame_);
    announced_ = shown();
    emit shown_changed();
  }
  if (way.ending == Ending::once && frame_ >= way.range.last) play(false);
}

void PlaybackController::refill(int first_frame) {
  wanted_last_ = document_.scene().settings.last_frame;
  fill_->start(document_.snapshot(), first_frame, wanted_last_);
  throttle_.stop();
  announce();
}

void PlaybackController::run_beside(Shared<Scene> scene, int last_frame) {
  const bool goes_on = beside_.has_value();
  beside_ = scene;
  beside_last_ = last_frame;
  if (goes_on)
    fill_->go_on(std::move(scene), last_frame);
  else
    fill_->start(std::move(scene), kNoFrame, last_frame);
}

void PlaybackController::run_kept(Shared<Scene> scene, int last_frame) {
  beside_ = scene;
  beside_last_ = last_frame;
  fill_->start(std::move(scene), kNoFrame, last_frame);
}

void PlaybackController::end_beside() {
  if (!beside_) return;
  beside_.reset();
  back_ = false;
  begin_clock(frame_);
  refill(kNoFrame);
}

bool PlaybackController::adopt_beside(const std::function<bool()>& edit) {
  adopting_ = true;
  const bool made = edit();
  adopting_ = false;
  return made;
}

void PlaybackController::on_change(const ChangeSet& change) {
  const SceneSettings& settings = document_.scene().settings;
  // The fill compares with what it runs itself.
  const bool ends = beside_ && (change.simulation || change.structure || change.settings);
  if (ends) {
    end_beside();
    if (!adopting_) emit beside_ended();
  } else if (!beside_ && (change.first_frame != kNoFrame || settings.last_frame != wanted_last_)) {
    refill(change.first_frame);
  }
  if (change.settings) {
    if (playing_) begin_clock(frame_);
    if (frame_ < settings.first_frame || frame_ > settings.last_frame) set_frame(frame_);
  }
}

void PlaybackController::on_replaced() {
  play(false);
  if (beside_) {
    beside_.reset();
    emit beside_ended();
  }
  set_part({});
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
  if (const int lost = cache_.first_lost(); lost >= 0)
    fill_->start(beside_ ? *beside_ : document_.snapshot(), lost, beside_ ? beside_last_ : wanted_last_);
  if (reading()) attend(frame_);  // a run that was brought back
  emit fill_changed();
  const FramePtr now = shown();
  if (now == announced_) return;
  announced_ = now;
  emit shown_changed();
}

}  // namespace hazumi
