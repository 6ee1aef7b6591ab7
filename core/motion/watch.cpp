#include "core/motion/watch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr double kEndless = EventMargin::kEndless;
constexpr std::size_t kMostOthers = 4;                 // whose distances are compared one by one
constexpr double kPart = 1 - 1e-6, kRoundOff = 1e-10;  // of what is worked out otherwise than the margin is compared

Vec3 plain_place(const PlainCentre& plain, const State& state, std::uint32_t body) {
  const double* x = state.bodies[body].values.data() + plain.centre;
  return {x[0], x[1], x[2]};
}
Vec3 plain_velocity(const PlainCentre& plain, const State& state, std::uint32_t body) {
  const double* v = state.bodies[body].values.data() + plain.velocity;
  return {plain.rate * v[0], plain.rate * v[1], plain.rate * v[2]};
}

/// What an armed event sees of the end of the sub-step that was.
struct Seen {
  const MotionContext& context;
  const EventState& own;
  Vec3 centre, velocity;
  double distance = 0, film = 0;
};

/// What a condition may name, while nothing leaves a margin of that many m, m/s and s.
ValueRange range_of(const Seen& seen, std::size_t name, double s) {
  const double frame_rate = seen.context.model.frame_rate;
  switch (name) {
    case 0:
      return {seen.film, seen.film + s, false};
    case 1:
      return {std::floor(seen.film * frame_rate + 1e-6) - 1, std::floor((seen.film + s) * frame_rate + 1e-6) + 1,
              false};
    case 2:
      return ValueRange::of(static_cast<double>(seen.own.count));
    case 3: {
      const double since = seen.context.time(static_cast<double>(seen.context.state.substep + 1) - seen.own.since);
      return {since, since + s, false};
    }
    case 4:
    case 5:
    case 6:
      return ValueRange::around(seen.centre[static_cast<Eigen::Index>(name - 4)], s);
    case 7:
    case 8:
    case 9:
      return ValueRange::around(seen.velocity[static_cast<Eigen::Index>(name - 7)], s);
    case 10:
      return ValueRange::around(seen.velocity.norm(), s);
    case 15:
      return std::isfinite(seen.distance) ? ValueRange::around(seen.distance, s) : ValueRange::anything();
    case 16:
    case 17:
      return ValueRange::of(0);  // by no collision
    default:
      return ValueRange::anything();
  }
}

/// The largest margin, of so many m, m/s and s, in which the condition surely holds, or surely fails.
EventMargin condition_margin(const BoundBox& box, const Seen& seen, bool holds) {
  const std::vector<std::size_t>& reads = box.condition.reads();
  std::vector<ValueRange> values(expression_names().size());
  const auto decided = [&](double s) {
    for (const std::size_t i : reads) values[i] = range_of(seen, i, s);
    const ValueRange value = box.condition_range.value(values);
    return holds ? value.holds() : value.fails();
  };
  EventMargin margin;
  if (decided(kEndless)) return margin;
  int least = -20, most = 30;
  if (!decided(std::ldexp(1.0, least))) {
    margin.way = 0;
    return margin;
  }
  while (most - least > 1) {
    const int half = (least + most) / 2;
    (decided(std::ldexp(1.0, half)) ? least : most) = half;
  }
  const double s = kPart * std::ldexp(1.0, least);
  for (const std::size_t i : reads) {
    if (i <= 1) margin.film = seen.film + s;
    if (i == 3) margin.time = s;
    if (i >= 4 && i <= 6) margin.way = s;
    if (i >= 7 && i <= 10) margin.change = s;
    if (i == 15) margin.apart = s;
  }
  return margin;
}

