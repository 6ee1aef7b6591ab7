// Whom bindings (binding.h) show: what is selected, and what there is one of in a scene.
#pragma once

#include <set>

#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/selection.h"
#include "ui/panels/binding.h"

namespace hazumi {

/// Selected ones of a list of the scene, the active one first.
template <class Thing>
Owners<Thing> selected_things(const UiContext& context, const SceneList<Thing>& list);
Owners<Object> selected_objects(const UiContext& context);
Owners<SceneSettings> scene_settings(const UiContext& context);

/// What panels about the selected objects share.
class ObjectBinding : public Binding<Object> {
 public:
  ObjectBinding(UiContext& context, QObject* parent)
      : Binding(context, object_fields(), selected_objects(context), parent) {}
  std::vector<const Object*> objects() const { return owners(); }
};

/// An edit changed a selected thing.
bool touches_selection(const UiContext& context, const ChangeSet& change);

template <class Thing>
Owners<Thing> selected_things(const UiContext& context, const SceneList<Thing>& list) {
  using List = typename Owners<Thing>::List;
  Owners<Thing> owners;
  owners.shown = [context, &list] {
    const Selection& selection = context.selection;
    List found;
    for (Id id : selection.ids())
      if (const Thing* thing = find_thing(context.keying.shown(), list, id)) found.push_back(thing);
    const auto active =
        std::find_if(found.begin(), found.end(), [&](const Thing* thing) { return thing->id == selection.active(); });
    if (active != found.end()) std::rotate(found.begin(), active, active + 1);
    return found;
  };
  owners.change = [&list](Scene& next, const List& these, const std::function<void(Thing&)>& change) {
    std::set<Id> ids;
    for (const Thing* thing : these) ids.insert(thing->id);
    for (auto& one : next.*list.member)
      if (ids.count(one->id)) one = one.edited(change);
  };
  owners.subject = [&list](const List& these) {
    if (these.size() == 1) return QString::fromStdString(these.front()->name);
    return QStringLiteral("%1 %2").arg(these.size()).arg(text_of(list.path));
  };
  owners.touched = [context](const ChangeSet& change) { return touches_selection(context, change); };
  return owners;
}

}  // namespace hazumi
