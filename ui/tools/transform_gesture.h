// One transform of a target (selected objects and lights, or elements inside an object), from its first mouse move to confirm or cancel. Every change goes
// through DocumentController::edit with one gesture key, so the whole gesture is one undo step and a cancelled one none.
// Works on the authored scene (the pose at frame 0) that was there when it began; values are always measured from there.
#pragma once

#include <memory>

#include <QString>

#include "core/base/shared.h"
#include "ui/tools/number_entry.h"
#include "ui/tools/transform_target.h"

namespace hazumi {

class DocumentController;
class Operation;

/// To whose multiples Ctrl takes a transform.
struct SnapSteps {
  double move = 0.1;             ///< m
  double angle = 5 * kPi / 180;  ///< rad
  double factor = 0.1;
};

struct GestureStart {
  std::shared_ptr<const TransformTarget> target;
  std::shared_ptr<const TransformTarget>
      here;  ///< the same with keys at the frame that is shown, where I asks for them; may be null
  bool begins_here = false;
  TransformMode mode = TransformMode::move;
  TransformConstraint constraint;
  ViewCamera camera;
  glm::vec2 size{1}, mouse{0};  ///< logical pixels
  bool by_handle = false;       ///< dragged: ends with the release of the button
  SnapSteps snaps;
  quint64 key = 0;  ///< of an edit that the gesture belongs to (a copy that is moved at once); 0: its own
};

class TransformGesture {
 public:
  TransformGesture(DocumentController& document, GestureStart start);

  void mouse_moved(glm::vec2 mouse, bool slow, bool snap);
  /// X, Y, Z (again: local, again: free), Shift+X…, numbers, G, R, S to change the mode, and I for keys at the frame that is shown, or
  /// no longer. False: not ours.
  bool key(int key, Qt::KeyboardModifiers modifiers);
  void cancel();

  /// What it does now, to be done again with other numbers after its end.
  std::unique_ptr<Operation> operation() const;
  quint64 edit_key() const { return key_; }
  /// m; none: it does not move.
  std::optional<Vec3> move() const;

  bool by_handle() const { return start_.by_handle; }
  TransformMode mode() const { return mode_; }
  const TransformConstraint& constraint() const { return constraint_; }
  const Vec3& pivot() const { return pivot_; }  ///< of the start pose
  Vec3 present_pivot() const;                   ///< moved along
  Mat3 axes() const;                            ///< columns: axes of the constraint
  QString name() const;                         ///< "Move Ball": the undo step
  QString value_text() const;                   ///< "Move 1.25 m along X"
  QString hint() const;
  KeyWay keys() const { return target().keys(); }
  QString note() const { return target().note(); }
  FramePtr seen() const { return target().seen(value()); }
  QString keys_text() const;                           ///< "A key at frame 60": what becomes of keys; empty: nothing
  const QString& refusal() const { return refusal_; }  ///< why nothing is changed now; empty: it is taken
  /// True while this gesture itself changes the document.
  bool editing() const { return editing_; }

 private:
  const TransformTarget& target() const { return here_ ? *start_.here : *start_.target; }
  void take_target();
  void switch_keys();
  void restart_values();
  void measure();
  void measure_move();
  void measure_rotation(glm::vec2 before);
  void measure_scale();
  QString why_not(const Scene& next) const;
  void apply();
  Vec3 axis() const { return axes().col(constraint_.axis); }
  Vec3 rotation_axis() const;
  Vec3 move_value() const;
  double angle_value() const;
  Vec3 scale_value() const;
  TransformValue value() const;

  DocumentController& document_;
  GestureStart start_;
  Shared<Scene> before_;
  quint64 key_ = 0;
  bool here_ = false;
  TransformMode mode_;
  TransformConstraint constraint_;
  Vec3 pivot_ = Vec3::Zero();
  Mat3 local_axes_ = Mat3::Identity();
  NumberEntry number_;
  glm::vec2 mouse_;  ///< virtual: slowed by Shift
  glm::vec2 real_mouse_;
  bool snap_ = false, edited_ = false, editing_ = false;
  Vec3 moved_ = Vec3::Zero();  ///< m, by mouse
  double angle_ = 0;           ///< rad, by mouse
  Vec3 factors_ = Vec3::Ones();
  QString refusal_;
};

}  // namespace hazumi
