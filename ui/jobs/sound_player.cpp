#include "ui/jobs/sound_player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/playback/film.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace hazumi {

namespace {

constexpr double kScrubbed = 0.08, kFade = 0.008;  // s: what an ear tells apart; what does not click
constexpr double kParted = 0.06;                   // s: sooner than this an eye does not see it
constexpr int kAsleep = 300;                       // ms in which a device that plays has said something
constexpr double kAwake = 0.1;                     // s, heard of silence

}  // namespace

void SoundScore::set(Sounds sounds) {
  auto next = std::make_shared<const Sounds>(std::move(sounds));
  const std::lock_guard lock(mutex_);
  now_ = std::move(next);
}

std::shared_ptr<const SoundScore::Sounds> SoundScore::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

SoundPlayer::SoundPlayer(DocumentController& document, PlaybackController& playback, SoundJob& sounds)
    : document_(document), playback_(playback), sounds_(sounds) {
  clock_.start();
  connect(&document_, &DocumentController::changed, this, [this](const ChangeSet& change) {
    refresh();
    if (change.settings && stream_) begin();  // at another frame rate, in another range
  });
  connect(&document_, &DocumentController::document_replaced, this, &SoundPlayer::refresh);
  connect(&sounds_, &SoundJob::done, this, &SoundPlayer::refresh);
  connect(&playback_, &PlaybackController::playing_changed, this, &SoundPlayer::follow);
  connect(&playback_, &PlaybackController::waiting_changed, this, &SoundPlayer::follow);
  connect(&playback_, &PlaybackController::manner_changed, this, [this] {
    if (stream_) end();
    follow();
  });
  connect(&playback_, &PlaybackController::fill_changed, this, &SoundPlayer::hear_cues);
  connect(&playback_, &PlaybackController::frame_changed, this, &SoundPlayer::on_frame);
  playback_.set_clock([this] { return seconds(); });
  refresh();
}

SoundPlayer::~SoundPlayer() { playback_.set_clock({}); }

void SoundPlayer::set_device(std::function<std::unique_ptr<SoundOutput>()> make) {
  if (stream_) end();
  output_.reset();
  make_ = std::move(make);
  refresh();
}

/// What the scene has now, heard from the next stretch on.
void SoundPlayer::refresh() {
  const Scene& scene = document_.scene();
  if (!scene.sounds.empty() && !output_ && make_) output_ = std::exchange(make_, {})();
  SoundScore::Sounds sounds;
  cues_ = playback_.cache().cues();
  for (const HeardSound& heard : heard_sounds(scene, cues_.get())) {
    const auto decoded = sounds_.find(heard.sound->file);
    if (!decoded) continue;
    sounds.held.push_back(decoded);
    sounds.placed.push_back({&decoded->clip, heard.start, heard.gain, false});
  }
  audible_ = !sounds.placed.empty();
  score_->set(std::move(sounds));
  known_ = scene.sounds;
  follow();
}

/// What motions play is known as frames are computed, before they are shown.
void SoundPlayer::hear_cues() {
  const std::shared_ptr<const FrameCues> now = playback_.cache().cues();
  if ((now ? *now : FrameCues()) != (cues_ ? *cues_ : FrameCues())) refresh();
}

double SoundPlayer::seconds() {
  if (stream_) {
    const double heard = std::max(output_->heard(), last_heard_);
    if (heard > last_heard_) progress_.start();
    last_heard_ = heard;
    if (progress_.elapsed() < kAsleep) return stream_from_ + heard / stream_->rate;
    fall_asleep();
  }
  return offset_ + static_cast<double>(clock_.nsecsElapsed()) * 1e-9;
}

void SoundPlayer::begin() {
  const double now = seconds();
  SoundStream stream;
  stream.way = playback_.way();
  stream.frame_rate = document_.scene().settings.frame_rate;
  stream.speed = playback_.speed();
  stream.start = playback_.steps();
  stream.rate = output_->rate();
  stream_from_ = now;
  last_heard_ = 0;
  stream_ = stream;
  asleep_ = false;
  progress_.start();
  output_->start([stream, score = score_](std::int64_t first, std::span<float> stereo) {
    stream.fill(score->now()->placed, first, stereo);
    return true;
  });
}

/// Time goes on from what was heard last.
void SoundPlayer::leave_stream() {
  const double now = stream_from_ + last_heard_ / stream_->rate;
  stream_.reset();
  offset_ = now - static_cast<double>(clock_.nsecsElapsed()) * 1e-9;
}

void SoundPlayer::end() {
  leave_stream();
  output_->stop();
}

/// It was unplugged, or takes its time to begin, as those by radio do: the picture goes on without it, and silence tells when it plays.
void SoundPlayer::fall_asleep() {
  leave_stream();
  asleep_ = true;
  output_->start([](std::int64_t, std::span<float> stereo) {
    std::ranges::fill(stereo, 0.0F);
    return true;
  });
}

void SoundPlayer::follow() {
  const bool wanted = playback_.playing() && !playback_.waiting() && !playback_.every_frame() && audible_ && output_ &&
                      output_->there();
  if (!wanted) {
    if (stream_) end();
    if (std::exchange(asleep_, false)) output_->stop();
  } else if (asleep_ ? output_->heard() > kAwake * output_->rate() : !stream_ || has_parted()) {
    begin();
  }
}

bool SoundPlayer::has_parted() {
  const double now = seconds();
  if (!stream_) return false;  // asked for the time it found that the device has gone
  double apart = stream_->steps_at(now - stream_from_) - playback_.steps();
  if (stream_->way.ending != Ending::once) apart = std::remainder(apart, stream_->way.lap());
  return std::abs(apart) > std::max(1.0, kParted * stream_->frame_rate * stream_->speed);
}

void SoundPlayer::on_frame(int frame) {
  if (playback_.playing())
    follow();
  else if (audible_ && output_ && output_->there() && is_unchanged(known_, document_.scene().sounds))
    scrub(frame);  // else another scene is being opened
}

/// The stretch that begins with the frame; longer than the frame where that is too short to be heard.
void SoundPlayer::scrub(int frame) {
  const double frame_rate = document_.scene().settings.frame_rate;
  Stretch stretch;
  stretch.begin = frame / frame_rate;
  stretch.rate = output_->rate();
  const auto length = static_cast<std::size_t>(std::max(kScrubbed, 1 / frame_rate) * stretch.rate);
  const auto samples = std::make_shared<std::vector<float>>(2 * length);
  mix(score_->now()->placed, stretch, *samples);
  fade_ends(*samples, static_cast<std::size_t>(kFade * stretch.rate));
  output_->start([samples](std::int64_t first, std::span<float> stereo) {
    const auto from = std::min(static_cast<std::size_t>(2 * first), samples->size());
    const std::size_t count = std::min(stereo.size(), samples->size() - from);
    std::copy_n(samples->begin() + static_cast<std::ptrdiff_t>(from), count, stereo.begin());
    std::fill(stereo.begin() + static_cast<std::ptrdiff_t>(count), stereo.end(), 0.0F);
    return from + count < samples->size();
  });
}

}  // namespace hazumi
