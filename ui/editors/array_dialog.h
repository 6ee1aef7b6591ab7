// "Array": copies of what is selected, in a row or around a centre. The scene shows them while the numbers change; all of it is one
// undo step, and none when it is cancelled.
#pragma once

#include <array>
#include <set>

#include <QDialog>

#include "core/base/shared.h"
#include "core/scene/derived/array.h"
#include "ui/model/context.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace hazumi {

class Segments;
class VectorField;

class ArrayDialog : public QDialog {
  Q_OBJECT
 public:
  ArrayDialog(UiContext& context, QWidget* parent);
  const ArraySettings& settings() const { return settings_; }
  void accept() override;
  void reject() override;

 private:
  QWidget* row_page();
  QWidget* circle_page();
  VectorField* vector_field(const QString& name, const QString& label, const QString& tooltip,
                            Vec3 ArraySettings::*member, QWidget* parent);
  void show_page(int index);
  void preview();

  UiContext context_;
  Shared<Scene> before_;
  std::set<Id> ids_;
  Id active_;
  quint64 gesture_;
  QString text_;  ///< of the undo step
  ArraySettings settings_;
  std::vector<Id> copies_;
  std::array<QWidget*, 2> pages_{};  ///< in the order of ArrayKind
  Segments *kind_, *axis_ = nullptr;
  QCheckBox* turned_ = nullptr;
  QLabel* said_;
  QPushButton* make_;
};

}  // namespace hazumi
