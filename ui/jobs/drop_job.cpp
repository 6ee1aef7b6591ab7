#include "ui/jobs/drop_job.h"

#include <cmath>

#include "core/scene/values/field_rows.h"
#include "ui/jobs/patience.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
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

struct Landing {
  double height = 0;  // m
};
std::span<const Field<Landing>> landing_fields() {
  using Owner = Landing;
  static const std::vector<Field<Landing>> table = {
      ROW(height, "Height", "", "m", rows::within(0, 1e6, 0.01), look, rows::always,
          "How far over the place where they come to lie they stop, all of them by the same: what lies on another one "
          "stays on it."),
  };
  return table;
}

std::unique_ptr<Operation> drop_operation(std::vector<std::pair<Id, double>> falls) {
  return std::make_unique<OperationOf<Landing>>(
      rows_of(landing_fields()), Landing{}, [falls = std::move(falls)](const Scene& before, const Landing& now) {
        Scene next = before;
        for (const auto& fall : falls) {
          const double by = std::abs(fall.second) > kNothing ? fall.second : 0;
          if (by != now.height)
            next = with_object(std::move(next), fall.first,
                               [way = by - now.height](Object& o) { o.transform.position.y() -= way; });
        }
        return Operation::Made{std::move(next), nullptr, {}};
      });
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
  std::set<Id> moved;
  for (const auto& fall : dropped.falls)
    if (std::abs(fall.second) > kNothing) moved.insert(fall.first);
  if (!moved.empty()) {
    Selection going;
    going.set(moved);
    const QString text = tr("Drop %1 to Floor").arg(selection_text(*scene, going));
    (void)document_.last_operation().begin(text, drop_operation(dropped.falls));
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