/// Of |q|, whose sign must stay.
EventMargin value_margin(EventFollows follows, double q, const Seen& seen, double reach) {
  EventMargin margin;
  if (std::isnan(q)) margin.way = 0;
  if (follows == EventFollows::nothing || !std::isfinite(q)) return margin;
  const double all = kPart * std::abs(q) - kRoundOff * (1 + reach);
  if (follows == EventFollows::centre) margin.way = std::max(all, 0.0);
  if (follows == EventFollows::velocity)
    margin.change = std::max(kPart * std::abs(q) - kRoundOff * (1 + seen.velocity.norm()), 0.0);
  if (follows == EventFollows::distance) margin.apart = std::max(all, 0.0);
  return margin;
}

}  // namespace

MotionWatch* MotionWatch::of(const BoundGraph& graph, const State& state) {
  auto* watch = dynamic_cast<MotionWatch*>(state.motion.own.notes.get());
  return watch && watch->mark_ == graph.mark ? watch : nullptr;
}

void MotionWatch::place(const BoundGraph& graph, const std::vector<EventState>& events) {
  place_.assign(graph.slots.size(), kNowhere);
  std::size_t slot = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::pair wanted(events[i].box, events[i].object);
    while (slot < graph.slots.size() && std::pair(graph.slots[slot].id, graph.slots[slot].object) < wanted) ++slot;
    if (slot == graph.slots.size()) break;
    if (graph.slots[slot].id == wanted.first && graph.slots[slot].object == wanted.second)
      place_[slot] = static_cast<std::uint32_t>(i);
  }
  placed_ = true;
}

const EventState* MotionWatch::known(const BoundGraph& graph, std::size_t slot, const std::vector<EventState>& events) {
  if (!placed_) place(graph, events);
  return place_[slot] == kNowhere ? nullptr : &events[place_[slot]];
}

void MotionWatch::make(const BoundGraph& graph, const Model& model, const State& state, const StepReport& report) {
  touching_ = report.touching;
  bodies_.resize(model.bodies.size());
  quiet_.assign(graph.slots.size(), 0);
  placed_ = false;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = model.bodies[i];
    Watched& watched = bodies_[i];
    watched.plain = body.plain_centre();
    if (find_carried(model, i))
      watched.sight = Sight::none;
    else if (watched.plain.rate > 0)
      watched.sight = Sight::plain;
    else if (!body.moves && state.bodies[i].values.empty())
      watched.sight = Sight::still;
    if (graph.has_slots(i)) wake(i);
  }
  settle(graph, model, state);
}

bool MotionWatch::left_pairs(const State& state, std::uint32_t body) const {
  const Watched& own = bodies_[body];
  const Vec3 centre = plain_place(own.plain, state, body);
  return std::any_of(own.pairs.begin(), own.pairs.end(), [&](const Pair& pair) {
    const Vec3 apart = plain_place(bodies_[pair.other].plain, state, pair.other) - centre;
    return !((apart - pair.apart).squaredNorm() <= pair.most);
  });
}

/// Both lists are ascending: what is in one of them alone began to touch, or does no longer.
void MotionWatch::note_touching(const BoundGraph& graph, const StepReport& report) {
  if (touching_ == report.touching) return;
  const auto changed = [&](const std::pair<Id, Id>& pair) {
    for (const Id id : {pair.first, pair.second}) {
      const std::uint32_t body = graph.body(id);
      if (!graph.meets(body)) continue;
      queue(body);
      bodies_[body].touches = true;
    }
  };
  auto was = touching_.begin();
  for (const std::pair<Id, Id>& is : report.touching) {
    while (was != touching_.end() && *was < is) changed(*was++);
    if (was != touching_.end() && *was == is)
      ++was;
    else
      changed(is);
  }
  while (was != touching_.end()) changed(*was++);
  touching_ = report.touching;
}

