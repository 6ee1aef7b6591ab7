// What a run shows of collisions: measured figures in the log, contacts and collision shapes in frames.
#include "core/playback/measures.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "core/playback/background_fill.h"
#include "core/playback/collision_shape.h"
#include "core/sim/constraint/sleep.h"
#include "tests/support/run.h"
#include "tests/support/small_scenes.h"

namespace measures_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kSpeed = 3;  // m/s

/// A soft ball (diameter 1, mass 1) in free flight, a centimetre above the floor.
World landing(double stiffness, int substeps, double restitution = 0.6) {
  World w;
  w.scene.settings.frame_rate = 60;
  w.scene.settings.substeps = substeps;
  w.scene.settings.gravity = Vec3::Zero();
  w.floor(0.5, restitution);
  Object jelly = World::jelly(0.5, Vec3(0, 0.51, 0), stiffness);
  jelly.body.velocity = Vec3(0, -kSpeed, 0);
  w.add(jelly);
  return w;
}

ContactMeasure first_measure(const World& w, int last = 40) {
  Simulator simulator(compiled(w.scene), 1);
  REQUIRE(simulator.state_at(last));
  const auto measured = simulator.log().measured();
  REQUIRE(!measured.empty());
  REQUIRE(measured.front());
  return *measured.front();
}

const CollisionShape& shape_named(const Frame& frame, const Model& model, const char* name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].name == name) return (*frame.shapes)[b];
  FAIL("no such body");
  return frame.shapes->front();
}

}  // namespace

TEST_CASE("measured figures of a soft ball's collision are what its sub-steps show", "[contact]") {
  const World w = landing(2000, 8);
  const ContactMeasure measure = first_measure(w);
  CHECK(measure.state == ContactMeasure::State::parted);
  Run run(w);
  const double h = run.model->step;
  double force = 0, impulse = 0, start = 0, lowest = 1e300;
  std::int64_t first = -1, last = -1;
  for (int k = 0; k < 40 * 8; ++k) {
    const double height = run.at(Id{2}).centre.y();
    const StepReport report = run.step();
    double push = 0;
    for (const ContactMark& mark : report.marks) push += mark.impulse.dot(mark.normal);
    if (!(std::abs(push) > 0)) {
      if (last >= 0 && run.state.substep - 1 > last + 2) break;
      continue;
    }
    last = run.state.substep - 1;
    if (first < 0) first = last, start = height;
    force = std::max(force, std::abs(push) / h);
    impulse += std::abs(push);
    lowest = std::min(lowest, run.at(Id{2}).centre.y());
  }
  CHECK(measure.began == first);
  CHECK(measure.last == last);
  CHECK(measure.substeps() > 8);
  CHECK(measure.force == Approx(force).epsilon(1e-12));
  // The centre has come nearer by the way from the floor's touch to the lowest place; the touch begins within a sub-step.
  CHECK(measure.squash == Approx(start - lowest).margin(kSpeed * h + 1e-9));
  CHECK(measure.squash > 0.02);
  CHECK(measure.impulse == Approx(impulse).epsilon(1e-9));
  // A pulse is no box and no spike: its peak is between its mean and four times that.
  const double mean = impulse / (measure.substeps() * h);
  CHECK(measure.force > mean);
  CHECK(measure.force < 4 * mean);
}

TEST_CASE("measured contact time and squash hardly depend on the sub-steps, and fall with the stiffness", "[contact]") {
  const ContactMeasure coarse = first_measure(landing(2000, 8)), fine = first_measure(landing(2000, 32)),
                       hard = first_measure(landing(8000, 32));
  const double h8 = 1.0 / (60 * 8), h32 = 1.0 / (60 * 32);
  CHECK(coarse.substeps() * h8 == Approx(fine.substeps() * h32).epsilon(0.25));
  CHECK(coarse.squash == Approx(fine.squash).epsilon(0.15));
  CHECK(coarse.impulse == Approx(fine.impulse).epsilon(0.1));
  // A spring and a mass: time and squash with 1/√k, force with √k.
  CHECK(fine.substeps() / static_cast<double>(hard.substeps()) == Approx(2).epsilon(0.3));
  CHECK(fine.squash / hard.squash == Approx(2).epsilon(0.3));
  CHECK(hard.impulse == Approx(fine.impulse).epsilon(0.2));  // so that the mean force doubles
}

