#include "core/motion/look.h"

#include <algorithm>
#include <array>

#include "core/motion/event_list.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::int64_t kMostInFrame = 1000;

/// What an expression may name, worked out as far as it is named.
class Names {
 public:
  Names(const MotionContext& context, const EventState* own, std::int64_t now, double moment, const ContactEvent* hit)
      : c_(context), own_(own), now_(now), moment_(moment), hit_(hit) {}

  /// s: the moment in the film.
  double film() const {
    const RunClock& clock = c_.model.clock;
    const double begin = now_ < 0 ? -clock.step() : clock.film(now_), end = clock.film(now_ + 1);
    return begin + moment_ * (end - begin);
  }
  double of(const Expression& expression) {
    std::array<double, 32> values{};
    for (const std::size_t i : expression.reads()) values[i] = value(i);
    return expression.value(values);
  }

 private:
  double value(std::size_t i) {
    const auto centre = [&](int axis) { return centre_of(c_.model, c_.state, c_.body)[axis]; };
    const auto velocity = [&](int axis) { return velocity_of(c_.model, c_.state, c_.body)[axis]; };
    switch (i) {
      case 0:
        return film();
      case 1:
        return std::floor(film() * c_.model.frame_rate + 1e-6);
      case 2:
        return own_ ? static_cast<double>(own_->count) : 0;
      case 3:
        return own_ ? c_.time(static_cast<double>(now_) + moment_ - own_->since) : 0;
      case 4:
      case 5:
      case 6:
        return centre(static_cast<int>(i) - 4);
      case 7:
      case 8:
      case 9:
        return velocity(static_cast<int>(i) - 7);
      case 10:
        return velocity_of(c_.model, c_.state, c_.body).norm();
      case 11:
        return spin_of(c_.model, c_.state, c_.body).norm();
      case 15:
        return distance_to(c_, c_.state);
      case 16:
        return hit_ ? hit_->impulse : 0;
      case 17:
        return hit_ ? hit_->approach_speed : 0;
      default: {
        const Observables seen = c_.of_body().observe(c_.values());
        return i == 12 ? seen.max_strain : i == 13 ? seen.volume : seen.kinetic_energy;
      }
    }
  }

  const MotionContext& c_;
  const EventState* own_;
  std::int64_t now_;
  double moment_;
  const ContactEvent* hit_;
};

/// Of a value that is no number the default stays; what is out of its range comes to its end. `scratch`: where they are, if they are not constant.
std::span<const double> numbers_of(const BoundBox& box, const MotionContext& context, const EventState* own,
                                   std::int64_t now, double moment, const ContactEvent* hit,
                                   std::vector<double>& scratch) {
  if (box.constant) return box.numbers;
  scratch = box.numbers;
  const std::span<const ParameterRow> rows = box.event ? box.event->parameters : box.procedure->parameters;
  Names names(context, own, now, moment, hit);
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    if (box.values[i].expression.empty()) continue;
    const double value = names.of(box.values[i].expression);
    if (!std::isfinite(value)) continue;
    scratch[i] = std::clamp(value, rows[i].low, rows[i].high);
    if (rows[i].type == FieldType::integer) scratch[i] = std::round(scratch[i]);
  }
  for (const BoundKeys& keys : box.keys) scratch[keys.row] = keys.at(std::max(names.film(), 0.0));
  return scratch;
}

}  // namespace

const ContactEvent* MotionLook::hit_with(std::uint32_t body, Id with) const {
  if (!with) return nullptr;
  const Id own = id_of(body);
  for (const ContactEvent& contact : report_.contacts)
    if ((contact.a == own && contact.b == with) || (contact.b == own && contact.a == with)) return &contact;
  return nullptr;
}

bool MotionLook::allowed(const BoundBox& box, std::uint32_t body, const EventState* own, double moment, Id with) {
  if (box.condition.empty()) return true;
  if (watch_ && box.fails_before > 0 && film_end() < box.fails_before) return false;
  const MotionContext c = context(box, body, box.numbers, box.about(film_of(moment)));
  const double value = Names(c, own, state_.substep, moment, hit_with(body, with)).of(box.condition);
  return std::isfinite(value) && value != 0;
}

