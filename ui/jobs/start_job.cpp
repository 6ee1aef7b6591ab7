#include "ui/jobs/start_job.h"

#include "core/playback/start_from.h"
#include "core/scene/diff.h"
#include "ui/jobs/patience.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace hazumi {

StartJob::StartJob(DocumentController& document, PlaybackController& playback, QObject* parent)
    : QObject(parent), document_(document), playback_(playback) {
  connect(&playback_, &PlaybackController::start_wanted, this, &StartJob::begin);
  connect(&document_, &DocumentController::document_replaced, this, &StartJob::cancel);
}

StartJob::~StartJob() { cancel(); }

void StartJob::begin(const std::set<Id>& ids) {
  if (busy()) return;
  playback_.play(false);
  const int frame = playback_.frame();
  stop_ = std::make_shared<std::atomic<bool>>(false);
  dialog_ = patience_dialog(QStringLiteral("start_progress"), tr("Start from This Frame"),
                            tr("Looking up frame %1 of the run…").arg(frame));
  connect(dialog_, &QProgressDialog::canceled, this, &StartJob::cancel);
  playback_.want_state(
      frame,
      [here = QPointer<StartJob>(this), ids, frame, stop = stop_](std::shared_ptr<const Model> model,
                                                                  std::shared_ptr<const State> state) {
        if (here && stop == here->stop_) here->take(ids, frame, model, state);
      },
      [stop = stop_] { return stop->load(); });
}

void StartJob::take(const std::set<Id>& ids, int frame, const std::shared_ptr<const Model>& model,
                    const std::shared_ptr<const State>& state) {
  cancel();
  // What was renamed or coloured meanwhile stays so; what runs otherwise by now has another state at this frame.
  if (!state || model->signature != simulation_signature(document_.scene())) {
    emit document_.refused(
        tr("The scene was changed meanwhile, so nothing starts anew; start from the frame once more."));
    return;
  }
  const QString text = ids.size() == 1
                           ? tr("Start %1 from Frame %2").arg(name_of(document_.scene(), *ids.begin())).arg(frame)
                           : tr("Start from Frame %1").arg(frame);
  if (document_.edit(text, started_from(document_.scene(), *model, *state, ids)).ok()) playback_.to_start();
}

void StartJob::cancel() {
  if (stop_) *stop_ = true;
  stop_.reset();
  end_patience(dialog_, this);
}

}  // namespace hazumi
