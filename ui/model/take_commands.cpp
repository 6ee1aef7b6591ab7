#include "ui/model/take_commands.h"

#include <algorithm>

#include "core/scene/derived/takes.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

QString take_name(const Scene& scene, Id take) {
  const Take* found = find_take(scene, take);
  return found ? QString::fromStdString(found->name) : tr("Take 1");
}

Id or_current(const Scene& scene, Id take) {
  if (take) return take;
  const Take* current = current_take(scene);
  return current ? current->id : Id{};
}

void change_take(UiContext& context, const QString& text, Id id, const std::function<void(Take&)>& change) {
  Scene scene = context.document.scene();
  for (auto& take : scene.takes)
    if (take->id == id) take = take.edited(change);
  (void)context.document.edit(text, std::move(scene));
}

}  // namespace

void add_take(UiContext& context) {
  MadeTake made = with_new_take(context.document.scene(), {});
  const QString text = tr("New %1").arg(take_name(made.scene, made.take));
  (void)context.document.edit(text, std::move(made.scene));
}

void duplicate_take(UiContext& context, Id take) {
  const Scene& scene = context.document.scene();
  const Id of = or_current(scene, take);
  MadeTake made = with_copied_take(scene, of, take_name(scene, of).toStdString());
  (void)context.document.edit(tr("Duplicate %1").arg(take_name(scene, of)), std::move(made.scene));
}

void rename_take(UiContext& context, Id take, const QString& name) {
  const QString wanted = name.trimmed();
  Scene scene = context.document.scene();
  if (wanted.isEmpty() || wanted == take_name(scene, take)) return;
  if (scene.takes.empty()) {  // the one that a scene without takes has
    Take first;
    take = first.id = next_id(scene);
    first.name = wanted.toStdString();
    first.current = true;
    scene.takes.push_back(Shared<Take>(std::move(first)));
    (void)context.document.edit(tr("Rename to %1").arg(wanted), std::move(scene));
    return;
  }
  change_take(context, tr("Rename to %1").arg(wanted), take, [&](Take& t) { t.name = wanted.toStdString(); });
}

void delete_take(UiContext& context, Id take) {
  const Scene& scene = context.document.scene();
  const Id id = or_current(scene, take);
  auto less = without_take(scene, id);
  if (!less.ok()) {
    emit context.document.refused(sentence_of(less.error()));
    return;
  }
  (void)context.document.edit(tr("Delete %1").arg(take_name(scene, id)), std::move(less).value());
}

void use_take(UiContext& context, Id take) {
  const Scene& scene = context.document.scene();
  const Take* found = find_take(scene, take);
  if (!found || found->current) return;
  (void)context.document.edit(tr("Go to %1").arg(take_name(scene, take)), in_take(scene, take));
}

void step_take(UiContext& context, int direction) {
  const auto& takes = context.document.scene().takes;
  const auto count = static_cast<int>(takes.size());
  for (int i = 0; i < count; ++i)
    if (takes[static_cast<std::size_t>(i)]->current)
      return use_take(context, takes[static_cast<std::size_t>((i + direction + count) % count)]->id);
}

void put_on_wall(UiContext& context, Id take, bool on) {
  const Scene& scene = context.document.scene();
  if (!find_take(scene, take)) return;
  const QString text = on ? tr("Put %1 on the Wall") : tr("Take %1 off the Wall");
  change_take(context, text.arg(take_name(scene, take)), take, [on](Take& t) { t.visible = on; });
}

QString no_deleting_take(const UiContext& context) {
  return context.document.scene().takes.size() > 1 ? QString() : tr("This is the only take; a scene has one.");
}

QString no_other_take(const UiContext& context) {
  return context.document.scene().takes.size() > 1 ? QString()
                                                   : tr("There is no other take yet; make one with New Take.");
}

}  // namespace hazumi
