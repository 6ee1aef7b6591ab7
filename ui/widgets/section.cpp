#include "ui/widgets/section.h"

#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/model/settings.h"

namespace hazumi {

Section::Section(const QString& title, const QString& key, bool open_at_first, QWidget* parent)
    : QWidget(parent), header_(new QToolButton(this)), body_(new QWidget(this)), key_(key) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  header_->setText(title);
  header_->setCheckable(true);
  header_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  header_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  header_->setFocusPolicy(Qt::TabFocus);
  header_->setAutoRaise(true);
  header_->setObjectName("section_header");
  header_->setStyleSheet(QStringLiteral(
      "QToolButton { text-align: left; font-weight: 600; border: none; border-radius: 0; padding: 4px 6px; "
      "background: palette(button); color: palette(button-text); }"
      "QToolButton:hover { background: palette(midlight); }"
      "QToolButton:focus { background: palette(midlight); }"));
  column->addWidget(header_);
  column->addWidget(body_);
  if (!key_.isEmpty())
    open_at_first = QSettings(settings_file(), QSettings::IniFormat).value("sections/" + key_, open_at_first).toBool();
  connect(header_, &QToolButton::clicked, this, [this](bool open) {
    set_open(open);
    if (!key_.isEmpty()) QSettings(settings_file(), QSettings::IniFormat).setValue("sections/" + key_, open);
  });
  set_open(open_at_first);
}

bool Section::is_open() const { return header_->isChecked(); }

void Section::set_open(bool open) {
  header_->setChecked(open);
  header_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  body_->setVisible(open);
}

}  // namespace hazumi
