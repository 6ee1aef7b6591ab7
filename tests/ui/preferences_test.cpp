// The keys of commands: sets, stored ones that make no sense, and the dialog by mouse and keys on the real main window.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>

#include "tests/ui/flow_support.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/modes/mode_bar.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/command_list.h"
#include "ui/window/key_rows.h"
#include "ui/window/preferences_dialog.h"

namespace hazumi::preferences_test {

using namespace hazumi::test;

namespace {

struct Preferring : Flow {
  // Other tests have the usual keys.
  Preferring() { QTest::qWait(10); }
  ~Preferring() { Settings().set_key_map({}); }

  PreferencesDialog* dialog = nullptr;

  void show() {
    view().setFocus();
    key(Qt::Key_Comma, Qt::ControlModifier);
    dialog = window.findChild<PreferencesDialog*>();
    REQUIRE(dialog);
    REQUIRE(QTest::qWaitForWindowExposed(dialog));
    QApplication::setActiveWindow(dialog);
    QTest::qWait(20);
  }
  template <class W>
  W* part(const char* name) {
    auto* found = dialog->findChild<W*>(name);
    REQUIRE(found);
    return found;
  }
  void choose(const QString& words) {
    auto* search = part<QLineEdit>("preferences_search");
    QTest::mouseClick(search, Qt::LeftButton);
    search->selectAll();
    QTest::keyClicks(search, words);
    REQUIRE(dialog->list()->currentItem());
  }
  void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
  void give(const QString& words, Qt::Key key, Qt::KeyboardModifiers held = {}) {
    choose(words);
    press("preferences_new");
    this->key(key, held);
  }
  QString said() { return part<QLabel>("preferences_said")->text(); }
  QString listed() { return dialog->list()->currentItem()->text(1); }
  void end(QDialogButtonBox::StandardButton button) {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    REQUIRE(wait_for([&] { return !window.findChild<PreferencesDialog*>(); }, 2000));
    QApplication::setActiveWindow(&window);
    QTest::qWait(20);
    view().setFocus();
  }
  QString keys(const char* id) { return key_text(action(id)->shortcuts()); }
  QString in_finder(const char* id) {
    for (const ListedCommand& command : listed_commands(window.context().actions, view()))
      if (command.id == QLatin1String(id)) return command.keys;
    return QStringLiteral("no such command");
  }
};

}  // namespace

TEST_CASE("No set of keys has a key twice, and no mode hides the transforms or the framing", "[ui][preferences]") {
  Session session(1);
  const std::vector<KeyRow> rows = key_rows(session.actions);
  for (const KeySet& set : kKeySets) {
    KeyMap map;
    map.set = QLatin1String(set.id);
    int differ = 0;
    for (const KeyRow& row : rows) {
      INFO(set.id << ": " << row.id);
      differ += row.keys(map) != row.keys({});
      for (const QKeySequence& key : row.keys(map)) {
        INFO(key.toString().toStdString());
        CHECK(holder_of(rows, map, row, key) == nullptr);
        CHECK(key_refusal(row, key).isEmpty());
        for (const char* id : {"object.move", "object.rotate", "object.scale", "view.frame_all", "view.frame_selected"})
          if (row.id == id) CHECK(shaded_by(rows, map, row, key).empty());
      }
    }
    CHECK((differ > 10) == (map.set == "maya"));
  }
}

TEST_CASE("Stored keys that make no sense are the usual ones again, in one sentence", "[ui][preferences]") {
  Session session(1);
  const std::vector<KeyRow> rows = key_rows(session.actions);
  const auto check = [&](const char* id, const char* keys, const char* set = "blender") {
    return checked_keys(rows, {QLatin1String(set), {{QLatin1String(id), QLatin1String(keys)}}});
  };
  const auto good = check("edit.duplicate", "Ctrl+Alt+D;U");
  CHECK(good.problem.isEmpty());
  CHECK(good.map.own.size() == 1);
  CHECK(check("edit.duplicate", "").map.own.size() == 1);  // none, on purpose
  for (const auto& [id, keys] : std::vector<std::pair<const char*, const char*>>{{"edit.duplicate", "Nonsense"},
                                                                                 {"edit.duplicate", "Tab"},
                                                                                 {"edit.duplicate", "Ctrl+K, Ctrl+D"},
                                                                                 {"edit.duplicate", "G"},
                                                                                 {"no.such", "U"}}) {
    INFO(id << " " << keys);
    const CheckedKeys bad = check(id, keys);
    CHECK(bad.map == KeyMap());
    CHECK(bad.problem.contains("the usual ones are back"));
  }
  const CheckedKeys set = check("edit.duplicate", "U", "emacs");
  CHECK(set.map.set == "blender");
  CHECK(set.problem.contains("emacs"));
  CHECK(set.map.own.size() == 1);
}

TEST_CASE("Flow: a new key holds at once everywhere, OK keeps it for the next start", "[ui][flow][preferences]") {
  {
    Preferring f;
    f.Window::open(ball_scene());
    f.show();
    f.shot("preferences", f.dialog);
    f.give("duplicate", Qt::Key_U);
    CHECK(f.said() == "U is now the key of Edit › Duplicate.");
    CHECK(f.listed() == "U");
    CHECK(f.keys("edit.duplicate") == "U");
    CHECK(f.in_finder("edit.duplicate") == "U");
    CHECK(f.action("edit.duplicate")->toolTip().contains(">U<"));
    f.press("preferences_add");
    f.key(Qt::Key_D, Qt::ControlModifier);
    CHECK(f.keys("edit.duplicate") == "U;Ctrl+D");
    // Esc while it waits leaves the key as it is, and the dialog open; Tab is not to be had.
    f.press("preferences_new");
    f.key(Qt::Key_Tab);
    CHECK(f.said().contains("Tab always"));
    f.key(Qt::Key_Escape);
    CHECK(f.dialog->isVisible());
    CHECK(f.keys("edit.duplicate") == "U;Ctrl+D");
    // A key of a mode.
    f.give("brush", Qt::Key_Y);
    CHECK(f.in_finder("truss.brush") == "Y");
    f.end(QDialogButtonBox::Ok);
    f.selection().select_only(id_of(f.scene(), "Ball"));
    const std::size_t before = f.scene().objects.size();
    f.key(Qt::Key_D, Qt::ShiftModifier);
    CHECK(f.scene().objects.size() == before);  // no longer
    f.key(Qt::Key_U);
    CHECK(f.scene().objects.size() == before + 1);
    if (f.view().gesture()) f.key(Qt::Key_Return);
    f.action("object.set_flexible")->trigger();
    f.action("analysis.string")->trigger();
    const ModeInfo* truss = find_mode("truss");
    REQUIRE(truss);
    if (f->context().elements.mode() != truss) REQUIRE(f->context().elements.enter(*truss).isEmpty());
    f.view().setFocus();
    f.key(Qt::Key_B);
    CHECK(f.view().mode_tool().isEmpty());
    f.key(Qt::Key_Y);
    CHECK(f.view().mode_tool() == "truss.brush");
    // The next start.
    Session next(1);
    const CheckedKeys stored = checked_keys(key_rows(next.actions), next.settings.key_map());
    CHECK(stored.problem.isEmpty());
    CHECK(stored.map == f->context().actions.key_map());
  }
  Settings().set_key_map({QStringLiteral("maya"), {{QStringLiteral("edit.hide"), QStringLiteral("Tab")}}});
  Preferring again;
  CHECK(again.keys("object.rotate") == "E");
  CHECK(again.keys("edit.hide") == "Ctrl+H");
  CHECK(again->messages()->text().contains("Hide"));
}

TEST_CASE("Flow: a key that another command has is said and can be taken over; Cancel puts all back",
          "[ui][flow][preferences]") {
  Preferring f;
  f.window.resize(1600, 1000);
  f.show();
  const KeyMap before = f->context().actions.key_map();
  f.give("duplicate", Qt::Key_G);
  CHECK(f.said() == "G is the key of Object › Move.");
  CHECK(f.keys("edit.duplicate") == "Shift+D;Ctrl+D");  // not yet
  CHECK(f.keys("object.move") == "G");
  f.shot("preferences-taken", f.dialog);
  f.press("preferences_take_over");
  CHECK(f.keys("edit.duplicate") == "G");
  CHECK(f.keys("object.move").isEmpty());
  CHECK_FALSE(f.part<QPushButton>("preferences_take_over")->isVisible());
  // Its usual key again: whoever has it gives it back.
  f.choose("object move");
  f.press("preferences_reset");
  CHECK(f.keys("object.move") == "G");
  CHECK(f.keys("edit.duplicate").isEmpty());
  CHECK(f.said().contains("Duplicate"));
  f.choose("duplicate");
  f.press("preferences_reset");
  CHECK(f->context().actions.key_map() == before);
  f.press("preferences_remove");
  CHECK(f.keys("edit.duplicate").isEmpty());
  f.press("preferences_reset_all");
  CHECK(f->context().actions.key_map() == before);
  // A mode's key over one of the menus is told of.
  f.give("wireframe", Qt::Key_K);
  CHECK(f.said().contains("In the mode Truss it is heard as Cut Springs"));
  auto* set = f.part<QComboBox>("preferences_set");
  set->setFocus();
  QTest::keyClick(set, Qt::Key_Down);
  CHECK(f.keys("object.move") == "W");
  CHECK(f.keys("view.wireframe") == "4");
  f.choose("");
  f.shot("preferences-maya");
  f.end(QDialogButtonBox::Cancel);
  CHECK(f->context().actions.key_map() == before);
  CHECK(Settings().key_map() == before);
  f.show();
  set = f.part<QComboBox>("preferences_set");
  set->setFocus();
  QTest::keyClick(set, Qt::Key_Down);
  f.end(QDialogButtonBox::Ok);
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.key(Qt::Key_E);
  REQUIRE(f.view().gesture());
  CHECK(f.view().gesture()->mode() == TransformMode::rotate);
  f.key(Qt::Key_Escape);
}

}  // namespace hazumi::preferences_test
