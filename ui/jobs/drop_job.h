// Drop to Floor, in a worker: surfaces of metaballs are made and shapes are met. What takes longer than half a second shows that it
// runs, with a button that calls it off. The result is one undo step; what could not be dropped is named.
#pragma once

#include <atomic>
#include <memory>
#include <set>

#include <QObject>
#include <QPointer>
#include <QProgressDialog>

#include "core/base/id.h"
#include "core/base/shared.h"
#include "core/playback/drop.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

class DropJob : public QObject {
  Q_OBJECT
 public:
  explicit DropJob(DocumentController& document, QObject* parent = nullptr);
  ~DropJob() override;

  void begin(const std::set<Id>& ids);
  bool busy() const { return stop_ != nullptr; }

 private:
  void take(const Shared<Scene>& scene, const Dropped& dropped);
  void say_what_stays(const Dropped& dropped);
  void cancel();

  DocumentController& document_;
  std::shared_ptr<std::atomic<bool>> stop_;  ///< of what is under way
  QPointer<QProgressDialog> dialog_;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
