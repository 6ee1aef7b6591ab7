// The real main window driven by keys, clicks and files.
#include <catch2/catch.hpp>

#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QToolBar>
#include <QTreeWidget>
#include <QWindow>

#include "tests/ui/support.h"
#include "ui/panels/panel.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_field.h"
#include "ui/window/shortcuts_page.h"
#include "ui/window/start_page.h"

namespace main_window_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

/// QObject::receivers is protected; a using-declaration in a derived class makes the pointer to it.
struct Receivers : QObject {
  using QObject::receivers;
};
int receivers(const QAction* action, const char* signal) { return (action->*(&Receivers::receivers))(signal); }

/// Presses a button of the next message box, however long it takes to come up.
void answer_next_box(QMessageBox::StandardButton button) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, button] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (!box) return;
    timer->deleteLater();
    box->button(button)->click();
  });
  timer->start(10);
}

bool opened(Window& w, const QString& file) {
  QSignalSpy done(&w.window, &MainWindow::opened), failed(&w.window, &MainWindow::open_failed);
  w->open_file(file);
  return wait_for([&] { return done.count() + failed.count() > 0; }) && done.count() == 1;
}

}  // namespace

TEST_CASE("A key reaches the window though another program on the display took the focus", "[ui]") {
  Window w;
  Scene scene = make_new_scene();
  for (int k = 0; k < 6; ++k)
    scene.objects.push_back(make_object(next_id(scene).value, "Box " + std::to_string(k), {}, Vec3(2 * k, 1, 0)));
  w.open(scene);
  QWindow other;
  other.resize(50, 50);
  other.show();
  other.requestActivate();
  REQUIRE(QTest::qWaitForWindowActive(&other));
  REQUIRE(wait_for([] { return QApplication::activeWindow() == nullptr; }, 2000));
  QTest::keyClick(&w.window, Qt::Key_N, Qt::ControlModifier);
  CHECK(w.scene().objects.size() > 5);  // a shortcut of a window that is not active
  w.key(Qt::Key_N, Qt::ControlModifier);
  CHECK(w.scene().objects.size() < 5);
}

TEST_CASE("Every action of the table does something or says why not", "[ui][window]") {
  Window w;
  std::set<std::string> keys;
  for (const QAction* menu : w->menuBar()->actions())  // Alt and the underlined letter
    CHECK(keys.insert(QKeySequence::mnemonic(menu->text()).toString().toStdString()).second);
  for (const Command* command : w->context().actions.rows()) {
    const Command& row = *command;
    INFO(row.id);
    const QAction* action = w->context().actions[row.id];
    CHECK(receivers(action, SIGNAL(triggered(bool))) + receivers(action, SIGNAL(toggled(bool))) > 0);
    CHECK_FALSE(action->statusTip().isEmpty());
    if (!action->isEnabled()) {
      const auto tip = QString::fromUtf8(row.tip.data(), static_cast<int>(row.tip.size()));
      CHECK(action->statusTip() != tip);
    }
    for (const QKeySequence& key : action->shortcuts()) {
      INFO(key.toString().toStdString());
      CHECK(keys.insert(key.toString().toStdString()).second);  // no key twice
    }
    if (!row.icon.empty()) CHECK_FALSE(action->icon().isNull());
  }
}

TEST_CASE("Every panel of the table has its dock", "[ui][window]") {
  Window w;
  CHECK_FALSE(panels().empty());
  for (const PanelInfo* info : panels()) {
    auto* dock = w->findChild<QDockWidget*>(QString::fromUtf8(info->id.data(), static_cast<int>(info->id.size())));
    INFO(info->id);
    REQUIRE(dock);
    CHECK(dock->widget());
  }
}