TEST_CASE("a soft ball that stays on the floor rests, and is not measured for ever", "[contact]") {
  World w = landing(2000, 4, 0);
  w.scene.settings.gravity = Vec3(0, -9.81, 0);
  w.scene.objects[1] = w.scene.objects[1].edited([](Object& o) { o.body.damping = 60; });
  Simulator simulator(compiled(w.scene), 1);
  REQUIRE(simulator.state_at(200));
  const RunLog& log = simulator.log();
  const auto measured = log.measured();
  int rest = 0;
  for (const auto& m : measured) {
    REQUIRE(m);
    CHECK((m->state == ContactMeasure::State::resting || m->state == ContactMeasure::State::part));
    rest += m->state == ContactMeasure::State::resting;
    CHECK(measured[m->whole]->state == ContactMeasure::State::resting);
  }
  CHECK(rest == 1);
  REQUIRE(!log.measures.empty());
  CHECK(log.measures.back().first < 190);
}

TEST_CASE("rigid collisions have no measure; a log that is cut and gone on with is the same", "[contact]") {
  const Scene scene = busy_scene();
  const auto model = compiled(scene);
  Simulator whole(model, 1);
  REQUIRE(whole.state_at(24));
  const auto measured = whole.log().measured();
  int soft = 0;
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const ContactEvent& e = whole.log().contacts[k].second;
    CHECK(e.measured == (e.a == Id{3} || e.b == Id{3}));
    CHECK(measured[k].has_value() == e.measured);
    soft += e.measured;
  }
  CHECK(soft > 0);
  for (const int cut : {3, 6, 9, 12, 15, 20}) {
    INFO(cut);
    Simulator goes_on(model, 2);
    goes_on.adopt(whole, cut);
    CHECK(goes_on.log().measures.size() <= whole.log().measures.size());
    REQUIRE(goes_on.state_at(24));
    CHECK(goes_on.log().measures == whole.log().measures);
  }
  RunLog log = whole.log();
  log.drop_from(8);
  for (const auto& [frame, measure] : log.measures) CHECK(frame < 8);
  CHECK(log.measured().size() == log.contacts.size());
}

TEST_CASE("the background fill's log has the measures of a run from the start", "[contact]") {
  const Scene scene = busy_scene();
  Simulator whole(compiled(scene), 1);
  REQUIRE(whole.state_at(24));
  FrameCache cache;
  BackgroundFill fill(cache, 2, nullptr);
  fill.start(Shared<Scene>(scene), 0, 24);
  for (int k = 0; k < 3000 && fill.status().phase != FillStatus::Phase::complete; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(fill.status().phase == FillStatus::Phase::complete);
  CHECK(fill.log()->measures == whole.log().measures);
}

TEST_CASE("contacts of a frame carry the weight of what rests, awake and asleep, played and sought", "[contact]") {
  World w;
  w.scene.settings.frame_rate = 60;
  w.scene.settings.substeps = 4;
  w.floor();
  const Id id = w.add(World::box(Vec3(1, 0.5, 1), Vec3(0, 0.25, 0), 3));
  const auto model = compiled(w.scene);
  Simulator simulator(model, 1);
  REQUIRE(simulator.state_at(0));
  CHECK(simulator.frame_at(0).contacts.empty());
  std::vector<Frame> frames;
  bool slept = false;
  for (int f = 0; f <= 60; ++f) {
    const State* state = simulator.state_at(f);
    REQUIRE(state);
    slept = slept || std::any_of(state->rows.begin(), state->rows.end(),
                                 [](const RowMemory& r) { return (r.unloading & kAsleep) != 0; });
    frames.push_back(simulator.frame_at(f));
  }
  CHECK(slept);
  for (const int f : {30, 45, 60}) {
    INFO(f);
    const Frame& frame = frames[static_cast<std::size_t>(f)];
    REQUIRE(frame.contacts.size() == 4);
    double weight = 0;
    for (const FrameContact& c : frame.contacts) {
      CHECK(c.b == id);
      CHECK(std::abs(c.point.y()) < 1e-3f);
      CHECK(std::abs(std::abs(c.point.x()) - 0.5f) < 1e-3f);
      CHECK(c.normal.y() == Approx(-1));  // from the box down to the floor, which has the smaller id
      weight -= static_cast<double>(c.force.y());
    }
    CHECK(std::abs(weight) == Approx(3 * w.scene.settings.gravity.norm()).epsilon(1e-6));
    CHECK(weight == Approx(3 * w.scene.settings.gravity.norm()).epsilon(1e-6));  // on a, the floor: downwards
  }
  for (const int f : {50, 10, 59, 1}) {
    REQUIRE(simulator.state_at(f));
    CHECK(same_bits(simulator.frame_at(f), frames[static_cast<std::size_t>(f)]));
  }
  Simulator later(model, 1);
  later.adopt(simulator, 40);
  REQUIRE(later.state_at(60));
  CHECK(same_bits(later.frame_at(60), frames[60]));
}

TEST_CASE("a pile that was dropped and sleeps still shows what carries it", "[contact]") {
  World w;
  w.scene.settings.frame_rate = 60;
  w.scene.settings.substeps = 4;
  w.floor();
  std::vector<Id> ids;
  for (int k = 0; k < 3; ++k) ids.push_back(w.add(World::box(Vec3(1, 0.5, 1), Vec3(0.02 * k, 0.3 + 0.55 * k, 0), 2)));
  Simulator simulator(compiled(w.scene), 1);
  const State* state = simulator.state_at(300);
  REQUIRE(state);
  std::uint64_t flags = 0;
  for (const RowMemory& row : state->rows) flags |= row.unloading;
  REQUIRE((flags & kAsleep) != 0);
  const Frame frame = simulator.frame_at(300);
  const double weight = 2 * w.scene.settings.gravity.norm();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    INFO(k);
    Vec3f on = Vec3f::Zero();
    for (const FrameContact& c : frame.contacts) {
      if (c.a == ids[k]) on += c.force;
      if (c.b == ids[k]) on -= c.force;
    }
    CHECK(static_cast<double>(on.y()) == Approx(weight).epsilon(1e-3));
    CHECK(std::abs(on.x()) < 1e-2f);
  }
}

