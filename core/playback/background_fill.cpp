// Length: one worker and all that it shares with the interface under one lock; in pieces who holds it would be seen nowhere.
// Who owns what: everything under `mutex` is shared and held for microseconds only (never during compile, step or
// mapping); `number` and `halt` are read by the worker at every sub-step; the simulators belong to the worker alone.
//
// What keeps an out-of-date frame off the screen, by itself enough each:
//  - start() drops frames under the same lock under which the worker adds them, and compares the new scene with the one
//    that the frames in the cache belong to, with the log of exactly those frames. A first_frame that the caller worked
//    out a moment before, while the worker added a frame with a first contact, is thereby corrected.
//  - the cache refuses the generation of a worker that has not yet heard of the edit.
#include "core/playback/background_fill.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "core/motion/compile.h"
#include "core/playback/run.h"
#include "core/scene/diff.h"

namespace hazumi {

namespace {

constexpr std::size_t kParkedRuns = 4;
/// Bytes of checkpoints, of the simulator at work and of each one kept for undo: a part of the memory.
constexpr std::size_t run_checkpoints(std::size_t memory) { return std::min(memory / 4, std::size_t{256} << 20); }
constexpr std::size_t parked_checkpoints(std::size_t memory) { return std::min(memory / 32, std::size_t{32} << 20); }
constexpr std::size_t kKeptRuns = 64;
constexpr std::chrono::milliseconds kMoving{5};         ///< between two looks at whether frames have gone to the disk
constexpr std::chrono::milliseconds kLookForRoom{500};  ///< the same, of a fill that has stopped for want of room
constexpr std::size_t kKeptStarts = 8;                  ///< reports of overlaps; each with one holds a model
/// A scene that is being edited is left alone for so long before its metaballs are polygonised: in a drag the preview has
/// the processor, and at rest the window's polygoniser, which knows what did not change, comes first.
constexpr std::chrono::milliseconds kSettled{200};

/// Frames and log of an earlier run.
struct KeptRun {
  std::uint64_t signature = 0;
  std::vector<StoredFrame> frames;
  RunLog log;
};

struct Task {
  Shared<Scene> scene;
  std::uint64_t signature = 0;
  std::uint64_t number = 0;
  FrameCache::Generation generation = 0;
};

/// Somebody wants a state of the run with this number.
struct StateWish {
  int frame = 0;
  std::uint64_t number = 0;
  StateTaker take;
  std::function<bool()> cancelled;
};

}  // namespace

struct BackgroundFill::Data {
  FrameCache& cache;
  const int threads;
  const std::function<void()> notify;
  const std::shared_ptr<MeshStore> meshes;

  mutable std::mutex mutex;
  std::condition_variable wake;
  // Under mutex:
  bool started = false, paused = false, quit = false;
  Shared<Scene> scene;  ///< the frames in the cache belong to it
  std::uint64_t signature = 0;
  FrameCache::Generation generation = 0;
  int last_frame = -1;
  RunLog log;  ///< of the sub-steps that lead to the frames in the cache
  mutable std::shared_ptr<const RunLog> log_snapshot = std::make_shared<const RunLog>();
  mutable bool log_changed = false;
  std::deque<KeptRun> kept;                               ///< oldest first
  std::deque<std::shared_ptr<const StartReport>> starts;  ///< oldest first
  bool forgets = false, squeezed = false;                 ///< for the worker: forget(), set_limits() was called
  std::vector<KeptRun> garbage;                           ///< for the worker to free
  FillStatus::Phase phase = FillStatus::Phase::idle;
  int prepared = 0, to_prepare = 0;
  std::optional<Diagnostic> failure;
  std::shared_ptr<const std::vector<SkinShape>> skins = std::make_shared<const std::vector<SkinShape>>();
  bool out_of_room = false;
  double rate = 0;  ///< 1/s
  std::optional<StateWish> wish;
  // Written under mutex, read at every sub-step without:
  std::atomic<std::uint64_t> number{0};
  std::atomic<bool> halt{false};    ///< paused or quit
  std::atomic<bool> wished{false};  ///< `wish` is there
  // Of the worker:
  std::unique_ptr<Run> run;
  std::deque<std::unique_ptr<Run>> parked;  ///< oldest first
  std::thread worker;

