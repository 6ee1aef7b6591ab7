#include "core/scene/derived/motion_rules.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/scene/derived/box_keys.h"
#include "core/scene/derived/joint_tracks.h"
#include "core/scene/derived/run_clock.h"
#include "core/scene/diff.h"
#include "core/scene/values/lists.h"
#include "core/scene/values/scene_lists.h"

namespace hazumi {
namespace {

bool is_event(const MotionNode& node) { return node.role == MotionRole::event; }

/// What it waits for are moments of markers, which come and go while the film plays.
bool by_markers(const MotionNode& node) { return is_event(node) && node.kind == "marker"; }

/// Of a box without its wires and moments.
void add_box(Hasher& hasher, const Scene& scene, const MotionNode& node) {
  hasher.add(node.id.value).add(node.visible).add(static_cast<int>(node.role)).add(std::string_view(node.kind));
  hasher.add(node.object).add(node.other).add(std::string_view(node.condition)).add(node.loop);
  for (const std::uint64_t id : {node.object, node.other}) {
    const std::vector<Id> all = actors(scene, id);
    hasher.add(static_cast<std::uint64_t>(all.size()));
    for (const Id one : all) hasher.add(one.value);
  }
  hasher.add(by_markers(node) || node.other == 0 ||
             visit_thing(scene, Id{node.other}, [](const auto&, const auto&) {}));
  if (const Curve* curve = find_curve(scene, Id{node.other})) {
    hasher.add(static_cast<int>(curve->kind)).add(curve->closed);
    for (const CurvePoint& point : curve->points)
      for (std::size_t i = 0; i < RowFormat<CurvePoint>::columns.size(); ++i)
        hasher.add(RowFormat<CurvePoint>::get(point, i));
    const Transform& at = curve->transform;
    for (const Vec3& v : {at.position, at.scale}) hasher.add(v.x()).add(v.y()).add(v.z());
    hasher.add(at.rotation.w()).add(at.rotation.x()).add(at.rotation.y()).add(at.rotation.z());
  }
  std::map<std::string_view, const MotionParameter*> sorted;
  for (const MotionParameter& parameter : node.parameters) sorted.emplace(parameter.name, &parameter);
  hasher.add(static_cast<std::uint64_t>(sorted.size()));
  for (const auto& [name, parameter] : sorted)
    hasher.add(name).add(std::string_view(parameter->word)).add(parameter->number);
}

/// It waits for a moment that a number says. With keys it is in every state, as they say what it waits for.
bool waits_for_number(const MotionNode& node) { return is_event(node) && node.kind == "time"; }

enum class Moments { without, with };

std::uint64_t content(const Scene& scene, const MotionNode& node, Moments moments = Moments::with) {
  Hasher hasher;
  add_box(hasher, scene, node);
  for (const MotionWire& wire : used_wires(scene, node)) hasher.add(wire.to).add(wire.related);
  if (waits_for_number(node)) hasher.add(is_keyed(scene, node));
  if (moments == Moments::with && by_markers(node))
    for (const double moment : marker_moments(scene, Id{node.other})) hasher.add(moment);
  return hasher.value();
}

std::map<Id, const MotionNode*> used_boxes(const Scene& scene) {
  std::map<Id, const MotionNode*> all;
  for (const auto& node : scene.motion)
    if (node->visible) all.emplace(node->id, node.get());
  return all;
}

bool same_lists_of(const Scene& a, const Scene& b) {
  return is_unchanged(a.motion, b.motion) && is_unchanged(a.collections, b.collections) &&
         is_unchanged(a.curves, b.curves) && is_unchanged(a.particles, b.particles) &&
         is_unchanged(a.cameras, b.cameras) && is_unchanged(a.sounds, b.sounds) && is_unchanged(a.markers, b.markers) &&
         is_unchanged(a.tracks, b.tracks);
}

/// Objects may be in other collections than before.
bool in_same_collections(const Scene& a, const Scene& b) {
  const auto places = changed_places(a.objects, b.objects);
  if (!places) return false;
  return std::all_of(places->begin(), places->end(), [&](std::size_t i) {
    return a.objects[i]->collection == b.objects[i]->collection && a.objects[i]->parent == b.objects[i]->parent;
  });
}

/// The first frame whose state may be another by what happens at that moment of the film, or what keys say from then on.
int first_from(const Scene& scene, double time) {
  if (!(time > 0)) return 0;
  const RunClock clock(scene);
  // It happens in the sub-step that ends at its moment or beyond, as sums are rounded; the state behind that is the first that has it.
  const auto before = [&](int frame) { return clock.film(clock.begin(frame)) <= time - 1e-3 * clock.step(); };
  int frame = static_cast<int>(std::min(time * scene.settings.frame_rate + 1, 1e8));
  while (frame > 0 && !before(frame)) --frame;
  return clock.even() && before(frame) ? frame + 1 : frame;
}

/// The same, of what an event that waits from the start does.
int first_at(const Scene& scene, const MotionNode& node, std::optional<double> time) {
  if (!time) return 0;
  // Another event that happens before notes that it is no longer waited for.
  for (const MotionWire& wire : used_wires(scene, node))
    if (wire.related) return 0;
  return first_from(scene, *time);
}

int first_of(const Scene& scene, const MotionNode& node) { return first_at(scene, node, first_moment(scene, node)); }

/// Of the same event with other moments.
int first_of_others(const Scene& before, const Scene& after, const MotionNode& node) {
  const std::vector<double> a = marker_moments(before, Id{node.other}), b = marker_moments(after, Id{node.other});
  // Without any it is not waited for, which another event that happens before and is related to it notes.
  if (a.empty() != b.empty()) {
    const auto relates = [&](const MotionWire& wire) { return wire.related && wire.to == node.id.value; };
    for (const auto& other : after.motion)
      if (std::any_of(other->wires.begin(), other->wires.end(), relates)) return 0;
  }
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const double from_a = x == a.end() ? 1e300 : *x, from_b = y == b.end() ? 1e300 : *y;
  // Rounded up by either clock.
  return std::min(first_at(before, node, std::min(from_a, from_b)), first_at(after, node, std::min(from_a, from_b)));
}

class MotionFaultFinder {
 public:
  explicit MotionFaultFinder(const Scene& scene) : scene_(scene) {
    for (const Id id : waiting_from_start(scene)) reached_.insert(id);
    for (bool more = true; more;) {
      more = false;
      for (const auto& node : scene.motion)
        if (node->visible && reached_.count(node->id))
          for (const MotionWire& wire : used_wires(scene, *node))
            if (!wire.related) more = reached_.insert(Id{wire.to}).second || more;
    }
  }

