// Finding a command, and the list of undo steps, with the real main window.
#include <QListView>
#include <QListWidget>
#include <QTreeWidget>

#include "tests/ui/flow_support.h"
#include "ui/modes/mode.h"
#include "ui/widgets/bubble.h"
#include "ui/widgets/word_match.h"
#include "ui/window/command_finder.h"
#include "ui/window/shortcuts_page.h"

namespace flow_find_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

struct Finding : Flow {
  CommandFinder* find(const QString& words) {
    key(Qt::Key_F3);
    auto* finder = window.findChild<CommandFinder*>();
    REQUIRE(finder);
    REQUIRE(finder->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), words);
    return finder;
  }
  static QString first(CommandFinder* finder) {
    return finder->list()->count() > 0 ? finder->list()->item(0)->text() : QString();
  }
  bool gone() {
    return wait_for([&] { return !window.findChild<CommandFinder*>(); }, 2000);
  }
};

QPoint row_of(QListView* list, int row) { return list->visualRect(list->model()->index(row, 0)).center(); }

}  // namespace

TEST_CASE("What is typed fits a name by beginnings, first letters, letters left out and one slip", "[ui][find]") {
  const auto fits = [](const char* typed, const char* name) { return word_match(typed, name, ""); };
  CHECK(fits("", "Duplicate") > 0);
  for (const char* typed : {"dup", "DUPLICATE", "dplc", "dupilc", "dublic", "duplcate", "duplicatt"}) {
    INFO(typed);
    CHECK(fits(typed, "Duplicate") > 0);
  }
  CHECK(fits("fa", "Frame All") > fits("fa", "Default"));
  CHECK(fits("all frame", "Frame All") > 0);
  CHECK(fits("frame", "Frame All") > fits("frame", "One Frame"));
  CHECK(fits("all", "Frame All") > fits("al", "Scale"));
  for (const char* typed : {"x", "dpu", "etacilpud", "duplicate box"}) {
    INFO(typed);
    CHECK(fits(typed, "Duplicate") == 0);
  }
  CHECK(word_match("ctrl+d", "Duplicate", "Shift+D, Ctrl+D Edit") > 0);
  CHECK(word_match("ctrl+d", "Box", "Ctrl+Down Add") < word_match("ctrl+d", "Duplicate", "Shift+D, Ctrl+D Edit"));
}

TEST_CASE("Flow: F3 finds a command by its words and Enter runs it", "[ui][flow][find]") {
  Finding f;
  f.Window::open(ball_scene());
  f.view().setFocus();
  const std::size_t before = f.scene().objects.size();
  CommandFinder* finder = f.find("");
  const auto total = static_cast<int>(f->context().actions.rows().size());
  int of_modes = 0;
  for (const ModeInfo* mode : modes()) of_modes += static_cast<int>(mode->actions.size() + mode->tools.size());
  CHECK(of_modes > 20);
  CHECK(finder->list()->count() == total + static_cast<int>(modes().size()) + 1 + of_modes);
  f.shot("find-command");
  QTest::keyClicks(QApplication::focusWidget(), "tors");  // a letter left out
  CHECK(f.first(finder) == "Torus");
  f.key(Qt::Key_Return);
  REQUIRE(f.gone());
  CHECK(f.scene().objects.size() == before + 1);
  CHECK(f.last().name == "Torus");
  CHECK(f.view().hasFocus());
  // Up and down choose, Esc leaves everything as it is.
  finder = f.find("add");
  const int steps = f.document().undo_stack()->index();
  REQUIRE(finder->list()->count() > 3);
  f.key(Qt::Key_Down);
  f.key(Qt::Key_Down);
  f.key(Qt::Key_Up);
  CHECK(finder->list()->currentRow() == 1);
  f.key(Qt::Key_Escape);
  REQUIRE(f.gone());
  CHECK(f.document().undo_stack()->index() == steps);
  // By a click; and a click elsewhere closes it.
  finder = f.find("cone");
  CHECK(f.first(finder) == "Cone");
  f.click_in(finder->list()->viewport(), finder->list()->visualItemRect(finder->list()->item(0)).center());
  REQUIRE(f.gone());
  REQUIRE(wait_for([&] { return f.document().undo_stack()->index() == steps + 1; }, 2000));
  CHECK(f.last().name == "Cone");
  finder = f.find("zzzz");
  CHECK(finder->list()->count() == 0);
  CHECK(finder->findChild<QWidget*>("finder_none")->isVisible());
  f.shot("find-nothing");
  f.click(QPointF(40, f.view().height() - 40));
  CHECK(f.gone());
  // It fits into any window, also one that changes while it is open.
  for (const QSize size : {QSize(1280, 720), QSize(1600, 1000), QSize(1000, 560)}) {
    finder = f.find("");
    f.window.resize(size);
    QTest::qWait(50);
    CHECK(f.window.rect().adjusted(0, 0, 0, -40).contains(finder->geometry()));
    f.shot(qPrintable(QString("find-%1").arg(f.window.width())));
    f.key(Qt::Key_Escape);
    REQUIRE(f.gone());
  }
}

