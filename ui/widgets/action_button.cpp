#include "ui/widgets/action_button.h"

#include <QAction>
#include <QPushButton>
#include <QToolButton>

namespace hazumi {

QPushButton* action_button(QAction* action, const QString& text, QWidget* parent) {
  auto* button = new QPushButton(action->icon(), text, parent);
  button->setObjectName(action->objectName().replace(QLatin1Char('.'), QLatin1Char('_')));
  const auto follow = [action, button] {
    button->setEnabled(action->isEnabled());
    button->setToolTip(action->toolTip());
  };
  QObject::connect(action, &QAction::changed, button, follow);
  QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
  follow();
  return button;
}

QToolButton* icon_button(QAction* action, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setIconSize(QSize(18, 18));
  button->setFocusPolicy(Qt::NoFocus);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  return button;
}

}  // namespace hazumi
