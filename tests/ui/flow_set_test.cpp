// Numbers that motions set, and mouse buttons that are events, in the real window.
#include <QCheckBox>
#include <QComboBox>

#include <cmath>

#include "core/scene/derived/told_numbers.h"
#include "core/scene/derived/tracks.h"
#include "tests/ui/motion_support.h"
#include "ui/panels/thing_picker.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_widget.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/number_field.h"

namespace flow_set_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SetFlow : MotionFlow {
  SetFlow() {
    stage();
    Scene next = document().scene();
    ForceField wind;
    wind.id = next_id(next);
    wind.name = "Breeze";
    wind.speed = 0;
    next.fields.push_back(Shared<ForceField>(wind));
    Joint hinge;
    hinge.id = next_id(next);
    hinge.name = "Axle";
    hinge.kind = JointKind::hinge;
    hinge.a.object = id("ball").value;
    hinge.b.place = Vec3(-1.5, 1, 0);
    hinge.motor = true;
    hinge.on = false;
    next.joints.push_back(Shared<Joint>(hinge));
    REQUIRE(document().edit("Stage", std::move(next)).ok());
  }
  MotionBoxPanel& panel() { return *window.findChild<MotionBoxPanel*>("motion_box_panel"); }
  Id field() { return scene().fields.front()->id; }
  Id joint() { return scene().joints.front()->id; }
  /// By keys, as from the list that drops down.
  void choose_of(QComboBox* box, const QString& text) {
    sight(box);
    box->setFocus();
    const int to = box->findText(text);
    INFO(text.toStdString());
    REQUIRE(to >= 0);
    for (int guard = 0; box->currentIndex() != box->findText(text) && guard < 80; ++guard)
      QTest::keyClick(box, box->currentIndex() < box->findText(text) ? Qt::Key_Down : Qt::Key_Up);
    QTest::qWait(5);
    CHECK(box->currentText() == text);
  }
  std::string number_of_box(Id box) {
    const MotionParameter* own = find_parameter(node(box), "number");
    return own ? own->word : "";
  }
};

}  // namespace

TEST_CASE("Flow: a box sets a number of a field that is picked as its panel calls it, and the run has it",
          "[ui][flow][motion_graph][set]") {
  SetFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id time = f.drag_from_palette(MotionRole::event, "time", QPointF(0.2 * w, 0.4 * h));
  const Id set = f.drag_from_palette(MotionRole::procedure, "set", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(time), f.middle(set));
  f.click_on_canvas(f.middle(set));
  REQUIRE(f.panel().number());
  // Of its object, and of the scene.
  QComboBox* numbers = f.panel().number();
  CHECK(numbers->findText("Friction") == 0);
  CHECK(numbers->findText("Gravity Y of the scene") > 0);
  CHECK(numbers->findText("Size") < 0);  // it keeps no volume
  CHECK(f.panel().sentence() == "Set Friction of ball to 1 in 0 s");
  f.choose_of(numbers, "Restitution");
  CHECK(f.number_of_box(set) == "object.material.substance.restitution");
  CHECK(f.undo_text() == "\"Set\" sets Restitution");

  // What is picked has other numbers: the box takes one of these.
  f.choose_of(f.panel().other()->box(), "Breeze");
  CHECK(f.node(set).other == f.field().value);
  CHECK(settable_numbers()[0].of == NumberOf::object);
  CHECK(f.number_of_box(set).starts_with("field."));
  CHECK(numbers->findText("Friction") < 0);
  f.choose_of(numbers, "Speed");
  CHECK(f.number_of_box(set) == "field.speed");
  CHECK(numbers->toolTip().contains("m/s"));
  FieldWidget* to = f.panel().field("to");
  REQUIRE(to);
  type_number(to->findChild<NumberField*>(), "6");
  type_number(f.panel().field("duration")->findChild<NumberField*>(), "0.2");
  CHECK(f.panel().sentence() == "Set Speed of Breeze to 6 m/s in 0.2 s");
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(30);
  QTest::qWait(100);
  f.shot("motion-set");

  // A switch has a tick, and no number.
  f.choose_of(f.panel().other()->box(), "Axle");
  CHECK(f.number_of_box(set).starts_with("joint.motor"));
  f.choose_of(numbers, "On");
  CHECK(f.panel().on()->isVisible());
  CHECK_FALSE(f.panel().field("to")->findChild<NumberField*>()->isVisible());
  CHECK(f.panel().sentence() == "Switch on Axle");
  Flow::click_in(f.panel().on(), QPointF(8, f.panel().on()->height() / 2.0).toPoint());
  CHECK(f.panel().sentence() == "Switch off Axle");
  Flow::click_in(f.panel().on(), QPointF(8, f.panel().on()->height() / 2.0).toPoint());
  f.shot("motion-set-switch");
  const std::string end = scene_to_text(f.scene());
  f.view().setFocus();
  const int steps = f.steps();
  for (int k = 0; k < 6; ++k) f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.node(set).other == f.field().value);
  while (f.steps() < steps) f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(scene_to_text(f.scene()) == end);
}

