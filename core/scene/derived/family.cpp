#include "core/scene/derived/family.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/scene/derived/leading.h"

namespace hazumi {

namespace {

using Places = std::map<std::uint64_t, const Object*>;

Places places_of(const Scene& scene) {
  Places places;
  for (const auto& object : scene.objects) places.emplace(object->id.value, object.get());
  return places;
}

const Object* find_place(const Places& places, std::uint64_t id) {
  const auto at = places.find(id);
  return at == places.end() ? nullptr : at->second;
}

const Object* parent_of(const Places& places, const Object& object) {
  return object.parent != 0 && may_have_parent(object) ? find_place(places, object.parent) : nullptr;
}

bool has_families(const Scene& scene) {
  return std::any_of(scene.objects.begin(), scene.objects.end(),
                     [](const auto& object) { return object->parent != 0; });
}

bool same_bits_of(const Vec3& a, const Vec3& b) { return (a.array() == b.array()).all(); }
bool same_bits_of(const Quat& a, const Quat& b) { return (a.coeffs().array() == b.coeffs().array()).all(); }
bool same_bits_of(const Transform& a, const Transform& b) {
  return same_bits_of(a.position, b.position) && same_bits_of(a.rotation, b.rotation) && same_bits_of(a.scale, b.scale);
}

/// Where everything is after an edit, worked out parents first.
class Settling {
 public:
  Settling(const Scene& start, const Scene& now, const Scene& next)
      : start_(versions_of(start)), now_(versions_of(now)), next_(versions_of(next)) {}

  Transform place(const Shared<Object>& object) {
    const std::uint64_t id = object->id.value;
    if (const auto known = done_.find(id); known != done_.end()) return known->second;
    // In a ring, which validation refuses, each is met before it is done: then it stays as the edit has it.
    done_[id] = object->transform;
    const Transform at = worked_out(object);
    return done_[id] = at;
  }

 private:
  using Versions = std::map<std::uint64_t, const Shared<Object>*>;
  struct Pair {
    const Shared<Object>*child = nullptr, *parent = nullptr;
    Transform led_to(const Transform& place) const {
      return followed((*child)->transform, (*parent)->transform, place);
    }
  };

  static Versions versions_of(const Scene& scene) {
    Versions versions;
    for (const auto& object : scene.objects) versions.emplace(object->id.value, &object);
    return versions;
  }
  /// The child and its parent in a version where it has the same one; else none.
  static Pair pair_in(const Versions& versions, const Object& object) {
    const auto child = versions.find(object.id.value), parent = versions.find(object.parent);
    if (child == versions.end() || parent == versions.end() || (*child->second)->parent != object.parent) return {};
    return {child->second, parent->second};
  }

  /// An edit that means the child makes it anew, even where it stays as it was.
  Transform worked_out(const Shared<Object>& object) {
    const Pair now = pair_in(now_, *object), start = pair_in(start_, *object);
    const auto parent = next_.find(object->parent);
    if (object->parent == 0 || parent == next_.end() || !now.child) return object->transform;
    const Transform to = place(*parent->second);
    if (object.same_as(*now.child)) {
      // From where the gesture began, if it was only taken along since: rounding does not add up, and a drag back to its start
      // gets there to the bit.
      const bool only_led =
          start.child && same_bits_of(start.led_to((*now.parent)->transform), (*now.child)->transform);
      return only_led ? start.led_to(to) : now.led_to(to);
    }
    return start.child && object.same_as(*start.child) ? start.led_to(to) : object->transform;
  }

  const Versions start_, now_, next_;
  std::map<std::uint64_t, Transform> done_;
};

/// What begins to move by itself stays in the collection that it was in by its parent.
void leave_parents(Scene& scene) {
  std::vector<std::pair<std::size_t, std::uint64_t>> leaving;
  for (std::size_t i = 0; i < scene.objects.size(); ++i)
    if (const Object& object = *scene.objects[i]; object.parent != 0 && !may_have_parent(object))
      leaving.emplace_back(i, collection_of(scene, object).value);
  for (const auto& [i, collection] : leaving)
    scene.objects[i] = scene.objects[i].edited([&home = collection](Object& o) {
      o.parent = 0;
      o.collection = home;
    });
}

}  // namespace

bool may_have_parent(const Object& object) { return !body_kind(object.body.kind).moves; }

bool goes_with(const Scene& scene, Id id, Id ancestor) {
  for (std::size_t step = 0; id && step <= scene.objects.size(); ++step) {
    if (id == ancestor) return true;
    const Object* object = find_object(scene, id);
    id = object ? Id{object->parent} : Id{};
  }
  return false;
}

std::set<Id> with_families(const Scene& scene, std::set<Id> ids) {
  if (!has_families(scene)) return ids;
  for (bool more = true; more;) {
    more = false;
    for (const auto& object : scene.objects)
      if (object->parent != 0 && ids.count(Id{object->parent})) more = ids.insert(object->id).second || more;
  }
  return ids;
}

std::vector<Carried> carried_objects(const Scene& scene) {
  std::vector<Carried> all;
  if (!has_families(scene)) return all;
  const Places places = places_of(scene);
  std::set<Id> led;
  for (const LedTracks& one : led_objects(scene)) led.insert(one.object);
  for (const auto& [id, object] : places) {
    const Object* carrier = object;  // the nearest that goes where its keys say, or the eldest
    for (std::size_t step = 0; step < places.size() && !led.contains(carrier->id); ++step) {
      const Object* parent = parent_of(places, *carrier);
      if (!parent) break;
      carrier = parent;
    }
    if (carrier != object && (body_kind(carrier->body.kind).moves || led.contains(carrier->id)))
      all.push_back({Id{id}, carrier->id});
  }
  return all;
}

void add_families(Hasher& hasher, const Scene& scene) {
  const std::vector<Carried> all = carried_objects(scene);
  if (all.empty()) return;
  hasher.add(std::string_view("carried"));
  for (const Carried& one : all) hasher.add(one.child.value).add(one.carrier.value);
}

Transform followed(const Transform& child, const Transform& from, const Transform& to) {
  if (same_bits_of(from, to)) return child;
  Transform out = child;
  const bool turned = !same_bits_of(from.rotation, to.rotation), stretched = !same_bits_of(from.scale, to.scale);
  if (!turned && !stretched) {
    out.position += to.position - from.position;
    return out;
  }
  const Vec3 local = from.rotation.conjugate() * (child.position - from.position);
  const Vec3 ratio = to.scale.cwiseQuotient(from.scale);
  out.position = to.position + to.rotation * ratio.cwiseProduct(local);
  if (turned) out.rotation = (to.rotation * from.rotation.conjugate() * child.rotation).normalized();
  if (stretched)
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 along = from.rotation.conjugate() * (child.rotation * Vec3::Unit(axis));
      out.scale[axis] *= ratio.cwiseProduct(along).norm();
    }
  return out;
}

Scene settled(const Scene& start, const Scene& now, Scene next) {
  if (!has_families(next)) return next;
  leave_parents(next);
  if (!has_families(now)) return next;
  Settling settling(start, now, next);
  std::vector<std::pair<std::size_t, Transform>> moved;
  for (std::size_t i = 0; i < next.objects.size(); ++i) {
    const Shared<Object>& object = next.objects[i];
    if (object->parent == 0) continue;
    const Transform to = settling.place(object);
    if (!same_bits_of(to, object->transform)) moved.emplace_back(i, to);
  }
  for (const auto& [i, to] : moved)
    next.objects[i] = next.objects[i].edited([&place = to](Object& o) { o.transform = place; });
  return next;
}

}  // namespace hazumi
