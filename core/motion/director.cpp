#include "core/motion/director.h"

#include <algorithm>
#include <array>

#include "core/motion/geometric.h"
#include "core/motion/look.h"
#include "core/motion/numbers.h"
#include "core/motion/riding.h"

namespace hazumi {
namespace {

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

/// What says where a body goes.
struct WayTold {
  bool led = false, put = false;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), acceleration = Vec3::Zero(), kick = Vec3::Zero(),
       turn = Vec3::Zero();
  friend bool operator==(const WayTold&, const WayTold&) = default;
};
WayTold way_told(const BodyForces& f) {
  return {f.led.has_value(), f.put.has_value(), f.force, f.torque, f.acceleration, f.kick, f.kick_turn};
}

class MotionDirector final : public Director {
 public:
  MotionDirector(const Scene& scene, const Model& model, std::shared_ptr<const Director> tracks, EventLooks looks)
      : graph_(scene, model), watches_(looks == EventLooks::where_due), tracks_(std::move(tracks)) {
    const bool tells = std::any_of(graph_.boxes.begin(), graph_.boxes.end(),
                                   [](const BoundBox& box) { return box.procedure && box.procedure->tell; });
    if (tells) told_ = std::make_unique<const ToldBodies>(scene, model);
    rings_ = has_ring_of_cases();
  }
  bool empty() const { return graph_.boxes.empty(); }