  Data(FrameCache& c, int t, std::function<void()> n, std::shared_ptr<MeshStore> m)
      : cache(c), threads(std::max(t, 1)), notify(std::move(n)), meshes(std::move(m)) {}

  bool stale(const Task& task) const {
    return number.load(std::memory_order_acquire) != task.number || halt.load(std::memory_order_acquire);
  }
  void tell() const {
    if (notify) notify();
  }

  // --- under mutex ---

  std::shared_ptr<const StartReport> start_report(std::uint64_t wanted) const {
    const auto it = std::find_if(starts.begin(), starts.end(), [&](const auto& r) { return r->signature == wanted; });
    return it != starts.end() ? *it : nullptr;
  }
  bool has_work() const {
    return started && phase != FillStatus::Phase::stopped && (cache.size() <= last_frame || !start_report(signature));
  }
  void log_from(int frame) {
    log.drop_from(frame);
    log_changed = true;
  }
  /// Frames ≥ first are out of date: state `first` may differ, so what is logged of the frame before may too.
  void drop(int first) {
    generation = cache.restart(first);
    log_from(std::min(first, cache.size()) - 1);
  }
  void keep_current_run() {
    if (!started || cache.size() == 0) return;
    std::erase_if(kept, [&](const KeptRun& r) { return r.signature == signature; });
    kept.push_back({signature, cache.run(), log});
    if (kept.size() > kKeptRuns) give_up_oldest();
  }
  /// True when frames of a run like this one were kept and reach further than what the edit leaves.
  bool bring_back(std::uint64_t wanted, int left) {
    const auto it = std::find_if(kept.begin(), kept.end(), [&](const KeptRun& r) { return r.signature == wanted; });
    if (it == kept.end() || static_cast<int>(it->frames.size()) <= left) return false;
    generation = cache.replace(std::move(it->frames));
    log = std::move(it->log);
    log_changed = true;
    kept.erase(it);
    if (const int lost = cache.first_lost(); lost >= 0) drop(lost);
    return true;
  }
  /// A fill that stopped because memory and disk were used up.
  void go_on_with_room() {
    if (!out_of_room || cache.store().room() == FrameStore::Room::none) return;
    out_of_room = false;
    failure.reset();
    phase = FillStatus::Phase::compiling;
  }
  void give_up_oldest() {
    garbage.push_back(std::move(kept.front()));
    kept.pop_front();
  }

  // --- worker ---

