// What the active box of a motion graph says: its sentence with what stands in it, and below it the fields. Edits are of all selected boxes of its
// kind.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QWidget>

#include "core/scene/values/scene.h"
#include "ui/model/context.h"
#include "ui/panels/binding.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace hazumi {

class ExpressionEdit;
class MotionSelection;
class ThingPicker;
struct MotionKind;
struct ParameterRow;

class MotionBoxPanel : public QWidget {
  Q_OBJECT
 public:
  MotionBoxPanel(UiContext& context, MotionSelection& chosen, QWidget* parent);
  ~MotionBoxPanel() override;

  QString sentence() const;  ///< as it is read
  // Of the kind that is shown; null: it has none.
  ThingPicker* owner() const;
  ThingPicker* other() const;
  FieldWidget* other_keys() const;  ///< the diamond of what it is about
  QComboBox* number() const;        ///< which number is told
  FieldWidget* number_keys() const;
  QCheckBox* on() const;  ///< to what, of a switch
  ExpressionEdit* condition() const;
  FieldWidget* field(std::string_view parameter) const;
  ExpressionEdit* expression(std::string_view parameter) const;
  QToolButton* expression_button(std::string_view parameter) const;

 private:
  struct Parameter {
    std::string name;
    FieldWidget* widget = nullptr;
    ExpressionEdit* expression = nullptr;
    QToolButton* button = nullptr;
    QWidget *label = nullptr, *line = nullptr;  ///< of its row
  };
  struct Page {
    std::vector<Field<MotionNode>> table;
    Binding<MotionNode>* binding = nullptr;
    QWidget* widget = nullptr;
    ThingPicker *owner = nullptr, *other = nullptr;
    FieldWidget *with = nullptr, *number_keys = nullptr;  ///< their diamonds, with what is chosen by inside
    QComboBox* number = nullptr;
    QCheckBox* on = nullptr;
    ExpressionEdit* condition = nullptr;
    std::vector<Parameter> parameters;
  };
  using Key = std::pair<MotionRole, std::string>;

  const MotionNode* active() const;
  std::vector<const MotionNode*> shown(const Key& key) const;
  Page& page_of(const MotionNode& node);
  void make_page(const Key& key, const MotionKind* kind, Page& page);
  void add_parameter(const Key& key, Page& page, const ParameterRow& row, QGridLayout* grid);
  void bind_expression(const Parameter& one, const QString& label, double fallback);
  QString figures_of(const MotionNode& node) const;
  void refresh();
  void show_things(Page& page, const MotionNode& node);
  void add_other(Page& page, const MotionKind& kind, bool at_once, QGridLayout* grid);
  bool is_keyed_now(const FieldWidget* field) const;
  void key_other(const QString& text, Id other, bool tells, QWidget* at);
  static QWidget* add_row_of_box(QGridLayout* grid, const QString& label, const QString& tip, QWidget* widget);
  void add_number(Page& page, const ParameterRow& row, QGridLayout* grid);
  void add_own_materials(QHBoxLayout* line);
  void add_switch(Page& page, QHBoxLayout* line);
  void show_number(Page& page, const MotionNode& node);
  void edit_chosen(const QString& text, const std::function<void(MotionNode&)>& change, QWidget* at);
  void go_to(const QString& field);

  UiContext context_;
  MotionSelection& chosen_;
  QStackedWidget* stack_;
  QLabel *heading_, *class_, *sentence_;
  std::map<Key, std::unique_ptr<Page>> pages_;
  Page* page_ = nullptr;
};

}  // namespace hazumi
