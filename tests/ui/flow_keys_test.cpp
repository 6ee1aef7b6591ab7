// Keys as a person sets them, in the real window: diamonds beside fields, I, auto-key, G at a later frame, and what is then seen.
#include <QCursor>
#include <QLabel>

#include "tests/ui/flow_support.h"
#include "ui/model/keying.h"
#include "ui/panels/properties_panel.h"
#include "ui/panels/timeline_ruler.h"
#include "ui/tools/gizmo.h"
#include "ui/widgets/adjust_panel.h"
#include "ui/widgets/key_button.h"

namespace flow_keys_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Scene stage() {
  Scene scene = make_new_scene();
  scene.name = "Stage";
  scene.settings.last_frame = 120;
  const auto add = [&](Object object, const char* name) {
    object.id = next_id(scene);
    object.name = name;
    scene.objects.push_back(object);
  };
  add(World::sphere(0.4, Vec3(-1, 1, 0)), "Marble");
  Object bat = World::box(Vec3(0.6, 0.6, 0.6), Vec3(1, 0.3, 0), 2);
  bat.body.kind = BodyKind::fixed;
  add(bat, "Bat");
  add(World::jelly(0.4, Vec3(-3, 1, 0), 1500), "Jelly");
  return scene;
}

struct KeysFlow : Flow {
  KeysFlow() {
    document().reset(stage(), {});
    QTest::qWait(20);
    tab("properties");
  }
  Keying& keying() { return session.keying; }
  void select(const char* name) {
    selection().select_only(id_of(scene(), name));
    QTest::qWait(10);
  }
  void select_light() {
    selection().select_only(scene().lights.front()->id);
    QTest::qWait(10);
  }
  FieldWidget* field(const char* path) {
    for (FieldWidget* widget : window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return sight(widget);
    FAIL("no such field in sight: " << path);
    return nullptr;
  }
  void click_key(const char* path) {
    click_in(field(path)->key(), QPoint(7, 9));
    QTest::qWait(10);
  }
  void go(int frame) {
    playback().set_frame(frame);
    QTest::qWait(20);
  }
  /// Goes there, and waits until it is computed.
  Vec3 place_in_frame(Id object, int frame) {
    go(frame);
    REQUIRE(wait_for([&] { return playback().shown() && playback().shown()->index == frame; }, 20000));
    const ObjectFrame* seen = playback().shown()->find(object);
    REQUIRE(seen);
    return seen->position.cast<double>();
  }
  const Track* track(Id target, const char* path) { return find_track(scene(), target.value, path); }
  QString undo_text() { return document().undo_stack()->undoText(); }
};

}  // namespace

TEST_CASE("Flow: a light is keyed by its diamond, and what is typed later is a key", "[ui][flow][keys]") {
  KeysFlow f;
  f.select_light();
  const Id sun = f.scene().lights.front()->id;
  CHECK(f.field("intensity")->key()->state() == KeyState::none);
  f.click_key("intensity");
  REQUIRE(f.track(sun, "intensity"));
  CHECK(f.undo_text().startsWith("Key Intensity of "));
  CHECK(f.field("intensity")->key()->state() == KeyState::here);
  f.go(60);
  CHECK(f.field("intensity")->key()->state() == KeyState::elsewhere);
  const double before = f.scene().lights.front()->intensity;
  type_number(number_of(f.field("intensity")), "5");
  CHECK(f.scene().lights.front()->intensity == before);  // its own value waits behind the keys
  REQUIRE(f.track(sun, "intensity")->keys.size() == 2);
  CHECK(f.track(sun, "intensity")->keys[1].value[0] == 5);
  CHECK(f.field("intensity")->key()->state() == KeyState::here);
  // Between the two: half-way, in the field and in what is drawn.
  f.go(30);
  CHECK(number_of(f.field("intensity"))->value() == Approx(0.5 * (before + 5)).margin(1e-6));
  CHECK(find_light(f.keying().shown(), sun)->intensity == Approx(0.5 * (before + 5)));
  f.shot("keys-light");
  // The diamond takes the key away again; undo brings it back; nothing was simulated anew for all that.
  f.go(60);
  f.click_key("intensity");
  CHECK(f.track(sun, "intensity")->keys.size() == 1);
  f.document().undo_stack()->undo();
  CHECK(f.track(sun, "intensity")->keys.size() == 2);
  f.document().undo_stack()->undo();
  f.document().undo_stack()->undo();
  CHECK(f.scene().tracks.empty());
  CHECK(f.field("intensity")->key()->state() == KeyState::none);
}

