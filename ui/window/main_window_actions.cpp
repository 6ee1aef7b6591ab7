// Menus, tool bar and handlers of the main window's actions (ui/widgets/actions.cpp is the table).
#include <algorithm>

#include <QApplication>
#include <QCursor>
#include <QDockWidget>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QToolBar>
#include <QToolButton>

#include "ui/editors/export_dialog.h"
#include "ui/model/commands.h"
#include "ui/model/text.h"
#include "ui/model/variants.h"
#include "ui/modes/metaball_commands.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/window/command_finder.h"
#include "ui/window/key_rows.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcuts_page.h"

namespace hazumi {

namespace {

struct MenuRow {
  const char* category;
  const char*
      title;  ///< Alt+A, Alt+H and Alt+P are commands (select none, show all, clear parent), so those letters open no menu
};
constexpr MenuRow kMenus[] = {{"File", "&File"}, {"Edit", "&Edit"}, {"Add", "A&dd"},           {"Object", "&Object"},
                              {"View", "&View"}, {"Keys", "&Keys"}, {"Playback", "Pla&yback"}, {"Help", "He&lp"}};

}  // namespace

void MainWindow::make_menus() {
  QHash<QString, QMenu*> menus;
  for (const MenuRow& row : kMenus) {
    QMenu* menu = menuBar()->addMenu(tr(row.title));
    menu->setObjectName(QLatin1String(row.category));
    menu->setToolTipsVisible(true);
    menus.insert(QLatin1String(row.category), menu);
  }
  for (const Command* command : session_.actions.rows()) {
    const Command& row = *command;
    const QString category = text_of(row.category);
    QMenu*& menu = menus[category];
    if (!menu) {
      const QStringList parts = category.split(QLatin1Char('/'));
      menu = menus.value(parts[0])->addMenu(parts[1]);
      menu->setToolTipsVisible(true);
    }
    if (row.separated) menu->addSeparator();
    menu->addAction(session_.actions[row.id]);
    if (row.id == "file.open") {
      recent_menu_ = menu->addMenu(theme_icon(QStringLiteral("recent")), tr("Open &Recent"));
      recent_menu_->setObjectName(QStringLiteral("recent_menu"));
      connect(recent_menu_, &QMenu::aboutToShow, this, &MainWindow::update_recent_menu);
    }
  }
  QMenu* view = menus.value(QStringLiteral("View"));
  view->addSeparator();
  QMenu* docks = view->addMenu(tr("&Panels"));
  for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))  // in the order of making
    docks->addAction(dock->toggleViewAction());
  docks->addSeparator();
  QAction* reset = docks->addAction(tr("Default Layout"));
  connect(reset, &QAction::triggered, this, [this] { restoreState(default_state_); });
}

void MainWindow::make_tool_bar() {
  QToolBar* bar = addToolBar(tr("Tools"));
  bar->setObjectName(QStringLiteral("tool_bar"));
  bar->setIconSize(QSize(20, 20));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  const auto add = [&](std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      bar->addAction(session_.actions[id]);
      if (QWidget* button = bar->widgetForAction(session_.actions[id])) button->setFocusPolicy(Qt::NoFocus);
    }
    bar->addSeparator();
  };
  add({"file.new", "file.open", "file.save"});
  add({"edit.undo", "edit.redo"});
  add({"add.box", "add.sphere", "add.cylinder", "add.cone", "add.torus", "add.plane", "add.light_point"});
  add({"object.set_flexible", "object.set_rigid", "object.set_point", "object.set_fixed"});
  auto* room = new QWidget(bar);
  room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(room);
  add({"view.frame_all", "view.camera", "view.ortho", "view.wireframe", "view.grid", "view.analysis_cycle",
       "view.contacts", "view.collision_cycle"});
  bar->addAction(session_.actions["file.export_images"]);
}

