// Viewport: mouse, wheel, keys, and whom of its parts they go to.
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

#include "ui/model/live_pull.h"
#include "ui/model/presses.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/box_view.h"
#include "ui/viewport/camera_view.h"
#include "ui/viewport/changing.h"
#include "ui/viewport/force_view.h"
#include "ui/viewport/joining.h"
#include "ui/viewport/mode_input.h"
#include "ui/viewport/motion_view.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picker.h"
#include "ui/viewport/pull_view.h"
#include "ui/viewport/tool_gizmo.h"
#include "ui/viewport/view_gesture.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/hover_keys.h"

namespace hazumi {

namespace {

constexpr float kPanPerNotch = 48;  // pixels
constexpr double kClickSlop = 4;    // pixels the mouse may move in a click

double pixels_between(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

}  // namespace

// Mouse ---------------------------------------------------------------------------------------------------------------

/// A button that an event of a motion graph has, while it plays: it is taken from the view.
bool Viewport::press_live(const QMouseEvent& event) {
  const char* key = event.button() == Qt::LeftButton     ? "left button"
                    : event.button() == Qt::MiddleButton ? "middle button"
                    : event.button() == Qt::RightButton  ? "right button"
                                                         : nullptr;
  if (!key || event.modifiers() != Qt::NoModifier || !has_buttons_while_playing(context_)) return false;
  const LivePress press{key, object_under(event.position())};
  if (!has_press_while_playing(context_, press)) return false;
  press_while_playing(context_, press);
  return true;
}

void Viewport::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  mouse_ = press_ = event->position();
  if (gesture()) {
    // A handle is dragged with the left button: the right one takes it back. A modal transform: left confirms.
    if (event->button() == Qt::RightButton)
      gesture_->end(false);
    else if (event->button() == Qt::LeftButton)
      gesture_->end(true);
    return;
  }
  if (drag_ != Drag::none || press_live(*event)) return;
  const auto held = event->modifiers();
  const bool navigates =
      event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && held & Qt::AltModifier);
  if (navigates) {
    navigation_->begin_drag();
    drag_ = held & Qt::ShiftModifier ? Drag::pan : held & Qt::ControlModifier ? Drag::zoom : Drag::orbit;
    return;
  }
  if (event->button() == Qt::RightButton) {
    drag_ = Drag::menu;
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (axis_gizmo_at(navigation_->camera(), view_size(), press_) >= 0) {
    navigation_->begin_drag();
    drag_ = Drag::axis_gizmo;
    return;
  }
  if (begin_pull(held)) return;
  if (modes_->press(mouse_, held) || joining_->press(mouse_, held)) return;
  if (const auto key = motion_->handle_at(navigation_->camera(), view_size(), press_)) {
    // A key on the path is taken where it is, at its frame.
    context_.playback.play(false);
    context_.selection.select_only(key->object);
    context_.playback.set_frame(key->frame);
    if (begin_drag(TransformMode::move, {}, press_, true)) return;
  }
  if (const auto camera = cameras_->target_at(press_)) {
    if (gesture_->start_camera_target(*camera, press_)) {
      picker_->forget_handle();
      drag_ = Drag::handle;
      return refresh();
    }
  }
  if (const auto tip = forces_->tip_at(press_)) {
    if (gesture_->start_force_tip(tip->force, tip->arrow, tip->metres, press_)) {
      picker_->forget_handle();
      drag_ = Drag::handle;
      return refresh();
    }
  }
  if (const auto tip = changing_->tip_at(press_)) {
    if (gesture_->start_tip(changing_->velocity_target(*tip), press_)) {
      picker_->forget_handle();
      drag_ = Drag::handle;
      return refresh();
    }
  }
  if (const auto own = boxes_->handle_at(press_)) {
    if (gesture_->start_tip(boxes_->target(*own), press_)) {
      picker_->forget_handle();
      drag_ = Drag::handle;
      return refresh();
    }
  }
  const std::vector<GizmoHandle> handles = gizmo();
  const int handle = handle_at(handles, press_);
  if (handle >= 0 && begin_drag(gizmo_->tool().mode, handles[static_cast<std::size_t>(handle)].constraint, press_))
    return;
  drag_ = Drag::press;
  box_modifiers_ = held;
}

/// With the pull tool, or with Ctrl+Shift and any other.
bool Viewport::begin_pull(Qt::KeyboardModifiers held) {
  constexpr auto kAnyTool = Qt::ControlModifier | Qt::ShiftModifier;
  if (context_.elements.mode() || joining_->on()) return false;
  if (!(held == kAnyTool || (held == Qt::NoModifier && gizmo_->tool().id == "pull"))) return false;
  if (!pull_->press(press_)) return false;
  drag_ = Drag::pull;
  return true;
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  const QPointF before = mouse_;
  mouse_ = event->position();
  mouse_inside_ = rect().contains(mouse_.toPoint());
  if (gesture()) return gesture_->mouse_moved(mouse_, event->modifiers());
  if (modes_->move(mouse_, event->modifiers(), drag_ == Drag::none)) return;
  if (drag_ == Drag::none && joining_->hover(mouse_, event->modifiers())) return hover();
  const glm::vec2 way = to_glm(mouse_ - before);
  switch (drag_) {
    case Drag::none:
      return hover();
    case Drag::orbit:
      return navigation_->orbit(way);
    case Drag::axis_gizmo:
      if (pixels_between(mouse_, press_) <= kClickSlop) return;
      drag_ = Drag::orbit;
      return navigation_->orbit(to_glm(mouse_ - press_));
    case Drag::pan:
      return navigation_->pan(way);
    case Drag::zoom:
      return navigation_->zoom(way.y);
    case Drag::press:
      if (pixels_between(mouse_, press_) > kClickSlop) begin_press_drag();
      return;
    case Drag::box:
      box_modifiers_ = event->modifiers();
      return refresh_overlay();
    case Drag::pull:
      return pull_->move(mouse_);
    case Drag::menu:
    case Drag::handle:
      return;
  }
}

/// Dragging what is selected already moves it (move tool); dragging anything else draws a box.
void Viewport::begin_press_drag() {
  const QPointF mouse = mouse_;
  const ToolInfo& tool = gizmo_->tool();
  bool moves = false;
  if (box_modifiers_ == Qt::NoModifier) {
    if (context_.elements.mode())  // an element is selected first when it is not
      moves = (tool.transforms || modes_->using_tool()) && modes_->hold(press_);
    else
      moves = tool.transforms && tool.mode == TransformMode::move && picker_->meets_selection(press_);
  }
  if (moves && begin_drag(TransformMode::move, {}, press_)) {
    mouse_ = mouse;
    return gesture_->mouse_moved(mouse_, Qt::NoModifier);
  }
  drag_ = Drag::box;
  refresh_overlay();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  mouse_ = event->position();
  if (gesture()) {
    if (gesture()->by_handle() && event->button() == Qt::LeftButton) gesture_->end(true);
    return;
  }
  if (drag_ == Drag::pull) {
    if (event->button() == Qt::LeftButton) pull_->release();
    return;
  }
  if (event->button() == Qt::LeftButton && modes_->release(mouse_, event->modifiers())) return hover();
  const Drag drag = std::exchange(drag_, Drag::none);
  finish_click(drag, event->button(), event->modifiers());
  hover();
  refresh_overlay();
}

void Viewport::finish_click(Drag drag, Qt::MouseButton button, Qt::KeyboardModifiers held) {
  const bool moved = pixels_between(mouse_, press_) > kClickSlop;
  if (drag == Drag::axis_gizmo) {
    const int ball = axis_gizmo_at(navigation_->camera(), view_size(), press_);
    if (ball >= 0 && ball < 6) look(axis_gizmo_side(ball));
  } else if (drag == Drag::press) {
    picker_->click(press_, held);
  } else if (drag == Drag::orbit) {
    // Alt and the left button turn the view; without a way it was a click.
    if (button == Qt::LeftButton && context_.elements.mode() && !moved) modes_->click_ring(press_, held);
  } else if (drag == Drag::box) {
    picker_->select_box(QRectF(press_, mouse_).normalized(), held);
  } else if (drag == Drag::menu && !moved) {
    show_context_menu();
  }
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void Viewport::show_context_menu() {
  picker_->select_for_menu(mouse_);
  QMenu* menu = make_context_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  keys_->asked(*menu);
  menu->popup(mapToGlobal(mouse_.toPoint()));
}

void Viewport::hover() {
  const bool changed = picker_->hover(mouse_, mouse_inside_, gizmo());
  if (context_.elements.mode())
    setCursor(picker_->axis() < 0 ? modes_->cursor() : Qt::ArrowCursor);
  else if (joining_->on())
    setCursor(picker_->axis() < 0 ? Qt::CrossCursor : Qt::ArrowCursor);
  else if (cursor().shape() != Qt::ArrowCursor)
    unsetCursor();
  if (changed) refresh_overlay();
}

void Viewport::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (gesture()) return;
  const QPointF notches = QPointF(event->angleDelta()) / 120.0;
  if (event->modifiers() & Qt::ShiftModifier) {
    const QPointF pixels = event->pixelDelta().isNull() ? notches * kPanPerNotch : QPointF(event->pixelDelta());
    return navigation_->pan(to_glm(pixels));
  }
  // Alt turns the wheel sideways in Qt; a wheel is a wheel here.
  const double turned = notches.y() != 0 ? notches.y() : notches.x();
  if (turned == 0 || modes_->wheel(turned, event->modifiers())) return;
  if (through_camera() && event->modifiers() & Qt::ControlModifier) return navigation_->change_lens(turned);
  navigation_->zoom_at(turned, event->position());
}

// Keys and focus --------------------------------------------------------------------------------------------------------

bool Viewport::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* press = static_cast<QKeyEvent*>(event);
    const int key = press->key();
    // Keys of another command: what moves is let go where it is, and the command is done. Those that mean a number or an axis are
    // the transform's with Ctrl too, which snaps.
    const bool own = (key >= Qt::Key_X && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9);
    if (gesture() && !gesture()->by_handle() && !own && press->modifiers() & (Qt::ControlModifier | Qt::AltModifier) &&
        context_.actions.has_command(*press))
      gesture_->end(true);
    const bool joins = press->modifiers() == Qt::NoModifier && joining_->takes_key(key);
    const bool ends = key == Qt::Key_Escape && changing_->on();
    if (gesture() || joins || ends || ((drag_ == Drag::box || drag_ == Drag::pull) && key == Qt::Key_Escape) ||
        modes_->takes_key(key, press->modifiers())) {
      event->accept();
      return true;
    }
  }
  // Tab goes between object and edit mode here, not to the next widget; Shift+Tab leaves the view.
  if (event->type() == QEvent::KeyPress) {
    const auto* press = static_cast<QKeyEvent*>(event);
    if (press->key() == Qt::Key_Tab && press->modifiers() == Qt::NoModifier) {
      if (!gesture()) toggle_mode();
      event->accept();
      return true;
    }
  }
  // The window went to the back: a transform must not keep mouse and keys from other windows.
  if (event->type() == QEvent::WindowDeactivate) {
    gesture_->end(false);
    context_.pull.let_go();
  }
  return QWidget::event(event);
}

void Viewport::keyPressEvent(QKeyEvent* event) {
  if (gesture()) {
    event->accept();
    gesture_->key(*event);
  } else if (drag_ == Drag::pull && event->key() == Qt::Key_Escape) {
    context_.pull.give_up();
  } else if (drag_ == Drag::box && event->key() == Qt::Key_Escape) {
    drag_ = Drag::none;
    refresh_overlay();
  } else if (drag_ == Drag::none && event->modifiers() == Qt::NoModifier && joining_->key(event->key())) {
    event->accept();
  } else if (drag_ == Drag::none && event->key() == Qt::Key_Escape && changing_->on()) {
    event->accept();
    changing_->end();
  } else if (drag_ == Drag::none && modes_->key(event->key(), event->modifiers())) {
    event->accept();
  } else {
    QWidget::keyPressEvent(event);
  }
}

Id Viewport::object_under(QPointF mouse) { return picker_->object_at(mouse); }

void Viewport::enterEvent(QEnterEvent* event) {
  mouse_inside_ = true;
  mouse_ = event->position();
}

void Viewport::leaveEvent(QEvent*) {
  mouse_inside_ = false;
  if (picker_->leave()) refresh_overlay();
}

}  // namespace hazumi
