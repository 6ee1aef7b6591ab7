#include "ui/widgets/segments.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "ui/widgets/theme.h"

namespace hazumi {

namespace {
constexpr std::size_t kRoomy =
    6;  // more in a row have smaller words and room by their length: none is cut in a narrow panel
constexpr double kSmaller = 0.85;
}  // namespace

Segments::Segments(const std::vector<Entry>& entries, bool text_under_icon, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto* button = new QToolButton(this);
    button->setText(entries[i].text);
    button->setIcon(theme_icon(entries[i].icon));
    button->setToolTip(entries[i].tooltip);
    button->setAccessibleName(entries[i].text);
    button->setCheckable(true);
    button->setProperty("segment", true);  // theme.qss
    button->setToolButtonStyle(text_under_icon ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonTextBesideIcon);
    button->setIconSize(text_under_icon ? QSize(20, 20) : QSize(16, 16));
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setMinimumWidth(10);
    if (text_under_icon && entries.size() > kRoomy) {
      QFont smaller = button->font();
      smaller.setPointSizeF(kSmaller * smaller.pointSizeF());
      button->setFont(smaller);
    }
    button->setFocusPolicy(Qt::TabFocus);
    const int index = static_cast<int>(i);
    connect(button, &QToolButton::clicked, this, [this, index] {
      set_current(index);
      emit picked(index);
    });
    row->addWidget(button, entries.size() > kRoomy ? 2 + static_cast<int>(entries[i].text.size()) : 1);
    buttons_.push_back(button);
  }
}

void Segments::set_current(int index) {
  current_ = index;
  for (std::size_t i = 0; i < buttons_.size(); ++i) buttons_[i]->setChecked(static_cast<int>(i) == index);
}

}  // namespace hazumi
