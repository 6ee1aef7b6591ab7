#include "ui/widgets/key_button.h"

#include <QPainter>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr const char* kUnkeyed = "unkeyed";
}

void say_unkeyed(QWidget& widget, const QString& sentence) { widget.setProperty(kUnkeyed, sentence); }
QString unkeyed_sentence(const QWidget& widget) { return widget.property(kUnkeyed).toString(); }

void paint_key(QPainter& painter, QPointF centre, double radius, const QColor& line, const QColor& fill) {
  painter.setPen(QPen(line, 1.2));
  painter.setBrush(fill);
  const QPointF corners[] = {centre + QPointF(0, -radius), centre + QPointF(radius, 0), centre + QPointF(0, radius),
                             centre + QPointF(-radius, 0)};
  painter.drawPolygon(corners, 4);
}

KeyButton::KeyButton(QWidget* parent) : QAbstractButton(parent) {
  setObjectName(QStringLiteral("key"));
  setFixedSize(sizeHint());
  setFocusPolicy(Qt::NoFocus);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setAttribute(Qt::WA_Hover);
  set_state(KeyState::none);
}

void KeyButton::set_state(KeyState state) {
  state_ = state;
  setToolTip(state == KeyState::here ? tr("There is a key at this frame: a click deletes it. Right click for more.")
             : state == KeyState::elsewhere
                 ? tr("Keyed, but not at this frame: a click sets a key. Right click for more.")
                 : tr("A click sets a key at this frame (I with the mouse over the field)."));
  setAccessibleName(state == KeyState::here ? tr("Delete key") : tr("Set key"));
  update();
}

void KeyButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre = QRectF(rect()).center();
  const ThemeColours& colours = theme_colours();
  QColor line = state_ == KeyState::none ? colours.quiet_text : colours.accent;
  if (state_ == KeyState::none && !underMouse()) line.setAlphaF(0.45f);
  const double radius = state_ == KeyState::none ? (underMouse() ? 4.2 : 2.6) : 4.6;
  paint_key(painter, centre, radius, line, state_ == KeyState::here ? colours.accent : QColor(Qt::transparent));
}

}  // namespace hazumi
