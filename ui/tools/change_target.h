// Bodies at a simulated frame, moved, turned or given another velocity by the mouse: boxes of the motion graph in a take of its own
// (core/motion/change_here.h). While it goes on the frame is shown as it was, with what is moved where the mouse has it.
#pragma once

#include <vector>

#include "core/motion/change_here.h"
#include "core/playback/frame.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

/// What is changed, and where.
struct ChangePlace {
  Shared<Scene> before;
  int frame = 0;
  FramePtr seen;        ///< the frame as it is before the gesture
  Id take;              ///< of changes that is gone on with; none: a new one
  std::set<Id> bodies;  ///< that move by themselves
  Id active;
};

class ChangeTarget : public TransformTarget {
 public:
  explicit ChangeTarget(ChangePlace place) : place_(std::move(place)) {}
  bool empty() const override;
  Vec3 pivot() const override;
  Mat3 local_axes() const override;
  QString name() const override;
  Scene result(const TransformValue& value) const override;
  bool several() const override { return place_.bodies.size() > 1; }
  QString note() const override;
  FramePtr seen(const TransformValue& value) const override;

 private:
  std::vector<BodyChange> changes(const TransformValue& value) const;
  ChangePlace place_;
};

/// The tip of the arrow of a body's velocity.
class VelocityTarget : public TransformTarget {
 public:
  /// `time`: s, an arrow is as long as what is passed in it.
  VelocityTarget(ChangePlace place, Id body, const Vec3& velocity, double time)
      : place_(std::move(place)), body_(body), velocity_(velocity), time_(time) {}
  bool empty() const override { return !place_.seen || !place_.seen->find(body_); }
  Vec3 pivot() const override;
  Mat3 local_axes() const override { return Mat3::Identity(); }
  QString name() const override;
  Scene result(const TransformValue& value) const override;
  QString note() const override;
  FramePtr seen(const TransformValue&) const override { return place_.seen; }
  Vec3 velocity(const TransformValue& value) const { return velocity_ + value.move / time_; }

 private:
  ChangePlace place_;
  Id body_;
  Vec3 velocity_;
  double time_;
};

}  // namespace hazumi
