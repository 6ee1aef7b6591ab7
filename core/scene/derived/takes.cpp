#include "core/scene/derived/takes.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/scene/derived/family.h"
#include "core/scene/derived/following.h"

namespace hazumi {

namespace {

/// A run reads numbers, switches, places and turns; words, choices and what names a thing say what is there, not how it moves.
bool is_value(FieldType type) {
  return type == FieldType::boolean || type == FieldType::integer || type == FieldType::number ||
         type == FieldType::vector || type == FieldType::rotation;
}

template <class Owner>
bool is_read_value(const Field<Owner>& field) {
  return field.effect != Effect::look && is_value(field.type) && field.refers == Refers::nothing;
}

template <class Thing>
bool other_nodes(const Thing&, const Thing&) {
  return false;
}
bool other_nodes(const Object& a, const Object& b) { return node_count(a.analysis) != node_count(b.analysis); }

/// The thing with what the other has of what belongs to takes.
template <class Thing>
Shared<Thing> merged(std::span<const Field<Thing>> fields, const Shared<Thing>& shared, const Shared<Thing>& own) {
  if (shared.same_as(own)) return shared;
  bool anew = !same_in_take(fields, *shared, *own) || !(shared->kept == own->kept);
  // A place that a take has by itself is not taken along with the parent's (derived/family.h).
  if constexpr (std::is_same_v<Thing, Object>) anew = anew || shared->parent != 0;
  if (!anew) return shared;
  return shared.edited([&](Thing& thing) {
    for (const Field<Thing>& field : fields)
      if (belongs_to_take(field)) field.set(thing, field.get(*own));
    visit_lists(std::type_identity<Thing>{}, [&]<class Entry>(const List<Thing, Entry>& list) {
      if (!belongs_to_take(list)) return;
      // Of another analysis model there are other nodes.
      if ((std::is_same_v<Entry, StartNode> || std::is_same_v<Entry, StartSpring>)&&other_nodes(thing, *own)) return;
      list.set(thing, list.get(*own));
    });
    thing.kept = own->kept;
  });
}

template <class Thing>
std::vector<Shared<Thing>> merged(const SceneList<Thing>& list, const std::vector<Shared<Thing>>& shared,
                                  const std::vector<Shared<Thing>>& own) {
  std::unordered_map<Id, const Shared<Thing>*> known;
  std::vector<Shared<Thing>> all = shared;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < own.size() && own[i]->id == all[i]->id) {
      all[i] = merged(list.fields(), all[i], own[i]);
      continue;
    }
    if (known.empty())
      for (const auto& thing : own) known.emplace(thing->id, &thing);
    if (const auto at = known.find(all[i]->id); at != known.end()) all[i] = merged(list.fields(), all[i], *at->second);
  }
  return all;
}

/// Keys and boxes of things that are gone go.
void leave_gone(Scene& scene) {
  std::set<std::uint64_t> there{0}, gone;
  visit_scene_lists([&](const auto& list) {
    for (const auto& thing : scene.*list.member) there.insert(thing->id.value);
  });
  std::erase_if(scene.tracks, [&](const auto& track) { return !there.contains(track->target); });
  for (const auto& node : scene.motion)
    if (!there.contains(node->object)) gone.insert(node->id.value);
  if (gone.empty()) return;
  const auto leads_to_gone = [&](const MotionWire& wire) { return gone.contains(wire.to); };
  std::erase_if(scene.motion, [&](const auto& node) { return gone.contains(node->id.value); });
  std::erase_if(scene.tracks, [&](const auto& track) { return gone.contains(track->target); });
  for (auto& node : scene.motion)
    if (std::any_of(node->wires.begin(), node->wires.end(), leads_to_gone))
      node = node.edited([&](MotionNode& n) { std::erase_if(n.wires, leads_to_gone); });
}

/// The scene with what `own` has of what belongs to takes.
Scene merged(const Scene& scene, const Scene& own) {
  Scene next = scene;
  for (const auto& field : settings_fields())
    if (belongs_to_take(field)) field.set(next.settings, field.get(own.settings));
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (kHasTakes<Thing>) next.*list.member = merged(list, scene.*list.member, own.*list.member);
  });
  next.tracks = own.tracks;
  next.motion = own.motion;
  leave_gone(next);
  return placed_on_curves(settled(scene, scene, std::move(next)));
}

