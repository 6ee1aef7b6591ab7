// Viewport: actions and menus.
#include <QAction>
#include <QBoxLayout>
#include <QCursor>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <map>

#include "ui/model/actions.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/viewport.h"

namespace hazumi {

namespace {

/// Appends the actions that exist; an empty id is a line.
void append(QMenu* menu, const ActionSet& actions, std::initializer_list<const char*> ids) {
  for (const char* id : ids) {
    if (!*id) {
      menu->addSeparator();
    } else if (QAction* action = actions.all().value(QLatin1String(id))) {
      menu->addAction(action);
    }
  }
}

}  // namespace

QString Viewport::tool_button_style() {
  return QStringLiteral(
      "QToolButton { background: rgba(31,33,36,200); border: 1px solid rgba(0,0,0,90); border-radius: 6px; }"
      "QToolButton:hover { background: rgba(74,78,86,230); }"
      "QToolButton:checked { background: rgba(138,95,51,230); border-color: #f09a3e; }");
}

void Viewport::bind(std::string_view id, std::function<void()> run) {
  if (QAction* action = context_.actions.all().value(text_of(id)))
    connect(action, &QAction::triggered, this, [this, run = std::move(run)] {
      // A transform owns the mouse and the keys; a command from elsewhere must not pull its view away.
      if (!gesture_) run();
      check_actions();
    });
}

void Viewport::bind_actions() {
  for (const char* side : {"front", "back", "right", "left", "top", "bottom"})
    bind(std::string("view.") + side, [this, side] { look(QLatin1String(side)); });
  bind("view.ortho", [this] { set_orthographic(!camera_.orthographic); });
  bind("view.camera", [this] { set_through_camera(!through_camera_); });
  bind("view.camera_to_view", [this] { camera_to_view(); });
  bind("view.frame_all", [this] { frame_all(); });
  bind("view.frame_selected", [this] { frame_selected(); });
  bind("view.grid", [this] { options().grid = !options_.grid; });
  bind("view.helpers", [this] { options().helpers = !options_.helpers; });
  bind("view.display_models", [this] { options().display_models = !options_.display_models; });
  const auto shade = [this](ShadeMode mode) { options().shade = options_.shade == mode ? ShadeMode::solid : mode; };
  bind("view.wireframe", [shade] { shade(ShadeMode::wireframe); });
  bind("view.shade_both", [shade] { shade(ShadeMode::solid_wireframe); });
  bind("view.analysis", [this] { options().analysis = AnalysisOverlay::all; });
  bind("view.analysis_selected", [this] { options().analysis = AnalysisOverlay::selected; });
  bind("view.analysis_off", [this] { options().analysis = AnalysisOverlay::off; });
  bind("view.drivers", [this] { drivers_->set_on(!drivers_->on()); });
  bind("view.analysis_cycle", [this] {
    const int next = (static_cast<int>(options_.analysis) + 1) % 3;
    options().analysis = static_cast<AnalysisOverlay>(next);
  });
  bind("object.move", [this] { begin_transform(TransformMode::move); });
  bind("object.rotate", [this] { begin_transform(TransformMode::rotate); });
  bind("object.scale", [this] { begin_transform(TransformMode::scale); });
  bind("mode.toggle", [this] { toggle_mode(); });
  bind("add.menu", [this] { show_add_menu(); });

  // The tools stand in the viewport itself, where the mouse is.
  tool_bar_ = new QWidget(this);
  tool_bar_->setObjectName(QStringLiteral("viewport_tools"));
  auto* column = new QVBoxLayout(tool_bar_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  std::vector<const ToolInfo*> ordered(tools().begin(), tools().end());
  std::sort(ordered.begin(), ordered.end(), [](const ToolInfo* a, const ToolInfo* b) { return a->order < b->order; });
  for (const ToolInfo* info : ordered) {
    const QString id = text_of(info->id);
    bind(std::string("tool.") + std::string(info->id), [this, id] { set_tool(id); });
    QAction* action = context_.actions.all().value(QStringLiteral("tool.") + id);
    if (!action) continue;
    auto* button = new QToolButton(tool_bar_);
    button->setDefaultAction(action);
    button->setIconSize(QSize(20, 20));
    button->setFixedSize(32, 32);
    button->setFocusPolicy(Qt::NoFocus);
    button->setStyleSheet(tool_button_style());
    column->addWidget(button);
  }
  check_actions();
}

void Viewport::check_actions() {
  const auto check = [this](const char* id, bool on) {
    QAction* action = context_.actions.all().value(QLatin1String(id));
    if (action && action->isCheckable()) action->setChecked(on);
  };
  check("view.ortho", camera_.orthographic);
  check("view.camera", through_camera_);
  check("view.grid", options_.grid);
  check("view.helpers", options_.helpers);
  check("view.display_models", options_.display_models);
  check("view.wireframe", options_.shade == ShadeMode::wireframe);
  check("view.shade_both", options_.shade == ShadeMode::solid_wireframe);
  check("view.drivers", drivers_->on());
  check("view.analysis", options_.analysis == AnalysisOverlay::all);
  check("view.analysis_selected", options_.analysis == AnalysisOverlay::selected);
  check("view.analysis_off", options_.analysis == AnalysisOverlay::off);
  for (const ToolInfo* info : tools()) {
    const std::string id = "tool." + std::string(info->id);
    check(id.c_str(), info == tool_info_ && !mode_tool_);
  }
}

QMenu* Viewport::make_add_menu(QWidget* parent) {
  auto* menu = new QMenu(QStringLiteral("Add"), parent);
  std::map<QString, QMenu*> submenus;
  if (const ModeInfo* mode = elements().mode(); mode && !mode->add_actions.empty()) {
    for (std::string_view id : mode->add_actions)
      if (QAction* action = context_.actions.all().value(text_of(id))) menu->addAction(action);
    return menu;
  }
  for (const ActionRow& row : action_rows()) {
    const QString category = text_of(row.category), id = text_of(row.id);
    if (category.section(QLatin1Char('/'), 0, 0) != QLatin1String("Add") || id == QLatin1String("add.menu")) continue;
    QAction* action = context_.actions.all().value(id);
    if (!action) continue;
    const QString group = category.section(QLatin1Char('/'), 1);
    if (group.isEmpty()) {
      menu->addAction(action);
      continue;
    }
    QMenu*& submenu = submenus[group];
    if (!submenu) submenu = menu->addMenu(group);
    submenu->addAction(action);
  }
  return menu;
}

QMenu* Viewport::make_context_menu(QWidget* parent) {
  if (elements().mode()) return make_mode_menu(parent);
  auto* menu = new QMenu(parent);
  const ActionSet& actions = context_.actions;
  if (!context_.selection.empty()) {
    append(menu, actions, {"object.move", "object.rotate", "object.scale", ""});
    QMenu* body = menu->addMenu(QStringLiteral("Body"));
    append(body, actions, {"object.set_flexible", "object.set_rigid", "object.set_point", "object.set_fixed"});
    append(menu, actions, {"", "edit.duplicate", "edit.rename", "edit.hide", "edit.delete", "", "view.frame_selected"});
  } else {
    append(menu, actions, {"edit.select_all", "edit.show_all", "view.frame_all", "view.camera_to_view"});
  }
  menu->addSeparator();
  menu->addMenu(make_add_menu(menu));
  return menu;
}

bool Viewport::show_add_menu() {
  QMenu* menu = make_add_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(mapToGlobal(mouse_inside_ ? mouse_.toPoint() : rect().center()));
  return true;
}

}  // namespace hazumi