TEST_CASE("Add, duplicate, hide, delete and undo by keys", "[ui][window]") {
  Window w;
  const auto count = [&] { return w.scene().objects.size(); };
  const std::size_t start = count();
  w.action("add.sphere")->trigger();
  REQUIRE(count() == start + 1);
  CHECK(w.scene().objects.back()->body.kind == BodyKind::rigid);
  CHECK(w.scene().objects.back()->transform.position.y() > 1);
  CHECK(w.selection().active() == w.scene().objects.back()->id);
  w->viewport()->setFocus();
  w.key(Qt::Key_D, Qt::ShiftModifier);
  w.key(Qt::Key_Return);  // the copy follows the mouse until then
  REQUIRE(count() == start + 2);
  const Vec3 apart = w.scene().objects[start + 1]->transform.position - w.scene().objects[start]->transform.position;
  CHECK(apart.norm() >= 1.0);  // not inside each other
  w.key(Qt::Key_H);
  CHECK_FALSE(w.scene().objects.back()->visible);
  w.key(Qt::Key_H, Qt::AltModifier);
  CHECK(w.scene().objects.back()->visible);
  w.key(Qt::Key_A);
  CHECK(w.selection().ids().size() == 2);  // the floor of a new scene is locked
  w.key(Qt::Key_X);
  CHECK(count() == start);
  CHECK(w.selection().empty());
  w.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(count() == start + 2);
  w.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(count() == start);
  CHECK_FALSE(w.action("edit.delete")->isEnabled());
}

TEST_CASE("Bodies added in a row do not overlap", "[ui][window]") {
  Window w;
  for (const char* id : {"add.box", "add.torus", "add.cone", "add.box"}) w.action(id)->trigger();
  std::vector<double> places;
  for (const auto& object : w.scene().objects)
    if (object->body.kind != BodyKind::fixed) places.push_back(object->transform.position.x());
  REQUIRE(places.size() == 4);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) CHECK(places[i] - places[i - 1] > 0.9);
}

TEST_CASE("Making a body flexible gives it an analysis model in its size", "[ui][window]") {
  Window w;
  w.action("add.sphere")->trigger();
  w.action("object.set_flexible")->trigger();
  const Object ball = *w.scene().objects.back();
  CHECK(ball.body.kind == BodyKind::flexible);
  CHECK(ball.analysis.kind == AnalysisKind::icosahedron);
  CHECK(ball.analysis.size == ball.display.primitive.size);
  w.action("edit.undo")->trigger();
  CHECK(w.scene().objects.back()->body.kind == BodyKind::rigid);
}

TEST_CASE("Keys typed into a field are text, not commands", "[ui][window]") {
  Window w;
  w.open(ball_scene(50));
  w.selection().select_only(id_of(w.scene(), "Ball"));
  auto* number = w->findChild<QWidget*>("timeline_last")->findChild<NumberField*>();
  QTest::mouseClick(number, Qt::LeftButton);
  auto* field = number->findChild<QLineEdit*>("number_edit");
  REQUIRE(field);
  for (Qt::Key key : {Qt::Key_X, Qt::Key_H, Qt::Key_Space, Qt::Key_Delete, Qt::Key_Home}) QTest::keyClick(field, key);
  CHECK(find_object(w.scene(), id_of(w.scene(), "Ball")));
  CHECK(find_object(w.scene(), id_of(w.scene(), "Ball"))->visible);
  CHECK_FALSE(w.playback().playing());
  field->selectAll();
  QTest::keyClicks(field, "71");
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(w.scene().settings.last_frame == 71);
  w.key(Qt::Key_Space);
  CHECK(w.playback().playing());
}

TEST_CASE("Rename takes the text of a field at the mouse", "[ui][window]") {
  Window w;
  w.open(ball_scene());
  w.selection().select_only(id_of(w.scene(), "Ball"));
  w.action("edit.rename")->trigger();
  auto* field = w->findChild<QLineEdit*>("rename_field");
  REQUIRE(field);
  CHECK(field->text() == "Ball");
  field->selectAll();
  QTest::keyClicks(field, "Bouncer");
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(id_of(w.scene(), "Bouncer"));
  CHECK(w.document().undo_stack()->undoText().contains("Bouncer"));
}

