// The pipeline of one sub-step (docs/architecture.md, "One frame"). Every stage is its own piece of code; this file only
// says in which order they run and what happens when a body leaves the finite numbers.
//
//   direct     what the director tells bodies (director.h), and what fields of force do to them (fields/stage.h)
//   move       every body by itself, freely; flexible ones implicitly (advance.h); what joints hold together at once (constraint/linkage.h)
//   sleep      what is at rest and left alone stays as it is (constraint/sleep.h)
//   contact    where shapes met on the way, and the same sub-step again with the impulses that this takes (constraint/contacts.h)
//   crack      what is stretched beyond what it holds breaks (elastic/brittle.h)
//   observe    events and touching pairs for the run log; the director looks at what happened
//   particles  are born, fly and meet what has moved (particles/stage.h)
#include "core/sim/step.h"

#include <algorithm>
#include <cmath>

#include "core/sim/advance.h"
#include "core/sim/constraint/contacts.h"
#include "core/sim/constraint/linkages.h"
#include "core/sim/contact/shape.h"

namespace hazumi {

namespace {

/// What deforms: it does not bend as it is told to, by its elastic model or its rest shape.
bool told_otherwise(const Body& body, const BodyForces& f, std::span<const double> values) {
  return !body.bends_by(f.solver, values) || body.shape(values) != f.shape;
}

}  // namespace

struct StepWorkspace::Data {
  State original;  ///< to go back to when the step fails; both without the director's events
  State before;    ///< the same, with what the director gives at once
  std::vector<BodyForces> forces, pushed;
  JointDrives drives;
  std::vector<char> holding;  ///< which joints that remember hold in this sub-step
  NumbersTold told;
  std::vector<ElasticWorkspace> elastic;
  std::vector<char> good;
  std::vector<int> passes;  ///< as in StepReport
  std::vector<BodyShape> shapes;
  std::vector<BodyMotion> motions;
  std::vector<std::uint32_t> local;
  ContactStage contacts;
  Linkages linkages;
  Sleep sleep;
  ParticleWorkspace particles;
  bool directed = false;  ///< bodies may be told something, or one that bends has a rest shape

  void prepare(const Model& model) {
    const std::size_t n = model.bodies.size();
    forces.resize(n);
    pushed.resize(n);
    elastic.resize(n);
    shapes.resize(n);
    motions.resize(n);
    local.resize(n);
    good.assign(n, 1);
    const bool deforms = std::any_of(model.bodies.begin(), model.bodies.end(), [](const Body& b) { return b.deforms; });
    passes.assign(deforms ? n : 0, 0);
    for (std::size_t i = 0; i < n; ++i) {
      BodyForces& f = forces[i];
      f.force.setZero();
      f.torque.setZero();
      f.acceleration.setZero();
      f.kick.setZero();
      f.kick_turn.setZero();
      f.put.reset();
      f.led.reset();
      f.handed_over = f.held = f.stirred = false;
      f.contacts.clear();
      f.emits.clear();
      f.size.reset();
      f.solver = -1;
      f.shape = RestShape();
      const Body& body = model.bodies[i];
      f.nodes.assign(body.deforms ? body.truss.nodes.size() : 0, Vec3::Zero());
      pushed[i].push.setZero();
    }
    drives.now.clear();
    for (const ModelJoint& joint : model.joints) drives.now.push_back(own_drive(joint));
    drives.before = drives.now;
  }

  void direct(const Model& model, const State& state, Executor& executor) {
    told.before.clear();
    told.now.clear();
    if (model.director) {
      model.director->numbers(model, state, state.substep - 1, told.before);
      model.director->numbers(model, state, state.substep, told.now);
      model.director->direct(model, state, told, forces);
      if (!drives.now.empty()) {
        drive_joints(model, state.substep - 1, told.before, drives.before);
        drive_joints(model, state.substep, told.now, drives.now);
      }
    }
    if (model.fields) model.fields->add(model, state, told.now, forces, executor);
    note_joints(model, state, drives, forces, holding);
    directed = model.director && (!passes.empty() || model.director->tells(state));
    if (!directed) return;
    for (std::size_t i = 0; i < forces.size(); ++i) {
      if (forces[i].led && !model.bodies[i].can_be_led()) forces[i].led.reset();
      if (model.bodies[i].deforms && told_otherwise(model.bodies[i], forces[i], state.bodies[i].values))
        forces[i].stirred = true;
    }
  }
};

StepWorkspace::StepWorkspace() : data_(std::make_unique<Data>()) {}
StepWorkspace::~StepWorkspace() = default;

namespace {

constexpr std::size_t kBlock = 4;  // bodies per block of parallel work

Diagnostic divergence(const Body& body) {
  return {Severity::error, body.name, "The motion of \"" + body.name + "\" left all bounds; the run stops before it.",
          body.divergence_hint()};
}

using Data = StepWorkspace::Data;

/// Of ten thousand events that a director remembers few change in a sub-step, and it takes those back itself: they are not copied with a
/// state meanwhile, neither from it nor into it.
class EventsAside {
 public:
  explicit EventsAside(State& state)
      : motion_(state.motion), events_(std::move(state.motion.events)), own_(std::move(state.motion.own)) {
    motion_.events.clear();
  }
  ~EventsAside() {
    motion_.events = std::move(events_);
    motion_.own = std::move(own_);
  }
  EventsAside(const EventsAside&) = delete;
  EventsAside& operator=(const EventsAside&) = delete;

