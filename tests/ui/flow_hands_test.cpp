// Small things that a hand expects, in the real window: keys go back to the view after a choice, a copy is taken from where its original
// is, what is not computed yet is not keyed, and what a released skin is, is said.
#include <QAbstractItemView>
#include <QComboBox>
#include <QCursor>
#include <QLabel>
#include <QToolButton>

#include "core/scene/derived/skinning.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/file/scene_io.h"
#include "tests/ui/flow_support.h"
#include "ui/model/keying.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/message_bar.h"

namespace flow_hands_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Hands : Flow {
  Hands() {
    Window::open(ball_scene(60));
    tab("properties");
    selection().select_only(id_of(scene(), "Ball"));
    QCursor::setPos(view().mapToGlobal(QPoint(300, 200)));
    view().setFocus();
    QTest::qWait(20);
  }
  FieldWidget* field(const char* path) {
    for (FieldWidget* widget : window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return sight(widget);
    FAIL("no such field in sight: " << path);
    return nullptr;
  }
  QString undo_text() { return document().undo_stack()->undoText(); }
  QString hint() { return window.findChild<QLabel*>("status_hint")->text(); }
  void press(std::initializer_list<Qt::Key> keys) {
    for (const Qt::Key each : keys) {
      key(each);
      QTest::qWait(5);
    }
  }
};

}  // namespace

TEST_CASE("Flow: after a choice from a list and after a number, keys are the view's again", "[ui][flow][hands]") {
  Hands f;
  auto* box = f.field("body.kind")->findChild<QComboBox*>();
  REQUIRE(box);
  f.click_in(box, box->rect().center());
  REQUIRE(wait_for([&] { return box->view()->isVisible(); }));
  const QModelIndex fixed = box->model()->index(0, 0);
  f.click_in(box->view()->viewport(), box->view()->visualRect(fixed).center());
  REQUIRE(wait_for([&] { return !box->view()->isVisible(); }));
  CHECK(f.object("Ball").body.kind == BodyKind::fixed);
  CHECK(f.view().hasFocus());
  f.press({Qt::Key_Space});
  CHECK(f.playback().playing());
  f.press({Qt::Key_Space});
  CHECK_FALSE(f.playback().playing());
  // Who goes through a list by arrows goes on.
  box = f.field("body.kind")->findChild<QComboBox*>();
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Down);
  CHECK(box->hasFocus());
  CHECK(f.object("Ball").body.kind != BodyKind::fixed);
  // A number: 0 looks through the camera and starts no number, arrows step frames.
  type_number(static_cast<VectorField*>(f.field("transform.position"))->field(1), "2");
  CHECK(f.object("Ball").transform.position.y() == 2);
  CHECK(f.view().hasFocus());
  f.press({Qt::Key_0});
  CHECK(f.view().through_camera());
  f.press({Qt::Key_0});
  f.playback().set_frame(10);
  f.press({Qt::Key_Right});
  CHECK(f.playback().frame() == 11);
  // Esc and Tab stay among the fields: nothing was chosen, or the next one is meant.
  NumberField* x = static_cast<VectorField*>(f.field("transform.position"))->field(0);
  type_number(x, "1", Qt::Key_Escape);
  CHECK_FALSE(f.view().hasFocus());
  type_number(x, "1", Qt::Key_Tab);
  CHECK_FALSE(f.view().hasFocus());
  CHECK(f.object("Ball").transform.position.x() == 1);
  // A tick, and a name.
  auto* tick = f.field("visible")->findChild<QAbstractButton*>();
  f.click_in(tick, QPoint(8, tick->height() / 2));
  CHECK(wait_for([&] { return f.view().hasFocus(); }));
  auto* name = f.field("name")->findChild<QLineEdit*>();
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "Egg");
  QTest::keyClick(name, Qt::Key_Return);
  CHECK(f.undo_text().startsWith("Name"));
  CHECK(f.view().hasFocus());
}

