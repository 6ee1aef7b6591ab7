#include "ui/jobs/open_job.h"

#include "core/scene/file/scene_io.h"

namespace hazumi {

OpenJob::OpenJob(QObject* parent) : QObject(parent) {}

void OpenJob::open(const QString& file, bool play) {
  busy_ = true;
  worker_.post([this, file, play, ticket = ++ticket_] {
    auto result = std::make_shared<Result<Scene>>(load_scene(std::filesystem::path(file.toStdString())));
    Worker::deliver(this, [this, file, play, ticket, result] {
      if (ticket != ticket_) return;  // another file was asked for since
      busy_ = false;
      emit read(file, result, play);
    });
  });
}

void OpenJob::cancel() {
  ++ticket_;
  busy_ = false;
}

}  // namespace hazumi