TEST_CASE("Flow: I keys place and rotation, G with I at a later frame makes the next key", "[ui][flow][keys]") {
  KeysFlow f;
  f.select("Bat");
  const Id bat = id_of(f.scene(), "Bat");
  const Vec3 start = f.object("Bat").transform.position;
  QCursor::setPos(f.view().mapToGlobal(QPoint(300, 200)));
  f.view().setFocus();
  f.key(Qt::Key_I);
  REQUIRE(f.track(bat, "transform.position"));
  REQUIRE(f.track(bat, "transform.rotation"));
  CHECK(f.undo_text() == "Key Place and Rotation of Bat");
  f.go(60);
  const QPoint at(400, 300);
  QTest::mouseMove(&f.view(), at);
  f.view().setFocus();
  f.key(Qt::Key_G);
  QTest::mouseMove(&f.view(), at + QPoint(60, -40));
  QTest::qWait(10);
  CHECK(f.view().hint().startsWith("All its keys go along"));
  f.key(Qt::Key_I);
  CHECK(f.view().hint().startsWith("A key at frame 60"));  // and not that the start is edited
  for (Qt::Key key : {Qt::Key_Y, Qt::Key_2, Qt::Key_Return}) f.key(key);
  QTest::qWait(20);
  REQUIRE(f.track(bat, "transform.position")->keys.size() == 2);
  CHECK(f.track(bat, "transform.position")->keys[1].time == Approx(1));
  CHECK(f.track(bat, "transform.position")->keys[1].value[1] == Approx(start.y() + 2));
  CHECK(f.object("Bat").transform.position == start);
  CHECK(f.track(bat, "transform.rotation")->keys.size() == 1);  // it was not turned
  CHECK(is_led(f.scene(), bat));
  f.go(30);
  CHECK(find_object(f.keying().shown(), bat)->transform.position.y() == Approx(start.y() + 1));
  f.shot("keys-bat");
  // Up and down go from key to key; the time line has their diamonds.
  f.view().setFocus();
  f.key(Qt::Key_Up);
  CHECK(f.playback().frame() == 60);
  f.key(Qt::Key_Down);
  CHECK(f.playback().frame() == 0);
  CHECK_FALSE(f.action("key.previous")->isEnabled());
  CHECK(f.keying().key_frames({bat}) == std::vector<int>{0, 60});
}

TEST_CASE("Flow: auto-key keys what is changed, by hand and by number; off, it does not", "[ui][flow][keys]") {
  KeysFlow f;
  auto* button = f.window.findChild<QToolButton*>("key.automatic");
  REQUIRE(button);
  f.click_in(button, button->rect().center());
  CHECK(f.keying().automatic());
  f.select("Bat");
  f.go(40);
  type_number(static_cast<VectorField*>(f.field("transform.position"))->field(0), "3");
  const Id bat = id_of(f.scene(), "Bat");
  REQUIRE(f.track(bat, "transform.position"));
  CHECK(f.track(bat, "transform.position")->keys[0].time == Approx(40 / 60.0));
  CHECK(f.object("Bat").transform.position.x() == 1);
  // What cannot be keyed has no diamond and is a value as ever; a switch of what bends is keyed as any.
  f.select("Jelly");
  CHECK(f.field("body.stiffness")->key() == nullptr);
  type_number(number_of(f.field("body.stiffness")), "900");
  CHECK(f.object("Jelly").body.stiffness == 900);
  CHECK(f.scene().tracks.size() == 1);
  CHECK(f.field("transform.position")->key()->isVisible());
  f.click_in(button, button->rect().center());
  f.select_light();
  type_number(number_of(f.field("intensity")), "3");
  CHECK(f.scene().tracks.size() == 1);
  CHECK(f.scene().lights.front()->intensity == 3);
}

