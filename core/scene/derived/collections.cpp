#include "core/scene/derived/collections.h"

#include <algorithm>

namespace hazumi {

namespace {

const Collection* collection_at(const Scene& scene, std::uint64_t id) {
  for (const auto& collection : scene.collections)
    if (collection->id.value == id) return collection.get();
  return nullptr;
}

}  // namespace

Standing::Standing(const Scene& scene, const std::set<Id>* aside) : aside_(aside) {
  const bool open = std::none_of(scene.collections.begin(), scene.collections.end(),
                                 [](const auto& collection) { return collection->locked || !collection->visible; });
  if (open) return;
  for (const auto& collection : scene.collections) {
    Place place;
    const Collection* at = collection.get();
    for (std::size_t step = 0; at && step <= scene.collections.size(); ++step) {
      place.visible = place.visible && at->visible;
      place.locked = place.locked || at->locked;
      at = at->collection == 0 ? nullptr : collection_at(scene, at->collection);
    }
    places_.emplace(collection->id.value, place);
  }
  const bool families =
      std::any_of(scene.objects.begin(), scene.objects.end(), [](const auto& object) { return object->parent != 0; });
  if (!families) return;
  for (const auto& object : scene.objects) parents_.emplace(object->id.value, object.get());
}

bool Standing::visible(const Object& object) const {
  return object.visible && (!aside_ || aside_->count(object.id) == 0) && place(home(object)).visible;
}

Standing::Place Standing::place(std::uint64_t collection) const {
  const auto at = places_.find(collection);
  return at == places_.end() ? Place{} : at->second;
}

std::uint64_t Standing::home(const Object& object) const {
  const Object* eldest = &object;
  for (std::size_t step = 0; eldest->parent != 0 && step < parents_.size(); ++step) {
    const auto parent = parents_.find(eldest->parent);
    if (parent == parents_.end()) break;
    eldest = parent->second;
  }
  return eldest->collection;
}

std::set<Id> with_contents(const Scene& scene, const std::set<Id>& ids) {
  std::set<Id> all = ids;
  for (const auto& collection : scene.collections)
    if (ids.count(collection->id)) {
      for (const auto& inner : scene.collections)
        if (lies_in(scene, inner->id, collection->id)) all.insert(inner->id);
      all.merge(things_in(scene, collection->id));
    }
  return all;
}

std::set<Id> things_in(const Scene& scene, Id collection) {
  std::set<Id> places{collection};
  for (const auto& inner : scene.collections)
    if (lies_in(scene, inner->id, collection)) places.insert(inner->id);
  std::set<Id> things;
  for (const auto& object : scene.objects)
    if (places.count(collection_of(scene, *object))) things.insert(object->id);
  for (const auto& light : scene.lights)
    if (places.count(Id{light->collection})) things.insert(light->id);
  for (const auto& camera : scene.cameras)
    if (places.count(Id{camera->collection})) things.insert(camera->id);
  for (const auto& curve : scene.curves)
    if (places.count(Id{curve->collection})) things.insert(curve->id);
  for (const auto& joint : scene.joints)
    if (places.count(Id{joint->collection})) things.insert(joint->id);
  for (const auto& force : scene.forces)
    if (places.count(Id{force->collection})) things.insert(force->id);
  for (const auto& field : scene.fields)
    if (places.count(Id{field->collection})) things.insert(field->id);
  for (const auto& source : scene.particles)
    if (places.count(Id{source->collection})) things.insert(source->id);
  return things;
}

bool lies_in(const Scene& scene, Id inner, Id outer) {
  for (std::size_t step = 0; inner && step <= scene.collections.size(); ++step) {
    if (inner == outer) return true;
    const Collection* at = collection_at(scene, inner.value);
    inner = at ? Id{at->collection} : Id{};
  }
  return false;
}

Scene put_in(Scene scene, const std::set<Id>& ids, Id collection) {
  const auto put = [&](auto& thing) {
    if (thing->collection != collection.value)
      thing = thing.edited([&](auto& changed) { changed.collection = collection.value; });
  };
  for (auto& object : scene.objects)
    if (ids.count(object->id) && object->parent == 0) put(object);
  for (auto& light : scene.lights)
    if (ids.count(light->id)) put(light);
  for (auto& camera : scene.cameras)
    if (ids.count(camera->id)) put(camera);
  for (auto& curve : scene.curves)
    if (ids.count(curve->id)) put(curve);
  for (auto& joint : scene.joints)
    if (ids.count(joint->id)) put(joint);
  for (auto& force : scene.forces)
    if (ids.count(force->id)) put(force);
  for (auto& field : scene.fields)
    if (ids.count(field->id)) put(field);
  for (auto& source : scene.particles)
    if (ids.count(source->id)) put(source);
  for (auto& inner : scene.collections)
    if (ids.count(inner->id) && !(collection && lies_in(scene, collection, inner->id))) put(inner);
  return scene;
}

}  // namespace hazumi
