// Change Solver: a flexible body gets another elastic model as it goes. What stays, what is booked, and that nothing else knows of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/motion/check.h"
#include "core/scene/derived/told_solvers.h"
#include "core/scene/derived/tracks.h"
#include "core/sim/constraint/linkages.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/frames_of.h"
#include "tests/support/graph.h"
#include "tests/support/sanitized.h"

namespace solver_test {

using namespace hazumi;
using namespace hazumi::test;
using reference::Dice;

namespace {

double number_of(const char* solver) { return number_of_solver(solver); }
const char* const kSolvers[] = {"fem", "lagrange", "polyhedral", "shape_matching", "springs"};

int below(Dice& dice, int n) { return std::min(static_cast<int>(dice.uniform(0, n)), n - 1); }
Vec3 some(Dice& dice, double size) {
  const double x = dice.uniform(-size, size), y = dice.uniform(-size, size), z = dice.uniform(-size, size);
  return {x, y, z};
}

void pin(Object& o, int count) {
  StrungTruss truss = to_strung(make_truss(truss_recipe(o.analysis)));
  for (int i = 0; i < count; ++i) truss.nodes[static_cast<std::size_t>(i)].pinned = true;
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
}

struct Stage {
  World world;
  Id jelly;
  Graph graph{world};
  explicit Stage(const Vec3& at = Vec3(0, 1, 0), const std::function<void(Object&)>& how = {}) {
    Object o = World::jelly(0.3, at, 3e3);
    o.body.velocity = Vec3(0.5, 1, -0.2);
    o.body.spin = Vec3(1, -2, 3);
    if (how) how(o);
    jelly = world.add(o);
  }
  Id change(double time, const char* solver) {
    const Id box = graph.does("solver", jelly, {{"solver", number_of(solver)}});
    graph.wire(graph.when("time", jelly, {{"time", time}}), box);
    return box;
  }
};

std::vector<Vec3> places(const Run& run, Id id) {
  const Body& body = run.model->bodies[run.index(id)];
  std::vector<Vec3> x(body.truss.nodes.size());
  body.positions(run.state.bodies[run.index(id)].values, x);
  return x;
}

/// By the number of its own solver, or of the one that it was told.
int bends_as(const Run& run, Id id) {
  const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
  const auto& values = run.state.bodies[run.index(id)].values;
  for (const OtherElastic& other : body.others)
    if (body.bends_by(other.number, values)) return other.number;
  return body.own_number;
}

double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

/// What a run gains in a sub-step beyond what it was given and what contacts gave back of what they had taken, J: the most.
struct Account {
  double given = 0, most = 0, scale = 0;
  template <class OneRun>
  void step(OneRun& run) {
    const auto energy = [&] { return run.energy() + joint_energy(*run.model, run.state); };
    const double before = energy();
    const StepReport report = run.step();
    REQUIRE(report.ok);
    given += report.given;
    scale = std::max(scale, std::abs(before) + std::abs(report.given));
    const ContactFigures& contacts = report.figures;
    const JointFigures& joints = report.joint_figures;
    const double told = report.given + report.volume.work + contacts.work + contacts.led + contacts.projected +
                        joints.motors + joints.leads + joints.pulls;
    most = std::max(most, energy() - before - told);
  }
};

}  // namespace

TEST_CASE("Whatever it bends by, a body that changes keeps places, momenta and pins", "[motion][solver]") {
  const auto seed = 20271129u;
  Dice dice(seed);
  for (int k = 0; k < rounds(200, 20); ++k) {
    INFO("seed " << seed << ", round " << k);
    const bool pinned = k % 4 == 1, volume = k % 5 == 2, yields = k % 7 == 3;
    Stage s(Vec3(1, 2, 3), [&](Object& o) {
      o.body.solver = kSolvers[below(dice, 5)];
      if (volume) o.body.volume.of = VolumeOf::hull;
      if (yields) set_parameter(o.body.parameters, {"lagrange", "yield", {}, 0.05});
      o.body.damping = k % 3 == 0 ? 5 : 0;
      if (pinned) pin(o, 1 + below(dice, 3));
    });
    for (const char* solver : kSolvers) s.change(100, solver);
    Run run(s.world);
    const std::size_t at = run.index(s.jelly);
    const FlexibleBody& body = flexible(run.model->bodies[at]);
    REQUIRE(body.others.size() == 4);
    std::vector<double>& values = run.state.bodies[at].values;
    const std::size_t n = body.truss.nodes.size();
    // Bent, and in motion.
    std::vector<Vec3> way(n), u(n), now(n);
    std::vector<NodeImpulse> kicks(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      way[i] = some(dice, 0.08);
      kicks[i] = {i, body.truss.masses[i] * some(dice, 2)};
    }
    body.elastic->displace(values, way);
    body.elastic->apply_impulses(values, kicks);
    run.steps(5);
    for (int turn = 0; turn < 6; ++turn) {
      const std::vector<Vec3> x = places(run, s.jelly);
      body.node_velocities(values, u);
      const Observables before = run.at(s.jelly);
      const int next = below(dice, 6) - 1;
      body.bend_by(next, values);
      CHECK(body.bends_by(next, values));
      const Observables after = run.at(s.jelly);
      CHECK(apart(places(run, s.jelly), x) < 1e-14);
      body.node_velocities(values, now);
      CHECK(apart(now, u) < 1e-14);
      CHECK((after.momentum - before.momentum).norm() < 1e-12);
      CHECK((after.angular_momentum - before.angular_momentum).norm() < 1e-12);
      CHECK(std::abs(after.kinetic_energy - before.kinetic_energy) < 1e-12);
      for (const std::uint32_t pin : body.truss.pinned) CHECK((places(run, s.jelly)[pin] - x[pin]).norm() < 2e-15);
      run.steps(2);
    }
  }
}

TEST_CASE("It bends by another solver from when it is told to, and by its own again", "[motion][solver]") {
  Stage s(Vec3(0, 1, 0), [](Object& o) { o.body.damping = 0; });
  const Id first = s.change(0.1, "springs"), own = s.change(0.3, "lagrange");
  s.change(0.4, "fem");
  MotionRun run(s.world);
  int before = number_of_solver("lagrange");
  Account account;
  const double begun = run.energy();
  while (static_cast<double>(run.state.substep) * run.model->step < 0.6) {
    account.step(run);
    const double t = static_cast<double>(run.state.substep) * run.model->step;
    const int is = bends_as(run, s.jelly), expected = t < 0.1 + 1e-9   ? number_of_solver("lagrange")
                                                      : t < 0.3 + 1e-9 ? number_of_solver("springs")
                                                      : t < 0.4 + 1e-9 ? number_of_solver("lagrange")
                                                                       : number_of_solver("fem");
    INFO(t);
    CHECK(is == expected);
    before = is;
  }
  CHECK(before == number_of_solver("fem"));
  CHECK(std::abs(run.energy() - begun - account.given) < 1e-9);
  MotionRun log(s.world);
  log.seconds(1);
  CHECK(log.count(first, MotionTurn::started) == 1);
  CHECK(log.count(first, MotionTurn::ended) == 1);
  CHECK(log.time_of(own, 0, MotionTurn::started) == Approx(0.3));
}

TEST_CASE("What changes to the solver that it has goes on with the same bits", "[motion][solver]") {
  for (const char* solver : kSolvers) {
    INFO(solver);
    const auto make = [&](double last) {
      Stage s(Vec3(0, 0.5, 0), [&](Object& o) { o.body.solver = solver; });
      s.world.floor();
      s.change(0.05, solver);
      s.change(0.1, solver);
      if (last > 0) s.change(last, "polyhedral");
      return s;
    };
    Stage plain(Vec3(0, 0.5, 0), [&](Object&o) { o.body.solver = solver; }), told = make(0), later = make(0.7);
    plain.world.floor();
    Run a(plain.world), b(told.world), c(later.world);
    for (int k = 0; k < 40; ++k) {
      a.step();
      b.step();
      c.step();
      CHECK(a.state.bodies[a.index(plain.jelly)].values == b.state.bodies[b.index(told.jelly)].values);
      CHECK(a.state.bodies[a.index(plain.jelly)].values == c.state.bodies[c.index(later.jelly)].values);
    }
  }
}

TEST_CASE("Told twice to bend by one it goes on as told once", "[motion][solver]") {
  Stage once, twice;
  for (Stage* s : {&once, &twice}) {
    s->world.floor();
    s->change(0.1, "springs");
  }
  twice.change(0.3, "springs");
  Run a(once.world), b(twice.world);
  for (int k = 0; k < 60; ++k) {
    a.step();
    b.step();
    CHECK(a.state.bodies[a.index(once.jelly)].values == b.state.bodies[b.index(twice.jelly)].values);
  }
}

namespace {

/// Soft things of all models on a floor and on each other, one of them perhaps pinned, led or joined, that change as they go.
struct Crowd {
  World world;
  Graph graph{world};
  std::vector<Id> soft;