TEST_CASE("Flow: I on what physics moves keys what is seen, and keeps the motion up to there", "[ui][flow][keys]") {
  KeysFlow f;
  const Id ball = id_of(f.scene(), "Marble");
  const auto seen = [&](int frame) { return f.place_in_frame(ball, frame); };
  f.select("Marble");
  const Vec3 fallen = seen(20), later = seen(24);
  CHECK(later.y() < 0.9);
  const auto press = [&] {
    QCursor::setPos(f.view().mapToGlobal(QPoint(300, 200)));
    f.view().setFocus();
    f.key(Qt::Key_I);
    QTest::qWait(20);
  };
  press();
  const Track *place = f.track(ball, "transform.position"), *led = f.track(ball, "body.led");
  REQUIRE(place);
  REQUIRE(led);
  CHECK(place->keys.size() == 1);
  CHECK(Vec3(place->keys[0].value[0], place->keys[0].value[1], place->keys[0].value[2]) == later);
  REQUIRE(led->keys.size() == 2);
  CHECK(led->keys[0].value[0] == 0);
  CHECK(led->keys[1].value[0] == 1);
  CHECK(led->keys[1].time == Approx(24 / 60.0));
  CHECK(seen(20) == fallen);  // physics has it up to there
  CHECK(seen(24) == later);
  CHECK((seen(40) - later).norm() < 1e-5);  // and then its one key
  f.document().undo_stack()->undo();
  CHECK(f.scene().tracks.empty());
  CHECK((seen(40) - later).norm() > 1e-3);
  // With a key at the start it is led by hand from there on: no switch.
  f.go(0);
  press();
  seen(24);
  press();
  CHECK(f.track(ball, "transform.position")->keys.size() == 2);
  CHECK(f.track(ball, "body.led") == nullptr);
}

TEST_CASE("Flow: with auto-key, what physics moves is keyed where it is seen, by gesture and by number",
          "[ui][flow][keys]") {
  KeysFlow f;
  const Id ball = id_of(f.scene(), "Marble");
  const auto seen = [&](int frame) { return f.place_in_frame(ball, frame); };
  const auto value = [](const Key& key) { return Vec3(key.value[0], key.value[1], key.value[2]); };
  f.select("Marble");
  const Vec3 start = f.object("Marble").transform.position, fallen = seen(20), later = seen(24);
  REQUIRE((later - start).norm() > 0.1);
  f.action("key.automatic")->trigger();
  // The panel shows what is seen: a number is typed where the ball is, not where it began.
  auto* x = static_cast<VectorField*>(f.field("transform.position"))->field(0);
  CHECK(static_cast<VectorField*>(f.field("transform.position"))->field(1)->value() == Approx(later.y()).margin(1e-9));
  QCursor::setPos(f.view().mapToGlobal(QPoint(300, 200)));
  f.view().setFocus();
  for (const Qt::Key key : {Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_Return}) {
    f.key(key);
    QTest::qWait(20);
  }
  const Track *place = f.track(ball, "transform.position"), *turn = f.track(ball, "transform.rotation"),
              *led = f.track(ball, "body.led");
  REQUIRE(place);
  REQUIRE(turn);
  REQUIRE(led);
  REQUIRE(place->keys.size() == 1);
  CHECK((value(place->keys[0]) - (later + Vec3::UnitX())).norm() < 1e-6);
  CHECK(f.object("Marble").transform.position == start);  // the start is what it was
  CHECK(led->keys.size() == 2);
  CHECK(seen(20) == fallen);  // and the motion up to there
  CHECK((seen(40) - later - Vec3::UnitX()).norm() < 1e-5);
  f.document().undo_stack()->undo();
  CHECK(f.scene().tracks.empty());
  seen(24);
  type_number(x, "3");
  place = f.track(ball, "transform.position");
  REQUIRE(place);
  CHECK(value(place->keys[0]) == Vec3(3, later.y(), later.z()));
  CHECK(f.object("Marble").transform.position == start);
  // Another field of it: no key of its place, and no new start.
  f.document().undo_stack()->undo();
  seen(24);
  type_number(number_of(f.field("body.mass")), "3");
  CHECK(f.object("Marble").transform.position == start);
  CHECK(f.track(ball, "transform.position") == nullptr);
}

