// What is carried through a run: where it is in frames and files, that it touches nothing, and that nobody notices it.
#include "core/sim/carried.h"
#include "core/motion/compile.h"

#include <catch2/catch.hpp>

#include "core/export/text_sink.h"
#include "core/playback/drop.h"
#include "core/playback/start_from.h"
#include "core/scene/derived/family.h"
#include "tests/support/small_scenes.h"

namespace carried_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr int kLast = 40;

Object fixed(std::uint64_t id, const std::string& name, const Vec3& at, std::uint64_t parent) {
  Object o = make_object(id, name, {PrimitiveShape::box, Vec3(0.3, 0.3, 0.3), {1, 1, 1}}, at, BodyKind::fixed);
  o.parent = parent;
  return o;
}

/// A box that tumbles onto the floor and a lantern on it, far enough out to meet the floor if it could, with a hook on that.
Scene lantern() {
  Scene scene;
  scene.settings.substeps = 3;
  scene.settings.last_frame = kLast;
  Object crate = box(2, "Crate", Vec3(0, 1, 0));
  crate.body.velocity = Vec3(0.5, -2, 0);
  crate.body.spin = Vec3(1, 2, 5);
  scene.objects = {floor_object(1), crate, fixed(3, "Lantern", Vec3(-0.7, 0.6, 0.2), 2),
                   fixed(4, "Hook", Vec3(-0.9, 0.5, 0.2), 3)};
  return scene;
}

Pose pose_of(const Frame& frame, std::uint64_t id) {
  const ObjectFrame& object = *frame.find(Id{id});
  return {object.position.cast<double>(), object.rotation.cast<double>().normalized()};
}

Vec3 local(const Frame& frame, std::uint64_t parent, std::uint64_t child) {
  const Pose p = pose_of(frame, parent);
  return p.rotation.conjugate() * (pose_of(frame, child).position - p.position);
}

Scene jelly_with_hat(std::uint64_t parent = 2) {
  Scene scene;
  scene.settings.substeps = 6;
  scene.settings.last_frame = kLast;
  Object jelly = World::jelly(0.5, Vec3(0, 0.62, 0), 60);
  jelly.id = Id{2};
  jelly.name = "Jelly";
  jelly.body.velocity = Vec3(0, -3, 0);
  scene.objects = {floor_object(1), jelly, fixed(3, "Hat", Vec3(0, 1.25, 0), parent)};
  return scene;
}

}  // namespace

TEST_CASE("A child goes rigidly with what carries it, children of it too", "[carried]") {
  const Scene scene = lantern();
  const std::vector<Frame> frames = fresh_run(scene, kLast);
  REQUIRE(frames.size() == kLast + 1);
  const Vec3 seat = local(frames[0], 2, 3), hook = local(frames[0], 2, 4);
  double farthest = 0;
  for (const Frame& frame : frames) {
    CHECK((local(frame, 2, 3) - seat).norm() < 2e-6);  // 4e-7 measured: frames are float
    CHECK((local(frame, 2, 4) - hook).norm() < 2e-6);
    const Quat turn = pose_of(frame, 2).rotation * pose_of(frames[0], 2).rotation.conjugate();
    CHECK(pose_of(frame, 3).rotation.angularDistance(turn) < 2e-3);
    farthest = std::max(farthest, (pose_of(frame, 3).position - pose_of(frames[0], 3).position).norm());
  }
  CHECK(farthest > 0.5);
  CHECK(pose_of(frames[0], 3).position.isApprox(Vec3(-0.7, 0.6, 0.2), 1e-6));
}

TEST_CASE("A run does not notice what it carries", "[carried]") {
  const Scene scene = lantern();
  Scene bare = without(without(scene, Id{4}), Id{3});
  const std::vector<Frame> with = fresh_run(scene, kLast), alone = fresh_run(bare, kLast);
  bool touched = false, under = false;
  for (int f = 0; f <= kLast; ++f) {
    const ObjectFrame &a = *with[f].find(Id{2}), &b = *alone[f].find(Id{2});
    REQUIRE(a.position == b.position);
    REQUIRE(a.rotation.coeffs() == b.rotation.coeffs());
    touched = touched || !with[f].contacts.empty();
    under = under || std::min(pose_of(with[f], 3).position.y(), pose_of(with[f], 4).position.y()) < 0.1;
    for (const FrameContact& contact : with[f].contacts)
      for (Id id : {contact.a, contact.b}) CHECK((id == Id{1} || id == Id{2}));
  }
  CHECK(touched);
  CHECK(under);  // it would have met the floor
  // The control: standing for itself in the way, it is met.
  Scene free = with_object(scene, Id{3}, [](Object& o) {
    o.parent = 0;
    o.transform.position = Vec3(0.9, 0.4, 0);
  });
  bool other = false;
  const std::vector<Frame> met = fresh_run(free, kLast);
  for (int f = 0; f <= kLast; ++f) other = other || met[f].find(Id{2})->position != alone[f].find(Id{2})->position;
  CHECK(other);
}