TEST_CASE("Save, open again: the same scene and the same layout", "[ui][window]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("test.json");
  std::string text;
  {
    Window w;
    w.open(ball_scene());
    w->findChild<QDockWidget*>("outliner")->hide();
    w.action("add.box")->trigger();
    CHECK(w->isWindowModified());
    REQUIRE(w->save_to(file));
    CHECK_FALSE(w->isWindowModified());
    CHECK(w->windowTitle().contains("test"));
    text = scene_to_text(w.scene());
  }
  Window w;
  CHECK(w->findChild<QDockWidget*>("outliner")->isVisible());
  REQUIRE(opened(w, file));
  CHECK_FALSE(w->findChild<QDockWidget*>("outliner")->isVisible());
  Scene scene = w.scene();
  scene.layout.clear();
  CHECK(scene_to_text(scene) == text);
  CHECK(w.document().undo_stack()->count() == 0);
  CHECK(w->settings().recent_files().first() == QFileInfo(file).absoluteFilePath());
  w->settings().clear_recent_files();
}

TEST_CASE("A bad file gives one sentence and leaves what is open", "[ui][window]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("bad.json");
  Window w;
  w.open(ball_scene());
  const std::string before = scene_to_text(w.scene());
  for (const QByteArray& text : {QByteArray(), QByteArray("{\"version\": 1, \"objects\": ["), QByteArray(70000, '['),
                                 QByteArray("{\"version\": 9999}"), QByteArray("\x00\xff\xfe nonsense", 12)}) {
    write_file(file, text);
    CHECK_FALSE(opened(w, file));
    CHECK(w->messages()->text().contains("bad.json"));
    CHECK(w->messages()->text().contains('.'));
    CHECK(scene_to_text(w.scene()) == before);
  }
  CHECK_FALSE(opened(w, folder.filePath("missing.json")));
  CHECK(w->messages()->text().contains("missing.json"));
  CHECK(QApplication::activeModalWidget() == nullptr);
}

/// With a scene that was saved and then changed.
struct ChangedWindow : Window {
  QTemporaryDir folder;
  QString file = folder.filePath("kept.json");
  ChangedWindow() {
    REQUIRE(window.save_to(file));
    action("add.box")->trigger();
  }
};

TEST_CASE("Closing with unsaved changes asks", "[ui][window]") {
  ChangedWindow w;
  answer_next_box(QMessageBox::Cancel);
  CHECK_FALSE(w->close());
  CHECK(w->isVisible());
  answer_next_box(QMessageBox::Save);
  CHECK(w->close());
  const auto saved = load_scene(w.file.toStdString());
  REQUIRE(saved.ok());
  CHECK(saved->objects.size() == w.scene().objects.size());
  w->settings().clear_recent_files();
}

TEST_CASE("Discarding closes without writing", "[ui][window]") {
  ChangedWindow w;
  answer_next_box(QMessageBox::Discard);
  CHECK(w->close());
  CHECK(load_scene(w.file.toStdString())->objects.size() == w.scene().objects.size() - 1);
  w->settings().clear_recent_files();
}

TEST_CASE("Closing with the mouse over a tool button tells nobody any more", "[ui][window]") {
  // The hint of what is under the mouse was once asked for while the members that it needs were gone: a text freed twice.
  struct Tips : QObject {
    QObject* window = nullptr;
    bool actions_go = false;
    int before = 0, late = 0;
    bool eventFilter(QObject* watched, QEvent* event) override {
      if (watched == window && event->type() == QEvent::StatusTip) ++(actions_go ? late : before);
      return false;
    }
  } tips;
  qApp->installEventFilter(&tips);
  for (const char* id : {"edit.undo", "object.set_rigid", "view.grid", "file.export_images"}) {
    auto window = std::make_unique<Window>();
    tips.window = &window->window;
    tips.actions_go = false;
    auto* bar = window->window.findChild<QToolBar*>("tool_bar");
    REQUIRE(bar);
    QWidget* button = bar->widgetForAction(window->action(id));
    REQUIRE(button);
    tips.before = 0;
    QTest::mouseMove(bar, QPoint(1, 1));
    QTest::mouseMove(button);
    QTest::qWait(20);
    CHECK(tips.before > 0);
    QObject::connect(window->action("file.new"), &QObject::destroyed, &tips, [&tips] { tips.actions_go = true; });
    window.reset();
    tips.window = nullptr;  // the next one may stand at the same address, and has tips of its own while it is made
    CHECK(tips.actions_go);
  }
  CHECK(tips.late == 0);
  qApp->removeEventFilter(&tips);
}

