// Writes scene files off the interface thread: a disk may be slow, a folder far away, a sound gigabytes long. Who saves waits for it
// (nothing is edited meanwhile), but the window lives: after a moment a dialog tells how far it is and calls it off.
#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "core/base/result.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class SaveJob : public QObject {
  Q_OBJECT
 public:
  explicit SaveJob(QObject* parent = nullptr) : QObject(parent) {}

  /// What save_scene() says; nothing when it was called off: then the old file stays, but where a disk does not answer, what
  /// had been begun may still be written when it does. Not to be called while busy().
  std::optional<Status> save(const Shared<Scene>& scene, const QString& file);
  bool busy() const { return busy_; }

 private:
  bool busy_ = false;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
