#include "ui/widgets/adjust_panel.h"

#include <algorithm>

#include <QApplication>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kAdjustMargin = 10;  // px, to the left edge of the view
constexpr int kAboveNote = 40;     // px, to the lower edge: the view's notes are written there
constexpr int kAdjustFieldWidth = 230;

}  // namespace

AdjustPanel::AdjustPanel(DocumentController& document, QWidget& view)
    : QFrame(&view), document_(document), view_(view), title_(new QToolButton(this)), body_(nullptr) {
  setObjectName(QStringLiteral("adjust_panel"));
  setAttribute(Qt::WA_NoMousePropagation);
  setCursor(Qt::ArrowCursor);
  setStyleSheet(QStringLiteral(
      "#adjust_panel { background: rgba(43,45,49,235); border: 1px solid rgba(0,0,0,120);"
      " border-radius: 6px; }"
      "#adjust_title { text-align: left; font-weight: 600; border: none; background: transparent;"
      " padding: 4px 8px 4px 4px; }"
      "#adjust_title:hover, #adjust_title:focus { background: rgba(74,78,86,160); border-radius: 5px; }"));
  title_->setObjectName(QStringLiteral("adjust_title"));
  title_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  title_->setFocusPolicy(Qt::TabFocus);
  title_->setToolTip(tr("The numbers of what was done last; others make it anew, as the same undo step."));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  column->setSizeConstraint(QLayout::SetFixedSize);
  column->addWidget(title_);
  connect(title_, &QToolButton::clicked, this, [this] { set_open(!open_); });
  connect(&document.last_operation(), &LastOperation::replaced, this, &AdjustPanel::rebuild);
  connect(&document.last_operation(), &LastOperation::adjusted, this, &AdjustPanel::show_values);
  view.installEventFilter(this);
  rebuild();
}

void AdjustPanel::rebuild() {
  const bool had_keys = body_ && body_->isAncestorOf(QApplication::focusWidget());
  if (body_) {
    body_->hide();  // at once: what is deleted later is not to be clicked before
    body_->deleteLater();
  }
  body_ = nullptr;
  rows_.clear();
  if (had_keys) view_.setFocus();
  const LastOperation& last = document_.last_operation();
  const Operation* operation = last.operation();
  if (!operation) return hide();
  body_ = new QWidget(this);
  auto* grid = new QGridLayout(body_);
  grid->setContentsMargins(8, 4, 8, 8);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(3);
  for (std::size_t i = 0; i < operation->row_count(); ++i) {
    FieldWidget* widget = make_field_widget(operation->spec(i), body_);
    widget->setFixedWidth(kAdjustFieldWidth);
    QLabel* label = make_row_label(widget->spec().label, widget->toolTip(), body_);
    label->setBuddy(widget);
    grid->addWidget(label, static_cast<int>(i), 0);
    grid->addWidget(widget, static_cast<int>(i), 1);
    rows_.push_back({label, widget});
    connect(widget, &FieldWidget::edited, this, [this, i, widget](const FieldValue& value) {
      const QString problem = document_.last_operation().adjust(i, value);
      if (!problem.isEmpty()) widget->refuse(problem);
    });
  }
  note_ = new QLabel(body_);
  note_->setObjectName(QStringLiteral("adjust_note"));
  note_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().quiet_text.name()));
  grid->addWidget(note_, static_cast<int>(operation->row_count()), 1);
  layout()->addWidget(body_);
  show_values();
  set_open(open_);
}

void AdjustPanel::show_values() {
  const LastOperation& last = document_.last_operation();
  const Operation* operation = last.operation();
  if (!operation || !body_) return;
  title_->setText(title_->fontMetrics().elidedText(last.text(), Qt::ElideRight, kAdjustFieldWidth));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool shown = operation->shown(i);
    rows_[i].label->setVisible(shown);
    rows_[i].widget->setVisible(shown);
    rows_[i].widget->set_value(operation->value(i));
  }
  note_->setText(last.note());
  note_->setVisible(!note_->text().isEmpty());
  place();
}

void AdjustPanel::set_open(bool open) {
  const bool had_keys = isAncestorOf(QApplication::focusWidget());
  open_ = open;
  title_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  if (body_) body_->setVisible(open);
  if (!open && had_keys) view_.setFocus();
  place();
}

void AdjustPanel::set_aside(bool aside) {
  aside_ = aside;
  place();
}

void AdjustPanel::place() {
  const bool shown = !aside_ && document_.last_operation().operation();
  if (shown) {
    layout()->activate();
    adjustSize();
    move(kAdjustMargin, std::max(kAdjustMargin, view_.height() - height() - kAboveNote));
  }
  setVisible(shown);
  if (shown) raise();
}

void AdjustPanel::take_focus() {
  if (!body_ || aside_) return;
  set_open(true);
  for (const Row& row : rows_)
    if (!row.widget->isHidden()) {
      // The field itself is a frame of what has the keys.
      for (QWidget* part : row.widget->findChildren<QWidget*>())
        if (part->focusPolicy() & Qt::TabFocus) return part->setFocus(Qt::TabFocusReason);
    }
}

FieldWidget* AdjustPanel::field(const QString& path) const {
  for (const Row& row : rows_)
    if (row.widget->spec().path == path && !row.widget->isHidden()) return row.widget;
  return nullptr;
}

bool AdjustPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &view_ && event->type() == QEvent::Resize) place();
  return QFrame::eventFilter(watched, event);
}

/// What the fields do not take themselves: typing is given up first.
void AdjustPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && open_)
    set_open(false);
  else
    QFrame::keyPressEvent(event);
}

/// Keys are the view's again where the mouse is, but nobody's typing is interrupted.
void AdjustPanel::leaveEvent(QEvent*) {
  QWidget* focus = QApplication::focusWidget();
  if (isAncestorOf(focus) && !qobject_cast<QLineEdit*>(focus) && !QApplication::activePopupWidget()) view_.setFocus();
}

}  // namespace hazumi