  void loop();
  void work(const Task& task);
  void answer(const Task& task, const StateWish& asked);
  bool make_room(const Task& task);
  bool clean(std::unique_lock<std::mutex>& lock);
  void count_checkpoints();
  std::optional<MeshStore::Held> polygonise(const Task& task);
  bool prepare(const Task& task);
  bool tell_otherwise(const Task& task);
  void look_at_start(const Task& task);
  bool publish(const Task& task, FramePtr frame, double seconds);
  void set_phase(const Task& task, FillStatus::Phase to);
  void stop(const Task& task, Diagnostic why);
  void park(std::unique_ptr<Run> old);
  std::unique_ptr<Run> unpark(std::uint64_t wanted);
};

void BackgroundFill::Data::set_phase(const Task& task, FillStatus::Phase to) {
  {
    std::lock_guard lock(mutex);
    if (number.load() != task.number || phase == to) return;
    phase = to;
  }
  tell();
}

void BackgroundFill::Data::stop(const Task& task, Diagnostic why) {
  {
    std::lock_guard lock(mutex);
    if (number.load() != task.number) return;
    phase = FillStatus::Phase::stopped;
    failure = std::move(why);
    if (run && run->signature == task.signature && run->simulator.log().failure) {
      log.failure = run->simulator.log().failure;
      log_changed = true;
    }
  }
  tell();
}

void BackgroundFill::Data::park(std::unique_ptr<Run> old) {
  if (!old) return;
  old->simulator.set_checkpoint_budget(parked_checkpoints(cache.store().limits().memory));
  parked.push_back(std::move(old));
  if (parked.size() > kParkedRuns) parked.pop_front();
}

std::unique_ptr<Run> BackgroundFill::Data::unpark(std::uint64_t wanted) {
  const auto it = std::find_if(parked.begin(), parked.end(), [&](const auto& r) { return r->signature == wanted; });
  if (it == parked.end()) return nullptr;
  std::unique_ptr<Run> found = std::move(*it);
  parked.erase(it);
  return found;
}

/// Final meshes of the scene's metaballs. Nothing: stale by now.
std::optional<MeshStore::Held> BackgroundFill::Data::polygonise(const Task& task) {
  if (auto there = meshes->prepared(*task.scene)) return there;
  const auto progress = [&](int done, int all) {
    {
      std::lock_guard lock(mutex);
      if (number.load() != task.number) return;
      phase = FillStatus::Phase::preparing;
      prepared = done;
      to_prepare = all;
    }
    tell();
  };
  {
    std::unique_lock lock(mutex);
    if (wake.wait_for(lock, kSettled, [&] { return stale(task); })) return std::nullopt;
  }
  return meshes->prepare(
      *task.scene, threads, [&] { return stale(task); }, progress);
}

/// The same run, in which pulls are told otherwise: no model has to be made. What overlaps at the start is the same.
bool BackgroundFill::Data::tell_otherwise(const Task& task) {
  const int first = first_changed(*run->scene, *task.scene, run->simulator.log());
  const std::uint64_t before = run->signature;
  run->simulator.go_on_with(retold(run->simulator.model(), *task.scene), first);
  run->scene = task.scene;
  run->signature = task.signature;
  std::lock_guard lock(mutex);
  const auto known = start_report(before);
  if (!known || start_report(task.signature)) return !stale(task);
  auto report = std::make_shared<StartReport>(*known);
  report->signature = task.signature;
  for (auto& one : starts)
    if (one == known) one = report;
  return !stale(task);
}

/// Makes `run` the simulator of the task. False: stale by now, or stopped.
bool BackgroundFill::Data::prepare(const Task& task) {
  if (run && run->signature == task.signature) return true;
  if (run && only_pulls_differ(*run->scene, *task.scene)) return tell_otherwise(task);
  set_phase(task, FillStatus::Phase::compiling);
  std::unique_ptr<Run> next = unpark(task.signature);
  if (!next) {
    const std::optional<MeshStore::Held> surfaces = polygonise(task);
    if (!surfaces) return false;
    set_phase(task, FillStatus::Phase::compiling);
    auto model = compile(*task.scene, *meshes, run ? &run->simulator.model() : nullptr);
    if (!model) {
      const Diagnostics& all = model.diagnostics();
      const auto error =
          std::find_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
      stop(task, error != all.end() ? *error : model.error());
      return false;
    }
    auto made = std::make_shared<const std::vector<SkinShape>>(skin_shapes(*model.value()));
    {
      std::lock_guard lock(mutex);
      skins.swap(made);
    }
    if (stale(task)) return false;
    next = std::make_unique<Run>(task.scene, task.signature, model.value(), threads);
    std::vector<const Run*> others = {run.get()};
    for (const auto& earlier : parked) others.push_back(earlier.get());
    adopt_best(*next, others);
  }
  park(std::move(run));
  run = std::move(next);
  count_checkpoints();
  std::lock_guard lock(mutex);
  if (number.load() == task.number && cache.size() > 1) {  // frames of another run stay
    log.begin_with(run->simulator.start_marks());
    log_changed = true;
  }
  return !stale(task);
}

void BackgroundFill::Data::count_checkpoints() {
  const std::size_t memory = cache.store().limits().memory;
  std::size_t bytes = 0;
  if (run) {
    run->simulator.set_checkpoint_budget(run_checkpoints(memory));
    bytes += run->simulator.checkpoint_bytes();
  }
  for (const auto& earlier : parked) {
    earlier->simulator.set_checkpoint_budget(parked_checkpoints(memory));
    bytes += earlier->simulator.checkpoint_bytes();
  }
  cache.store().set_beside(bytes);
}

/// Waits for frames on their way to the disk. What undo would find goes before the run that is shown stops, which goes on from
/// where it is as soon as there is room. False: stale by now, or stopped.
bool BackgroundFill::Data::make_room(const Task& task) {
  for (;;) {
    const FrameStore::Room room = cache.store().room();
    if (room == FrameStore::Room::there) return true;
    std::vector<KeptRun> gone;
    std::unique_lock lock(mutex);
    if (stale(task) || wish) return false;
    if (room == FrameStore::Room::coming) {
      wake.wait_for(lock, kMoving, [&] { return stale(task) || wish; });
    } else if (!kept.empty()) {
      give_up_oldest();
      gone.swap(garbage);
    } else if (!parked.empty()) {
      lock.unlock();
      parked.pop_front();
      count_checkpoints();
    } else if (cache.size() > 0) {
      out_of_room = true;
      lock.unlock();
      stop(task, cache.store().no_room());
      return false;
    } else {
      return true;  // one frame there must be
    }
  }
}

void BackgroundFill::Data::look_at_start(const Task& task) {
  {
    std::lock_guard lock(mutex);
    if (start_report(task.signature)) return;
  }
  auto report = std::make_shared<StartReport>();
  report->signature = task.signature;
  const std::shared_ptr<const Model> model = run->simulator.shared_model();
  report->overlaps = start_overlaps(*model);
  if (!report->overlaps.empty()) report->model = model;
  std::shared_ptr<const StartReport> oldest;  // freed without the lock
  {
    std::lock_guard lock(mutex);
    starts.push_back(std::move(report));
    if (starts.size() > kKeptStarts) {
      oldest = std::move(starts.front());
      starts.pop_front();
    }
  }
  tell();
}

bool BackgroundFill::Data::publish(const Task& task, FramePtr frame, double seconds) {
  {
    std::lock_guard lock(mutex);
    if (number.load() != task.number) return false;
    const int before = frame->index - 1;
    log.add_frame(run->simulator.log(), before);
    log_changed = true;
    if (!cache.append(task.generation, std::move(frame))) {
      drop(cache.size());  // somebody else began a generation: go on from what is there
      return false;
    }
    if (seconds > 0) rate = rate > 0 ? 0.9 * rate + 0.1 / seconds : 1 / seconds;
  }
  tell();
  return true;
}

void BackgroundFill::Data::work(const Task& task) {
  if (!prepare(task)) return;
  look_at_start(task);
  set_phase(task, FillStatus::Phase::running);
  Simulator& simulator = run->simulator;
  for (;;) {
    int frame = 0;
    {
      std::unique_lock lock(mutex);
      if (stale(task) || wish) return;
      frame = cache.size();
      if (frame > last_frame) {
        phase = FillStatus::Phase::complete;
        lock.unlock();
        return tell();
      }
    }
    if (!make_room(task)) return;
    const auto began = std::chrono::steady_clock::now();
    if (!simulator.state_at(frame, [&] { return stale(task) || wished.load(std::memory_order_acquire); })) {
      if (const auto& failed = simulator.log().failure; failed && failed->first < frame) stop(task, failed->second);
      return;
    }
    auto made = std::make_shared<const Frame>(simulator.frame_at(frame));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (!publish(task, std::move(made), took.count())) return;
    count_checkpoints();
  }
}

/// Between two frames: the run goes back for it to the checkpoint before, and is then where it was in no time.
void BackgroundFill::Data::answer(const Task& task, const StateWish& asked) {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const State> found;
  const auto end = [&] { return stale(task) || (asked.cancelled && asked.cancelled()); };
  if (asked.number == task.number && !end()) {
    FillStatus::Phase phase_before;
    {
      std::lock_guard lock(mutex);
      phase_before = phase;
    }
    if (prepare(task)) {
      set_phase(task, phase_before);
      if (const State* state = run->simulator.state_at(asked.frame, end)) {
        model = run->simulator.shared_model();
        found = std::make_shared<const State>(*state);
      }
    }
  }
  asked.take(model, found);
}

/// What forget() and set_limits() leave to the worker. False: nothing.
bool BackgroundFill::Data::clean(std::unique_lock<std::mutex>& lock) {
  std::vector<KeptRun> freed = std::exchange(garbage, {});
  const bool forget = std::exchange(forgets, false), squeeze = std::exchange(squeezed, false);
  if (freed.empty() && !forget && !squeeze) return false;
  std::deque<std::shared_ptr<const StartReport>> reports;
  if (forget) reports.swap(starts);
  lock.unlock();
  freed.clear();
  reports.clear();
  if (forget) {
    run.reset();
    parked.clear();
    cache.store().tidy();
  }
  count_checkpoints();
  lock.lock();
  const auto too_much = [&] {
    const FrameStore& store = cache.store();
    return store.room() == FrameStore::Room::none || store.use().disk > store.limits().disk;
  };
  if (squeeze && !kept.empty() && too_much()) {
    give_up_oldest();
    squeezed = true;  // look again, without it
  }
  return true;
}

void BackgroundFill::Data::loop() {
  std::unique_lock lock(mutex);
  for (;;) {
    const auto ready = [&] {
      return quit || forgets || squeezed || !garbage.empty() || ((wish || has_work()) && !paused);
    };
    if (!out_of_room) {
      wake.wait(lock, ready);
    } else if (!wake.wait_for(lock, kLookForRoom, ready)) {
      go_on_with_room();
      continue;
    }
    if (quit) return;
    if (clean(lock)) continue;
    const Task task{scene, signature, number.load(), generation};
    const std::optional<StateWish> asked = std::exchange(wish, std::nullopt);
    wished.store(false);
    lock.unlock();
    // The job's boundary: whatever goes wrong in it ends this run, never the program, and is told to the person.
    try {
      asked ? answer(task, *asked) : work(task);
    } catch (const std::bad_alloc&) {
      if (asked) asked->take(nullptr, nullptr);
      run.reset();
      stop(task, {Severity::error, "", "There is not enough memory to simulate this scene.",
                  "Use fewer divisions or fewer objects."});
    } catch (const std::exception& error) {
      if (asked) asked->take(nullptr, nullptr);
      run.reset();
      stop(task, {Severity::error, "", std::string("The simulation stopped: ") + error.what() + ".",
                  "Undo the last change, or save the scene and report this."});
    }
    lock.lock();
  }
}

BackgroundFill::BackgroundFill(FrameCache& cache, int threads, std::function<void()> notify,
                               std::shared_ptr<MeshStore> meshes)
    : data_(std::make_unique<Data>(cache, threads, std::move(notify), std::move(meshes))) {
  data_->worker = std::thread([d = data_.get()] { d->loop(); });
}

BackgroundFill::~BackgroundFill() {
  {
    std::lock_guard lock(data_->mutex);
    data_->quit = true;
    data_->halt.store(true);
  }
  data_->wake.notify_all();
  data_->worker.join();
}

void BackgroundFill::start(Shared<Scene> scene, int first_frame, int last_frame) {
  take(std::move(scene), first_frame, last_frame, true);
}

void BackgroundFill::go_on(Shared<Scene> scene, int last_frame) { take(std::move(scene), kNoFrame, last_frame, false); }

void BackgroundFill::take(Shared<Scene> scene, int first_frame, int last_frame, bool keep) {
  const std::uint64_t signature = simulation_signature(*scene);
  Data& d = *data_;
  {
    std::lock_guard lock(d.mutex);
    const bool same_run = d.started && signature == d.signature;
    const FrameCache::Generation before = d.generation;
    int first = d.started ? first_frame : 0;
    if (d.started && !same_run) first = std::min(first, first_changed(*d.scene, *scene, d.log));
    if (!same_run) {
      if (keep) d.keep_current_run();
      if (!d.bring_back(signature, std::min(first, d.cache.size()))) d.drop(first);
    } else if (first < d.cache.size()) {
      d.drop(first);
    }
    // A worker on the same run goes on: it reads last_frame after every frame.
    if (!same_run || d.generation != before) d.number.fetch_add(1);
    d.started = true;
    d.scene = std::move(scene);
    d.signature = signature;
    d.last_frame = last_frame;
    if (!same_run) d.rate = 0;
    d.failure.reset();
    d.out_of_room = false;
    if (d.cache.size() > last_frame) {
      d.phase = FillStatus::Phase::complete;
    } else if (d.phase != FillStatus::Phase::running || d.generation != before) {
      d.phase = keep ? FillStatus::Phase::compiling : FillStatus::Phase::running;  // nothing is made again
    }
  }
  d.wake.notify_all();
}

void BackgroundFill::want_state(int frame, StateTaker take, std::function<bool()> cancelled) {
  std::optional<StateWish> replaced;
  {
    std::lock_guard lock(data_->mutex);
    replaced =
        std::exchange(data_->wish, StateWish{frame, data_->number.load(), std::move(take), std::move(cancelled)});
    data_->wished.store(true);
  }
  if (replaced) replaced->take(nullptr, nullptr);
  data_->wake.notify_all();
}

void BackgroundFill::pause(bool paused) {
  {
    std::lock_guard lock(data_->mutex);
    data_->paused = paused;
    data_->halt.store(paused || data_->quit);
  }
  data_->wake.notify_all();
}

FillStatus BackgroundFill::status() const {
  std::lock_guard lock(data_->mutex);
  FillStatus status;
  status.phase = data_->phase;
  if (data_->paused && data_->has_work()) status.phase = FillStatus::Phase::idle;
  if (status.phase == FillStatus::Phase::preparing) {
    status.prepared = data_->prepared;
    status.to_prepare = data_->to_prepare;
  }
  status.computed = data_->cache.size();
  status.wanted = data_->last_frame + 1;
  status.frames_per_second = data_->rate;
  status.failure = data_->failure;
  status.start = data_->start_report(data_->signature);
  return status;
}

std::shared_ptr<const RunLog> BackgroundFill::log() const {
  std::lock_guard lock(data_->mutex);
  if (data_->log_changed) {
    data_->log_snapshot = std::make_shared<const RunLog>(data_->log);
    data_->log_changed = false;
  }
  return data_->log_snapshot;
}

std::shared_ptr<const std::vector<SkinShape>> BackgroundFill::skins() const {
  std::lock_guard lock(data_->mutex);
  return data_->skins;
}

int BackgroundFill::first_frame(const Cause& cause) const {
  std::lock_guard lock(data_->mutex);
  return data_->started ? data_->log.first_frame(cause) : 0;
}

void BackgroundFill::forget() {
  {
    std::lock_guard lock(data_->mutex);
    Data& d = *data_;
    d.keep_current_run();
    while (!d.kept.empty()) d.give_up_oldest();
    d.drop(0);
    d.started = d.out_of_room = false;
    d.forgets = true;
    d.number.fetch_add(1);
    d.phase = FillStatus::Phase::idle;
  }
  data_->wake.notify_all();
}

void BackgroundFill::set_limits(FrameLimits limits) {
  {
    std::lock_guard lock(data_->mutex);
    data_->cache.store().set_limits(std::move(limits));
    data_->squeezed = true;
    data_->go_on_with_room();
  }
  data_->wake.notify_all();
}

}  // namespace hazumi
