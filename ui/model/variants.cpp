#include "ui/model/variants.h"

#include <QObject>

#include "core/scene/values/variants.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operations.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

const Object* active(const UiContext& context) {
  return find_object(context.document.scene(), context.selection.active());
}

QString next_name(const Object& object) {
  const VariantNames all = variant_names(object);
  return QString::fromStdString(all.names[(all.current + 1) % all.names.size()]);
}

QString of(const Object& object) { return QString::fromStdString(object.name); }

/// On the active object when nothing is against it. `text`: with places for the analysis model's name and the object's.
template <class Change>
void edit_active(UiContext& context, bool others, const QString& text, const Change& change) {
  if (!variants_problem(context, others).isEmpty()) return;
  const Object& object = *active(context);
  (void)context.document.edit_object(text.arg(QString::fromStdString(object.analysis.name), of(object)), object.id,
                                     change);
}

}  // namespace

QString variants_problem(const UiContext& context, bool others) {
  const Object* object = active(context);
  if (object == nullptr) return tr("Select an object first.");
  if (object->analysis.kind == AnalysisKind::none) return tr("%1 has no analysis model.").arg(of(*object));
  if (others && object->other_analyses.empty())
    return tr("%1 has no other analysis model yet: duplicate this one.").arg(of(*object));
  return {};
}

void duplicate_variant(UiContext& context) {
  edit_active(context, false, tr("Duplicate %1 of %2"), [](Object& o) { (void)add_variant(o); });
}

void use_variant(UiContext& context, const QString& name) {
  const Object* object = active(context);
  if (object == nullptr) return;
  Scene next = context.document.scene();
  for (Id id : context.selection.ids())
    next = with_object(std::move(next), id, [&](Object& o) { (void)use_variant(o, name.toStdString()); });
  const QString subject = selection_text(context.document.scene(), context.selection);
  (void)context.document.edit(tr("Switch %1 to %2").arg(subject, name), std::move(next));
}

void use_next_variant(UiContext& context) {
  if (variants_problem(context, true).isEmpty()) use_variant(context, next_name(*active(context)));
}

void rename_variant(UiContext& context, const QString& name) {
  const Object* object = active(context);
  const std::string wanted = name.trimmed().toStdString();
  if (object == nullptr || wanted.empty() || wanted == object->analysis.name) return;
  (void)context.document.edit_object(tr("Rename analysis model of %1").arg(of(*object)), object->id,
                                     [&](Object& o) { (void)rename_variant(o, wanted); });
}

void delete_variant(UiContext& context) {
  edit_active(context, true, tr("Delete %1 of %2"), [](Object& o) { (void)remove_variant(o); });
}

void compare_variants(UiContext& context) {
  if (!variants_problem(context, true).isEmpty()) return;
  const Object& object = *active(context);
  const Id original = object.id;
  const QString name = next_name(object);
  const Vec3 offset = free_place_beside(context.document.scene(), original, context.document.meshes());
  auto operation = shift_operation(
      offset, false, [&selection = context.selection, original, name](const Scene& before, const Shift& now) {
        Operation::Made made{before, nullptr, {}};
        const Id copy = add_compared(made.scene, original, name.toStdString(), now.offset);
        made.select = [&selection, original, copy] { selection.set({original, copy}, original); };
        return made;
      });
  const QString text = tr("Compare %1 with %2").arg(of(object), name);
  if (!context.document.last_operation().begin(text, std::move(operation)).ok()) return;
  context.playback.to_start();
  context.playback.play(true);
}

}  // namespace hazumi
