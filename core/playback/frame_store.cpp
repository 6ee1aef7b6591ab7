// All of Data and of the slots is under `mutex`, which is held for no disk access, no coding and no freeing of frames. A slot
// unregisters in its destructor, under the mutex: whoever holds that may end none. The worker collects in `loose` what it lets go
// of, and frees it between two steps.
#include "core/playback/frame_store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/memory.h"
#include "core/base/scratch_file.h"
#include "core/playback/frame_bytes.h"

namespace hazumi {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTryAgain{2};       ///< after the disk took nothing
constexpr std::chrono::milliseconds kFreed{400};   ///< others free what belonged to the frames meanwhile
constexpr std::size_t kWorthTidying = 64'000'000;  ///< bytes
/// Moving begins a little before the budget is used up, so that who computes frames need not wait for it.
constexpr std::size_t begin_moving(std::size_t budget) { return budget - budget / 16; }
constexpr std::size_t most_wished(std::size_t budget) { return budget / 4; }

std::string megabytes(std::size_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; }

}  // namespace

/// Of one run. What it takes of the disk is counted until it is closed.
struct FrameFile {
  explicit FrameFile(std::shared_ptr<std::atomic<std::size_t>> all) : disk(std::move(all)) {}
  ~FrameFile() { *disk -= bytes; }
  FrameFile(const FrameFile&) = delete;
  FrameFile& operator=(const FrameFile&) = delete;

  std::unique_ptr<ScratchFile> file;  ///< null: nothing of the run went to the disk yet
  std::size_t bytes = 0;
  std::shared_ptr<std::atomic<std::size_t>> disk;
};

class FrameSlot : public std::enable_shared_from_this<FrameSlot> {
 public:
  FrameSlot(std::shared_ptr<FrameStore::Data> owner, int frame_index) : store(std::move(owner)), index(frame_index) {}
  ~FrameSlot();
  FrameSlot(const FrameSlot&) = delete;
  FrameSlot& operator=(const FrameSlot&) = delete;

  const std::shared_ptr<FrameStore::Data> store;
  const int index;
  std::shared_ptr<const FrameJoints> joints;
  std::shared_ptr<const FrameExamples> examples;
  std::shared_ptr<const FrameBodies> bodies;
  std::shared_ptr<const FrameSources> sources;
  std::shared_ptr<const FrameSurfaces> surfaces;
  std::shared_ptr<const FrameCues> cues;
  FramePtr frame;                       ///< null: only on the disk
  std::size_t bytes = 0;                ///< of `frame`
  std::uint64_t run = 0;                ///< the newest run that has it
  std::uint64_t wish = 0;               ///< the newest wish that has it
  std::shared_ptr<FrameFile> file;      ///< of the run that computed it
  std::uint64_t place = 0, length = 0;  ///< in there; length 0: not written
  SharedParts shared;                   ///< with what is written
  bool lost = false;
};

struct FrameStore::Data {
  mutable std::mutex mutex;
  std::condition_variable wake;
  bool stirred = false, quit = false;  ///< the worker has something to look at
  FrameLimits limits;
  std::unordered_set<FrameSlot*> here, away;  ///< in memory; only on the disk
  std::size_t bytes = 0, beside = 0, lost = 0;
  std::shared_ptr<std::atomic<std::size_t>> disk = std::make_shared<std::atomic<std::size_t>>(0);
  std::uint64_t run = 1, wish = 1;
  int looked_at = 0;
  std::shared_ptr<FrameFile> file = std::make_shared<FrameFile>(disk);  ///< of the present run
  std::vector<StoredFrame> wished;
  std::vector<std::shared_ptr<const void>> spent;  ///< files that may have to be closed, which takes long
  std::string problem;
  Clock::time_point again{};              ///< with a problem: not before
  std::size_t most_used = 0;              ///< since it was tidied
  std::optional<Clock::time_point> tidy;  ///< then what was freed goes back to the system
  std::thread worker;

  std::mutex notify_mutex;
  std::function<void()> notify;

  // --- under mutex ---

