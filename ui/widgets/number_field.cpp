#include "ui/widgets/number_field.h"

#include <cmath>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDateTime>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>

#include "ui/widgets/bubble.h"
#include "ui/widgets/expression.h"
#include "ui/widgets/keys_back.h"

namespace hazumi {

namespace {
constexpr double kNoise = 1e-14;     // what is smaller is what sums leave of 0
constexpr double kStepNoise = 1e-7;  // … and of a field with a step, as a part of that
constexpr double kStart = 3;         // pixels before a press becomes a drag
constexpr double kKeyPixels = 10;    // an arrow key or wheel notch is worth so many pixels of drag
constexpr qint64 kWheelMs = 600;     // wheel notches closer than this are one gesture

double modifier_scale(Qt::KeyboardModifiers modifiers) {
  if (modifiers & Qt::ShiftModifier) return 0.1;
  if (modifiers & Qt::ControlModifier) return 10;
  return 1;
}

bool starts_number(const QKeyEvent& key) {
  const QString text = key.text();
  return !text.isEmpty() && !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) &&
         (text[0].isDigit() || QStringLiteral("+-.,(").contains(text[0]));
}

double rounded_to(double value, double unit) { return unit > 0 ? std::round(value / unit) * unit : value; }

double rounded_digits(double value, int digits) {
  return value == 0 ? 0 : QString::number(value, 'g', digits).toDouble();
}
}  // namespace

NumberField::NumberField(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::SizeHorCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

bool NumberField::editing() const { return edit_ && edit_->isVisibleTo(this); }

bool NumberField::nothing() const { return std::abs(value_) < std::max(kNoise, kStepNoise * step_); }

QString NumberField::shown_text() const {
  if (mixed_) return QStringLiteral("—");
  if (nothing()) return QStringLiteral("0");
  return integer_ ? QString::number(std::llround(value_)) : number_text(value_);
}

void NumberField::set_name(const QString& name) {
  name_ = name;
  setAccessibleName(name);
}
void NumberField::set_unit(const QString& unit) {
  unit_ = unit;
  update();
}
void NumberField::set_range(double low, double high, bool low_open) {
  low_ = low;
  high_ = high;
  low_open_ = low_open;
}
void NumberField::set_step(double step) { step_ = step; }
void NumberField::set_integer(bool integer) { integer_ = integer; }
void NumberField::set_default(double value) {
  default_ = value;
  has_default_ = true;
}
void NumberField::set_prefix(const QString& text, const QColor& colour) {
  prefix_ = text;
  prefix_colour_ = colour;
  update();
}

QSize NumberField::sizeHint() const { return {96, fontMetrics().height() + 7}; }
QSize NumberField::minimumSizeHint() const { return {48, fontMetrics().height() + 7}; }

void NumberField::set_value(double value) {
  if (value == value_) return;
  value_ = value;
  update();
}

void NumberField::set_mixed(bool mixed) {
  if (mixed == mixed_) return;
  mixed_ = mixed;
  update();
}

QString NumberField::unit_text() const { return unit_.isEmpty() || unit_ == "°" ? unit_ : " " + unit_; }

bool NumberField::beyond(double value) const { return value < low_ || value > high_ || (low_open_ && value <= low_); }

QString NumberField::range_sentence() const {
  constexpr double kNoEnd = 1e100;
  const QString name = name_.isEmpty() ? tr("The value") : name_, unit = unit_text();
  if (high_ >= kNoEnd)
    return (low_open_ ? tr("%1 is always above %2%3.") : tr("%1 is at least %2%3.")).arg(name, number_text(low_), unit);
  if (low_ <= -kNoEnd) return tr("%1 is at most %2%3.").arg(name, number_text(high_), unit);
  return tr("%1 goes from %2 to %3%4.").arg(name, number_text(low_), number_text(high_), unit);
}

QString NumberField::why_not(double value) const {
  const QString name = name_.isEmpty() ? tr("The value") : name_, unit = unit_text();
  if (low_open_ && value <= low_) return tr("%1 must be above %2%3.").arg(name, number_text(low_), unit);
  if (value < low_) return tr("%1 must be at least %2%3.").arg(name, number_text(low_), unit);
  if (value > high_) return tr("%1 must be at most %2%3.").arg(name, number_text(high_), unit);
  if (integer_ && value != std::round(value)) return tr("%1 must be a whole number.").arg(name);
  return problem_ ? problem_(value) : QString();
}

bool NumberField::take(double value, bool continues) {
  if (const QString sentence = why_not(value); !sentence.isEmpty()) {
    Bubble::show_at(this, sentence);
    return false;
  }
  Bubble::hide_all();
  if (value == value_ && !mixed_) return true;
  value_ = value;
  mixed_ = false;
  update();
  emit edited(value, continues);
  return true;
}

double NumberField::clamped(double value) const {
  if (integer_) value = std::round(value);
  if (low_open_ && value <= low_) return value_ > low_ ? value_ : std::nextafter(low_, high_);
  return std::clamp(value, low_, high_);
}

double NumberField::stepped(double from, double pixels) const {
  if (integer_) return std::round(from + std::copysign(std::max(1.0, std::abs(pixels) / kKeyPixels), pixels));
  if (step_ > 0) return rounded_to(from + pixels * step_, step_ * 0.1);
  // From zero there is no percent to take: begin with a thousandth.
  if (from == 0) return std::copysign(0.001, pixels);
  return rounded_digits(from * std::exp(std::copysign(0.01, from) * pixels), 4);
}

void NumberField::step(double pixels, bool continues) {
  const double wanted = stepped(value_, pixels), next = clamped(wanted);
  if (next != value_ && !take(next, continues)) return;
  if (beyond(wanted)) Bubble::tell_at(this, range_sentence());
}

void NumberField::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  pressed_ = true;
  dragging_ = moved_ = told_ = false;
  press_x_ = last_x_ = event->position().x();
  drag_from_ = value_;
  drag_pixels_ = 0;
  update();
}

