// Where computed frames lie: in memory within a budget, beyond it on the disk. One store for the run that is shown and those kept
// for undo; a frame that several of them have is there once.
//
//  - Over the budget a worker moves frames to the disk: of earlier runs first, the oldest before the others, then those of the
//    present one that are furthest from where the person looks. A frame that has been on the disk needs no second writing.
//  - What is wished for it reads back, the newest wish first, the first frame of a wish before everything else.
//  - Each run has a file without a name (base/scratch_file.h), which is closed when none of its frames is needed any more.
//  - When the disk takes no more it is tried again every other second, and meanwhile frames stay in memory; who adds them asks
//    room() before, so that the budget is kept by not computing more, never by losing what is there.
//
// No call but fetch() waits for the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/playback/frame.h"

namespace hazumi {

struct FrameLimits {
  std::size_t memory = std::size_t{1} << 30;  ///< bytes: frames, and what runs keep to go on from
  std::size_t disk = 0;                       ///< bytes; 0: nothing goes to the disk
  std::filesystem::path folder;               ///< of the files; made when missing
  std::size_t disk_spared = 1'000'000'000;    ///< bytes of the disk that stay free: a scene must be saved there too
  friend bool operator==(const FrameLimits&, const FrameLimits&) = default;
};

struct FrameUse {
  std::size_t memory = 0, disk = 0;  ///< bytes
  int frames = 0, frames_on_disk = 0;
  std::string problem;  ///< why the disk takes nothing at present, for the middle of a sentence; empty: it does
};

/// One computed frame, wherever it lies.
class FrameSlot;
using StoredFrame = std::shared_ptr<FrameSlot>;

class FrameStore {
 public:
  FrameStore();
  ~FrameStore();  ///< what is still held may be held on; it is not read from the disk any more
  FrameStore(const FrameStore&) = delete;
  FrameStore& operator=(const FrameStore&) = delete;

  void set_limits(FrameLimits limits);
  FrameLimits limits() const;
  FrameUse use() const;
  /// Called from the worker when a frame has come from the disk or went there.
  void set_notify(std::function<void()> notify);
  /// Counted with the frames: what runs keep to go on from.
  void set_beside(std::size_t bytes);
  /// Soon what was freed goes back to the system, whoever freed it: after a scene was closed. By itself when many frames fell out.
  void tidy();

  StoredFrame add(FramePtr frame);
  FramePtr here(const StoredFrame& frame) const;  ///< null: it is on the disk
  /// Waits for the disk: for workers. Null: it cannot be read.
  FramePtr fetch(const StoredFrame& frame) const;
  /// Frame::joints, wherever the frame lies.
  std::shared_ptr<const FrameJoints> joints(const StoredFrame& frame) const;
  std::shared_ptr<const FrameExamples> examples(const StoredFrame& frame) const;  ///< the same
  std::shared_ptr<const FrameBodies> bodies(const StoredFrame& frame) const;      ///< the same
  std::shared_ptr<const FrameSources> sources(const StoredFrame& frame) const;    ///< the same
  std::shared_ptr<const FrameSurfaces> surfaces(const StoredFrame& frame) const;  ///< the same
  std::shared_ptr<const FrameCues> cues(const StoredFrame& frame) const;          ///< the same
  /// On the disk, and cannot be read any more.
  bool lost(const StoredFrame& frame) const;
  bool has_lost() const;  ///< any of them

  /// A run begins with these frames; those that only earlier ones have go to the disk first. What was wished for is forgotten.
  void begin_run(std::span<const StoredFrame> frames);
  /// What the person looks at, then what comes next; replaces the wish before.
  void wish(std::vector<StoredFrame> frames);

  enum class Room {
    there,   ///< another frame may be added
    coming,  ///< soon: frames are on their way to the disk
    none,    ///< memory is used up and the disk takes nothing
  };
  Room room() const;
  Diagnostic no_room() const;  ///< what to tell a person then

 private:
  friend class FrameSlot;
  struct Data;
  std::shared_ptr<Data> data_;
};

}  // namespace hazumi
