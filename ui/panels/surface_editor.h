// Look of a surface, to be put into any panel: a live sphere, the 29 presets and one's own, ambient, diffuse and specular
// colour by hue, saturation and value, shininess and opacity (thesis figure 5.12). It knows nothing of what it edits: a target
// says what is shown and takes the changes. The material panel uses it for objects and their parts, the metaball panel for
// primitives:
//
//   auto* editor = new SurfaceEditor("metaballs", body);
//   SurfaceTarget target;
//   target.values = [this] { return looks_of_selected_primitives(); };                     // {preset, surface}, active one first
//   target.edit = [this](const QString& what, const SurfaceChange& change, bool continues, QWidget* at) {
//     edit_selected_primitives(what, [&](MetaballPrimitive& p) {
//       SurfaceValue value{p.preset, p.surface};
//       change(value);
//       p.preset = value.preset;
//       p.surface = value.surface;
//     }, continues, at);                                // one undo step; `continues`: joins the one before; refusals: Bubble at `at`
//   };
//   editor->set_target(std::move(target));
//   … editor->refresh() whenever the selection or the scene changed.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <QWidget>

#include "core/scene/values/materials.h"
#include "ui/model/own_materials.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace hazumi {

class ColourSwatch;
class FieldWidget;
class NumberField;
class Section;
class SphereJob;
class SwatchGrid;

struct SurfaceValue {
  std::string preset;  ///< name in materials.h that the surface was taken from
  Surface surface;
};
using SurfaceChange = std::function<void(SurfaceValue&)>;

struct SurfaceTarget {
  /// What is edited now, the active one first; empty: nothing, and the editor is disabled.
  std::function<std::vector<SurfaceValue>()> values;
  /// Does `change` to all of them as one undo step called `what` ("Diffuse colour").
  std::function<void(const QString& what, const SurfaceChange& change, bool continues, QWidget* at)> edit;
  /// A preset was picked, with its physics; `own`: one of the person's own, whose preset's name means nothing to a scene. Null:
  /// its look goes through edit().
  std::function<void(const Material& material, bool own, QWidget* at)> take = {};
  /// The material to keep when “Keep as Own Preset” is pressed. Null: the active look with the physics of its preset.
  std::function<Material()> keep = {};
  /// What there are several of, for "A preset or colour is given to all 3 …".
  QString several = {};
};

class SurfaceEditor : public QWidget {
  Q_OBJECT
 public:
  /// `key`: under which it is remembered which sections are open, "material".
  explicit SurfaceEditor(const QString& key, QWidget* parent);
  ~SurfaceEditor() override;

  void set_target(SurfaceTarget target);
  void refresh();
  /// The sentence under the name, in place of the preset's family; empty: the family.
  void set_note(const QString& note) { note_ = note; }

  SwatchGrid* presets() const { return presets_; }
  /// component: 0 ambient, 1 diffuse, 2 specular; part: 0 hue, 1 saturation, 2 value.
  NumberField* hsv(int component, int part) const {
    return rows_[static_cast<std::size_t>(component)].numbers[static_cast<std::size_t>(part)];
  }
  ColourSwatch* swatch(int component) const { return rows_[static_cast<std::size_t>(component)].swatch; }
  FieldWidget* shininess() const { return numbers_[0]; }
  FieldWidget* opacity() const { return numbers_[1]; }
  QLabel* preview() const { return preview_; }
  /// Keeps the active look under `name`.
  void save_own(const QString& name);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  struct ColourRow {
    ColourSwatch* swatch;
    std::array<NumberField*, 3> numbers;
    Vec3 hsv = Vec3::Zero();
  };
  void make_top();
  void make_look(Section* section);
  void fill_presets();
  void pick(const QString& key);
  void edit_colour(int component, const Vec3& rgb, bool continues, QWidget* at);
  void ask_and_save();
  void show_picture(const QString& key, const QImage& picture);
  QString current_key(const SurfaceValue& value) const;

  SurfaceTarget target_;
  SphereJob* spheres_;
  OwnMaterials own_;
  QLabel *preview_, *name_, *family_;
  QToolButton* save_;
  SwatchGrid* presets_;
  std::array<ColourRow, 3> rows_{};
  std::array<FieldWidget*, 2> numbers_{};
  Surface previewed_;
  bool preview_there_ = false;
  bool seen_ = false;  ///< shown once: only then spheres are rendered, which takes a graphics context and its memory
  QString note_;
};

}  // namespace hazumi