void NumberField::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) return;
  const double x = event->position().x();
  if (!dragging_) {
    if (std::abs(x - press_x_) < kStart) return;
    dragging_ = true;
    last_x_ = press_x_;
  }
  // Counted in pixels already scaled, so that pressing Shift half-way does not jump.
  drag_pixels_ += (x - last_x_) * modifier_scale(event->modifiers());
  last_x_ = x;
  double wanted = drag_from_;
  if (integer_)
    wanted += std::trunc(drag_pixels_ / 8);
  else if (drag_pixels_ != 0)
    wanted = stepped(drag_from_, drag_pixels_);
  const double next = clamped(wanted);
  const QString refused = why_not(next);
  if (!told_ && (beyond(wanted) || !refused.isEmpty())) {
    told_ = true;
    Bubble::tell_at(this, refused.isEmpty() ? range_sentence() : refused);
  }
  if ((next == value_ && !mixed_) || !refused.isEmpty()) return;
  value_ = next;
  mixed_ = false;
  update();
  emit edited(next, moved_);
  moved_ = true;
}

void NumberField::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return QWidget::mouseReleaseEvent(event);
  pressed_ = false;
  update();
  if (dragging_) {
    dragging_ = false;
    if (moved_) emit gesture_finished();
    give_keys_back(*this);
  } else {
    start_typing();
  }
}

void NumberField::wheelEvent(QWheelEvent* event) {
  if (!hasFocus() && !(edit_ && edit_->hasFocus())) return event->ignore();
  if (editing()) finish_typing(true);
  const double notches = event->angleDelta().y() / 120.0;
  if (notches == 0) return event->ignore();
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  const bool continues = last_wheel_ >= 0 && now - last_wheel_ < kWheelMs;
  last_wheel_ = now;
  step(notches * kKeyPixels * modifier_scale(event->modifiers()), continues);
  setFocus();
  event->accept();
}

void NumberField::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
      const double direction = event->key() == Qt::Key_Up ? 1 : -1;
      return step(direction * kKeyPixels * modifier_scale(event->modifiers()), event->isAutoRepeat());
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      // In a dialog it is the main button's; any digit begins to type too.
      if (qobject_cast<QDialog*>(window())) return QWidget::keyPressEvent(event);
      return start_typing();
    case Qt::Key_F2:
      return start_typing();
    default:
      break;
  }
  if (starts_number(*event)) {
    start_typing();
    edit_->setText(event->text());
    return;
  }
  if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(number_text(value_, 15));
  QWidget::keyPressEvent(event);
}

bool NumberField::event(QEvent* event) {
  // "1" is also the front view: keys that this field understands must not become commands of the window.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool mine = starts_number(*key) || key->key() == Qt::Key_Up || key->key() == Qt::Key_Down ||
                      key->key() == Qt::Key_F2 || key->matches(QKeySequence::Copy);
    if (mine) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void NumberField::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  const bool by_tab = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  if (by_tab && !finishing_) start_typing();
  update();
}

void NumberField::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void NumberField::start_typing() {
  if (!isEnabled() || editing()) return;
  if (!edit_) {
    edit_ = new QLineEdit(this);
    edit_->setFrame(false);
    edit_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    edit_->setCursor(Qt::IBeamCursor);
    edit_->setContextMenuPolicy(Qt::DefaultContextMenu);
    edit_->setStyleSheet(QStringLiteral("QLineEdit { border: none; padding: 0; background: transparent; }"));
    edit_->installEventFilter(this);
    edit_->setObjectName("number_edit");
  }
  typed_before_ = mixed_ ? QString() : (integer_ || nothing() ? shown_text() : number_text(value_, 10));
  edit_->setGeometry(prefix_width() + 3, 2, width() - prefix_width() - 6, height() - 4);
  edit_->setText(typed_before_);
  edit_->show();
  edit_->setFocus();
  edit_->selectAll();
  update();
}

