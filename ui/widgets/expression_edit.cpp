#include "ui/widgets/expression_edit.h"

#include <algorithm>

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
      caret_(new QLabel(this)),
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
  for (QLabel* label : {caret_, fault_}) {
    label->setTextFormat(Qt::PlainText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setStyleSheet(QStringLiteral("color: %1").arg(theme_colours().error.name()));
    label->hide();
  }
  caret_->setObjectName(QStringLiteral("expression_caret"));
  caret_->setFont(fixed);
  caret_->setFixedHeight(QFontMetrics(fixed).height() - 2);
  fault_->setObjectName(QStringLiteral("expression_fault"));
  fault_->setWordWrap(true);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(edit_, 1);
  row->addWidget(names_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(caret_);
  column->addWidget(fault_);
  connect(edit_, &QLineEdit::textChanged, this, &ExpressionEdit::look);
  connect(edit_, &QLineEdit::cursorPositionChanged, this, &ExpressionEdit::place_caret);
  connect(edit_, &QLineEdit::editingFinished, this, &ExpressionEdit::take);
}

QString ExpressionEdit::fault() const {
  return fault_->isHidden() ? QString() : caret_->text() + QLatin1Char('\n') + fault_->text();
}

void ExpressionEdit::set_text(const QString& text) {
  if (text == shown_ && edit_->text() == text) return;
  if (edit_->hasFocus() && edit_->text() != shown_) return;
  shown_ = text;
  edit_->setText(text);
  edit_->setCursorPosition(0);
}

void ExpressionEdit::set_placeholder(const QString& text) { edit_->setPlaceholderText(text); }

void ExpressionEdit::look() {
  told_ = edit_->text().trimmed().isEmpty() ? Fault{} : check_(edit_->text());
  const bool wrong = !told_.sentence.isEmpty();
  fault_->setText(told_.sentence);
  fault_->setVisible(wrong);
  caret_->setVisible(wrong);
  place_caret();
}

/// Under its character, wherever the field has scrolled to.
void ExpressionEdit::place_caret() {
  if (told_.sentence.isEmpty()) return;
  const QFontMetrics metrics(edit_->font());
  const int cursor = edit_->cursorPosition(),
            cursor_x = edit_->inputMethodQuery(Qt::ImCursorRectangle).toRect().center().x();
  const QString text = edit_->text();
  const int way = told_.place >= cursor ? metrics.horizontalAdvance(text.mid(cursor, told_.place - cursor))
                                        : -metrics.horizontalAdvance(text.mid(told_.place, cursor - told_.place));
  caret_->setText(QStringLiteral("^"));
  const int place = cursor_x + way + (told_.place > text.size() ? 0 : 1);
  caret_->setContentsMargins(std::clamp(place, 0, std::max(0, edit_->width() - metrics.horizontalAdvance('^'))), 0, 0,
                             0);
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
