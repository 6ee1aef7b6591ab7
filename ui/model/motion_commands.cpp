#include "ui/model/motion_commands.h"

#include <algorithm>
#include <map>

#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "core/scene/values/scene_lists.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

bool is_event(const MotionNode& node) { return node.role == MotionRole::event; }

std::vector<MotionWire>::const_iterator wire_to(const MotionNode& node, Id to) {
  return std::find_if(node.wires.begin(), node.wires.end(), [&](const MotionWire& w) { return w.to == to.value; });
}

/// Of a thing that may have boxes.
bool has_motion(const Scene& scene, Id id) {
  return find_object(scene, id) || find_thing(scene, std::get<SceneList<Collection>>(kSceneLists), id);
}

}  // namespace

std::vector<MotionNode> boxes_of(const Scene& scene, const std::set<Id>& ids) {
  std::vector<MotionNode> all;
  for (const auto& node : scene.motion)
    if (ids.count(node->id)) all.push_back(*node);
  return all;
}

QString box_title(const MotionNode& node) {
  if (!node.name.empty()) return QString::fromStdString(node.name);
  const MotionKind* kind = kind_of(node);
  return kind ? text_of(kind->label) : QString::fromStdString(node.kind);
}

QString boxes_text(const Scene& scene, const std::set<Id>& ids) {
  if (ids.size() != 1) return tr("%1 boxes").arg(ids.size());
  const MotionNode* node = find_motion(scene, *ids.begin());
  return node ? QStringLiteral("\"%1\"").arg(box_title(*node)) : QString();
}

MotionNode new_box(const Scene& scene, MotionRole role, std::string_view kind, Id object, QPointF place) {
  MotionNode node;
  node.id = next_id(scene);
  node.role = role;
  node.kind = std::string(kind);
  if (const EventKind* event = role == MotionRole::event ? find_event_kind(kind) : nullptr) node.loop = event->repeats;
  node.object = object.value;
  node.x = place.x();
  node.y = place.y();
  return node;
}

Scene with_box(Scene scene, MotionNode node) {
  scene.motion.push_back(Shared<MotionNode>(std::move(node)));
  return scene;
}

Scene without_boxes(Scene scene, const std::set<Id>& ids) {
  const auto gone = [&](const MotionWire& wire) { return ids.count(Id{wire.to}) != 0; };
  std::erase_if(scene.motion, [&](const auto& node) { return ids.count(node->id) != 0; });
  std::erase_if(scene.tracks, [&](const auto& track) { return ids.count(Id{track->target}) != 0; });
  for (auto& node : scene.motion)
    if (std::any_of(node->wires.begin(), node->wires.end(), gone))
      node = node.edited([&](MotionNode& n) { std::erase_if(n.wires, gone); });
  return scene;
}

Scene with_boxes_moved(Scene scene, const std::set<Id>& ids, QPointF way) {
  if (way.isNull()) return scene;
  for (auto& node : scene.motion)
    if (ids.count(node->id))
      node = node.edited([&](MotionNode& n) {
        n.x += way.x();
        n.y += way.y();
      });
  return scene;
}

QString no_wire(const Scene& scene, Id from, Id to, bool related) {
  const MotionNode *source = find_motion(scene, from), *target = find_motion(scene, to);
  if (!source || !target) return tr("There is no box.");
  if (from == to)
    return related ? tr("A box is not related to itself.") : tr("For a box that comes again turn on Loop.");
  if (related && !(is_event(*source) && is_event(*target))) return tr("Only events are related to each other.");
  if (!related && !is_event(*source) && !is_event(*target))
    return tr("A procedure leads to events: put one between them, or lead to this one from the event.");
  const auto there = wire_to(*source, to), back = wire_to(*target, from);
  if (there != source->wires.end() && there->related == related)
    return related ? tr("The two are related already.") : tr("There is such a wire already.");
  if (related && back != target->wires.end() && back->related) return tr("The two are related already.");
  return {};
}

Scene with_wire(Scene scene, Id from, Id to, bool related) {
  return with_motion(std::move(scene), from, [&](MotionNode& node) {
    const auto at = std::find_if(node.wires.begin(), node.wires.end(), [&](const auto& w) { return w.to == to.value; });
    if (at != node.wires.end())
      at->related = related;
    else
      node.wires.push_back({to.value, related});
  });
}

Scene without_wire(Scene scene, Id from, Id to) {
  return with_motion(std::move(scene), from, [&](MotionNode& node) {
    std::erase_if(node.wires, [&](const MotionWire& wire) { return wire.to == to.value; });
  });
}

Scene with_wire_moved(Scene scene, Id from, Id to, int steps) {
  return with_motion(std::move(scene), from, [&](MotionNode& node) {
    const auto at = wire_to(node, to);
    if (at == node.wires.end()) return;
    const auto place = at - node.wires.begin();
    const auto last = static_cast<std::ptrdiff_t>(node.wires.size()) - 1;
    const auto wanted = std::clamp<std::ptrdiff_t>(place + steps, 0, last);
    const MotionWire wire = *at;
    node.wires.erase(node.wires.begin() + place);
    node.wires.insert(node.wires.begin() + wanted, wire);
  });
}

std::vector<Shared<Track>> tracks_of(const Scene& scene, const std::set<Id>& ids) {
  std::vector<Shared<Track>> all;
  for (const auto& track : scene.tracks)
    if (ids.count(Id{track->target})) all.push_back(track);
  return all;
}

Scene with_group(Scene scene, const std::set<Id>& ids, const std::string& name) {
  for (const Id id : ids) scene = with_motion(std::move(scene), id, [&](MotionNode& node) { node.group = name; });
  return scene;
}

BoxCopies with_copies(Scene scene, const std::vector<MotionNode>& boxes, const std::vector<Shared<Track>>& tracks,
                      QPointF way) {
  BoxCopies copies;
  std::map<std::uint64_t, std::uint64_t> ids;
  std::map<std::string, std::string> groups;  // copies are a group of their own
  std::uint64_t next = next_id(scene).value;
  for (const MotionNode& box : boxes) ids.emplace(box.id.value, next++);
  for (const MotionNode& box : boxes) {
    MotionNode copy = box;
    copy.id = Id{ids.at(box.id.value)};
    if (!copy.group.empty())
      copy.group = groups.try_emplace(copy.group, free_group_name(scene, copy.group)).first->second;
    copy.x += way.x();
    copy.y += way.y();
    std::erase_if(copy.wires, [&](const MotionWire& wire) { return ids.count(wire.to) == 0; });
    for (MotionWire& wire : copy.wires) wire.to = ids.at(wire.to);
    copies.ids.insert(copy.id);
    scene.motion.push_back(Shared<MotionNode>(std::move(copy)));
  }
  for (const Shared<Track>& track : tracks) {
    Track copy = *track;
    copy.id = Id{next++};
    copy.target = ids.at(track->target);
    scene.tracks.push_back(Shared<Track>(std::move(copy)));
  }
  copies.scene = std::move(scene);
  return copies;
}

Id owner_of_new_box(const Scene& scene, const Selection& selection, Id active_box) {
  if (has_motion(scene, selection.active())) return selection.active();
  if (const MotionNode* node = find_motion(scene, active_box)) return Id{node->object};
  Id only;
  for (const auto& object : scene.objects) {
    if (!body_kind(object->body.kind).moves) continue;
    if (only) return {};
    only = object->id;
  }
  return only;
}

}  // namespace hazumi
