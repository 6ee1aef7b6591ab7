#include "ui/model/source_commands.h"

#include "core/scene/derived/copies.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// Of what a pour gives copies: what is active, where that can be; else a ball, which comes with it.
std::optional<Object> choose_copied(const Scene& scene, const Object* active, ParticleSource& source) {
  source.object = active ? active->id.value : 0;
  if (copied_object(scene, source)) return std::nullopt;
  Scene named = scene;
  named.particles.push_back(Shared<ParticleSource>(source));
  Object ball;
  ball.id = next_id(named);
  ball.name = unique_name(named, tr("Ball").toStdString());
  ball.display.primitive = {PrimitiveShape::sphere, Vec3::Constant(0.16), {32, 16, 1}};
  ball.transform.position = Vec3(0, 0.08, 0);
  ball.body.mass_source = MassSource::material;
  source.object = ball.id.value;
  return ball;
}

}  // namespace

Id add_source(DocumentController& document, Selection& selection, ReadySource kind) {
  const Scene& scene = document.scene();
  const Object* active = find_object(scene, selection.active());
  const std::vector<ParticleSource> made = make_ready_sources(
      scene, kind, Vec3(0, kind == ReadySource::explosion ? 0.4 : 0.02, 0), active ? active->id : Id{});
  // The last one is changed by F9; those before it come with it.
  ParticleSource last = made.back();
  const std::optional<Object> copied = gives_copies(last) ? choose_copied(scene, active, last) : std::nullopt;
  const Id id = last.id;
  std::vector<ParticleSource> others(made.begin(), made.end() - 1);
  const auto rows = rows_of(particle_source_fields(), {"position", "rotation", "radius", "rate", "burst", "speed",
                                                       "life", "size", "most_copies"});
  auto operation = std::make_unique<OperationOf<ParticleSource>>(
      rows, last, [&selection, id, others, copied](const Scene& before, const ParticleSource& changed) {
        Operation::Made result{before, [&selection, id] { selection.select_only(id); }, {}};
        for (const ParticleSource& one : others) result.scene.particles.push_back(Shared<ParticleSource>(one));
        result.scene.particles.push_back(Shared<ParticleSource>(changed));
        if (copied) result.scene.objects.push_back(Shared<Object>(*copied));
        return result;
      });
  QString name;
  for (const ReadySourceInfo& info : ready_sources())
    if (info.kind == kind) name = text_of(info.label);
  return document.last_operation().begin(tr("Add %1").arg(name), std::move(operation)).ok() ? id : Id{};
}

}  // namespace hazumi
