#include "ui/jobs/drop_job.h"

#include <cmath>

#include "ui/jobs/patience.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/sentence.h"

namespace hazumi {

namespace {

constexpr double kNothing = 1e-7;  // m: it lies already

QString names(const Scene& scene, const std::vector<Id>& ids) {
  constexpr std::size_t kMost = 3;
  QStringList all;
  for (std::size_t i = 0; i < ids.size() && i < kMost; ++i) all.append(name_of(scene, ids[i]));
  const QString text = all.join(QStringLiteral(", "));
  return ids.size() > kMost ? DropJob::tr("%1 and %2 more").arg(text).arg(ids.size() - kMost) : text;
}

}  // namespace

DropJob::DropJob(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document_, &DocumentController::document_replaced, this, &DropJob::cancel);
}

DropJob::~DropJob() { cancel(); }

void DropJob::begin(const std::set<Id>& ids) {
  if (busy()) return;
  stop_ = std::make_shared<std::atomic<bool>>(false);
  dialog_ = patience_dialog(QStringLiteral("drop_progress"), tr("Drop to Floor"),
                            tr("Looking for what is under the objects…"));
  connect(dialog_, &QProgressDialog::canceled, this, &DropJob::cancel);
  worker_.post([this, scene = document_.snapshot(), meshes = document_.mesh_store(), ids, stop = stop_] {
    const auto dropped = std::make_shared<const Dropped>(drop(*scene, ids, *meshes, [&] { return stop->load(); }));
    Worker::deliver(this, [this, scene, dropped, stop] {
      if (stop == stop_) take(scene, *dropped);
    });
  });
}

void DropJob::take(const Shared<Scene>& scene, const Dropped& dropped) {
  cancel();
  if (dropped.cancelled) return;
  if (dropped.failure) {
    emit document_.refused(tr("Nothing was dropped. %1").arg(sentence_of(*dropped.failure)));
    return;
  }
  if (!document_.snapshot().same_as(scene)) {
    emit document_.refused(tr("The scene was changed meanwhile, so nothing was dropped; drop once more."));
    return;
  }
  Scene next = *scene;
  std::set<Id> moved;
  for (const auto& fall : dropped.falls)
    if (std::abs(fall.second) > kNothing) {
      moved.insert(fall.first);
      next =
          with_object(std::move(next), fall.first, [by = fall.second](Object& o) { o.transform.position.y() -= by; });
    }
  if (!moved.empty()) {
    Selection going;
    going.set(moved);
    (void)document_.edit(tr("Drop %1 to Floor").arg(selection_text(*scene, going)), std::move(next));
  }
  say_what_stays(dropped);
}

void DropJob::say_what_stays(const Dropped& dropped) {
  const Scene& scene = document_.scene();
  if (!dropped.over_nothing.empty()) {
    const QString who = names(scene, dropped.over_nothing);
    emit document_.refused(tr("Nothing is under %1, so it was not dropped.").arg(who));
  } else if (dropped.falls.empty() && !dropped.touching_nothing.empty()) {
    const QString who = names(scene, dropped.touching_nothing);
    emit document_.refused(tr("%1 cannot be dropped: it collides with nothing, or is the floor itself.").arg(who));
  }
}

void DropJob::cancel() {
  if (stop_) *stop_ = true;
  stop_.reset();
  end_patience(dialog_, this);
}

}  // namespace hazumi
