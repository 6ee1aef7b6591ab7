#include "ui/model/force_commands.h"

#include <algorithm>

#include "core/scene/derived/joined.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

/// As hard as gravity pulls it, the other way; of a scene without gravity as on Earth.
Vec3 weight_of(const Scene& scene, const Object& object, MeshStore& meshes) {
  const Vec3& gravity = scene.settings.gravity;
  const double mass = object_mass(object, *meshes.mesh(object));
  return gravity.norm() > 1e-6 ? Vec3(-mass * gravity) : Vec3(0, 9.80665 * mass, 0);
}

Force force_on(const Scene& scene, const Object& object, MeshStore& meshes) {
  Force force;
  force.name = unique_name(scene, tr("Force").toStdString());
  force.object = object.id.value;
  force.push = weight_of(scene, object, meshes);
  const Box3 box = bounds(*meshes.mesh(object));
  if (box.valid()) force.place = box.centre().cwiseQuotient(object.transform.scale);
  return force;
}

bool add_one(DocumentController& document, Selection& selection, Force force) {
  force.id = next_id(document.scene());
  const Id id = force.id;
  const QString text =
      tr("Add %1 on %2").arg(QString::fromStdString(force.name), name_of(document.scene(), Id{force.object}));
  auto rows = force.nodes.empty() ? rows_of(force_fields(), {"place", "push", "own_axes"})
                                  : rows_of(force_fields(), {"push", "own_axes"});
  auto operation = added_operation(std::move(rows), std::move(force), &Scene::forces,
                                   [&selection, id] { selection.select_only(id); });
  return document.last_operation().begin(text, std::move(operation)).ok();
}

}  // namespace

QString no_pushing(const Scene& scene, const Selection& selection) {
  const std::vector<const Object*> objects = selected_objects_of(scene, selection);
  if (objects.empty()) return tr("Select what shall be pushed.");
  for (const Object* object : objects)
    if (!body_kind(object->body.kind).moves)
      return tr("%1 does not move by itself; make it rigid or flexible first.")
          .arg(QString::fromStdString(object->name));
  return {};
}

bool add_forces(DocumentController& document, Selection& selection) {
  const Scene& scene = document.scene();
  if (!no_pushing(scene, selection).isEmpty()) return false;
  const std::vector<const Object*> objects = selected_objects_of(scene, selection);
  if (objects.size() == 1) return add_one(document, selection, force_on(scene, *objects[0], document.meshes()));
  Scene next = scene;
  std::set<Id> made;
  for (const Object* object : objects) {
    Force force = force_on(next, *object, document.meshes());
    force.id = next_id(next);
    made.insert(force.id);
    next.forces.push_back(Shared<Force>(std::move(force)));
  }
  if (!document.edit(tr("Add Forces on %1 Objects").arg(objects.size()), std::move(next)).ok()) return false;
  selection.set(made);
  return true;
}

bool add_force_on_nodes(DocumentController& document, Selection& selection, Id object,
                        const std::vector<std::uint32_t>& nodes) {
  const Object* pushed = find_object(document.scene(), object);
  if (!pushed || nodes.empty()) return false;
  Force force = force_on(document.scene(), *pushed, document.meshes());
  for (const std::uint32_t node : nodes) force.nodes.push_back({node});
  return add_one(document, selection, std::move(force));
}

}  // namespace hazumi
