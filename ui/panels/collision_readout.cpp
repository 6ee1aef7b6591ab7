#include "ui/panels/collision_readout.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

enum Column { kObjects, kSpeed, kWhich, kImpulse, kForce, kTime, kSquash, kColumns };
constexpr int kWidest = 860, kLeastHeight = 40, kMostRows = 5, kGapToTick = 6;  // logical pixels, rows

void set_figure(QTreeWidgetItem& item, int column, const CollisionFigure& figure) {
  item.setText(column, figure.closed + QLatin1Char('\n') + figure.measured);
  item.setToolTip(column, figure.tip);
}

}  // namespace

CollisionReadout::CollisionReadout(UiContext& context, QWidget* window)
    : QFrame(window), context_(context), title_(new QLabel(this)), list_(new QTreeWidget(this)) {
  setObjectName(QStringLiteral("collision_readout"));
  const ThemeColours& colours = theme_colours();
  setStyleSheet(
      QStringLiteral("QFrame#collision_readout { background: %1; border: 1px solid %2; border-radius: 6px; }"
                     "QTreeWidget { background: %1; border: none; outline: none; }"
                     "QTreeWidget::item { padding: 3px 6px; border-top: 1px solid %3; }"
                     "QTreeWidget::item:hover { background: #34373c; }"
                     "QTreeWidget::item:selected { background: #4a5f7a; color: white; }"
                     "QHeaderView::section { background: %1; color: %4; border: none; padding: 2px 6px; }")
          .arg(QStringLiteral("#26282c"), QStringLiteral("#4a4d54"), colours.window.name(), colours.quiet_text.name()));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 6);
  column->setSpacing(2);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(6, 2, 0, 0);
  title_->setObjectName(QStringLiteral("collision_title"));
  title_->setTextFormat(Qt::PlainText);
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("collision_close"));
  close->setIcon(theme_icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setToolTip(tr("Close (Esc)"));
  close->setFocusPolicy(Qt::NoFocus);
  top->addWidget(title_, 1);
  top->addWidget(close);
  column->addLayout(top);
  column->addWidget(list_, 1);

  list_->setObjectName(QStringLiteral("collision_list"));
  list_->setColumnCount(kColumns);
  list_->setHeaderLabels(
      {tr("Collision"), tr("Approach"), QString(), tr("Impulse"), tr("Peak force"), tr("Contact time"), tr("Squash")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAllColumnsShowFocus(true);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->header()->setSectionsMovable(false);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kObjects, QHeaderView::Stretch);
  for (int k = kSpeed; k < kColumns; ++k)
    if (k != kWhich) list_->headerItem()->setTextAlignment(k, Qt::AlignRight | Qt::AlignVCenter);
  hide();

  connect(close, &QToolButton::clicked, this, &CollisionReadout::leave);
  connect(list_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
  connect(&context_.playback, &PlaybackController::fill_changed, this, &CollisionReadout::refresh);
  connect(&context_.document, &DocumentController::changed, this, &CollisionReadout::refresh);
  connect(&context_.document, &DocumentController::document_replaced, this, &CollisionReadout::leave);
  window->installEventFilter(this);
}

void CollisionReadout::open(int frame, QPoint tick) {
  frame_ = frame;
  tick_ = tick;
  of_ = context_.selection.ids();
  if (isHidden()) before_ = window()->focusWidget();
  rows_.clear();
  computed_ = false;
  show();
  refresh();
  list_->scrollToTop();
  list_->setCurrentItem(nullptr);
  raise();
  list_->setFocus(Qt::PopupFocusReason);
}

void CollisionReadout::leave() {
  if (isHidden()) return;
  const bool had_focus = list_->hasFocus();
  hide();
  if (had_focus && before_) before_->setFocus();
}

void CollisionReadout::refresh() {
  if (isHidden()) return;
  const bool computed = context_.playback.cache().size() > frame_ + 1;
  std::vector<CollisionRow> rows;
  if (computed) rows = collisions_of_frame(*context_.playback.log(), context_.document.scene(), of_, frame_);
  if (computed && rows.empty()) return leave();
  if (computed == computed_ && rows == rows_) return;
  rows_ = std::move(rows);
  computed_ = computed;
  fill();
  place();
}

void CollisionReadout::fill() {
  const double time = frame_ / context_.document.scene().settings.frame_rate;
  title_->setText(computed_ ? tr("Collisions in frame %1 · %2 s").arg(frame_).arg(time, 0, 'f', 3)
                            : tr("Frame %1 is being computed…").arg(frame_));
  list_->clear();
  for (const CollisionRow& row : rows_) {
    auto* item = new QTreeWidgetItem(list_);
    item->setText(kObjects, row.objects);
    item->setToolTip(kObjects, tr("%1: a click selects both and goes to frame %2.").arg(row.objects).arg(row.frame));
    item->setText(kSpeed, row.speed);
    item->setToolTip(kSpeed, tr("How fast they came together along the normal, measured in the run."));
    item->setText(kWhich, tr("closed form\nmeasured"));
    item->setForeground(kWhich, theme_colours().quiet_text);
    item->setToolTip(kWhich, tr("Closed form: what Hertz says of two such bodies.\nMeasured: what this run shows."));
    set_figure(*item, kImpulse, row.impulse);
    set_figure(*item, kForce, row.force);
    set_figure(*item, kTime, row.time);
    set_figure(*item, kSquash, row.squash);
    for (int k = kSpeed; k < kColumns; ++k)
      item->setTextAlignment(k, (k == kWhich ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
}

void CollisionReadout::place() {
  const QRect room = window()->rect().adjusted(8, 8, -8, -8);
  const int shown = std::clamp(static_cast<int>(rows_.size()), 0, kMostRows);
  const int row_height = rows_.empty() ? 0 : list_->visualItemRect(list_->topLevelItem(0)).height();
  list_->setVisible(!rows_.empty());
  int wide = title_->sizeHint().width() + 60, high = title_->sizeHint().height() + 16;
  if (!rows_.empty()) {
    wide = 24;
    for (int k = kSpeed; k < kColumns; ++k) wide += list_->header()->sectionSize(k);
    int names = 150;
    for (const CollisionRow& row : rows_)
      names = std::max(names, list_->fontMetrics().horizontalAdvance(row.objects) + 16);
    wide = std::min(wide + names, kWidest);
    high += list_->header()->sizeHint().height() + shown * row_height + 8;
  }
  // Where there is less room above the time line than it wants the list scrolls: it covers nothing that is worked with.
  const int above = tick_.y() - kGapToTick - room.top();
  resize(std::min(wide, room.width()), std::clamp(high, std::min(kLeastHeight, above), std::max(kLeastHeight, above)));
  const int left = std::clamp(tick_.x() - width() / 2, room.left(), std::max(room.left(), room.right() - width()));
  move(left, tick_.y() - kGapToTick - height());
}

void CollisionReadout::choose(const QTreeWidgetItem* item) {
  const int k = list_->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item));
  if (k < 0 || k >= static_cast<int>(rows_.size())) return;
  const CollisionRow row = rows_[static_cast<std::size_t>(k)];
  context_.playback.play(false);
  context_.selection.set({row.a, row.b}, row.a);
  context_.playback.set_frame(row.frame);
}

QRect CollisionReadout::row_place(int row) const { return list_->visualItemRect(list_->topLevelItem(row)); }

bool CollisionReadout::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parent() && event->type() == QEvent::Resize) leave();  // its tick is elsewhere now
  return false;
}

void CollisionReadout::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  leave();
  event->accept();
}

}  // namespace hazumi
