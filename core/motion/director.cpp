#include "core/motion/director.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/motion/check.h"
#include "core/motion/sight.h"
#include "core/scene/derived/following.h"

namespace hazumi {
namespace {

constexpr std::int64_t kMostInFrame = 1000;

/// A box of a graph, bound to the bodies of a model.
struct Box {
  Id id;
  std::string name;
  const EventKind* event = nullptr;
  const ProcedureKind* procedure = nullptr;
  std::vector<std::uint32_t> bodies;  ///< that it is of, ascending
  std::vector<std::uint32_t> others;  ///< ascending
  bool anything = true, loop = false;
  std::vector<MotionValue> values;
  bool constant = true;         ///< no value is an expression
  std::vector<double> numbers;  ///< of the values, where they are constant
  Expression condition;
  std::shared_ptr<const CurveWay> way;
  std::vector<std::size_t> next, related;  ///< boxes
  std::vector<Id> sources;                 ///< procedures that lead to it
  bool waits = false;                      ///< armed from the start

  bool is_case() const { return event && event->is_case; }
  bool is_of(std::uint32_t body) const { return std::binary_search(bodies.begin(), bodies.end(), body); }
};

template <class List>
auto find_in(List& list, Id box, Id object) {
  return std::lower_bound(list.begin(), list.end(), std::pair(box, object), [](const auto& entry, const auto& wanted) {
    return std::pair(entry.box, entry.object) < wanted;
  });
}

template <class List>
auto entry_of(List& list, Id box, Id object) -> decltype(&list[0]) {
  const auto at = find_in(list, box, object);
  return at != list.end() && at->box == box && at->object == object ? &*at : nullptr;
}

/// What an expression may name, worked out as far as it is named.
class Names {
 public:
  Names(const MotionContext& context, const EventState* own, std::int64_t now, double moment, const ContactEvent* hit)
      : c_(context), own_(own), now_(now), moment_(moment), hit_(hit) {}

  double of(const Expression& expression) {
    std::array<double, 32> values{};
    for (const std::size_t i : expression.reads()) values[i] = value(i);
    return expression.value(values);
  }

