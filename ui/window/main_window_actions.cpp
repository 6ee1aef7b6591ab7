// Menus, tool bar and handlers of the main window's actions (ui/model/actions.cpp is the table).
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
#include "ui/window/main_window.h"
#include "ui/window/shortcuts_page.h"

namespace hazumi {

namespace {

struct MenuRow {
  const char* category;
  const char* title;  ///< Alt+A and Alt+H are commands (select none, show all), so those letters open no menu
};
constexpr MenuRow kMenus[] = {{"File", "&File"}, {"Edit", "&Edit"},         {"Add", "A&dd"},  {"Object", "&Object"},
                              {"View", "&View"}, {"Playback", "&Playback"}, {"Help", "He&lp"}};

}  // namespace

void MainWindow::make_menus() {
  QHash<QString, QMenu*> menus;
  for (const MenuRow& row : kMenus) {
    QMenu* menu = menuBar()->addMenu(tr(row.title));
    menu->setObjectName(QLatin1String(row.category));
    menu->setToolTipsVisible(true);
    menus.insert(QLatin1String(row.category), menu);
  }
  for (const ActionRow& row : action_rows()) {
    const QString category = text_of(row.category);
    QMenu*& menu = menus[category];
    if (!menu) {
      const QStringList parts = category.split(QLatin1Char('/'));
      menu = menus.value(parts[0])->addMenu(parts[1]);
      menu->setToolTipsVisible(true);
    }
    if (row.separated) menu->addSeparator();
    menu->addAction(actions_[row.id]);
    if (row.id == "file.open") {
      recent_menu_ = menu->addMenu(theme_icon(QStringLiteral("recent")), tr("Open &Recent"));
      recent_menu_->setObjectName(QStringLiteral("recent_menu"));
      connect(recent_menu_, &QMenu::aboutToShow, this, &MainWindow::update_recent_menu);
    }
  }
  QMenu* view = menus.value(QStringLiteral("View"));
  view->addSeparator();
  QMenu* docks = view->addMenu(tr("&Panels"));
  for (QDockWidget* dock : findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
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
      bar->addAction(actions_[id]);
      if (QWidget* button = bar->widgetForAction(actions_[id])) button->setFocusPolicy(Qt::NoFocus);
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
  add({"view.frame_all", "view.camera", "view.ortho", "view.wireframe", "view.grid", "view.analysis_cycle"});
  bar->addAction(actions_["file.export_images"]);
}

void MainWindow::connect_actions() {
  const auto on = [this](std::string_view id, auto handler) {
    connect(actions_[id], &QAction::triggered, this, handler);
  };
  on("file.new", [this] {
    if (confirm_leaving()) new_scene();
  });
  on("file.open", [this] { choose_file(); });
  on("file.gallery", [this] { show_start_page(); });
  on("file.save", [this] { save(); });
  on("file.save_as", [this] { save_as(); });
  on("file.import", [this] { choose_mesh(); });
  on("object.mesh_file", [this] { adjust_mesh(); });
  on("file.export_images", [this] { export_images(); });
  on("file.quit", [this] { close(); });

  on("edit.undo", [this] { document_.undo_stack()->undo(); });
  on("edit.redo", [this] { document_.undo_stack()->redo(); });
  // In an edit mode the same commands mean the selected elements.
  const auto edit = [&](std::string_view id, auto objects, auto parts) {
    on(id, [this, objects, parts] { elements_.mode() ? parts() : objects(); });
  };
  edit(
      "edit.duplicate", [this] { duplicate_selected(document_, selection_); },
      [this] { (void)viewport_->duplicate_elements_and_move(); });
  edit(
      "edit.delete", [this] { delete_selected(document_, selection_); }, [this] { remove_elements(context_); });
  on("edit.rename", [this] { rename_active(); });
  edit(
      "edit.hide", [this] { hide_selected(document_, selection_); }, [this] { hide_elements(context_); });
  edit(
      "edit.show_all", [this] { show_all(document_); }, [this] { show_all_elements(context_); });
  edit(
      "edit.select_all", [this] { select_all(document_.scene(), selection_); },
      [this] { select_all_elements(context_); });
  edit(
      "edit.select_none", [this] { selection_.clear(); }, [this] { elements_.clear(); });
  edit(
      "edit.invert", [this] { invert_selection(document_.scene(), selection_); },
      [this] { invert_elements(context_); });

  const std::pair<const char*, PrimitiveShape> shapes[] = {{"add.box", PrimitiveShape::box},
                                                           {"add.sphere", PrimitiveShape::sphere},
                                                           {"add.cylinder", PrimitiveShape::cylinder},
                                                           {"add.cone", PrimitiveShape::cone},
                                                           {"add.torus", PrimitiveShape::torus},
                                                           {"add.plane", PrimitiveShape::plane},
                                                           {"add.superellipsoid", PrimitiveShape::superellipsoid},
                                                           {"add.supertorus", PrimitiveShape::supertorus},
                                                           {"add.hyperboloid_one", PrimitiveShape::hyperboloid_one},
                                                           {"add.hyperboloid_two", PrimitiveShape::hyperboloid_two},
                                                           {"add.capsule", PrimitiveShape::capsule},
                                                           {"add.tube", PrimitiveShape::tube},
                                                           {"add.wedge", PrimitiveShape::wedge},
                                                           {"add.rounded_box", PrimitiveShape::rounded_box}};
  for (const auto& [id, shape] : shapes) on(id, [this, shape = shape] { add_primitive(document_, selection_, shape); });
  const std::pair<const char*, MetaballKind> balls[] = {{"add.metaball_ball", MetaballKind::ball},
                                                        {"add.metaball_ellipsoid", MetaballKind::ellipsoid},
                                                        {"add.metaball_box", MetaballKind::box},
                                                        {"add.metaball_cylinder", MetaballKind::cylinder},
                                                        {"add.metaball_octahedron", MetaballKind::octahedron},
                                                        {"add.metaball_pinched", MetaballKind::pinched},
                                                        {"add.metaball_torus", MetaballKind::torus}};
  for (const auto& [id, kind] : balls)
    on(id, [this, kind = kind] { add_metaballs(context_, MetaballStart::primitive, kind); });
  on("add.metaball_figure", [this] { add_metaballs(context_, MetaballStart::figure); });
  on("add.metaball_animal", [this] { add_metaballs(context_, MetaballStart::animal); });
  on("object.variant_next", [this] { use_next_variant(context_); });
  on("object.variant_duplicate", [this] { duplicate_variant(context_); });
  on("object.variant_compare", [this] { compare_variants(context_); });
  on("add.light_directional", [this] { add_light(document_, selection_, LightKind::directional); });
  on("add.light_point", [this] { add_light(document_, selection_, LightKind::point); });

  const std::pair<const char*, BodyKind> kinds[] = {{"object.set_flexible", BodyKind::flexible},
                                                    {"object.set_rigid", BodyKind::rigid},
                                                    {"object.set_point", BodyKind::point},
                                                    {"object.set_fixed", BodyKind::fixed}};
  for (const auto& [id, kind] : kinds) on(id, [this, kind = kind] { set_body_kind(document_, selection_, kind); });

  connect(actions_["play.toggle"], &QAction::triggered, this, [this] { playback_.toggle(); });
  on("play.back", [this] { playback_.step(-1); });
  on("play.forward", [this] { playback_.step(1); });
  on("play.start", [this] { playback_.to_start(); });
  on("play.end", [this] { playback_.to_end(); });
  connect(actions_["play.loop"], &QAction::triggered, this, [this](bool loop) { playback_.set_looping(loop); });
  actions_["play.loop"]->setChecked(playback_.looping());
  connect(&playback_, &PlaybackController::looping_changed, actions_["play.loop"], &QAction::setChecked);
  connect(&playback_, &PlaybackController::playing_changed, this, [this](bool playing) {
    actions_["play.toggle"]->setChecked(playing);
    actions_["play.toggle"]->setText(playing ? tr("&Pause") : tr("&Play"));
    actions_["play.toggle"]->setIcon(theme_icon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
  });

  on("help.shortcuts", [this] { show_shortcuts(); });
  on("help.gallery", [this] { show_start_page(); });
  on("help.about", [this] { show_about(); });
}

void MainWindow::update_actions() {
  const Scene& scene = document_.scene();
  const QUndoStack* undo = document_.undo_stack();
  actions_.enable("edit.undo", undo->canUndo(), tr("There is nothing to take back."));
  actions_.enable("edit.redo", undo->canRedo(), tr("There is nothing to do again."));
  actions_["edit.undo"]->setText(undo->canUndo() ? tr("&Undo %1").arg(undo->undoText()) : tr("&Undo"));
  actions_["edit.redo"]->setText(undo->canRedo() ? tr("&Redo %1").arg(undo->redoText()) : tr("&Redo"));

  const bool any = !selection_.empty();
  const QString none = tr("Select an object first.");
  for (const char* id : {"edit.duplicate", "edit.delete", "edit.hide", "view.frame_selected", "edit.select_none"})
    actions_.enable(id, any, none);
  actions_.enable("edit.rename", static_cast<bool>(selection_.active()), none);

  bool object = false, fits_flexible = false;
  for (Id id : selection_.ids())
    if (const Object* found = find_object(scene, id)) {
      object = true;
      fits_flexible |= found->display.kind != DisplayKind::none || found->analysis.kind != AnalysisKind::none;
    }
  const QString no_object = any ? tr("Lights have no body; select an object.") : none;
  for (const char* id : {"object.set_rigid", "object.set_point", "object.set_fixed", "object.rotate", "object.scale"})
    actions_.enable(id, object, no_object);
  actions_.enable("object.move", any, none);
  actions_.enable("object.set_flexible", object && fits_flexible,
                  object ? tr("The object has neither a display nor an analysis model to bend.") : no_object);
  const Object* active = find_object(scene, selection_.active());
  const bool has_file = active && active->display.kind == DisplayKind::mesh && !active->display.mesh.source.empty();
  actions_.enable("object.mesh_file", has_file, active ? tr("The object does not show a mesh file.") : no_object);

  const auto hidden = [](const auto& thing) { return !thing->visible; };
  const bool some_hidden = std::any_of(scene.objects.begin(), scene.objects.end(), hidden) ||
                           std::any_of(scene.lights.begin(), scene.lights.end(), hidden);
  actions_.enable("edit.show_all", some_hidden, tr("Nothing is hidden."));
  const bool some_objects = !scene.objects.empty();
  actions_.enable("edit.select_all", some_objects, tr("The scene has no objects."));
  actions_.enable("edit.invert", some_objects, tr("The scene has no objects."));
  for (const char* id : {"object.variant_next", "object.variant_duplicate", "object.variant_compare"}) {
    const QString why = variants_problem(context_, std::string_view(id) != "object.variant_duplicate");
    actions_.enable(id, why.isEmpty(), why);
  }
  if (const Object* edited = elements_.object()) update_element_actions(*edited);
}

void MainWindow::update_element_actions(const Object& edited) {
  const ModeInfo& mode = *elements_.mode();
  const bool any = !elements_.empty();
  const QString none = tr("Nothing is selected in %1.").arg(QString::fromStdString(edited.name));
  for (const char* id : {"edit.delete", "object.move", "edit.select_none"}) actions_.enable(id, any, none);
  const bool turns = any && (mode.can_turn || elements_.elements().size() > 1);
  for (const char* id : {"object.rotate", "object.scale"})
    actions_.enable(id, turns, any ? tr("A single point has nothing to turn or scale; select several.") : none);
  actions_.enable("edit.duplicate", any && mode.duplicate, any ? tr("These cannot be copied.") : none);
  actions_.enable("edit.hide", any && mode.hide, any ? tr("These cannot be hidden.") : none);
  actions_.enable("edit.show_all", mode.show_all != nullptr, tr("Nothing is hidden."));
  actions_.enable("view.frame_selected", true);
}

void MainWindow::update_recent_menu() {
  recent_menu_->clear();
  const QStringList files = settings_.recent_files();
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
            [this] { settings_.clear_recent_files(); });
  }
}

void MainWindow::rename_active() {
  const Id id = selection_.active();
  const QString name = name_of(document_.scene(), id);
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
    rename(document_, id, field->text());
    field->close();
  });
  field->show();
  field->setFocus();
}

void MainWindow::show_shortcuts() {
  auto* page = new ShortcutsPage(actions_, this);
  page->setAttribute(Qt::WA_DeleteOnClose);
  page->show();
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
  auto* dialog = findChild<ExportDialog*>();
  if (dialog && !dialog->running()) {
    delete dialog;
    dialog = nullptr;
  }
  if (!dialog) dialog = new ExportDialog(context_, this);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace hazumi
