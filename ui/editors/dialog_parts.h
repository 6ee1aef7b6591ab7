// What the dialogs for import and export have alike.
#pragma once

#include <QLabel>

class QGridLayout;

namespace hazumi {

/// Words that are shown as they are, without markup.
QLabel* plain_label(const QString& object_name, QWidget* parent);
/// A field for a small picture.
QLabel* picture_label(const QString& object_name, const QSize& size, QWidget* parent);
/// Labels and fields of a form; `spacing` between rows.
QGridLayout* dialog_grid(QWidget* form, int spacing);

}  // namespace hazumi