  std::vector<MotionFault> run() {
    for (std::size_t i = 0; i < scene_.motion.size(); ++i) {
      node_ = scene_.motion[i].get();
      where_ = "motion[" + std::to_string(i) + "] ";
      if (node_->visible) look();
    }
    return std::move(found_);
  }

 private:
  std::string called() const { return "\"" + (node_->name.empty() ? node_->kind : node_->name) + "\""; }
  void fault(const char* key, std::string message, std::string hint) {
    found_.push_back({node_->id, where_ + key, std::move(message), std::move(hint)});
  }
  bool is_there(std::uint64_t id) const {
    return id == 0 || visit_thing(scene_, Id{id}, [](const auto&, const auto&) {});
  }

  void look() {
    if (!is_there(node_->object))
      fault("object", called() + " is of an object that is not there.", "Give it an object of the scene.");
    else if (node_->object == 0)
      fault("object", called() + " is of no object, so it does nothing.", "Say whose motion it is.");
    else if (actors(scene_, node_->object).empty())
      fault("object", called() + " is of something in which there is no object.", "Put objects into the collection.");
    if (!is_there(node_->other))
      fault("other", called() + " is about something that is not there.", "Pick something of the scene, or anything.");
    std::set<std::uint64_t> seen;
    for (const MotionWire& wire : node_->wires) {
      const MotionNode* to = find_motion(scene_, Id{wire.to});
      if (!to) {
        fault("wires", "A wire of " + called() + " leads to a box that is not there.", "Remove it.");
        continue;
      }
      if (!seen.insert(wire.to).second)
        fault("wires", "Two wires lead from " + called() + " to the same box.", "Remove one of them.");
      if (wire.related && !(is_event(*node_) && is_event(*to)))
        fault("wires", "Only events are related to each other.", "Remove the wire.");
      else if (!wire.related && !is_event(*node_) && !is_event(*to))
        fault("wires", "A procedure leads to events, not to a procedure.",
              "Put \"finished\" between them, or lead to it from the event.");
    }
    if (!reached_.count(node_->id))
      fault("wires", is_event(*node_) ? "Nothing ever arms " + called() + "." : "Nothing ever starts " + called() + ".",
            "Lead a wire to it from an event that happens.");
  }

