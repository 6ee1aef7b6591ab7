// The pipeline of one sub-step (docs/architecture.md, "One frame"). Every stage is its own piece of code; this file only
// says in which order they run and what happens when a body leaves the finite numbers.
//
//   drive      gravity, and the forces that carry what rested in the step before (contact/resting.h)
//   direct     what the director tells bodies (director.h)
//   elastic    every body advances by itself; flexible ones implicitly (advance.h)
//   detect     where shapes met between the two positions (contact/shape.h, contact/narrow.h)
//   impact     impulses of Hertz pulses, open and new (contact/impact.h); repeated for bodies that were hit, since after a
//              rebound they may meet something else within the same sub-step
//   constrain  resting contact and friction (contact/resting.h)
//   correct    overlaps are taken out
//   observe    events and touching pairs for the run log; the director looks at what happened
#include "core/sim/step.h"

#include <algorithm>
#include <cmath>

#include "core/sim/advance.h"
#include "core/sim/contact/impact.h"
#include "core/sim/contact/narrow.h"
#include "core/sim/contact/resting.h"
#include "core/sim/contact/shape.h"

namespace hazumi {

struct StepWorkspace::Data {
  State before;  ///< to go back to when the step fails
  std::vector<BodyForces> forces;
  std::vector<ElasticWorkspace> elastic;
  std::vector<char> good;
  std::vector<BodyShape> shapes;
  std::vector<BodyMotion> motions;
  std::vector<Vec3> velocity_from, centre_from, node_velocities;
  NearPairs near;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<Contact> contacts;

  void prepare(const Model& model) {
    const std::size_t n = model.bodies.size();
    forces.resize(n);
    elastic.resize(n);
    shapes.resize(n);
    motions.resize(n);
    velocity_from.resize(n);
    good.assign(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      forces[i].force.setZero();
      forces[i].torque.setZero();
      forces[i].acceleration.setZero();
      motions[i].unload();
      const Body& body = model.bodies[i];
      forces[i].nodes.assign(body.deforms ? body.truss.nodes.size() : 0, Vec3::Zero());
    }
  }
};

StepWorkspace::StepWorkspace() : data_(std::make_unique<Data>()) {}
StepWorkspace::~StepWorkspace() = default;

namespace {

constexpr std::size_t kBlock = 4;  // bodies per block of parallel work
constexpr int kImpactPasses = 4;   // rebounds of one body within a sub-step that are followed

Diagnostic divergence(const Body& body) {
  return {Severity::error, body.name, "The motion of \"" + body.name + "\" left all bounds; the run stops before it.",
          body.divergence_hint()};
}

using Data = StepWorkspace::Data;

/// Motion of body i as the state has it now. `at_end`: node positions of the shape's end, else of its start.
void load(const Model& model, const State& state, Data& w, std::uint32_t i, bool at_end) {
  if (w.motions[i].loaded()) return;
  w.motions[i].load(model.bodies[i], state.bodies[i].values, at_end ? w.shapes[i].nodes_to : w.shapes[i].nodes_from);
}

void drive(const Model& model, const State& state, Data& w) {
  for (const RestingImpulse& r : state.resting)
    for (std::uint32_t i : {r.body_a, r.body_b}) load(model, state, w, i, false);
  supporting_forces(model, state.resting, w.motions, w.forces);
  for (BodyMotion& motion : w.motions) motion.unload();
}

void read_shapes(const Model& model, const State& state, Data& w, bool at_end, Executor& executor) {
  const double time = static_cast<double>(state.substep) * model.step;
  executor.blocks(model.bodies.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Body& body = model.bodies[i];
      BodyShape& shape = w.shapes[i];
      shape.body = &body;
      shape.active = body.proxy.shape != ContactShape::none && body.present(time);
      shape.moment = 0;
      if (!shape.active) continue;
      read_shape(body, state.bodies[i].values, at_end, shape);
      if (at_end) finish_shape(shape);
    }
  });
}

