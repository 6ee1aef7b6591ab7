// A handle of a box of a motion graph, taken in the view (core/motion/sketch.h): its numbers become what puts it there.
#pragma once

#include <memory>
#include <string>

#include "core/motion/sketch.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

class BoxTarget : public TransformTarget {
 public:
  /// `way`: what `body` points to. A number that has keys gets one there, with KeyedAt::here each that changes.
  BoxTarget(Shared<Scene> before, KeyedAt keys, Id box, std::size_t handle, const SketchHandle& shown,
            const SketchBody& body, std::shared_ptr<const CurveWay> way,
            std::shared_ptr<const std::vector<Vec3>> other_nodes);
  bool empty() const override;
  Vec3 pivot() const override { return at_; }
  Mat3 local_axes() const override { return Mat3::Identity(); }
  QString name() const override;
  Scene result(const TransformValue& value) const override;
  QString note() const override;

 private:
  const MotionNode* box() const;

  Shared<Scene> before_;
  KeyedAt keys_;
  Id box_;
  std::size_t handle_;
  Vec3 at_;
  std::string label_;
  SketchBody body_;
  std::shared_ptr<const CurveWay> way_;
  std::shared_ptr<const std::vector<Vec3>> other_nodes_;  ///< that, too
};

}  // namespace hazumi
