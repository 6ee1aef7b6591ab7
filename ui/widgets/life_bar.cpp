#include "ui/widgets/life_bar.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/widgets/colour_editor.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kLifeKey = 5, kLifeReach = 9;  // px: radius of a key, and how near it a click takes it
constexpr double kLifeSide = 8;

}  // namespace

LifeBar::LifeBar(Sort sort, QWidget* parent) : QWidget(parent), sort_(sort) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LifeBar::sizeHint() const { return {220, sort_ == Sort::curve ? 84 : 40}; }

void LifeBar::show_all(std::vector<LifeKey> keys) {
  keys_ = std::move(keys);
  for (auto* one : {&selected_, &held_, &under_})
    if (*one && **one >= keys_.size()) one->reset();
  update();
}

void LifeBar::show_curve(std::vector<LifeKey> keys, std::function<double(double)> value) {
  value_ = std::move(value);
  show_all(std::move(keys));
}

void LifeBar::show_strip(std::vector<LifeKey> keys, std::function<Vec3(double)> colour) {
  colour_ = std::move(colour);
  show_all(std::move(keys));
}

void LifeBar::select(std::optional<std::size_t> key) {
  selected_ = key && *key < keys_.size() ? key : std::nullopt;
  update();
}

QRectF LifeBar::area() const {
  const double below = sort_ == Sort::strip ? 2 * kLifeKey + 4 : kLifeSide;
  return QRectF(rect()).adjusted(kLifeSide, sort_ == Sort::strip ? 3 : kLifeSide, -kLifeSide, -below);
}

double LifeBar::high() const {
  if (held_) return held_high_;
  double most = least_shown_;
  for (const LifeKey& key : keys_) most = std::max(most, key.value);
  return most;
}

QPointF LifeBar::place_of(double age, double value) const {
  const QRectF box = area();
  const double x = box.left() + age * box.width();
  if (sort_ == Sort::strip) return {x, box.bottom() + kLifeKey + 2};
  return {x, box.bottom() - std::min(1.0, value / high()) * box.height()};
}

QPointF LifeBar::place_of(std::size_t key) const { return place_of(keys_[key].age, keys_[key].value); }

double LifeBar::age_at(const QPointF& at) const {
  const QRectF box = area();
  return std::clamp((at.x() - box.left()) / std::max(1.0, box.width()), 0.0, 1.0);
}

double LifeBar::value_at(const QPointF& at) const {
  const QRectF box = area();
  return std::clamp((box.bottom() - at.y()) / std::max(1.0, box.height()) * high(), 0.0, most_);
}

std::optional<std::size_t> LifeBar::key_at(const QPointF& at) const {
  std::optional<std::size_t> best;
  double least = kLifeReach * kLifeReach;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const QPointF way = place_of(k) - at;
    const double square = QPointF::dotProduct(way, way);
    if (square > least) continue;
    least = square;
    best = k;
  }
  return best;
}

QString LifeBar::said(const LifeKey& key) const {
  const QString age = key.age == 0   ? tr("At birth")
                      : key.age == 1 ? tr("At the end")
                                     : tr("At %1 % of the life").arg(100 * key.age, 0, 'f', 1);
  if (sort_ == Sort::strip) return age;
  return tr("%1: %2").arg(age, text_ ? text_(key.value) : QString::number(key.value));
}

bool LifeBar::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && selected_) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    for (const int own : {Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down,
                          Qt::Key_Escape, Qt::Key_Return})
      if (key == own) {
        event->accept();
        return true;
      }
  }
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const auto key = key_at(help->pos());
    if (key) {
      QToolTip::showText(help->globalPos(), said(keys_[*key]), this);
      return true;
    }
  }
  return QWidget::event(event);
}

void LifeBar::draw_curve(QPainter& painter, const QRectF& box) const {
  const ThemeColours& colours = theme_colours();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.base);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0, 0, 0, -1), 4, 4);
  QColor grid = colours.text;
  grid.setAlpha(26);
  painter.setPen(grid);
  for (int k = 0; k <= 4; ++k) {
    const double x = box.left() + 0.25 * k * box.width();
    painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()));
  }
  for (const double value : {0.0, 1.0})
    if (value <= high())
      painter.drawLine(QPointF(box.left(), place_of(0, value).y()), QPointF(box.right(), place_of(0, value).y()));
  QPainterPath path;
  const int count = std::max(60, static_cast<int>(box.width()));
  for (int i = 0; i <= count; ++i) {
    const double age = static_cast<double>(i) / count;
    const QPointF at = place_of(age, value_ ? value_(age) : 0);
    i == 0 ? path.moveTo(at) : path.lineTo(at);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(isEnabled() ? colours.accent : colours.quiet_text, 1.6));
  painter.drawPath(path);
}

void LifeBar::draw_strip(QPainter& painter, const QRectF& box) const {
  const int count = std::max(1, static_cast<int>(box.width()));
  for (int i = 0; i < count; ++i) {
    const double age = (i + 0.5) / count;
    painter.fillRect(QRectF(box.left() + i, box.top(), 1.5, box.height()),
                     to_qcolor(colour_ ? colour_(age) : Vec3(Vec3::Zero())));
  }
  painter.setPen(theme_colours().border);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box);
}

