#include "core/export/export_job.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "core/motion/compile.h"
#include "core/playback/film.h"
#include "core/playback/simulator.h"

namespace hazumi {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// Mean that forgets: the first value counts in full, later ones move it by an eighth.
struct Smoothed {
  double value = 0;
  bool known = false;
  void add(double x) {
    value = known ? value + (x - value) / 8 : x;
    known = true;
  }
};

/// Time left from two costs, simulating a frame and writing one. What is shown only rises when the estimate is a quarter
/// above it, so that it counts down without flicker.
class TimeLeft {
 public:
  void simulated(double seconds_per_frame) { simulate_.add(seconds_per_frame); }
  void written(double seconds) { write_.add(seconds); }
  double shown(int frames_to_simulate, int frames_to_write) {
    if (!write_.known) return -1;
    const double estimate = simulate_.value * frames_to_simulate + write_.value * frames_to_write;
    if (shown_ < 0 || estimate < shown_ || estimate > 1.25 * shown_) shown_ = estimate;
    return frames_to_write == 0 ? 0 : shown_;
  }

 private:
  Smoothed simulate_, write_;
  double shown_ = -1;
};

/// Frames from the cache where it has them (and still belongs to the scene), else from a simulator of our own.
class FrameSource {
 public:
  FrameSource(const Scene& scene, const FrameCache* cached, int threads, MeshStore& meshes)
      : scene_(scene), cached_(cached), threads_(threads), meshes_(meshes) {
    if (!cached_) return;
    generation_ = cached_->generation();
    frames_ = cached_->run();
    if (cached_->generation() != generation_) frames_.clear();  // an edit came in between: none of it is ours
  }

  bool is_cached(int frame) const {
    if (!cached_ || frame < 0) return false;
    return static_cast<std::size_t>(frame) < frames_.size() ||
           (frame < cached_->size() && cached_->generation() == generation_);
  }
  int simulated_up_to() const { return position_; }

  /// Null: cancelled, or `problem` says why.
  FramePtr frame(int index, const std::function<bool()>& cancelled, Diagnostics& problem, bool& diverged,
                 TimeLeft& time) {
    if (FramePtr frame = from_cache(index)) return frame;
    if (!simulator_) {
      auto model = compile(scene_, meshes_);
      if (!model) {
        problem = model.diagnostics();
        return nullptr;
      }
      simulator_ = std::make_unique<Simulator>(model.value(), threads_);
    }
    const auto began = Clock::now();
    const int before = position_;
    if (!simulator_->state_at(index, cancelled)) {
      if (const auto& failure = simulator_->log().failure) {
        diverged = true;
        Diagnostic why = failure->second;
        why.message = "The run stopped after frame " + std::to_string(failure->first) + ": " + why.message;
        problem.push_back(std::move(why));
      }
      return nullptr;
    }
    auto frame = std::make_shared<const Frame>(simulator_->frame_at(index));
    position_ = index;
    if (index > before) time.simulated(seconds_since(began) / (index - before));
    return frame;
  }

 private:
  /// Also from the disk. What cannot be read there is simulated.
  FramePtr from_cache(int index) const {
    if (!cached_ || index < 0) return nullptr;
    if (static_cast<std::size_t>(index) < frames_.size())
      return cached_->store().fetch(frames_[static_cast<std::size_t>(index)]);
    FramePtr late = cached_->fetch(index);  // computed since we began
    return late && cached_->generation() == generation_ ? late : nullptr;
  }

  const Scene& scene_;
  const FrameCache* cached_;
  int threads_;
  FrameCache::Generation generation_ = 0;
  std::vector<StoredFrame> frames_;
  MeshStore& meshes_;
  std::unique_ptr<Simulator> simulator_;
  int position_ = 0;
};

class Job {
 public:
  Job(const Scene& scene, FrameSink& sink, const ExportOptions& options, const FrameCache* cached,
      const std::function<bool(const ExportProgress&)>& progress)
      : scene_(scene),
        sink_(sink),
        options_(options),
        progress_(progress),
        source_(scene, cached, options.threads, *options.meshes) {
    state_.total = options.range.count();
    state_.frame = options.range.first;
  }

  ExportResult run() {
    if (!tell()) return finish(ExportEnd::cancelled);
    if (state_.total > 0) {
      if (const Status folder = can_write_beside(sink_.path(options_.range.first)); !folder) {
        result_.diagnostics = folder.diagnostics();
        return finish(ExportEnd::failed);
      }
    }
    std::error_code ignored;
    if (sink_.one_file() && options_.keep_existing && state_.total > 0 &&
        std::filesystem::is_regular_file(sink_.path(options_.range.first), ignored))
      return keep_all();
    keeps_ = options_.keep_existing && !sink_.one_file();
    if (keeps_ && sink_.follows(scene_)) {
      if (state_.total > 0 && all_there()) return keep_each();
      keeps_ = false;
    }
    const FrameRange& range = options_.range;
    for (int i = 0; i < state_.total; ++i) {
      const int index = range.first + i * range.step;
      if (!one(index)) return finish(end_);
    }
    return complete();
  }

  ExportResult failed(Diagnostic why) {
    result_.diagnostics.push_back(std::move(why));
    return finish(ExportEnd::failed);
  }

 private:
  /// The one file of all frames is there: nothing is computed.
  ExportResult keep_all() {
    state_.done = state_.skipped = state_.total;
    state_.frame = options_.range.first + (state_.total - 1) * options_.range.step;
    return finish(tell() ? ExportEnd::complete : ExportEnd::cancelled);
  }

