#include "ui/widgets/hover_keys.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMenu>
#include <QWidget>

#include "ui/widgets/typing.h"

namespace hazumi {

namespace {
constexpr int kNudge = 24;  // logical pixels: less is a hand that lets go of a mouse
}

HoverKeys::HoverKeys(QWidget& pane) : QObject(&pane), pane_(pane) { pane.installEventFilter(this); }

void HoverKeys::asked(QMenu& menu) {
  connect(&menu, &QMenu::aboutToHide, this, [this] {
    const QPoint at = QCursor::pos();
    closed_.reset();
    if (!pane_.rect().contains(pane_.mapFromGlobal(at))) closed_ = at;
  });
}

bool HoverKeys::keeps() {
  if (closed_ && (QCursor::pos() - *closed_).manhattanLength() > kNudge) closed_.reset();
  return closed_.has_value();
}

bool HoverKeys::kept_by(const QWidget* focus) {
  auto* other = focus ? focus->findChild<HoverKeys*>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
  return other && other->keeps();
}

void HoverKeys::come() {
  waits_ = false;
  QWidget* focus = QApplication::focusWidget();
  if (focus == &pane_ || !pane_.isActiveWindow() || QApplication::activePopupWidget() || is_typed_into(focus)) return;
  waits_ = kept_by(focus);
  if (!waits_) pane_.setFocus(Qt::OtherFocusReason);
}

bool HoverKeys::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Enter) {
    closed_.reset();
    come();
  }
  if (event->type() == QEvent::MouseMove && waits_) come();
  if (event->type() == QEvent::Leave) waits_ = false;
  return QObject::eventFilter(watched, event);
}

}  // namespace hazumi
