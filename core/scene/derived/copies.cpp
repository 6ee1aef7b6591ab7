#include "core/scene/derived/copies.h"

#include <algorithm>

#include "core/scene/derived/contact_rules.h"
#include "core/scene/values/body_kinds.h"

namespace hazumi {

namespace {

constexpr std::uint64_t kMostSource = kFirstCopyId >> kCopyBits;

bool is_joined(const Scene& scene, Id object) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [object](const auto& joint) {
    return joint->a.object == object.value || joint->b.object == object.value;
  });
}

bool has_pins(const Object& object) {
  const StrungTruss* strung = object.analysis.kind == AnalysisKind::strung ? object.analysis.strung.get() : nullptr;
  return strung &&
         std::any_of(strung->nodes.begin(), strung->nodes.end(), [](const auto& node) { return node.pinned; });
}

bool ids_fit(const Scene& scene, Id source) {
  return source.value < kMostSource && std::none_of(scene.objects.begin(), scene.objects.end(),
                                                    [](const auto& object) { return is_copy(object->id); });
}

}  // namespace

std::optional<NoCopies> why_no_copies(const Scene& scene, const ParticleSource& source) {
  if (!gives_copies(source)) return std::nullopt;
  const Object* object = find_object(scene, Id{source.object});
  if (!object)
    return NoCopies{"object",
                    source.object == 0
                        ? source.name + " has no object of which it could give copies; it gives nothing."
                        : "The object of which " + source.name + " gave copies is gone; it gives nothing.",
                    "Choose a rigid one under Object."};
  const auto refuse = [&](const char* field, const std::string& why, std::string hint) {
    return NoCopies{field, source.name + " gives nothing, because " + object->name + " " + why, std::move(hint)};
  };
  if (source.carrier == source.object && source.shape != SourceShape::curve)
    return refuse("carrier", "carries it, and what is copied takes no part itself.",
                  "Choose another object under Carried by, or none.");
  if (is_skin(*object))
    return refuse("object", "is a skin that bends with other objects.", "Choose a rigid object under Object.");
  if (body_kind(object->body.kind).name != "rigid")
    return refuse("object", "is not rigid.",
                  "Set its Moves as to Rigid under Properties, Body, or choose another object.");
  if (has_pins(*object))
    return refuse("object", "hangs on pins.", "Take its pins away in Edit Mode, or choose another object.");
  if (is_joined(scene, object->id))
    return refuse("object", "is held by a joint.", "Delete the joint, or choose a duplicate of it.");
  if (!ids_fit(scene, source.id))
    return refuse("object", "or the source has an id that leaves no room for those of copies.",
                  "Copy what is in the scene into a new one.");
  return std::nullopt;
}

const Object* copied_object(const Scene& scene, const ParticleSource& source) {
  return gives_copies(source) && !why_no_copies(scene, source) ? find_object(scene, Id{source.object}) : nullptr;
}

std::vector<Id> copied_objects(const Scene& scene) {
  std::vector<Id> all;
  for (const auto& source : scene.particles)
    if (const Object* object = copied_object(scene, *source)) all.push_back(object->id);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace hazumi