void LifeBar::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = theme_colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box = area();
  sort_ == Sort::curve ? draw_curve(painter, box) : draw_strip(painter, box);
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const bool chosen = selected_ == k && hasFocus(), near = under_ == k || held_ == k;
    painter.setPen(QPen(chosen || near ? colours.accent : colours.text, chosen ? 2.2 : 1.4));
    painter.setBrush(sort_ == Sort::strip ? to_qcolor(keys_[k].colour)
                     : keys_[k].given     ? colours.base
                                          : colours.raised);
    painter.drawEllipse(place_of(k), kLifeKey, kLifeKey);
  }
  const auto spoken = held_ ? held_ : under_;
  if (!spoken || sort_ == Sort::strip) return;
  // What the key says, over or under it so that it hides neither the key nor leaves the widget.
  const QString text = said(keys_[*spoken]);
  const QPointF at = place_of(*spoken);
  const double wide = fontMetrics().horizontalAdvance(text) + 8, tall = fontMetrics().height() + 2;
  const double x = std::clamp(at.x() - 0.5 * wide, 2.0, std::max(2.0, width() - wide - 2));
  const bool below = at.y() < 0.5 * height();
  const QRectF label(x, below ? at.y() + kLifeKey + 4 : at.y() - kLifeKey - 4 - tall, wide, tall);
  QColor behind = colours.window;
  behind.setAlpha(225);
  painter.setPen(Qt::NoPen);
  painter.setBrush(behind);
  painter.drawRoundedRect(label, 3, 3);
  painter.setPen(colours.text);
  painter.drawText(label, Qt::AlignCenter, text);
}

void LifeBar::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  const auto key = key_at(event->position());
  selected_ = key;
  if (event->button() == Qt::LeftButton && key) {
    held_high_ = high();  // before it is held
    held_ = key;
    dragging_ = false;
    start_ = keys_[*key];
    press_ = event->position();
  }
  update();
}

void LifeBar::mouseMoveEvent(QMouseEvent* event) {
  if (!held_) {
    const auto key = key_at(event->position());
    if (key == under_) return;
    under_ = key;
    setCursor(key ? Qt::SizeAllCursor : Qt::ArrowCursor);
    return update();
  }
  const QPointF way = event->position() - press_;
  if (!dragging_ && way.manhattanLength() < QApplication::startDragDistance() / 2) return;
  const QPointF at = place_of(start_.age, start_.value) + way;
  // Above the top the range does not end: the way goes on as far as the value may.
  const double age = start_.stays ? start_.age : age_at(at), value = start_.given ? start_.value : value_at(at);
  emit moved(static_cast<int>(*held_), age, value, dragging_);
  dragging_ = true;
}

void LifeBar::mouseReleaseEvent(QMouseEvent*) {
  held_.reset();
  dragging_ = false;
  update();
}

void LifeBar::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  held_.reset();
  const auto key = key_at(event->position());
  if (key && sort_ == Sort::strip) emit colour_wanted(static_cast<int>(*key));
  if (!key) emit added(age_at(event->position()), value_at(event->position()));
}

void LifeBar::leaveEvent(QEvent*) {
  under_.reset();
  update();
}

void LifeBar::contextMenuEvent(QContextMenuEvent* event) {
  const auto key = event->reason() == QContextMenuEvent::Keyboard ? selected_ : key_at(event->pos());
  QMenu menu(this);
  menu.setObjectName("life_menu");
  QAction* colour = sort_ == Sort::strip ? menu.addAction(tr("Colour…")) : nullptr;
  if (colour) colour->setEnabled(key.has_value());
  QAction* out = menu.addAction(tr("Delete Key"));
  out->setEnabled(key && can_remove(*key));
  menu.addSeparator();
  QAction* all = menu.addAction(tr("Reset: No Keys Between Birth and End"));
  all->setEnabled(std::any_of(keys_.begin(), keys_.end(), [](const LifeKey& one) { return !one.stays; }));
  const QAction* chosen = menu.exec(event->globalPos());
  if (chosen == nullptr) return;
  if (chosen == colour) emit colour_wanted(static_cast<int>(*key));
  if (chosen == out) emit removed(static_cast<int>(*key));
  if (chosen == all) emit reset();
}

void LifeBar::keyPressEvent(QKeyEvent* event) {
  constexpr double kStep = 0.01;
  if (!selected_) return QWidget::keyPressEvent(event);
  const LifeKey key = keys_[*selected_];
  const int number = static_cast<int>(*selected_);
  const auto push = [&](double age, double value) {
    emit moved(number, key.stays ? key.age : std::clamp(key.age + age, 0.0, 1.0),
               key.given ? key.value : std::clamp(key.value + value, 0.0, most_), false);
  };
  const double up = sort_ == Sort::strip ? 0 : 0.05 * least_shown_;
  switch (event->key()) {
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      if (can_remove(*selected_)) emit removed(number);
      return;
    case Qt::Key_Return:
      if (sort_ == Sort::strip) emit colour_wanted(number);
      return;
    case Qt::Key_Left:
      return push(-kStep, 0);
    case Qt::Key_Right:
      return push(kStep, 0);
    case Qt::Key_Up:
      return push(0, up);
    case Qt::Key_Down:
      return push(0, -up);
    case Qt::Key_Escape:
      if (held_ && dragging_) emit moved(number, start_.age, start_.value, true);
      held_.reset();
      return select(std::nullopt);
    default:
      return QWidget::keyPressEvent(event);
  }
}

}  // namespace hazumi
