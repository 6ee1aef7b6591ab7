// Analysis model: what moves. Shape, divisions and size of the truss, how the object takes part, softness, damping and weight,
// and the vibration that they give.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <QWidget>

#include "core/scene/scene.h"
#include "core/sim/elastic/vibration.h"
#include "ui/context.h"
#include "ui/jobs/worker.h"

class QLabel;
class QPushButton;
class QSlider;
class QStackedWidget;
class QTimer;

namespace hazumi {

class FieldWidget;
class ObjectBinding;
class Segments;
class VectorField;
class VariantRow;
class VibrationPlot;

class AnalysisPanel : public QWidget {
  Q_OBJECT
 public:
  AnalysisPanel(UiContext& context, QWidget* parent);
  ~AnalysisPanel() override;

  Segments* kinds() const { return kinds_; }
  Segments* bodies() const { return bodies_; }
  QSlider* softness() const { return softness_; }
  FieldWidget* stiffness() const { return stiffness_; }
  FieldWidget* damping() const { return damping_; }
  FieldWidget* mass() const { return mass_; }
  QPushButton* fit_button() const { return fit_; }
  VariantRow* variants() const { return variants_; }
  VibrationPlot* plot() const { return plot_; }
  QLabel* words() const { return words_; }

 private:
  void refresh();
  void pick_kind(int kind);
  void pick_body(int kind);
  void fit();
  void soften(int position);
  void update_vibration();
  void show_mode(const Object& object);

  double mass_of(const Object& object);

  /// Solved for one geometry with k, c and m all one; other values of the same geometry only scale it.
  struct Solved {
    std::optional<LowestMode> unit_mode;
    std::size_t nodes = 0, springs = 0;
  };

  UiContext context_;
  ObjectBinding* binding_;
  QStackedWidget* stack_;
  Segments *kinds_, *bodies_;
  QSlider* softness_;
  FieldWidget *stiffness_, *damping_, *mass_;
  QWidget *truss_box_, *flexible_box_;
  VectorField* divisions_;
  QLabel *counts_, *words_, *softness_note_;
  QPushButton* fit_;
  VariantRow* variants_;
  VibrationPlot* plot_;
  bool continues_ = false;
  std::shared_ptr<const DisplayMesh> weighed_;   ///< mesh whose volume is known
  double volume_ = 0;                            ///< m³, 0: open

  std::string key_;                    ///< geometry that is solved or being solved
  std::optional<Solved> solved_;
  std::shared_ptr<std::atomic<bool>> stop_;
  Worker worker_;                      ///< last: ends before what it delivers to
};

}  // namespace hazumi
