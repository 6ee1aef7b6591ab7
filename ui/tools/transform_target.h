// What a transform gesture moves: objects, lights, cameras, curves and joints of a scene, or elements inside one object (ui/modes). The
// gesture measures the mouse; the target knows where the pivot is and what the measured motion makes of the scene.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include <QString>

#include "core/scene/derived/keyed.h"
#include "ui/tools/transform_math.h"

namespace hazumi {

/// A measured motion in the world.
struct TransformValue {
  TransformMode mode = TransformMode::move;
  Vec3 pivot = Vec3::Zero();
  Vec3 move = Vec3::Zero();       ///< m
  Vec3 axis = Vec3::UnitX();      ///< unit
  double angle = 0;               ///< rad
  Mat3 frame = Mat3::Identity();  ///< columns: axes of `factors`
  Vec3 factors = Vec3::Ones();
};

class TransformTarget {
 public:
  virtual ~TransformTarget() = default;
  virtual bool empty() const = 0;
  virtual Vec3 pivot() const = 0;
  virtual Mat3 local_axes() const = 0;
  virtual QString name() const = 0;  ///< "Ball", "3 objects", "Ball 2 in Kangaroo"
  /// The scene that the gesture began with, changed.
  virtual Scene result(const TransformValue& value) const = 0;
};

/// How keys go with it: the scene as it is at a time, whose changes become keys then (scene/derived/keyed.h).
struct KeyedAt {
  Shared<Scene> shown;
  double time = 0;  ///< s
  bool automatic = false;
  MovedPoses moved;  ///< of what is shown, by physics
};

/// Unlocked objects, lights, cameras, curves and joints, those in collections among the ids too.
class ObjectsTarget : public TransformTarget {
 public:
  static std::set<Id> movable(const Scene& scene, const std::set<Id>& ids);

  ObjectsTarget(Shared<Scene> before, const std::set<Id>& ids, Id active, std::optional<KeyedAt> keys = {});
  bool empty() const override { return ids_.empty(); }
  Vec3 pivot() const override;
  Mat3 local_axes() const override;
  QString name() const override;
  Scene result(const TransformValue& value) const override;

 private:
  Scene moved(const TransformValue& value) const;
  void move_joints(Scene& scene, const TransformValue& value, const std::function<Transform(Transform)>& change) const;

  Shared<Scene> before_, shown_;
  std::optional<KeyedAt> keys_;
  std::set<Id> ids_;
  Id active_;
};

/// What a camera looks at, taken by its handle in the view: it is moved alone.
class CameraTarget : public TransformTarget {
 public:
  CameraTarget(Shared<Scene> before, Id camera, KeyedAt keys);
  bool empty() const override;
  Vec3 pivot() const override;
  Mat3 local_axes() const override { return Mat3::Identity(); }
  QString name() const override;
  Scene result(const TransformValue& value) const override;

 private:
  Shared<Scene> before_;
  KeyedAt keys_;
  Id camera_;
};

}  // namespace hazumi