  void stir() {
    stirred = true;
    wake.notify_all();
  }
  std::size_t used() const { return bytes + beside; }
  void count(std::size_t frames, std::size_t others) {
    bytes = frames;
    beside = others;
    most_used = std::max(most_used, used());
    if (used() > begin_moving(limits.memory) || worth_tidying()) stir();
  }
  bool worth_tidying() const { return !tidy && most_used - used() > kWorthTidying + used() / 8; }
  bool may_write(const FrameSlot& slot) const {
    return limits.disk > 0 && !limits.folder.empty() && *disk + slot.bytes <= limits.disk &&
           (problem.empty() || Clock::now() >= again);
  }
  std::uint64_t distance(const FrameSlot& slot) const {
    if (slot.run < run) return (run - slot.run) << 32;
    const std::int64_t ahead = std::int64_t{slot.index} - looked_at;
    return static_cast<std::uint64_t>(ahead >= 0 ? ahead : -2 * ahead);  // time goes forwards
  }
  /// What goes from memory next: of those that are on the disk already, or of the others.
  FrameSlot* furthest(bool written) const {
    FrameSlot* best = nullptr;
    std::uint64_t most = 0;
    for (FrameSlot* slot : here) {
      if (slot->wish == wish || (slot->length > 0) != written) continue;
      const std::uint64_t far = distance(*slot);
      if (best && far <= most) continue;
      best = slot;
      most = far;
    }
    return best;
  }
  void take_in(FrameSlot& slot, FramePtr frame) {
    slot.bytes = frame->memory_use();
    slot.frame = std::move(frame);
    away.erase(&slot);
    here.insert(&slot);
    count(bytes + slot.bytes, beside);
  }
  void let_go(FrameSlot& slot) {
    here.erase(&slot);
    away.insert(&slot);
    count(bytes - slot.bytes, beside);
    loose.push_back(std::move(slot.frame));
    slot.frame = nullptr;
  }

  // --- worker; called under mutex, which they give back meanwhile ---

  std::vector<std::shared_ptr<const void>> loose;  ///< of the worker
  using Lock = std::unique_lock<std::mutex>;
  void loop();
  bool step(Lock& lock);
  void read_back(const StoredFrame& slot, Lock& lock);
  bool shrink(Lock& lock);
  bool tidy_up(Lock& lock);
  bool write(FrameSlot& slot, Lock& lock);
};

FrameSlot::~FrameSlot() {
  std::lock_guard lock(store->mutex);
  store->here.erase(this);
  store->away.erase(this);
  store->lost -= lost;
  if (frame) store->count(store->bytes - bytes, store->beside);
  if (!file->file) return;
  store->spent.push_back(std::move(file));
  store->stir();
}

namespace {

FramePtr read(const ScratchFile& file, std::uint64_t place, std::uint64_t length, const SharedParts& shared) {
  std::vector<std::byte> bytes(length);
  return file.read(place, bytes) ? frame_from_bytes(bytes, shared) : nullptr;
}

}  // namespace

void FrameStore::Data::read_back(const StoredFrame& slot, Lock& lock) {
  const ScratchFile& from = *slot->file->file;
  const std::uint64_t place = slot->place, length = slot->length;
  const SharedParts shared = slot->shared;
  lock.unlock();
  FramePtr frame = read(from, place, length, shared);
  lock.lock();
  if (frame) return take_in(*slot, std::move(frame));
  slot->lost = true;
  ++lost;
}

/// False: the disk takes nothing.
bool FrameStore::Data::write(FrameSlot& slot, Lock& lock) {
  const FramePtr frame = slot.frame;
  const std::filesystem::path folder = limits.folder;
  const std::size_t spared = limits.disk_spared;
  ScratchFile* to = slot.file->file.get();  // nobody else appends
  lock.unlock();
  const std::vector<std::byte> coded = frame_bytes(*frame);
  SharedParts shared = shared_parts(*frame);
  std::unique_ptr<ScratchFile> made;
  std::optional<std::uint64_t> place;
  int error = 0;
  if (!to) {
    made = ScratchFile::make(folder, error);
    to = made.get();
  }
  std::error_code unknown;
  const auto space = to ? std::filesystem::space(folder, unknown) : std::filesystem::space_info{};
  const bool nearly_full = to && !unknown && space.available < spared + coded.size();
  if (to && !nearly_full) place = to->append(coded, error);
  std::string why = place ? "" : nearly_full ? "it is nearly full" : error_text(error);
  lock.lock();
  problem = std::move(why);
  again = Clock::now() + kTryAgain;
  if (!place) return false;
  if (made) slot.file->file = std::move(made);
  *disk += coded.size();
  slot.file->bytes += coded.size();
  slot.place = *place;
  slot.length = coded.size();
  slot.shared = std::move(shared);
  return true;
}

