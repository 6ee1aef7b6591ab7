#include "ui/panels/owners.h"

#include <set>

#include <QCoreApplication>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"

namespace hazumi {

namespace {

bool touches_selection(const UiContext& context, const ChangeSet& change) {
  const std::set<Id>& ids = context.selection.ids();
  return std::any_of(ids.begin(), ids.end(),
                     [&](Id id) { return std::binary_search(change.objects.begin(), change.objects.end(), id); });
}

/// Selected ones of a list of the scene.
template <class Owner, std::vector<Shared<Owner>> Scene::*list, const Owner* (*find)(const Scene&, Id)>
Owners<Owner> selected(const UiContext& context, const char* several) {
  using List = typename Owners<Owner>::List;
  Owners<Owner> owners;
  owners.shown = [context] {
    const Selection& selection = context.selection;
    List found;
    for (Id id : selection.ids())
      if (const Owner* owner = find(context.document.scene(), id)) found.push_back(owner);
    const auto active =
        std::find_if(found.begin(), found.end(), [&](const Owner* o) { return o->id == selection.active(); });
    if (active != found.end()) std::rotate(found.begin(), active, active + 1);
    return found;
  };
  owners.change = [](Scene& next, const List& these, const std::function<void(Owner&)>& change) {
    std::set<Id> ids;
    for (const Owner* owner : these) ids.insert(owner->id);
    for (auto& one : next.*list)
      if (ids.count(one->id)) one = one.edited(change);
  };
  owners.subject = [several](const List& these) {
    return these.size() == 1 ? QString::fromStdString(these.front()->name) : tr(several).arg(these.size());
  };
  owners.touched = [context](const ChangeSet& change) { return touches_selection(context, change); };
  return owners;
}

/// What there is one of.
template <class Owner, Owner Scene::*member, bool ChangeSet::*changed>
Owners<Owner> the_one(const UiContext& context, const char* name) {
  using List = typename Owners<Owner>::List;
  Owners<Owner> owners;
  owners.shown = [context] { return List{&(context.document.scene().*member)}; };
  owners.change = [](Scene& next, const List&, const std::function<void(Owner&)>& change) { change(next.*member); };
  owners.subject = [name](const List&) { return tr(name); };
  owners.touched = [](const ChangeSet& change) { return change.*changed; };
  return owners;
}

}  // namespace

Owners<Object> selected_objects(const UiContext& context) {
  return selected<Object, &Scene::objects, &find_object>(context, "%1 objects");
}

Owners<Light> selected_lights(const UiContext& context) {
  return selected<Light, &Scene::lights, &find_light>(context, "%1 lights");
}

Owners<SceneSettings> scene_settings(const UiContext& context) {
  return the_one<SceneSettings, &Scene::settings, &ChangeSet::settings>(context, "scene");
}

Owners<Camera> scene_camera(const UiContext& context) {
  return the_one<Camera, &Scene::camera, &ChangeSet::camera>(context, "camera");
}

}  // namespace hazumi
