// Properties: everything of the field table for what is selected; the scene's settings and camera when nothing is.
// Follows every edit, undo and redo, refreshes only what they touched, and never takes the focus or what is being typed.
#pragma once

#include <QWidget>

#include "ui/panels/binding.h"

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
  bool shows_objects() const;  ///< of what is selected; else lights, or the scene
  void refresh();
  void refresh_mesh_line();

  UiContext context_;
  QLabel* heading_;
  QWidget* mesh_line_;  ///< what the mesh of the one selected object has, and a way to change it
  QLabel* mesh_counts_;
  QStackedWidget* stack_;
  FieldForm* object_form_;
  FieldForm* light_form_;
  FieldForm* settings_form_;
  FieldForm* camera_form_;
  // Objects and lights have no field in common: the kind of the active one is shown.
  Binding<Object>* objects_;
  Binding<Light>* lights_;
  Binding<SceneSettings>* settings_;
  Binding<Camera>* camera_;
};

}  // namespace hazumi