TEST_CASE("Flow: a bounce of ten keys by mouse alone, in at most forty actions", "[ui][flow][keys]") {
  KeysFlow f;
  int actions = 0;
  const auto act = [&](const auto& what) {
    what();
    ++actions;
    QTest::qWait(20);
  };
  auto* ruler = f.window.findChild<TimelineRuler*>();
  auto* button = f.window.findChild<QToolButton*>("key.automatic");
  QToolButton* move = nullptr;
  for (auto* tool : f.view().findChildren<QToolButton*>())
    if (tool->defaultAction() == f.action("tool.move")) move = tool;
  REQUIRE(ruler);
  REQUIRE(button);
  REQUIRE(move);
  act([&] { f.click(f.pixel(Vec3(-1, 1, 0))); });
  const Id ball = id_of(f.scene(), "Marble");
  REQUIRE(f.selection().contains(ball));
  act([&] { f.click_in(button, button->rect().center()); });
  act([&] { f.click_in(move, move->rect().center()); });
  // Up and down, each time less high: the arrow along y is dragged by so many pixels at each of ten frames.
  const int frames[] = {0, 15, 30, 43, 56, 67, 78, 88, 98, 108};
  const double rises[] = {60, -60, 46, -46, 32, -32, 20, -20, 10, -10};
  for (int k = 0; k < 10; ++k) {
    act([&] { f.click_in(ruler, QPoint(qRound(ruler->x_of(frames[k])), 6)); });
    REQUIRE(f.playback().frame() == frames[k]);
    QPointF from;
    for (const GizmoHandle& handle : f.view().gizmo())
      if (handle.constraint.kind == TransformConstraint::Kind::axis && handle.constraint.axis == 1)
        from = grab_point(handle);
    REQUIRE_FALSE(from.isNull());
    act([&] { f.drag(&f.view(), from, from - QPointF(0, rises[k])); });
  }
  const Track* track = f.track(ball, "transform.position");
  REQUIRE(track);
  CHECK(track->keys.size() == 10);
  CHECK(actions <= 40);  // 23
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(track->keys[k].time == Approx(frames[k] / 60.0));
    CHECK(track->keys[k].value[0] == -1);
    CHECK(track->keys[k].value[2] == 0);
    if (k > 0) CHECK((track->keys[k].value[1] > track->keys[k - 1].value[1]) == (rises[k] > 0));
  }
  // It plays as it was drawn.
  f.go(67);
  REQUIRE(wait_for([&] { return f.playback().shown() != nullptr; }, 20000));
  for (const ObjectFrame& object : f.playback().shown()->objects)
    if (object.id == ball) CHECK(object.position.y() == Approx(track->keys[5].value[1]).margin(1e-5));
  f.shot("keys-bounce");
}

TEST_CASE("Flow: Bake to Keys says how many it made, and a coarser tolerance makes fewer", "[ui][flow][keys]") {
  KeysFlow f;
  REQUIRE(complete(f.playback()));
  f.select("Marble");
  QTest::mouseMove(&f.view(), QPoint(300, 200));
  f.menu("Keys", "key.bake");
  const Id ball = id_of(f.scene(), "Marble");
  const auto keys_of = [&](const char* path) { return f.track(ball, path)->keys.size(); };
  const auto words = [&] {
    return QString("%1 keys of place, %2 of rotation")
        .arg(keys_of("transform.position"))
        .arg(keys_of("transform.rotation"));
  };
  REQUIRE(f.track(ball, "transform.position"));
  const auto* hint = f.window.findChild<QLabel*>("status_hint");
  CHECK(hint->text() == "Bake Marble to Keys: " + words());
  f.view().setFocus();
  f.key(Qt::Key_F9);
  AdjustPanel& panel = *f.window.adjust_panel();
  REQUIRE(panel.field("place"));
  CHECK(panel.field("place")->spec().label == "Place tolerance");
  CHECK(panel.field("place")->spec().unit == "m");
  CHECK(panel.field("angle")->spec().label == "Rotation tolerance");
  CHECK(panel.findChild<QLabel*>("adjust_note")->text() == words());
  const std::size_t before = keys_of("transform.position");
  type_number(number_of(panel.field("place")), "0.05");
  INFO("before " << before << ", after " << keys_of("transform.position"));
  CHECK(keys_of("transform.position") < before);
  CHECK(panel.findChild<QLabel*>("adjust_note")->text() == words());
  CHECK(hint->text() == "Bake Marble to Keys: " + words());
}