/// One frame less in memory. False: there is none that can go.
bool FrameStore::Data::shrink(Lock& lock) {
  FrameSlot* next = furthest(true);
  const bool written = next != nullptr;
  if (!written) next = furthest(false);
  const StoredFrame slot = next ? next->weak_from_this().lock() : nullptr;  // null: it is ending
  if (!slot) return false;
  loose.push_back(slot);
  if (!written && (!may_write(*slot) || !write(*slot, lock))) return false;
  if (slot->wish != wish) let_go(*slot);  // nobody looked there meanwhile
  return true;
}

/// False: nothing to do until something changes.
bool FrameStore::Data::step(Lock& lock) {
  const auto missing =
      std::find_if(wished.begin(), wished.end(), [](const StoredFrame& slot) { return !slot->frame && !slot->lost; });
  const StoredFrame next = missing == wished.end() ? nullptr : *missing;
  loose.push_back(next);
  if (next && missing == wished.begin()) {
    read_back(next, lock);
    return true;
  }
  if (used() > limits.memory && shrink(lock)) return true;
  if (next && (used() + next->length <= limits.memory || furthest(true))) {
    read_back(next, lock);
    return true;
  }
  if (used() > begin_moving(limits.memory) && shrink(lock)) return true;
  return tidy_up(lock);
}

/// What fell out leaves holes between what is still used.
bool FrameStore::Data::tidy_up(Lock& lock) {
  if (worth_tidying()) tidy = Clock::now() + kFreed;
  if (!tidy || Clock::now() < *tidy) return false;
  tidy.reset();
  most_used = used();
  lock.unlock();
  give_back_freed_memory();
  lock.lock();
  return true;
}

void FrameStore::Data::loop() {
  Lock lock(mutex);
  while (!quit) {
    stirred = false;
    bool did = false;
    try {
      did = step(lock);
    } catch (const std::exception&) {  // no memory for the copy that is read or written
      if (!lock.owns_lock()) lock.lock();
      problem = "there is no memory left to reach it";
      again = Clock::now() + kTryAgain;
    }
    loose.insert(loose.end(), std::make_move_iterator(spent.begin()), std::make_move_iterator(spent.end()));
    spent.clear();
    lock.unlock();
    loose.clear();
    if (did) {
      std::lock_guard telling(notify_mutex);
      if (notify) notify();
    }
    lock.lock();
    if (did) continue;
    const auto ready = [this] { return stirred || quit; };
    if (problem.empty() && !tidy)
      wake.wait(lock, ready);
    else
      wake.wait_until(lock, problem.empty() || (tidy && *tidy < again) ? *tidy : again, ready);
  }
}

FrameStore::FrameStore() : data_(std::make_shared<Data>()) {
  data_->worker = std::thread([data = data_.get()] { data->loop(); });
}

FrameStore::~FrameStore() {
  std::vector<StoredFrame> wished;
  {
    std::lock_guard lock(data_->mutex);
    data_->quit = true;
    data_->wake.notify_all();
    wished.swap(data_->wished);
  }
  data_->worker.join();
}

void FrameStore::set_limits(FrameLimits limits) {
  std::lock_guard lock(data_->mutex);
  data_->limits = std::move(limits);
  data_->problem.clear();
  data_->stir();
}

FrameLimits FrameStore::limits() const {
  std::lock_guard lock(data_->mutex);
  return data_->limits;
}

FrameUse FrameStore::use() const {
  std::lock_guard lock(data_->mutex);
  const int away = static_cast<int>(data_->away.size());
  return {data_->used(), *data_->disk, static_cast<int>(data_->here.size()) + away, away, data_->problem};
}

void FrameStore::set_notify(std::function<void()> notify) {
  std::lock_guard lock(data_->notify_mutex);
  data_->notify = std::move(notify);
}

void FrameStore::tidy() {
  std::lock_guard lock(data_->mutex);
  data_->tidy = Clock::now() + kFreed;
  data_->stir();
}

void FrameStore::set_beside(std::size_t bytes) {
  std::lock_guard lock(data_->mutex);
  data_->count(data_->bytes, bytes);
}

StoredFrame FrameStore::add(FramePtr frame) {
  auto slot = std::make_shared<FrameSlot>(data_, frame->index);
  std::lock_guard lock(data_->mutex);
  slot->run = data_->run;
  slot->file = data_->file;
  slot->joints = frame->joints;
  slot->examples = frame->examples;
  slot->bodies = frame->bodies;
  slot->sources = frame->sources;
  slot->surfaces = frame->surfaces;
  slot->cues = frame->cues;
  data_->take_in(*slot, std::move(frame));
  return slot;
}

