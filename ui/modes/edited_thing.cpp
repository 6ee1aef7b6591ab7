#include "ui/modes/edited_thing.h"

#include "core/scene/derived/following.h"

namespace hazumi {

namespace {

EditedCurve edited_curve(const Curve& curve) {
  EditedCurve edited;
  edited.id = curve.id;
  edited.name = curve.name;
  edited.visible = curve.visible;
  edited.locked = curve.locked;
  edited.collection = curve.collection;
  edited.transform = curve.transform;
  edited.display.kind = DisplayKind::none;
  edited.body.kind = kStandingBody;
  edited.shape = curve;
  return edited;
}

}  // namespace

const Object* EditedThing::find(const Scene& scene, Id id) const {
  if (const Object* object = find_object(scene, id)) return object;
  const Shared<Curve>* curve = find_shared_curve(scene, id.value);
  if (!curve) return nullptr;
  if (!of_ || !of_->same_as(*curve)) {
    of_ = *curve;
    curve_ = edited_curve(**curve);
  }
  return &curve_;
}

Scene with_edited(Scene scene, Id id, const std::function<void(Object&)>& change) {
  if (!find_curve(scene, id)) return with_object(std::move(scene), id, change);
  return with_curve(std::move(scene), id, [&](Curve& curve) {
    EditedCurve edited = edited_curve(curve);
    change(edited);
    static_cast<CurveShape&>(curve) = std::move(edited.shape);
  });
}

}  // namespace hazumi
