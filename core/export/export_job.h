// Runs frames of a scene into a sink: the one path that the export dialog and the command line share. Runs in the
// calling thread (a worker); progress and cancel by callbacks.
#pragma once

#include <functional>

#include "core/export/frame_sink.h"
#include "core/playback/frame_cache.h"
#include "core/scene/derived/mesh_store.h"

namespace hazumi {

struct ExportOptions {
  FrameRange range;
  bool keep_existing =
      false;  ///< frames whose file exists are skipped; all of them or none, where one file has them all or one follows from the other
  int threads = 2;
  /// The store that the sink takes its meshes from: metaballs are polygonised before the first frame.
  std::shared_ptr<MeshStore> meshes = std::make_shared<MeshStore>();
};

struct ExportProgress {
  int done = 0, total = 0, skipped = 0;
  int frame = 0;             ///< just written
  double seconds_left = -1;  ///< < 0: not known yet
};

enum class ExportEnd { complete, cancelled, failed, diverged };

struct ExportResult {
  ExportEnd end = ExportEnd::complete;
  int written = 0, skipped = 0;  ///< frames in files that are there now
  Diagnostics diagnostics;
  std::vector<MeshChange> changes = {};  ///< of an export that was written to its end
};

/// `cached`: frames already computed for this very scene (may be null). `progress` returns false to cancel.
ExportResult run_export(const Scene& scene, FrameSink& sink, const ExportOptions& options, const FrameCache* cached,
                        const std::function<bool(const ExportProgress&)>& progress);

}  // namespace hazumi