std::vector<Shared<Take>>::iterator place_of(Scene& scene, Id id) {
  return std::find_if(scene.takes.begin(), scene.takes.end(), [id](const auto& take) { return take->id == id; });
}

/// "Take 3" behind the largest number there is.
std::string next_take_name(const Scene& scene) {
  std::size_t number = scene.takes.size() + 1;
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.takes.begin(), scene.takes.end(), [&](const auto& take) { return take->name == name; });
  };
  while (taken("Take " + std::to_string(number))) ++number;
  return "Take " + std::to_string(number);
}

void begin_takes(Scene& scene) {
  if (!scene.takes.empty()) return;
  Take first;
  first.id = next_id(scene);
  first.name = "Take 1";
  first.current = true;
  scene.takes.push_back(Shared<Take>(std::move(first)));
}

template <class Thing>
std::size_t count_differing(const std::vector<Shared<Thing>>& a, const std::vector<Shared<Thing>>& b,
                            std::span<const Field<Thing>> fields) {
  std::unordered_map<Id, const Shared<Thing>*> known;
  for (const auto& thing : a) known.emplace(thing->id, &thing);
  std::size_t count = 0, met = 0;
  for (const auto& thing : b) {
    const auto at = known.find(thing->id);
    if (at == known.end()) {
      ++count;
      continue;
    }
    ++met;
    if (!at->second->same_as(thing) && !(same_fields(fields, **at->second, *thing) && same_lists(**at->second, *thing)))
      ++count;
  }
  return count + a.size() - met;
}

template <class Owner>
std::size_t count_values(std::span<const Field<Owner>> fields, const Owner& a, const Owner& b) {
  std::size_t count = 0;
  for (const auto& field : fields)
    if (belongs_to_take(field) && !operator_equal(field.get(a), field.get(b))) ++count;
  return count > 0 || same_in_take(fields, a, b) ? count : 1;
}

}  // namespace

bool belongs_to_take(const Field<Object>& field) {
  const auto in = [&](std::string_view block) { return field.path.starts_with(block); };
  if (in("display.") || in("analysis.") || in("mapping.") || field.path == "transform.scale" || field.path == "parent")
    return false;
  // What goes along curves and keys is read by way of where they lead (derived/leading.h).
  if (in("follow.") || field.path == "body.led" || field.path == "body.blend" || field.path == "body.bends_led")
    return is_value(field.type) && field.refers == Refers::nothing;
  return is_read_value(field);
}

bool belongs_to_take(const Field<Joint>& field) {
  const bool where = field.type == FieldType::vector || field.type == FieldType::rotation;  // what it holds by
  return is_read_value(field) && !where;
}

bool belongs_to_take(const Field<Force>& field) { return is_read_value(field) && field.path != "place"; }

bool belongs_to_take(const Field<ForceField>& field) { return is_read_value(field); }

bool belongs_to_take(const Field<ParticleSource>& field) { return is_read_value(field); }

bool belongs_to_take(const Field<ContactPair>& field) { return is_read_value(field); }

bool belongs_to_take(const Field<SceneSettings>& field) {
  return is_read_value(field) && field.path != "frame_rate" && field.path != "substeps";
}

const Take* find_take(const Scene& scene, Id id) {
  for (const auto& take : scene.takes)
    if (take->id == id) return take.get();
  return nullptr;
}

const Take* current_take(const Scene& scene) {
  for (const auto& take : scene.takes)
    if (take->current) return take.get();
  return nullptr;
}

std::string unique_take_name(const Scene& scene, const std::string& wanted) {
  if (wanted.empty()) return next_take_name(scene);
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.takes.begin(), scene.takes.end(), [&](const auto& take) { return take->name == name; });
  };
  if (!taken(wanted)) return wanted;
  std::string stem = wanted;
  const std::size_t space = stem.find_last_of(' ');
  if (space != std::string::npos && space > 0 && space + 1 < stem.size() &&
      stem.find_first_not_of("0123456789", space + 1) == std::string::npos)
    stem.resize(space);
  for (std::size_t number = 2;; ++number)
    if (std::string name = stem + " " + std::to_string(number); !taken(name)) return name;
}

