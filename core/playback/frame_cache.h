// Computed frames of the current run. Written by one worker, read by anyone; every call but fetch() is short and never waits for
// a step or for the disk. A worker writes with the generation it was started for: after an edit the cache is at a newer one and
// refuses, so a stale worker cannot put an out-of-date frame on screen. Where the frames lie is the store's concern.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/playback/frame.h"
#include "core/playback/frame_store.h"

namespace hazumi {

class FrameCache {
 public:
  using Generation = std::uint64_t;

  FrameCache() : FrameCache(std::make_shared<FrameStore>()) {}
  FrameCache(const FrameCache&) = delete;
  FrameCache& operator=(const FrameCache&) = delete;

  Generation generation() const;
  /// Drops frames ≥ first_frame and starts a new generation, which is returned. (kNoFrame drops nothing.)
  Generation restart(int first_frame);
  /// Puts back a set of frames kept from an earlier run (undo): replaces everything, new generation.
  Generation replace(std::vector<StoredFrame> frames);
  /// False when the generation is old (nothing is written). Frames are appended in order: index == size().
  bool append(Generation generation, FramePtr frame);

  FramePtr frame(int index) const;    ///< null when not computed, or on the disk
  FramePtr fetch(int index) const;    ///< null when not computed; waits for the disk: for workers
  FramePtr nearest(int index) const;  ///< of those that are in memory; null: none
  /// Frame::joints of the frames from this one on, as far as they are computed; those on the disk too.
  std::vector<std::shared_ptr<const FrameJoints>> joints(int first) const;
  std::vector<std::shared_ptr<const FrameExamples>> examples(int first) const;  ///< the same
  std::vector<std::shared_ptr<const FrameBodies>> bodies(int first) const;      ///< the same
  std::vector<std::shared_ptr<const FrameSources>> sources(int first) const;    ///< the same
  std::vector<std::shared_ptr<const FrameSurfaces>> surfaces(int first) const;  ///< the same
  std::shared_ptr<const FrameCues> cues() const;  ///< those of the last frame that is computed
  int size() const;                               ///< frames 0 … size()−1 are there, in memory or on the disk
  std::vector<StoredFrame> run() const;           ///< all, cheap (shared)
  std::vector<FramePtr> frames() const;           ///< all, cheap (shared); null: on the disk
  /// The same frames, to be gone on with whatever becomes of this cache.
  std::shared_ptr<const FrameCache> snapshot() const;
  /// Frames that are to come from the disk, the most urgent first; replaces the wish before. What is not computed is left out.
  void wish(const std::vector<int>& indices);
  int first_lost() const;  ///< the disk does not give it back any more; −1: none

  FrameStore& store() const { return *store_; }

 private:
  explicit FrameCache(std::shared_ptr<FrameStore> store) : store_(std::move(store)) {}

  const std::shared_ptr<FrameStore> store_;
  mutable std::mutex mutex_;
  Generation generation_ = 1;
  std::vector<StoredFrame> frames_;
};

}  // namespace hazumi