 private:
  double film() const {
    const RunClock& clock = c_.model.clock;
    const double begin = now_ < 0 ? -clock.step() : clock.film(now_), end = clock.film(now_ + 1);
    return begin + moment_ * (end - begin);
  }
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
std::span<const double> numbers_of(const Box& box, const MotionContext& context, const EventState* own, std::int64_t now,
                                   double moment, const ContactEvent* hit, std::vector<double>& scratch) {
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
  return scratch;
}

/// All of `met`, and of the others those of pairs that are not in it; in order of (a, b).
std::vector<ContactEvent> united(const std::vector<ContactEvent>& met, const std::vector<ContactEvent>& others) {
  std::vector<ContactEvent> all = met;
  for (const ContactEvent& one : others)
    if (std::none_of(met.begin(), met.end(), [&](const ContactEvent& m) { return m.a == one.a && m.b == one.b; }))
      all.push_back(one);
  std::stable_sort(all.begin(), all.end(),
                   [](const ContactEvent& x, const ContactEvent& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  return all;
}

class MotionDirector;

/// One look at a sub-step that was, or at the start.
class Look {
 public:
  Look(const MotionDirector& director, const Model& model, const State& before, StepReport& report, State& state,
       std::vector<MotionMark>& marks)
      : d_(director), model_(model), before_(before), report_(report), state_(state), marks_(marks) {}

  void at_start();
  /// `collisions_alone`: only events of collisions that began are looked at, and nothing ends.
  void after_substep(bool collisions_alone = false);
  /// One that is armed looks at a collision that began.
  bool any_collision();

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
  void mark(MotionTurn turn, const Box& box, std::uint32_t body, double moment, Id with = {}) {
    marks_.push_back({std::max<std::int64_t>(state_.substep, 0), state_.substep < 0 ? 0 : moment, turn, box.id, id_of(body), with});
  }
  MotionContext context(const Box& box, std::uint32_t body, std::span<const double> numbers) const {
    return {model_, before_, state_, body, box.others, box.anything, numbers, box.sources, box.way.get()};
  }
  const ContactEvent* hit_with(std::uint32_t body, Id with) const;
  bool allowed(const Box& box, std::uint32_t body, const EventState* own, double moment, Id with);

  void end_what_is_over();
  void end(std::size_t running, double moment);
  void look_at(std::size_t box, std::uint32_t body, double from, bool waited, EventState& own);
  void look_at_lasting(const MotionContext& context, std::size_t box, double from, bool waited, EventState& own);
  void find_met();
  void take_in_order();
  void happen(const Due& due);
  void follow(const Box& box, std::uint32_t body, double moment, Id with);
  void settle();
  template <class Visit>
  void each_armed(const Visit& visit);
  template <class Do>
  void for_each_of(std::size_t to, std::uint32_t body, const Do& what);
  void arm(std::size_t box, std::uint32_t body, double moment);
  void start(std::size_t box, std::uint32_t body, double moment, Id with);
  void send(const Box& box, std::int64_t number, double moment);

  const MotionDirector& d_;
  const Model& model_;
  const State& before_;
  StepReport& report_;
  State& state_;
  std::vector<MotionMark>& marks_;
  std::set<Due> due_;
  std::vector<char> met_;  ///< of each body
};

class MotionDirector final : public Director {
 public:
  MotionDirector(const Scene& scene, const Model& model, std::shared_ptr<const Director> tracks)
      : tracks_(std::move(tracks)) {
    for (const auto& node : scene.motion) bind(scene, model, *node);
    std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.id < b.id; });
    for (std::size_t i = 0; i < boxes.size(); ++i) number_.emplace(boxes[i].id, i);
    for (std::size_t i = 0; i < boxes.size(); ++i) wire(scene, i);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (boxes[i].event)
        for (const std::uint32_t body : boxes[i].bodies) slots.push_back({boxes[i].id, model.bodies[body].id, i, body});
    for (const Id id : waiting_from_start(scene))
      if (const auto at = number_.find(id); at != number_.end()) boxes[at->second].waits = !boxes[at->second].is_case();
  }

  /// An event of an object.
  struct Slot {
    Id id, object;
    std::size_t box = 0;
    std::uint32_t body = 0;
  };
  std::vector<Box> boxes;   ///< ascending by id
  std::vector<Slot> slots;  ///< ascending by (id, object)
  std::size_t number(Id id) const {
    const auto at = number_.find(id);
    return at == number_.end() ? boxes.size() : at->second;
  }

  MotionState initial() const override { return tracks_ ? tracks_->initial() : MotionState{}; }
  std::optional<Lead> begins(const Model& model, std::size_t body) const override {
    return tracks_ ? tracks_->begins(model, body) : std::nullopt;
  }
  std::optional<double> begins_sized(const Model& model, std::size_t body) const override {
    return tracks_ ? tracks_->begins_sized(model, body) : std::nullopt;
  }
  void show(const Model& model, int frame, SeenBodies& seen) const override {
    if (tracks_) tracks_->show(model, frame, seen);
  }
  void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
    if (tracks_) tracks_->drive(model, substep, joints);
  }
  void begin(const Model& model, State& state, std::vector<MotionMark>& marks) const override {
    StepReport none;
    Look(*this, model, state, none, state, marks).at_start();
  }
  void direct(const Model& model, const State& state, std::span<BodyForces> forces) const override {
    if (tracks_) tracks_->direct(model, state, forces);
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = number(running.box);
      const std::uint32_t body = model.bodies.number(running.object);
      if (at == boxes.size() || !boxes[at].procedure || body >= model.bodies.size()) continue;
      const Box& box = boxes[at];
      const std::size_t count = box.values.size();
      const std::span<const double> values(running.values);
      const MotionContext context{model,        state,       state,          body, box.others, box.anything,
                                  values.first(count), box.sources, box.way.get()};
      if (running.start == state.substep) forces[body].stirred = true;
      const bool was_led = forces[body].led.has_value();
      if (box.procedure->direct) box.procedure->direct(context, running, values.subspan(count), forces[body]);
      if (!was_led && forces[body].led && running.start == state.substep) forces[body].handed_over = true;
    }
    for (const EndedProcedure& ended : state.motion.ended)
      if (const std::uint32_t body = model.bodies.number(ended.object); ended.substep + 1 == state.substep && body < forces.size()) {
        forces[body].stirred = true;
        const std::size_t at = number(ended.box);
        if (at < boxes.size() && boxes[at].procedure && boxes[at].procedure->claim == Claim::motion)
          forces[body].handed_over = true;
      }
  }
  bool foresee(const Model& model, const State& before, const StepReport& report, State& state,
               std::span<BodyForces> forces) const override {
    if (report.contacts.empty()) return false;
    StepReport seen;
    seen.contacts = report.contacts;
    seen.touching = report.touching;
    seen.marks = report.marks;
    seen.passing = report.passing;
    std::vector<MotionMark> marks;
    Look look(*this, model, before, seen, state, marks);
    if (!look.any_collision()) return false;
    const MotionState kept = state.motion;
    look.after_substep(true);
    bool other = false;
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = number(running.box);
      if (running.start != state.substep + 1 || boxes[at].procedure->claim != Claim::contact) continue;
      const std::uint32_t body = model.bodies.number(running.object);
      BodyForces told;
      const std::size_t count = boxes[at].values.size();
      const std::span<const double> values(running.values);
      const MotionContext context{model, state, state, body, boxes[at].others, boxes[at].anything,
                                  values.first(count), boxes[at].sources, boxes[at].way.get()};
      boxes[at].procedure->direct(context, running, values.subspan(count), told);
      for (const ContactTold& one : told.contacts) {
        for (const ContactEvent& contact : report.contacts) {
          const std::uint32_t a = model.bodies.number(contact.a), b = model.bodies.number(contact.b);
          if (a != body && b != body) continue;
          other = other || one.other < 0 || one.other == static_cast<std::int32_t>(a == body ? b : a);
        }
        forces[body].contacts.push_back(one);
      }
    }
    state.motion = kept;
    return other;
  }
  void observe(const Model& model, const State& before, StepReport& report, State& state) const override {
    if (tracks_) tracks_->observe(model, before, report, state);
    std::vector<MotionMark> marks;
    // What would have begun did begin for events, though what they started has changed it.
    std::vector<ContactEvent> begun = report.contacts;
    if (!report.met.empty()) report.contacts = united(report.met, report.contacts);
    Look(*this, model, before, report, state, marks).after_substep();
    report.contacts = std::move(begun);
    report.motion.insert(report.motion.end(), marks.begin(), marks.end());
  }

