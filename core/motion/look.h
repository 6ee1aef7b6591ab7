// What a director's motion graphs do with a sub-step that was, or with the start: which events happen, in which order, and what comes of them
// (director.h says the rules). Changes nothing but State::motion and the marks. With a watch (watch.h) it looks
// at those events alone of which something may come.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "core/motion/bound_graph.h"
#include "core/motion/watch.h"

namespace hazumi {

/// One look at a sub-step that was, or at the start.
class MotionLook {
 public:
  MotionLook(const BoundGraph& graph, const Model& model, const State& before, const StepReport& report, State& state,
             std::vector<MotionMark>& marks, MotionWatch* watch = nullptr)
      : d_(graph),
        model_(model),
        before_(before),
        report_(report),
        state_(state),
        marks_(marks),
        watch_(watch),
        memory_(watch ? watch->memory : own_memory_) {
    memory_.changed.clear();
  }

  void at_start();
  void after_substep();
  /// One that is armed looks at a collision that began.
  bool any_collision();
  /// Only events of collisions that began are looked at, and nothing ends; true: some would happen.
  bool foresees();
  void take_in_order();
  /// Events are what they were, and the watch knows nothing of it.
  void take_back();
  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  static constexpr char kCollided = 1, kTouched = 2;
  struct Due {
    double moment = 0;
    std::uint32_t body = 0;
    std::size_t box = 0;
    Id with;
    friend auto operator<=>(const Due& a, const Due& b) {
      return std::tuple(a.moment, a.body, a.box) <=> std::tuple(b.moment, b.body, b.box);
    }
    friend bool operator==(const Due& a, const Due& b) { return (a <=> b) == 0; }
  };

  Id id_of(std::uint32_t body) const { return model_.bodies[body].id; }
  void mark(MotionTurn turn, const BoundBox& box, std::uint32_t body, double moment, Id with = {}) {
    marks_.push_back(
        {std::max<std::int64_t>(state_.substep, 0), state_.substep < 0 ? 0 : moment, turn, box.id, id_of(body), with});
  }
  /// Nothing comes of it.
  void reached(const BoundBox& box) {
    marks_.push_back({std::max<std::int64_t>(state_.substep, 0), 0, MotionTurn::reached, box.id, {}, {}});
  }
  MotionContext context(const BoundBox& box, std::uint32_t body, std::span<const double> numbers,
                        const BoundOther& about) const {
    MotionContext of{model_,  before_,     state_,          body,        about.others, about.anything,
                     numbers, box.sources, about.way.get(), box.moments, about.thing};
    of.touches = touches_;
    of.hits = hits_;
    return of;
  }
  /// s of the film, that the sub-step which was surely does not reach beyond.
  double film_end() const {
    const double end = model_.clock.film(state_.substep + 1);
    return end + 1e-5 * model_.clock.step() + 1e-9 * end;
  }
  /// s: a moment of the sub-step that was, in the film; at the start 0.
  double film_of(double moment) const {
    if (state_.substep < 0) return 0;
    const double begin = model_.clock.film(state_.substep), end = model_.clock.film(state_.substep + 1);
    return begin + moment * (end - begin);
  }
  /// What a procedure is about in the sub-step that was.
  const BoundOther& about(const BoundBox& box, const RunningProcedure& running) const {
    return about_of(box, running, model_, state_.substep);
  }
  const ContactEvent* hit_with(std::uint32_t body, Id with) const;
  bool allowed(const BoundBox& box, std::uint32_t body, const EventState* own, double moment, Id with);

  /// What a box takes over that is of this body and about this, and tells that number.
  struct Taker {
    const BoundBox& box;
    std::uint32_t body;
    const BoundOther& other;
    std::size_t number = 0;
  };
  BodyLook look_of(std::uint32_t body) const;
  NumberTold told_of(const Taker& taker) const;
  bool takes_over(const Taker& taker, const RunningProcedure& from) const;
  void end_what_is_over();
  void end(std::size_t running, double moment);
  void look_at(std::size_t box, std::uint32_t body, double from, bool waited, EventState& own);
  void look_at_whole(const BoundGraph::Slot& slot, EventState& own);
  void look_for_moment(const MotionContext& context, const EventKind& kind, std::size_t box, double from,
                       EventState& own, double fails_before);
  void look_at_lasting(const MotionContext& context, std::size_t box, double from, bool waited, EventState& own);
  void look_at_clock();
  void find_met();
  void look_at_all(bool collisions_alone);
  void look_at_due();
  void look_at_collided();
  void want_slots(std::uint32_t body, bool collisions_alone);
  void look_at_slots(std::span<const std::uint32_t> bodies, bool collisions_alone);
  void index_touching(std::size_t bodies);
  void index_hits();
  EventState& add(Id box, Id object);
  void keep(const EventState& own) { memory_.changed.push_back({own, true}); }
  void wake(std::uint32_t body) {
    if (watch_ && !foresees_) watch_->wake(body);
  }
  void happen(const Due& due);
  bool is_in_ring(const BoundBox& box, std::uint32_t body);
  void follow(const BoundBox& box, std::uint32_t body, double moment, Id with);
  void settle();
  void settle(const BoundBox& box, std::uint32_t body, EventState& own);
  void take_keys();
  bool take_keys(std::size_t running, double film);
  void forget_others(double film);
  template <class Visit>
  void each_armed(const Visit& visit);
  template <class Do>
  void for_each_of(std::size_t to, std::uint32_t body, const Do& what);
  void arm(std::size_t box, std::uint32_t body, double moment);
  void start(std::size_t box, std::uint32_t body, double moment, Id with);
  void send(const BoundOther& to, std::int64_t number, double moment);

  const BoundGraph& d_;
  const Model& model_;
  const State& before_;
  const StepReport& report_;
  State& state_;
  std::vector<MotionMark>& marks_;
  std::set<Due> due_;
  std::vector<std::pair<std::uint32_t, char>> met_;  ///< bodies and what they did, ascending
  const TouchIndex* touches_ = nullptr;              ///< null: nobody needs it
  const HitIndex* hits_ = nullptr;
  std::optional<Diagnostic> failure_;
  MotionWatch* watch_;                                  ///< null: all are looked at
  std::vector<std::pair<Id, std::uint32_t>> followed_;  ///< cases that are followed, of bodies
  LookMemory own_memory_;
  LookMemory& memory_;  ///< that of the watch, if there is one
  bool held_ = true;    ///< what an armed event waits for may have held when it was last looked at
  bool foresees_ = false;
};

}  // namespace hazumi
