// Keying sets by mouse and keys in the real window: chosen beside auto-key, made of tracks and of fields, keyed with I.
#include "core/scene/file/scene_io.h"
#include "tests/ui/key_support.h"
#include "ui/model/keying_sets.h"
#include "ui/panels/owners.h"
#include "ui/panels/properties_panel.h"
#include "ui/widgets/key_button.h"

namespace flow_keying_sets_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct SetFlow : Flow {
  KeyedScene keyed;
  SetFlow() {
    Window::open(keyed.scene);
    REQUIRE(complete(playback()));
    selection().select_only(Id{keyed.ball});
    view().setFocus();
    QTest::qWait(20);
  }
  QToolButton& button() { return *window.findChild<QToolButton*>("timeline_keying_set"); }
  QString undo_text() { return document().undo_stack()->undoText(); }
  const KeyingSet& set(std::size_t number = 0) { return *scene().keying_sets.at(number); }
  bool has_key(std::uint64_t target, const char* field, double frame) {
    const Track* track = find_track(scene(), target, field);
    return track && std::any_of(track->keys.begin(), track->keys.end(),
                                [&](const Key& key) { return std::abs(key.time * 60 - frame) < 1e-6; });
  }
  /// By mouse in the menu of the button; `inner`: in the menu of that entry.
  void choose(const QString& entry, const QString& inner = {}) {
    bool done = false;
    QTimer::singleShot(80, &button(), [&] {
      QMenu* menu = button().menu();
      for (QAction* each : menu->actions()) {
        if (each->text() != entry) continue;
        click_in(menu, menu->actionGeometry(each).center());
        if (!inner.isEmpty() && each->menu() && wait_for([&] { return each->menu()->isVisible(); }, 2000)) {
          for (QAction* one : each->menu()->actions())
            if (one->text() == inner) click_in(each->menu(), each->menu()->actionGeometry(one).center());
        }
        done = true;
        break;
      }
      if (menu->isVisible()) menu->close();
    });
    QTest::mouseClick(&button(), Qt::LeftButton);
    QTest::qWait(30);
    REQUIRE(done);
  }
  void at_frame(int frame) {
    playback().set_frame(frame);
    QTest::qWait(5);
  }
};

}  // namespace

TEST_CASE("The fields of a keying set are read as people write them", "[ui][keying_sets]") {
  KeyingSet set;
  set.fields = " transform.position ,,visible,visible,  settings.gravity";
  CHECK(fields_of(set) == std::vector<std::string>{"transform.position", "visible", "settings.gravity"});
  CHECK(fields_of(KeyingSet{}).empty());
  CHECK(field_label("transform.position") == "Position");
  CHECK(field_label("settings.gravity") == "Gravity");
  CHECK(field_label("gone.field") == "gone.field");
}

TEST_CASE("Flow: I keys what the active set says", "[ui][flow][keying_sets]") {
  SetFlow f;
  f.at_frame(20);
  f.key(Qt::Key_I);
  CHECK(f.has_key(f.keyed.ball, "transform.position", 20));
  CHECK(f.has_key(f.keyed.ball, "transform.rotation", 20));
  CHECK_FALSE(f.has_key(f.keyed.ball, "visible", 20));
  CHECK(f.undo_text() == "Key Place and Rotation of Ball");
  f.key(Qt::Key_Z, Qt::ControlModifier);

  f.choose("All That Is Keyed");
  CHECK(f.button().toolTip().contains("All That Is Keyed"));
  f.view().setFocus();
  f.key(Qt::Key_I);
  for (const char* field : {"transform.position", "visible", "material.surface.diffuse"})
    CHECK(f.has_key(f.keyed.ball, field, 20));
  CHECK_FALSE(f.has_key(f.keyed.ball, "transform.rotation", 20));
  CHECK_FALSE(f.has_key(f.keyed.box, "transform.rotation", 20));
  CHECK(f.undo_text() == "Key All That Is Keyed of Ball");
  f.key(Qt::Key_I, Qt::AltModifier);
  CHECK_FALSE(f.has_key(f.keyed.ball, "visible", 20));
  CHECK(f.has_key(f.keyed.ball, "visible", 45));
}

