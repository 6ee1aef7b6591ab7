// The skeleton of the active object: a chain through the model, the list of bones, the values of the chosen one, and the weight
// brush. While bones are edited in the view, choosing here and there is the same thing.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <QWidget>

#include "ui/panels/binding.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QToolButton;

namespace hazumi {

class NumberField;
class ObjectBinding;
struct MappingSettings;

class BoneSection : public QWidget {
  Q_OBJECT
 public:
  BoneSection(UiContext& context, ObjectBinding* binding, QWidget* parent);

  QListWidget* list() const { return list_; }
  NumberField* count() const { return count_; }
  QPushButton* make() const { return make_; }
  QPushButton* edit_button() const { return edit_; }
  QToolButton* add() const { return add_; }
  QToolButton* remove() const { return delete_; }
  /// Of the chosen bone: "name", "head", "tail", "radius".
  FieldWidget* field(std::string_view path) const;
  QLineEdit* name() const;
  QComboBox* parent_bone() const { return parent_; }
  NumberField* brush_target() const { return target_; }
  std::uint32_t chosen() const { return chosen_; }  ///< id; 0: none

  /// Of the active object.
  void refresh();
  /// As many bones as the field says.
  int wanted() const;

 signals:
  void bone_chosen(std::uint32_t bone);

 private:
  void make_start(QGridLayout* grid);
  void make_bone();
  void make_brush();
  bool editing() const;  ///< bones mode is on for the active object
  void choose(std::uint32_t bone);
  void show_bone(const Object& object);
  void show_carriers(const Object& object, const Bone& bone);
  void show_brush();
  void bones_from_model();
  void new_bone();
  void remove_chosen();
  /// One undo step on the mapping of the active object.
  bool edit(const QString& text, const std::function<void(MappingSettings&)>& change, bool continues, QWidget* at);
  Owners<Bone> chosen_one();

  UiContext context_;
  ObjectBinding* binding_;
  Binding<Bone>* bone_;
  NumberField* count_ = nullptr;
  QPushButton *make_ = nullptr, *edit_ = nullptr;
  QListWidget* list_;
  QLabel* note_;
  QToolButton *add_, *delete_;
  QWidget *bone_box_, *brush_box_;
  QComboBox *parent_ = nullptr, *carrier_ = nullptr;
  NumberField *radius_ = nullptr, *strength_ = nullptr, *target_ = nullptr;
  std::uint32_t chosen_ = 0;
  bool filling_ = false;
};

}  // namespace hazumi
