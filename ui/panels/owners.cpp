#include "ui/panels/owners.h"

#include <QCoreApplication>

namespace hazumi {

namespace {

/// What there is one of.
template <class Owner, Owner Scene::*member, bool ChangeSet::*changed>
Owners<Owner> the_one(const UiContext& context, const char* name) {
  using List = typename Owners<Owner>::List;
  Owners<Owner> owners;
  owners.shown = [context] { return List{&(context.keying.shown().*member)}; };
  owners.change = [](Scene& next, const List&, const std::function<void(Owner&)>& change) { change(next.*member); };
  owners.subject = [name](const List&) { return tr(name); };
  owners.touched = [](const ChangeSet& change) { return change.*changed; };
  return owners;
}

}  // namespace

bool touches_selection(const UiContext& context, const ChangeSet& change) {
  const std::set<Id>& ids = context.selection.ids();
  return std::any_of(ids.begin(), ids.end(),
                     [&](Id id) { return std::binary_search(change.objects.begin(), change.objects.end(), id); });
}

Owners<Object> selected_objects(const UiContext& context) {
  return selected_things(context, std::get<SceneList<Object>>(kSceneLists));
}

Owners<SceneSettings> scene_settings(const UiContext& context) {
  return the_one<SceneSettings, &Scene::settings, &ChangeSet::settings>(context, "scene");
}

}  // namespace hazumi
