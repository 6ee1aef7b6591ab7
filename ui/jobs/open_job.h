// Reads scene files off the interface thread. Only the newest wish is answered.
#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "core/base/result.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class OpenJob : public QObject {
  Q_OBJECT
 public:
  explicit OpenJob(QObject* parent = nullptr);

  /// read() follows unless another file is asked for, or cancel() called, before. `play`: handed on.
  void open(const QString& file, bool play);
  void cancel();
  bool busy() const { return busy_; }

 signals:
  void read(const QString& file, const std::shared_ptr<hazumi::Result<hazumi::Scene>>& result, bool play);

 private:
  bool busy_ = false;
  quint64 ticket_ = 0;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
