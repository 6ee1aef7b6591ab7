#include "core/playback/frame_cache.h"

#include <algorithm>
#include <utility>

namespace hazumi {

// Frames that fall out are destroyed after the lock is given back: freeing a long run takes milliseconds, and the
// interface may be asking for a frame meanwhile.

FrameCache::Generation FrameCache::generation() const {
  std::lock_guard lock(mutex_);
  return generation_;
}

FrameCache::Generation FrameCache::restart(int first_frame) {
  std::vector<FramePtr> dropped;
  std::lock_guard lock(mutex_);
  const auto keep = static_cast<std::size_t>(std::max(first_frame, 0));
  if (keep < frames_.size()) {
    for (std::size_t i = keep; i < frames_.size(); ++i) bytes_ -= frames_[i]->memory_use();
    dropped.assign(std::make_move_iterator(frames_.begin() + static_cast<std::ptrdiff_t>(keep)),
                   std::make_move_iterator(frames_.end()));
    frames_.resize(keep);
  }
  return ++generation_;
}

FrameCache::Generation FrameCache::replace(std::vector<FramePtr> frames) {
  std::size_t bytes = 0;
  for (const FramePtr& frame : frames) bytes += frame->memory_use();
  std::lock_guard lock(mutex_);
  frames_.swap(frames);
  bytes_ = bytes;
  return ++generation_;
}

bool FrameCache::append(Generation generation, FramePtr frame) {
  if (!frame) return false;
  const std::size_t bytes = frame->memory_use();
  std::lock_guard lock(mutex_);
  if (generation != generation_ || frame->index != static_cast<int>(frames_.size())) return false;
  frames_.push_back(std::move(frame));
  bytes_ += bytes;
  return true;
}

FramePtr FrameCache::frame(int index) const {
  std::lock_guard lock(mutex_);
  if (index < 0 || index >= static_cast<int>(frames_.size())) return nullptr;
  return frames_[static_cast<std::size_t>(index)];
}

int FrameCache::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(frames_.size());
}

std::vector<FramePtr> FrameCache::frames() const {
  std::lock_guard lock(mutex_);
  return frames_;
}

std::size_t FrameCache::memory_use() const {
  std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace hazumi
