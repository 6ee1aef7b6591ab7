// What edit modes work inside: an object, or a curve. Modes see a curve as an object without body and display model that stands
// where it stands, so that picking, handles, G R S and undo are the same for both.
#pragma once

#include <functional>
#include <optional>

#include "core/scene/values/scene.h"

namespace hazumi {

/// What a mode of curves (ModeInfo::of_curves) is given.
struct EditedCurve : Object {
  CurveShape shape;
};
inline const CurveShape& shape_of(const Object& edited) { return static_cast<const EditedCurve&>(edited).shape; }
inline CurveShape& shape_of(Object& edited) { return static_cast<EditedCurve&>(edited).shape; }

class EditedThing {
 public:
  /// Null: the scene has neither. Valid until the next question.
  const Object* find(const Scene& scene, Id id) const;

 private:
  mutable std::optional<Shared<Curve>> of_;
  mutable EditedCurve curve_;
};

/// The scene with it changed; unknown id: the scene unchanged.
Scene with_edited(Scene scene, Id id, const std::function<void(Object&)>& change);

}  // namespace hazumi
