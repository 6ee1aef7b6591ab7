// Start from This Frame: the state of the run at the frame shown becomes the start of the scene. The fill is asked for the state,
// since frames are rounded for eyes; where it has to run up to it anew, a window says so and calls it off. The result is one undo
// step, or one sentence and no change.
#pragma once

#include <atomic>
#include <memory>
#include <set>

#include <QObject>
#include <QPointer>
#include <QProgressDialog>

#include "core/base/id.h"
#include "core/playback/background_fill.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

class StartJob : public QObject {
  Q_OBJECT
 public:
  /// Works when PlaybackController::start_wanted asks for it.
  StartJob(DocumentController& document, PlaybackController& playback, QObject* parent = nullptr);
  ~StartJob() override;

  bool busy() const { return stop_ != nullptr; }

 private:
  void begin(const std::set<Id>& ids);
  void take(const std::set<Id>& ids, int frame, const std::shared_ptr<const Model>& model,
            const std::shared_ptr<const State>& state);
  void cancel();

  DocumentController& document_;
  PlaybackController& playback_;
  std::shared_ptr<std::atomic<bool>> stop_;  ///< of what is under way
  QPointer<QProgressDialog> dialog_;
};

}  // namespace hazumi
