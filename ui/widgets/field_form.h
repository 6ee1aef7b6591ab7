// A form made from rows of the field table: sections by group, labels in one aligned column, one widget per row.
#pragma once

#include <span>
#include <vector>

#include <QSet>
#include <QWidget>

#include "ui/widgets/field_widget.h"

class QLabel;

namespace hazumi {

class Section;

class FieldForm : public QWidget {
  Q_OBJECT
 public:
  /// `key`: under which open sections are remembered. Sections named in `closed` are folded at first.
  FieldForm(std::vector<FieldSpec> specs, const QString& key, const QSet<QString>& closed, QWidget* parent);

  int row_count() const { return static_cast<int>(rows_.size()); }
  FieldWidget* widget(int row) const { return rows_[static_cast<std::size_t>(row)].widget; }
  FieldWidget* widget(const QString& path) const;
  const FieldSpec& spec(int row) const { return widget(row)->spec(); }
  Section* section(const QString& group) const;
  bool row_shown(int row) const { return rows_[static_cast<std::size_t>(row)].shown; }
  /// One entry per owner; empty: the row does not apply and is hidden.
  void show_row(int row, std::span<const FieldValue> values);
  /// Call after a round of show_row(): hides sections without rows.
  void finish();

 signals:
  void edited(int row, const hazumi::FieldValue& value, int component, bool continues);

 private:
  struct Row {
    QLabel* label;
    FieldWidget* widget;
    Section* section;
    bool shown = true;
  };
  std::vector<Row> rows_;
  std::vector<Section*> sections_;
};

/// Label of a form row; shortened with "…" in a narrow panel, whole in its tooltip.
QLabel* make_row_label(const QString& text, const QString& tooltip, QWidget* parent);

}  // namespace hazumi
