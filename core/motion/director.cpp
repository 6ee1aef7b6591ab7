#include "core/motion/director.h"

#include <algorithm>

#include "core/motion/look.h"

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

class MotionDirector final : public Director {
 public:
  MotionDirector(const Scene& scene, const Model& model, std::shared_ptr<const Director> tracks)
      : graph_(scene, model), tracks_(std::move(tracks)) {}
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
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = graph_.number(running.box);
      const std::uint32_t body = model.bodies.number(running.object);
      if (at == graph_.boxes.size() || !graph_.boxes[at].procedure || body >= model.bodies.size()) continue;
      const BoundBox& box = graph_.boxes[at];
      if (!box.procedure->look || running.start > state.substep) continue;
      const std::size_t count = box.values.size();
      const std::span<const double> values(running.values);
      const MotionContext context{model,       state,        state, body, box.others, box.anything, values.first(count),
                                  box.sources, box.way.get()};
      box.procedure->look(context, context.time(static_cast<double>(state.substep - running.start)),
                          values.subspan(count), looks[body]);
    }
  }
  void drive(const Model& model, std::int64_t substep, std::span<JointDrive> joints) const override {
    if (tracks_) tracks_->drive(model, substep, joints);
  }
  void begin(const Model& model, State& state, std::vector<MotionMark>& marks) const override {
    StepReport none;
    MotionLook(graph_, model, state, none, state, marks).at_start();
  }
  void direct(const Model& model, const State& state, std::span<BodyForces> forces) const override {
    if (tracks_) tracks_->direct(model, state, forces);
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = graph_.number(running.box);
      const std::uint32_t body = model.bodies.number(running.object);
      if (at == graph_.boxes.size() || !graph_.boxes[at].procedure || body >= model.bodies.size()) continue;
      const BoundBox& box = graph_.boxes[at];
      const std::size_t count = box.values.size();
      const std::span<const double> values(running.values);
      const MotionContext context{
          model,       state,         state,     body, box.others, box.anything, values.first(count),
          box.sources, box.way.get(), box.source};
      if (box.procedure->look) continue;  // it acts on nothing
      if (running.start == state.substep) forces[body].stirred = true;
      const bool was_led = forces[body].led.has_value();
      if (box.procedure->direct) box.procedure->direct(context, running, values.subspan(count), forces[body]);
      if (!was_led && forces[body].led && running.start == state.substep) forces[body].handed_over = true;
    }
    for (const EndedProcedure& ended : state.motion.ended)
      if (const std::uint32_t body = model.bodies.number(ended.object);
          ended.substep + 1 == state.substep && body < forces.size()) {
        const std::size_t at = graph_.number(ended.box);
        if (at < graph_.boxes.size() && graph_.boxes[at].procedure && graph_.boxes[at].procedure->look) continue;
        forces[body].stirred = true;
        if (at < graph_.boxes.size() && graph_.boxes[at].procedure &&
            graph_.boxes[at].procedure->claim == Claim::motion)
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
    MotionLook look(graph_, model, before, seen, state, marks);
    if (!look.any_collision()) return false;
    const MotionState kept = state.motion;
    look.after_substep(true);
    bool other = false;
    for (const RunningProcedure& running : state.motion.running) {
      const std::size_t at = graph_.number(running.box);
      if (running.start != state.substep + 1 || graph_.boxes[at].procedure->claim != Claim::contact) continue;
      const std::uint32_t body = model.bodies.number(running.object);
      BodyForces told;
      const std::size_t count = graph_.boxes[at].values.size();
      const std::span<const double> values(running.values);
      const MotionContext context{model,
                                  state,
                                  state,
                                  body,
                                  graph_.boxes[at].others,
                                  graph_.boxes[at].anything,
                                  values.first(count),
                                  graph_.boxes[at].sources,
                                  graph_.boxes[at].way.get(),
                                  graph_.boxes[at].source};
      graph_.boxes[at].procedure->direct(context, running, values.subspan(count), told);
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
    MotionLook(graph_, model, before, report, state, marks).after_substep();
    report.contacts = std::move(begun);
    report.motion.insert(report.motion.end(), marks.begin(), marks.end());
  }

 private:
  BoundGraph graph_;
  std::shared_ptr<const Director> tracks_;
};

}  // namespace

std::shared_ptr<const Director> make_motion_director(const Scene& scene, const Model& model,
                                                     std::shared_ptr<const Director> tracks) {
  auto director = std::make_shared<MotionDirector>(scene, model, tracks);
  if (director->empty()) return tracks;
  return director;
}

}  // namespace hazumi
