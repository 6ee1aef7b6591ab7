#include "core/scene/derived/run_clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "core/scene/derived/tracks.h"

namespace hazumi {

namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 22;  // film steps that are summed: days of frames
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

/// Within what its row allows.
double allowed(double scale) {
  static const Field<SceneSettings>& row = *find_field(settings_fields(), "time_scale");
  return std::clamp(scale, row.low, row.high);
}

}  // namespace

const Track* time_scale_track(const Scene& scene) {
  if (scene.tracks.empty()) return nullptr;
  const Track* track = find_track(scene, 0, "settings.time_scale");
  return track && track->visible && !track->keys.empty() ? track : nullptr;
}

struct RunClock::Sums {
  std::optional<Track> track;
  double scale = 1;    ///< without a track; behind its last key where it is held
  double settled = 0;  ///< s, from then on it is `scale`
  bool settles = true;
  double step = 0;
  std::mutex mutex;
  std::vector<double> x = {0};  ///< by film step

  double at(std::int64_t film_step) const {
    const double time = (static_cast<double>(film_step) + 0.5) * step;
    if (!track || (settles && time > settled)) return scale;
    return allowed(track_value(*track, FieldType::number, time)[0]);
  }
  /// From there on it is `scale`, and x is a straight line.
  std::int64_t last() const {
    return settles ? std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(settled / step)) + 1, 0, kFarthest)
                   : kFarthest;
  }
  double of(std::int64_t film_step) {
    if (film_step <= 0) return static_cast<double>(film_step);
    const std::int64_t known = std::min(film_step, last());
    grow(known);
    return x[known] + static_cast<double>(film_step - known) * scale;
  }
  void grow(std::int64_t film_step) {
    for (auto j = static_cast<std::int64_t>(x.size()) - 1; j < film_step; ++j) x.push_back(x.back() + at(j));
  }
};

RunClock::RunClock(const Scene& scene)
    : step_(1.0 / (scene.settings.frame_rate * scene.settings.substeps)), substeps_(scene.settings.substeps) {
  const Track* track = time_scale_track(scene);
  if (!track && scene.settings.time_scale == 1) return;
  sums_ = std::make_shared<Sums>();
  sums_->step = step_;
  sums_->scale = allowed(scene.settings.time_scale);
  if (!track) return;
  sums_->track = *track;
  sums_->settles = track->after == Beyond::hold;
  sums_->settled = track->keys.back().time;
  if (sums_->settles) sums_->scale = allowed(track->keys.back().value[0]);
}

double RunClock::x(std::int64_t film_step) const {
  const std::lock_guard lock(sums_->mutex);
  return sums_->of(film_step);
}

std::int64_t RunClock::film_step_to(double substeps) const {
  const std::lock_guard lock(sums_->mutex);
  Sums& sums = *sums_;
  const std::int64_t last = sums.last();
  while (sums.x.back() < substeps && static_cast<std::int64_t>(sums.x.size()) <= last)
    sums.grow(static_cast<std::int64_t>(sums.x.size()));
  if (sums.x.back() >= substeps) return std::lower_bound(sums.x.begin(), sums.x.end(), substeps) - sums.x.begin();
  const double more = (substeps - sums.x.back()) / sums.scale;
  if (!(more < 1e15)) return kNever;
  std::int64_t step = last + static_cast<std::int64_t>(std::ceil(more));
  while (sums.of(step) < substeps) ++step;
  while (step > last + 1 && sums.of(step - 1) >= substeps) --step;
  return step;
}

std::int64_t RunClock::begin(int frame) const {
  if (even()) return std::int64_t{frame} * substeps_;
  return static_cast<std::int64_t>(std::floor(x(std::int64_t{frame} * substeps_)));
}

double RunClock::part(int frame) const {
  if (even()) return 0;
  const double at = x(std::int64_t{frame} * substeps_);
  return at - std::floor(at);
}

/// The last frame before a film step.
int RunClock::frame_before(std::int64_t film_step) const {
  if (film_step == kNever) return std::numeric_limits<int>::max();
  return static_cast<int>((film_step + substeps_ - 1) / substeps_ - 1);
}

int RunClock::frame_of(std::int64_t substep) const {
  if (even()) return static_cast<int>(substep / substeps_);
  return frame_before(film_step_to(static_cast<double>(substep) + 1));
}

int RunClock::last_without(std::int64_t substep) const {
  if (even()) return static_cast<int>(substep / substeps_);
  const double beyond = std::nextafter(static_cast<double>(substep), std::numeric_limits<double>::infinity());
  return frame_before(film_step_to(beyond));
}

double RunClock::film_of_frame(int frame) const { return static_cast<double>(std::int64_t{frame} * substeps_) * step_; }

double RunClock::film(std::int64_t substep) const {
  if (even() || substep <= 0) return static_cast<double>(substep) * step_;
  const std::int64_t to = film_step_to(static_cast<double>(substep));
  // It is never reached: where the run stops for good.
  if (to == kNever) return step_ * (sums_->settles ? std::floor(sums_->settled / step_) + 1 : double{kFarthest});
  const double before = x(to - 1), behind = x(to);
  const double part = (static_cast<double>(substep) - before) / (behind - before);
  return part == 1 ? static_cast<double>(to) * step_ : (static_cast<double>(to - 1) + part) * step_;
}

double RunClock::rate(std::int64_t substep) const {
  if (even()) return 1;
  const std::int64_t to = substep <= 0 ? 1 : film_step_to(static_cast<double>(substep));
  if (to == kNever) return 0;
  const double scale = x(to) - x(to - 1);
  return scale > 0 ? 1 / scale : 0;
}

int RunClock::first_difference(const RunClock& a, const RunClock& b, int last) {
  if (a.even() && b.even()) return last + 1;
  const auto at = [](const RunClock& clock, std::int64_t j) {
    return clock.even() ? static_cast<double>(j) : clock.x(j);
  };
  const auto settled = [](const RunClock& clock) { return clock.even() ? 0 : clock.sums_->last(); };
  // Where both are straight from two steps on, the second says it.
  const std::int64_t end = std::min(std::int64_t{last} * b.substeps_, std::max(settled(a), settled(b)) + 1);
  for (std::int64_t j = 1; j <= end; ++j)
    if (at(a, j) != at(b, j)) return static_cast<int>((j + b.substeps_ - 1) / b.substeps_);
  return last + 1;
}

}  // namespace hazumi
