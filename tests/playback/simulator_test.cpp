#include "core/playback/simulator.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/scene/diff.h"
#include "tests/support/small_scenes.h"

namespace simulator_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 24;

std::vector<std::uint64_t> played(const Scene& scene, int threads = 1) {
  std::vector<std::uint64_t> hashes;
  for (const Frame& frame : fresh_run(scene, kLast, threads)) hashes.push_back(frame.state_hash);
  REQUIRE(hashes.size() == kLast + 1);
  return hashes;
}

/// Busy, with collisions that last for frames (contact.md, "The sine pulse").
Scene pulsing_scene() {
  Scene scene = busy_scene();
  scene.settings.impacts = Impacts::sine_pulse;
  for (auto& object : scene.objects) {
    Object o = *object;
    o.material.substance_follows = false;
    o.material.substance.young = 3e4;
    object = o;
  }
  return scene;
}

bool has_pulses(const State& state) {
  return std::any_of(state.pairs.begin(), state.pairs.end(), [](const PairMemory& p) { return !p.pulses.empty(); });
}

void check_same(const RunLog& a, const RunLog& b) {
  CHECK(a.measures == b.measures);
  CHECK(a.causes == b.causes);
  REQUIRE(a.contacts.size() == b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    CHECK(a.contacts[i].first == b.contacts[i].first);
    CHECK(a.contacts[i].second.a == b.contacts[i].second.a);
    CHECK(a.contacts[i].second.b == b.contacts[i].second.b);
    CHECK(a.contacts[i].second.substep == b.contacts[i].second.substep);
    CHECK(a.contacts[i].second.impulse == b.contacts[i].second.impulse);
  }
}

}  // namespace

TEST_CASE("states differ from frame to frame") {
  const auto hashes = played(busy_scene());
  for (std::size_t i = 1; i < hashes.size(); ++i) CHECK(hashes[i] != hashes[i - 1]);
}

TEST_CASE("a run whose contacts give more than they took ends the test that runs it") {
  World w;
  w.floor();
  Object box = World::box(Vec3(0.4, 0.2, 0.4), Vec3(0, 0.1, 0));
  box.body.velocity = Vec3(1, 0, 0);
  w.add(box);
  const auto ends_by = [&](double taken) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGABRT, SIG_DFL);
      std::freopen("/dev/null", "w", stderr);
      Simulator first(compiled(w.scene), 1), then(compiled(w.scene), 1);
      State state = *first.state_at(1);
      if (state.pairs.empty()) std::_Exit(2);
      state.pairs[0].spent = taken;
      then.add_checkpoint(1, state);
      std::_Exit(then.state_at(2) ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
  };
  CHECK(ends_by(1) == 0);
  CHECK(ends_by(-1) == SIGABRT);
}

TEST_CASE("sought equals played, in any order") {
  const Scene scene = GENERATE(false, true) ? pulsing_scene() : busy_scene();
  const auto hashes = played(scene);
  Simulator simulator(compiled(scene), 1);
  for (int frame : {kLast, 0, 7, 6, 23, 1, 13, 13, 24}) {
    const State* state = simulator.state_at(frame);
    REQUIRE(state);
    CHECK(state->substep == frame * scene.settings.substeps);
    CHECK(hash(*state) == hashes[static_cast<std::size_t>(frame)]);
  }
  CHECK(simulator.state_at(-1) == nullptr);
}

TEST_CASE("one and two threads give the same bits", "[threads]") {
  const Scene scene = GENERATE(false, true) ? pulsing_scene() : busy_scene();
  const auto one = fresh_run(scene, kLast, 1), two = fresh_run(scene, kLast, 2);
  REQUIRE(one.size() == two.size());
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(same_bits(one[i], two[i]));
}

TEST_CASE("continued from every checkpoint equals never having stopped") {
  const bool pulsing = GENERATE(false, true);
  const Scene scene = pulsing ? pulsing_scene() : busy_scene();
  const auto model = compiled(scene);
  Simulator whole(model, 1);
  std::vector<State> states;
  for (int f = 0; f <= kLast; ++f) {
    const State* state = whole.state_at(f);
    REQUIRE(state);
    states.push_back(*state);
  }
  REQUIRE(whole.checkpoints().size() == kLast + 1);
  CHECK(std::count_if(states.begin(), states.end(), has_pulses) >=
        (pulsing ? 5 : 0));  // some begin in the middle of one
  for (int from : whole.checkpoints()) {
    // Through bytes, as it would come from a file.
    State back;
    REQUIRE(restore(save(states[static_cast<std::size_t>(from)]), back));
    Simulator continued(model, 1);
    continued.add_checkpoint(from, back);
    const State* end = continued.state_at(kLast);
    REQUIRE(end);
    CHECK(hash(*end) == hash(states.back()));
    CHECK(continued.checkpoints().size() == static_cast<std::size_t>(kLast - from + 1 + (from > 0 ? 1 : 0)));
  }
}