  std::string text;
  bool told_roughly = false;  ///< a volume is kept, or a joint holds

  explicit Crowd(Dice& dice) {
    world.scene.settings.substeps = 1 + below(dice, 4);
    const Id floor = world.floor(dice.uniform(0, 1), dice.uniform(0, 0.8));
    const int count = 1 + below(dice, 3);
    for (int k = 0; k < count; ++k) {
      Object o = World::jelly(dice.uniform(0.1, 0.4), Vec3(0.1 * k, 0.5 + 0.7 * k, 0), std::pow(10, dice.uniform(2, 4)),
                              dice.uniform(0.2, 3), below(dice, 3) > 0);
      if (below(dice, 3) == 0) {
        o.analysis.kind = AnalysisKind::box_grid;
        o.analysis.divisions = {1 + below(dice, 2), 1, 1 + below(dice, 2)};
      }
      o.name = "soft" + std::to_string(k);
      o.body.solver = kSolvers[below(dice, 5)];
      o.body.damping = below(dice, 2) == 0 ? 0 : dice.uniform(0, 20);
      o.body.velocity = some(dice, 3);
      o.body.spin = some(dice, 4);
      if (below(dice, 4) == 0) o.body.volume.of = VolumeOf::hull;
      if (below(dice, 6) == 0) set_parameter(o.body.parameters, {"lagrange", "yield", {}, 0.1});
      if (below(dice, 5) == 0 && o.analysis.kind == AnalysisKind::icosahedron) pin(o, 1 + below(dice, 3));
      text += o.body.solver + (o.body.volume.of == VolumeOf::off ? ", " : " keeping its volume, ");
      told_roughly = told_roughly || o.body.volume.of != VolumeOf::off;
      soft.push_back(world.add(o));
    }
    if (below(dice, 2) == 0) world.add(World::sphere(0.15, Vec3(0.05, 3, 0.02), dice.uniform(0.1, 3)));
    if (below(dice, 3) == 0) {
      Joint joint;
      joint.id = next_id(world.scene);
      joint.kind = JointKind::ball;
      joint.a.object = soft.front().value;
      joint.b.place = find_object(world.scene, soft.front())->transform.position;
      if (soft.back() != soft.front()) {
        joint.b.object = soft.back().value;
        joint.b.place -= find_object(world.scene, soft.back())->transform.position;
      }
      world.scene.joints.push_back(Shared<Joint>(joint));
      text += "joined, ";
      told_roughly = true;
    }
    for (int k = 2 + below(dice, 6); k > 0; --k) {
      const Id of = soft[static_cast<std::size_t>(below(dice, count))];
      const Id box = graph.does("solver", of, {{"solver", static_cast<double>(below(dice, 5))}});
      Id when;
      if (below(dice, 3) == 0)
        when = graph.when("contact", of, {}, below(dice, 2) == 0 ? floor : Id());
      else
        when = graph.when("time", of, {{"time", dice.uniform(0, 0.45)}});
      if (below(dice, 3) == 0) graph.loop(when);
      graph.wire(when, box);
      if (below(dice, 5) > 0) continue;
      const Id shape = graph.does("pose", of, {{"stretch", dice.uniform(-30, 30)}, {"in", 0.1}, {"out", 0.2}});
      graph.wire(when, shape);
    }
  }
};

void run_crowds(int count, std::uint64_t seed) {
  Dice dice(seed);
  int changed = 0;
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    Crowd crowd(dice);
    INFO("seed " << seed << ", scene " << k << ": " << crowd.text);
    Run one(crowd.world), two(crowd.world, 2), seven(crowd.world, 7);
    Account account;
    std::vector<int> was;
    for (const Id id : crowd.soft) was.push_back(bends_as(one, id));
    const int steps = static_cast<int>(0.5 / one.model->step);
    for (int at = 0; at < steps; ++at) {
      account.step(one);
      if (k % 3 == 0) two.step();
      if (at == steps / 2 && k % 3 == 0) {  // from its saved bytes
        State back;
        REQUIRE(restore(save(two.state), back).ok());
        two.state = std::move(back);
      }
      if (k % 6 == 0 && at % 8 == 0) {
        while (seven.state.substep < one.state.substep) seven.step();
        REQUIRE(hash(seven.state) == hash(one.state));
      }
      for (std::size_t i = 0; i < was.size(); ++i) {
        const int is = bends_as(one, crowd.soft[i]);
        changed += is != was[i] ? 1 : 0;
        was[i] = is;
      }
    }
    if (k % 3 == 0) REQUIRE(hash(two.state) == hash(one.state));
    // Where joints change velocities at the end of a sub-step, what regions of a body count as elastic changes with them by a little.
    const double scale = std::max(1.0, account.scale);
    if (!crowd.told_roughly) worst = std::max(worst, account.most / scale);
    CHECK(account.most <= (crowd.told_roughly ? 1e-6 : 1e-9) * scale);
  }
  CHECK(changed > count);
  WARN(changed << " changes; the most that a sub-step gained is " << worst << " of what there is");
}

}  // namespace