TEST_CASE("Flow: a switch that a box sets has a tick with a diamond, and a choice has one: keys that step",
          "[ui][flow][motion_graph][set][keys]") {
  SetFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id set = f.drag_from_palette(MotionRole::procedure, "set", QPointF(0.6 * w, 0.4 * h));
  f.click_on_canvas(f.middle(set));
  f.choose_of(f.panel().other()->box(), "Axle");
  f.choose_of(f.panel().number(), "On");
  const std::string before = scene_to_text(f.scene());
  const auto said = [&](double time) {
    return track_value(*find_track(f.scene(), set.value, "procedure.set.to"), FieldType::number, time)[0];
  };
  FieldWidget* to = f.panel().field("to");
  CHECK(f.panel().on()->isVisible());
  CHECK_FALSE(to->findChild<NumberField*>()->isVisible());
  Flow::click_in(f.sight(to->key()), QPoint(7, 9));
  REQUIRE(find_track(f.scene(), set.value, "procedure.set.to"));
  CHECK(said(0) == 1);
  // Later it is off: the tick of a keyed switch sets the key.
  f.playback().set_frame(30);
  QTest::qWait(20);
  CHECK(f.panel().on()->isChecked());
  Flow::click_in(f.sight(f.panel().on()), QPoint(8, f.panel().on()->height() / 2));
  CHECK_FALSE(f.panel().on()->isChecked());
  CHECK(said(0.5) == 0);
  CHECK(said(0) == 1);
  f.shot("set_switch_keyed");
  f.playback().set_frame(0);
  QTest::qWait(20);
  CHECK(f.panel().on()->isChecked());
  // A choice, by its diamond and by its list.
  const Id height = f.drag_from_palette(MotionRole::event, "height", QPointF(0.2 * w, 0.3 * h));
  f.click_on_canvas(f.middle(height));
  FieldWidget* side = f.panel().field("side");
  REQUIRE(side->key());
  Flow::click_in(f.sight(side->key()), QPoint(7, 9));
  const Track* track = find_track(f.scene(), height.value, "event.height.side");
  REQUIRE(track);
  CHECK(track->keys.front().value[0] == 1);  // under
  f.playback().set_frame(30);
  QTest::qWait(20);
  f.choose_of(side->findChild<QComboBox*>(), "Over");
  track = find_track(f.scene(), height.value, "event.height.side");
  REQUIRE(track->keys.size() == 2);
  CHECK(track->keys.back().value[0] == 0);
  f.shot("choice_keyed");
  const std::string end = scene_to_text(f.scene());
  while (f.document().undo_stack()->canUndo() && scene_to_text(f.scene()) != before) f.document().undo_stack()->undo();
  CHECK(scene_to_text(f.scene()) == before);
  while (f.document().undo_stack()->canRedo()) f.document().undo_stack()->redo();
  CHECK(scene_to_text(f.scene()) == end);
}