TEST_CASE("checkpoints are thinned evenly within the budget and seeks stay exact") {
  const Scene scene = busy_scene();
  const auto model = compiled(scene);
  const auto hashes = played(scene);
  const std::size_t one = memory_use(initial_state(*model));
  Simulator simulator(model, 1);
  simulator.set_checkpoint_budget(8 * one);
  REQUIRE(simulator.state_at(kLast));
  const auto kept = simulator.checkpoints();
  CHECK(kept.size() >= 3);
  CHECK(kept.size() <= 8);
  REQUIRE(kept.front() == 0);
  const int stride = kept[1] - kept[0];
  for (std::size_t i = 1; i < kept.size(); ++i) CHECK(kept[i] - kept[i - 1] == stride);
  for (int frame : {3, 22, 10, 0}) CHECK(hash(*simulator.state_at(frame)) == hashes[static_cast<std::size_t>(frame)]);

  simulator.set_checkpoint_budget(0);
  CHECK(simulator.checkpoints() == std::vector<int>{0});
  CHECK(hash(*simulator.state_at(5)) == hashes[5]);
  CHECK(hash(*simulator.state_at(4)) == hashes[4]);
}

TEST_CASE("running a stretch again logs nothing twice") {
  const auto model = compiled(busy_scene());
  Simulator once(model, 1), often(model, 1);
  REQUIRE(once.state_at(kLast));
  for (int frame : {12, 3, 20, 0, kLast}) REQUIRE(often.state_at(frame));
  check_same(once.log(), often.log());
}

TEST_CASE("cancelling in the middle of a frame loses nothing") {
  const Scene scene = busy_scene();
  const auto hashes = played(scene);
  const auto model = compiled(scene);
  Simulator plain(model, 1);
  REQUIRE(plain.state_at(kLast));
  Simulator simulator(model, 1);
  int asked = 0;
  // 3 sub-steps a frame: the 5th question comes inside frame 1.
  CHECK(simulator.state_at(10, [&] { return ++asked == 5; }) == nullptr);
  CHECK(asked == 5);
  CHECK_FALSE(simulator.log().failure);
  SECTION("going on") { CHECK(hash(*simulator.state_at(10)) == hashes[10]); }
  SECTION("going back") { CHECK(hash(*simulator.state_at(1)) == hashes[1]); }
  REQUIRE(simulator.state_at(kLast));
  check_same(plain.log(), simulator.log());
}

TEST_CASE("adopt takes over the past up to the edit and not a frame more") {
  const Scene scene = busy_scene();
  const auto model = compiled(scene);
  Simulator first(model, 1);
  REQUIRE(first.state_at(kLast));
  Simulator second(model, 1);
  second.adopt(first, 10);
  CHECK(second.checkpoints().back() == 9);
  for (const auto& [frame, event] : second.log().contacts) CHECK(frame < 9);
  REQUIRE(second.state_at(kLast));
  CHECK(hash(*second.state_at(kLast)) == hash(*first.state_at(kLast)));
  check_same(first.log(), second.log());

  Simulator none(model, 1);
  none.adopt(first, 0);
  CHECK(none.checkpoints() == std::vector<int>{0});

  Simulator ahead(model, 1);  // asked for more than the other has
  Simulator young(model, 1);
  REQUIRE(young.state_at(4));
  ahead.adopt(young, 1000);
  CHECK(ahead.checkpoints().back() == 4);
  REQUIRE(ahead.state_at(kLast));
  check_same(first.log(), ahead.log());

  Scene bigger = scene;
  bigger.objects.push_back(Shared<Object>(box(9, "Another", Vec3(0, 9, 0))));
  Simulator other(compiled(bigger), 1);  // other bodies: their numbers would be read as these
  other.adopt(first, 10);
  CHECK(other.checkpoints() == std::vector<int>{0});
}

TEST_CASE("a run that leaves the finite numbers stops and says which object") {
  const Scene scene = diverging_scene();
  Simulator simulator(compiled(scene), 1);
  const State* state = simulator.state_at(600);
  REQUIRE(state == nullptr);
  REQUIRE(simulator.log().failure);
  const auto& [good, why] = *simulator.log().failure;
  CHECK(why.severity == Severity::error);
  CHECK((why.path + why.message).find("Lost") != std::string::npos);
  CHECK_FALSE(why.hint.empty());
  CHECK(good < 600);
  REQUIRE(simulator.state_at(good));
  CHECK(simulator.state_at(good)->substep == good * scene.settings.substeps);
  CHECK(simulator.state_at(good + 1) == nullptr);
}

