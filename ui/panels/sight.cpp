#include "ui/panels/sight.h"

#include <QDockWidget>
#include <QEvent>

namespace hazumi {

Sight::Sight(QWidget& part) : QObject(&part) {
  QWidget* up = &part;
  while (up && !qobject_cast<QDockWidget*>(up)) up = up->parentWidget();
  if (auto* dock = qobject_cast<QDockWidget*>(up))
    connect(dock, &QDockWidget::visibilityChanged, this, &Sight::set);
  else
    part.installEventFilter(this);
}

void Sight::set(bool seen) {
  if (seen == seen_) return;
  seen_ = seen;
  emit changed(seen);
}

bool Sight::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show || event->type() == QEvent::Hide) set(event->type() == QEvent::Show);
  return QObject::eventFilter(watched, event);
}

}  // namespace hazumi
