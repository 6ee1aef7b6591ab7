// The widgets of an export format's options, made from the table of the format (core/export/options.h). Options that formats
// share are one row: what was chosen stays when the format changes. Width and height stand in one line with common sizes.
#pragma once

#include <functional>
#include <vector>

#include <QObject>

#include "core/export/format.h"

class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QWidget;

namespace hazumi {

class NumberField;

class ExportOptionRows : public QObject {
  Q_OBJECT
 public:
  /// Puts the rows of all formats into the grid from `row` on, and counts it up.
  ExportOptionRows(QGridLayout* grid, int& row, QWidget* form);

  /// Shows the rows that the format has.
  void show_format(const ExportFormatInfo& format);
  ExportValues values(const ExportFormatInfo& format) const;
  /// What is not among the values stays.
  void set_values(const ExportValues& values);
  void remember(const ExportFormatInfo& format) const;  ///< in the settings; the rows begin with what is there

 signals:
  void edited();

 private:
  struct Row {
    const ExportOption* option;
    std::vector<QWidget*> shown;  ///< label and widgets
    std::function<double()> get;
    std::function<void(double)> set;
  };
  void add(const ExportOption& option, QGridLayout* grid, int& row, QWidget* form);
  NumberField* add_number(const ExportOption& option, Row& row, QHBoxLayout* line, QWidget* form);
  void pick_size(int index);
  const Row* find(const ExportOption& option) const;

  std::vector<Row> rows_;
  QHBoxLayout* size_line_ = nullptr;
  QComboBox* sizes_ = nullptr;
  NumberField *width_ = nullptr, *height_ = nullptr;
};

}  // namespace hazumi
