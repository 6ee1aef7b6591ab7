#include "core/scene/derived/signature.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/scene/derived/contact_rules.h"
#include "core/scene/derived/family.h"
#include "core/scene/derived/leading.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/derived/thing_signature.h"
#include "core/scene/diff.h"

namespace hazumi {

Signature signature_of(const Object& object) { return signature_of_thing(object, object_fields()); }

Signature signature_of(const Shared<Object>& object) { return signature_of_shared(object, object_fields()); }

std::uint64_t signature_of(const SceneSettings& settings) {
  return signature_of_thing(settings, settings_fields()).motion;
}

std::uint64_t simulation_signature(const Scene& scene) {
  Hasher hasher;
  hasher.add(signature_of(scene.settings));
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if (!list.read) return;
    // A run goes through the things in order of their ids: the order of the list is for people.
    std::vector<const Shared<Thing>*> things;
    things.reserve((scene.*list.member).size());
    for (const auto& thing : scene.*list.member) things.push_back(&thing);
    const auto by_id = [](const Shared<Thing>* a, const Shared<Thing>* b) { return (*a)->id < (*b)->id; };
    if (!std::is_sorted(things.begin(), things.end(), by_id)) std::sort(things.begin(), things.end(), by_id);
    hasher.add(list.path);
    for (const Shared<Thing>* thing : things) {
      const Signature signature = signature_of_shared(*thing, list.fields());
      hasher.add(signature.motion).add(signature.contact).add(signature.touch);
    }
  });
  add_contact_rules(hasher, scene);
  add_families(hasher, scene);
  add_leading(hasher, scene);
  add_motion(hasher, scene);
  return hasher.value();
}

}  // namespace hazumi