  const Scene& scene_;
  const MotionNode* node_ = nullptr;
  std::string where_;
  std::set<Id> reached_;
  std::vector<MotionFault> found_;
};

}  // namespace

const MotionNode* find_motion(const Scene& scene, Id id) {
  return find_thing(scene, std::get<SceneList<MotionNode>>(kSceneLists), id);
}

Scene with_motion(Scene scene, Id id, const std::function<void(MotionNode&)>& change) {
  for (auto& node : scene.motion)
    if (node->id == id) {
      node = node.edited(change);
      break;
    }
  return scene;
}

std::vector<Id> actors(const Scene& scene, std::uint64_t id) {
  if (id == 0) return {};
  if (find_object(scene, Id{id})) return {Id{id}};
  std::set<std::uint64_t> around = {id};
  if (std::none_of(scene.collections.begin(), scene.collections.end(),
                   [&](const auto& c) { return c->id.value == id; }))
    return {};
  for (bool more = true; more;) {
    more = false;
    for (const auto& collection : scene.collections)
      if (around.count(collection->collection)) more = around.insert(collection->id.value).second || more;
  }
  std::vector<Id> all;
  for (const auto& object : scene.objects)
    if (around.count(collection_of(scene, *object).value)) all.push_back(object->id);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<MotionWire> used_wires(const Scene& scene, const MotionNode& node) {
  std::vector<MotionWire> out;
  for (const MotionWire& wire : node.wires) {
    const MotionNode* to = find_motion(scene, Id{wire.to});
    if (!to || !to->visible) continue;
    if (wire.related ? !(is_event(node) && is_event(*to)) : !is_event(node) && !is_event(*to)) continue;
    if (std::none_of(out.begin(), out.end(), [&](const MotionWire& known) { return known.to == wire.to; }))
      out.push_back(wire);
  }
  return out;
}

std::vector<Id> waiting_from_start(const Scene& scene) {
  std::set<std::uint64_t> led_to;
  for (const auto& node : scene.motion)
    if (node->visible)
      for (const MotionWire& wire : used_wires(scene, *node))
        if (!wire.related) led_to.insert(wire.to);
  std::vector<Id> all;
  for (const auto& node : scene.motion)
    if (node->visible && is_event(*node) && !led_to.count(node->id.value)) all.push_back(node->id);
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<double> timed_at(const MotionNode& node) {
  if (!is_event(node) || node.kind != "time") return std::nullopt;
  const MotionParameter *from = find_parameter(node, "from"), *time = find_parameter(node, "time");
  if (from && !from->word.empty() && from->word != "start") return std::nullopt;
  if (time && !time->word.empty()) return std::nullopt;
  return time ? time->number : 0;
}

std::vector<double> marker_moments(const Scene& scene, Id marker) {
  const Marker* named = find_marker(scene, marker);
  std::vector<double> all;
  if (!named) return all;
  for (const auto& each : scene.markers)
    if (each->visible && (each->id == marker || (!named->name.empty() && each->name == named->name)))
      all.push_back(each->time);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<double> first_moment(const Scene& scene, const MotionNode& node) {
  if (!by_markers(node)) return is_keyed(scene, node) ? std::nullopt : timed_at(node);
  const std::vector<double> all = marker_moments(scene, Id{node.other});
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<MotionFault> motion_faults(const Scene& scene) {
  if (scene.motion.empty()) return {};
  return MotionFaultFinder(scene).run();
}

void add_motion(Hasher& hasher, const Scene& scene) {
  const auto boxes = used_boxes(scene);
  if (boxes.empty()) return;
  hasher.add(std::string_view("motion"));
  const BoxTracks tracks(scene);
  for (const auto& [id, node] : boxes) {
    hasher.add(content(scene, *node));
    add_keys(hasher, tracks.of(*node));
  }
}

std::optional<int> first_moved_otherwise(const Scene& before, const Scene& after,
                                         const std::function<int(const Cause&)>& first_frame) {
  if (before.motion.empty() && after.motion.empty()) return std::nullopt;
  if (same_lists_of(before, after) && in_same_collections(before, after)) return std::nullopt;
  const auto old = used_boxes(before), now = used_boxes(after);
  std::optional<int> first;
  const auto drop = [&](int frame) { first = std::min(first.value_or(kNoFrame), frame); };
  const std::vector<Id> waited = waiting_from_start(before), waits = waiting_from_start(after);
  const auto is_in = [](const std::vector<Id>& all, Id id) { return std::binary_search(all.begin(), all.end(), id); };
  // What waits from the start is armed then.
  const auto read_at = [&](Id id, const MotionNode& node) {
    if (is_in(waited, id)) return first_of(before, node);
    return first_frame ? first_frame({id, Reading::armed}) : 0;
  };
  const BoxTracks keys_before(before), keys_after(after);
  // Before keys say another number nothing comes of them, whatever has read the box by then.
  const auto keyed_from = [&](const MotionNode& was, const MotionNode& is) -> std::optional<int> {
    const std::vector<BoxTrack> a = keys_before.of(was), b = keys_after.of(is);
    if (same_keys(a, b)) return std::nullopt;
    const auto time = first_keyed_otherwise(was, a, is, b);
    return time ? std::min(first_from(before, *time), first_from(after, *time)) : kNoFrame;
  };
  for (const auto& [id, node] : old) {
    const auto at = now.find(id);
    if (at == now.end()) {
      drop(read_at(id, *node));
    } else if (is_in(waited, id) != is_in(waits, id)) {
      drop(0);
    } else if (content(before, *node) == content(after, *at->second)) {
      if (const auto frame = keyed_from(*node, *at->second)) drop(std::max(*frame, read_at(id, *node)));
    } else if (is_in(waits, id) &&
               content(before, *node, Moments::without) == content(after, *at->second, Moments::without)) {
      drop(first_of_others(before, after, *node));
    } else {
      drop(read_at(id, *node));
      if (is_in(waits, id)) drop(first_of(after, *at->second));
    }
  }
  for (const auto& [id, node] : now)
    if (!old.count(id)) drop(is_in(waits, id) ? first_of(after, *node) : kNoFrame);
  // What is off for good is no part of a run, unless a box may switch it on.
  for (const auto& joint : after.joints)
    if (const Joint* own = find_joint(before, joint->id); own && ever_on(before, *own) != ever_on(after, *joint))
      drop(0);
  return first;
}

std::string free_group_name(const Scene& scene, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(scene.motion.begin(), scene.motion.end(), [&](const auto& n) { return n->group == name; });
  };
  // "Group 2" of another "Group", not "Group 2 2".
  std::string stem = wanted;
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  if (stem.size() < 2 || stem.size() == wanted.size() || stem.back() != ' ') stem = wanted + " ";
  std::string name = wanted;
  for (int k = 2; taken(name); ++k) name = stem + std::to_string(k);
  return name;
}

}  // namespace hazumi
