// Labels that several panels and dialogs have alike.
#pragma once

#include <QLabel>

namespace hazumi {

void make_bold(QWidget* widget);
/// A heading inside a section.
QLabel* bold_label(const QString& text, QWidget* parent);
/// Words that change: as high as two lines at least, so that nothing below moves when there are fewer.
QLabel* two_line_label(const QString& object_name, QWidget* parent);

}  // namespace hazumi
