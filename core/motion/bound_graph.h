// Motion graphs bound to the bodies of a model: boxes with what they mean, and who leads to whom.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/math/expression_range.h"
#include "core/motion/check.h"
#include "core/scene/derived/box_keys.h"

namespace hazumi {

/// Keys of a parameter.
struct BoundKeys {
  std::size_t row = 0;
  FieldRange range;
  Shared<Track> track;
  double at(double film) const { return keyed_number(range, *track, film); }
};

/// What a box is about.
struct BoundOther {
  std::vector<std::uint32_t> others;  ///< ascending
  bool anything = true;
  std::shared_ptr<const CurveWay> way = {};
  Id thing = {};      ///< MotionContext::thing
  bool idle = false;  ///< it needs another one, or has not the number that the box tells: then it does nothing
};

/// A box of a graph, bound to the bodies of a model.
struct BoundBox {
  Id id;
  std::string name;
  const EventKind* event = nullptr;
  const ProcedureKind* procedure = nullptr;
  std::vector<std::uint32_t> bodies;  ///< that it is of, ascending
  BoundOther other;                   ///< where no keys say it
  bool loop = false;
  std::vector<MotionValue> values;
  std::vector<BoundKeys> keys;
  bool constant = true;         ///< no value is an expression, and none has keys
  std::vector<double> numbers;  ///< of the values, where they are constant
  Expression condition;
  ExpressionRange condition_range;
  double fails_before = 0;                 ///< s of the film: up to then the condition surely fails
  std::vector<double> moments;             ///< MotionContext::moments
  std::vector<std::size_t> next, related;  ///< boxes
  std::vector<Id> sources;                 ///< procedures that lead to it
  bool waits = false;                      ///< no wire leads to it: armed from the start, where it is no case
  /// s of the film: it waits from the start for this moment (first_moment()), and no state has it before.
  std::optional<double> timed = {};
  bool inert = false;  ///< it can do nothing: it is of nobody, or cannot be understood

  /// By keys: what it is about by the id of that, and the number that it tells.
  struct KeyedOther {
    std::uint64_t id = 0;
    std::size_t number = 0;
    BoundOther other;
  };
  std::vector<KeyedOther> keyed_others;  ///< all that its keys name; empty: they say nothing of that
  std::uint64_t other_id = 0;
  Shared<Track> with;  ///< keys of what it is about, where `with_keyed`
  bool with_keyed = false;
  std::optional<BoundKeys> loops;  ///< keys of `loop`
  /// What it is about at a moment of the film.
  const BoundOther& about(double film) const;
  /// Of a box that tells a number: which, at a moment of the film.
  std::size_t number_told(double film) const;
  bool loops_at(double film) const { return loops ? loops->at(film) != 0 : loop; }

  bool is_case() const { return event && event->is_case; }
  bool is_of(std::uint32_t body) const { return std::binary_search(bodies.begin(), bodies.end(), body); }
};

/// Whose number a box tells that is of this body.
inline Id thing_told(const BoundOther& other, std::size_t number, Id body) {
  const NumberOf of = settable_numbers()[number].of;
  return of == NumberOf::object ? body : of == NumberOf::scene ? Id{} : other.thing;
}

/// A procedure that runs goes by what it was as it started, whatever its keys say: along a path, or settled.
bool keeps_start(const BoundBox& box, const RunningProcedure& running);
/// What it is about in sub-step `substep`, or in the one in which it starts.
const BoundOther& about_of(const BoundBox& box, const RunningProcedure& running, const Model& model,
                           std::int64_t substep);

/// Constant while running.
class BoundGraph {
 public:
  BoundGraph(const Scene& scene, const Model& model);

  /// An event of an object. What most of them need to know of their box in a sub-step in which nothing happens; of those that need a
  /// collision or a touch, and whose numbers are constant, all: a box lies elsewhere, and is long.
  struct alignas(64) Slot {
    Id id, object;
    std::uint32_t box = 0, body = 0;
    EventNeeds needs = EventNeeds::nothing;
    bool idle = false;    ///< it need not look at sub-steps: it is told
    bool margin = false;  ///< it has one at times (EventKind::follows, EventKind::margin)
    bool lasts = false;   ///< EventKind::lasting
    bool tells_contacts =
        false;                ///< what comes of it may tell contacts something, or keep such an event from happening
    bool whole = false;       ///< the slot alone says how it looks: numbers_of() and others_of()
    bool anything = false;    ///< BoundOther::anything
    double least = 0;         ///< N s: collisions with less do not count (EventKind::least)
    double fails_before = 0;  ///< BoundBox::fails_before
    const EventKind* kind = nullptr;
    std::uint32_t first_number = 0, first_other = 0;
  };
  std::span<const double> numbers_of(const Slot& slot) const {
    return std::span(numbers_).subspan(slot.first_number, slot.kind->parameters.size());
  }
  std::span<const std::uint32_t> others_of(const Slot& slot) const {
    return std::span(others_).subspan(slot.first_other + 1, others_[slot.first_other]);
  }
  std::vector<BoundBox> boxes;                                        ///< ascending by id
  std::vector<Slot> slots;                                            ///< ascending by (id, object)
  std::vector<std::size_t> timed;                                     ///< boxes that wait for a moment, ascending by it
  std::shared_ptr<const char> mark = std::make_shared<const char>();  ///< of this graph alone
  /// Of a body, by number in `slots`.
  std::span<const std::uint32_t> slots_of(std::uint32_t body) const {
    return std::span(of_body_).subspan(first_[body], first_[body + 1] - first_[body]);
  }
  /// Those of them that need a collision or a touch.
  std::span<const std::uint32_t> meeting_slots_of(std::uint32_t body) const {
    return std::span(meeting_).subspan(first_meeting_[body], first_meeting_[body + 1] - first_meeting_[body]);
  }
  bool has_slots(std::uint32_t body) const { return first_[body + 1] > first_[body]; }
  bool meets(std::uint32_t body) const { return first_meeting_[body + 1] > first_meeting_[body]; }
  /// One that needs a collision has Slot::tells_contacts.
  bool any_tells_contacts() const { return any_tells_contacts_; }
  bool any_keys = false;  ///< of boxes
  const BodyNumbers& bodies() const { return bodies_; }
  /// As BodyList::number(), of bodies that are there.
  std::uint32_t body(Id id) const { return bodies_.of(id); }
  /// Of the box with this id; none: boxes.size().
  std::size_t number(Id id) const {
    const auto at = number_.find(id);
    return at == number_.end() ? boxes.size() : at->second;
  }

 private:
  void bind(const Scene& scene, const Model& model, const MotionNode& node, const BoxTracks& tracks);
  void wire(const Scene& scene, std::size_t from, const MotionNode& node);
  void make_slots(const Model& model);
  template <class Which>
  void list_slots(const Which& which, std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& of_body) const;
  std::vector<bool> tellers() const;

  std::map<Id, std::size_t> number_;
  std::vector<std::uint32_t> first_, of_body_, first_meeting_, meeting_;
  std::vector<double> numbers_;        ///< of slots that are whole
  std::vector<std::uint32_t> others_;  ///< of each of them how many there are, and which
  BodyNumbers bodies_;
  bool any_tells_contacts_ = false;
};

}  // namespace hazumi
