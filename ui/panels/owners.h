// Whom bindings (binding.h) show: what is selected, and what there is one of in a scene.
#pragma once

#include "ui/panels/binding.h"

namespace hazumi {

/// Selected ones, the active one first.
Owners<Object> selected_objects(const UiContext& context);
Owners<Light> selected_lights(const UiContext& context);
Owners<SceneSettings> scene_settings(const UiContext& context);
Owners<Camera> scene_camera(const UiContext& context);

/// What panels about the selected objects share.
class ObjectBinding : public Binding<Object> {
 public:
  ObjectBinding(UiContext& context, QObject* parent)
      : Binding(context, object_fields(), selected_objects(context), parent) {}
  std::vector<const Object*> objects() const { return owners(); }
};

}  // namespace hazumi
