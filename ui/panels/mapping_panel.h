// Mapping: how the analysis model moves the display model. Kind, degrees of the lattice, bones of the skeleton.
#pragma once

#include <cstdint>
#include <vector>

#include <QWidget>

#include "core/geometry/mapping_settings.h"
#include "ui/context.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace hazumi {

class FieldWidget;
class NumberField;
class ObjectBinding;
class Segments;
struct Object;

class MappingPanel : public QWidget {
  Q_OBJECT
 public:
  MappingPanel(UiContext& context, QWidget* parent);

  Segments* kinds() const { return kinds_; }
  QLabel* words() const { return words_; }
  FieldWidget* lattice() const { return lattice_; }
  QListWidget* bones() const { return bones_; }
  NumberField* bone_count() const { return count_; }
  QPushButton* make_bones() const { return make_; }
  QToolButton* add_bone() const { return add_; }
  QToolButton* delete_bone() const { return delete_; }
  /// Of the chosen bone: "name", "head", "tail", "radius".
  FieldWidget* bone_field(std::string_view path) const;
  QComboBox* parent_bone() const { return parent_; }
  std::uint32_t chosen_bone() const { return chosen_; }  ///< id; 0: none

 signals:
  void bone_chosen(std::uint32_t bone);

 private:
  void refresh();
  void refresh_bones(const Object& object);
  void pick_kind(int kind);
  void bones_from_model();
  void new_bone();
  void remove_chosen();
  /// One undo step over the active object.
  bool edit(const QString& text, const std::function<void(MappingSettings&)>& change, quint64 gesture, QWidget* at);

  UiContext context_;
  ObjectBinding* binding_;
  QStackedWidget* stack_;
  Segments* kinds_;
  QLabel *words_, *no_bones_;
  FieldWidget* lattice_;
  QWidget *lattice_box_, *skeleton_box_, *bone_box_;
  QListWidget* bones_;
  NumberField* count_;
  QPushButton* make_;
  QToolButton *add_, *delete_;
  QComboBox* parent_;
  std::vector<FieldWidget*> fields_;
  std::uint32_t chosen_ = 0;
  quint64 gesture_ = 0;
  bool filling_ = false;
};

}  // namespace hazumi
