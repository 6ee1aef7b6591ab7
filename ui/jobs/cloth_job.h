// Makes a cloth anew from the display model of its object with fewer nodes, in a worker: large meshes take seconds to simplify. What
// takes longer than half a second shows a button that calls it off. The result is one undo step, or one sentence and no change.
#pragma once

#include <atomic>
#include <memory>

#include <QObject>
#include <QPointer>
#include <QProgressDialog>

#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;

class ClothJob : public QObject {
  Q_OBJECT
 public:
  /// Works when DocumentController::thinner_cloth_wanted asks for it.
  explicit ClothJob(DocumentController& document, QObject* parent = nullptr);
  ~ClothJob() override;

  bool busy() const { return stop_ != nullptr; }
  QProgressDialog* dialog() const { return dialog_; }  ///< null: nothing is under way

 private:
  struct Outcome {
    std::shared_ptr<const StrungTruss> truss;
    QString sentence;  ///< why there is none
  };
  void begin(Id object, int nodes);
  void take(const Outcome& outcome);
  void cancel();

  DocumentController& document_;
  Id object_;
  int nodes_ = 0;
  std::shared_ptr<const DisplayMesh> mesh_;  ///< that it is made of
  std::shared_ptr<std::atomic<bool>> stop_;  ///< of what is under way
  QPointer<QProgressDialog> dialog_;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
