#include "ui/jobs/cloth_job.h"

#include "core/geometry/truss/cloth_mesh.h"
#include "ui/jobs/patience.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// With so many nodes, or of a mesh in many pieces with as few as these need. Places are before the scale.
Result<StrungTruss> thinner_cloth(const DisplayMesh& mesh, const Vec3& scale, int nodes,
                                  const std::atomic<bool>& stop) {
  constexpr int kTries = 4;
  for (int k = 0;; ++k, nodes *= 2) {
    Result<StrungTruss> made = cloth_of_mesh(mesh, {.nodes = nodes, .cancelled = &stop});
    if (!made.ok() && k + 1 < kTries && !stop) continue;
    if (!made.ok()) return made;
    StrungTruss truss = std::move(made).value();
    for (StrungNode& node : truss.nodes) node.position = node.position.cwiseQuotient(scale);
    return truss;
  }
}

}  // namespace

ClothJob::ClothJob(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document_, &DocumentController::thinner_cloth_wanted, this, &ClothJob::begin);
  connect(&document_, &DocumentController::document_replaced, this, &ClothJob::cancel);
}

ClothJob::~ClothJob() { cancel(); }

void ClothJob::begin(Id object, int nodes) {
  const Object* o = find_object(document_.scene(), object);
  if (busy() || !o) return;
  object_ = object;
  nodes_ = nodes;
  mesh_ = document_.meshes().mesh(*o);
  stop_ = std::make_shared<std::atomic<bool>>(false);
  dialog_ =
      patience_dialog(QStringLiteral("cloth_progress"), tr("Cloth"),
                      tr("Making the cloth of %1 with %2 nodes…").arg(QString::fromStdString(o->name)).arg(nodes));
  connect(dialog_, &QProgressDialog::canceled, this, &ClothJob::cancel);
  worker_.post([this, mesh = mesh_, scale = Vec3(o->transform.scale), nodes, stop = stop_] {
    Outcome outcome;
    Result<StrungTruss> made = thinner_cloth(*mesh, scale, nodes, *stop);
    if (made.ok())
      outcome.truss = std::make_shared<const StrungTruss>(std::move(made).value());
    else
      outcome.sentence = sentence_of(made.error());
    Worker::deliver(this, [this, outcome, stop] {
      if (stop == stop_) take(outcome);
    });
  });
}

void ClothJob::take(const Outcome& outcome) {
  cancel();
  const Object* now = find_object(document_.scene(), object_);
  if (!now) return;
  if (!outcome.truss) {
    emit document_.refused(outcome.sentence);
    return;
  }
  // Meshes have the object's scale: of another one it is another mesh.
  if (document_.meshes().mesh(*now) != mesh_) {
    emit document_.refused(tr("The object was changed meanwhile, so its cloth is as it was; click once more."));
    return;
  }
  (void)document_.edit_object(tr("Give %1 %2 nodes").arg(QString::fromStdString(now->name)).arg(nodes_), object_,
                              [&](Object& changed) { changed.analysis.strung = outcome.truss; });
}

void ClothJob::cancel() {
  if (stop_) *stop_ = true;
  stop_.reset();
  end_patience(dialog_, this);
}

}  // namespace hazumi
