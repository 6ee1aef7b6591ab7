#include "ui/jobs/save_job.h"

#include <atomic>
#include <memory>

#include <QEventLoop>
#include <QFileInfo>
#include <QPointer>
#include <QTimer>

#include "core/scene/file/scene_io.h"
#include "ui/jobs/patience.h"

namespace hazumi {

namespace {

constexpr int kSteps = 1000;  // of the bar

struct Saving {
  std::atomic<bool> called_off{false};
  std::atomic<int> done{0};      ///< of kSteps
  std::optional<Status> status;  ///< written once, before it is delivered
  bool delivered = false;        ///< of the interface thread
};

}  // namespace

std::optional<Status> SaveJob::save(const Shared<Scene>& scene, const QString& file) {
  busy_ = true;
  const auto saving = std::make_shared<Saving>();
  QEventLoop loop;
  worker_.post([this, saving, scene, file, waits = QPointer<QEventLoop>(&loop)] {
    saving->status = save_scene(*scene, std::filesystem::path(file.toStdString()), [&](double part) {
      saving->done = static_cast<int>(kSteps * part);
      return !saving->called_off;
    });
    Worker::deliver(this, [waits, saving] {
      saving->delivered = true;
      if (waits) waits->exit(1);
    });
  });
  // What a person does in the first moment comes after it, as if the file had been written at once.
  QTimer moment;
  moment.setSingleShot(true);
  connect(&moment, &QTimer::timeout, &loop, [&loop] { loop.exit(0); });
  moment.start(500);
  // Where the computer is busy the moment may be over in the same breath in which the file is written.
  if (loop.exec(QEventLoop::ExcludeUserInputEvents) == 0 && !saving->delivered) {
    QPointer<QProgressDialog> dialog =
        patience_dialog(QStringLiteral("save_progress"), tr("Save"), tr("Saving %1…").arg(QFileInfo(file).fileName()));
    dialog->setWindowModality(Qt::ApplicationModal);
    dialog->setMaximum(kSteps);
    connect(dialog, &QProgressDialog::canceled, &loop, [&] {
      saving->called_off = true;
      loop.exit(1);
    });
    QTimer look;
    connect(&look, &QTimer::timeout, dialog, [&] { dialog->setValue(saving->done); });
    look.start(100);
    dialog->show();
    loop.exec();
    end_patience(dialog, this);
  }
  busy_ = false;
  if (saving->called_off) return std::nullopt;
  return std::move(saving->status);
}

}  // namespace hazumi