  MotionState initial() const override { return tracks_ ? tracks_->initial() : MotionState{}; }
  std::optional<Lead> begins(const Model& model, std::size_t body) const override {
    return tracks_ ? tracks_->begins(model, body) : std::nullopt;
  }
  std::optional<double> begins_sized(const Model& model, std::size_t body) const override {
    return tracks_ ? tracks_->begins_sized(model, body) : std::nullopt;
  }
  RestShape begins_shaped(const Model& model, std::size_t body) const override {
    return tracks_ ? tracks_->begins_shaped(model, body) : RestShape();
  }
  void show(const Model& model, int frame, SeenBodies& seen) const override {
    if (tracks_) tracks_->show(model, frame, seen);
  }
  void look(const Model& model, const State& state, std::span<BodyLook> looks) const override {
    if (tracks_) tracks_->look(model, state, looks);
    each_running(model, state, [&](const Running& r) {
      if (!r.kind.look || r.own.start > state.substep) return;
      r.kind.look(r.context, r.context.time(static_cast<double>(state.substep - r.own.start)), r.memory,
                  looks[r.context.body]);
    });
  }
  void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
    if (tracks_) tracks_->drive(model, substep, joints);
  }
  void numbers(const Model& model, const State& state, std::int64_t substep,
               std::vector<NumberTold>& told) const override {
    if (!told_) return;
    each_running(model, state, [&](const Running& r) {
      if (!r.kind.tell) return;
      const auto number = static_cast<std::size_t>(r.context.parameters[0]);
      NumberTold one{thing_told(r.other, number, r.own.object), number};
      r.kind.tell(r.context, r.context.time(static_cast<double>(substep + 1 - r.own.start)), r.memory, one);
      if (one.share > 0) told.push_back(one);
    });
    std::sort(told.begin(), told.end(), [](const NumberTold& a, const NumberTold& b) {
      return a.number != b.number ? a.number < b.number : a.thing < b.thing;
    });
  }
  void begin(const Model& model, State& state, std::vector<MotionMark>& marks) const override {
    StepReport none;
    MotionLook(graph_, model, state, none, state, marks).at_start();
  }
  bool tells(const State& state) const override {
    if (told_ || !state.motion.running.empty() || (tracks_ && tracks_->tells(state))) return true;
    return std::any_of(state.motion.ended.begin(), state.motion.ended.end(),
                       [&](const EndedProcedure& ended) { return ended.substep + 1 == state.substep; });
  }
  void direct(const Model& model, const State& state, const NumbersTold& numbers,
              std::span<BodyForces> forces) const override {
    if (tracks_) tracks_->direct(model, state, numbers, forces);
    direct_materials(model, state, forces);
    if (told_) told_->direct(model, state, numbers, forces);
    stir_keyed(model, state, forces);
    std::vector<Paved> paved;
    std::vector<int> told_by;  // of each body: how many say where it goes
    each_running(model, state, [&](const Running& r) {
      if (!r.kind.law || !follows_path(r.kind, r.context)) return;
      if (told_by.empty()) told_by.assign(forces.size(), -1);
      int& count = told_by[r.context.body];
      if (count < 0) count = way_told(forces[r.context.body]) == WayTold() ? 0 : 1;
    });
    const auto tell = [&](const Running& r) {
      if (r.kind.look || r.kind.cues) return;  // it acts on nothing, or has done so
      const std::size_t body = r.context.body;
      BodyForces& told = forces[body];
      if (r.own.start == state.substep) told.stirred = true;
      const bool was_led = told.led.has_value(), watched = !told_by.empty() && told_by[body] >= 0;
      const WayTold before = watched ? way_told(told) : WayTold();
      if (r.kind.direct) r.kind.direct(r.context, r.own, r.memory, told);
      if (!was_led && told.led && r.own.start == state.substep) told.handed_over = true;
      if (!watched) return;
      const int says = way_told(told) == before ? 0 : 1;
      told_by[body] += says;
      if (!r.kind.law || !follows_path(r.kind, r.context)) return;
      if (const auto lead = lead_on_path({r.kind, r.context, r.own}, r.path)) paved.push_back({body, says, *lead});
    };
    // What is aimed sees what all others say of its flight.
    for (const bool aims : {false, true})
      each_running(
          model, state,
          [&](const Running& r) {
            if ((r.kind.aims && r.own.start == state.substep) == aims) tell(r);
          },
          numbers.now);
    // A path is left alone where anything else says where its body goes.
    for (const Paved& path : paved) {
      if (told_by[path.body] != path.says || forces[path.body].led) continue;
      forces[path.body].led = path.lead;
      forces[path.body].stirred = true;
    }
    for (const EndedProcedure& ended : state.motion.ended)
      if (const std::uint32_t body = model.bodies.number(ended.object);
          ended.substep + 1 == state.substep && body < forces.size()) {
        const std::size_t at = graph_.number(ended.box);
        const ProcedureKind* kind = at < graph_.boxes.size() ? graph_.boxes[at].procedure : nullptr;
        if (kind && kind->claim == Claim::material) stir_all(forces);
        if (kind && (kind->look || kind->cues)) continue;
        forces[body].stirred = true;
        if (kind && kind->claim == Claim::motion) forces[body].handed_over = true;
      }
  }
  void carry(const Model& model, const State& before, State& state) const override {
    std::vector<Ride> rides;
    for (RunningProcedure& running : state.motion.running) {
      const std::size_t at = graph_.number(running.box);
      const std::uint32_t part = model.bodies.number(running.object);
      if (at == graph_.boxes.size() || !graph_.boxes[at].procedure || !graph_.boxes[at].procedure->rides) continue;
      const BoundBox& box = graph_.boxes[at];
      const std::vector<std::uint32_t>& others = about_of(box, running, model, state.substep).others;
      if (running.start > state.substep || others.empty() || others[0] == part) continue;
      if (model.bodies[part].truss.pinned.empty()) continue;
      rides.push_back({part, others[0], running.values[0], std::span(running.values).subspan(box.values.size())});
    }
    const auto of = [&](std::uint32_t part) {
      return std::find_if(rides.begin(), rides.end(), [&](const Ride& ride) { return ride.part == part; });
    };
    // Parents first; of a ring nobody.
    for (bool any = true; any;) {
      any = false;
      for (Ride& ride : rides) {
        const auto carrier = of(ride.parent);
        if (ride.frame || (carrier != rides.end() && !carrier->frame)) continue;
        ride.frame = ridden_frame(model, before, state, ride.parent, ride.nodes(),
                                  carrier == rides.end() ? nullptr : &*carrier->frame);
        carry_along(model.bodies[ride.part], before.bodies[ride.part].values, *ride.frame, felt_by_rider(ride.memory),
                    ride.feels, model.step, state.bodies[ride.part].values);
        remember_rates(rates_after(*ride.frame, model.step), ride.memory);
        any = true;
      }
    }
  }
  bool give_way(const Model& model, const StepReport& report, const State& state,
                std::span<BodyForces> forces) const override {
    bool any = false;
    each_running(model, state, [&](const Running& r) {
      BodyForces& told = forces[r.context.body];
      if (!r.kind.law || !told.led || !follows_path(r.kind, r.context) ||
          !gives_way({r.kind, r.context, r.own}, r.path, report))
        return;
      told.led.reset();
      told.stirred = any = true;
    });
    return any;
  }
  bool foresee(const Model& model, const State& before, const StepReport& report, State& state,
               std::span<BodyForces> forces) const override {
    if (report.contacts.empty() || (watches_ && !graph_.any_tells_contacts())) return false;
    std::vector<MotionMark> marks;
    MotionLook look(graph_, model, before, report, state, marks, made_watch(state));
    if (!look.any_collision()) return false;
    if (!look.foresees()) {
      look.take_back();
      return false;
    }
    const std::vector<RunningProcedure> running = state.motion.running;
    const std::vector<EndedProcedure> ended = state.motion.ended;
    const std::vector<FilmCue> cues = state.motion.cues;
    look.take_in_order();
    bool other = false;
    each_running(model, state, [&](const Running& r) {
      if (r.own.start != state.substep + 1 || r.kind.claim != Claim::contact) return;
      const auto body = static_cast<std::uint32_t>(r.context.body);
      BodyForces told;
      r.kind.direct(r.context, r.own, r.memory, told);
      for (const ContactTold& one : told.contacts) {
        for (const ContactEvent& contact : report.contacts) {
          const std::uint32_t a = model.bodies.number(contact.a), b = model.bodies.number(contact.b);
          if (a != body && b != body) continue;
          other = other || one.other < 0 || one.other == static_cast<std::int32_t>(a == body ? b : a);
        }
        forces[body].contacts.push_back(one);
      }
    });
    look.take_back();
    state.motion.running = running;
    state.motion.ended = ended;
    state.motion.cues = cues;
    return other;
  }
  void observe(const Model& model, const State& before, StepReport& report, State& state) const override {
    if (tracks_) tracks_->observe(model, before, report, state);
    if (rings_ && state.substep == 0) report.failure = failed_at_start(model);
    if (report.failure) return;
    std::vector<MotionMark> marks;
    // What would have begun did begin for events, though what they started has changed it.
    std::vector<ContactEvent> begun;
    const bool met = !report.met.empty();
    if (met) {
      begun = report.contacts;
      report.contacts = united(report.met, report.contacts);
    }
    MotionWatch* watch = MotionWatch::of(graph_, state);
    MotionLook look(graph_, model, before, report, state, marks,
                    watches_ && watch && watch->is_made() ? watch : nullptr);
    look.after_substep();
    if (met) report.contacts = std::move(begun);
    report.motion.insert(report.motion.end(), marks.begin(), marks.end());
    if (look.failure()) {
      report.failure = look.failure();
      look.take_back();
      state.motion.own.notes.reset();
    } else if (watches_ && !watch) {
      state.motion.own.notes = std::make_unique<MotionWatch>(graph_);
    } else if (watches_ && !watch->is_made()) {
      watch->make(graph_, model, state, report);
    }
  }

