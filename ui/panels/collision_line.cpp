#include "ui/panels/collision_line.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

QLabel* add_cell(QGridLayout* grid, int row, int column, const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
  grid->addWidget(label, row, column);
  return label;
}

}  // namespace

CollisionLine::CollisionLine(UiContext& context, QWidget* parent)
    : QFrame(parent), context_(context), title_(new QLabel(this)), table_(new QWidget(this)) {
  setObjectName(QStringLiteral("properties_collision"));
  title_->setObjectName(QStringLiteral("properties_collision_title"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 0, 8, 5);
  column->setSpacing(2);
  column->addWidget(title_);
  column->addWidget(table_);
  auto* grid = new QGridLayout(table_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(1);
  for (int k = 0; k < 3; ++k) grid->setColumnStretch(k, 1);
  const QString quiet = QStringLiteral("color: %1").arg(theme_colours().quiet_text.name());
  add_cell(grid, 0, 1, tr("closed form"), table_)->setStyleSheet(quiet);
  add_cell(grid, 0, 2, tr("measured"), table_)->setStyleSheet(quiet);
  const QString names[kFigures] = {tr("Impulse"), tr("Peak force"), tr("Contact time"), tr("Squash")};
  for (int k = 0; k < kFigures; ++k) {
    add_cell(grid, k + 1, 0, names[k], table_)->setStyleSheet(quiet);
    closed_[k] = add_cell(grid, k + 1, 1, {}, table_);
    measured_[k] = add_cell(grid, k + 1, 2, {}, table_);
  }
  connect(&context_.playback, &PlaybackController::frame_changed, this, [this] { refresh(false); });
  connect(&context_.playback, &PlaybackController::fill_changed, this, [this] { refresh(false); });
  connect(&context_.selection, &Selection::changed, this, [this] { refresh(false); });
  connect(&context_.document, &DocumentController::changed, this, [this] { refresh(true); });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] { refresh(true); });
  refresh(true);
}

QString CollisionLine::why() const {
  const int now = context_.playback.frame();
  if (context_.playback.cache().size() <= now) return tr("Collisions: frame %1 is being computed…").arg(now);
  return tr("No collision up to frame %1.").arg(now);
}

void CollisionLine::refresh(bool anew) {
  const Scene& scene = context_.document.scene();
  std::set<Id> of;
  for (const Id id : context_.selection.ids())
    if (find_object(scene, id)) of.insert(id);
  setVisible(!of.empty());
  const auto log = context_.playback.log();
  const int now = context_.playback.frame();
  std::optional<int> frame;
  if (!of.empty() && context_.playback.cache().size() > now) frame = last_collision(*log, of, now);
  const bool same = row_ && frame == row_->frame && log == log_ && of == of_;
  if (!anew && same) return;
  log_ = log;
  of_ = of;
  row_.reset();
  if (frame) {
    const auto rows = collisions_of_frame(*log, scene, of, *frame);
    if (!rows.empty()) row_ = rows.front();
  }
  show_row();
}

void CollisionLine::show_row() {
  table_->setVisible(row_.has_value());
  setCursor(row_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
  setFocusPolicy(row_ ? Qt::TabFocus : Qt::NoFocus);
  if (!row_) {
    title_->setText(why());
    setToolTip({});
    return;
  }
  title_->setText(tr("Last collision: frame %1, %2, %3").arg(row_->frame).arg(row_->objects, row_->speed));
  setToolTip(tr("A click goes to frame %1 and shows all collisions of it.").arg(row_->frame));
  const CollisionFigure* figures[kFigures] = {&row_->impulse, &row_->force, &row_->time, &row_->squash};
  for (int k = 0; k < kFigures; ++k) {
    // Milliseconds above frames: side by side they are wider than the panel.
    closed_[k]->setText(QString(figures[k]->closed).replace(QStringLiteral(" · "), QStringLiteral("\n")));
    measured_[k]->setText(QString(figures[k]->measured).replace(QStringLiteral(" · "), QStringLiteral("\n")));
    closed_[k]->setToolTip(figures[k]->tip);
    measured_[k]->setToolTip(figures[k]->tip);
  }
}

void CollisionLine::go() {
  if (row_) context_.actions["play.last_collision"]->trigger();
}

void CollisionLine::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) go();
}

void CollisionLine::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Space) return QFrame::keyPressEvent(event);
  go();
}

}  // namespace hazumi