TEST_CASE("Crowds that change as they go gain nothing that is not booked, on any threads and from saved bytes",
          "[motion][solver]") {
  run_crowds(rounds(200, 10), 20271130);
}

TEST_CASE("Thousands of such crowds", "[.long]") { run_crowds(2000, 20271131); }

TEST_CASE("Until a box has it change a body runs as without the box", "[motion][solver]") {
  Stage plain, told;
  told.change(0.5, "springs");
  told.change(0.9, "shape_matching");
  for (Stage* s : {&plain, &told}) s->world.floor();
  const auto a = frames_of(plain.world, 60), b = frames_of(told.world, 60, 3);
  for (std::size_t f = 0; f <= 60; ++f) {
    INFO(f);
    if (f < 30) CHECK(a[f]->state_hash == b[f]->state_hash);
    if (f > 30) CHECK(a[f]->state_hash != b[f]->state_hash);
  }
}

TEST_CASE("The solver may have keys: it bends by the one that they say by then", "[motion][solver]") {
  Stage s;
  const Id box = s.graph.does("solver", s.jelly);
  for (const double time : {0.1, 0.5}) s.graph.wire(s.graph.when("time", s.jelly, {{"time", time}}), box);
  for (const auto& [time, solver] : {std::pair{0.0, "fem"}, {0.3, "shape_matching"}, {0.4, "polyhedral"}})
    s.world.scene = with_key(s.world.scene, box.value, "procedure.solver.solver", time,
                             static_cast<std::int64_t>(number_of_solver(solver)));
  CHECK(solvers_of_box(s.world.scene, *find_motion(s.world.scene, box)) ==
        std::vector<std::string_view>{"fem", "polyhedral", "shape_matching"});
  Run run(s.world);
  run.seconds(0.3);
  CHECK(bends_as(run, s.jelly) == number_of_solver("fem"));
  run.steps(1);
  CHECK(bends_as(run, s.jelly) == number_of_solver("shape_matching"));
  run.seconds(0.3);
  CHECK(bends_as(run, s.jelly) == number_of_solver("polyhedral"));
}

