#include "ui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "ui/widgets/theme.h"

namespace hazumi {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("message_bar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 4, 4, 4);
  row->setSpacing(8);
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("message_text"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  answers_ = new QHBoxLayout;
  answers_->setSpacing(6);
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("message_close"));
  close->setIcon(theme_icon(QStringLiteral("close")));
  close->setAutoRaise(true);
  close->setToolTip(tr("Close this message"));
  close->setFocusPolicy(Qt::NoFocus);
  connect(close, &QToolButton::clicked, this, [this] { message_ ? dismiss() : withdraw(); });
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  row->addLayout(answers_);
  row->addWidget(close);
  hide();
}

void MessageBar::show_message(Severity severity, const QString& sentence, const std::vector<Answer>& answers) {
  message_ = Message{severity, sentence, answers};
  show_top();
}

void MessageBar::show_refusal(const QString& sentence) {
  message_ = Message{Severity::warning, sentence, {}, true};
  show_top();
}

void MessageBar::settle() {
  if (message_ && message_->refusal) dismiss();
}

void MessageBar::offer(const QString& sentence, const std::vector<Answer>& answers) {
  offer_ = Message{Severity::warning, sentence, answers};
  show_top();
}

void MessageBar::withdraw() {
  offer_.reset();
  show_top();
}

void MessageBar::dismiss() {
  message_.reset();
  show_top();
}

void MessageBar::show_top() {
  if (!message_ && !offer_) return hide();
  const Message& top = message_ ? *message_ : *offer_;
  const ThemeColours& colours = theme_colours();
  const QColor colour = top.severity == Severity::error     ? colours.error
                        : top.severity == Severity::warning ? colours.warning
                                                            : colours.computed;
  setStyleSheet(QStringLiteral("#message_bar { background: #34363b; border: none; border-left: 3px solid %1; }")
                    .arg(colour.name()));
  icon_->setPixmap(theme_icon(top.severity == Severity::info ? QStringLiteral("info") : QStringLiteral("warning"))
                       .pixmap(QSize(18, 18), devicePixelRatioF()));
  text_->setText(top.sentence);
  while (QLayoutItem* item = answers_->takeAt(0)) {
    // Hidden at once: what is deleted later is not to be clicked before.
    if (item->widget()) item->widget()->hide();
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  for (const Answer& answer : top.answers) {
    auto* button = new QPushButton(answer.text, this);
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QPushButton::clicked, this, [this, act = answer.act] {
      message_ ? dismiss() : withdraw();
      act();
    });
    answers_->addWidget(button);
  }
  show();
}

QString MessageBar::text() const { return isHidden() ? QString() : text_->text(); }

}  // namespace hazumi