  /// The same of one file for each frame.
  ExportResult keep_each() {
    for (int i = 0; i < state_.total; ++i) {
      ++state_.skipped;
      if (!done(options_.range.first + i * options_.range.step)) return finish(end_);
    }
    return finish(ExportEnd::complete);
  }

  bool all_there() const {
    std::error_code ignored;
    for (int i = 0; i < state_.total; ++i)
      if (!std::filesystem::is_regular_file(sink_.path(options_.range.first + i * options_.range.step), ignored))
        return false;
    return true;
  }

  ExportResult complete() {
    if (state_.total == 0) return finish(ExportEnd::complete);
    if (!hear_last()) return finish(end_);
    const Status finished = sink_.finish(scene_, options_.range, cues_.get());
    result_.diagnostics.insert(result_.diagnostics.end(), finished.diagnostics().begin(), finished.diagnostics().end());
    if (!finished) return finish(ExportEnd::failed);
    result_.changes = sink_.changes();
    result_.written += collected_;
    if (waiting_ >= 0) done(waiting_);
    return finish(ExportEnd::complete);
  }

  /// The cues are those of the last frame, whose picture may have been there.
  bool hear_last() {
    const int last = options_.range.first + (state_.total - 1) * options_.range.step;
    const auto played = [&](const auto& sound) { return may_be_played(scene_, sound->id); };
    if (heard_ == last || std::none_of(scene_.sounds.begin(), scene_.sounds.end(), played)) return true;
    return fetch(last) != nullptr;
  }

  FramePtr fetch(int index) {
    bool diverged = false;
    FramePtr frame = source_.frame(
        index, [this] { return cancelled_meanwhile(); }, result_.diagnostics, diverged, time_);
    if (!frame) {
      end(cancelled_ ? ExportEnd::cancelled : diverged ? ExportEnd::diverged : ExportEnd::failed);
    } else {
      heard_ = index;
      cues_ = frame->cues;
    }
    return frame;
  }

  bool one(int index) {
    std::error_code ignored;
    if (keeps_ && std::filesystem::is_regular_file(sink_.path(index), ignored)) {
      ++state_.skipped;
      return done(index);
    }
    if (!surfaces_)
      surfaces_ = options_.meshes->prepare(scene_, options_.threads, [this] { return cancelled_meanwhile(); });
    if (!surfaces_) return end(ExportEnd::cancelled);
    const FramePtr frame = fetch(index);
    if (!frame) return false;
    const auto began = Clock::now();
    Status written = sink_.write(scene_, *frame);
    result_.diagnostics.insert(result_.diagnostics.end(), written.diagnostics().begin(), written.diagnostics().end());
    if (!written) return end(ExportEnd::failed);
    time_.written(seconds_since(began));
    if (!sink_.one_file() && sink_.follows(scene_)) return written_before(index);
    ++(sink_.one_file() ? collected_ : result_.written);
    return done(index);
  }

  /// The file of a frame that others follow from is written with the next one.
  bool written_before(int index) {
    const int before = std::exchange(waiting_, index);
    if (before < 0) {
      collected_ = 1;
      return tell() || end(ExportEnd::cancelled);
    }
    ++result_.written;
    return done(before);
  }

  bool done(int index) {
    ++state_.done;
    state_.frame = index;
    return tell() || end(ExportEnd::cancelled);
  }

  bool end(ExportEnd how) {
    end_ = how;
    return false;
  }

  ExportResult finish(ExportEnd how) {
    result_.end = how;
    result_.skipped = state_.skipped;
    return std::move(result_);
  }

  bool tell() {
    const int left = state_.total - state_.done;
    const int last = options_.range.first + (state_.total - 1) * options_.range.step;
    const int to_simulate = source_.is_cached(last) ? 0 : std::max(last - source_.simulated_up_to(), 0);
    state_.seconds_left = time_.shown(to_simulate, left);
    told_ = Clock::now();
    return !progress_ || progress_(state_);
  }

  /// While metaballs are polygonised, and on the way to a far first frame, nothing is written for long; the person may
  /// still cancel.
  bool cancelled_meanwhile() {
    if (seconds_since(told_) > 0.1 && !tell()) cancelled_ = true;
    return cancelled_;
  }

  const Scene& scene_;
  FrameSink& sink_;
  const ExportOptions& options_;
  const std::function<bool(const ExportProgress&)>& progress_;
  FrameSource source_;
  std::optional<MeshStore::Held> surfaces_;  ///< held until the last frame is written
  ExportProgress state_;
  TimeLeft time_;
  Clock::time_point told_ = Clock::now();
  bool cancelled_ = false;
  int heard_ = -1;  ///< the frame whose cues these are
  std::shared_ptr<const FrameCues> cues_;
  bool keeps_ = false;  ///< frames whose file is there are skipped
  int waiting_ = -1;    ///< frame that is written with the next one
  int collected_ = 0;   ///< frames whose file is written at the end: of one for all, or the one that waits
  ExportEnd end_ = ExportEnd::complete;
  ExportResult result_;
};

}  // namespace

ExportResult run_export(const Scene& scene, FrameSink& sink, const ExportOptions& options, const FrameCache* cached,
                        const std::function<bool(const ExportProgress&)>& progress) {
  Job job(scene, sink, options, cached, progress);
  try {
    return job.run();
  } catch (const std::bad_alloc&) {
    return job.failed({Severity::error, "", "There is not enough memory to write these frames.",
                       "Choose a smaller size or fewer samples."});
  } catch (const std::exception& error) {
    return job.failed({Severity::error, "", std::string("Writing stopped: ") + error.what() + ".", ""});
  }
}

}  // namespace hazumi
