// Material: presets as little spheres, look by hue, saturation and value, physics that follow the preset or are set apart.
#pragma once

#include <array>

#include <QLabel>
#include <QWidget>

#include "core/scene/materials.h"
#include "ui/context.h"
#include "ui/models/own_materials.h"

class QCheckBox;
class QStackedWidget;
class QToolButton;

namespace hazumi {

class ColourSwatch;
class FieldWidget;
class NumberField;
class ObjectBinding;
class SphereJob;
class SwatchGrid;

class MaterialPanel : public QWidget {
  Q_OBJECT
 public:
  MaterialPanel(UiContext& context, QWidget* parent);

  SwatchGrid* presets() const { return presets_; }
  /// component: 0 ambient, 1 diffuse, 2 specular; part: 0 hue, 1 saturation, 2 value.
  NumberField* hsv(int component, int part) const { return rows_[static_cast<std::size_t>(component)].numbers[static_cast<std::size_t>(part)]; }
  ColourSwatch* swatch(int component) const { return rows_[static_cast<std::size_t>(component)].swatch; }
  FieldWidget* physics(int row) const { return physics_[static_cast<std::size_t>(row)]; }
  QCheckBox* follow() const { return follow_; }
  QLabel* preview() const { return preview_; }
  /// Keeps the active object's material under `name`.
  void save_own(const QString& name);

 private:
  struct ColourRow {
    ColourSwatch* swatch;
    std::array<NumberField*, 3> numbers;
    Vec3 hsv = Vec3::Zero();
  };
  void refresh();
  void fill_presets();
  void pick(const QString& key);
  void edit_colour(int component, const Vec3& rgb, bool continues, QWidget* at);
  void ask_and_save();
  void show_picture(const QString& key, const QImage& picture);
  QString current_key(const Material& material) const;

  ObjectBinding* binding_;
  SphereJob* spheres_;
  OwnMaterials own_;
  QStackedWidget* stack_;
  QLabel *preview_, *name_, *family_;
  QToolButton* save_;
  SwatchGrid* presets_;
  std::array<ColourRow, 3> rows_{};
  std::array<FieldWidget*, 5> physics_{};
  QCheckBox* follow_;
  Surface previewed_;
  bool preview_there_ = false;
};

}  // namespace hazumi
