#include "ui/model/source_commands.h"

#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

Id add_source(DocumentController& document, Selection& selection, ReadySource kind) {
  const Scene& scene = document.scene();
  const Object* active = find_object(scene, selection.active());
  const std::vector<ParticleSource> made = make_ready_sources(
      scene, kind, Vec3(0, kind == ReadySource::explosion ? 0.4 : 0.02, 0), active ? active->id : Id{});
  // The last one is changed by F9; those before it come with it.
  const ParticleSource last = made.back();
  const Id id = last.id;
  std::vector<ParticleSource> others(made.begin(), made.end() - 1);
  const auto rows =
      rows_of(particle_source_fields(), {"position", "rotation", "radius", "rate", "burst", "speed", "life", "size"});
  auto operation = std::make_unique<OperationOf<ParticleSource>>(
      rows, last, [&selection, id, others](const Scene& before, const ParticleSource& changed) {
        Operation::Made result{before, [&selection, id] { selection.select_only(id); }, {}};
        for (const ParticleSource& one : others) result.scene.particles.push_back(Shared<ParticleSource>(one));
        result.scene.particles.push_back(Shared<ParticleSource>(changed));
        return result;
      });
  QString name;
  for (const ReadySourceInfo& info : ready_sources())
    if (info.kind == kind) name = text_of(info.label);
  return document.last_operation().begin(tr("Add %1").arg(name), std::move(operation)).ok() ? id : Id{};
}

}  // namespace hazumi
