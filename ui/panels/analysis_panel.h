// Analysis model: what moves. Shape, divisions and size of the truss, how the object takes part, softness, damping and weight,
// and the vibration that they give.
#pragma once

#include <memory>

#include <QWidget>

#include "core/geometry/mesh/winding.h"
#include "core/scene/values/scene.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QLabel;
class QPushButton;
class QSlider;

namespace hazumi {

class FieldWidget;
class ObjectBinding;
class PanelPage;
class Section;
class Segments;
class PoseSection;
class StrungSection;
class TrussBuilder;
class VectorField;
class VariantRow;
class VibrationPlot;
class VibrationSection;

class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  AnalysisPanel(UiContext& context, QWidget* parent);

  Segments* kinds() const { return kinds_; }
  Segments* bodies() const { return bodies_; }
  QSlider* softness() const { return softness_; }
  FieldWidget* stiffness() const { return stiffness_; }
  FieldWidget* damping() const { return damping_; }
  FieldWidget* mass() const { return mass_; }
  QPushButton* fit_button() const { return fit_; }
  VariantRow* variants() const { return variants_; }
  VibrationPlot* plot() const;
  QLabel* words() const;
  VibrationSection* vibration() const { return vibration_; }
  StrungSection* strung() const { return strung_; }
  PoseSection* poses() const { return poses_; }
  TrussBuilder* builder() const { return builder_; }

 private:
  void refresh();
  void add_softness();
  void pick_kind(int kind);
  void pick_body(int kind);
  void soften(int position);

  QString weight_note(const Object& object);
  void tell_mass(const Object& active);
  double mass_of(const Object& object);

  UiContext context_;
  ObjectBinding* binding_;
  PanelPage* page_;
  Segments *kinds_, *bodies_;
  QSlider* softness_;
  QWidget* softness_scale_;
  FieldWidget *stiffness_, *damping_, *mass_;
  QWidget *truss_box_, *shape_box_;
  Section *variants_box_, *flexible_box_, *poses_box_;
  VectorField* divisions_;
  QWidget *cloth_box_, *hollow_box_;
  QLabel *counts_, *softness_note_, *unused_, *mass_note_;
  QPushButton* fit_;
  VariantRow* variants_;
  VibrationSection* vibration_;
  StrungSection* strung_;
  PoseSection* poses_;
  TrussBuilder* builder_;
  bool continues_ = false;
  std::shared_ptr<const DisplayMesh> weighed_;  ///< mesh whose volume is known
  MeshMeasure measure_;
  bool is_measured_ = true;  ///< false: the worker is at it
  Worker worker_;            ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