 private:
  MotionState& motion_;
  std::vector<EventState> events_;
  OwnNotes own_;
};

void copy_without_events(State& from, State& to) {
  const EventsAside aside(from);
  to = from;
}
void back_to(const State& before, State& state) {
  const EventsAside aside(state);
  state = before;
}

bool gives_at_once(const Model& model, const State& state, std::span<const BodyForces> forces) {
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const BodyForces& f = forces[i];
    if (f.put || f.kick != Vec3::Zero() || f.kick_turn != Vec3::Zero()) return true;
    if (model.bodies[i].deforms && told_otherwise(model.bodies[i], f, state.bodies[i].values)) return true;
  }
  return false;
}

/// What the director gives bodies at once as the sub-step begins; J, by which their energy changed.
double kick_bodies(const Model& model, State& state, std::span<const BodyForces> forces) {
  double given = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const BodyForces& f = forces[i];
    const Body& body = model.bodies[i];
    std::vector<double>& values = state.bodies[i].values;
    const bool bends_else = body.deforms && !body.bends_by(f.solver, values);
    const bool shaped = body.deforms && body.shape(values) != f.shape;
    const bool goes_else = !f.led && (f.put || f.kick != Vec3::Zero() || f.kick_turn != Vec3::Zero() || shaped);
    if (!bends_else && !goes_else) continue;
    const Observables before = body.observe(values);
    if (bends_else) body.bend_by(f.solver, values);
    if (goes_else) {
      if (f.put && body.put(*f.put, values)) forget_rows(state, static_cast<std::uint32_t>(i));
      if (body.deforms && body.shape(values) != f.shape) body.take_shape(values, f.shape);
      const Vec3 centre = f.put ? body.observe(values).centre : before.centre;
      if (f.put && body.gravity) given -= body.mass * model.gravity.dot(centre - before.centre);
      kick(body, f, centre, values);
    }
    const Observables after = body.observe(values);
    given += after.kinetic_energy + after.elastic_energy - before.kinetic_energy - before.elastic_energy;
  }
  return given;
}

/// What was held where it was is given the size that keys say. Of bodies that sleep the work is 0.
void read_volumes(const Model& model, State& state, Data& w, StepReport& report) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    std::vector<double>& values = state.bodies[i].values;
    if (w.forces[i].size && !body.has_size(values, *w.forces[i].size))
      report.volume.work += body.resize(*w.forces[i].size, values);
    const auto volume = body.volume(values);
    if (!volume) continue;
    report.volume.work += volume->work;
    report.volume.off = std::max(report.volume.off, std::abs(volume->volume / volume->wanted - 1));
  }
}

void read_shapes(const Model& model, const State& state, Data& w, bool at_end, Executor& executor) {
  const double time = model.clock.film(state.substep);
  executor.blocks(model.bodies.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = model.bodies[i];
      BodyShape& shape = w.shapes[i];
      shape.body = &body;
      shape.active = body.proxy.shape != ContactShape::none && body.present(time, state.bodies[i].values);
      if (!shape.active) continue;
      read_shape(body, state.bodies[i].values, at_end, shape);
      if (at_end) finish_shape(shape);
    }
  });
}