/// Impacts until nothing more is hit, at most kImpactPasses times; w.contacts are then those of the last pass.
void impacts(const Model& model, State& state, Data& w, StepReport& report) {
  ImpactContext context{model, w.shapes, w.motions, w.velocity_from, state.substep};
  const auto load_all = [&] {
    for (const Contact& c : w.contacts)
      for (std::uint32_t i : {c.body_a, c.body_b}) {
        if (!w.motions[i].loaded())
          w.velocity_from[i] = model.bodies[i].centre_velocity(w.before.bodies[i].values, w.node_velocities);
        load(model, state, w, i, true);
      }
    for (const ContactPulse& p : state.pulses)
      for (std::uint32_t i : {p.body_a, p.body_b}) load(model, state, w, i, true);
    for (const RestingImpulse& r : state.resting)
      for (std::uint32_t i : {r.body_a, r.body_b}) load(model, state, w, i, true);
  };
  std::erase_if(state.pulses,
                [&](const ContactPulse& p) { return !w.shapes[p.body_a].active || !w.shapes[p.body_b].active; });
  std::erase_if(state.resting,
                [&](const RestingImpulse& r) { return !w.shapes[r.body_a].active || !w.shapes[r.body_b].active; });

  w.near.find(w.shapes, w.pairs);
  find_contacts(w.shapes, w.pairs, w.contacts);
  load_all();
  continue_pulses(context, state.pulses);
  for (int pass = 0;; ++pass) {
    const std::vector<std::uint32_t> hit = begin_pulses(context, w.contacts, state.pulses, report.contacts);
    for (const Contact& c : w.contacts)
      if (touches(c)) report.touching.emplace_back(model.bodies[c.body_a].id, model.bodies[c.body_b].id);
    if (hit.empty() || pass + 1 == kImpactPasses) break;
    // The bodies that were hit go on from where they were when they touched.
    std::vector<double> moment(w.shapes.size(), 1.0);
    for (const Contact& c : w.contacts)
      for (std::uint32_t i : {c.body_a, c.body_b})
        if (c.gap < 0) moment[i] = std::min(moment[i], c.moment);
    for (std::uint32_t i : hit) {
      BodyShape& shape = w.shapes[i];
      const Body& body = model.bodies[i];
      w.motions[i].store(body, state.bodies[i].values);
      const double s = moment[i];
      shape.from.position += s * (shape.to.position - shape.from.position);
      shape.from.rotation = shape.from.rotation.slerp(s, shape.to.rotation);
      for (std::size_t k = 0; k < shape.nodes_from.size(); ++k)
        shape.nodes_from[k] += s * (shape.nodes_to[k] - shape.nodes_from[k]);
      shape.moment += s * (1 - shape.moment);
      read_shape(body, state.bodies[i].values, true, shape);
      finish_shape(shape);
      w.motions[i].unload();
      w.motions[i].load(body, state.bodies[i].values, shape.nodes_to);
      w.velocity_from[i] = w.motions[i].velocity();
    }
    w.near.find(w.shapes, w.pairs);
    find_contacts(w.shapes, w.pairs, w.contacts);
    load_all();
  }
}

bool finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

StepReport step(const Model& model, State& state, StepWorkspace& workspace, Executor& executor) {
  Data& w = workspace.data();
  StepReport report;
  w.before = state;
  w.prepare(model);
  const auto fail = [&](std::size_t body) {
    state = w.before;
    report = StepReport();
    report.ok = false;
    report.failure = divergence(model.bodies[body]);
    return report;
  };

  read_shapes(model, state, w, false, executor);
  w.centre_from.resize(w.shapes.size());
  for (std::size_t i = 0; i < w.shapes.size(); ++i) w.centre_from[i] = w.shapes[i].from.position;
  drive(model, state, w);
  if (model.director) model.director->direct(model, state, w.forces);
  advance_bodies(model, state, w.forces, w.elastic, executor, w.good);
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (!w.good[i]) return fail(i);

  read_shapes(model, state, w, true, executor);
  impacts(model, state, w, report);
  solve_resting(model, w.contacts, w.motions, state.resting);
  separate(model, w.contacts, w.motions);
  hold_back(model, w.centre_from, w.motions);
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (!w.motions[i].loaded()) continue;
    w.motions[i].store(model.bodies[i], state.bodies[i].values);
    if (!finite(state.bodies[i].values)) return fail(i);
  }

  std::sort(report.touching.begin(), report.touching.end());
  report.touching.erase(std::unique(report.touching.begin(), report.touching.end()), report.touching.end());
  std::stable_sort(report.contacts.begin(), report.contacts.end(),
                   [](const ContactEvent& x, const ContactEvent& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  if (model.director) model.director->observe(model, report, state);
  ++state.substep;
  return report;
}

}  // namespace hazumi