 private:
  void bind(const Scene& scene, const Model& model, const MotionNode& node) {
    const MotionKind* kind = node.visible ? kind_of(node) : nullptr;
    if (!kind) return;
    Box box;
    box.id = node.id;
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
      if (!box.way) return;
    } else if (kind->other == OtherUse::thing && box.others.empty()) {
      return;
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
    if (!node.condition.empty()) {
      ExpressionFault fault;
      box.condition = Expression::parse(node.condition, expression_names(), fault);
      if (box.condition.empty()) return;  // what nobody can read holds never
    }
    boxes.push_back(std::move(box));
  }

  void wire(const Scene& scene, std::size_t from) {
    for (const MotionWire& wire : used_wires(scene, *find_motion(scene, boxes[from].id))) {
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

  std::shared_ptr<const Director> tracks_;
  std::map<Id, std::size_t> number_;
};

const ContactEvent* Look::hit_with(std::uint32_t body, Id with) const {
  if (!with) return nullptr;
  const Id own = id_of(body);
  for (const ContactEvent& contact : report_.contacts)
    if ((contact.a == own && contact.b == with) || (contact.b == own && contact.a == with)) return &contact;
  return nullptr;
}

bool Look::allowed(const Box& box, std::uint32_t body, const EventState* own, double moment, Id with) {
  if (box.condition.empty()) return true;
  const MotionContext c = context(box, body, box.numbers);
  const double value = Names(c, own, state_.substep, moment, hit_with(body, with)).of(box.condition);
  return std::isfinite(value) && value != 0;
}

template <class Do>
void Look::for_each_of(std::size_t to, std::uint32_t body, const Do& what) {
  const Box& box = d_.boxes[to];
  if (box.is_of(body)) return what(body);
  for (const std::uint32_t other : box.bodies) what(other);
}

void Look::end(std::size_t i, double moment) {
  std::vector<RunningProcedure>& running = state_.motion.running;
  const RunningProcedure gone = running[i];
  running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
  std::vector<EndedProcedure>& ended = state_.motion.ended;
  if (EndedProcedure* known = entry_of(ended, gone.box, gone.object))
    known->substep = state_.substep;
  else
    ended.insert(find_in(ended, gone.box, gone.object), {gone.box, gone.object, state_.substep});
  const std::size_t box = d_.number(gone.box);
  if (box < d_.boxes.size() && !gone.done)
    mark(MotionTurn::ended, d_.boxes[box], model_.bodies.number(gone.object), moment);
}

void Look::end_what_is_over() {
  std::vector<RunningProcedure>& running = state_.motion.running;
  for (std::size_t i = 0; i < running.size();) {
    RunningProcedure& own = running[i];
    const std::size_t at = d_.number(own.box);
    if (at == d_.boxes.size() || !d_.boxes[at].procedure) {
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    const Box& box = d_.boxes[at];
    const std::uint32_t body = model_.bodies.number(own.object);
    const std::span<double> values(own.values);
    const std::size_t count = box.values.size();
    const bool over = !own.done && own.start <= state_.substep &&
                      box.procedure->over(context(box, body, values.first(count)), own, values.subspan(count), report_);
    if (over && box.procedure->stays) {
      own.done = true;
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
void Look::look_at(std::size_t at, std::uint32_t body, double from, bool waited, EventState& own) {
  const Box& box = d_.boxes[at];
  std::vector<double> scratch;
  const std::span<const double> numbers =
      numbers_of(box, context(box, body, box.numbers), &own, state_.substep, from, nullptr, scratch);
  const MotionContext c = context(box, body, numbers);
  if (box.event->lasting) return look_at_lasting(c, at, from, waited, own);
  if (!box.event->happened) return;
  for (double after = from;;) {
    const auto next = box.event->happened(c, after, own, report_);
    if (!next) return;
    if (allowed(box, body, &own, next->moment, next->with))
      return void(due_.insert({next->moment, body, at, next->with}));
    after = next->moment;
  }
}

void Look::look_at_lasting(const MotionContext& c, std::size_t at, double from, bool waited, EventState& own) {
  const Box& box = d_.boxes[at];
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

void Look::arm(std::size_t at, std::uint32_t body, double moment) {
  const Box& box = d_.boxes[at];
  if (!box.event || box.is_case()) return;
  std::vector<EventState>& events = state_.motion.events;
  EventState* own = entry_of(events, box.id, id_of(body));
  if (!own) {
    EventState fresh;
    fresh.box = box.id;
    fresh.object = id_of(body);
    own = &*events.insert(find_in(events, box.id, fresh.object), fresh);
  }
  if (own->armed) return;
  own->armed = true;
  own->holds = false;
  own->memory = 0;
  own->since = std::max(0.0, static_cast<double>(state_.substep) + moment);
  mark(MotionTurn::armed, box, body, moment);
  look_at(at, body, moment, false, *own);
}

void Look::send(const Box& from, std::int64_t number, double moment) {
  for (std::size_t at = 0; at < d_.boxes.size(); ++at) {
    const Box& box = d_.boxes[at];
    if (!box.event || !box.event->hears) continue;
    for (const std::uint32_t body : box.bodies) {
      if (!from.anything && !std::binary_search(from.others.begin(), from.others.end(), body)) continue;
      const EventState* own = entry_of(state_.motion.events, box.id, id_of(body));
      if (!own || !own->armed || std::llround(box.numbers[0]) != number) continue;
      if (allowed(box, body, own, moment, {})) due_.insert({moment, body, at, {}});
    }
  }
}

void Look::start(std::size_t at, std::uint32_t body, double moment, Id with) {
  const Box& box = d_.boxes[at];
  std::vector<RunningProcedure>& running = state_.motion.running;
  // What it takes over ends; what runs already begins anew.
  for (std::size_t i = 0; i < running.size();) {
    const std::size_t other = d_.number(running[i].box);
    bool taken = running[i].object == id_of(body);
    if (taken && running[i].box != box.id) {
      taken = other < d_.boxes.size() && box.procedure->claim != Claim::nothing &&
              d_.boxes[other].procedure->claim == box.procedure->claim;
      if (taken && box.procedure->claim == Claim::contact)
        taken = d_.boxes[other].anything == box.anything && d_.boxes[other].others == box.others;
    }
    if (taken)
      end(i, moment);
    else
      ++i;
  }
  RunningProcedure own;
  own.box = box.id;
  own.object = id_of(body);
  own.start = state_.substep + 1;
  own.by = with;
  std::vector<double> scratch;
  const std::span<const double> numbers =
      numbers_of(box, context(box, body, box.numbers), nullptr, state_.substep, moment, hit_with(body, with), scratch);
  own.values.assign(numbers.begin(), numbers.end());
  const std::size_t count = own.values.size();
  own.values.resize(count + box.procedure->memory, 0.0);
  const std::span<double> values(own.values);
  if (box.procedure->begin) box.procedure->begin(context(box, body, values.first(count)), own, values.subspan(count));
  const auto number = box.procedure->sends ? std::llround(own.values[0]) : 0;
  running.push_back(std::move(own));
  mark(MotionTurn::started, box, body, moment, with);
  for (const std::size_t next : box.next) for_each_of(next, body, [&](std::uint32_t of) { arm(next, of, moment); });
  if (box.procedure->sends) send(box, number, moment);
}

/// What comes of an event or a case that happened.
void Look::follow(const Box& box, std::uint32_t body, double moment, Id with) {
  bool branched = false;
  for (const std::size_t next : box.next) {
    const Box& to = d_.boxes[next];
    if (to.procedure) {
      for_each_of(next, body, [&](std::uint32_t of) { start(next, of, moment, with); });
    } else if (to.is_case()) {
      if (branched || !allowed(to, body, nullptr, moment, with)) continue;
      branched = true;
      mark(MotionTurn::happened, to, body, moment, with);
      follow(to, body, moment, with);
    } else {
      for_each_of(next, body, [&](std::uint32_t of) { arm(next, of, moment); });
    }
  }
}

void Look::happen(const Due& due) {
  const Box& box = d_.boxes[due.box];
  EventState* own = entry_of(state_.motion.events, box.id, id_of(due.body));
  if (!own || !own->armed) return;
  const auto frame = [&](std::int64_t substep) { return model_.clock.frame_of(std::max<std::int64_t>(substep, 0)); };
  own->crowd = own->count > 0 && frame(own->last) == frame(state_.substep) ? own->crowd + 1 : 1;
  ++own->count;
  own->last = state_.substep;
  own->holds = true;
  mark(MotionTurn::happened, box, due.body, due.moment, due.with);
  if (own->crowd > kMostInFrame) {
    const std::string name = model_.bodies[due.body].name;
    report_.failure = Diagnostic{Severity::error, name,
                                 "\"" + box.name + "\" of \"" + name + "\" happened more than 1000 times in one frame.",
                                 "Take its loop away, or break the ring of boxes that lead to it again."};
    return;
  }
  const bool stays = box.loop;
  if (!stays) {
    own->armed = false;
    mark(MotionTurn::disarmed, box, due.body, due.moment);
  }
  for (const std::size_t other : box.related)
    for_each_of(other, due.body, [&](std::uint32_t of) {
      EventState* its = entry_of(state_.motion.events, d_.boxes[other].id, id_of(of));
      if (!its || !its->armed || (other == due.box && of == due.body)) return;
      its->armed = false;
      mark(MotionTurn::disarmed, d_.boxes[other], of, due.moment);
    });
  follow(box, due.body, due.moment, due.with);
  if (stays && !box.event->lasting)
    look_at(due.box, due.body, due.moment, false, *entry_of(state_.motion.events, box.id, id_of(due.body)));
}

void Look::take_in_order() {
  while (!due_.empty() && !report_.failure) {
    const Due first = *due_.begin();
    due_.erase(due_.begin());
    happen(first);
  }
}

/// What no longer holds may happen again.
void Look::settle() {
  for (EventState& own : state_.motion.events) {
    if (!own.armed || !own.holds) continue;
    const std::size_t at = d_.number(own.box);
    if (at == d_.boxes.size() || !d_.boxes[at].event || !d_.boxes[at].event->lasting) continue;
    const Box& box = d_.boxes[at];
    const std::uint32_t body = model_.bodies.number(own.object);
    std::vector<double> scratch;
    const std::span<const double> numbers =
        numbers_of(box, context(box, body, box.numbers), &own, state_.substep, 1, nullptr, scratch);
    const MotionContext c = context(box, body, numbers);
    own.holds = box.event->lasting(c, state_, own) > 0 && allowed(box, body, &own, 1, {});
  }
}

void Look::at_start() {
  state_.substep = -1;
  for (std::size_t at = 0; at < d_.boxes.size(); ++at)
    if (d_.boxes[at].waits)
      for (const std::uint32_t body : d_.boxes[at].bodies) arm(at, body, 0);
  take_in_order();
  settle();
  state_.substep = 0;
}

void Look::find_met() {
  met_.assign(model_.bodies.size(), 0);
  for (const ContactEvent& contact : report_.contacts)
    for (const Id id : {contact.a, contact.b}) met_[model_.bodies.number(id)] |= kCollided | kTouched;
  for (const auto& [a, b] : report_.touching)
    for (const Id id : {a, b}) met_[model_.bodies.number(id)] |= kTouched;
}

/// Events of a state lie in the order of the director's slots, which has more of them.
template <class Visit>
void Look::each_armed(const Visit& visit) {
  auto slot = d_.slots.begin();
  for (EventState& own : state_.motion.events) {
    if (!own.armed) continue;
    while (slot != d_.slots.end() && std::pair(slot->id, slot->object) < std::pair(own.box, own.object)) ++slot;
    if (slot == d_.slots.end()) return;
    if (slot->id == own.box && slot->object == own.object) visit(slot->box, slot->body, own);
  }
}

bool Look::any_collision() {
  find_met();
  bool any = false;
  each_armed([&](std::size_t at, std::uint32_t body, EventState&) {
    any = any || (d_.boxes[at].event->needs == EventNeeds::collision && (met_[body] & kCollided) != 0);
  });
  return any;
}

void Look::after_substep(bool collisions_alone) {
  if (!collisions_alone) end_what_is_over();
  find_met();
  each_armed([&](std::size_t at, std::uint32_t body, EventState& own) {
    const EventNeeds needs = d_.boxes[at].event->needs;
    if (needs == EventNeeds::collision ? (met_[body] & kCollided) == 0 : collisions_alone) return;
    if (needs == EventNeeds::touch && own.memory == 0 && (met_[body] & kTouched) == 0) return;
    look_at(at, body, 0, true, own);
  });
  take_in_order();
  if (!collisions_alone) settle();
}

}  // namespace

std::shared_ptr<const Director> make_motion_director(const Scene& scene, const Model& model,
                                                     std::shared_ptr<const Director> tracks) {
  auto director = std::make_shared<MotionDirector>(scene, model, tracks);
  if (director->boxes.empty()) return tracks;
  return director;
}

}  // namespace hazumi