 private:
  bool has_ring_of_cases() const {
    const auto& boxes = graph_.boxes;
    for (std::size_t from = 0; from < boxes.size(); ++from) {
      if (!boxes[from].is_case()) continue;
      std::vector<bool> met(boxes.size(), false);
      std::vector<std::size_t> left = {from};
      while (!left.empty()) {
        const std::size_t at = left.back();
        left.pop_back();
        for (const std::size_t next : boxes[at].next) {
          if (next == from) return true;
          if (!boxes[next].is_case() || met[next]) continue;
          met[next] = true;
          left.push_back(next);
        }
      }
    }
    return false;
  }
  /// Nobody could be told as the run began: its first sub-step is.
  std::optional<Diagnostic> failed_at_start(const Model& model) const {
    State start = initial_state(model);
    start.motion = initial();
    std::vector<MotionMark> marks;
    const StepReport none;
    MotionLook look(graph_, model, start, none, start, marks);
    look.at_start();
    return look.failure();
  }

  /// A procedure that runs.
  struct Running {
    const ProcedureKind& kind;
    const MotionContext& context;
    const RunningProcedure& own;
    std::span<const double> memory, path;
    const BoundBox& box;
    const BoundOther& other;
  };
  struct Ride {
    std::uint32_t part, parent;
    double feels;
    std::span<double> memory;
    std::optional<Ridden> frame = {};

