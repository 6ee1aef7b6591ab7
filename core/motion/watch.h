// Which armed events need not be looked at in a sub-step. Most wait for what is far away: a height that is metres off, a time that is
// minutes off. From where a body was when they were last looked at, each has a margin (EventMargin, kinds.h): as long as the body's
// centre, its velocity and the clock stay within the least margin of its events, looking at any of them would find nothing and change
// nothing. So a sub-step asks each body once whether it has left its margin, in a few comparisons, and looks at the events of those
// that have.
//
// That is no guess of how things move: it is compared with where each body is at the end of each sub-step. So blows, throws, places that
// are put and keys that lead need no word here, and a run has the same bits as one that looks at everything
// (tests/motion/watch_test.cpp).
//
//   looked at where it may matter   collisions: of what met something; touch: of what touches something else than a sub-step before
//   within a margin                 what says so in its kind, whose numbers are constant, on a body whose centre is plain (PlainCentre)
//   in each sub-step                all others: soft bodies, numbers that are keyed or expressions, what is within a step of happening
//
// A condition ("Only if") that surely fails, or surely holds, in a box around the present values is a margin too: the largest such
// box is found by bisection (core/math/expression_range.h).
//
// It is kept beside a state (OwnNotes, core/sim/state.h): a state that was copied or restored is looked at as a whole once.
#pragma once

#include <memory>
#include <vector>

#include "core/motion/bound_graph.h"
#include "core/sim/state.h"

namespace hazumi {

/// What looks at events write into, kept from one sub-step to the next: who allocates much in each has the memory of all others scattered.
struct LookMemory {
  struct Changed {
    EventState was;
    bool there = true;  ///< else it came
  };
  TouchIndex touches;
  HitIndex hits;
  std::vector<Changed> changed;               ///< in this order, to take it back
  std::vector<std::uint32_t> bodies, wanted;  ///< wanted: slots
};

class MotionWatch final : public DirectorNotes {
 public:
  explicit MotionWatch(const BoundGraph& graph) : mark_(graph.mark) {}
  /// Of the state, if they are of this graph; else null.
  static MotionWatch* of(const BoundGraph& graph, const State& state);

  /// After the first sub-step there is nothing in it yet: a state that is stepped once, to see what comes between two, does not pay.
  bool is_made() const { return !bodies_.empty(); }
  /// Once all were looked at in the sub-step that was; State::substep is still its number.
  void make(const BoundGraph& graph, const Model& model, const State& state, const StepReport& report);

  /// Bodies to look at: those that have left their margins, that have none, that met something, or touch something else than before; in
  /// no order.
  void find_due(const BoundGraph& graph, const Model& model, const State& state, const StepReport& report);
  /// So is this one: one of its events was armed, disarmed or happened, or something of it ended.
  void wake(std::uint32_t body) {
    queue(body);
    bodies_[body].left = true;
  }
  std::span<const std::uint32_t> due() const { return due_; }
  std::size_t were_due() const { return were_due_; }  ///< so many in the last sub-step
  /// Of a body that is due.
  bool to_be_looked_at(const BoundGraph& graph, std::size_t slot, std::uint32_t body) const {
    const Watched& watched = bodies_[body];
    const EventNeeds needs = graph.slots[slot].needs;
    if (needs == EventNeeds::collision) return watched.met && !(watched.hardest < graph.slots[slot].least);
    return watched.left || !quiet_[slot] || (needs == EventNeeds::touch && watched.touches);
  }
  /// Of a body that is due: nothing but what it met, or touches, may matter.
  bool only_met(std::uint32_t body) const { return !bodies_[body].left && !bodies_[body].restless; }
  /// What one of its events waits for may hold.
  bool holds(std::uint32_t body) const { return bodies_[body].holds; }
  void note_holds(std::uint32_t body) { bodies_[body].holds = true; }
  void note_none_holds(std::uint32_t body) { bodies_[body].holds = false; }
  /// Margins of those that were due, from where they are at the end of the sub-step.
  void settle(const BoundGraph& graph, const Model& model, const State& state);

  /// Of a slot of the graph; null: it was never armed.
  EventState* event(const BoundGraph& graph, std::size_t slot, std::vector<EventState>& events) {
    return const_cast<EventState*>(known(graph, slot, events));
  }
  LookMemory memory;
  /// Events came or went.
  void misplace() { placed_ = false; }

 private:
  /// Centre relative to that of another body.
  struct Pair {
    std::uint32_t other = 0;
    Vec3 apart = Vec3::Zero();
    double most = 0;  ///< m², squared
  };
  struct Margin {
    std::uint32_t body = 0;
    PlainCentre plain;
    bool places = false;  ///< centre and velocity matter
    std::int64_t until = 0;
    Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero();
    double way = 0, change = 0;  ///< squared
    double film = 0;
  };
  enum class Sight : char { none, still, plain };
  static constexpr std::uint32_t kNowhere = 0xffffffff;
  struct Watched {
    PlainCentre plain;
    Sight sight = Sight::none;
    bool due = false, left = false, restless = false;
    bool met = false, touches = false;  ///< something; something else than before
    bool holds = true, calm = false;    ///< calm: all its events that have margins at times have one
    double hardest = 0;                 ///< N s, of what it met
    std::uint32_t margin = kNowhere;    ///< number in margins_
    std::vector<Pair> pairs;
  };

  void queue(std::uint32_t body) {
    if (bodies_[body].due) return;
    bodies_[body].due = true;
    due_.push_back(body);
  }
  const EventState* known(const BoundGraph& graph, std::size_t slot, const std::vector<EventState>& events);
  void place(const BoundGraph& graph, const std::vector<EventState>& events);
  void note_touching(const BoundGraph& graph, const StepReport& report);
  bool left_pairs(const State& state, std::uint32_t body) const;
  EventMargin margin_of(const BoundGraph& graph, const Model& model, const State& state, std::size_t slot,
                        const EventState& own, std::vector<Pair>& pairs) const;
  void take_margins(const BoundGraph& graph, const Model& model, const State& state, std::uint32_t body);
  bool calms_down(const BoundGraph& graph, const Model& model, const State& state, std::uint32_t body);
  void note_restless(const BoundGraph& graph, const State& state, std::uint32_t body);
  void forget_margin(std::uint32_t body);

  std::shared_ptr<const char> mark_;
  std::vector<Watched> bodies_;
  std::vector<char>
      quiet_;  ///< of each slot: within the margin of its body, or of touch while that stays, nothing comes of it
  std::vector<std::uint32_t> place_;  ///< of each slot: its number among the events
  bool placed_ = false;
  std::vector<std::pair<Id, Id>> touching_;  ///< in the last sub-step
  std::vector<Margin> margins_;
  std::vector<std::uint32_t> paired_, restless_, due_;
  std::size_t were_due_ = 0;
};

}  // namespace hazumi
