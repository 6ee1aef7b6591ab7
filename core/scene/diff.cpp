// Lists and settings are compared by what is shared first, so that the cost is a pointer per object that did
// not change.
//
// From which frame on a run is out of date (first_frame):
// - what acts from the start differs, an object came or went, the step or gravity changed: 0;
// - only contact properties differ, or contact was turned off: the first contact of the object;
// - contact was turned on, or its shape changed: 0, since the new shape may touch earlier than the old one
// did.
#include "core/scene/diff.h"

#include <algorithm>
#include <map>

#include "core/scene/derived/signature.h"
#include "core/scene/values/lists.h"

namespace hazumi {

namespace {

template <class Owner>
bool differs(std::span<const Field<Owner>> fields, const Owner& before, const Owner& after) {
  return !same_fields(fields, before, after) || !same_lists(before, after);
}

bool same_mesh(const Object& a, const Object& b) { return a.display.mesh.mesh == b.display.mesh.mesh; }

int first_frame_of(const Object& before, const Object& after, const std::function<int(Id)>& first_contact,
                   bool& simulation) {
  const ObjectSignature old = object_signature(before), now = object_signature(after);
  if (old.motion == now.motion && old.contact == now.contact && old.touches == now.touches) return kNoFrame;
  simulation = true;
  if (old.motion != now.motion || !old.touches) return 0;
  if (now.touches && before.contact.shape != after.contact.shape) return 0;
  return first_contact ? first_contact(after.id) : 0;
}

class Differ {
 public:
  Differ(const Scene& before, const Scene& after, const std::function<int(Id)>& first_contact)
      : before_(before), after_(after), first_contact_(first_contact) {}

  ChangeSet run() {
    compare_settings();
    compare_list(
        before_.objects, after_.objects, [this](const Object& a, const Object& b) { changed(a, b); },
        [this](const Object&) { drop(0); });
    compare_list(
        before_.lights, after_.lights, [this](const Light& a, const Light& b) { changed(a, b); }, [](const Light&) {});
    if (before_.name != after_.name || before_.description != after_.description) set_.structure = true;
    std::sort(set_.objects.begin(), set_.objects.end());
    set_.objects.erase(std::unique(set_.objects.begin(), set_.objects.end()), set_.objects.end());
    set_.look = !set_.empty() && !set_.simulation;
    return std::move(set_);
  }

 private:
  void drop(int frame) {
    set_.simulation = true;
    set_.first_frame = std::min(set_.first_frame, frame);
  }

  void compare_settings() {
    set_.settings = differs(settings_fields(), before_.settings, after_.settings);
    set_.camera = differs(camera_fields(), before_.camera, after_.camera);
    if (set_.settings && settings_signature(before_.settings) != settings_signature(after_.settings)) drop(0);
  }

  void changed(const Object& a, const Object& b) {
    if (same_mesh(a, b) && !differs(object_fields(), a, b)) return;
    set_.objects.push_back(b.id);
    if (a.name != b.name) set_.structure = true;
    set_.first_frame = std::min(set_.first_frame, first_frame_of(a, b, first_contact_, set_.simulation));
  }

  void changed(const Light& a, const Light& b) {
    if (!differs(light_fields(), a, b)) return;
    set_.objects.push_back(b.id);
    if (a.name != b.name) set_.structure = true;
  }

  template <class Thing, class Changed, class Came>
  void compare_list(const std::vector<Shared<Thing>>& before, const std::vector<Shared<Thing>>& after,
                    const Changed& changed_one, const Came& came_or_went) {
    // Nearly always the lists have the same ids in the same places.
    bool aligned = before.size() == after.size();
    for (std::size_t i = 0; aligned && i < after.size(); ++i)
      aligned = before[i].same_as(after[i]) || before[i]->id == after[i]->id;
    if (aligned) {
      for (std::size_t i = 0; i < after.size(); ++i)
        if (!before[i].same_as(after[i])) changed_one(*before[i], *after[i]);
      return;
    }
    set_.structure = true;
    std::map<Id, const Shared<Thing>*> old;
    for (const auto& thing : before) old.emplace(thing->id, &thing);
    for (const auto& thing : after) {
      const auto at = old.find(thing->id);
      if (at == old.end()) {
        set_.objects.push_back(thing->id);
        came_or_went(*thing);
        continue;
      }
      if (!at->second->same_as(thing)) changed_one(**at->second, *thing);
      old.erase(at);
    }
    for (const auto& [id, thing] : old) {
      set_.objects.push_back(id);
      came_or_went(**thing);
    }
  }

  const Scene& before_;
  const Scene& after_;
  const std::function<int(Id)>& first_contact_;
  ChangeSet set_;
};

}  // namespace

ChangeSet diff(const Scene& before, const Scene& after, const std::function<int(Id)>& first_contact) {
  return Differ(before, after, first_contact).run();
}

}  // namespace hazumi