    std::optional<std::array<std::uint32_t, 3>> nodes() const {
      if (memory[0] < 0) return std::nullopt;
      std::array<std::uint32_t, 3> out{};
      for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<std::uint32_t>(memory[i]);
      return out;
    }
  };
  /// Null: all events are looked at.
  MotionWatch* made_watch(const State& state) const {
    MotionWatch* watch = watches_ ? MotionWatch::of(graph_, state) : nullptr;
    return watch && watch->is_made() ? watch : nullptr;
  }
  struct Paved {
    std::size_t body;
    int says;  // 1: the procedure itself says where it goes
    Lead lead;
  };

  template <class Visit>
  void each_running(const Model& model, const State& state, const Visit& visit,
                    std::span<const NumberTold> told = {}) const {
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = graph_.number(running.box);
      const std::uint32_t body = model.bodies.number(running.object);
      if (at == graph_.boxes.size() || !graph_.boxes[at].procedure || body >= model.bodies.size()) continue;
      const BoundBox& box = graph_.boxes[at];
      const std::span<const double> values(running.values);
      const std::size_t count = box.values.size(), own = box.procedure->memory;
      const BoundOther& other = about_of(box, running, model, state.substep);
      MotionContext context{
          model,       state,           state,       body,       other.others, other.anything, values.first(count),
          box.sources, other.way.get(), box.moments, other.thing};
      context.told_now = told;
      visit(Running{*box.procedure, context, running, values.subspan(count, own), values.subspan(count + own), box,
                    other});
    }
  }

  static void stir_all(std::span<BodyForces> forces) {
    for (BodyForces& body : forces) body.stirred = true;
  }
  /// Nothing sleeps through what keys change of what runs: of how things meet, or of numbers, whatever lies on what.
  void stir_keyed(const Model& model, const State& state, std::span<BodyForces> forces) const {
    if (!graph_.any_keys || state.substep == 0) return;
    const double film = model.clock.film(state.substep), before = model.clock.film(state.substep - 1);
    each_running(model, state, [&](const Running& r) {
      if (r.kind.look && !r.kind.direct) return;
      const bool changed = &r.other != &about_of(r.box, r.own, model, state.substep - 1) ||
                           std::any_of(r.box.keys.begin(), r.box.keys.end(),
                                       [&](const BoundKeys& keys) { return keys.at(film) != keys.at(before); });
      if (!changed) return;
      if (r.kind.tell || r.kind.claim == Claim::material) return stir_all(forces);
      forces[r.context.body].stirred = true;
    });
  }
  /// Before numbers are told: who sets the friction of a thing has the last word. Nothing sleeps through a change, whatever lies on what.
  void direct_materials(const Model& model, const State& state, std::span<BodyForces> forces) const {
    each_running(model, state, [&](const Running& r) {
      if (r.kind.claim != Claim::material) return;
      r.kind.direct(r.context, r.own, r.memory, forces[r.context.body]);
      if (!r.own.done || r.own.start == state.substep) stir_all(forces);
    });
  }

  BoundGraph graph_;
  bool rings_ = false;  ///< cases lead to each other in a ring
  bool watches_;        ///< events that are within their margins are not looked at
  std::shared_ptr<const Director> tracks_;
  std::unique_ptr<const ToldBodies> told_;  ///< null: no box tells a number
};

}  // namespace

std::shared_ptr<const Director> make_motion_director(const Scene& scene, const Model& model,
                                                     std::shared_ptr<const Director> tracks, EventLooks looks) {
  auto director = std::make_shared<MotionDirector>(scene, model, tracks, looks);
  if (director->empty()) return tracks;
  return director;
}

}  // namespace hazumi