TEST_CASE("A scene file dropped on the window opens", "[ui][window]") {
  QTemporaryDir folder;
  const QString file = folder.filePath("dropped.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  Window w;
  QSignalSpy done(&w.window, &MainWindow::opened);
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&w.window, &enter);
  CHECK(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&w.window, &drop);
  REQUIRE(wait_for([&] { return done.count() == 1; }));
  CHECK(id_of(w.scene(), "Ball"));
  w->settings().clear_recent_files();
}

TEST_CASE("Cards of the gallery fill their rows, whatever the window's width", "[ui]") {
  Window w;
  w->show_start_page();
  auto* gallery = w->findChild<QListWidget*>("start_gallery");
  REQUIRE(gallery);
  REQUIRE(wait_for([&] { return gallery->count() > 20; }));
  for (const int width : {1000, 1150, 1290, 1440, 1580}) {
    w->resize(width, 900);
    QTest::qWait(200);
    int right = 0, row = 0;
    const int top = gallery->visualItemRect(gallery->item(0)).top();
    for (int i = 0; i < gallery->count(); ++i) {
      const QRect card = gallery->visualItemRect(gallery->item(i));
      if (card.top() != top) continue;
      right = std::max(right, card.right());
      ++row;
    }
    const int room = gallery->viewport()->width();
    CAPTURE(width, room, row, right);
    CHECK(right < room);
    CHECK(right > room - 32);
    CHECK(row >= room / 300);
  }
}

TEST_CASE("The start page lists shipped scenes and opens one by a click", "[ui][start]") {
  QTemporaryDir folder;
  Scene scene = ball_scene();
  scene.name = "A ball";
  scene.description = "It falls.";
  REQUIRE(save_scene(scene, folder.filePath("ball.json").toStdString()).ok());
  write_file(folder.filePath("damaged.json"), "{");
  qputenv("HAZUMI_SCENES", folder.path().toUtf8());
  Window w;
  w->show_start_page();
  auto* page = w->findChild<StartPage*>();
  REQUIRE(page->gallery()->count() == 2);
  REQUIRE(wait_for([&] { return page->gallery()->item(0)->text() == "A ball"; }));
  // Thumbnails come as a still first, then as motion; they are kept for the next time.
  const auto pictures = [&] { return page->gallery()->item(0)->data(Qt::UserRole + 2).value<QVector<QImage>>(); };
  CHECK(wait_for([&] { return pictures().size() > 1; }));
  if (pictures().size() > 1) CHECK(pictures().first() != pictures().last());
  const QRect card = page->gallery()->visualItemRect(page->gallery()->item(0));
  QSignalSpy done(&w.window, &MainWindow::opened);
  QTest::mouseClick(page->gallery()->viewport(), Qt::LeftButton, {}, card.center());
  REQUIRE(wait_for([&] { return done.count() == 1; }));
  CHECK_FALSE(w->start_page_shown());
  CHECK(id_of(w.scene(), "Ball"));
  CHECK(w.playback().playing());
  w->show_start_page();
  CHECK(page->recent()->count() == 1);
  QTest::keyClick(page, Qt::Key_Escape);
  CHECK_FALSE(w->start_page_shown());
  qunsetenv("HAZUMI_SCENES");
  w->settings().clear_recent_files();
}

