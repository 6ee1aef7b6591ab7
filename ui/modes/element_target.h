// Elements of one object as the target of a transform gesture.
#pragma once

#include "ui/modes/edited_thing.h"
#include "ui/modes/mode.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

class ElementsTarget : public TransformTarget {
 public:
  ElementsTarget(Shared<Scene> before, const ElementSelection& elements);
  bool empty() const override { return !place_; }
  Vec3 pivot() const override;       ///< world
  Mat3 local_axes() const override;  ///< world
  QString name() const override { return name_; }
  Scene result(const TransformValue& value) const override;

 private:
  const Object* object() const { return edited_.find(*before_, id_); }

  Shared<Scene> before_;
  EditedThing edited_;
  const ModeInfo* mode_;
  Id id_;
  Elements elements_;
  Transform space_;  ///< of the object, as it is seen
  std::optional<ElementPlace> place_;
  int mirror_;
  double soft_;
  QString name_;
};

}  // namespace hazumi