TEST_CASE("A child of what stands is met as ever", "[carried]") {
  Scene scene = lantern();
  scene.objects = {floor_object(1), fixed(5, "Table", Vec3(0, 0.15, 0), 0), fixed(6, "Cup", Vec3(0, 0.5, 0), 5),
                   ball(7, "Ball", BodyKind::rigid, Vec3(0, 1.3, 0))};
  CHECK(carried_objects(scene).empty());
  const std::vector<Frame> frames = fresh_run(scene, kLast);
  bool met = false;
  for (const Frame& frame : frames)
    for (const FrameContact& contact : frame.contacts) met = met || contact.a == Id{6} || contact.b == Id{6};
  CHECK(met);
}

TEST_CASE("On something soft it goes with the place where it sits", "[carried]") {
  const std::vector<Frame> frames = fresh_run(jelly_with_hat(), kLast);
  REQUIRE(frames.size() == kLast + 1);
  // The vertex at the top, and where the co-moving frame of the whole would have the hat.
  const ObjectFrame& first = *frames[0].find(Id{2});
  std::size_t top = 0;
  for (std::size_t v = 0; v < first.vertices.size(); ++v)
    if (first.vertices[v].y() > first.vertices[top].y()) top = v;
  const double gap = static_cast<double>(1.25f - first.vertices[top].y());
  const Vec3 in_frame = local(frames[0], 2, 3);
  double near = 0, whole = 0, squash = 0;
  for (const Frame& frame : frames) {
    const ObjectFrame& jelly = *frame.find(Id{2});
    const Vec3 seat = jelly.vertices[top].cast<double>() + Vec3(0, gap, 0);
    near = std::max(near, (pose_of(frame, 3).position - seat).norm());
    const Pose p = pose_of(frame, 2);
    whole = std::max(whole, (p * in_frame - seat).norm());
    squash = std::max(squash, static_cast<double>(p.position.y() + 0.5 - jelly.vertices[top].cast<double>().y()));
  }
  INFO("farthest from its seat " << near << " m, by the whole " << whole << " m; squashed by " << squash << " m");
  CHECK(squash > 0.05);
  CHECK(near < 0.3 * whole);  // 0.010 m and 0.075 m measured
}

TEST_CASE("On something soft that only flies and spins it goes rigidly", "[carried]") {
  Scene scene = jelly_with_hat();
  scene.objects.erase(scene.objects.begin());
  scene.objects[0] = scene.objects[0].edited([](Object& o) {
    o.body.stiffness = 1e5;
    o.body.velocity = Vec3(1, 2, 0);
    o.body.spin = Vec3(0.3, 1, 2);
  });
  const std::vector<Frame> frames = fresh_run(scene, kLast);
  const Vec3 seat = local(frames[0], 2, 3);
  double off = 0;
  for (const Frame& frame : frames) off = std::max(off, (local(frame, 2, 3) - seat).norm());
  INFO(off);
  CHECK(off < 2.5e-6);  // 9e-7 measured: frames are float
}

TEST_CASE("On a string of two nodes, what they leave open is as of the whole", "[carried]") {
  Scene scene = jelly_with_hat();
  scene.objects.erase(scene.objects.begin());
  scene.objects[0] = scene.objects[0].edited([](Object& o) {
    StrungTruss truss;
    truss.nodes = {{Vec3(-0.5, 0, 0)}, {Vec3(0.5, 0, 0)}};
    truss.springs = {{0, 1}};
    o.display.kind = DisplayKind::none;
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.strung = std::make_shared<const StrungTruss>(truss);
    o.body.stiffness = 1e4;
    o.body.spin = Vec3(0, 0, 3);
  });
  const std::vector<Frame> frames = fresh_run(scene, kLast);
  REQUIRE(frames.size() == kLast + 1);
  const Vec3 seat = local(frames[0], 2, 3);
  double off = 0, way = 0;
  for (const Frame& frame : frames) {
    off = std::max(off, (local(frame, 2, 3) - seat).norm());
    way = std::max(way, (pose_of(frame, 3).position - pose_of(frames[0], 3).position).norm());
  }
  INFO(off);
  CHECK(off < 6e-7);  // 2e-7 measured: frames are float
  CHECK(way > 0.5);
}