TEST_CASE("Flow: a copy is moved from where its original is; Esc leaves it beside", "[ui][flow][hands]") {
  Hands f;
  f.press({});
  f.key(Qt::Key_D, Qt::ShiftModifier);
  REQUIRE(f.view().gesture());
  f.press({Qt::Key_Y, Qt::Key_2, Qt::Key_Return});
  CHECK(f.undo_text() == "Duplicate Ball");
  CHECK(f.object("Ball 2").transform.position == Vec3(0, 2.5, 0));
  CHECK(f.document().undo_stack()->index() == 1);
  f.key(Qt::Key_D, Qt::ShiftModifier);
  f.press({Qt::Key_Y, Qt::Key_3, Qt::Key_Escape});
  CHECK(f.object("Ball 3").transform.position.x() > 0.4);
  CHECK(f.object("Ball 3").transform.position.y() == 2.5);
  CHECK(f.document().undo_stack()->index() == 2);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().objects.size() == 3);
  // Neither moved nor taken back, and let go by the keys of another command: beside too.
  f.selection().select_only(id_of(f.scene(), "Ball 2"));
  f.key(Qt::Key_D, Qt::ControlModifier);
  REQUIRE(f.view().gesture());
  f.key(Qt::Key_G, Qt::ControlModifier);
  CHECK(f.object("Ball 3").transform.position.x() > 0.4);
  CHECK(f.object("Ball 3").collection != 0);
  CHECK(f.undo_text().startsWith("New Collection"));
}

TEST_CASE("Flow: with auto-key, what physics has not been computed to is not keyed", "[ui][flow][hands][keys]") {
  Hands f;
  REQUIRE(complete(f.playback()));
  f.action("key.automatic")->trigger();
  const std::string before = scene_to_text(f.scene());
  // An edit, and G at once at a later frame.
  f.playback().set_paused(true);
  REQUIRE(f.document().edit_object("Mass", id_of(f.scene(), "Ball"), [](Object& o) { o.body.mass = 3; }).ok());
  f.playback().set_frame(20);
  REQUIRE(f.playback().shown() == nullptr);
  const std::string edited = scene_to_text(f.scene());
  REQUIRE(edited != before);
  f.press({Qt::Key_G, Qt::Key_X, Qt::Key_1});
  CHECK(f.view().hint().contains("Frame 20 is not computed yet"));
  CHECK(scene_to_text(f.scene()) == edited);
  f.press({Qt::Key_Escape});
  CHECK(scene_to_text(f.scene()) == edited);
  f.press({Qt::Key_I});
  CHECK(scene_to_text(f.scene()) == edited);
  type_number(static_cast<VectorField*>(f.field("transform.position"))->field(0), "2");
  CHECK(scene_to_text(f.scene()) == edited);
  // As soon as it is seen, what is seen is keyed.
  f.playback().set_paused(false);
  REQUIRE(complete(f.playback()));
  const Vec3 seen = f.playback().shown()->find(id_of(f.scene(), "Ball"))->position.cast<double>();
  f.view().setFocus();
  f.press({Qt::Key_G, Qt::Key_X, Qt::Key_1, Qt::Key_Return});
  const Track* track = find_track(f.scene(), id_of(f.scene(), "Ball").value, "transform.position");
  REQUIRE(track);
  REQUIRE(track->keys.size() == 1);
  CHECK(track->keys[0].value[0] == Approx(seen.x() + 1).margin(1e-6));
  CHECK(track->keys[0].value[1] == Approx(seen.y()).margin(1e-6));
  CHECK(find_track(f.scene(), id_of(f.scene(), "Ball").value, "body.led"));
}