TEST_CASE("what flies touches nothing; a bounce leaves its contact in one frame", "[contact]") {
  World w;
  w.scene.settings.frame_rate = 60;
  w.scene.settings.substeps = 4;
  w.floor();
  w.add(World::sphere(0.5, Vec3(0, 1.2, 0), 2));
  Simulator simulator(compiled(w.scene), 1);
  int with = 0;
  double impulse = 0;
  for (int f = 0; f <= 40; ++f) {
    REQUIRE(simulator.state_at(f));
    const Frame frame = simulator.frame_at(f);
    if (frame.contacts.empty()) continue;
    ++with;
    REQUIRE(!simulator.log().contacts.empty());
    CHECK(f == simulator.log().contacts.front().first + 1);  // logged of the time before the frame
    impulse = frame.contacts.front().force.norm() / 60;
  }
  CHECK(with == 1);
  const ContactEvent& event = simulator.log().contacts.front().second;
  CHECK(impulse == Approx(event.impulse).epsilon(0.02));  // gravity pushes a little beside
}

TEST_CASE("collision shapes are what contact uses") {
  World w;
  w.floor();
  w.add(World::box(Vec3(1, 2, 3), Vec3(0, 3, 0)));
  w.add(World::sphere(0.5, Vec3(3, 3, 0)));
  w.add(World::jelly(0.5, Vec3(6, 3, 0), 1000));
  Object nodes = World::jelly(0.5, Vec3(9, 3, 0), 1000);
  nodes.name = "nodes";
  nodes.contact.shape = ContactShape::nodes;
  w.add(nodes);
  Object nothing = World::box(Vec3(1, 1, 1), Vec3(12, 3, 0));
  nothing.name = "nothing";
  nothing.contact.enabled = false;
  w.add(nothing);
  const auto model = compiled(w.scene);
  Simulator simulator(model, 1);
  REQUIRE(simulator.state_at(3));
  const Frame frame = simulator.frame_at(3);
  REQUIRE(frame.shapes);
  REQUIRE(frame.shapes->size() == frame.objects.size());
  CHECK(shape_named(frame, *model, "floor").plane);
  const CollisionShape& box = shape_named(frame, *model, "box");
  CHECK(box.points.size() == 8);
  CHECK(box.edges.size() == 12);
  const CollisionShape& ball = shape_named(frame, *model, "ball");
  CHECK(ball.ball);
  CHECK(ball.radius == Approx(0.5f));
  std::vector<Vec3f> at;
  for (std::size_t b = 0; b < frame.objects.size(); ++b) {
    const CollisionShape& shape = (*frame.shapes)[b];
    const ObjectFrame& object = frame.objects[b];
    place_points(shape, object, at);
    INFO(model->bodies[b].name);
    if (model->bodies[b].name == "box") {
      Vec3f sum = Vec3f::Zero();
      for (const Vec3f& p : at) sum += p / 8;
      CHECK((sum - object.position).norm() < 1e-5f);
      CHECK((at[7] - at[0]).norm() == Approx(std::sqrt(14.0)));
    } else if (model->bodies[b].name == "jelly") {
      CHECK(shape.carrier == CollisionShape::Carrier::vertices);
      CHECK(shape.edges.size() > 100);
      for (std::size_t k = 0; k < at.size(); ++k) CHECK(at[k] == object.vertices[shape.sources[k]]);
    } else if (model->bodies[b].name == "nodes") {
      CHECK(shape.carrier == CollisionShape::Carrier::nodes);
      CHECK(shape.edges.empty());
      CHECK(same_bits(at, object.nodes));
    } else if (model->bodies[b].name == "nothing") {
      CHECK(at.empty());
      CHECK_FALSE(shape.ball);
      CHECK_FALSE(shape.plane);
    }
  }
}

}  // namespace measures_test
