#include "ui/widgets/expression_edit.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/theme.h"

namespace hazumi {

ExpressionEdit::ExpressionEdit(const QString& name, std::vector<Name> names, Check check, QWidget* parent)
    : QWidget(parent),
      check_(std::move(check)),
      edit_(new QLineEdit(this)),
      names_(new QToolButton(this)),
      fault_(new QLabel(this)) {
  const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  edit_->setObjectName(QStringLiteral("expression_edit"));
  edit_->setAccessibleName(name);
  edit_->setFont(fixed);
  edit_->installEventFilter(this);
  names_->setObjectName(QStringLiteral("expression_names"));
  names_->setText(QStringLiteral("ƒ"));
  names_->setAutoRaise(true);
  names_->setFocusPolicy(Qt::NoFocus);
  names_->setPopupMode(QToolButton::InstantPopup);
  names_->setToolTip(tr("What may stand in it: names, and functions such as sin, sqrt, min, max. A click puts it in."));
  auto* menu = new QMenu(names_);
  for (const Name& one : names)
    menu->addAction(QStringLiteral("%1\t%2").arg(one.name, one.help), this, [this, text = one.name] {
      edit_->insert(text);
      edit_->setFocus();
    });
  names_->setMenu(menu);
  fault_->setObjectName(QStringLiteral("expression_fault"));
  fault_->setTextFormat(Qt::PlainText);
  fault_->setFont(fixed);
  fault_->setWordWrap(false);
  fault_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  fault_->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().error.name()));
  fault_->hide();
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(edit_, 1);
  row->addWidget(names_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(row);
  column->addWidget(fault_);
  connect(edit_, &QLineEdit::textChanged, this, &ExpressionEdit::look);
  connect(edit_, &QLineEdit::editingFinished, this, &ExpressionEdit::take);
}

QString ExpressionEdit::fault() const { return fault_->isHidden() ? QString() : fault_->text(); }

void ExpressionEdit::set_text(const QString& text) {
  if (text == shown_ && edit_->text() == text) return;
  if (edit_->hasFocus() && edit_->text() != shown_) return;
  shown_ = text;
  edit_->setText(text);
  edit_->setCursorPosition(0);
}

void ExpressionEdit::set_placeholder(const QString& text) { edit_->setPlaceholderText(text); }

void ExpressionEdit::look() {
  const QString fault = edit_->text().trimmed().isEmpty() ? QString() : check_(edit_->text());
  fault_->setText(fault);
  fault_->setToolTip(fault);
  fault_->setVisible(!fault.isEmpty());
}

void ExpressionEdit::take() {
  if (edit_->text() == shown_ || !fault().isEmpty()) return;
  shown_ = edit_->text();
  emit entered(shown_.trimmed());
}

bool ExpressionEdit::eventFilter(QObject* watched, QEvent* event) {
  // The window's commands do not take the letters.
  if (watched == edit_ && event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  if (watched == edit_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    edit_->setText(shown_);
    edit_->clearFocus();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace hazumi