TEST_CASE("Flow: something soft is baked, stays soft on its way, and goes where an edited key says",
          "[ui][flow][keys]") {
  Flow f;
  f.open(shipped("soft_and_hard_ball.json"));
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  const Id ball = id_of(f.scene(), "Soft ball");
  const auto strain = [&] {
    double most = 0;
    for (const auto& bodies : f.playback().cache().bodies(0))
      for (const FrameBody& body : *bodies)
        if (body.object == ball) most = std::max(most, static_cast<double>(body.strain));
    return most;
  };
  const double recorded = strain();
  CHECK(recorded > 0.05);
  f.selection().set({ball});
  f.menu("Keys", "key.bake");
  REQUIRE(find_track(f.scene(), ball.value, "transform.position"));
  CHECK(f.object("Soft ball").body.bends_led);
  f.tab("properties");
  bool shown = false;
  for (FieldWidget* widget : f.window.findChildren<FieldWidget*>("body.bends_led"))
    shown = shown || widget->isVisible();
  CHECK(shown);
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  CHECK(strain() == Approx(recorded).epsilon(0.3));
  // Its last key, half a metre up: there it is, and it was bent before.
  const Track track = *find_track(f.scene(), ball.value, "transform.position");
  const double last = track.keys.back().time;
  const Vec3 up(track.keys.back().value[0], track.keys.back().value[1] + 0.5, track.keys.back().value[2]);
  REQUIRE(f.document().edit("Higher", with_key(f.scene(), ball.value, "transform.position", last, up)).ok());
  REQUIRE(wait_for([&] { return complete(f.playback()); }, 60000));
  f.playback().set_frame(static_cast<int>(last * f.scene().settings.frame_rate + 0.5));
  REQUIRE(wait_for([&] { return f.playback().shown() != nullptr; }, 20000));
  const ObjectFrame* there = f.playback().shown()->find(ball);
  REQUIRE(there);
  CHECK((there->position.cast<double>() - up).norm() < 0.02);
  CHECK(strain() > 0.5 * recorded);
  // All of it is undone.
  f.document().undo_stack()->undo();
  f.document().undo_stack()->undo();
  CHECK_FALSE(find_track(f.scene(), ball.value, "transform.position"));
  CHECK_FALSE(f.object("Soft ball").body.bends_led);
}

TEST_CASE("Flow: I with the mouse over a field keys that field; its menu deletes all", "[ui][flow][keys]") {
  KeysFlow f;
  f.select_light();
  const Id sun = f.scene().lights.front()->id;
  FieldWidget* field = f.field("colour");
  QCursor::setPos(field->mapToGlobal(QPoint(10, field->height() / 2)));
  QTest::qWait(10);
  f.view().setFocus();
  f.key(Qt::Key_I);
  REQUIRE(f.track(sun, "colour"));
  CHECK(f.scene().tracks.size() == 1);
  QTimer::singleShot(200, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    REQUIRE(menu);
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(menu->actions().back()).center());
  });
  KeyButton* key = f.field("colour")->key();
  emit key->customContextMenuRequested(QPoint(5, 5));
  CHECK(f.scene().tracks.empty());
  CHECK(f.undo_text().startsWith("Delete All Keys of Colour"));
}

}  // namespace flow_keys_test