FramePtr FrameStore::here(const StoredFrame& frame) const {
  std::lock_guard lock(data_->mutex);
  return frame->frame;
}

FramePtr FrameStore::fetch(const StoredFrame& frame) const {
  std::uint64_t place = 0, length = 0;
  SharedParts shared;
  {
    std::lock_guard lock(data_->mutex);
    if (frame->frame) return frame->frame;
    if (frame->lost) return nullptr;
    place = frame->place;
    length = frame->length;
    shared = frame->shared;
  }
  return read(*frame->file->file, place, length, shared);  // what is written stays where it is
}

std::shared_ptr<const FrameJoints> FrameStore::joints(const StoredFrame& frame) const { return frame->joints; }

std::shared_ptr<const FrameExamples> FrameStore::examples(const StoredFrame& frame) const { return frame->examples; }
std::shared_ptr<const FrameBodies> FrameStore::bodies(const StoredFrame& frame) const { return frame->bodies; }
std::shared_ptr<const FrameSources> FrameStore::sources(const StoredFrame& frame) const { return frame->sources; }
std::shared_ptr<const FrameSurfaces> FrameStore::surfaces(const StoredFrame& frame) const { return frame->surfaces; }
std::shared_ptr<const FrameCues> FrameStore::cues(const StoredFrame& frame) const { return frame->cues; }

bool FrameStore::lost(const StoredFrame& frame) const {
  std::lock_guard lock(data_->mutex);
  return frame->lost;
}

bool FrameStore::has_lost() const {
  std::lock_guard lock(data_->mutex);
  return data_->lost > 0;
}

void FrameStore::begin_run(std::span<const StoredFrame> frames) {
  auto file = std::make_shared<FrameFile>(data_->disk);
  std::vector<StoredFrame> wished;  // whoever looks wishes anew
  std::lock_guard lock(data_->mutex);
  data_->run += 1;
  wished.swap(data_->wished);
  for (const StoredFrame& slot : frames) slot->run = data_->run;
  if (data_->file->file) data_->spent.push_back(data_->file);
  data_->file.swap(file);
  data_->stir();
}

void FrameStore::wish(std::vector<StoredFrame> frames) {
  std::lock_guard lock(data_->mutex);
  if (!frames.empty()) data_->looked_at = frames.front()->index;
  data_->wish += 1;
  std::size_t size = 0, count = 0;
  for (const StoredFrame& slot : frames) {
    size += slot->frame ? slot->bytes : slot->length;
    if (count > 0 && size > most_wished(data_->limits.memory)) break;
    slot->wish = data_->wish;
    ++count;
  }
  // The rest is not read; it ends, like the wish before, with the argument: after the lock.
  std::vector<StoredFrame> now(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count));
  data_->wished.swap(now);
  for (StoredFrame& slot : now) frames.push_back(std::move(slot));
  data_->stir();
}

FrameStore::Room FrameStore::room() const {
  std::lock_guard lock(data_->mutex);
  const Data& d = *data_;
  if (d.used() < d.limits.memory) return Room::there;
  if (d.furthest(true)) return Room::coming;
  const FrameSlot* next = d.furthest(false);
  return next && d.may_write(*next) ? Room::coming : Room::none;
}

Diagnostic FrameStore::no_room() const {
  std::lock_guard lock(data_->mutex);
  const Data& d = *data_;
  const std::string memory = "The frames fill the memory set aside for them (" + megabytes(d.limits.memory) + ")";
  const std::string rest = ", so the rest of the range is not computed";
  if (!d.problem.empty())
    return {Severity::warning, "", memory + " and the disk takes no more (" + d.problem + ")" + rest + " for now.",
            "Make room on the disk, and it goes on by itself; or set aside more memory in the preferences."};
  if (d.limits.disk == 0 || d.limits.folder.empty())
    return {Severity::warning, "", memory + rest + ".",
            "Shorten the frame range, use fewer divisions, or set aside more memory or disk in the preferences."};
  return {Severity::warning, "", memory + " and the disk (" + megabytes(d.limits.disk) + ")" + rest + ".",
          "Shorten the frame range, use fewer divisions, or set aside more memory or disk in the preferences."};
}

}  // namespace hazumi
