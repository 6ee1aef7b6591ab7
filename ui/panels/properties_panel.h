// Properties: everything of the field table for what is selected; the scene's settings and camera when nothing is.
// Follows every edit, undo and redo, refreshes only what they touched, and never takes the focus or what is being typed.
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "core/scene/diff.h"
#include "ui/model/context.h"
#include "ui/model/document_controller.h"
#include "ui/widgets/field_form.h"

class QLabel;
class QStackedWidget;

namespace hazumi {

class PropertiesPanel : public QWidget {
  Q_OBJECT
 public:
  PropertiesPanel(UiContext& context, QWidget* parent);

  FieldForm* object_form() const { return object_form_; }
  FieldForm* light_form() const { return light_form_; }
  FieldForm* settings_form() const { return settings_form_; }
  FieldForm* camera_form() const { return camera_form_; }

 private:
  void on_selection();
  void on_change(const ChangeSet& change);
  void refresh();
  void refresh_mesh_line();
  void edit_objects(int row, const FieldValue& value, int component, bool continues);
  void edit_lights(int row, const FieldValue& value, int component, bool continues);
  void edit_settings(int row, const FieldValue& value, int component, bool continues);
  void edit_camera(int row, const FieldValue& value, int component, bool continues);
  void commit(FieldForm* form, int row, Scene next, bool continues, const QString& what);
  quint64 gesture(bool continues);

  UiContext context_;
  QLabel* heading_;
  QWidget* mesh_line_;  ///< what the mesh of the one selected object has, and a way to change it
  QLabel* mesh_counts_;
  QStackedWidget* stack_;
  FieldForm* object_form_;
  FieldForm* light_form_;
  FieldForm* settings_form_;
  FieldForm* camera_form_;
  std::vector<Id> shown_objects_, shown_lights_;  ///< what is shown now, the active one first
  quint64 gesture_ = 0;
};

/// `value` with only component `component` of `part` put in (−1: all of `part`).
FieldValue with_component(const FieldValue& value, const FieldValue& part, int component);

}  // namespace hazumi