void MainWindow::update_recent_menu() {
  recent_menu_->clear();
  const QStringList files = session_.settings.recent_files();
  for (const QString& file : files) {
    QAction* action = recent_menu_->addAction(QFileInfo(file).completeBaseName());
    action->setStatusTip(file);
    action->setToolTip(file);
    connect(action, &QAction::triggered, this, [this, file] {
      if (confirm_leaving()) open_file(file);
    });
  }
  if (files.isEmpty()) {
    recent_menu_->addAction(tr("No files yet"))->setEnabled(false);
  } else {
    recent_menu_->addSeparator();
    connect(recent_menu_->addAction(tr("Forget These Files")), &QAction::triggered, this,
            [this] { session_.settings.clear_recent_files(); });
  }
}

void MainWindow::rename_active() {
  const Id id = session_.selection.active();
  const QString name = name_of(session_.document.scene(), id);
  if (name.isEmpty()) return;
  // A field at the mouse, taken by Enter, left by Escape or a click elsewhere: no dialog.
  auto* field = new QLineEdit(name, this);
  field->setObjectName(QStringLiteral("rename_field"));
  field->setWindowFlags(Qt::Popup);
  field->setAttribute(Qt::WA_DeleteOnClose);
  field->setMinimumWidth(220);
  field->selectAll();
  QPoint place = QCursor::pos();
  const QRect inside(mapToGlobal(QPoint(0, 0)), size());
  if (!inside.contains(place)) place = inside.center();
  field->move(place - QPoint(20, field->sizeHint().height() / 2));
  connect(field, &QLineEdit::returnPressed, this, [this, field, id] {
    rename(session_.document, id, field->text());
    field->close();
  });
  field->show();
  field->setFocus();
}

void MainWindow::show_shortcuts() {
  auto* page = new ShortcutsPage([this] { return listed_commands(session_.actions, *viewport_); }, this);
  page->setAttribute(Qt::WA_DeleteOnClose);
  page->show();
}

void MainWindow::show_finder() {
  if (findChild<CommandFinder*>()) return;
  auto* finder = new CommandFinder(listed_commands(session_.actions, *viewport_), this);
  finder->show();
  finder->raise();
}

void MainWindow::show_preferences() {
  auto* dialog = new PreferencesDialog(session_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::take_stored_keys() {
  const CheckedKeys stored = checked_keys(key_rows(session_.actions), session_.settings.key_map());
  session_.actions.set_key_map(stored.map);
  const QString& preferences = session_.preferences_problem;
  const QString problem = stored.problem.isEmpty() || preferences.isEmpty()
                              ? stored.problem + preferences
                              : stored.problem + QLatin1Char(' ') + preferences;
  start_problem_ = problem;
  if (!problem.isEmpty()) messages_->show_message(Severity::warning, problem);
}

void MainWindow::use_preferences() {
  const Preferences& now = session_.preferences.now();
  viewport_->use(now);
  if (now.view_time != std::exchange(view_time_, now.view_time)) viewport_->set_animation_time(now.view_time);
}

void MainWindow::show_panel(const QString& id) {
  QDockWidget* dock = docks_.value(id);
  if (!dock) return;
  dock->show();
  dock->raise();
}

void MainWindow::show_about() {
  QMessageBox box(this);
  box.setObjectName(QStringLiteral("about"));
  box.setWindowTitle(tr("About Hazumi"));
  box.setIconPixmap(windowIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
  box.setText(tr("<b>Hazumi %1</b>").arg(program_version()));
  box.setInformativeText(
      tr("Animation by physics: analysis models that bend, bounce and spin carry the models that are seen.<br><br>"
         "Built on Qt %1, Eigen, GLM, libepoxy, nlohmann/json and OpenGL.")
          .arg(QLatin1String(qVersion())));
  box.exec();
}

void MainWindow::export_images() {
  // Not modal: work goes on while pictures are written. One that runs is shown again, else a fresh one opens.
  if (export_dialog_ && !export_dialog_->running()) delete export_dialog_;
  if (!export_dialog_) export_dialog_ = new ExportDialog(session_.context, this);
  export_dialog_->show();
  export_dialog_->raise();
  export_dialog_->activateWindow();
}

}  // namespace hazumi
