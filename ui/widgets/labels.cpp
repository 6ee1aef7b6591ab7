#include "ui/widgets/labels.h"

namespace hazumi {

void make_bold(QWidget* widget) {
  QFont bold = widget->font();
  bold.setBold(true);
  widget->setFont(bold);
}

QLabel* bold_label(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  make_bold(label);
  return label;
}

QLabel* two_line_label(const QString& object_name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(object_name);
  label->setWordWrap(true);
  label->setMinimumHeight(2 * label->fontMetrics().height());
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

}  // namespace hazumi
