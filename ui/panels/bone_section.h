// Values of the selected bone, while bones are edited: name, parent, reach; and the weight brush.
#pragma once

#include <QWidget>

#include "ui/context.h"
#include "ui/modes/element_selection.h"

class QComboBox;
class QLineEdit;

namespace hazumi {

class NumberField;
struct Bone;

class BoneSection : public QWidget {
  Q_OBJECT
 public:
  BoneSection(UiContext& context, QWidget* parent);

  QLineEdit* name() const { return name_; }
  QComboBox* parent_bone() const { return parent_; }
  NumberField* radius() const { return radius_; }
  NumberField* brush_target() const { return target_; }

  /// True: bones are edited, there is something to show.
  bool refresh();

 private:
  const Bone* bone() const;
  void write(const QString& text, const std::function<void(Bone&)>& change, bool continues = false);
  void take_name();
  void take_parent(int index);

  UiContext context_;
  QLineEdit* name_;
  QComboBox* parent_;
  NumberField *radius_, *brush_radius_, *strength_, *target_;
  quint64 gesture_ = 0;
};

}  // namespace hazumi