TEST_CASE("a frame shows the object frame of rigid bodies, whatever their centre of mass") {
  Scene scene;
  scene.settings.gravity = Vec3::Zero();
  Object cone = box(1, "Cone", Vec3(1, 2, 3));
  cone.display.primitive.shape = PrimitiveShape::cone;
  cone.display.primitive.divisions = {12, 1, 1};
  cone.transform.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  cone.body.spin = Vec3::Zero();
  cone.body.velocity = Vec3(0.6, 0, 0);
  scene.objects.push_back(Shared<Object>(cone));
  const auto frames = fresh_run(scene, 10);
  REQUIRE(frames.size() == 11);
  REQUIRE(frames[0].objects.size() == 1);
  const ObjectFrame& start = frames[0].objects[0];
  CHECK_FALSE(start.deformed);
  CHECK(start.vertices.empty());
  CHECK((start.position - Vec3f(1, 2, 3)).norm() < 1e-6f);
  CHECK(start.rotation.angularDistance(cone.transform.rotation.cast<float>()) < 1e-6f);
  const ObjectFrame& end = frames[10].objects[0];
  CHECK((end.position - Vec3f(1.1f, 2, 3)).norm() < 1e-6f);
}

TEST_CASE("a point is absent before its birth and after its death") {
  Scene scene;
  Object point = ball(1, "Spark", BodyKind::point, Vec3::Zero());
  point.body.birth = 0.05;   // frame 3 of 60 a second
  point.body.death = 0.105;  // between frames 6 and 7
  scene.objects.push_back(Shared<Object>(point));
  const auto frames = fresh_run(scene, 10);
  REQUIRE(frames.size() == 11);
  for (const Frame& frame : frames) CHECK(frame.objects[0].present == (frame.index >= 3 && frame.index <= 6));
}

TEST_CASE("a flexible body at rest is shown where its display model was put") {
  Scene scene;
  scene.settings.gravity = Vec3::Zero();
  Object soft = ball(1, "Soft", BodyKind::flexible, Vec3(1, 2, 3));
  soft.transform.rotation = Quat(Eigen::AngleAxisd(0.4, Vec3::UnitZ()));
  scene.objects.push_back(Shared<Object>(soft));
  MeshStore meshes;
  const auto mesh = meshes.mesh(soft);
  const auto frames = fresh_run(scene, 3);
  REQUIRE(frames.size() == 4);
  const ObjectFrame& shown = frames[0].objects[0];
  REQUIRE(shown.deformed);
  REQUIRE(shown.vertices.size() == mesh->positions.size());
  REQUIRE(shown.normals.size() == mesh->positions.size());
  CHECK_FALSE(shown.nodes.empty());
  CHECK((shown.position - Vec3f(1, 2, 3)).norm() < 1e-6f);
  for (std::size_t v = 0; v < mesh->positions.size(); ++v) {
    const Vec3 expected = soft.transform.position + soft.transform.rotation * mesh->positions[v];
    CHECK((shown.vertices[v].cast<double>() - expected).norm() < 3e-7);
  }
}

TEST_CASE("dropping the log from a frame keeps what came before") {
  RunLog log;
  for (int frame : {1, 1, 4, 9}) log.contacts.emplace_back(frame, ContactEvent{});
  log.clock = RunClock(1.0 / 180, 3);
  const auto touches = [](std::uint64_t id) { return Cause{Id{id}, Reading::contact}; };
  log.causes.note(touches(1), 5);
  log.causes.note(touches(1), 12);  // the first stays
  log.causes.note(touches(2), 12);
  log.causes.note(touches(3), 27);
  CHECK(log.first_frame(touches(1)) == 1);
  CHECK(log.first_frame(touches(2)) == 4);
  CHECK(log.first_frame(touches(4)) == kNoFrame);
  log.failure.emplace(9, Diagnostic{});
  RunLog same = log;
  same.drop_from(10);
  CHECK(same.contacts.size() == 4);
  CHECK(same.failure);
  log.drop_from(4);
  CHECK(log.contacts.size() == 2);
  CHECK(log.causes.all() == std::map<Cause, std::int64_t>{{touches(1), 5}});
  CHECK_FALSE(log.failure);
}

}  // namespace simulator_test
