// Procedures that tell bodies shapes: how far they go, when, and that nothing is left of it.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/motion/check.h"
#include "tests/support/graph.h"

namespace shape_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Stage {
  World world;
  Id ball;
  Graph graph{world};

  explicit Stage(const Vec3& velocity = Vec3::Zero()) {
    Object o = World::jelly(0.5, Vec3::Zero(), 2e4);
    o.body.damping = 40;
    o.body.gravity = false;
    o.body.velocity = velocity;
    ball = world.add(o);
  }
  void from_start(Id procedure) { graph.wire(graph.when("time", ball, {{"time", 0}}), procedure); }
};

/// Extent of the nodes along an axis, for that of a ball, 1.
double extent(const MotionRun& run, Id ball, const Vec3& axis) {
  const std::size_t i = run.index(ball);
  std::vector<Vec3> x(run.model->bodies[i].truss.nodes.size());
  run.model->bodies[i].positions(run.state.bodies[i].values, x);
  double low = 1e9, high = -1e9;
  for (const Vec3& p : x) low = std::min(low, axis.dot(p)), high = std::max(high, axis.dot(p));
  return high - low;
}

}  // namespace

TEST_CASE("A shape that is taken is there when it says, and is gone when it says", "[motion][shape]") {
  Stage s;
  const Id pose = s.graph.does("pose", s.ball, {{"stretch", -30}, {"in", 0.4}, {"stay", 0.4}, {"out", 0.3}});
  s.from_start(pose);
  MotionRun run(s.world);
  const double round = extent(run, s.ball, Vec3::UnitY());
  run.seconds(0.7);
  CHECK(extent(run, s.ball, Vec3::UnitY()) / round == Approx(0.7).epsilon(0.01));
  CHECK(run.at(s.ball).volume == Approx(run.model->bodies[run.index(s.ball)]
                                            .observe(initial_state(*run.model).bodies[run.index(s.ball)].values)
                                            .volume)
                                     .epsilon(0.02));
  run.seconds(0.8);
  CHECK(run.count(pose, MotionTurn::ended) == 1);
  CHECK(run.time_of(pose, 0, MotionTurn::ended) == Approx(1.1).margin(0.01));
  CHECK(extent(run, s.ball, Vec3::UnitY()) / round == Approx(1).epsilon(0.01));
  CHECK(run.velocity(s.ball).norm() < 1e-9);
  CHECK(run.model->bodies[run.index(s.ball)].shape(run.state.bodies[run.index(s.ball)].values).none());
}

TEST_CASE("A loop of Finished happens once for each end", "[motion][shape]") {
  Stage s;
  const Id pose = s.graph.does("pose", s.ball, {{"stretch", 10}, {"in", 0.1}, {"stay", 0}, {"out", 0.1}}),
           again = s.graph.loop(s.graph.when("finished", s.ball));
  s.from_start(pose);
  s.graph.chain({pose, again, pose});
  MotionRun run(s.world);
  run.seconds(1.1);
  CHECK(run.count(again) == 5);
  CHECK(run.count(pose, MotionTurn::started) == 6);
}

TEST_CASE("What is fast is long along its way, and not when it is slow", "[motion][shape]") {
  Stage s(Vec3(3, 4, 0));
  s.from_start(s.graph.does("stretch", s.ball, {{"gain", 4}, {"most", 200}, {"lag", 0.05}, {"duration", 1}}));
  MotionRun run(s.world);
  const Vec3 way = Vec3(0.6, 0.8, 0), side = Vec3(-0.8, 0.6, 0);
  const double long0 = extent(run, s.ball, way), wide0 = extent(run, s.ball, side);
  run.seconds(0.9);
  const double length = 1 + 2 * std::tanh(0.1);  // 4 % for each of 5 m/s
  CHECK(extent(run, s.ball, way) / long0 == Approx(length).epsilon(0.02));
  CHECK(extent(run, s.ball, side) / wide0 == Approx(1 / std::sqrt(length)).epsilon(0.02));
  CHECK((run.velocity(s.ball) - Vec3(3, 4, 0)).norm() < 1e-9);
  run.seconds(1);
  CHECK(extent(run, s.ball, way) / long0 == Approx(1).epsilon(0.02));
}

