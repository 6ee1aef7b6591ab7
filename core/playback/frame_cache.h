// Computed frames of the current run. Written by one worker, read by anyone; every call is short and never waits for
// a step. A worker writes with the generation it was started for: after an edit the cache is at a newer one and
// refuses, so a stale worker cannot put an out-of-date frame on screen.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/playback/frame.h"

namespace hazumi {

class FrameCache {
 public:
  using Generation = std::uint64_t;

  Generation generation() const;
  /// Drops frames ≥ first_frame and starts a new generation, which is returned. (kNoFrame drops nothing.)
  Generation restart(int first_frame);
  /// Puts back a set of frames kept from an earlier run (undo): replaces everything, new generation.
  Generation replace(std::vector<FramePtr> frames);
  /// False when the generation is old (nothing is written). Frames are appended in order: index == size().
  bool append(Generation generation, FramePtr frame);

  FramePtr frame(int index) const;       ///< null when not computed
  int size() const;                      ///< frames 0 … size()−1 are there
  std::vector<FramePtr> frames() const;  ///< all, cheap (shared)
  std::size_t memory_use() const;

 private:
  mutable std::mutex mutex_;
  Generation generation_ = 1;
  std::vector<FramePtr> frames_;
  std::size_t bytes_ = 0;
};

}  // namespace hazumi
