// The tip of a force's arrow, taken by its handle in the view: how hard it pushes, and where to. Where it pushes stays.
#pragma once

#include "core/scene/derived/mesh_store.h"
#include "render/force_arrows.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

class ForceTarget : public TransformTarget {
 public:
  /// `arrow`: as it is shown. `metres`: of a newton.
  ForceTarget(Shared<Scene> before, Id force, const ForceArrow& arrow, double metres, KeyedAt keys);
  bool empty() const override;
  Vec3 pivot() const override { return arrow_.tip; }
  Mat3 local_axes() const override { return arrow_.axes.toRotationMatrix(); }
  QString name() const override;
  Scene result(const TransformValue& value) const override;
  KeyWay keys() const override;
  int frame() const override;

 private:
  Shared<Scene> before_;
  Id force_;
  ForceArrow arrow_;
  double metres_;
  KeyedAt keys_;
};

}  // namespace hazumi
