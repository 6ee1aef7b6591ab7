#include "core/motion/bound_graph.h"

#include <algorithm>
#include <cmath>

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

/// s of the film, up to which a condition that reads nothing but the time surely fails.
double fails_before(const RunClock& clock, double frame_rate, const BoundBox& box) {
  const std::vector<std::size_t>& reads = box.condition.reads();
  if (std::any_of(reads.begin(), reads.end(), [](std::size_t name) { return name > 1; })) return 0;
  std::vector<ValueRange> values(expression_names().size());
  const auto fails = [&](double film) {
    const double begin = -2 * clock.step();  // what happens at the start is looked at a sub-step before it
    values[0] = {begin, film, false};
    values[1] = {std::floor(begin * frame_rate) - 1, std::floor(film * frame_rate + 1e-6) + 1, false};
    return box.condition_range.value(values).fails();
  };
  if (fails(EventMargin::kEndless)) return EventMargin::kEndless;
  double low = 0, high = 1e-3;
  while (high < 1e7 && fails(high)) {
    low = high;
    high *= 8;
  }
  for (int k = 0; k < 20 && low > 0; ++k) {
    const double half = 0.5 * (low + high);
    (fails(half) ? low : high) = half;
  }
  return low;
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
    box.fails_before = fails_before(model.clock, model.frame_rate, box);
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
    Slot slot;
    slot.id = box.id;
    slot.box = static_cast<std::uint32_t>(i);
    slot.needs = kind.needs;
    slot.idle = !kind.lasting && !kind.happened;
    slot.margin = box.constant && kind.needs == EventNeeds::nothing &&
                  (kind.lasting ? kind.follows != EventFollows::anything : kind.margin != nullptr);
    slot.lasts = kind.lasting != nullptr;
    slot.tells_contacts = tells[i];
    slot.whole = box.constant && kind.needs != EventNeeds::nothing && kind.happened;
    slot.anything = box.anything;
    slot.fails_before = box.fails_before;
    slot.kind = &kind;
    if (slot.whole) {
      if (kind.least) slot.least = box.numbers[static_cast<std::size_t>(kind.least - kind.parameters.data())];
      slot.first_number = static_cast<std::uint32_t>(numbers_.size());
      numbers_.insert(numbers_.end(), box.numbers.begin(), box.numbers.end());
      slot.first_other = static_cast<std::uint32_t>(others_.size());
      others_.push_back(static_cast<std::uint32_t>(box.others.size()));
      others_.insert(others_.end(), box.others.begin(), box.others.end());
    }
    for (const std::uint32_t body : box.bodies) {
      slot.object = model.bodies[body].id;
      slot.body = body;
      slots.push_back(slot);
    }
    any_tells_contacts_ = any_tells_contacts_ || (slot.tells_contacts && kind.needs == EventNeeds::collision);
  }
  std::vector<Id> ids;
  for (const Body& body : model.bodies) ids.push_back(body.id);
  bodies_ = BodyNumbers(std::move(ids));
  list_slots([](const Slot&) { return true; }, first_, of_body_);
  list_slots([](const Slot& slot) { return slot.needs != EventNeeds::nothing; }, first_meeting_, meeting_);
}

template <class Which>
void BoundGraph::list_slots(const Which& which, std::vector<std::uint32_t>& first,
                            std::vector<std::uint32_t>& of_body) const {
  first.assign(bodies_.size() + 1, 0);
  for (const Slot& slot : slots) first[slot.body + 1] += which(slot) ? 1 : 0;
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  of_body.resize(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (which(slots[i])) of_body[next[slots[i].body]++] = static_cast<std::uint32_t>(i);
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