TEST_CASE("Flow: a mouse button that is pressed while it plays is an event, on its object alone or anywhere",
          "[ui][flow][motion_graph][set]") {
  SetFlow f;
  const double w = f.canvas->viewport()->width(), h = f.canvas->viewport()->height();
  const Id press = f.drag_from_palette(MotionRole::event, "marker", QPointF(0.2 * w, 0.4 * h));
  auto* key = f.panel().field("key")->findChild<QComboBox*>();
  REQUIRE(key);
  f.choose_of(key, "Left button");
  CHECK(find_parameter(f.node(press), "key")->word == "left button");
  const Id toss = f.drag_from_palette(MotionRole::procedure, "throw", QPointF(0.6 * w, 0.4 * h));
  f.drag_on_canvas(f.right(press), f.middle(toss));
  REQUIRE(complete(f.playback()));
  const auto click = [&](QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers held = {}) {
    f.mouse(&f.view(), QEvent::MouseMove, at, Qt::NoButton, Qt::NoButton, held);
    f.mouse(&f.view(), QEvent::MouseButtonPress, at, button, button, held);
    f.mouse(&f.view(), QEvent::MouseButtonRelease, at, button, Qt::NoButton, held);
  };
  const QPointF lane = f.pixel(Vec3(1.5, 0.2, 0.5));
  const auto selected = [&] { return f.selection().ids(); };

  // At rest a click selects.
  click(lane, Qt::LeftButton);
  CHECK(f.scene().markers.empty());
  CHECK(selected() == std::set<Id>{f.id("lane")});
  f.selection().select_only(f.id("ball"));
  const auto play = [&](int beyond) {
    f.view().setFocus();
    if (!f.playback().playing()) f.key(Qt::Key_Space);
    REQUIRE(wait_for([&] { return f.playback().frame() > beyond; }));
  };
  f.playback().set_frame(0);
  play(3);
  const int steps = f.steps();
  click(lane, Qt::LeftButton);
  REQUIRE(f.scene().markers.size() == 1);
  CHECK(f.scene().markers[0]->name == "Marker left button");
  CHECK(f.undo_text() == "Press left button");
  CHECK(selected() == std::set<Id>{f.id("ball")});  // it is taken from the view
  CHECK(f.steps() == steps + 1);
  REQUIRE(f.playback().playing());
  // With Shift it is the view's.
  click(lane, Qt::LeftButton, Qt::ShiftModifier);
  CHECK(f.scene().markers.size() == 1);
  CHECK(selected().size() == 2);
  f.selection().select_only(f.id("ball"));

  // On its object alone: elsewhere it is the view's.
  f.key(Qt::Key_Space);
  f.click_on_canvas(f.middle(press));
  auto* over = f.panel().field("over")->findChild<QCheckBox*>();
  REQUIRE(over);
  f.sight(over);
  Flow::click_in(over, QPointF(8, over->height() / 2.0).toPoint());
  REQUIRE(find_parameter(f.node(press), "over"));
  REQUIRE(complete(f.playback()));
  f.playback().set_frame(0);
  QTest::qWait(30);
  play(1);
  click(lane, Qt::LeftButton);
  CHECK(f.scene().markers.size() == 1);
  CHECK(selected() == std::set<Id>{f.id("lane")});
  // Where the ball is seen now, at another frame than the first press: one marker of a name stands at a frame.
  f.key(Qt::Key_Space);
  const long first = std::lround(f.scene().markers[0]->time * f.scene().settings.frame_rate);
  f.playback().set_frame(8);
  QTest::qWait(60);
  f.playback().play(true);
  QPointF there;
  REQUIRE(wait_for([&] {
    for (double y = 0.2; f.playback().frame() != first && y < 2.5; y += 0.05)
      if (f.view().object_under(there = f.pixel(Vec3(-1.5, y, 0))) == f.id("ball")) return true;
    return false;
  }));
  REQUIRE(f.playback().playing());
  click(there, Qt::LeftButton);
  CHECK(f.scene().markers.size() == 2);
  f.playback().play(false);
  REQUIRE(complete(f.playback()));
  QTest::qWait(50);
  f.shot("motion-button");
}

}  // namespace flow_set_test
