// What boxes of motion graphs show in the view, and their handles, in the real window by mouse: a throw's arrow, a target, how high it bounces.
#include <QLabel>
#include <QTabBar>

#include "core/math/rotation.h"
#include "core/motion/kinds.h"
#include "core/scene/derived/motion_rules.h"
#include "tests/ui/flow_support.h"
#include "ui/model/box_sketch.h"
#include "ui/model/motion_selection.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/panels/motion_canvas.h"

namespace flow_box_handles_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct HandleFlow : Flow {
  MotionCanvas* canvas = nullptr;
  std::string undo_text() { return document().undo_stack()->undoText().toStdString(); }
  MotionSelection& boxes() { return window.context().boxes; }

  MotionNode box(std::uint64_t id, MotionRole role, const char* kind, Id object, double x, double y) {
    MotionNode node;
    node.id = Id{id};
    node.role = role;
    node.kind = kind;
    node.object = object.value;
    node.x = x;
    node.y = y;
    return node;
  }
  double number(Id id, const char* name) {
    const MotionNode& node = *find_motion(scene(), id);
    const MotionParameter* own = find_parameter(node, name);
    return own ? own->number : std::numeric_limits<double>::quiet_NaN();
  }

  void stage() {
    window.resize(1600, 1000);
    Scene made = make_new_scene();
    Object ball = make_object(next_id(made).value, "ball", {PrimitiveShape::sphere, Vec3(0.4, 0.4, 0.4), {16, 12, 1}},
                              Vec3(-1, 1.2, 0));
    ball.material = material_from("red plastic");
    made.objects.push_back(ball);
    Object soft = make_object(next_id(made).value, "soft", {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {24, 16, 1}},
                              Vec3(1.2, 1.2, 0), BodyKind::flexible);
    soft.analysis.size = Vec3(0.6, 0.6, 0.6);
    soft.material = material_from("yellow plastic");
    made.objects.push_back(soft);
    const Id b = id_of(made, "ball"), s = id_of(made, "soft");
    MotionNode start = box(101, MotionRole::event, "time", b, 0, 0),
               toss = box(102, MotionRole::procedure, "throw", b, 220, 0),
               bounce = box(103, MotionRole::procedure, "bounce", b, 220, 70),
               begin = box(104, MotionRole::event, "time", s, 0, 160),
               squash = box(105, MotionRole::procedure, "squash", s, 220, 160),
               shape = box(106, MotionRole::procedure, "pose", s, 220, 230),
               target = box(107, MotionRole::procedure, "aim", b, 440, 0),
               region = box(108, MotionRole::event, "place", b, 440, 70);
    start.wires = {{102, false}, {103, false}};
    begin.wires = {{105, false}, {106, false}};
    set_parameter(toss, {"x", {}, 2});
    set_parameter(toss, {"y", {}, 3});
    set_parameter(target, {"y", {}, 1});
    set_parameter(region, {"y", {}, 0.6});
    for (const MotionNode& node : {start, toss, bounce, begin, squash, shape, target, region})
      made.motion.push_back(Shared<MotionNode>(node));
    made.settings.last_frame = 60;
    Flow::Window::open(made);
    tab("motion_graph");
    canvas = window.findChild<MotionCanvas*>("motion_canvas");
    REQUIRE(canvas);
    REQUIRE(wait_for([&] { return canvas->viewport()->height() > 180; }, 3000));
    canvas->frame_all();
    ViewCamera camera;
    camera.target = {0.2f, 0.9f, 0};
    camera.distance = 6;
    camera.yaw = 0.2f;
    camera.pitch = 0.15f;
    view().camera() = camera;
    QTest::qWait(30);
  }
  void click_box(Id id) {
    REQUIRE(canvas->box(id));
    const QPointF at = canvas->mapFromScene(canvas->box(id)->placed().center());
    mouse(canvas->viewport(), QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton);
    mouse(canvas->viewport(), QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    mouse(canvas->viewport(), QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
    QTest::qWait(10);
    REQUIRE(boxes().ids() == std::set<Id>{id});
  }
  void pull(const Vec3& from, const Vec3& to) { drag(&view(), pixel(from), pixel(to)); }
};

/// What rides is taken to another node, and feels less, by its handles.
void ride_handles(HandleFlow& f) {
  Scene next = f.scene();
  MotionNode ride = f.box(109, MotionRole::procedure, "ride", id_of(next, "ball"), 440, 160);
  ride.other = id_of(next, "soft").value;
  next.motion.push_back(Shared<MotionNode>(ride));
  REQUIRE(f.document().edit("Ride", std::move(next)).ok());
  f.canvas->frame_all();
  QTest::qWait(20);
  const std::string ridden = scene_to_text(f.scene());
  f.click_box(Id{109});
  const auto place = [&] {
    const auto all = box_places(f.window.context(), *find_motion(f.scene(), Id{109}), f.playback().cache().frame(0));
    REQUIRE(all.size() == 1);
    return all[0];
  };
  const auto sketch = sketch_of(*find_motion(f.scene(), Id{109}), place().values);
  REQUIRE(sketch);
  REQUIRE(sketch->handles.size() == 4);
  f.shot("box_ride");
  const SketchHandle& feel = sketch->handles[3];
  f.pull(feel.at, feel.root + 0.4 * (feel.at - feel.root));
  CHECK(f.undo_text() == "Move feel of Ride on");
  CHECK(f.number(Id{109}, "feels") == Approx(0.4).margin(0.03));
  // The third node goes to one that lies to the right.
  const BoxPlace now = place();
  const Vec3 right = *std::max_element(now.other_nodes->begin(), now.other_nodes->end(),
                                       [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
  f.pull(sketch->handles[2].at, right);
  CHECK(f.undo_text() == "Move third node of Ride on");
  const double third = f.number(Id{109}, "third");
  REQUIRE(third >= 0);
  CHECK((*now.other_nodes)[static_cast<std::size_t>(third)].x() > sketch->handles[2].at.x() + 0.2);
  f.shot("box_ride_moved");
  f.document().undo_stack()->undo();
  f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == ridden);
}

/// Asked for both, the panel says by how much its time, or its speed, gives way.
void squash_says_what_gives_way(HandleFlow& f) {
  Scene next = with_motion(f.scene(), Id{105}, [](MotionNode& node) {
    set_parameter(node, {"by", "both", 0});
    set_parameter(node, {"frames", {}, 12});
  });
  REQUIRE(f.document().edit("Both", std::move(next)).ok());
  f.click_box(Id{105});
  auto* said = f.window.findChild<QLabel*>("motion_sentence");
  REQUIRE(said);
  CHECK(said->text().contains("12.0 frames, at "));
  next = with_motion(f.scene(), Id{105}, [](MotionNode& node) { set_parameter(node, {"gives", "time", 0}); });
  REQUIRE(f.document().edit("Time", std::move(next)).ok());
  QTest::qWait(10);
  CHECK(said->text().contains("× slower"));
  f.shot("box_squash_time");
}

}  // namespace

TEST_CASE("Flow: a throw is aimed by its arrow, a target by its mark, a bounce by its height",
          "[ui][flow][motion_graph][box_handles]") {
  HandleFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  // The arrow of the velocity is as long as a quarter of a second.
  f.click_box(Id{102});
  f.shot("box_throw");
  const Vec3 tip = Vec3(-1, 1.2, 0) + 0.25 * Vec3(2, 3, 0);
  f.pull(tip, tip + Vec3(0.3, 0.25, 0));
  CHECK(f.undo_text() == "Move velocity of Throw");
  CHECK(f.number(Id{102}, "x") == Approx(3.2).margin(0.15));
  CHECK(f.number(Id{102}, "y") == Approx(4).margin(0.1));
  for (const char* name : {"x", "y", "z"}) {  // no digits that nobody aimed at
    const double thousandths = 1000 * f.number(Id{102}, name);
    CHECK(std::abs(thousandths - std::round(thousandths)) < 1e-9);
  }
  CHECK(f.selection().empty());  // the handle was taken, and nothing behind it
  f.shot("box_throw_moved");
  // It flies along the arc: a fresh run passes where the drawn arc is.
  REQUIRE(complete(f.playback()));
  const Vec3 v(f.number(Id{102}, "x"), f.number(Id{102}, "y"), f.number(Id{102}, "z"));
  const ObjectFrame* there = f.playback().cache().frame(15)->find(id_of(f.scene(), "ball"));
  const Vec3 flown = Vec3(-1, 1.2, 0) + 0.25 * v + 0.5 * 0.0625 * f.scene().settings.gravity;
  CHECK((there->position.cast<double>() - flown).norm() < 1e-4);
  // Seen at a later frame its arc still begins where it was thrown.
  f.playback().set_frame(15);
  QTest::qWait(30);
  f.shot("box_throw_later");
  const Vec3 now = Vec3(-1, 1.2, 0) + 0.25 * v;
  f.pull(now, now + Vec3(-0.25, 0, 0));
  CHECK(f.number(Id{102}, "x") == Approx(v.x() - 1).margin(0.15));
  f.playback().set_frame(0);

  f.click_box(Id{107});
  f.pull(Vec3(0, 1, 0), Vec3(0.8, 1.4, 0));
  CHECK(f.undo_text() == "Move target of Throw at");
  CHECK(f.number(Id{107}, "x") == Approx(0.8).margin(0.03));
  CHECK(f.number(Id{107}, "y") == Approx(1.4).margin(0.03));
  f.shot("box_target");

  f.click_box(Id{108});
  f.pull(Vec3(0.5, 0.6, 0), Vec3(0.9, 0.6, 0));
  CHECK(f.number(Id{108}, "radius") == Approx(0.9).margin(0.03));
  f.shot("box_region");
  back_and_forth(f, start);
}

TEST_CASE("Flow: a target in the wind is dragged, the arc bends as the wind does, and the ball comes there",
          "[ui][flow][motion_graph][box_handles]") {
  HandleFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  Scene next = f.scene();
  ForceField wind;
  wind.id = next_id(next);
  wind.name = "Wind";
  wind.rotation = turn_onto(Vec3::UnitY(), Vec3::UnitX());
  wind.speed = 8;
  wind.gust = 1;
  next.fields.push_back(Shared<ForceField>(wind));
  next = with_object(next, id_of(next, "ball"), [](Object& o) {
    o.body.mass_source = MassSource::given;
    o.body.mass = 0.3;
  });
  next = with_motion(next, Id{101}, [](MotionNode& n) { n.wires = {{107, false}}; });
  next = with_motion(next, Id{107}, [](MotionNode& n) { set_parameter(n, {"duration", {}, 0.8}); });
  REQUIRE(f.document().edit("Wind", std::move(next)).ok());
  f.click_box(Id{107});
  f.pull(Vec3(0, 1, 0), Vec3(0.3, 1.6, 0));
  CHECK(f.undo_text() == "Move target of Throw at");
  f.shot("box_target_wind");
  const auto all = box_places(f.window.context(), *find_motion(f.scene(), Id{107}), f.playback().cache().frame(0));
  REQUIRE(all.size() == 1);
  const auto sketch = sketch_of(*find_motion(f.scene(), Id{107}), all[0].values);
  REQUIRE(sketch);
  REQUIRE(sketch->ticks.size() == 48);
  REQUIRE(complete(f.playback()));
  const auto at = [&](int frame) {
    return Vec3(f.playback().cache().frame(frame)->find(id_of(f.scene(), "ball"))->position.cast<double>());
  };
  CHECK((at(48) - Vec3(f.number(Id{107}, "x"), f.number(Id{107}, "y"), f.number(Id{107}, "z"))).norm() < 0.02);
  double farthest = 0;
  for (int k = 1; k <= 48; ++k)
    farthest = std::max(farthest, (at(k) - sketch->ticks[static_cast<std::size_t>(k - 1)]).norm());
  CHECK(farthest < 0.03);
  back_and_forth(f, start);
}

TEST_CASE("Flow: bounce, squash and counter pose are taken hold of where they are shown",
          "[ui][flow][motion_graph][box_handles]") {
  HandleFlow f;
  f.stage();
  const std::string start = scene_to_text(f.scene());
  f.click_box(Id{103});
  // The ball falls 1 m: e = 0.6 comes up to 0.36 m over where its centre comes to, a little to the side.
  const double speed = std::sqrt(2 * 9.80665), hop = 0.6 * speed / 9.80665 * 0.15 * speed;
  const Vec3 top = Vec3(-1 + hop, 0.2 + 0.36, 0);
  f.shot("box_bounce");
  f.pull(top, top + Vec3(0, 0.28, 0));
  CHECK(f.number(Id{103}, "restitution") == Approx(0.8).margin(0.02));
  f.shot("box_bounce_moved");

  f.click_box(Id{105});
  f.shot("box_squash");
  const Vec3 high(1.2, 0.6 * 0.7, 0);
  f.pull(high, high - Vec3(0, 0.12, 0));
  CHECK(f.number(Id{105}, "depth") == Approx(50).margin(3));
  CHECK(f.undo_text() == "Move squash of Squash");
  f.shot("box_squash_moved");

  f.click_box(Id{106});
  const Vec3 end = Vec3(1.2, 1.2 + 0.3 * 0.7, 0);
  f.shot("box_pose");
  f.pull(end, end + Vec3(0, 0.15, 0));
  CHECK(f.number(Id{106}, "stretch") == Approx(20).margin(4));
  f.shot("box_pose_moved");
  // Esc gives up a drag.
  const std::string before = scene_to_text(f.scene());
  const QPointF from = f.pixel(end + Vec3(0, 0.15, 0));
  f.mouse(&f.view(), QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton);
  f.mouse(&f.view(), QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
  f.mouse(&f.view(), QEvent::MouseMove, from + QPointF(30, 30), Qt::NoButton, Qt::LeftButton);
  QTest::keyClick(&f.view(), Qt::Key_Escape);
  f.mouse(&f.view(), QEvent::MouseButtonRelease, from + QPointF(30, 30), Qt::LeftButton, Qt::NoButton);
  CHECK(scene_to_text(f.scene()) == before);
  back_and_forth(f, start);

  ride_handles(f);
  squash_says_what_gives_way(f);
}

}  // namespace flow_box_handles_test
