// The keys of commands: sets, stored ones that make no sense, and the dialog by mouse and keys on the real main window.
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTreeWidget>

#include "tests/ui/flow_support.h"
#include "ui/jobs/autosave.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/modes/mode_bar.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/command_list.h"
#include "ui/window/key_rows.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/preferences_rows.h"

namespace hazumi::preferences_test {

using namespace hazumi::test;

namespace {

struct Preferring : Flow {
  // Other tests have the usual keys.
  Preferring() { QTest::qWait(10); }
  ~Preferring() {
    Settings().set_key_map({});
    Settings().set_preferences({});
  }

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
  /// The page of this title, by a click on it.
  PreferencesRows* page(const char* title) {
    QListWidget* pages = dialog->pages();
    const auto found = pages->findItems(title, Qt::MatchExactly);
    REQUIRE(found.size() == 1);
    click_in(pages->viewport(), pages->visualItemRect(found.first()).center());
    QTest::qWait(10);
    for (auto* rows : dialog->findChildren<PreferencesRows*>())
      if (rows->isVisible()) return rows;
    FAIL("no page of rows");
    return nullptr;
  }
  void tick(PreferencesRows* page, const char* path) {
    auto* box = static_cast<CheckField*>(page->form()->widget(path))->box();
    QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
  }
  void type(PreferencesRows* page, const char* path, const QString& text) {
    FieldWidget* widget = page->form()->widget(path);
    REQUIRE(widget);
    type_number(number_of(widget), text);
  }
  const Preferences& now() { return session.preferences.now(); }
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
  f.give("wireframe", Qt::Key_J);
  CHECK(f.said().contains("In the mode Truss it is heard as String Springs"));
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

TEST_CASE("Stored preferences that make no sense are left out, in one sentence; the others hold", "[ui][preferences]") {
  QTemporaryDir folder;
  QSettings saved(folder.filePath("some.ini"), QSettings::IniFormat);
  QString problem;
  CHECK(same_preferences(read_preferences(saved, &problem), {}));
  CHECK(problem.isEmpty());
  Preferences other;
  other.undo_steps = 7;
  other.snap_angle = 0.25;
  other.autosave = false;
  write_preferences(saved, other);
  CHECK(saved.allKeys().size() == 3);  // what differs
  CHECK(same_preferences(read_preferences(saved, &problem), other));
  CHECK(problem.isEmpty());
  saved.setValue("preferences/scale", "huge");
  saved.setValue("preferences/trash_days", -3);
  saved.setValue("preferences/snap_move", "nan");
  saved.setValue("preferences/play_own", "perhaps");
  CHECK(same_preferences(read_preferences(saved, &problem), other));
  for (const char* name : {"Scale", "Keep discarded", "Move", "Play own scenes"}) {
    INFO(name);
    CHECK(problem.contains(name));
  }
  CHECK_FALSE(problem.contains("Undo steps"));
  // What the program says of it at its start.
  {
    QSettings own(settings_file(), QSettings::IniFormat);
    own.setValue("preferences/scale", "9999");
  }
  Preferring f;
  CHECK(f.window.messages()->text().contains("Scale"));
  CHECK(f.now().scale == 100);
  f.open(shipped("heap.json"));  // it is still said with the scene that the program was started with
  CHECK(f.window.messages()->text().contains("Scale"));
  f.view().setFocus();
  f.key(Qt::Key_A);
  f.action("edit.hide")->trigger();
  f.window.new_scene();
  CHECK(f.window.messages()->text().isEmpty());
}

TEST_CASE("Flow: unsaved work is not kept while that is off, which is warned of; Cancel has it kept again",
          "[ui][flow][preferences]") {
  Preferring f;
  f.window.resize(1280, 720);
  f.Window::open(ball_scene());
  f.selection().select_only(id_of(f.scene(), "Ball"));
  const QString kept = f.session.autosave.folder() + "/scene.json";
  f.action("object.set_fixed")->trigger();
  REQUIRE(wait_for([&] { return QFile::exists(kept); }, 5000));
  f.show();
  PreferencesRows* page = f.page("Saving");
  f.shot("preferences-saving", f.dialog);
  auto* note = page->findChild<QLabel*>("preferences_note");
  CHECK(note->text().isEmpty());
  f.tick(page, "autosave");
  CHECK_FALSE(f.now().autosave);
  CHECK(note->text().contains("lost"));
  CHECK(wait_for([&] { return !QFile::exists(kept); }, 5000));  // at once
  f.shot("preferences-saving-off", f.dialog);
  f.end(QDialogButtonBox::Cancel);
  CHECK(f.now().autosave);
  CHECK(wait_for([&] { return QFile::exists(kept); }, 5000));
  f.show();
  f.tick(f.page("Saving"), "autosave");
  f.end(QDialogButtonBox::Ok);
  f.action("object.set_rigid")->trigger();
  QTest::qWait(300);
  f.session.autosave.wait();
  CHECK_FALSE(QFile::exists(kept));
  CHECK_FALSE(Settings().preferences().autosave);
  // Reset, by the page's button.
  f.show();
  page = f.page("Saving");
  auto* reset = page->findChild<QPushButton*>("preferences_reset_page");
  REQUIRE(reset->isEnabled());
  QTest::mouseClick(reset, Qt::LeftButton);
  CHECK_FALSE(reset->isEnabled());
  f.end(QDialogButtonBox::Ok);
  CHECK(Settings().preferences().autosave);
  CHECK(wait_for([&] { return QFile::exists(kept); }, 5000));
}

TEST_CASE("What was discarded goes by its days and its size, the oldest first", "[ui][preferences][recovery]") {
  QTemporaryDir root;
  const auto throw_away = [&](const char* name, int days_ago, int bytes) {
    const QString folder = root.filePath("trash/") + name;
    QDir().mkpath(folder);
    write_file(folder + "/scene.json", QByteArray(bytes, ' '));
    write_file(folder + "/discarded.txt",
               QDateTime::currentDateTime().addDays(-days_ago).toString(Qt::ISODate).toUtf8());
  };
  throw_away("new", 1, 4000);
  throw_away("middle", 5, 4000);
  throw_away("old", 9, 4000);
  const auto names = [&](const TrashLimits& limits) {
    QStringList found;
    for (const Autosave::Remains& each : Autosave::trash(root.path(), limits))
      found << QFileInfo(each.folder).fileName();
    found.sort();
    return found;
  };
  CHECK(names({30, 1'000'000}) == QStringList{"middle", "new", "old"});
  CHECK(names({30, 9000}) == QStringList{"middle", "new"});
  CHECK_FALSE(QDir(root.filePath("trash/old")).exists());
  CHECK(names({3, 9000}) == QStringList{"new"});
  CHECK(names({3, 100}).isEmpty());
}

TEST_CASE("Flow: undo depth, snapping and how the view turns are as preferred, at once", "[ui][flow][preferences]") {
  Preferring f;
  f.Window::open(ball_scene());
  const Id ball = id_of(f.scene(), "Ball");
  f.selection().select_only(ball);
  QUndoStack& undo = *f.document().undo_stack();
  for (const char* id : {"object.set_fixed", "object.set_rigid", "object.set_point", "object.set_fixed"})
    f.action(id)->trigger();
  REQUIRE(undo.count() == 4);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  f.show();
  PreferencesRows* page = f.page("Editing");
  f.type(page, "undo_steps", "2");
  CHECK(undo.count() == 4);  // Cancel could not bring them back
  f.type(page, "snap_move", "0.5");
  f.type(page, "snap_angle", "45");
  CHECK(f.now().snap_angle == Approx(kPi / 4).epsilon(1e-12));
  f.shot("preferences-editing", f.dialog);
  page = f.page("Display");
  f.type(page, "turning", "200");
  f.tick(page, "zoom_to_mouse");
  f.end(QDialogButtonBox::Ok);
  CHECK(undo.count() == 2);
  CHECK(undo.index() == 1);
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(f.object("Ball").body.kind == BodyKind::rigid);  // the state two steps back
  CHECK_FALSE(undo.canUndo());
  f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  f.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(f.object("Ball").body.kind == BodyKind::fixed);
  for (int i = 0; i < 5; ++i) f.action(i % 2 ? "object.set_fixed" : "object.set_rigid")->trigger();
  CHECK(undo.count() == 2);
  // Ctrl goes by half metres.
  f.selection().select_only(ball);
  f.move_to(f.pixel(Vec3(0, 0.5, 0)));
  f.key(Qt::Key_G);
  f.key(Qt::Key_X);
  f.mouse(&f.view(), QEvent::MouseMove, f.pixel(Vec3(0, 0.5, 0)) + QPointF(70, 0), Qt::NoButton, Qt::NoButton,
          Qt::ControlModifier);
  f.key(Qt::Key_Return);
  const double x = f.object("Ball").transform.position.x();
  CHECK(x != 0);
  CHECK(std::abs(x * 2 - std::round(x * 2)) < 1e-9);
  // Twice as far: 0.008 rad a pixel is what it is at first.
  const float yaw = std::as_const(f.view()).camera().yaw;
  f.drag(&f.view(), QPointF(300, 300), QPointF(340, 300), Qt::MiddleButton);
  CHECK(std::as_const(f.view()).camera().yaw - yaw == Approx(-2 * 0.008 * 40).epsilon(1e-3));
  const glm::vec3 target = std::as_const(f.view()).camera().target;
  QWheelEvent wheel(QPointF(40, 40), f.view().mapToGlobal(QPointF(40, 40)), {}, QPoint(0, 240), Qt::NoButton, {},
                    Qt::NoScrollPhase, false);
  QApplication::sendEvent(&f.view(), &wheel);
  CHECK(std::as_const(f.view()).camera().target == target);
}

TEST_CASE("Flow: another scale is told of, kept, and is what the next start draws", "[ui][flow][preferences]") {
  Preferring f;
  f.show();
  PreferencesRows* page = f.page("Display");
  f.type(page, "scale", "150");
  CHECK(page->findChild<QLabel*>("preferences_note")->text().contains("150 %"));
  f.shot("preferences-display", f.dialog);
  f.end(QDialogButtonBox::Ok);
  const Preferences stored = Settings().preferences();
  CHECK(stored.scale == 150);
  const QByteArray before = qgetenv("QT_SCALE_FACTOR");
  qunsetenv("QT_SCALE_FACTOR");
  scale_interface(stored);
  CHECK(qgetenv("QT_SCALE_FACTOR") == "1.5");
  scale_interface({});  // what is set goes first
  CHECK(qgetenv("QT_SCALE_FACTOR") == "1.5");
  before.isNull() ? qunsetenv("QT_SCALE_FACTOR") : qputenv("QT_SCALE_FACTOR", before);
}

}  // namespace hazumi::preferences_test
