// Where finished frames go: image sequence, mesh files, data. A sink writes whole files or none (temporary name,
// then rename), and says in one sentence why it could not.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/playback/frame.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct FrameRange {
  int first = 0, last = 0, step = 1;
  int count() const { return last < first ? 0 : (last - first) / step + 1; }
};
/// "10-90", "10-90:5", "7"; anything else gives the sentence to show.
Result<FrameRange> parse_frame_range(std::string_view text);

/// "dir/ball.####.png" → "dir/ball.0042.png". One run of #; none: ".####" is put before the extension. A longer number
/// than the run takes the room it needs. Negative frames are written with a leading minus before the padding.
Result<std::filesystem::path> frame_path(const std::string& pattern, int frame);
/// The name as it is, for one file that holds all frames; a # in it is refused, as is what frame_path() refuses.
Result<std::filesystem::path> clip_path(const std::string& pattern);

/// Where what is written begins a new mesh of an object whose vertices else stay (tracked_skins.h).
struct MeshChange {
  Id object;
  int frame = 0;
  bool topology = false;  ///< the surface itself changed; else triangles could not follow it
  std::string what;       ///< "2 pieces become 1"
  friend bool operator==(const MeshChange&, const MeshChange&) = default;
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual std::filesystem::path path(int frame) const = 0;
  virtual Status write(const Scene& scene, const Frame& frame) = 0;
  /// Whether all frames go into one file: then write() only collects, and path() is the same for all.
  virtual bool one_file() const { return false; }
  /// Whether a file holds what follows from the frames before it: then none is left out because its file is there, and the file of a frame
  /// is written with the next one, that of the last by finish().
  virtual bool follows(const Scene&) const { return false; }
  /// After the last frame of a run that was written to its end, never otherwise: one file for all is written here, and what is beside.
  /// `cues`: those of the last frame; null: none.
  virtual Status finish(const Scene&, const FrameRange&, const FrameCues* /*cues*/) { return Done{}; }
  /// Of the run that finish() ended, objects by id, frames ascending.
  virtual std::vector<MeshChange> changes() const { return {}; }
  /// A file that finish() writes beside those of the frames; empty: none.
  virtual std::filesystem::path beside(const Scene&, const FrameRange&) const { return {}; }
};

/// replace_file() (base/atomic_file.h), with a diagnostic that says why not (no such folder, not writable, disk full).
Status write_whole_file(const std::filesystem::path& path, std::string_view bytes);
/// Whether a file could be made there, asked before long work: its folder exists and may be written to. Same sentences.
Status can_write_beside(const std::filesystem::path& path);

}  // namespace hazumi