void NumberField::finish_typing(bool accept) {
  if (!editing() || finishing_) return;
  finishing_ = true;
  const QString text = edit_->text();
  const bool had_focus = edit_->hasFocus();
  // The focus goes first: hiding what has it would send it along the tab chain, which comes back here.
  if (had_focus) setFocus(Qt::OtherFocusReason);
  edit_->hide();
  update();
  if (accept && text.trimmed() != typed_before_) {
    if (words_ && text.trimmed().startsWith(QLatin1Char('='))) {
      if (const QString why = words_(text.trimmed().mid(1).trimmed()); !why.isEmpty()) Bubble::show_at(this, why);
    } else if (const auto value = evaluate_expression(text, unit_))
      take(*value, false);
    else
      Bubble::show_at(this, tr("“%1” is not a number.").arg(text.trimmed().left(40)));
  }
  finishing_ = false;
}

bool NumberField::eventFilter(QObject* watched, QEvent* event) {
  if (watched != edit_) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::ShortcutOverride) {
    // Typing must never trigger a command of the window ("G" grabs, Space plays).
    event->accept();
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
        finish_typing(true);
        give_keys_back(*this);
        return true;
      case Qt::Key_Escape:
        finish_typing(false);
        return true;
      case Qt::Key_Up:
      case Qt::Key_Down:
        finish_typing(true);
        keyPressEvent(key);
        start_typing();
        return true;
      default:
        break;
    }
  }
  if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
    finish_typing(true);
  return QWidget::eventFilter(watched, event);
}

bool NumberField::focusNextPrevChild(bool next) {
  // Tab out of the line edit leaves the field; without this it would stop at the field itself first.
  if (editing()) finish_typing(true);
  return QWidget::focusNextPrevChild(next);
}

void NumberField::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (editing()) edit_->setGeometry(prefix_width() + 3, 2, width() - prefix_width() - 6, height() - 4);
}

void NumberField::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.setObjectName("number_menu");
  const auto pasted = evaluate_expression(QApplication::clipboard()->text(), unit_);
  QAction* reset = menu.addAction(tr("Reset to default (%1)").arg(number_text(default_)));
  reset->setEnabled(has_default_ && isEnabled());
  QAction* copy = menu.addAction(tr("Copy"));
  QAction* paste = menu.addAction(tr("Paste"));
  paste->setEnabled(pasted.has_value() && isEnabled());
  const QAction* chosen = menu.exec(event->globalPos());
  if (chosen == reset)
    take(default_, false);
  else if (chosen == copy)
    QApplication::clipboard()->setText(number_text(value_, 15));
  else if (chosen == paste && pasted)
    take(*pasted, false);
}

int NumberField::prefix_width() const { return prefix_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(prefix_) + 6; }

void NumberField::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool active = hasFocus() || editing();
  QColor fill = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Base);
  if (isEnabled() && (underMouse() || pressed_)) fill = fill.lightness() > 128 ? fill.darker(104) : fill.lighter(125);
  QColor border = active ? palette().color(QPalette::Highlight) : palette().color(QPalette::WindowText);
  if (!active) border.setAlpha(46);
  painter.setPen(QPen(border, 1));
  painter.setBrush(fill);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);

  QRect box = rect().adjusted(5, 0, -5, 0);
  if (!prefix_.isEmpty()) {
    painter.setPen(isEnabled() ? prefix_colour_ : palette().color(QPalette::Disabled, QPalette::Text));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, prefix_);
    box.setLeft(prefix_width() + 3);
  }
  if (editing()) return;
  const QColor text = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Text);
  QColor dim = text;
  dim.setAlpha(text.alpha() * 6 / 10);
  QString number = shown_text();
  // Fewer digits rather than a lost sign: "-29.57", "-29.6", "-30".
  for (int digits = 5;
       digits >= 2 && !mixed_ && !integer_ && !nothing() && fontMetrics().horizontalAdvance(number) > box.width();
       --digits)
    number = number_text(value_, digits);
  const QString unit = mixed_ ? QString() : unit_text();
  const int unit_width = fontMetrics().horizontalAdvance(unit);
  const int number_width = fontMetrics().horizontalAdvance(number);
  // In a narrow field the number matters more than its unit (the tooltip has both).
  const bool with_unit = number_width + unit_width <= box.width();
  if (with_unit && !unit.isEmpty()) {
    painter.setPen(dim);
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, unit);
    box.setRight(box.right() - unit_width);
  }
  painter.setPen(mixed_ ? dim : text);
  painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, number);
}

}  // namespace hazumi