TEST_CASE("What speeds up leans back, and what brakes leans forward", "[motion][shape]") {
  Stage s;
  s.from_start(s.graph.does("sway", s.ball, {{"gain", 0.05}, {"most", 0.6}, {"lag", 0.1}}));
  s.from_start(s.graph.does("push", s.ball, {{"x", 4}, {"duration", 1}}));
  const Id later = s.graph.when("time", s.ball, {{"time", 1.5}});
  s.graph.wire(later, s.graph.does("push", s.ball, {{"x", -4}, {"duration", 1}}));
  MotionRun run(s.world);
  const auto lean = [&] {  // of the top against the bottom, rad
    const std::size_t i = run.index(s.ball);
    std::vector<Vec3> x(run.model->bodies[i].truss.nodes.size());
    run.model->bodies[i].positions(run.state.bodies[i].values, x);
    Vec3 top = x[0], bottom = x[0];
    for (const Vec3& p : x) {
      if (p.y() > top.y()) top = p;
      if (p.y() < bottom.y()) bottom = p;
    }
    return std::atan2(top.x() - bottom.x(), top.y() - bottom.y());
  };
  CHECK(std::abs(lean()) < 1e-9);
  run.seconds(0.9);
  const double back = lean();
  run.seconds(0.55);
  CHECK(std::abs(lean()) < 0.2 * std::abs(back));
  run.seconds(0.85);
  CHECK(lean() > 0.05);
  CHECK(back == Approx(-lean()).epsilon(0.2));
}

TEST_CASE("Boxes of shapes on what has no shape to take do nothing", "[motion][shape]") {
  World world;
  const Id ball = world.add(World::sphere(0.2, Vec3(0, 1, 0)));
  Graph graph(world);
  const Id start = graph.when("time", ball, {{"time", 0}});
  for (const char* kind : {"pose", "stretch", "sway", "squash"}) graph.wire(start, graph.does(kind, ball));
  World plain;
  plain.add(World::sphere(0.2, Vec3(0, 1, 0)));
  MotionRun run(world), same(plain);
  run.seconds(1);
  same.seconds(1);
  CHECK(run.at(ball).centre == same.at(ball).centre);
}

TEST_CASE("A box of shapes says what it cannot be told to, and why", "[motion][shape]") {
  Stage s;
  const Id rigid = s.world.add(World::sphere(0.2, Vec3(3, 0, 0)));
  Object of_cells = World::jelly(0.5, Vec3(6, 0, 0), 1e4);
  of_cells.body.solver = "polyhedral";
  const Id cells = s.world.add(of_cells);
  of_cells.body.solver = "shape_matching";
  of_cells.transform.position.x() = 9;
  const Id regions = s.world.add(of_cells);
  const auto said = [&](const char* kind, Id of) {
    Graph graph(s.world);
    const Id box = graph.does(kind, of);
    graph.wire(graph.when("time", of, {{"time", 0}}), box);
    for (const MotionFault& fault : motion_problems(s.world.scene))
      if (fault.node == box) return fault.message;
    return std::string();
  };
  CHECK(said("pose", s.ball).empty());
  CHECK(said("squash", cells).empty());
  CHECK(said("squash", rigid).find("does not bend") != std::string::npos);
  CHECK(said("sway", rigid).find("does not bend") != std::string::npos);
  CHECK(said("stretch", cells).empty());
  CHECK(said("stretch", regions).find("takes no shape") != std::string::npos);
  of_cells.body.solver = "lagrange";
  of_cells.transform.position.x() = 12;
  set_parameter(of_cells.body.parameters, {"lagrange", "breaks", {}, 0.2});
  const Id biscuit = s.world.add(of_cells);
  for (const char* kind : {"squash", "pose", "stretch", "sway"})
    CHECK(said(kind, biscuit).find("can break, so") != std::string::npos);
  Object hung = World::jelly(0.5, Vec3(15, 1, 0), 1e4);
  StrungTruss strung;
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
    strung.nodes.emplace_back();
    strung.nodes.back().position = x;
  }
  strung.nodes.front().pinned = true;
  hung.analysis.kind = AnalysisKind::strung;
  hung.analysis.strung = std::make_shared<const StrungTruss>(strung);
  const Id pinned = s.world.add(hung);
  CHECK(said("squash", pinned).find("is held by pins, so \"Squash\" does nothing") != std::string::npos);
  CHECK(said("pose", pinned).empty());
}

}  // namespace shape_test
