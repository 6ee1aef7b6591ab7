// Moves apart what overlaps at the start, in a worker: piles of hundreds take seconds. What takes longer than half a second shows
// how many pairs are left, with a button that calls it off. The result is one undo step, or one sentence and no change.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QProgressDialog>

#include "core/base/id.h"
#include "core/playback/background_fill.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

class SeparationJob : public QObject {
  Q_OBJECT
 public:
  /// Works when PlaybackController::separation_wanted asks for it.
  SeparationJob(DocumentController& document, PlaybackController& playback, QObject* parent = nullptr);
  ~SeparationJob() override;

  bool busy() const { return stop_ != nullptr; }
  QProgressDialog* dialog() const { return dialog_; }  ///< null: nothing is under way

 private:
  void begin(const std::vector<std::pair<Id, Id>>& pairs);
  void show_progress(std::size_t left);
  void take(const StartReport& start, const MovedApart& moved);
  void cancel();

  DocumentController& document_;
  PlaybackController& playback_;
  std::shared_ptr<std::atomic<bool>> stop_;  ///< of what is under way
  QPointer<QProgressDialog> dialog_;
  std::size_t most_ = 0, least_ = 0;  ///< pairs that overlapped in a sweep
  Worker worker_;                     ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