TEST_CASE("Flow: a set of the selected tracks is made, named, saved, and keys several things",
          "[ui][flow][keying_sets]") {
  SetFlow f;
  f.window.context().keys.set_tracks({f.keyed.colour, f.keyed.gravity});
  f.choose("New Set of Selected Tracks");
  REQUIRE(f.scene().keying_sets.size() == 1);
  CHECK(f.set().fields == "material.surface.diffuse, settings.gravity");
  CHECK(f.undo_text() == "Add Keying Set 1");
  CHECK(f.window.context().keying.active_set() == (ActiveSet{ActiveSet::Kind::own, f.set().id}));
  f.choose(QString::fromUtf8("Rename…"));
  auto* name = f->findChild<QLineEdit*>("keying_set_name");
  REQUIRE(name);
  QTest::keyClicks(name, "Mood");
  QTest::keyClick(name, Qt::Key_Return);
  QTest::qWait(20);
  CHECK(f.set().name == "Mood");

  f.selection().set({Id{f.keyed.ball}, Id{f.keyed.box}}, Id{f.keyed.ball});
  f.view().setFocus();
  f.at_frame(33);
  f.key(Qt::Key_I);
  CHECK(f.has_key(f.keyed.ball, "material.surface.diffuse", 33));
  CHECK(f.has_key(f.keyed.box, "material.surface.diffuse", 33));
  CHECK(f.has_key(0, "settings.gravity", 33));
  CHECK_FALSE(f.has_key(f.keyed.ball, "transform.position", 33));
  CHECK(f.undo_text() == "Key Mood of 2 objects");

  const Scene read = scene_from_text(scene_to_text(f.scene()), {}).value();
  REQUIRE(read.keying_sets.size() == 1);
  CHECK(read.keying_sets[0]->name == "Mood");
  f.choose("Take Out", "Gravity");
  CHECK(f.set().fields == "material.surface.diffuse");
  CHECK(f.undo_text() == "Take Gravity out of Mood");
  f.choose("Delete");
  CHECK(f.scene().keying_sets.empty());
  CHECK(f.window.context().keying.active_set() == ActiveSet{});
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.scene().keying_sets.size() == 1);
}

TEST_CASE("Flow: the menu of a diamond adds its field to a set", "[ui][flow][keying_sets]") {
  SetFlow f;
  f.tab("properties");
  KeyButton* diamond = nullptr;
  for (FieldWidget* field : f->findChildren<FieldWidget*>())
    if (field->isVisible() && field->key() && field->key()->isVisible() && field->spec().label == "Visible")
      diamond = field->key();
  REQUIRE(diamond);
  const auto add_to = [&](const QString& set) {
    bool done = false;
    QTimer::singleShot(80, &f.window, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      for (QAction* each : menu->actions())
        if (each->menu()) {
          f.click_in(menu, menu->actionGeometry(each).center());
          if (!wait_for([&] { return each->menu()->isVisible(); }, 2000)) break;
          for (QAction* one : each->menu()->actions())
            if (one->text() == set) {
              f.click_in(each->menu(), each->menu()->actionGeometry(one).center());
              done = true;
            }
        }
      if (menu->isVisible()) menu->close();
    });
    emit diamond->customContextMenuRequested(QPoint(5, 5));
    QTest::qWait(20);
    return done;
  };
  REQUIRE(add_to("New Set"));
  REQUIRE(f.scene().keying_sets.size() == 1);
  CHECK(f.set().fields == "visible");
  f.window.context().keys.set_tracks({f.keyed.colour});
  f.choose("New Set of Selected Tracks");
  REQUIRE(add_to("Keying Set 2"));
  CHECK(f.set(1).fields == "material.surface.diffuse, visible");
  CHECK(f.undo_text() == "Add Visible to Keying Set 2");
  // Another scene has other sets, though one of them has the number of ours.
  const Scene same = f.scene();
  f.Window::open(same);
  CHECK(f.window.context().keying.active_set() == ActiveSet{});
  // What nothing that is selected has says why.
  f.window.context().keys.set_tracks({f.keyed.colour});
  f.choose("New Set of Selected Tracks");
  f.selection().select_only(f.scene().lights[0]->id);
  CHECK(no_places(f.window.context()) ==
        "What is selected has no field of the keying set Keying Set 3 that can be keyed.");
  CHECK_FALSE(f.action("key.set")->isEnabled());
}

}  // namespace flow_keying_sets_test
