#include "core/motion/bound_graph.h"

#include <algorithm>

#include "core/scene/derived/following.h"

namespace hazumi {
namespace {

void bind_keys(const MotionKind& kind, const std::vector<BoxTrack>& tracks, BoundBox& box) {
  for (const BoxTrack& one : tracks) {
    const Field<MotionNode>& row = *one.row;
    const auto at = std::find_if(kind.parameters.begin(), kind.parameters.end(),
                                 [&](const ParameterRow& p) { return p.name == parameter_of(row.path); });
    box.keys.push_back({static_cast<std::size_t>(at - kind.parameters.begin()),
                        {row.label, row.unit, row.type, row.low, row.high, row.low_open, row.choices},
                        one.track});
  }
  box.constant = box.constant && box.keys.empty();
}

/// False: it can do nothing.
bool bind_box(const Scene& scene, const Model& model, const MotionNode& node, const BoxTracks& tracks, BoundBox& box) {
  const MotionKind* kind = kind_of(node);
  if (!kind) return false;
  box.name = node.name.empty() ? std::string(kind->label) : node.name;
  if (node.role == MotionRole::event)
    box.event = find_event_kind(node.kind);
  else
    box.procedure = find_procedure_kind(node.kind);
  const auto numbers = [&](std::uint64_t id, std::vector<std::uint32_t>& out) {
    for (const Id one : actors(scene, id))
      if (model.bodies.find(one)) out.push_back(model.bodies.number(one));
  };
  numbers(node.object, box.bodies);
  numbers(node.other, box.others);
  box.anything = node.other == 0;
  if (kind->other == OtherUse::curve) {
    for (const auto& curve : scene.curves)
      if (curve->id.value == node.other) box.way = way_of(curve);
    if (!box.way) return false;
  } else if (kind->other == OtherUse::marker) {
    box.moments = marker_moments(scene, Id{node.other});
    if (box.moments.empty()) return false;
  } else if (kind->other == OtherUse::source || kind->other == OtherUse::camera || kind->other == OtherUse::sound) {
    if (!is_there(scene, kind->other, Id{node.other})) return false;
    box.thing = Id{node.other};
  } else if (kind->other == OtherUse::thing && box.others.empty()) {
    return false;
  } else if (kind->other == OtherUse::number) {
    box.thing = Id{node.other};
    box.others.clear();
  } else if (kind->other == OtherUse::none) {
    box.anything = true;
    box.others.clear();
  }
  box.loop = node.loop;
  std::vector<MotionValueProblem> problems;
  box.values = motion_values(node, *kind, problems);
  for (const MotionValue& value : box.values) {
    box.constant = box.constant && value.expression.empty();
    box.numbers.push_back(value.number);
  }
  for (std::size_t i = 0; i < box.values.size(); ++i)
    if (!box.values[i].expression.empty()) box.numbers[i] = kind->parameters[i].fallback;
  bind_keys(*kind, tracks.of(node), box);
  if (kind->other == OtherUse::number && !number_fault(scene, node).empty()) return false;
  if (!node.condition.empty()) {
    ExpressionFault fault;
    box.condition = Expression::parse(node.condition, expression_names(), fault);
    if (box.condition.empty()) return false;  // what nobody can read holds never
    box.condition_range = ExpressionRange::parse(node.condition, expression_names());
  }
  return !box.bodies.empty();
}

}  // namespace

BoundGraph::BoundGraph(const Scene& scene, const Model& model) {
  const BoxTracks tracks(scene);
  std::map<Id, const MotionNode*> nodes;
  for (const auto& node : scene.motion) {
    nodes.emplace(node->id, node.get());
    bind(scene, model, *node, tracks);
  }
  std::sort(boxes.begin(), boxes.end(), [](const BoundBox& a, const BoundBox& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < boxes.size(); ++i) number_.emplace(boxes[i].id, i);
  for (std::size_t i = 0; i < boxes.size(); ++i) wire(scene, i, *nodes.at(boxes[i].id));
  make_slots(model);
  for (const Id id : waiting_from_start(scene))
    if (const auto at = number_.find(id); at != number_.end()) {
      BoundBox& box = boxes[at->second];
      box.waits = true;
      if (box.inert || !box.constant) continue;
      box.timed = first_moment(scene, *nodes.at(id));
      if (box.timed) timed.push_back(at->second);
    }
  std::sort(timed.begin(), timed.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(*boxes[a].timed, a) < std::pair(*boxes[b].timed, b);
  });
}

/// Of each box: by wires of any kind, or by messages, it hangs together with a procedure that tells contacts something.
std::vector<bool> BoundGraph::tellers() const {
  std::vector<std::size_t> whole(boxes.size() + 1);  // the last: whoever sends or hears
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = i;
  const auto root = [&](std::size_t i) {
    while (whole[i] != i) i = whole[i] = whole[whole[i]];
    return i;
  };
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoundBox& box = boxes[i];
    for (const std::vector<std::size_t>* wires : {&box.next, &box.related})
      for (const std::size_t to : *wires) whole[root(i)] = root(to);
    if ((box.event && box.event->hears) || (box.procedure && box.procedure->sends)) whole[root(i)] = root(boxes.size());
  }
  std::vector<bool> tells(whole.size(), false), out(boxes.size(), false);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].procedure && boxes[i].procedure->claim == Claim::contact) tells[root(i)] = true;
  for (std::size_t i = 0; i < boxes.size(); ++i) out[i] = tells[root(i)];
  return out;
}

void BoundGraph::make_slots(const Model& model) {
  const std::vector<bool> tells = tellers();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const BoundBox& box = boxes[i];
    if (!box.event) continue;
    const EventKind& kind = *box.event;
    const bool tells_contacts = tells[i];
    const bool margin = box.constant && kind.needs == EventNeeds::nothing &&
                        (kind.lasting ? kind.follows != EventFollows::anything : kind.margin != nullptr);
    for (const std::uint32_t body : box.bodies)
      slots.push_back({box.id, model.bodies[body].id, static_cast<std::uint32_t>(i), body, kind.needs,
                       !kind.lasting && !kind.happened, margin, tells_contacts});
  }
  for (const Body& body : model.bodies) body_ids_.push_back(body.id);
  first_.assign(model.bodies.size() + 1, 0);
  for (const Slot& slot : slots) ++first_[slot.body + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  of_body_.resize(slots.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < slots.size(); ++i) of_body_[next[slots[i].body]++] = static_cast<std::uint32_t>(i);
}

void BoundGraph::bind(const Scene& scene, const Model& model, const MotionNode& node, const BoxTracks& tracks) {
  if (!node.visible) return;
  BoundBox box;
  box.id = node.id;
  box.inert = !bind_box(scene, model, node, tracks, box);
  if (box.inert) {
    box.event = nullptr;
    box.procedure = nullptr;
    box.bodies.clear();
  }
  boxes.push_back(std::move(box));
}

void BoundGraph::wire(const Scene& scene, std::size_t from, const MotionNode& node) {
  for (const MotionWire& wire : used_wires(scene, node)) {
    const auto at = number_.find(Id{wire.to});
    if (at == number_.end()) continue;
    if (wire.related) {
      boxes[from].related.push_back(at->second);
      boxes[at->second].related.push_back(from);
    } else {
      boxes[from].next.push_back(at->second);
      if (boxes[from].procedure) boxes[at->second].sources.push_back(boxes[from].id);
    }
  }
}

}  // namespace hazumi