template <class Do>
void MotionLook::for_each_of(std::size_t to, std::uint32_t body, const Do& what) {
  const BoundBox& box = d_.boxes[to];
  if (box.inert) return reached(box);
  if (box.is_of(body)) return what(body);
  for (const std::uint32_t other : box.bodies) what(other);
}

void MotionLook::end(std::size_t i, double moment) {
  std::vector<RunningProcedure>& running = state_.motion.running;
  const RunningProcedure gone = running[i];
  running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
  wake(model_.bodies.number(gone.object));
  std::vector<EndedProcedure>& ended = state_.motion.ended;
  if (EndedProcedure* known = entry_of(ended, gone.box, gone.object))
    known->substep = state_.substep;
  else
    ended.insert(find_in(ended, gone.box, gone.object), {gone.box, gone.object, state_.substep});
  const std::size_t box = d_.number(gone.box);
  if (box < d_.boxes.size() && !gone.done)
    mark(MotionTurn::ended, d_.boxes[box], model_.bodies.number(gone.object), moment);
}

void MotionLook::end_what_is_over() {
  std::vector<RunningProcedure>& running = state_.motion.running;
  for (std::size_t i = 0; i < running.size();) {
    RunningProcedure& own = running[i];
    const std::size_t at = d_.number(own.box);
    if (at == d_.boxes.size() || !d_.boxes[at].procedure) {
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const BoundBox& box = d_.boxes[at];
    const std::uint32_t body = model_.bodies.number(own.object);
    const std::span<double> values(own.values);
    const std::size_t count = box.values.size();
    const BoundOther& other = about(box, own);
    if (box.procedure->law && own.start <= state_.substep)
      if (const MotionContext seen = context(box, body, values.first(count), other); follows_path(*box.procedure, seen))
        follow_path({*box.procedure, seen, own}, values.subspan(count + box.procedure->memory), report_);
    const bool over =
        !own.done && own.start <= state_.substep &&
        box.procedure->over(context(box, body, values.first(count), other), own, values.subspan(count), report_);
    if (over && box.procedure->stays) {
      own.done = true;
      wake(body);
      std::vector<EndedProcedure>& ended = state_.motion.ended;
      if (EndedProcedure* known = entry_of(ended, own.box, own.object))
        known->substep = state_.substep;
      else
        ended.insert(find_in(ended, own.box, own.object), {own.box, own.object, state_.substep});
      mark(MotionTurn::ended, box, body, 1);
      ++i;
    } else if (over) {
      end(i, 1);
    } else {
      ++i;
    }
  }
}

/// When it happens next, after `from`. `waited`: it was armed as the sub-step began.
void MotionLook::look_at(std::size_t at, std::uint32_t body, double from, bool waited, EventState& own) {
  const BoundBox& box = d_.boxes[at];
  if (!box.event->lasting && !box.event->happened) return;
  const BoundOther& other = box.about(film_of(from));
  if (other.idle) return;
  std::vector<double> scratch;
  MotionContext c = context(box, body, box.numbers, other);
  c.parameters = numbers_of(box, c, &own, state_.substep, from, nullptr, scratch);
  if (box.event->lasting) return look_at_lasting(c, at, from, waited, own);
  look_for_moment(c, *box.event, at, from, own, 0);
}

/// The same of an event whose slot says all that it needs, which was armed as the sub-step began.
void MotionLook::look_at_whole(const BoundGraph::Slot& slot, EventState& own) {
  MotionContext c{model_, before_, state_, slot.body, d_.others_of(slot), slot.anything, d_.numbers_of(slot)};
  c.touches = touches_;
  c.hits = hits_;
  look_for_moment(c, *slot.kind, slot.box, 0, own, slot.fails_before);
}

/// `fails_before`: s of the film, before which its condition surely does.
void MotionLook::look_for_moment(const MotionContext& c, const EventKind& kind, std::size_t at, double from,
                                 EventState& own, double fails_before) {
  const double memory = own.memory;
  for (double after = from;;) {
    const auto next = kind.happened(c, after, own, report_);
    if (own.memory != memory) {
      keep(own);
      memory_.changed.back().was.memory = memory;
    }
    if (!next) return;
    const auto body = static_cast<std::uint32_t>(c.body);
    if (!(film_end() < fails_before) && allowed(d_.boxes[at], body, &own, next->moment, next->with))
      return void(due_.insert({next->moment, body, at, next->with}));
    after = next->moment;
  }
}

void MotionLook::look_at_lasting(const MotionContext& c, std::size_t at, double from, bool waited, EventState& own) {
  const BoundBox& box = d_.boxes[at];
  const auto body = static_cast<std::uint32_t>(c.body);
  const double is = box.event->lasting(c, state_, own);
  if (state_.substep < 0) {
    if (is > 0 && !own.holds && allowed(box, body, &own, 1, {})) due_.insert({1, body, at, {}});
    return;
  }
  // Only what was armed with the end of the sub-step before may have held without that having been seen.
  const bool fresh = waited && !own.holds && own.since >= static_cast<double>(state_.substep);
  if (!(is > 0) && !fresh) return;
  if (own.holds && waited) return;
  const double was = box.event->lasting(c, before_, own);
  double moment = 0;
  if (was > 0) {
    if (!waited || own.holds) return;
  } else {
    if (!(is > 0)) return;
    moment = was / (was - is);
    if (!(moment > from)) return;
  }
  if (allowed(box, body, &own, moment, {})) due_.insert({moment, body, at, {}});
}

EventState& MotionLook::add(Id box, Id object) {
  EventState fresh;
  fresh.box = box;
  fresh.object = object;
  memory_.changed.push_back({fresh, false});
  if (watch_) watch_->misplace();
  return *state_.motion.events.insert(find_in(state_.motion.events, box, object), fresh);
}

void MotionLook::take_back() {
  std::vector<EventState>& events = state_.motion.events;
  for (auto one = memory_.changed.rbegin(); one != memory_.changed.rend(); ++one) {
    const auto at = find_in(events, one->was.box, one->was.object);
    if (one->there)
      *at = one->was;
    else
      events.erase(at);
  }
  memory_.changed.clear();
}

void MotionLook::arm(std::size_t at, std::uint32_t body, double moment) {
  const BoundBox& box = d_.boxes[at];
  if (!box.event || box.is_case()) return reached(box);
  EventState* own = entry_of(state_.motion.events, box.id, id_of(body));
  if (!own) own = &add(box.id, id_of(body));
  if (own->armed) return;
  keep(*own);
  wake(body);
  own->armed = true;
  own->holds = false;
  own->memory = 0;
  own->since = std::max(0.0, static_cast<double>(state_.substep) + moment);
  mark(MotionTurn::armed, box, body, moment);
  look_at(at, body, moment, false, *own);
}

void MotionLook::send(const BoundOther& to, std::int64_t number, double moment) {
  for (std::size_t at = 0; at < d_.boxes.size(); ++at) {
    const BoundBox& box = d_.boxes[at];
    if (!box.event || !box.event->hears) continue;
    for (const std::uint32_t body : box.bodies) {
      if (!to.anything && !std::binary_search(to.others.begin(), to.others.end(), body)) continue;
      const EventState* own = entry_of(state_.motion.events, box.id, id_of(body));
      if (!own || !own->armed) continue;
      std::vector<double> scratch;
      const MotionContext c = context(box, body, box.numbers, box.other);
      if (std::llround(numbers_of(box, c, own, state_.substep, moment, nullptr, scratch)[0]) != number) continue;
      if (allowed(box, body, own, moment, {})) due_.insert({moment, body, at, {}});
    }
  }
}

/// How a body is seen at the end of the sub-step that was.
BodyLook MotionLook::look_of(std::uint32_t body) const {
  BodyLook look;
  for (const RunningProcedure& running : state_.motion.running) {
    const std::size_t at = d_.number(running.box);
    if (running.object != id_of(body) || at == d_.boxes.size() || !d_.boxes[at].procedure) continue;
    const BoundBox& box = d_.boxes[at];
    if (!box.procedure->look) continue;
    const std::span<const double> values(running.values);
    const std::size_t count = box.values.size();
    const MotionContext seen = context(box, body, values.first(count), about(box, running));
    box.procedure->look(seen, seen.time(static_cast<double>(state_.substep + 1 - running.start)), values.subspan(count),
                        look);
  }
  return look;
}

/// What the number that a box tells is told in the sub-step that was.
NumberTold MotionLook::told_of(const Taker& taker) const {
  NumberTold told{thing_told(taker.other, taker.number, id_of(taker.body)), taker.number};
  for (const RunningProcedure& running : state_.motion.running) {
    if (!takes_over(taker, running)) continue;
    const BoundBox& from = d_.boxes[d_.number(running.box)];
    const std::span<const double> values(running.values);
    const std::size_t count = from.values.size();
    if (static_cast<std::size_t>(values[0]) != taker.number) continue;  // the same box, about another one until now
    const MotionContext of =
        context(from, model_.bodies.number(running.object), values.first(count), about(from, running));
    from.procedure->tell(of, of.time(static_cast<double>(state_.substep + 1 - running.start)), values.subspan(count),
                         told);
  }
  return told;
}

/// What it takes over ends; what runs already begins anew.
bool MotionLook::takes_over(const Taker& taker, const RunningProcedure& from) const {
  const BoundBox& box = taker.box;
  const bool same_object = from.object == id_of(taker.body);
  if (same_object && from.box == box.id) return true;
  const Claim claim = box.procedure->claim;
  const std::size_t at = d_.number(from.box);
  if (claim == Claim::nothing || at >= d_.boxes.size() || !d_.boxes[at].procedure) return false;
  const BoundBox& running = d_.boxes[at];
  if (running.procedure->claim != claim) return false;
  const BoundOther& other = about(running, from);
  if (claim == Claim::number)
    return static_cast<std::size_t>(from.values[0]) == taker.number &&
           thing_told(other, taker.number, from.object) == thing_told(taker.other, taker.number, id_of(taker.body));
  if (claim == Claim::contact && (other.anything != taker.other.anything || other.others != taker.other.others))
    return false;
  return same_object;
}

void MotionLook::start(std::size_t at, std::uint32_t body, double moment, Id with) {
  const BoundBox& box = d_.boxes[at];
  std::vector<RunningProcedure>& running = state_.motion.running;
  const double first = model_.clock.film(state_.substep + 1);
  const BoundOther& other = box.about(first);
  if (other.idle) return reached(box);
  const Taker taker{box, body, other, box.procedure->tell ? box.number_told(first) : 0};
  BodyLook seen;
  if (box.procedure->look) seen = look_of(body);
  NumberTold told;
  if (box.procedure->tell) told = told_of(taker);
  for (std::size_t i = 0; i < running.size();)
    if (takes_over(taker, running[i]))
      end(i, moment);
    else
      ++i;
  RunningProcedure own;
  own.box = box.id;
  own.object = id_of(body);
  own.start = state_.substep + 1;
  own.by = with;
  std::vector<double> scratch;
  const std::span<const double> numbers = numbers_of(box, context(box, body, box.numbers, other), nullptr,
                                                     state_.substep, moment, hit_with(body, with), scratch);
  own.values.assign(numbers.begin(), numbers.end());
  if (box.procedure->tell) own.values[0] = static_cast<double>(taker.number);
  const std::size_t count = own.values.size();
  own.values.resize(count + box.procedure->memory, 0.0);
  MotionContext begun = context(box, body, std::span<const double>(own.values).first(count), other);
  begun.hit = hit_with(body, with);
  begun.look = seen;
  begun.told = told;
  const bool paved = box.procedure->law && follows_path(*box.procedure, begun);
  if (paved) own.values.resize(own.values.size() + kPathMemory, 0.0);
  const std::span<double> values(own.values);
  begun.parameters = values.first(count);
  if (paved) begin_path({*box.procedure, begun, own}, values.subspan(count + box.procedure->memory));
  if (box.procedure->begin) box.procedure->begin(begun, own, values.subspan(count, box.procedure->memory));
  if (box.procedure->cues) {
    const std::int64_t now = std::max<std::int64_t>(state_.substep, 0);
    const double begin = model_.clock.film(now), end = model_.clock.film(now + 1);
    const double at_time = state_.substep < 0 ? 0 : begin + moment * (end - begin);
    state_.motion.cues.push_back({other.thing, at_time, count > 0 ? own.values[0] : 1});
  }
  const auto number = box.procedure->sends ? std::llround(own.values[0]) : 0;
  running.push_back(std::move(own));
  mark(MotionTurn::started, box, body, moment, with);
  for (const std::size_t next : box.next) for_each_of(next, body, [&](std::uint32_t of) { arm(next, of, moment); });
  if (box.procedure->sends) send(other, number, moment);
}

/// A case that is followed may not come again before it is done: as nothing changes meanwhile, that would go on without end.
bool MotionLook::is_in_ring(const BoundBox& box, std::uint32_t body) {
  if (std::find(followed_.begin(), followed_.end(), std::pair(box.id, body)) == followed_.end()) return false;
  const std::string name = model_.bodies[body].name;
  failure_ = Diagnostic{Severity::error, name,
                        "\"" + box.name + "\" of \"" + name + "\" leads to itself by cases alone, without end.",
                        "Take a wire of the ring away, or put an event into it."};
  return true;
}

/// What comes of an event or a case that happened.
void MotionLook::follow(const BoundBox& box, std::uint32_t body, double moment, Id with) {
  bool branched = false;
  for (const std::size_t next : box.next) {
    const BoundBox& to = d_.boxes[next];
    if (to.procedure || to.inert) {
      for_each_of(next, body, [&](std::uint32_t of) { start(next, of, moment, with); });
    } else if (to.is_case()) {
      if (branched) continue;
      if (!allowed(to, body, nullptr, moment, with)) {
        reached(to);
        continue;
      }
      branched = true;
      if (is_in_ring(to, body)) return;
      mark(MotionTurn::happened, to, body, moment, with);
      followed_.emplace_back(to.id, body);
      follow(to, body, moment, with);
      followed_.pop_back();
    } else {
      for_each_of(next, body, [&](std::uint32_t of) { arm(next, of, moment); });
    }
  }
}

void MotionLook::happen(const Due& due) {
  const BoundBox& box = d_.boxes[due.box];
  EventState* own = entry_of(state_.motion.events, box.id, id_of(due.body));
  if (!own || !own->armed) return;
  keep(*own);
  wake(due.body);
  const auto frame = [&](std::int64_t substep) { return model_.clock.frame_of(std::max<std::int64_t>(substep, 0)); };
  own->crowd = own->count > 0 && frame(own->last) == frame(state_.substep) ? own->crowd + 1 : 1;
  ++own->count;
  own->last = state_.substep;
  own->holds = held_ = true;
  if (watch_) watch_->note_holds(due.body);
  mark(MotionTurn::happened, box, due.body, due.moment, due.with);
  if (own->crowd > kMostInFrame) {
    const std::string name = model_.bodies[due.body].name;
    failure_ = Diagnostic{Severity::error, name,
                          "\"" + box.name + "\" of \"" + name + "\" happened more than 1000 times in one frame.",
                          "Take its loop away, or break the ring of boxes that lead to it again."};
    return;
  }
  const bool stays = box.loops_at(film_of(due.moment));
  if (!stays) {
    own->armed = false;
    mark(MotionTurn::disarmed, box, due.body, due.moment);
  }
  for (const std::size_t other : box.related)
    for_each_of(other, due.body, [&](std::uint32_t of) {
      EventState* its = entry_of(state_.motion.events, d_.boxes[other].id, id_of(of));
      if (!its && d_.boxes[other].timed) {
        // It has waited all the time, and does no longer.
        its = &add(d_.boxes[other].id, id_of(of));
        its->armed = true;
      }
      if (!its || !its->armed || (other == due.box && of == due.body)) return;
      keep(*its);
      wake(of);
      its->armed = false;
      mark(MotionTurn::disarmed, d_.boxes[other], of, due.moment);
    });
  follow(box, due.body, due.moment, due.with);
  if (stays && !box.event->lasting)
    look_at(due.box, due.body, due.moment, false, *entry_of(state_.motion.events, box.id, id_of(due.body)));
}

void MotionLook::take_in_order() {
  while (!due_.empty() && !failure_) {
    const Due first = *due_.begin();
    due_.erase(due_.begin());
    happen(first);
  }
}

void MotionLook::settle(const BoundBox& box, std::uint32_t body, EventState& own) {
  const BoundOther& other = box.about(film_of(1));
  std::vector<double> scratch;
  const std::span<const double> numbers =
      numbers_of(box, context(box, body, box.numbers, other), &own, state_.substep, 1, nullptr, scratch);
  const MotionContext c = context(box, body, numbers, other);
  if (!other.idle && box.event->lasting(c, state_, own) > 0 && allowed(box, body, &own, 1, {})) return;
  keep(own);
  own.holds = false;
}

/// What no longer holds may happen again.
void MotionLook::settle() {
  if (watch_) {
    for (const std::uint32_t body : watch_->due()) {
      if (!watch_->holds(body)) continue;
      bool holds = false;
      for (const std::uint32_t slot : d_.slots_of(body)) {
        if (!d_.slots[slot].lasts) continue;
        EventState* own = watch_->event(d_, slot, state_.motion.events);
        if (!own || !own->armed || !own->holds) continue;
        settle(d_.boxes[d_.slots[slot].box], body, *own);
        holds = holds || own->holds;
      }
      if (!holds) watch_->note_none_holds(body);
    }
    return;
  }
  if (!held_) return;
  for (EventState& own : state_.motion.events) {
    if (!own.armed || !own.holds) continue;
    const std::size_t at = d_.number(own.box);
    if (at == d_.boxes.size() || !d_.boxes[at].event || !d_.boxes[at].event->lasting) continue;
    settle(d_.boxes[at], model_.bodies.number(own.object), own);
  }
}

void MotionLook::at_start() {
  state_.substep = -1;
  for (std::size_t at = 0; at < d_.boxes.size(); ++at)
    if (const BoundBox& box = d_.boxes[at]; box.waits) {
      if (box.inert) reached(box);
      for (const std::uint32_t body : box.bodies) {
        // What waits for a moment is in no state before it, so that runs are the same up to there without it.
        EventState fresh;
        if (box.timed && !box.event->happened(context(box, body, box.numbers, box.other), 0, fresh, report_))
          mark(MotionTurn::armed, box, body, 0);
        else
          arm(at, body, 0);
      }
    }
  take_in_order();
  settle();
  take_keys();
  state_.substep = 0;
}

/// Events whose moment lies in the sub-step that was are in the state from now on, as if they had been since the start.
void MotionLook::look_at_clock() {
  if (d_.timed.empty()) return;
  const double end = model_.clock.film(state_.substep + 1) + model_.clock.step();
  for (const std::size_t at : d_.timed) {
    const BoundBox& box = d_.boxes[at];
    if (*box.timed > end) return;
    for (const std::uint32_t body : box.bodies) {
      if (entry_of(state_.motion.events, box.id, id_of(body))) continue;
      EventState fresh;
      fresh.armed = true;
      if (!box.event->happened(context(box, body, box.numbers, box.other), 0, fresh, report_)) continue;
      add(box.id, id_of(body)).armed = true;
      wake(body);
    }
  }
}

}  // namespace hazumi
