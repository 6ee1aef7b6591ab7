// Properties: everything of the field table for what is selected; the scene's settings when nothing is.
// Follows every edit, undo and redo, refreshes only what they touched, and never takes the focus or what is being typed.
#pragma once

#include <string_view>
#include <vector>

#include <QWidget>

#include "core/scene/values/scene_lists.h"
#include "ui/panels/binding.h"

class QLabel;
class QStackedWidget;

namespace hazumi {

class PropertiesPanel : public QWidget {
  Q_OBJECT
 public:
  PropertiesPanel(UiContext& context, QWidget* parent);

  /// Of the things of a list of the scene: "objects". Null: there is no such list.
  FieldForm* form(std::string_view list);
  FieldForm* settings_form() const { return settings_form_; }

 private:
  /// What shows the selected things of one list.
  struct Page {
    std::string_view list;
    FieldForm* form;
    QWidget* page;
    BindingBase* binding;
  };
  /// Made when a thing of that list is selected first: together they would be a third of what starting takes. Null: there is
  /// no such list.
  const Page* page_of(std::string_view list);
  template <class Thing>
  void add_list(const SceneList<Thing>& list);
  void follow(BindingBase* binding);
  /// Things of different lists have no field in common: the list of the active one is shown. "": nothing is selected.
  std::string_view shown_list() const;
  void refresh();
  void refresh_mesh_line();
  void refresh_pair_line();

  UiContext context_;
  QLabel* heading_;
  QWidget* mesh_line_;  ///< what the mesh of the one selected object has, and a way to change it
  QLabel* mesh_counts_;
  QLabel* pair_line_;  ///< which two objects the one selected pair is of
  QStackedWidget* stack_;
  std::vector<Page> pages_;  ///< those that were made
  FieldForm* settings_form_;
  QWidget* settings_page_;
  Binding<Object>* objects_ = nullptr;
};

}  // namespace hazumi
