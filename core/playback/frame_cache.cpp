#include "core/playback/frame_cache.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hazumi {

// Frames that fall out are destroyed after the lock is given back: freeing a long run takes milliseconds, and the
// interface may be asking for a frame meanwhile.

FrameCache::Generation FrameCache::generation() const {
  std::lock_guard lock(mutex_);
  return generation_;
}

FrameCache::Generation FrameCache::restart(int first_frame) {
  std::vector<StoredFrame> dropped;
  std::lock_guard lock(mutex_);
  const auto keep = static_cast<std::size_t>(std::max(first_frame, 0));
  if (keep < frames_.size()) {
    dropped.assign(std::make_move_iterator(frames_.begin() + static_cast<std::ptrdiff_t>(keep)),
                   std::make_move_iterator(frames_.end()));
    frames_.resize(keep);
  }
  store_->begin_run(frames_);
  return ++generation_;
}

FrameCache::Generation FrameCache::replace(std::vector<StoredFrame> frames) {
  std::lock_guard lock(mutex_);
  frames_.swap(frames);
  store_->begin_run(frames_);
  return ++generation_;
}

bool FrameCache::append(Generation generation, FramePtr frame) {
  if (!frame) return false;
  std::lock_guard lock(mutex_);
  if (generation != generation_ || frame->index != static_cast<int>(frames_.size())) return false;
  frames_.push_back(store_->add(std::move(frame)));
  return true;
}

FramePtr FrameCache::frame(int index) const {
  std::lock_guard lock(mutex_);
  if (index < 0 || index >= static_cast<int>(frames_.size())) return nullptr;
  return store_->here(frames_[static_cast<std::size_t>(index)]);
}

FramePtr FrameCache::fetch(int index) const {
  StoredFrame stored;
  {
    std::lock_guard lock(mutex_);
    if (index < 0 || index >= static_cast<int>(frames_.size())) return nullptr;
    stored = frames_[static_cast<std::size_t>(index)];
  }
  return store_->fetch(stored);
}

FramePtr FrameCache::nearest(int index) const {
  std::lock_guard lock(mutex_);
  const int count = static_cast<int>(frames_.size());
  index = std::clamp(index, 0, std::max(count - 1, 0));
  for (int away = 0; away < count; ++away)
    for (const int i : {index - away, index + away})
      if (i >= 0 && i < count)
        if (FramePtr frame = store_->here(frames_[static_cast<std::size_t>(i)])) return frame;
  return nullptr;
}

std::vector<std::shared_ptr<const FrameJoints>> FrameCache::joints(int first) const {
  std::vector<std::shared_ptr<const FrameJoints>> all;
  std::lock_guard lock(mutex_);
  for (auto i = static_cast<std::size_t>(std::max(first, 0)); i < frames_.size(); ++i)
    all.push_back(store_->joints(frames_[i]));
  return all;
}

std::vector<std::shared_ptr<const FrameExamples>> FrameCache::examples(int first) const {
  std::vector<std::shared_ptr<const FrameExamples>> all;
  std::lock_guard lock(mutex_);
  for (auto i = static_cast<std::size_t>(std::max(first, 0)); i < frames_.size(); ++i)
    all.push_back(store_->examples(frames_[i]));
  return all;
}

std::vector<std::shared_ptr<const FrameBodies>> FrameCache::bodies(int first) const {
  std::vector<std::shared_ptr<const FrameBodies>> all;
  std::lock_guard lock(mutex_);
  for (auto i = static_cast<std::size_t>(std::max(first, 0)); i < frames_.size(); ++i)
    all.push_back(store_->bodies(frames_[i]));
  return all;
}

std::vector<std::shared_ptr<const FrameSources>> FrameCache::sources(int first) const {
  std::vector<std::shared_ptr<const FrameSources>> all;
  std::lock_guard lock(mutex_);
  for (auto i = static_cast<std::size_t>(std::max(first, 0)); i < frames_.size(); ++i)
    all.push_back(store_->sources(frames_[i]));
  return all;
}

std::vector<std::shared_ptr<const FrameSurfaces>> FrameCache::surfaces(int first) const {
  std::vector<std::shared_ptr<const FrameSurfaces>> all;
  std::lock_guard lock(mutex_);
  for (auto i = static_cast<std::size_t>(std::max(first, 0)); i < frames_.size(); ++i)
    all.push_back(store_->surfaces(frames_[i]));
  return all;
}

std::shared_ptr<const FrameCues> FrameCache::cues() const {
  std::lock_guard lock(mutex_);
  return frames_.empty() ? nullptr : store_->cues(frames_.back());
}

int FrameCache::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(frames_.size());
}

std::vector<StoredFrame> FrameCache::run() const {
  std::lock_guard lock(mutex_);
  return frames_;
}

std::vector<FramePtr> FrameCache::frames() const {
  std::vector<FramePtr> frames;
  for (const StoredFrame& stored : run()) frames.push_back(store_->here(stored));
  return frames;
}

std::shared_ptr<const FrameCache> FrameCache::snapshot() const {
  const std::shared_ptr<FrameCache> copy(new FrameCache(store_));
  std::lock_guard lock(mutex_);
  copy->frames_ = frames_;
  copy->generation_ = generation_;
  return copy;
}

void FrameCache::wish(const std::vector<int>& indices) {
  std::vector<StoredFrame> wished;
  {
    std::lock_guard lock(mutex_);
    for (const int index : indices)
      if (index >= 0 && index < static_cast<int>(frames_.size()))
        wished.push_back(frames_[static_cast<std::size_t>(index)]);
  }
  store_->wish(std::move(wished));
}

int FrameCache::first_lost() const {
  if (!store_->has_lost()) return -1;
  std::lock_guard lock(mutex_);
  const auto at =
      std::find_if(frames_.begin(), frames_.end(), [&](const auto& stored) { return store_->lost(stored); });
  return at == frames_.end() ? -1 : static_cast<int>(at - frames_.begin());
}

}  // namespace hazumi