void MotionWatch::find_due(const BoundGraph& graph, const Model& model, const State& state, const StepReport& report) {
  note_touching(graph, report);
  for (const ContactEvent& contact : report.contacts)
    for (const Id id : {contact.a, contact.b})
      if (const std::uint32_t body = graph.body(id); graph.meets(body)) {
        queue(body);
        Watched& watched = bodies_[body];
        watched.met = true;
        watched.hardest = std::max(watched.hardest, std::isnan(contact.impulse) ? kEndless : contact.impulse);
      }
  for (const std::uint32_t body : restless_) queue(body);
  const double begin = model.clock.film(state.substep), end = model.clock.film(state.substep + 1);
  const double film = end + 1e-5 * (end - begin);
  for (const Margin& margin : margins_) {
    bool left = film >= margin.film || state.substep > margin.until;
    if (margin.places && !left) {
      const double* values = state.bodies[margin.body].values.data();
      const double *x = values + margin.plain.centre, *v = values + margin.plain.velocity;
      double way = 0, change = 0;
      for (int k = 0; k < 3; ++k) {
        const double dx = x[k] - margin.centre[k], dv = margin.plain.rate * v[k] - margin.velocity[k];
        way += dx * dx;
        change += dv * dv;
      }
      left = !(way <= margin.way && change <= margin.change);
    }
    if (left) wake(margin.body);
  }
  for (const std::uint32_t body : paired_)
    if (!bodies_[body].left && left_pairs(state, body)) wake(body);
}

EventMargin MotionWatch::margin_of(const BoundGraph& graph, const Model& model, const State& state, std::size_t number,
                                   const EventState& own, std::vector<Pair>& pairs) const {
  const BoundGraph::Slot& slot = graph.slots[number];
  const BoundBox& box = graph.boxes[slot.box];
  const Watched& watched = bodies_[slot.body];
  EventMargin margin, none;
  none.way = 0;
  const MotionContext context{model,
                              state,
                              state,
                              slot.body,
                              box.other.others,
                              box.other.anything,
                              box.numbers,
                              box.sources,
                              box.other.way.get(),
                              box.moments,
                              box.other.thing};
  if (box.event->happened) {
    margin = box.event->margin(context, own);
    if (watched.sight != Sight::plain && margin.change < kEndless) return none;
  } else {
    // What was armed as the sub-step ended may hold since, unseen.
    if (watched.sight == Sight::none || (!own.holds && own.since >= static_cast<double>(state.substep + 1)))
      return none;
    Seen seen{context,
              own,
              centre_of(model, state, slot.body),
              velocity_of(model, state, slot.body),
              0,
              model.clock.film(state.substep + 1)};
    seen.distance = distance_to(context, state);
    double reach = seen.centre.norm();
    for (const std::uint32_t other : box.other.others) reach += centre_of(model, state, other).norm();
    const double q = box.event->lasting(context, state, own);
    const bool by_value = own.holds ? q > 0 : q < 0;
    if (by_value) margin = value_margin(box.event->follows, q, seen, reach);
    if (!box.condition.empty() && (own.holds || !by_value)) margin.merge(condition_margin(box, seen, own.holds));
    if (!by_value && (own.holds || box.condition.empty())) return none;
    const double step = 2 * model.step * seen.velocity.norm();  // less than that is left at once
    if (margin.none() || margin.way < step) return none;
  }
  if (margin.none()) return none;
  if (margin.apart == kEndless) return margin;
  if (box.other.others.size() > kMostOthers) return none;
  for (const std::uint32_t other : box.other.others) {
    if (other == slot.body) continue;
    if (bodies_[other].sight == Sight::still) {
      margin.way = std::min(margin.way, margin.apart);
      continue;
    }
    if (bodies_[other].sight != Sight::plain || watched.sight != Sight::plain) return none;
    pairs.push_back({other,
                     plain_place(bodies_[other].plain, state, other) - plain_place(watched.plain, state, slot.body),
                     margin.apart * margin.apart});
  }
  return margin;
}

void MotionWatch::forget_margin(std::uint32_t body) {
  Watched& watched = bodies_[body];
  if (!watched.pairs.empty()) {
    watched.pairs.clear();
    paired_.erase(std::find(paired_.begin(), paired_.end(), body));
  }
  if (watched.margin == kNowhere) return;
  bodies_[margins_.back().body].margin = watched.margin;
  margins_[watched.margin] = margins_.back();
  margins_.pop_back();
  watched.margin = kNowhere;
}

