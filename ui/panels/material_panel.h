// Material: the look of the selected objects by the surface editor, part by part where the mesh has parts, and physics that
// follow the preset or are set apart.
//
// Parts: the list shows the whole object first, then its parts with the colour that each has. A part that is current is what the
// editor edits; its first change gives it a material of its own (a copy of the object's), “Clear” takes that away again. With
// “Pick” a click on the model in the viewport chooses the part under the mouse (Selection::part_clicked).
#pragma once

#include <array>
#include <optional>

#include <QLabel>
#include <QWidget>

#include "core/scene/values/materials.h"
#include "ui/model/context.h"
#include "ui/panels/surface_editor.h"

class QCheckBox;
class QListWidget;
class QToolButton;

namespace hazumi {

class FieldWidget;
class ObjectBinding;
class PanelPage;
class Section;

class MaterialPanel : public QWidget {
  Q_OBJECT
 public:
  MaterialPanel(UiContext& context, QWidget* parent);

  SurfaceEditor* editor() const { return editor_; }
  SwatchGrid* presets() const { return editor_->presets(); }
  /// component: 0 ambient, 1 diffuse, 2 specular; part: 0 hue, 1 saturation, 2 value.
  NumberField* hsv(int component, int part) const { return editor_->hsv(component, part); }
  ColourSwatch* swatch(int component) const { return editor_->swatch(component); }
  FieldWidget* physics(int row) const { return physics_[static_cast<std::size_t>(row)]; }
  QCheckBox* follow() const { return follow_; }
  QLabel* preview() const { return editor_->preview(); }
  /// Hidden unless one object with several parts is selected.
  QListWidget* parts() const { return parts_; }
  QToolButton* pick_part() const { return pick_; }
  QToolButton* clear_part() const { return clear_; }
  /// The part that is edited; empty optional: the whole object.
  const std::optional<std::string>& part() const { return part_; }
  void set_part(std::optional<std::string> part);
  /// Keeps the active object's or part's material under `name`.
  void save_own(const QString& name) { editor_->save_own(name); }

 private:
  void make_parts(QWidget* body);
  void make_physics();
  void refresh();
  void refresh_parts(const std::vector<const Object*>& objects);
  void refresh_physics(const std::vector<const Object*>& objects);
  /// The material that is edited in an object: its own, or that of the current part.
  const Material& shown(const Object& object) const;
  Material& edited(Object& object) const;
  QString called(const QString& what) const;

  UiContext context_;
  ObjectBinding* binding_;
  PanelPage* page_;
  SurfaceEditor* editor_;
  Section *parts_section_, *physics_section_;
  QListWidget* parts_;
  QToolButton *pick_, *clear_;
  QLabel* parts_note_;
  std::optional<std::string> part_;
  std::vector<std::string> part_names_;  ///< rows of the list after the first
  Id parts_of_;
  std::array<FieldWidget*, 7> physics_{};
  QCheckBox* follow_;
};

}  // namespace hazumi
