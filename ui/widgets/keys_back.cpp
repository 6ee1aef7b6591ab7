#include "ui/widgets/keys_back.h"

#include <QApplication>
#include <QDialog>
#include <QDockWidget>

namespace hazumi {

void give_keys_back(QWidget& from) {
  const QWidget* focus = QApplication::focusWidget();
  if (focus && focus != &from && !from.isAncestorOf(focus)) return;
  QWidget* window = from.window();
  // A panel that was pulled out is a window of its own.
  if (qobject_cast<QDockWidget*>(window) && window->parentWidget()) window = window->parentWidget()->window();
  if (qobject_cast<QDialog*>(window)) return;
  if (auto* view = window->findChild<QWidget*>(QStringLiteral("viewport")); view && view->isVisible())
    view->setFocus(Qt::OtherFocusReason);
}

}  // namespace hazumi