void MotionWatch::take_margins(const BoundGraph& graph, const Model& model, const State& state, std::uint32_t body) {
  forget_margin(body);
  Watched& watched = bodies_[body];
  EventMargin least;
  watched.calm = true;
  for (const std::uint32_t slot : graph.slots_of(body)) {
    quiet_[slot] = 0;
    const EventState* own = known(graph, slot, state.motion.events);
    if (!own || !own->armed) continue;
    // What was armed before the sub-step ended has looked at what it touches; keys may have it ask for something else.
    if (graph.slots[slot].needs == EventNeeds::touch && graph.boxes[graph.slots[slot].box].keyed_others.empty())
      quiet_[slot] = own->since < static_cast<double>(state.substep + 1);
    if (!graph.slots[slot].margin) continue;
    std::vector<Pair> pairs;
    const EventMargin margin = margin_of(graph, model, state, slot, *own, pairs);
    if (margin.none()) {
      watched.calm = false;
      continue;
    }
    quiet_[slot] = 1;
    least.merge(margin);
    watched.pairs.insert(watched.pairs.end(), pairs.begin(), pairs.end());
  }
  if (!watched.pairs.empty()) paired_.push_back(body);
  const bool places = watched.sight == Sight::plain && (least.way < kEndless || least.change < kEndless);
  if (!places && least.film == kEndless && least.time == kEndless) return;
  Margin margin;
  margin.body = body;
  margin.places = places;
  margin.plain = watched.plain;
  margin.until = std::numeric_limits<std::int64_t>::max();
  if (least.time < 1e9)
    margin.until = state.substep + static_cast<std::int64_t>(std::floor(least.time / model.step * kPart));
  margin.film = least.film;
  if (places) {
    margin.centre = plain_place(watched.plain, state, body);
    margin.velocity = plain_velocity(watched.plain, state, body);
    margin.way = least.way * least.way;
    margin.change = least.change * least.change;
  }
  watched.margin = static_cast<std::uint32_t>(margins_.size());
  margins_.push_back(margin);
}

/// One that had to be looked at has a margin now.
bool MotionWatch::calms_down(const BoundGraph& graph, const Model& model, const State& state, std::uint32_t body) {
  if (bodies_[body].calm) return false;
  for (const std::uint32_t slot : graph.slots_of(body)) {
    if (quiet_[slot] || !graph.slots[slot].margin) continue;
    const EventState* own = known(graph, slot, state.motion.events);
    std::vector<Pair> pairs;
    if (own && own->armed && !margin_of(graph, model, state, slot, *own, pairs).none()) return true;
  }
  return false;
}

void MotionWatch::note_restless(const BoundGraph& graph, const State& state, std::uint32_t body) {
  Watched& watched = bodies_[body];
  bool restless = false;
  for (const std::uint32_t number : graph.slots_of(body)) {
    const BoundGraph::Slot& slot = graph.slots[number];
    if (restless || slot.idle || slot.needs == EventNeeds::collision) continue;
    const EventState* own = known(graph, number, state.motion.events);
    if (!own || !own->armed) continue;
    restless = !quiet_[number];
  }
  if (restless == watched.restless) return;
  watched.restless = restless;
  if (restless)
    restless_.push_back(body);
  else
    restless_.erase(std::find(restless_.begin(), restless_.end(), body));
}

void MotionWatch::settle(const BoundGraph& graph, const Model& model, const State& state) {
  for (const std::uint32_t body : due_) {
    Watched& watched = bodies_[body];
    // Whether it is restless depends on nothing else than these.
    if (watched.left || calms_down(graph, model, state, body)) {
      take_margins(graph, model, state, body);
      note_restless(graph, state, body);
    }
    watched.due = watched.left = watched.met = watched.touches = false;
    watched.hardest = 0;
  }
  were_due_ = due_.size();
  due_.clear();
}

}  // namespace hazumi
