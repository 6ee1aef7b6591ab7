// The part of an export that runs in a thread of its own: core's export job into the format's sink, with what the dialog
// shows (progress, last picture, result) behind a mutex.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include <QImage>

#include "core/base/shared.h"
#include "core/export/export_job.h"
#include "core/export/format.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct ExportTask {
  Shared<Scene> scene;
  const ExportFormatInfo* format;
  ExportTarget target;
  ExportOptions options;
  std::shared_ptr<const FrameCache> cached;  ///< frames computed so far, shared: the worker may outlive the player
};

struct ExportWorkerState {
  struct Snapshot {
    ExportProgress progress;
    QImage thumbnail;
    ExportResult result;
  };
  Snapshot read() const;

  std::atomic<bool> cancelled{false};
  mutable std::mutex mutex;
  ExportProgress progress;
  QImage thumbnail;
  ExportResult result;
};

/// Runs to the end; `notify` is called at most ten times a second. Exceptions end as a failed result.
void run_export_task(const ExportTask& task, ExportWorkerState& state, const std::function<void()>& notify);

}  // namespace hazumi
