#include "core/scene/derived/motion_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
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

void add_actors(Hasher& hasher, const Scene& scene, std::uint64_t id) {
  const std::vector<Id> all = actors(scene, id);
  hasher.add(static_cast<std::uint64_t>(all.size()));
  for (const Id one : all) hasher.add(one.value);
}

/// What a box is about.
void add_other(Hasher& hasher, const Scene& scene, const MotionNode& node, std::uint64_t other) {
  hasher.add(other);
  add_actors(hasher, scene, other);
  hasher.add(by_markers(node) || other == 0 || visit_thing(scene, Id{other}, [](const auto&, const auto&) {}));
  if (const Curve* curve = find_curve(scene, Id{other})) {
    hasher.add(static_cast<int>(curve->kind)).add(curve->closed);
    for (const CurvePoint& point : curve->points)
      for (std::size_t i = 0; i < RowFormat<CurvePoint>::columns.size(); ++i)
        hasher.add(RowFormat<CurvePoint>::get(point, i));
    const Transform& at = curve->transform;
    for (const Vec3& v : {at.position, at.scale}) hasher.add(v.x()).add(v.y()).add(v.z());
    hasher.add(at.rotation.w()).add(at.rotation.x()).add(at.rotation.y()).add(at.rotation.z());
  }
}

/// Of a box without what it is about, its wires and moments.
void add_box(Hasher& hasher, const Scene& scene, const MotionNode& node) {
  hasher.add(node.id.value).add(node.visible).add(static_cast<int>(node.role)).add(std::string_view(node.kind));
  hasher.add(node.object).add(std::string_view(node.condition)).add(node.loop);
  add_actors(hasher, scene, node.object);
  std::map<std::string_view, const MotionParameter*> sorted;
  for (const MotionParameter& parameter : node.parameters) sorted.emplace(parameter.name, &parameter);
  hasher.add(static_cast<std::uint64_t>(sorted.size()));
  for (const auto& [name, parameter] : sorted)
    hasher.add(name).add(std::string_view(parameter->word)).add(parameter->number);
}

/// It waits for a moment that a number says. With keys it is in every state, as they say what it waits for.
bool waits_for_number(const MotionNode& node) { return is_event(node) && node.kind == "time"; }

enum class Moments { without, with };

/// A box of a scene, with its keys.
struct BoxOf {
  const Scene& scene;
  const MotionNode& node;
  std::vector<BoxTrack> keys;
};

/// Without what it is about.
std::uint64_t content(const BoxOf& box, Moments moments) {
  Hasher hasher;
  add_box(hasher, box.scene, box.node);
  for (const MotionWire& wire : used_wires(box.scene, box.node)) hasher.add(wire.to).add(wire.related);
  if (waits_for_number(box.node)) hasher.add(!box.keys.empty());
  if (moments == Moments::with && by_markers(box.node))
    for (const double moment : moments_of(box.scene, box.node, box.keys)) hasher.add(moment);
  return hasher.value();
}

std::uint64_t content_of_other(const BoxOf& box, std::uint64_t other) {
  Hasher hasher;
  add_other(hasher, box.scene, box.node, other);
  return hasher.value();
}

/// What both may be about is the same in both; where keys say which it is, the first moment at which it is another one is not asked for here.
bool same_others(const BoxOf& a, const BoxOf& b) {
  if (!with_track(a.keys) && !with_track(b.keys))
    return content_of_other(a, a.node.other) == content_of_other(b, b.node.other);
  if (by_markers(a.node)) return true;  // its moments say it
  const std::vector<std::uint64_t> others = others_of(b.node, b.keys);
  for (const std::uint64_t id : others_of(a.node, a.keys))
    if (std::find(others.begin(), others.end(), id) != others.end() &&
        content_of_other(a, id) != content_of_other(b, id))
      return false;
  return true;
}

/// An event that needs something, and names nothing without keys: it is in no state then, but is with keys, whatever these say.
bool comes_with_keys(const BoxOf& a, const BoxOf& b) {
  const bool keyed = with_track(a.keys) != nullptr;
  if (keyed == (with_track(b.keys) != nullptr)) return false;
  const BoxOf& plain = keyed ? b : a;
  return is_event(plain.node) && plain.node.kind == "near" && actors(plain.scene, plain.node.other).empty();
}

