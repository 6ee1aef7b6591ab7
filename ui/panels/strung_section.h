// What the analysis panel shows of a truss that is strung by hand: counts, whether it holds its shape, the values of the
// selected nodes and springs, symmetric editing and the brush.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <QWidget>

#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/values.h"
#include "ui/jobs/worker.h"
#include "ui/modes/element_selection.h"
#include "ui/panels/binding.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace hazumi {

class NumberField;
class ObjectBinding;
class Segments;
struct Object;

class StrungSection : public QWidget {
  Q_OBJECT
 public:
  StrungSection(UiContext& context, ObjectBinding* binding, std::function<double(const Object&)> mass, QWidget* parent);
  ~StrungSection() override;

  QLabel* counts() const { return counts_; }
  QLabel* rigidity() const { return rigidity_; }
  QPushButton* edit_button() const { return edit_; }
  QPushButton* loose_button() const { return loose_; }
  QLabel* selection_title() const { return title_; }
  NumberField* mass() const { return node_mass_; }
  NumberField* stiffness() const { return stiffness_; }
  NumberField* damping() const { return damping_; }
  NumberField* cross_section() const { return section_; }
  QCheckBox* pinned() const { return pinned_; }
  Segments* symmetry() const { return symmetry_; }
  Segments* brush_quantity() const { return quantity_; }
  Segments* brush_action() const { return action_; }
  NumberField* brush_radius() const { return radius_; }
  NumberField* brush_strength() const { return strength_; }

  /// The object or its settings changed.
  void refresh();

 private:
  NumberField* add_number(QGridLayout* grid, const QString& name, const QString& unit, const QString& tip);
  void make_brush();
  const Object* object() const;  ///< strung, else null
  bool editing() const;          ///< truss mode is on for it
  void show_selection();
  void show_brush();
  void check_rigidity();
  void set_node_masses(double mass, bool continues);
  /// Stiffness, damping or cross-section of the selected springs.
  using SetSprings = Result<StrungTruss> (*)(const StrungTruss&, const SpringSelection&, double, const TrussTotals&);
  void set_springs(const QString& text, SetSprings set, double value, bool continues, QWidget* at);
  Owners<Object> selection();
  void refuse(QWidget* at, const Diagnostic& problem);

  UiContext context_;
  ObjectBinding* binding_;
  Binding<Object>* selected_;  ///< of the edited truss, nodes and springs
  std::function<double(const Object&)> mass_;
  QLabel *counts_, *rigidity_, *title_;
  QPushButton *edit_, *loose_;
  QWidget *selection_box_, *brush_box_;
  NumberField *node_mass_, *stiffness_, *damping_, *section_;
  QCheckBox* pinned_;
  Segments *symmetry_, *quantity_ = nullptr, *action_ = nullptr;
  NumberField *radius_ = nullptr, *strength_ = nullptr, *falloff_ = nullptr, *target_ = nullptr;
  QWidget* target_label_ = nullptr;

  std::shared_ptr<const StrungTruss> checked_;  ///< whose rigidity is shown or being found
  std::shared_ptr<std::atomic<bool>> stop_;
  Worker worker_;  ///< last: ends before what it delivers to
};

}  // namespace hazumi
