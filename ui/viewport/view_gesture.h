// A transform by mouse as long as it runs (ui/tools/transform_gesture.h): what it moves, the mouse and the keys that it
// holds, and its end, also when somebody else changes what it began with.
#pragma once

#include <memory>

#include <QObject>
#include <QPointF>

#include "ui/model/context.h"
#include "ui/tools/transform_gesture.h"

class QKeyEvent;
class QPainter;
class QWidget;

namespace hazumi {

class Changing;
class ViewNavigation;
struct ForceArrow;

class ViewGesture : public QObject {
  Q_OBJECT
 public:
  ViewGesture(UiContext& context, QWidget& view, ViewNavigation& navigation);

  const TransformGesture* running() const { return gesture_.get(); }
  /// False when one runs or nothing that can be moved is selected. `by_handle`: ends with the release of the button. `one_key`: of a
  /// key that was taken hold of.
  bool start(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle, quint64 key,
             bool one_key = false);
  /// What a camera looks at is moved alone, by its handle.
  bool start_camera_target(Id camera, QPointF mouse);
  /// How hard a force pushes and where to, by the tip of its arrow. `metres`: of a newton.
  bool start_force_tip(Id force, const ForceArrow& arrow, double metres, QPointF mouse);
  /// Something by its handle: the velocity of a body at a frame that is changed, or what a box of a motion graph shows.
  bool start_tip(std::shared_ptr<const TransformTarget> target, QPointF mouse);
  /// While it is on, transforms change the frame that is shown.
  void set_changing(const Changing& changing) { changing_ = &changing; }
  void set_snaps(const SnapSteps& snaps) { snaps_ = snaps; }
  void mouse_moved(QPointF mouse, Qt::KeyboardModifiers held);
  void key(const QKeyEvent& event);
  /// What was refused is not confirmed: keys go on asking, a dragged handle ends with nothing changed and tells why.
  void end(bool confirm);
  /// Without a look back: what it edited is not there any more.
  void drop();
  /// The lines along which it moves, and the arm to the mouse.
  void paint(QPainter& painter, QPointF mouse) const;

 signals:
  void changed();
  void ended();  ///< changed() too
  void stayed(
      quint64 key);  ///< it ended, and what its edit made is where that put it: it was taken back, or did not move

 private:
  bool start(GestureStart start, TransformMode mode, const TransformConstraint& constraint, QPointF mouse,
             bool by_handle, quint64 key);
  KeyedAt keyed_now() const;
  KeyedAt keyed_here() const;

  UiContext context_;
  QWidget& view_;
  ViewNavigation& navigation_;
  const Changing* changing_ = nullptr;
  SnapSteps snaps_;
  std::unique_ptr<TransformGesture> gesture_;
};

}  // namespace hazumi