bool same_content(const BoxOf& a, const BoxOf& b, Moments moments = Moments::with) {
  return content(a, moments) == content(b, moments) && same_others(a, b);
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
int first_of_others(const BoxOf& was, const BoxOf& is) {
  const std::vector<double> a = moments_of(was.scene, was.node, was.keys), b = moments_of(is.scene, is.node, is.keys);
  // Without any it is not waited for, which another event that happens before and is related to it notes.
  if (a.empty() != b.empty()) {
    const auto relates = [&](const MotionWire& wire) { return wire.related && wire.to == was.node.id.value; };
    for (const auto& other : is.scene.motion)
      if (std::any_of(other->wires.begin(), other->wires.end(), relates)) return 0;
  }
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const double from_a = x == a.end() ? 1e300 : *x, from_b = y == b.end() ? 1e300 : *y;
  // Rounded up by either clock.
  const double from = std::min(from_a, from_b);
  return std::min(first_at(was.scene, was.node, from), first_at(is.scene, is.node, from));
}

class MotionFaultFinder {
 public:
  explicit MotionFaultFinder(const Scene& scene) : scene_(scene), tracks_(scene) {
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
    look_at_other();
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

  /// Of keys the first that names nothing.
  void look_at_other() {
    const std::vector<BoxTrack> keys = tracks_.of(*node_);
    const Track* track = with_track(keys);
    if (!track) {
      if (!is_there(node_->other))
        fault("other", called() + " is about something that is not there.",
              "Pick something of the scene, or anything.");
      return;
    }
    for (const Key& key : track->keys) {
      const double id = key.value[0];
      if (id >= 0 && id == std::floor(id) && is_there(static_cast<std::uint64_t>(id))) continue;
      char at[48];
      std::snprintf(at, sizeof at, "%.4g s", key.time);
      return fault("other",
                   "The key of " + called() + " at " + at +
                       " names something that is not there; up to the next key it " + "does nothing.",
                   "Pick something of the scene at that key, or delete the key.");
    }
  }

  const Scene& scene_;
  const BoxTracks tracks_;
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

std::vector<double> moments_of(const Scene& scene, const MotionNode& node, const std::vector<BoxTrack>& tracks) {
  if (!with_track(tracks)) return marker_moments(scene, Id{node.other});
  std::vector<double> all;
  for (const std::uint64_t id : others_of(node, tracks))
    for (const double moment : marker_moments(scene, Id{id}))
      if (other_at(node, tracks, moment) == id) all.push_back(moment);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::optional<double> first_moment(const Scene& scene, const MotionNode& node) {
  if (!by_markers(node)) return is_keyed(scene, node) ? std::nullopt : timed_at(node);
  const std::vector<double> all = moments_of(scene, node, BoxTracks(scene).of(node));
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
    const BoxOf box{scene, *node, tracks.of(*node)};
    hasher.add(content(box, Moments::with));
    add_keys(hasher, box.keys);
    for (const std::uint64_t other : others_of(*node, box.keys)) add_other(hasher, scene, *node, other);
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
  const auto keyed_from = [&](const BoxOf& was, const BoxOf& is) -> std::optional<int> {
    std::vector<BoxTrack> a = was.keys, b = is.keys;
    if (by_markers(was.node))  // its moments say it
      for (auto* keys : {&a, &b}) std::erase_if(*keys, [](const BoxTrack& one) { return is_with(one.row->path); });
    if (same_keys(a, b)) return std::nullopt;
    const auto time = first_keyed_otherwise(was.node, a, is.node, b);
    return time ? std::min(first_from(before, *time), first_from(after, *time)) : kNoFrame;
  };
  for (const auto& [id, node] : old) {
    const auto at = now.find(id);
    if (at == now.end()) {
      drop(read_at(id, *node));
      continue;
    }
    const BoxOf was{before, *node, keys_before.of(*node)}, is{after, *at->second, keys_after.of(*at->second)};
    const auto drop_by_keys = [&, id = id] {
      if (const auto frame = keyed_from(was, is)) drop(std::max(*frame, read_at(id, was.node)));
    };
    if (is_in(waited, id) != is_in(waits, id) || (is_in(waits, id) && comes_with_keys(was, is))) {
      drop(0);
    } else if (comes_with_keys(was, is)) {
      drop(read_at(id, *node));
    } else if (same_content(was, is)) {
      drop_by_keys();
    } else if (is_in(waits, id) && same_content(was, is, Moments::without)) {
      drop(first_of_others(was, is));
      drop_by_keys();
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
