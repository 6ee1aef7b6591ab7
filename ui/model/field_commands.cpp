#include "ui/model/field_commands.h"

#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

QString name_of_kind(FieldKind kind) {
  switch (kind) {
    case FieldKind::wind:
      return tr("Wind");
    case FieldKind::drag:
      return tr("Drag");
    case FieldKind::vortex:
      return tr("Vortex");
    case FieldKind::attractor:
      return tr("Attractor");
    case FieldKind::water:
      return tr("Water");
    case FieldKind::gravity:
      return tr("Gravity");
    case FieldKind::point_gravity:
      return tr("Point Gravity");
  }
  return tr("Field");
}

OperationRows<ForceField> rows_of_kind(FieldKind kind) {
  switch (kind) {
    case FieldKind::wind:
      return rows_of(force_field_fields(), {"position", "rotation", "speed", "gust"});
    case FieldKind::vortex:
      return rows_of(force_field_fields(), {"position", "rotation", "speed", "core", "rise"});
    case FieldKind::drag:
      return rows_of(force_field_fields(), {"position", "linear", "quadratic"});
    case FieldKind::water:
      return rows_of(force_field_fields(), {"position", "rotation", "water_density", "linear"});
    default:
      return rows_of(force_field_fields(), {"position", "rotation", "strength"});
  }
}

}  // namespace

Id add_field(DocumentController& document, Selection& selection, FieldKind kind) {
  const Scene& scene = document.scene();
  ForceField field;
  field.id = next_id(scene);
  field.kind = kind;
  field.name = unique_name(scene, name_of_kind(kind).toStdString());
  if (kind != FieldKind::water) field.position = Vec3(0, 1, 0);
  if (kind == FieldKind::wind) field.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ()));
  const Id id = field.id;
  const QString text = tr("Add %1").arg(QString::fromStdString(field.name));
  auto operation = added_operation(rows_of_kind(kind), std::move(field), &Scene::fields,
                                   [&selection, id] { selection.select_only(id); });
  return document.last_operation().begin(text, std::move(operation)).ok() ? id : Id{};
}

}  // namespace hazumi