TEST_CASE("Flow: a released skin collides as it did before, and it is said what it is", "[ui][flow][hands][skins]") {
  Hands f;
  Scene scene = ball_scene(10);
  scene.objects.push_back(make_object(next_id(scene).value, "Glove",
                                      {PrimitiveShape::sphere, Vec3(0.6, 0.6, 0.6), {12, 6, 1}}, Vec3(0, 0.5, 0),
                                      BodyKind::fixed));
  f.Window::open(scene);
  const auto bind = [&] {
    f.selection().set({id_of(f.scene(), "Ball"), id_of(f.scene(), "Glove")}, id_of(f.scene(), "Glove"));
    f.submenu("Object", "object.bind_skin");
    REQUIRE(is_skin(f.object("Glove")));
    CHECK_FALSE(f.object("Glove").contact.enabled);
    f.selection().select_only(id_of(f.scene(), "Glove"));
  };
  bind();
  CHECK(scene_from_text(scene_to_text(f.scene()), {}).ok());
  f.submenu("Object", "object.release_skin");
  CHECK(f.object("Glove").contact.enabled);
  CHECK(f.hint() == "It stands where it was modelled, fixed; Collides is on again, as it was before.");
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(is_skin(f.object("Glove")));
  CHECK_FALSE(f.object("Glove").contact.enabled);
  f.document().undo_stack()->undo();
  REQUIRE(f.document()
              .edit_object("Collides", id_of(f.scene(), "Glove"), [](Object& o) { o.contact.enabled = false; })
              .ok());
  bind();
  f.submenu("Object", "object.release_skin");
  CHECK_FALSE(f.object("Glove").contact.enabled);
  CHECK(f.hint() == "It stands where it was modelled, fixed; Collides is off, as it was before.");
}

TEST_CASE("Flow: fields say what is: no noise of sums, no leading without keys, whole names", "[ui][flow][hands]") {
  Hands f;
  const Id ball = id_of(f.scene(), "Ball");
  REQUIRE(f.document()
              .edit_object("Noise", ball, [](Object& o) { o.transform.position = Vec3(6.6e-13, 0.5, -4e-19); })
              .ok());
  auto* place = static_cast<VectorField*>(f.field("transform.position"));
  CHECK(place->field(0)->shown_text() == "0");
  CHECK(place->field(2)->shown_text() == "0");
  CHECK(f.object("Ball").transform.position.x() == 6.6e-13);  // shown only
  QTest::mouseClick(place->field(0), Qt::LeftButton);
  CHECK(place->field(0)->findChild<QLineEdit*>("number_edit")->text() == "0");
  f.key(Qt::Key_Return);
  CHECK(f.object("Ball").transform.position.x() == 6.6e-13);
  // What is small and meant stays: proportional fields have no step.
  REQUIRE(f.document().edit_object("Mass", ball, [](Object& o) { o.body.mass = 1e-8; }).ok());
  CHECK(number_of(f.field("body.mass"))->shown_text() == "1e-8");
  const auto shows = [&](const char* path) {
    for (FieldWidget* widget : f.window.findChild<PropertiesPanel*>()->findChildren<FieldWidget*>(path))
      if (widget->isVisible()) return true;
    return false;
  };
  CHECK_FALSE(shows("body.led"));
  Scene keyed = with_key(f.scene(), ball.value, "transform.position", 0, Vec3(0, 0.5, 0));
  keyed = with_key(std::move(keyed), ball.value, "transform.position", 1, Vec3(0, 2, 0));
  REQUIRE(f.document().edit("Keys", std::move(keyed)).ok());
  QTest::qWait(20);
  CHECK(shows("body.led"));
  f.document().undo_stack()->undo();
  QTest::qWait(20);
  CHECK_FALSE(shows("body.led"));
  auto* set = f.window.findChild<QToolButton*>("timeline_keying_set");
  CHECK(set->text() == "Place");
  Scene named = f.scene();
  KeyingSet own;
  own.id = next_id(named);
  own.name = "Left arm, wrist";
  own.fields = "transform.rotation";
  named.keying_sets.push_back(own);
  REQUIRE(f.document().edit("Set", std::move(named)).ok());
  f.session.keying.set_active_set({ActiveSet::Kind::own, own.id});
  CHECK(set->text() == "Left arm, wrist");
  CHECK(set->fontMetrics().horizontalAdvance(set->text()) < set->width());
}

}  // namespace flow_hands_test
