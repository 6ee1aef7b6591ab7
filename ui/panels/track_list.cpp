#include "ui/panels/track_list.h"

#include <algorithm>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/model/document_controller.h"
#include "ui/model/key_commands.h"
#include "ui/model/selection.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr double kArrow = 16, kEye = 20, kLetter = 15, kIcon = 14;  // logical pixels
}

TrackList::TrackList(UiContext& context, TrackView& view, bool components, QWidget* parent)
    : QWidget(parent), context_(context), view_(view), components_(components) {
  setObjectName(QStringLiteral("track_list"));
  setMouseTracking(true);
  setStatusTip(tr("Click chooses a track, Shift adds; the arrow folds; the eye mutes; wheel scrolls."));
  const auto repaint = [this] { update(); };
  connect(&view_, &TrackView::changed, this, repaint);
  connect(&context_.keys, &KeySelection::tracks_changed, this, repaint);
  connect(&context_.selection, &Selection::changed, this, repaint);
}

QRectF TrackList::arrow_place(int row) const { return {2, view_.y_of(row), kArrow, TrackView::kRowHeight}; }
QRectF TrackList::eye_place(int row) const {
  return {width() - kEye - 2, view_.y_of(row), kEye, TrackView::kRowHeight};
}
QRectF TrackList::letter_place(int row, int component) const {
  const TrackRow& shown = view_.rows()[static_cast<std::size_t>(row)];
  const double left = width() - kEye - 4 - kLetter * (letters(shown) - component);
  return {left, view_.y_of(row), kLetter, TrackView::kRowHeight};
}

int TrackList::letters(const TrackRow& row) const {
  if (!components_ || row.kind != TrackRow::Kind::track || !row.known) return 0;
  return static_cast<int>(component_names(row.type, row.turn).size());
}

int TrackList::letter_at(int row, QPointF place) const {
  for (int k = 0; k < letters(view_.rows()[static_cast<std::size_t>(row)]); ++k)
    if (letter_place(row, k).contains(place)) return k;
  return -1;
}

/// A thing's own row chooses its tracks and the thing.
void TrackList::choose(const TrackRow& row, bool adds) {
  std::set<Id> tracks(row.tracks.begin(), row.tracks.end());
  if (row.kind == TrackRow::Kind::summary) tracks.clear();
  if (adds) {
    const std::set<Id>& before = context_.keys.tracks();
    const bool there = std::includes(before.begin(), before.end(), tracks.begin(), tracks.end());
    std::set<Id> all = before;
    for (const Id id : tracks) there ? (void)all.erase(id) : (void)all.insert(id);
    tracks = std::move(all);
  }
  context_.keys.set_tracks(std::move(tracks));
  if (row.kind == TrackRow::Kind::target && row.target != 0 && !adds) context_.selection.select_only(Id{row.target});
}

void TrackList::mousePressEvent(QMouseEvent* event) {
  const int index = view_.row_at(event->position().y());
  if (index < 0) {
    if (event->button() == Qt::LeftButton) context_.keys.set_tracks({});
    return;
  }
  const TrackRow row = view_.rows()[static_cast<std::size_t>(index)];
  if (event->button() != Qt::LeftButton) return;
  if (row.kind == TrackRow::Kind::target && arrow_place(index).contains(event->position()))
    return view_.fold(row.target, !row.folded);
  if (eye_place(index).contains(event->position()))
    return mute_tracks(context_, {row.tracks.begin(), row.tracks.end()}, row.used);
  if (const int letter = letter_at(index, event->position()); letter >= 0)
    return view_.show(row.track, letter, !view_.shows(row.track, letter));
  choose(row, event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
}

/// All keys of the row.
void TrackList::mouseDoubleClickEvent(QMouseEvent* event) {
  const int index = view_.row_at(event->position().y());
  if (index < 0 || event->position().x() < kArrow || eye_place(index).contains(event->position()) ||
      letter_at(index, event->position()) >= 0)
    return mousePressEvent(event);
  const auto& tracks = view_.rows()[static_cast<std::size_t>(index)].tracks;
  select_all_keys(context_, {tracks.begin(), tracks.end()});
}

void TrackList::mouseMoveEvent(QMouseEvent* event) {
  const int row = view_.row_at(event->position().y());
  if (row != std::exchange(hovered_, row)) update();
}

void TrackList::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void TrackList::wheelEvent(QWheelEvent* event) {
  view_.scroll_by(-event->angleDelta().y() / 120.0 * 3 * TrackView::kRowHeight, height());
  event->accept();
}

bool TrackList::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int index = view_.row_at(help->pos().y());
  if (index < 0) {
    QToolTip::hideText();
    return true;
  }
  const TrackRow& row = view_.rows()[static_cast<std::size_t>(index)];
  QString text = row.label + QLatin1Char('\n') + keys_text(row.times.size());
  if (!row.known) text = tr("%1\nThere is no such field here: the keys are kept and not used.").arg(row.label);
  if (eye_place(index).contains(help->pos()))
    text = row.used ? tr("Mute: the field has its own value, the keys wait.") : tr("Use the keys again.");
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void TrackList::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_colours().window);
  const int first = std::max(0, view_.row_at(0)), count = static_cast<int>(view_.rows().size());
  for (int i = first; i < count && view_.y_of(i) < height(); ++i) paint_row(painter, i);
  painter.fillRect(QRectF(width() - 1, 0, 1, height()), theme_colours().border);
}

