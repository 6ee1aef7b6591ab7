#include "ui/editors/dialog_parts.h"

#include <QGridLayout>

namespace hazumi {

QLabel* plain_label(const QString& object_name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(object_name);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QLabel* picture_label(const QString& object_name, const QSize& size, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(object_name);
  label->setFixedSize(size);
  label->setAlignment(Qt::AlignCenter);
  label->setAutoFillBackground(true);
  label->setBackgroundRole(QPalette::Base);
  return label;
}

QGridLayout* dialog_grid(QWidget* form, int spacing) {
  auto* grid = new QGridLayout(form);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(spacing);
  return grid;
}

}  // namespace hazumi
