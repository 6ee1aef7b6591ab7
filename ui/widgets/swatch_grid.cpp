#include "ui/widgets/swatch_grid.h"

#include <algorithm>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr int kSwatchMargin = 6;
}

SwatchGrid::SwatchGrid(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void SwatchGrid::set_entries(std::vector<Entry> entries) {
  entries_ = std::move(entries);
  hovered_ = -1;
  int height = 0;
  places_ = layout_for(width(), &height);
  setMinimumHeight(height);
  updateGeometry();
  update();
}

void SwatchGrid::set_picture(const QString& key, const QImage& picture) {
  pictures_[key] = picture;
  update();
}

void SwatchGrid::set_current(const QString& key) {
  if (key == current_) return;
  current_ = key;
  update();
}

std::vector<SwatchGrid::Place> SwatchGrid::layout_for(int width, int* height) const {
  std::vector<Place> places;
  const int heading = fontMetrics().height() + 4;
  const int columns = std::max(1, (width - 2 * kSwatchMargin) / kSize);
  int y = 2, column = 0;
  QString group;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i == 0 || entries_[i].group != group) {
      if (column > 0) y += kSize;
      group = entries_[i].group;
      places.push_back({QRect(kSwatchMargin + 2, y, width - 2 * kSwatchMargin, heading), -1, group});
      y += heading;
      column = 0;
    }
    if (column == columns) {
      column = 0;
      y += kSize;
    }
    places.push_back({QRect(kSwatchMargin + column * kSize, y, kSize, kSize), static_cast<int>(i), entries_[i].text});
    ++column;
  }
  *height = y + (column > 0 ? kSize : 0) + 4;
  return places;
}

int SwatchGrid::heightForWidth(int width) const {
  int height = 0;
  layout_for(width, &height);
  return height;
}

QRect SwatchGrid::entry_rect(const QString& key) const {
  for (const Place& place : places_)
    if (place.entry >= 0 && entries_[static_cast<std::size_t>(place.entry)].key == key) return place.cell;
  return {};
}

void SwatchGrid::resizeEvent(QResizeEvent*) {
  int height = 0;
  places_ = layout_for(width(), &height);
  if (minimumHeight() != height) setMinimumHeight(height);
}

int SwatchGrid::entry_at(const QPoint& at) const {
  for (const Place& place : places_)
    if (place.entry >= 0 && place.cell.contains(at)) return place.entry;
  return -1;
}

void SwatchGrid::paintEvent(QPaintEvent*) {
  const ThemeColours& colours = theme_colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  for (const Place& place : places_) {
    if (place.entry < 0) {
      painter.setPen(colours.quiet_text);
      painter.drawText(place.cell, Qt::AlignLeft | Qt::AlignVCenter, place.text);
      continue;
    }
    const Entry& entry = entries_[static_cast<std::size_t>(place.entry)];
    const QRectF cell = QRectF(place.cell).adjusted(1.5, 1.5, -1.5, -1.5);
    if (entry.key == current_ || place.entry == hovered_) {
      painter.setPen(entry.key == current_ ? QPen(colours.accent, 2) : QPen(Qt::NoPen));
      painter.setBrush(colours.raised);
      painter.drawRoundedRect(cell, 5, 5);
    }
    if (const auto picture = pictures_.find(entry.key); picture != pictures_.end())
      painter.drawImage(cell.adjusted(2.5, 2.5, -2.5, -2.5), *picture);
  }
}

void SwatchGrid::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int entry = entry_at(event->position().toPoint()); entry >= 0)
    emit picked(entries_[static_cast<std::size_t>(entry)].key);
}

void SwatchGrid::mouseMoveEvent(QMouseEvent* event) {
  const int entry = entry_at(event->position().toPoint());
  if (entry == hovered_) return;
  hovered_ = entry;
  update();
}

void SwatchGrid::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void SwatchGrid::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down ? 1
                   : event->key() == Qt::Key_Left || event->key() == Qt::Key_Up  ? -1
                                                                                 : 0;
  if (step == 0 || entries_.empty()) return QWidget::keyPressEvent(event);
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == current_; });
  const auto index = at == entries_.end()
                         ? 0
                         : std::clamp<std::ptrdiff_t>(at - entries_.begin() + step, 0,
                                                      static_cast<std::ptrdiff_t>(entries_.size()) - 1);
  if (const QString key = entries_[static_cast<std::size_t>(index)].key; key != current_) emit picked(key);
}

bool SwatchGrid::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int entry = entry_at(help->pos());
    if (entry >= 0)
      QToolTip::showText(help->globalPos(), entries_[static_cast<std::size_t>(entry)].text, this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void SwatchGrid::contextMenuEvent(QContextMenuEvent* event) {
  if (const int entry = entry_at(event->pos()); entry >= 0)
    emit context_menu(entries_[static_cast<std::size_t>(entry)].key, event->globalPos());
}

}  // namespace hazumi