TEST_CASE("What lies asleep wakes to bend by another solver", "[motion][solver]") {
  Stage s(Vec3(0, 0.29, 0), [](Object& o) {
    o.body.velocity.setZero();
    o.body.spin.setZero();
    o.body.damping = 60;
    o.analysis.kind = AnalysisKind::box_grid;
  });
  s.world.floor();
  s.change(6, "springs");
  Run run(s.world);
  run.seconds(6 - 0.05);
  const std::vector<Vec3> x = places(run, s.jelly);
  run.step();
  CHECK(apart(places(run, s.jelly), x) == 0);
  run.seconds(0.2);
  CHECK(bends_as(run, s.jelly) == number_of_solver("springs"));
}

TEST_CASE("A solver that cannot take the model is told in one sentence, and the body goes on as it was",
          "[motion][solver]") {
  struct Case {
    const char *solver, *words;
    std::function<void(Object&)> how;
  };
  const Case cases[] = {
      {"lagrange", "\"jelly\" cannot bend by \"lagrange\", so \"Change Solver\" does nothing. A cloth folds",
       [](Object& o) {
         o.analysis.kind = AnalysisKind::cloth;
         o.analysis.divisions = {3, 3, 3};
         o.body.solver = "springs";
       }},
      {"fem", "\"jelly\" cannot bend by \"fem\", so \"Change Solver\" does nothing. Finite elements need tetrahedra",
       [](Object& o) {
         o.analysis.kind = AnalysisKind::cloth;
         o.analysis.divisions = {3, 3, 3};
         o.body.solver = "springs";
       }},
      {"shape_matching",
       "\"jelly\" cannot bend by \"shape_matching\", so \"Change Solver\" does nothing. A rope has no",
       [](Object& o) {
         o.analysis.kind = AnalysisKind::rope;
         o.analysis.divisions = {5, 1, 1};
         o.body.solver = "springs";
       }},
      {"springs", "\"jelly\" can break, so \"Change Solver\" does nothing.",
       [](Object& o) {
         set_parameter(o.body.parameters, {"lagrange", "breaks", {}, 0.5});
       }},
      {"lagrange", "\"jelly\" could break by \"lagrange\", so \"Change Solver\" does nothing.",
       [](Object& o) {
         o.body.solver = "springs";
         set_parameter(o.body.parameters, {"lagrange", "breaks", {}, 0.5});
       }},
      {"springs", "\"jelly\" does not bend, so \"Change Solver\" does nothing.",
       [](Object& o) { o.body.kind = BodyKind::rigid; }},
  };
  for (const Case& one : cases) {
    INFO(one.words);
    Stage plain(Vec3(0, 1, 0), one.how), told(Vec3(0, 1, 0), one.how);
    told.change(0.1, one.solver);
    const std::vector<MotionFault> faults = motion_problems(told.world.scene);
    REQUIRE(faults.size() == 1);
    CHECK(faults.front().message.substr(0, std::string_view(one.words).size()) == one.words);
    Run a(plain.world), b(told.world);
    a.seconds(0.4);
    b.seconds(0.4);
    CHECK(a.state.bodies[a.index(plain.jelly)].values == b.state.bodies[b.index(told.jelly)].values);
  }
  // What asks for a model that a box takes away.
  Stage s;
  s.change(0.1, "shape_matching");
  s.graph.wire(s.graph.when("time", s.jelly, {{"time", 0.2}}), s.graph.does("pose", s.jelly, {{"stretch", 20}}));
  const std::vector<MotionFault> faults = motion_problems(s.world.scene);
  REQUIRE(faults.size() == 1);
  CHECK(faults.front().message ==
        "While \"jelly\" bends by \"shape_matching\", as a box tells it to, it takes no shape, "
        "so \"Take a shape\" does nothing then.");
}

TEST_CASE("A told shape goes on in the next model that takes one", "[motion][solver]") {
  Stage s;
  s.graph.wire(s.graph.when("time", s.jelly, {{"time", 0}}),
               s.graph.does("pose", s.jelly, {{"stretch", 40}, {"in", 0.1}, {"stay", 10}}));
  s.change(0.3, "polyhedral");
  s.change(0.5, "shape_matching");
  s.change(0.7, "springs");
  Run run(s.world);
  const auto told = [&] {
    return !run.model->bodies[run.index(s.jelly)].shape(run.state.bodies[run.index(s.jelly)].values).none();
  };
  run.seconds(0.45);
  CHECK(told());
  run.seconds(0.15);
  CHECK_FALSE(told());
  run.seconds(0.2);
  CHECK(told());
}

}  // namespace solver_test
