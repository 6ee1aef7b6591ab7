#include "ui/modes/element_target.h"

#include <QCoreApplication>

namespace hazumi {

ElementsTarget::ElementsTarget(Shared<Scene> before, const ElementSelection& elements)
    : before_(std::move(before)),
      mode_(elements.mode()),
      id_(elements.object_id()),
      elements_(elements.elements()),
      mirror_(elements.mirror()),
      soft_(elements.soft()) {
  const Object* o = mode_ ? object() : nullptr;
  if (!o || elements_.empty()) return;
  space_ = elements.place_of(*o);
  place_ = mode_->place(*o, elements_, elements.active());
  name_ =
      QCoreApplication::translate("Modes", "%1 in %2").arg(mode_->name(*o, elements_), QString::fromStdString(o->name));
}

Vec3 ElementsTarget::pivot() const { return ObjectSpace(space_).world(place_->pivot); }

Mat3 ElementsTarget::local_axes() const { return space_.rotation.normalized().toRotationMatrix() * place_->axes; }

Scene ElementsTarget::result(const TransformValue& value) const {
  ElementMotion motion =
      in_object(space_, value.mode, value.pivot, value.move, value.axis, value.angle, value.frame, value.factors);
  motion.mirror = mode_->with_partners ? mirror_ : -1;
  motion.soft = soft_;
  const bool still = value.mode == TransformMode::move     ? value.move.isZero(0)
                     : value.mode == TransformMode::rotate ? value.angle == 0
                                                           : value.factors == Vec3::Ones();
  if (still) return *before_;  // to the bit what it was: the gesture leaves no step
  return with_edited(*before_, id_, [&](Object& o) { mode_->apply(o, elements_, motion); });
}

}  // namespace hazumi
