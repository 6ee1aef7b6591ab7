#include "ui/jobs/mesh_job.h"

#include "core/scene/file/scene_io.h"
#include "ui/model/document_controller.h"

namespace hazumi {

namespace {

/// What an object asks to be read: another file, or the same in another way.
bool same_wish(const MeshReference& a, const MeshReference& b) {
  return a.file == b.file && same_reading(a.settings, b.settings);
}

bool lacks_mesh(const Object& object) {
  const DisplayModel& display = object.display;
  return display.kind == DisplayKind::mesh && !display.mesh.file.empty() && !display.mesh.mesh;
}

}  // namespace

MeshJob::MeshJob(DocumentController& document, QObject* parent) : QObject(parent), document_(document) {
  connect(&document, &DocumentController::changed, this, &MeshJob::look);
  connect(&document, &DocumentController::document_replaced, this, &MeshJob::forget);
}

void MeshJob::forget() {
  // What is missing in a scene that was just opened has been looked for, and complained about, by the reader.
  ++document_number_;
  worker_.clear();
  under_way_ = 0;
  tried_.clear();
  for (const auto& object : document_.scene().objects)
    if (lacks_mesh(*object)) tried_[object->id] = object->display.mesh;
}

void MeshJob::look() {
  std::map<Id, MeshReference> lacking;
  bool wanted = false;
  for (const auto& object : document_.scene().objects) {
    if (!lacks_mesh(*object)) continue;
    const MeshReference& mesh = object->display.mesh;
    const auto known = tried_.find(object->id);
    wanted = wanted || known == tried_.end() || !same_wish(known->second, mesh);
    lacking[object->id] = mesh;
  }
  if (!wanted) {
    tried_ = std::move(lacking);  // forgets objects that name something else now
    return;
  }
  // Meshes that are there count for the limit of all together; what failed before is left out.
  Scene scene = document_.scene();
  std::vector<Id> asked;
  for (auto& object : scene.objects) {
    if (!lacks_mesh(*object)) continue;
    const auto known = tried_.find(object->id);
    if (known != tried_.end() && same_wish(known->second, object->display.mesh))
      object = object.edited([](Object& o) { o.display.kind = DisplayKind::none; });
    else
      asked.push_back(object->id);
  }
  tried_ = std::move(lacking);
  ++under_way_;
  const std::filesystem::path folder = document_.file().parent_path();
  worker_.post([this, scene = std::move(scene), asked = std::move(asked), folder, number = document_number_]() mutable {
    const Diagnostics problems = resolve_meshes(scene, folder);
    std::vector<Outcome> outcomes;
    std::size_t next_problem = 0;  // in the order of the objects, one for each that got no mesh
    for (Id id : asked) {
      const Object* object = find_object(scene, id);
      Outcome outcome{id, object->display.mesh, {}};
      if (!outcome.mesh.mesh && next_problem < problems.size()) outcome.problems = {problems[next_problem++]};
      outcomes.push_back(std::move(outcome));
    }
    Worker::deliver(this, [this, outcomes = std::move(outcomes), number] {
      if (number == document_number_) take(outcomes);
    });
  });
}

void MeshJob::take(const std::vector<Outcome>& outcomes) {
  --under_way_;
  for (const Outcome& outcome : outcomes) {
    document_.supply_mesh(outcome.mesh);
    // Said only while it is true: the object may name another file by now.
    const Object* object = find_object(document_.scene(), outcome.object);
    const bool still = object && lacks_mesh(*object) && same_wish(object->display.mesh, outcome.mesh);
    if (!still) continue;
    for (const Diagnostic& problem : outcome.problems) emit failed(problem, outcome.object);
  }
}

}  // namespace hazumi
