// What a led body would do if physics had it from the play head on: a run of its own, continued from the state of the scene's run, in
// a worker. It is no part of the document and drops no frame; an edit, another frame or another body begins it anew.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/playback/background_fill.h"
#include "core/scene/derived/bake.h"
#include "ui/jobs/worker.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

/// Poses of the object frame, one for each frame from the first on.
struct PhysicsFlight {
  Id body;
  int first = 0;
  std::vector<MotionSample> way;
  bool complete = false;  ///< up to the end of the range, as far as a run goes
};

class FlightJob : public QObject {
  Q_OBJECT
 public:
  FlightJob(DocumentController& document, PlaybackController& playback, QObject* parent = nullptr);
  ~FlightJob() override;

  /// Whose flight is wanted, from the play head on; nothing: of none.
  void want(std::optional<Id> body);
  /// What is known of it by now; null: nothing.
  const PhysicsFlight* flight() const { return flight_ ? &*flight_ : nullptr; }
  bool busy() const { return stop_ != nullptr || rest_.isActive(); }

 signals:
  void changed();

 private:
  void begin_anew();
  void begin();
  void run(const std::shared_ptr<const Model>& model, const std::shared_ptr<const State>& state, int from);
  void take(std::vector<MotionSample> way, bool complete);
  void cancel();

  DocumentController& document_;
  PlaybackController& playback_;
  std::optional<Id> body_;
  std::optional<PhysicsFlight> flight_;
  QTimer rest_;                              ///< while the play head is dragged nothing is run
  std::shared_ptr<std::atomic<bool>> stop_;  ///< of what is under way
  Worker worker_;                            ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