std::shared_ptr<const Scene> motion_of(const Scene& scene) {
  auto own = std::make_shared<Scene>();
  own->settings = scene.settings;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (kHasTakes<Thing> || std::is_same_v<Thing, Track> || std::is_same_v<Thing, MotionNode>)
      (*own).*list.member = scene.*list.member;
  });
  return own;
}

Scene in_take(const Scene& scene, Id id) {
  const Take* take = find_take(scene, id);
  if (!take || take->current) return scene;
  Scene next = take->motion ? merged(scene, *take->motion) : scene;
  for (auto& one : next.takes) {
    if (!one->current && one->id != id) continue;
    one = one.edited([&](Take& t) {
      t.current = t.id == id;
      t.motion = t.current ? nullptr : motion_of(scene);
    });
  }
  return next;
}

MadeTake with_copied_take(Scene scene, Id of, const std::string& name) {
  begin_takes(scene);
  auto at = place_of(scene, of);
  if (at == scene.takes.end())
    at = std::find_if(scene.takes.begin(), scene.takes.end(), [](const auto& take) { return take->current; });
  if (at == scene.takes.end()) return {std::move(scene), {}};
  Take copy = **at;
  copy.id = next_id(scene);
  copy.name = name.empty() ? next_take_name(scene) : unique_take_name(scene, name);
  if (std::exchange(copy.current, false)) copy.motion = motion_of(scene);
  const Id made = copy.id;
  scene.takes.insert(std::next(at), Shared<Take>(std::move(copy)));
  return {std::move(scene), made};
}

MadeTake with_new_take(Scene scene, const std::string& name) {
  MadeTake made = with_copied_take(std::move(scene), {}, name);
  made.scene = in_take(made.scene, made.take);
  return made;
}

MadeTake with_take_of(Scene scene, const Scene& motion, const std::string& name) {
  begin_takes(scene);
  Take take;
  take.id = std::max(next_id(scene), next_id(motion));
  take.name = unique_take_name(scene, name);
  take.motion = motion_of(motion);
  const Id made = take.id;
  scene.takes.push_back(Shared<Take>(std::move(take)));
  return {std::move(scene), made};
}

Result<Scene> without_take(const Scene& scene, Id id) {
  const Take* take = find_take(scene, id);
  if (!take) return scene;
  if (scene.takes.size() == 1)
    return Diagnostic{Severity::error, "takes", "The last take cannot be deleted: a scene has one.",
                      "Make another one first."};
  Scene next = scene;
  if (take->current) {
    auto at = place_of(next, id);
    at = std::next(at) == next.takes.end() ? std::prev(at) : std::next(at);
    next = in_take(scene, (*at)->id);
  }
  next.takes.erase(place_of(next, id));
  return next;
}

Scene with_settled_takes(const Scene& before, Scene next) {
  if (next.takes.empty()) return next;
  bool others = false;
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    // Things that have keys, or boxes.
    if constexpr (!std::is_same_v<Thing, Track> && !std::is_same_v<Thing, MotionNode> && !std::is_same_v<Thing, Take>)
      others = others || !changed_places(before.*list.member, next.*list.member);
  });
  if (!others) return next;
  const Scene shared = next;
  for (auto& take : next.takes)
    if (take->motion) take = take.edited([&](Take& t) { t.motion = motion_of(merged(shared, *t.motion)); });
  return next;
}

std::string difference_of(const Scene& scene, const Take& take) {
  if (!take.motion) return {};
  const Scene own = merged(scene, *take.motion);
  std::size_t values = count_values(settings_fields(), scene.settings, own.settings);
  visit_scene_lists([&]<class Thing>(const SceneList<Thing>& list) {
    if constexpr (kHasTakes<Thing>)
      for (std::size_t i = 0; i < (scene.*list.member).size(); ++i) {
        const auto &a = (scene.*list.member)[i], &b = (own.*list.member)[i];
        if (!a.same_as(b)) values += count_values(list.fields(), *a, *b);
      }
  });
  const std::size_t keyed = count_differing(scene.tracks, own.tracks, track_fields());
  const std::size_t boxes = count_differing(scene.motion, own.motion, motion_fields());
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : many);
  };
  add(values, "value", "values");
  add(keyed, "keyed field", "keyed fields");
  add(boxes, "box", "boxes");
  return text;
}

}  // namespace hazumi