TEST_CASE("Flow: the finder says why a command is grey, also of modes that are off", "[ui][flow][find]") {
  Finding f;
  f.Window::open(ball_scene());
  f.view().setFocus();
  CommandFinder* finder = f.find("duplicate");
  // What can be done comes before what cannot.
  CHECK(f.first(finder) == "Duplicate Take");
  const QList<QListWidgetItem*> grey = finder->list()->findItems("Duplicate", Qt::MatchExactly);
  REQUIRE(grey.size() == 1);
  CHECK(grey[0]->toolTip().contains("Select an object first."));
  finder->list()->setCurrentItem(grey[0]);
  f.shot("find-grey");
  f.key(Qt::Key_Return);
  CHECK(f.window.findChild<CommandFinder*>());  // stays, and says so
  CHECK(Bubble::shown_text() == "Select an object first.");
  f.key(Qt::Key_Escape);
  REQUIRE(f.gone());
  // A command of a mode: not before the mode is on, then it runs.
  f.selection().select_only(id_of(f.scene(), "Ball"));
  f.action("object.set_flexible")->trigger();
  f.action("analysis.string")->trigger();
  f.view().setFocus();
  const ModeInfo* truss = find_mode("truss");
  REQUIRE(truss);
  REQUIRE_FALSE(truss->tools.empty());
  const QString tool = QString::fromUtf8(truss->tools[0].title.data(), static_cast<int>(truss->tools[0].title.size()));
  f->context().elements.leave();
  finder = f.find(tool);
  CHECK(f.first(finder) == tool);
  CHECK(finder->list()->item(0)->toolTip().contains("Only in the mode "));
  f.key(Qt::Key_Escape);
  REQUIRE(f.gone());
  finder = f.find("edit truss");
  f.key(Qt::Key_Return);
  REQUIRE(wait_for([&] { return f->context().elements.mode() == truss; }, 2000));
  finder = f.find(tool);
  f.key(Qt::Key_Return);
  REQUIRE(wait_for([&] { return !f.view().mode_tool().isEmpty(); }, 2000));
}

TEST_CASE("Flow: the keys page has every mode's commands, with reasons that follow", "[ui][flow][find]") {
  Finding f;
  f.Window::open(ball_scene());
  f.view().setFocus();
  f.key(Qt::Key_F1);
  auto* page = f.window.findChild<ShortcutsPage*>();
  REQUIRE(page);
  REQUIRE(QTest::qWaitForWindowExposed(page));
  const auto why = [&](const QString& name) {
    for (int g = 0; g < page->list()->topLevelItemCount(); ++g)
      for (int i = 0; i < page->list()->topLevelItem(g)->childCount(); ++i)
        if (const auto* item = page->list()->topLevelItem(g)->child(i); item->text(0) == name) return item->text(3);
    return QString("no such row");
  };
  CHECK(why("Duplicate") == "Select an object first.");
  f.shot("keys-page", page);
  std::set<QString> groups;
  for (int g = 0; g < page->list()->topLevelItemCount(); ++g) groups.insert(page->list()->topLevelItem(g)->text(0));
  for (const ModeInfo* mode : modes())
    CHECK(groups.count("Mode " + QString::fromUtf8(mode->title.data(), static_cast<int>(mode->title.size()))));
  f.selection().select_only(id_of(f.scene(), "Ball"));
  QEvent front(QEvent::WindowActivate);
  QApplication::sendEvent(page, &front);
  CHECK(why("Duplicate").isEmpty());
  page->close();
}

TEST_CASE("Flow: a click in the history goes to that step, the saved one is marked", "[ui][flow][history]") {
  Finding f;
  QTemporaryDir folder;
  const QString file = folder.filePath("history.json");
  REQUIRE(save_scene(ball_scene(), file.toStdString()).ok());
  f.open(file);
  std::vector<std::string> states{scene_to_text(f.scene())};
  for (const char* id : {"add.box", "add.cone", "add.torus", "add.sphere"}) {
    f.action(id)->trigger();
    states.push_back(scene_to_text(f.scene()));
    if (states.size() == 3) REQUIRE(f.window.save_to(file));
  }
  f.menu("Edit", "edit.history");
  auto* list = f.window.findChild<QListView*>("history_list");
  REQUIRE(list);
  REQUIRE(wait_for([&] { return list->isVisible(); }, 2000));
  REQUIRE(list->model()->rowCount() == 5);
  CHECK(list->model()->index(0, 0).data().toString() == "As opened");
  CHECK(list->model()->index(2, 0).data().toString() == "Add Cone");
  CHECK(list->currentIndex().row() == 4);
  const auto tip = [&](int row) { return list->model()->index(row, 0).data(Qt::ToolTipRole).toString(); };
  CHECK(tip(2).contains("file holds"));
  CHECK_FALSE(tip(3).contains("file holds"));
  int told = 0;
  QObject::connect(&f.document(), &DocumentController::changed, list, [&](const ChangeSet&) { ++told; });
  for (const int row : {1, 3, 0, 4, 2}) {
    list->scrollTo(list->model()->index(row, 0));
    const int before = told;
    f.click_in(list->viewport(), row_of(list, row));
    CHECK(told == before + 1);  // one change, however far
    CHECK(scene_to_text(f.scene()) == states[static_cast<std::size_t>(row)]);
    CHECK(f.document().undo_stack()->index() == row);
    CHECK(list->currentIndex().row() == row);
    CHECK(f.document().modified() == (row != 2));
    CHECK(list->model()->rowCount() == 5);
  }
  f.shot("history");
  // Keys go on from there.
  f.view().setFocus();
  f.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(scene_to_text(f.scene()) == states[1]);
  CHECK(list->currentIndex().row() == 1);
  // An edit drops what was taken back.
  f.action("add.tube")->trigger();
  CHECK(list->model()->rowCount() == 3);
  CHECK(list->model()->index(2, 0).data().toString() == "Add Tube");
}

}  // namespace flow_find_test