TEST_CASE("With a point it comes and goes", "[carried]") {
  Scene scene;
  scene.settings.last_frame = kLast;
  Object point = ball(2, "Spark", BodyKind::point, Vec3(0, 1, 0));
  point.body.birth = 0.2;
  point.body.death = 0.4;
  point.body.velocity = Vec3(1, 0, 0);
  scene.objects = {point, fixed(3, "Glow", Vec3(0, 1.1, 0), 2)};
  int there = 0;
  for (const Frame& frame : fresh_run(scene, kLast)) {
    CHECK(frame.find(Id{3})->present == frame.find(Id{2})->present);
    there += frame.find(Id{3})->present ? 1 : 0;
  }
  CHECK(there > 5);
  CHECK(there < kLast);
}

TEST_CASE("A run that starts from a frame has what is carried where it was", "[carried][start_from]") {
  for (const Scene& scene : {lantern(), jelly_with_hat()}) {
    INFO(scene.objects[1]->name);
    const auto model = compiled(scene);
    Simulator simulator(model, 1);
    const State* state = simulator.state_at(12);
    REQUIRE(state);
    const Frame then = simulator.frame_at(12);
    const Scene begun = started_from(scene, *model, *state);
    for (const Carried& one : carried_objects(scene)) {
      const Pose was = pose_of(then, one.child.value);
      const Transform& now = find_object(begun, one.child)->transform;
      CHECK((now.position - was.position).norm() < 1e-6);
      CHECK(now.rotation.angularDistance(was.rotation) < 1e-3);
      // And so it is drawn in the first frame of the new run.
      const Frame first = fresh_run(begun, 0).at(0);
      CHECK((pose_of(first, one.child.value).position - was.position).norm() < 1e-5);
    }
    CHECK(carried_objects(begun) == carried_objects(scene));
    // As an edit: it is set itself, and does not follow once more.
    const Scene settled_too = settled(scene, scene, begun);
    for (std::size_t i = 0; i < begun.objects.size(); ++i)
      CHECK(settled_too.objects[i]->transform.position == begun.objects[i]->transform.position);
  }
}

TEST_CASE("What is carried is exported where it is, and its place is observed", "[carried][export]") {
  const Scene scene = lantern();
  const auto model = compiled(scene);
  Simulator simulator(model, 1);
  const State* state = simulator.state_at(20);
  REQUIRE(state);
  const Frame frame = simulator.frame_at(20);
  MeshStore meshes;
  const auto worlds = world_meshes(scene, frame, Id{3}, meshes);
  REQUIRE(worlds.size() == 1);
  Vec3f middle = Vec3f::Zero();
  for (const Vec3f& p : worlds[0].positions) middle += p;
  middle /= static_cast<float>(worlds[0].positions.size());
  CHECK((middle - frame.find(Id{3})->position).norm() < 1e-5f);
  CHECK((middle - Vec3f(-0.7f, 0.6f, 0.2f)).norm() > 0.3f);
  CHECK((observe(*model, *state, 2).centre - middle.cast<double>()).norm() < 1e-5);
}

TEST_CASE("That it touches nothing is said where it asks for more", "[carried][validate]") {
  MeshStore meshes;
  Scene scene = lantern();
  const auto notes = [&] {
    std::vector<std::string> said;
    const auto model = compile(scene, meshes);
    REQUIRE(model.ok());
    for (const Diagnostic& d : model.diagnostics()) said.push_back(to_string(d));
    return said;
  };
  const std::vector<std::string> said = notes();
  REQUIRE(said.size() == 2);
  CHECK(said[0] ==
        "info: Lantern: It is carried by Crate, so it touches nothing. Turn Collides off under Properties, Contact, "
        "or take it "
        "from its parent.");
  for (std::size_t i : {2, 3}) scene.objects[i] = scene.objects[i].edited([](Object& o) { o.contact.enabled = false; });
  CHECK(notes().empty());
}

TEST_CASE("Drop to floor: a family goes down as its eldest does", "[carried][drop]") {
  Scene scene;
  scene.objects = {floor_object(1), fixed(2, "Lamp", Vec3(0, 2, 0), 0), fixed(3, "Cord", Vec3(0, 1.5, 0), 2)};
  MeshStore meshes;
  const Dropped dropped = drop(scene, {Id{2}}, meshes);
  REQUIRE(dropped.falls.size() == 1);
  CHECK(dropped.falls[0].second == Approx(1.85).margin(1e-4));  // its cord does not hold it up
}

}  // namespace carried_test
