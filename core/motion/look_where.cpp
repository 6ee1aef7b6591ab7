// At which armed events a sub-step that was is looked at.
#include <algorithm>

#include "core/motion/look.h"

namespace hazumi {
namespace {

constexpr std::size_t kFewTouching = 8, kFewHits = 4;  // up to so many nobody needs an index of them

/// The memory of a thing, ahead of its use.
template <class T>
void ask_for(const T& thing) {
  constexpr std::size_t kLine = 64;
  const char* at = reinterpret_cast<const char*>(&thing);
  for (std::size_t i = 0; i < sizeof(T); i += kLine) __builtin_prefetch(at + i);
}

}  // namespace

void MotionLook::find_met() {
  for (const ContactEvent& contact : report_.contacts)
    for (const Id id : {contact.a, contact.b}) met_.emplace_back(d_.body(id), kCollided | kTouched);
  for (const auto& [a, b] : report_.touching)
    for (const Id id : {a, b}) met_.emplace_back(d_.body(id), kTouched);
  std::sort(met_.begin(), met_.end());
  // Of each body the last has all that it did.
  const auto last =
      std::unique(met_.rbegin(), met_.rend(), [](const auto& x, const auto& y) { return x.first == y.first; });
  met_.erase(met_.begin(), last.base());
}

/// Events of a state lie in the order of the director's slots, which has more of them.
template <class Visit>
void MotionLook::each_armed(const Visit& visit) {
  auto slot = d_.slots.begin();
  for (EventState& own : state_.motion.events) {
    if (!own.armed) continue;
    while (slot != d_.slots.end() && std::pair(slot->id, slot->object) < std::pair(own.box, own.object)) ++slot;
    if (slot == d_.slots.end()) return;
    if (slot->id == own.box && slot->object == own.object) visit(*slot, own);
  }
}

bool MotionLook::any_collision() {
  if (!watch_) {
    const auto collided = [&](std::uint32_t body) {
      const Id id = id_of(body);
      return std::any_of(report_.contacts.begin(), report_.contacts.end(),
                         [id](const ContactEvent& c) { return c.a == id || c.b == id; });
    };
    bool any = false;
    each_armed([&](const BoundGraph::Slot& slot, EventState&) {
      any = any || (slot.needs == EventNeeds::collision && collided(slot.body));
    });
    return any;
  }
  const auto waits = [&](Id id) {
    const auto slots = d_.meeting_slots_of(d_.body(id));
    return std::any_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
      if (d_.slots[slot].needs != EventNeeds::collision || !d_.slots[slot].tells_contacts) return false;
      const EventState* own = watch_->event(d_, slot, state_.motion.events);
      return own && own->armed;
    });
  };
  return std::any_of(report_.contacts.begin(), report_.contacts.end(),
                     [&](const ContactEvent& c) { return waits(c.a) || waits(c.b); });
}

/// `bodies`: how many are looked at, about.
void MotionLook::index_touching(std::size_t bodies) {
  if (std::min(bodies, report_.touching.size()) <= kFewTouching) return;
  memory_.touches.fill(d_.bodies(), report_.touching);
  touches_ = &memory_.touches;
}

void MotionLook::index_hits() {
  if (report_.contacts.size() <= kFewHits) return;
  memory_.hits.fill(d_.bodies(), report_.contacts);
  hits_ = &memory_.hits;
}

void MotionLook::look_at_all(bool collisions_alone) {
  find_met();
  index_hits();
  if (!collisions_alone) index_touching(model_.bodies.size());
  held_ = false;
  each_armed([&](const BoundGraph::Slot& slot, EventState& own) {
    held_ = held_ || own.holds;
    if (slot.idle || (collisions_alone && slot.needs != EventNeeds::collision)) return;
    const auto at = std::lower_bound(met_.begin(), met_.end(), std::pair(slot.body, char(0)));
    const char met = at != met_.end() && at->first == slot.body ? at->second : char(0);
    if (slot.needs == EventNeeds::collision && (met & kCollided) == 0) return;
    if (slot.needs == EventNeeds::touch && own.memory == 0 && (met & kTouched) == 0) return;
    look_at(slot.box, slot.body, 0, true, own);
  });
}

/// Adds the slots of a body at which it is to be looked.
void MotionLook::want_slots(std::uint32_t body, bool collisions_alone) {
  const bool met_alone = collisions_alone || watch_->only_met(body);
  for (const std::uint32_t number : met_alone ? d_.meeting_slots_of(body) : d_.slots_of(body)) {
    const BoundGraph::Slot& slot = d_.slots[number];
    if (slot.idle) continue;
    if (collisions_alone && (slot.needs != EventNeeds::collision || !slot.tells_contacts)) continue;
    if (!collisions_alone && !watch_->to_be_looked_at(d_, number, body)) continue;
    memory_.wanted.push_back(number);
    if (!slot.whole) ask_for(d_.boxes[slot.box]);
    if (const EventState* own = watch_->event(d_, number, state_.motion.events)) ask_for(*own);
  }
}

/// What is looked at lies scattered among ten thousand boxes: all of it is asked for before the first look.
void MotionLook::look_at_slots(std::span<const std::uint32_t> bodies, bool collisions_alone) {
  constexpr std::size_t kAhead = 4;
  std::vector<std::uint32_t>& wanted = memory_.wanted;
  wanted.clear();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i + kAhead < bodies.size())
      if (const auto next = d_.meeting_slots_of(bodies[i + kAhead]); !next.empty()) {
        ask_for(d_.slots[next.front()]);
        ask_for(d_.slots[next.back()]);
      }
    want_slots(bodies[i], collisions_alone);
  }
  for (const std::uint32_t number : wanted) {
    const BoundGraph::Slot& slot = d_.slots[number];
    EventState* own = watch_->event(d_, number, state_.motion.events);
    if (!own || !own->armed) continue;
    if (slot.whole)
      look_at_whole(slot, *own);
    else
      look_at(slot.box, slot.body, 0, true, *own);
  }
}

void MotionLook::look_at_due() {
  watch_->find_due(d_, model_, state_, report_);
  const std::span<const std::uint32_t> due = watch_->due();
  index_touching(due.size());
  index_hits();
  look_at_slots(due, false);
}

/// Each body once.
void MotionLook::look_at_collided() {
  index_hits();
  std::vector<std::uint32_t>& bodies = memory_.bodies;
  bodies.clear();
  for (const ContactEvent& contact : report_.contacts)
    for (const Id id : {contact.a, contact.b}) bodies.push_back(d_.body(id));
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  look_at_slots(bodies, true);
}

bool MotionLook::foresees() {
  foresees_ = true;
  watch_ ? look_at_collided() : look_at_all(true);
  return !due_.empty();
}

void MotionLook::after_substep() {
  end_what_is_over();
  look_at_clock();
  watch_ ? look_at_due() : look_at_all(false);
  take_in_order();
  settle();
  take_keys();
  if (watch_ && !failure_) watch_->settle(d_, model_, state_);
}

}  // namespace hazumi