void TrackList::paint_row(QPainter& painter, int index) {
  const ThemeColours& colours = theme_colours();
  const TrackRow& row = view_.rows()[static_cast<std::size_t>(index)];
  const QRectF place(0, view_.y_of(index), width(), TrackView::kRowHeight);
  const bool track = row.kind == TrackRow::Kind::track;
  const bool chosen = track && context_.keys.tracks().count(row.track) != 0;
  const bool selected = row.kind == TrackRow::Kind::target && context_.selection.contains(Id{row.target});
  if (chosen)
    painter.fillRect(place, QColor(0x4a, 0x5f, 0x7a));
  else if (index == hovered_)
    painter.fillRect(place, colours.raised);
  else if (!track)
    painter.fillRect(place, colours.window.lighter(112));
  painter.fillRect(QRectF(0, place.bottom() - 1, width(), 1), colours.border);
  double left = 6;
  if (track) {
    left = 2 + kArrow + 4;
    painter.fillRect(QRectF(left, place.top() + 4, 3, place.height() - 9), track_colour(row.type));
    left += 8;
  } else if (row.kind == TrackRow::Kind::target) {
    theme_icon(row.folded ? QStringLiteral("arrow_right") : QStringLiteral("arrow_down"))
        .paint(&painter, arrow_place(index).adjusted(3, 5, -3, -5).toRect());
    left = 2 + kArrow + 2;
    theme_icon(row.icon, selected ? colours.accent : colours.quiet_text)
        .paint(&painter, QRectF(left, place.top() + 3, kIcon, kIcon).toRect());
    left += kIcon + 5;
  }
  QFont font = this->font();
  font.setItalic(!row.used);
  font.setWeight(track ? QFont::Normal : QFont::DemiBold);
  painter.setFont(font);
  painter.setPen(chosen                  ? QColor(Qt::white)
                 : selected              ? colours.accent
                 : row.used && row.known ? colours.text
                                         : colours.quiet_text);
  const QRectF words(left, place.top(), width() - kEye - 6 - kLetter * letters(row) - left, place.height() - 1);
  painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(font).elidedText(row.label, Qt::ElideRight, words.width()));
  const auto names = component_names(row.type, row.turn);
  font.setItalic(false);
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  for (int k = 0; k < letters(row); ++k) {
    QColor colour = component_colour(row.type, row.turn, k);
    if (!view_.shows(row.track, k)) colour = QColor(0x55, 0x59, 0x61);
    painter.setPen(colour);
    painter.drawText(letter_place(index, k), Qt::AlignCenter, names[static_cast<std::size_t>(k)]);
  }
  if (row.used && index != hovered_) return;  // only what is not as usual is always marked
  theme_icon(row.used ? QStringLiteral("show") : QStringLiteral("hide"),
             row.used ? colours.quiet_text : colours.warning)
      .paint(&painter, eye_place(index).adjusted(3, 3, -3, -3).toRect());
}

}  // namespace hazumi
