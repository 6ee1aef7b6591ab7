// What a transform gesture moves: objects, lights, cameras, curves and joints of a scene, or elements inside one object (ui/modes). The
// gesture measures the mouse; the target knows where the pivot is and what the measured motion makes of the scene.
#pragma once

#include <memory>
#include <optional>
#include <set>

#include <QString>

#include "core/playback/frame.h"
#include "core/scene/derived/keyed.h"
#include "core/scene/derived/keyed_motion.h"
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

/// What a transform does to keys.
enum class KeyWay {
  none,  ///< what it moves has none that would change: values of the scene change
  all,   ///< all keys of where things are go along: the whole motion is moved
  here   ///< keys are set at the frame that is shown
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
  virtual KeyWay keys() const { return KeyWay::none; }
  virtual QString refusal() const { return {}; }  ///< why nothing can be moved so now; empty: it can
  virtual int frame() const { return 0; }         ///< of KeyWay::here
  virtual bool several() const { return false; }  ///< things
  virtual QString note() const { return {}; }     ///< what is changed, where that is neither keys nor the start
  /// What is shown while it is moved so; null: what the scene that comes of it shows.
  virtual FramePtr seen(const TransformValue&) const { return nullptr; }
};

/// How keys go with it: the scene as it is at a time, whose changes become keys then (scene/derived/keyed.h).
struct KeyedAt {
  Shared<Scene> shown;
  double time = 0;  ///< s
  /// Every change is a key there. Else keys of where a thing is all go along, so that its motion is moved as a whole; only what a
  /// curve has, which is moved along it, gets keys there.
  bool here = false;
  MovedPoses moved;  ///< of what is shown, by physics
  QString unseen;    ///< why what shall be keyed is not known; empty: it is
};

/// Unlocked objects, lights, cameras, curves, joints and forces, those in collections among the ids too.
class ObjectsTarget : public TransformTarget {
 public:
  static std::set<Id> movable(const Scene& scene, const std::set<Id>& ids);

  ObjectsTarget(Shared<Scene> before, const std::set<Id>& ids, Id active, std::optional<KeyedAt> keys = {});
  bool empty() const override { return ids_.empty(); }
  Vec3 pivot() const override;
  Mat3 local_axes() const override;
  QString name() const override;
  Scene result(const TransformValue& value) const override;
  KeyWay keys() const override { return way_; }
  QString refusal() const override { return keys_ ? keys_->unseen : QString(); }
  int frame() const override;
  bool several() const override { return ids_.size() > 1 && figure_.isEmpty(); }

 private:
  KeyWay way() const;
  Scene with_whole_moved(Scene next, const TransformValue& value) const;

  Shared<Scene> before_, shown_;
  std::optional<KeyedAt> keys_;
  std::set<Id> ids_, whole_;  ///< what is moved; of that, what has its motion moved
  KeyWay way_ = KeyWay::none;
  QString figure_;  ///< of a skin, which is taken for all that it goes with; else empty
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
  KeyWay keys() const override;
  int frame() const override;

 private:
  bool targeted() const;  ///< it has keys

  Shared<Scene> before_;
  KeyedAt keys_;
  Id camera_;
};

}  // namespace hazumi
