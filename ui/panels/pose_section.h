// Poses of the active flexible object: the list with what each weighs in the frame that is shown, what is done to them, a slider that shows one in the
// view, and the hands of the poses mode.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/model/context.h"

class QLabel;
class QListWidget;
class QPushButton;
class QSlider;
class QToolButton;

namespace hazumi {

class NumberField;
class ObjectBinding;
struct Object;

class PoseSection : public QWidget {
  Q_OBJECT
 public:
  PoseSection(UiContext& context, ObjectBinding* binding, QWidget* parent);
  ~PoseSection() override;

  QListWidget* list() const { return list_; }
  QSlider* blend() const { return blend_; }
  QPushButton* edit_button() const { return edit_; }
  QToolButton* button(const char* name)
      const;  ///< "new_pose", "duplicate_pose", "delete_pose", "mirror_pose", "pose_from_frame", "pose_from_mesh", "key_pose", "key_rest_shape"
  NumberField* radius() const { return radius_; }
  NumberField* group() const { return group_; }
  /// Weight of a row of the list in the frame that is shown, 0…1; below 0: none.
  double weight(int row) const;

  void refresh();

 private:
  QToolButton* make_button(const char* icon, const QString& text, const QString& tip, const char* name);
  void make_hands();
  void follow();
  void edit_in_view();
  void show_weights();
  void show_blend();
  void end_blend();
  void from_mesh();
  void add_first();
  bool editing() const;
  bool learns(const Object& object) const;  ///< its solver takes examples

  UiContext context_;
  ObjectBinding* binding_;
  QListWidget* list_;
  QLabel *note_, *share_;
  QSlider* blend_;
  QPushButton* edit_;
  QWidget *buttons_, *blend_row_, *hands_ = nullptr;
  NumberField *radius_ = nullptr, *strength_ = nullptr, *group_ = nullptr;
  bool filling_ = false, blending_ = false;
};

}  // namespace hazumi
