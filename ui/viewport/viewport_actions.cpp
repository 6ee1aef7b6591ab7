// Viewport: actions and menus.
#include <QAction>
#include <QBoxLayout>
#include <QCursor>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <map>

#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"

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

void Viewport::make_tool_bar() {
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
}

QMenu* Viewport::make_add_menu(QWidget* parent) {
  auto* menu = new QMenu(QStringLiteral("Add"), parent);
  std::map<QString, QMenu*> submenus;
  if (const ModeInfo* mode = elements().mode(); mode && !mode->add_actions.empty()) {
    for (std::string_view id : mode->add_actions)
      if (QAction* action = context_.actions.all().value(text_of(id))) menu->addAction(action);
    return menu;
  }
  for (const Command* command : context_.actions.rows()) {
    const Command& row = *command;
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

void Viewport::show_add_menu() {
  QMenu* menu = make_add_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(mapToGlobal(mouse_inside_ ? mouse_.toPoint() : rect().center()));
}

}  // namespace hazumi
