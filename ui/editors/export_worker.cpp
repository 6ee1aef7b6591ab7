#include "ui/editors/export_worker.h"

#include <chrono>

#include <QImageReader>

namespace hazumi {

namespace {

using Clock = std::chrono::steady_clock;

QImage small_picture(const std::filesystem::path& path) {
  QImageReader reader(QString::fromStdString(path.string()));
  const QSize size = reader.size();
  if (!size.isValid()) return {};
  reader.setScaledSize(size.scaled(320, 180, Qt::KeepAspectRatio));
  return reader.read();
}

ExportResult run(const ExportTask& task, ExportWorkerState& state, const std::function<void()>& notify) {
  auto sink = task.format->make(task.target);
  if (!sink) return {ExportEnd::failed, 0, 0, sink.diagnostics()};
  Clock::time_point told{}, pictured{};
  return run_export(*task.scene, **sink, task.options, task.cached.get(), [&](const ExportProgress& progress) {
    const auto now = Clock::now();
    QImage picture;
    const bool last = progress.done == progress.total;
    const bool pictures = task.format->kind == ExportKind::pictures;
    if (pictures && progress.done > 0 && (last || now - pictured > std::chrono::milliseconds(500))) {
      picture = small_picture((*sink)->path(progress.frame));
      pictured = now;
    }
    {
      const std::lock_guard lock(state.mutex);
      state.progress = progress;
      if (!picture.isNull()) state.thumbnail = picture;
    }
    if (last || now - told > std::chrono::milliseconds(100)) {
      told = now;
      notify();
    }
    return !state.cancelled;
  });
}

}  // namespace

ExportWorkerState::Snapshot ExportWorkerState::read() const {
  const std::lock_guard lock(mutex);
  return {progress, thumbnail, result};
}

void run_export_task(const ExportTask& task, ExportWorkerState& state, const std::function<void()>& notify) {
  ExportResult result;
  try {
    result = run(task, state, notify);
  } catch (const std::exception& error) {
    result.end = ExportEnd::failed;
    result.diagnostics.push_back({Severity::error, "", std::string("The export stopped: ") + error.what() + ".",
                                  "Try a smaller size or fewer samples."});
  }
  const std::lock_guard lock(state.mutex);
  state.result = std::move(result);
}

}  // namespace hazumi