/// What breaks does so when nothing of the sub-step is made again and all that its rows knew of its answers is used. Rows know its
/// vertices by numbers that are others then: what they remember is of no use any more.
void crack_bodies(const Model& model, State& state, const Sleep& sleep) {
  for (std::uint32_t i = 0; i < model.bodies.size(); ++i) {
    if (sleep.of(i) || !model.bodies[i].crack(state.bodies[i].values)) continue;
    forget_rows(state, i);
  }
}

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Moves everything from w.before over the sub-step; the number of a body that left the finite numbers, else nothing.
std::optional<std::size_t> move_bodies(const Model& model, State& state, Data& w, double given, Executor& executor,
                                       StepReport& report) {
  read_shapes(model, state, w, false, executor);
  for (bool woken = true; woken;) {  // again where something meets what sleeps
    report = StepReport();
    report.given = given;
    advance_bodies(model, w.before, state, w.forces, w.elastic, executor, w.good, w.sleep.bodies(),
                   w.linkages.of_bodies(), w.passes);
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      if (!w.good[i]) return i;
    w.linkages.advance(model, w.before, state, w.forces, w.drives, w.sleep.bodies(), executor);
    read_shapes(model, state, w, true, executor);
    const Substep substep{model,     w.before, state,       w.forces, w.pushed,
                          w.motions, w.local,  &w.linkages, w.passes, &executor};
    woken = false;
    if (const auto failed = w.contacts.run(substep, w.shapes, executor, w.sleep, woken, report)) return failed;
    if (!woken) continue;
    for (std::size_t i = 0; i < model.bodies.size(); ++i) state.bodies[i].values = w.before.bodies[i].values;
  }
  report.passes = w.passes;
  if (!model.joints.empty()) w.linkages.settle(model, w.before, state, w.sleep.bodies(), executor, report);
  crack_bodies(model, state, w.sleep);
  read_volumes(model, state, w, report);
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!finite(state.bodies[i].values)) return i;
  return std::nullopt;
}

/// In order of (a, b).
void sort_report(StepReport& report) {
  std::sort(report.touching.begin(), report.touching.end());
  report.touching.erase(std::unique(report.touching.begin(), report.touching.end()), report.touching.end());
  const auto in_order = [](const auto& x, const auto& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; };
  std::stable_sort(report.contacts.begin(), report.contacts.end(), in_order);
  std::stable_sort(report.touches.begin(), report.touches.end(), in_order);
}

}  // namespace

StepReport step(const Model& model, State& state, StepWorkspace& workspace, Executor& executor) {
  Data& w = workspace.data();
  StepReport report;
  // Bodies do not know of them: they are not copied with what is made again.
  std::vector<ParticleMemory> particles = std::move(state.particles);
  w.prepare(model);
  w.direct(model, state, executor);
  w.sleep.find(model, state, w.forces, w.holding);
  const bool gives = w.directed && gives_at_once(model, state, w.forces);
  if (gives) copy_without_events(state, w.original);
  const double given = gives ? kick_bodies(model, state, w.forces) : 0;
  if (model.director || !w.sleep.all()) copy_without_events(state, w.before);
  for (std::size_t i = 0; i < w.passes.size() && i < w.before.bodies.size(); ++i)
    model.bodies[i].begin_volume(w.before.bodies[i].values);
  report.given = given;
  const auto fail = [&](Diagnostic why) {
    back_to(gives ? w.original : w.before, state);
    state.particles = std::move(particles);
    report = StepReport();
    report.ok = false;
    report.failure = std::move(why);
    return report;
  };
  if (!w.sleep.all()) {
    w.linkages.find(model, w.before, w.forces, w.drives);
    if (const auto failed = move_bodies(model, state, w, given, executor, report))
      return fail(divergence(model.bodies[*failed]));
    if (model.director && model.director->give_way(model, report, state, w.forces)) {
      back_to(w.before, state);
      w.sleep.find(model, state, w.forces, w.holding);
      if (const auto failed = move_bodies(model, state, w, given, executor, report))
        return fail(divergence(model.bodies[*failed]));
    }
    // What meets is told by what it starts, in the very collision: the sub-step is made again with that.
    if (model.director && model.director->foresee(model, w.before, report, state, w.forces)) {
      std::vector<ContactEvent> met = std::move(report.contacts);
      back_to(w.before, state);
      if (const auto failed = move_bodies(model, state, w, given, executor, report))
        return fail(divergence(model.bodies[*failed]));
      report.met = std::move(met);
    }
  } else if (!model.joints.empty()) {
    w.linkages.find(model, state, w.forces, w.drives);
    w.linkages.settle(model, state, state, w.sleep.bodies(), executor, report);
  }
  if (model.director) model.director->carry(model, w.before, state);
  if (w.sleep.any()) w.sleep.touching(model, w.sleep.all() ? state : w.before, report.touching);
  sort_report(report);
  if (model.director) model.director->observe(model, w.before, report, state);
  if (report.failure) return fail(*report.failure);
  state.particles = std::move(particles);
  if (model.particles) {
    const bool still = w.sleep.all() && !model.director;  // then there is no state before
    std::vector<ParticleBurst> asked;
    for (const BodyForces& f : w.forces) asked.insert(asked.end(), f.emits.begin(), f.emits.end());
    const CopyTurn turn =
        model.particles->advance(model, still ? state : w.before, state, asked, w.told, w.particles, executor);
    report.born = turn.born;
    report.gone = turn.gone;
    report.bore = turn.bore;
    report.denied = turn.denied;
  }
  ++state.substep;
  return report;
}

}  // namespace hazumi