TEST_CASE("The start page finds scenes by what is typed, wherever the focus is", "[ui][start]") {
  QTemporaryDir folder;
  for (const char* name : {"Rope bridge", "A ball", "Two balls"}) {
    Scene scene = ball_scene();
    scene.name = name;
    scene.description = std::string(name) == "A ball" ? "It falls and bounces from a bridge." : "Look at it.";
    QString file = QString(name).toLower().replace(' ', '_') + ".json";
    REQUIRE(save_scene(scene, folder.filePath(file).toStdString()).ok());
  }
  qputenv("HAZUMI_SCENES", folder.path().toUtf8());
  Window w;
  w->show_start_page();
  auto* page = w->findChild<StartPage*>();
  auto* search = page->findChild<QLineEdit*>("start_search");
  auto* count = page->findChild<QLabel*>("start_count");
  auto* empty = page->findChild<QLabel*>("start_empty");
  QListWidget* const gallery = page->gallery();
  REQUIRE(wait_for(
      [&] { return gallery->item(0)->data(Qt::UserRole + 1).toString() == "It falls and bounces from a bridge."; }));
  const auto shown = [&] {
    QStringList names;
    for (int i = 0; i < gallery->count(); ++i)
      if (!gallery->item(i)->isHidden()) names << gallery->item(i)->text();
    return names;
  };
  CHECK(shown().size() == 3);
  CHECK(count->text().isEmpty());
  gallery->setFocus();
  for (const char key : {'b', 'a', 'l'}) QTest::keyClick(QApplication::focusWidget(), key);
  CHECK(search->text() == "bal");
  CHECK(shown() == QStringList{"A ball", "Two balls"});
  CHECK(count->text() == "2 of 3");
  search->setText("bounces");  // of the description
  CHECK(shown() == QStringList{"A ball"});
  search->setText("elephant");
  CHECK(shown().isEmpty());
  CHECK(empty->isVisible());
  CHECK(empty->text().contains("elephant"));
  QTest::keyClick(search, Qt::Key_Escape);
  CHECK(shown().size() == 3);
  CHECK(w->start_page_shown());
  QTest::keyClicks(search, "bridge");
  CHECK(shown() == QStringList{"A ball", "Rope bridge"});
  QTest::keyClick(search, Qt::Key_Down);  // into the one whose name has it
  CHECK(gallery->currentItem() == gallery->item(1));
  CHECK(gallery->hasFocus());
  search->setFocus();
  QSignalSpy done(&w.window, &MainWindow::opened);
  QTest::keyClick(search, Qt::Key_Return);
  REQUIRE(wait_for([&] { return done.count() == 1; }));
  CHECK(w.scene().name == "Rope bridge");
  w->show_start_page();  // all of them again
  CHECK(search->text().isEmpty());
  CHECK(shown().size() == 3);
  QTest::keyClick(search, Qt::Key_Escape);
  CHECK_FALSE(w->start_page_shown());
  qunsetenv("HAZUMI_SCENES");
  w->settings().clear_recent_files();
}

TEST_CASE("The keys page finds commands by word and key and runs them", "[ui][window]") {
  Window w;
  w.action("help.shortcuts")->trigger();
  auto* page = w->findChild<ShortcutsPage*>();
  REQUIRE(page);
  auto* search = page->findChild<QLineEdit*>("shortcuts_search");
  int all = 0;
  const auto visible = [&] {
    int found = 0;
    for (int g = 0; g < page->list()->topLevelItemCount(); ++g)
      for (int i = 0; i < page->list()->topLevelItem(g)->childCount(); ++i)
        found +=
            page->list()->topLevelItem(g)->childCount() > 0 && !page->list()->topLevelItem(g)->child(i)->isHidden();
    return found;
  };
  all = visible();
  CHECK(all == static_cast<int>(listed_commands(w->context().actions, *w->viewport()).size()));
  QTest::keyClicks(search, "rigid sphere");
  CHECK(visible() == 1);
  const std::size_t before = w.scene().objects.size();
  QTest::keyClick(search, Qt::Key_Return);
  CHECK(w.scene().objects.size() == before + 1);
}

TEST_CASE("Letters choose in a list box that has the focus and are no commands then", "[ui][window]") {
  Window w;
  w.action("add.box")->trigger();
  auto* box = new QComboBox(&w.window);
  box->addItems({"apple", "house", "hut"});
  box->move(200, 200);
  box->show();
  box->setFocus();
  REQUIRE(wait_for([&] { return box->hasFocus(); }));
  QTest::keyClick(box, Qt::Key_H);  // elsewhere: hide
  CHECK(box->currentText() == "house");
  CHECK(w.scene().objects.back()->visible);
  QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);  // commands with Ctrl still are
  CHECK(w->context().document.undo_stack()->index() == 0);
}

}  // namespace main_window_test
