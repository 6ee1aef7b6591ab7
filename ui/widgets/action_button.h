// A push button for a command of the window: enabled, icon and tooltip (why it cannot be done now) follow the action.
#pragma once

#include <QString>

class QAction;
class QPushButton;
class QToolButton;
class QWidget;

namespace hazumi {

/// `text`: the button's own, for its place.
QPushButton* action_button(QAction* action, const QString& text, QWidget* parent);
/// The command's icon alone, among others in a line; it leaves the keys where they are.
QToolButton* icon_button(QAction* action, QWidget* parent);

}  // namespace hazumi
