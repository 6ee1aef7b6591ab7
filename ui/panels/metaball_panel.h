// The metaballs of the active object: their list, the two sections of the active one to be dragged into shape (thesis figures
// 5.5 and 5.10), numbers, and what is known of the blended surface. Selecting here and in the viewport is the same thing.
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "ui/model/document_controller.h"
#include "ui/modes/element_selection.h"
#include "ui/panels/binding.h"

class QCheckBox;
class QLabel;
class QSlider;
class QToolButton;
class QTreeView;

namespace hazumi {

class FieldWidget;
class MetaballModel;
class NumberField;
class ObjectBinding;
class PanelPage;
class Section;
class SectionEditor;
class SurfaceEditor;

class MetaballPanel : public QWidget {
  Q_OBJECT
 public:
  MetaballPanel(UiContext& context, QWidget* parent);
  ~MetaballPanel() override;

  QTreeView* list() const { return list_; }
  MetaballModel* model() const { return model_; }
  SectionEditor* section(int i) const { return sections_[i]; }  ///< 0: xy, 1: xz
  QSlider* weight() const { return weight_; }
  NumberField* weight_number() const { return weight_number_; }
  FieldWidget* field(std::string_view path) const;
  SurfaceEditor* material() const { return editor_; }  ///< of the selected metaballs
  QLabel* figures() const { return figures_; }
  QToolButton* button(const QString& name) const;

 private:
  void make_list(Section* section);
  void make_shape(Section* section);
  void make_surface(Section* section);
  void make_material(Section* section);
  void make_analysis(Section* section);
  void refresh();
  void show_numbers();
  void show_weight(std::span<const FieldValue> weights);
  void show_figures();
  void show_selection();
  void take_selection();
  void press_list(const QModelIndex& index, Qt::KeyboardModifiers held);
  void pick_colour(const QModelIndex& index);
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

  /// The object that the panel shows, and the chosen primitives in it, the active one first.
  const Object* object() const;
  std::vector<const MetaballPrimitive*> chosen() const;
  bool enter_mode();
  Owners<MetaballPrimitive> chosen_ones();
  /// One undo step on how all chosen primitives look, which is then shown: "Colour of Ball 2 in Kangaroo".
  bool edit_look(const QString& what, const std::function<void(MetaballPrimitive&)>& change, bool continues,
                 QWidget* at);

  UiContext context_;
  ObjectBinding* binding_;
  Binding<MetaballPrimitive>* primitives_;
  PanelPage* page_ = nullptr;
  MetaballModel* model_;
  QTreeView* list_ = nullptr;
  SectionEditor* sections_[2] = {};
  QSlider* weight_ = nullptr;
  NumberField* weight_number_ = nullptr;
  QLabel* figures_ = nullptr;
  QLabel* badge_ = nullptr;
  QCheckBox* own_colours_ = nullptr;
  SurfaceEditor* editor_ = nullptr;
  std::vector<QToolButton*> needs_selection_;
  bool syncing_ = false;
};

}  // namespace hazumi
