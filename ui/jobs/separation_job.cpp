#include "ui/jobs/separation_job.h"

#include <algorithm>

#include "core/scene/diff.h"
#include "ui/jobs/patience.h"
#include "ui/model/document_controller.h"
#include "ui/model/overlap_problems.h"
#include "ui/model/playback_controller.h"
#include "ui/model/text.h"

namespace hazumi {

SeparationJob::SeparationJob(DocumentController& document, PlaybackController& playback, QObject* parent)
    : QObject(parent), document_(document), playback_(playback) {
  connect(&playback_, &PlaybackController::separation_wanted, this, &SeparationJob::begin);
  connect(&document_, &DocumentController::document_replaced, this, &SeparationJob::cancel);
}

SeparationJob::~SeparationJob() { cancel(); }

void SeparationJob::begin(const std::vector<std::pair<Id, Id>>& pairs) {
  const std::shared_ptr<const StartReport> start = playback_.status().start;
  if (busy() || !start || !start->model) return;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  most_ = least_ = pairs.empty() ? start->overlaps.size() : pairs.size();
  dialog_ = patience_dialog(QStringLiteral("separation_progress"), tr("Move apart"), tr("Moving apart what overlaps…"));
  connect(dialog_, &QProgressDialog::canceled, this, &SeparationJob::cancel);
  worker_.post([this, start, pairs, stop = stop_] {
    std::size_t told = 0;
    const auto go_on = [&](std::size_t left) {
      if (left != told)
        Worker::deliver(this, [this, left, stop] {
          if (stop == stop_) show_progress(left);
        });
      told = left;
      return !*stop;
    };
    const auto moved = std::make_shared<const MovedApart>(move_apart(*start->model, pairs, go_on));
    Worker::deliver(this, [this, start, moved, stop] {
      if (stop == stop_) take(*start, *moved);
    });
  });
}

void SeparationJob::show_progress(std::size_t left) {
  most_ = std::max(most_, left);
  least_ = std::min(least_, left);  // what is moved may be pushed into others: the bar never goes back
  if (!dialog_) return;
  dialog_->setLabelText(tr("Moving apart what overlaps: %1 pairs are left.").arg(left));
  dialog_->setMaximum(static_cast<int>(most_));
  dialog_->setValue(static_cast<int>(most_ - least_));
}

void SeparationJob::take(const StartReport& start, const MovedApart& moved) {
  cancel();
  if (moved.cancelled) return;
  // The moves are from where things stood when they were looked at.
  if (start.signature != simulation_signature(document_.scene())) {
    emit document_.refused(tr("The scene was changed meanwhile, so nothing was moved; move apart once more."));
    return;
  }
  put_apart(document_, moved);
}

void SeparationJob::cancel() {
  if (stop_) *stop_ = true;
  stop_.reset();
  end_patience(dialog_, this);
}

}  // namespace hazumi
