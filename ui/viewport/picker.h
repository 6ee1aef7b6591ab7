// What lies under the mouse - the ball of an axis in the corner, a handle of the tool, an element of the edit mode, a driver,
// an object - and what a click, a box and the right button make of it.
#pragma once

#include <vector>

#include <QPointF>
#include <QRectF>
#include <Qt>

#include "ui/model/context.h"
#include "ui/tools/gizmo.h"

namespace hazumi {

class DriverView;
class ModeInput;
class ViewNavigation;
class ViewPicture;

class ViewPicker {
 public:
  ViewPicker(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture, ModeInput& modes,
             DriverView& drivers);

  int axis() const { return axis_; }      ///< of the gizmo in the corner, under the mouse; −1 none
  int handle() const { return handle_; }  ///< of the tool; −1 none
  void forget_handle() { handle_ = -1; }

  /// The mouse is here, `inside` the view or beside it. True: what is painted over the picture is another now.
  bool hover(QPointF mouse, bool inside, const std::vector<GizmoHandle>& handles);
  bool leave();  ///< the same
  void click(QPointF mouse, Qt::KeyboardModifiers held);
  void select_box(const QRectF& box, Qt::KeyboardModifiers held);
  /// What a context menu here is about becomes selected.
  void select_for_menu(QPointF mouse);
  /// A selected object is here.
  bool meets_selection(QPointF mouse);
  /// The object that a click here would select; none: nothing, or no object.
  Id object_at(QPointF mouse);

 private:
  void click_object(QPointF mouse, Qt::KeyboardModifiers held);

  UiContext context_;
  const ViewNavigation& navigation_;
  ViewPicture& picture_;
  ModeInput& modes_;
  DriverView& drivers_;
  int axis_ = -1, handle_ = -1;
};

}  // namespace hazumi
