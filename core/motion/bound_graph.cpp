#include "core/motion/bound_graph.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/scene/derived/following.h"

namespace hazumi {
namespace {

void bind_keys(const MotionKind& kind, const std::vector<BoxTrack>& tracks, BoundBox& box) {
  for (const BoxTrack& one : tracks) {
    const Field<MotionNode>& row = *one.row;
    const FieldRange range{row.label, row.unit, row.type, row.low, row.high, row.low_open, row.choices};
    if (!is_parameter(row.path)) {
      if (is_with(row.path)) box.with = one.track, box.with_keyed = true;
      if (!is_with(row.path)) box.loops = BoundKeys{0, range, one.track};
      continue;
    }
    const auto at = std::find_if(kind.parameters.begin(), kind.parameters.end(),
                                 [&](const ParameterRow& p) { return p.name == parameter_of(row.path); });
    box.keys.push_back({static_cast<std::size_t>(at - kind.parameters.begin()), range, one.track});
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

/// As MotionNode::other says.
BoundOther bind_other(const Scene& scene, const Model& model, const MotionKind& kind, const MotionNode& node) {
  BoundOther out;
  for (const Id one : actors(scene, node.other))
    if (model.bodies.find(one)) out.others.push_back(model.bodies.number(one));
  out.anything = node.other == 0;
  if (kind.other == OtherUse::curve) {
    for (const auto& curve : scene.curves)
      if (curve->id.value == node.other) out.way = way_of(curve);
    out.idle = !out.way;
  } else if (kind.other == OtherUse::source || kind.other == OtherUse::camera || kind.other == OtherUse::sound) {
    out.idle = !is_there(scene, kind.other, Id{node.other});
    out.thing = Id{node.other};
  } else if (kind.other == OtherUse::thing) {
    out.idle = out.others.empty();
  } else if (kind.other == OtherUse::number) {
    out.thing = Id{node.other};
    out.others.clear();
    out.idle = !number_fault(scene, node).empty();
  } else if (kind.other == OtherUse::none) {
    out.anything = true;
    out.others.clear();
  }
  return out;
}

/// Of all that keys name.
void bind_keyed_others(const Scene& scene, const Model& model, const MotionKind& kind, const MotionNode& node,
                       const std::vector<BoxTrack>& keys, BoundBox& box) {
  const bool tells = kind.other == OtherUse::number;
  const auto of_number =
      std::find_if(box.keys.begin(), box.keys.end(), [](const BoundKeys& one) { return one.row == 0; });
  const bool number_keyed = tells && of_number != box.keys.end();
  if (kind.other == OtherUse::marker || (!box.with_keyed && !number_keyed)) return;
  std::set<std::size_t> numbers;
  if (number_keyed)
    for (const Key& key : of_number->track->keys) numbers.insert(box.number_told(key.time));
  else
    numbers.insert(tells ? static_cast<std::size_t>(box.numbers[0]) : 0);
  for (const std::uint64_t id : others_of(node, keys))
    for (const std::size_t number : numbers) {
      MotionNode then = node;
      then.other = id;
      if (tells) set_parameter(then, {"number", std::string(settable_words()[number])});
      box.keyed_others.push_back({id, number, bind_other(scene, model, kind, then)});
    }
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
  for (const Id one : actors(scene, node.object))
    if (model.bodies.find(one)) box.bodies.push_back(model.bodies.number(one));
  const std::vector<BoxTrack> keys = tracks.of(node);
  box.loop = node.loop;
  std::vector<MotionValueProblem> problems;
  box.values = motion_values(node, *kind, problems);
  for (const MotionValue& value : box.values) {
    box.constant = box.constant && value.expression.empty();
    box.numbers.push_back(value.number);
  }
  for (std::size_t i = 0; i < box.values.size(); ++i)
    if (!box.values[i].expression.empty()) box.numbers[i] = kind->parameters[i].fallback;
  bind_keys(*kind, keys, box);
  box.other_id = node.other;
  bind_keyed_others(scene, model, *kind, node, keys, box);
  box.other = bind_other(scene, model, *kind, node);
  if (box.keyed_others.empty() && box.other.idle) return false;
  if (kind->other == OtherUse::marker) {
    box.moments = moments_of(scene, node, keys);
    if (box.moments.empty()) return false;
  }
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

std::size_t BoundBox::number_told(double film) const {
  for (const BoundKeys& one : keys)
    if (one.row == 0) return static_cast<std::size_t>(one.at(film));
  return static_cast<std::size_t>(numbers[0]);
}

const BoundOther& BoundBox::about(double film) const {
  static const BoundOther nothing = [] {
    BoundOther none;
    none.anything = false;
    none.idle = true;
    return none;
  }();
  if (keyed_others.empty()) return other;
  const double named = with_keyed ? track_value(*with, FieldType::integer, film)[0] : static_cast<double>(other_id);
  const std::size_t told = procedure && procedure->tell ? number_told(film) : 0;
  for (const KeyedOther& one : keyed_others)
    if (static_cast<double>(one.id) == named && one.number == told) return one.other;
  return nothing;
}

bool keeps_start(const BoundBox& box, const RunningProcedure& running) {
  const std::span<const double> values(running.values);
  const std::size_t count = box.values.size();
  if (values.size() > count + box.procedure->memory) return true;  // it has a path
  return box.procedure->settled && box.procedure->settled(values.subspan(count));
}

const BoundOther& about_of(const BoundBox& box, const RunningProcedure& running, const Model& model,
                           std::int64_t substep) {
  if (box.keyed_others.empty()) return box.other;
  const bool starts = substep < running.start || keeps_start(box, running);
  return box.about(model.clock.film(starts ? running.start : substep));
}

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
    const bool constant = box.constant && box.keyed_others.empty();
    slot.margin = constant && kind.needs == EventNeeds::nothing &&
                  (kind.lasting ? kind.follows != EventFollows::anything : kind.margin != nullptr);
    slot.lasts = kind.lasting != nullptr;
    slot.tells_contacts = tells[i];
    slot.whole = constant && kind.needs != EventNeeds::nothing && kind.happened;
    slot.anything = box.other.anything;
    slot.fails_before = box.fails_before;
    slot.kind = &kind;
    if (slot.whole) {
      if (kind.least) slot.least = box.numbers[static_cast<std::size_t>(kind.least - kind.parameters.data())];
      slot.first_number = static_cast<std::uint32_t>(numbers_.size());
      numbers_.insert(numbers_.end(), box.numbers.begin(), box.numbers.end());
      slot.first_other = static_cast<std::uint32_t>(others_.size());
      others_.push_back(static_cast<std::uint32_t>(box.other.others.size()));
      others_.insert(others_.end(), box.other.others.begin(), box.other.others.end());
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
  any_keys = any_keys || !box.keys.empty() || !box.keyed_others.empty();
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
