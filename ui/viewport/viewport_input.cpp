// Viewport: mouse, wheel, keys, and the gestures they start.
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWheelEvent>

#include <cmath>

#include "render/picking.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/element_target.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"

namespace hazumi {

namespace {

constexpr float kOrbitSpeed = 0.008f;  // rad per pixel
constexpr float kZoomPerPixel = 1.006f;
constexpr float kZoomPerNotch = 0.88f;  // of the distance, one notch of the wheel
constexpr float kPanPerNotch = 48;      // pixels
constexpr double kClickSlop = 4;        // pixels the mouse may move in a click

glm::vec2 to_glm(QPointF p) { return {static_cast<float>(p.x()), static_cast<float>(p.y())}; }

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

bool takes_typing(const QWidget* widget) {
  return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         qobject_cast<const QTextEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
         qobject_cast<const QComboBox*>(widget);
}

}  // namespace

// Transforms ----------------------------------------------------------------------------------------------------------

bool Viewport::begin_transform(TransformMode mode, quint64 key) {
  TransformConstraint free;
  const QPointF start = mouse_inside_ ? mouse_ : QPointF(mapFromGlobal(QCursor::pos()));
  return start_gesture(mode, free, start, false, key);
}

bool Viewport::begin_drag(TransformMode mode, const TransformConstraint& constraint, QPointF mouse) {
  return start_gesture(mode, constraint, mouse, true);
}

bool Viewport::start_gesture(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle,
                             quint64 key) {
  if (gesture_) return false;
  GestureStart start;
  if (elements().mode()) {
    if (!elements_shown()) show_start_pose();
    start.target = std::make_unique<ElementsTarget>(context_.document.snapshot(), elements());
  } else {
    start.target = std::make_unique<ObjectsTarget>(context_.document.snapshot(), context_.selection.ids(),
                                                   context_.selection.active());
  }
  if (start.target->empty()) return false;
  stop_animation();
  start.key = key;
  start.mode = mode;
  start.constraint = constraint;
  start.camera = camera_;
  start.size = view_size();
  start.mouse = to_glm(mouse);
  start.by_handle = by_handle;
  gesture_ = std::make_unique<TransformGesture>(context_.document, std::move(start));
  mouse_ = mouse;
  hovered_handle_ = -1;
  setFocus(Qt::OtherFocusReason);
  if (!by_handle && isVisible()) {
    // Until it is confirmed or cancelled the mouse may go anywhere, and no shortcut may see the keys.
    grabMouse();
    grabKeyboard();
  }
  if (by_handle) drag_ = Drag::handle;
  refresh();
  return true;
}

void Viewport::end_gesture(bool confirm) {
  if (!gesture_) return;
  if (!confirm) gesture_->cancel();
  drop_gesture();
}

void Viewport::drop_gesture() {
  if (!gesture_) return;
  gesture_.reset();
  if (QWidget::mouseGrabber() == this) releaseMouse();
  if (QWidget::keyboardGrabber() == this) releaseKeyboard();
  drag_ = Drag::none;
  refresh();
}

// Mouse ---------------------------------------------------------------------------------------------------------------

void Viewport::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  mouse_ = press_ = event->position();
  if (gesture_) {
    // A handle is dragged with the left button: the right one takes it back. A modal transform: left confirms.
    if (event->button() == Qt::RightButton)
      end_gesture(false);
    else if (event->button() == Qt::LeftButton)
      end_gesture(true);
    return;
  }
  if (drag_ != Drag::none) return;
  const auto held = event->modifiers();
  const bool navigates =
      event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && held & Qt::AltModifier);
  if (navigates) {
    stop_animation();
    drag_ = held & Qt::ShiftModifier ? Drag::pan : held & Qt::ControlModifier ? Drag::zoom : Drag::orbit;
    return;
  }
  if (event->button() == Qt::RightButton) {
    drag_ = Drag::menu;
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (axis_gizmo_at(camera_, view_size(), press_) >= 0) {
    drag_ = Drag::axis_gizmo;
    return;
  }
  if (mode_press(held)) return;
  const std::vector<GizmoHandle> handles = gizmo();
  const int handle = handle_at(handles, press_);
  if (handle >= 0 && begin_drag(tool_info_->mode, handles[static_cast<std::size_t>(handle)].constraint, press_)) return;
  drag_ = Drag::press;
  box_modifiers_ = held;
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  const QPointF before = mouse_;
  mouse_ = event->position();
  mouse_inside_ = rect().contains(mouse_.toPoint());
  if (gesture_) {
    gesture_->mouse_moved(to_glm(mouse_), event->modifiers() & Qt::ShiftModifier,
                          event->modifiers() & Qt::ControlModifier);
    refresh();
    return;
  }
  if (mode_move(event->modifiers())) return;
  const glm::vec2 way = to_glm(mouse_ - before);
  switch (drag_) {
    case Drag::none:
      set_hover(mouse_);
      return;
    case Drag::menu:
      return;
    case Drag::orbit:
      orbit_by(way);
      return;
    case Drag::axis_gizmo:
      if (distance(mouse_, press_) > kClickSlop) {
        drag_ = Drag::orbit;
        orbit_by(to_glm(mouse_ - press_));
      }
      return;
    case Drag::pan:
      leave_camera_view();
      camera_.pan(way, view_size());
      break;
    case Drag::zoom:
      leave_camera_view();
      camera_.zoom(std::pow(kZoomPerPixel, way.y));
      break;
    case Drag::press:
      if (distance(mouse_, press_) > kClickSlop) begin_press_drag();
      return;
    case Drag::box:
      box_modifiers_ = event->modifiers();
      refresh_overlay();
      return;
    case Drag::handle:
      return;
  }
  refresh();
  emit camera_changed();
}

void Viewport::orbit_by(glm::vec2 way) {
  leave_camera_view();
  if (parallel_by_look_) {
    // The parallel view came with "Front"; away from it the eye expects perspective again.
    camera_.orthographic = parallel_by_look_ = false;
    context_.actions.refresh();
  }
  camera_.orbit(-kOrbitSpeed * way.x, kOrbitSpeed * way.y);
  refresh();
  emit camera_changed();
}

/// Dragging what is selected already moves it (move tool); dragging anything else draws a box.
void Viewport::begin_press_drag() {
  const QPointF mouse = mouse_;
  if (elements().mode()) {
    if (box_modifiers_ == Qt::NoModifier && (tool_info_->transforms || mode_tool_) && drag_element()) {
      mouse_ = mouse;
      gesture_->mouse_moved(to_glm(mouse_), false, false);
      refresh();
      return;
    }
  } else if (tool_info_->transforms && tool_info_->mode == TransformMode::move && box_modifiers_ == Qt::NoModifier) {
    const auto hit = pick(render_list(), context_.document.scene(), camera_, to_glm(press_), view_size());
    if (hit && context_.selection.contains(hit->id) && begin_drag(TransformMode::move, {}, press_)) {
      mouse_ = mouse;
      gesture_->mouse_moved(to_glm(mouse_), false, false);
      refresh();
      return;
    }
  }
  drag_ = Drag::box;
  refresh_overlay();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  mouse_ = event->position();
  if (gesture_) {
    if (gesture_->by_handle() && event->button() == Qt::LeftButton) end_gesture(true);
    return;
  }
  if (event->button() == Qt::LeftButton && mode_release(event->modifiers())) return;
  const Drag drag = drag_;
  drag_ = Drag::none;
  switch (drag) {
    case Drag::axis_gizmo: {
      const int ball = axis_gizmo_at(camera_, view_size(), press_);
      if (ball >= 0 && ball < 6) look(axis_gizmo_side(ball));
      break;
    }
    case Drag::press:
      finish_click(press_, event->modifiers());
      break;
    case Drag::orbit:
      // Alt and the left button turn the view; without a way it was a click.
      if (event->button() == Qt::LeftButton && elements().mode() && distance(mouse_, press_) <= kClickSlop)
        click_ring(press_, event->modifiers());
      break;
    case Drag::box:
      finish_box(event->modifiers());
      break;
    case Drag::menu:
      if (distance(mouse_, press_) <= kClickSlop) show_context_menu();
      break;
    default:
      break;
  }
  set_hover(mouse_);
  refresh_overlay();
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void Viewport::finish_click(QPointF mouse, Qt::KeyboardModifiers modifiers) {
  if (elements().mode()) return click_element(mouse, modifiers);
  if (!(modifiers & Qt::ShiftModifier) &&
      drivers_->click(render_list(), {camera_, view_size(), displayed_frame()}, mouse))
    return;
  const auto hit = pick(render_list(), context_.document.scene(), camera_, to_glm(mouse), view_size());
  const bool adds = modifiers & Qt::ShiftModifier;
  if (hit && adds)
    context_.selection.toggle(hit->id);
  else if (hit)
    context_.selection.select_only(hit->id);
  else if (!adds)
    context_.selection.clear();
  if (!hit || hit->part < 0) return;
  if (const Object* object = find_object(context_.document.scene(), hit->id)) {
    const auto mesh = context_.document.meshes().mesh(*object);
    if (static_cast<std::size_t>(hit->part) < mesh->parts.size())
      context_.selection.announce_part(hit->id,
                                       QString::fromStdString(mesh->parts[static_cast<std::size_t>(hit->part)].name));
  }
}

void Viewport::finish_box(Qt::KeyboardModifiers modifiers) {
  const QRectF box = QRectF(press_, mouse_).normalized();
  if (elements().mode()) return box_elements(box, modifiers);
  const std::vector<Id> hits = pick_box(render_list(), context_.document.scene(), camera_, to_glm(box.topLeft()),
                                        to_glm(box.bottomRight()), view_size());
  const std::set<Id> ids(hits.begin(), hits.end());
  if (modifiers & Qt::ShiftModifier) {
    context_.selection.add(ids);
  } else if (modifiers & Qt::ControlModifier) {
    std::set<Id> left = context_.selection.ids();
    for (Id id : ids) left.erase(id);
    context_.selection.set(std::move(left), context_.selection.active());
  } else {
    context_.selection.set(ids);
  }
}

void Viewport::show_context_menu() {
  if (elements().mode()) {
    const auto element = element_under(mouse_);
    if (element && !elements().contains(*element)) elements().select_only(*element);
  } else {
    const auto hit = pick(render_list(), context_.document.scene(), camera_, to_glm(mouse_), view_size());
    if (hit && !context_.selection.contains(hit->id)) context_.selection.select_only(hit->id);
  }
  QMenu* menu = make_context_menu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(mapToGlobal(mouse_.toPoint()));
}

void Viewport::set_hover(QPointF mouse) {
  const int axis = axis_gizmo_at(camera_, view_size(), mouse);
  const int handle = axis >= 0 ? -1 : handle_at(gizmo(), mouse);
  if (!elements().mode() && axis < 0 && handle < 0 && drivers_->on() &&
      drivers_->hover(render_list(), {camera_, view_size(), displayed_frame()}, mouse))
    refresh_overlay();
  if (elements().mode()) {
    const auto element = axis < 0 && handle < 0 && mouse_inside_ ? element_under(mouse) : std::nullopt;
    if (element != hovered_element_) {
      hovered_element_ = element;
      refresh();
    }
    setCursor(tool_run_ && axis < 0 ? tool_run_->cursor() : Qt::ArrowCursor);
  } else if (cursor().shape() != Qt::ArrowCursor) {
    unsetCursor();
  }
  if (axis == hovered_axis_ && handle == hovered_handle_) return;
  hovered_axis_ = axis;
  hovered_handle_ = handle;
  refresh_overlay();
}

/// The point under the mouse, at the depth of the target, stays under the mouse.
void Viewport::zoom_at(float factor, QPointF mouse) {
  leave_camera_view();
  stop_animation();
  const glm::vec2 pixel = to_glm(mouse), size = view_size();
  const Vec3 normal = to_double(camera_.forward()), target = to_double(camera_.target);
  const auto before = on_plane(camera_.ray(pixel, size), target, normal);
  camera_.zoom(factor);
  const auto after = on_plane(camera_.ray(pixel, size), target, normal);
  if (before && after) camera_.target += to_float(Vec3(*before - *after));
  refresh();
  emit camera_changed();
}

void Viewport::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (gesture_) return;
  const QPointF notches = QPointF(event->angleDelta()) / 120.0;
  if (event->modifiers() & Qt::ShiftModifier) {
    leave_camera_view();
    stop_animation();
    const QPointF pixels = event->pixelDelta().isNull() ? notches * kPanPerNotch : QPointF(event->pixelDelta());
    camera_.pan(to_glm(pixels), view_size());
    refresh();
    emit camera_changed();
    return;
  }
  // Alt turns the wheel sideways in Qt; a wheel is a wheel here.
  const double turned = notches.y() != 0 ? notches.y() : notches.x();
  if (turned != 0 && tool_run_ && elements_shown() && tool_run_->wheel(mode_context(), turned, event->modifiers()))
    return refresh();
  if (turned != 0) zoom_at(std::pow(kZoomPerNotch, static_cast<float>(turned)), event->position());
}

// Keys and focus --------------------------------------------------------------------------------------------------------

bool Viewport::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* press = static_cast<QKeyEvent*>(event);
    const int key = press->key();
    if (gesture_ || (drag_ == Drag::box && key == Qt::Key_Escape) || takes_mode_key(key, press->modifiers())) {
      event->accept();
      return true;
    }
  }
  // Tab goes between object and edit mode here, not to the next widget; Shift+Tab leaves the view.
  if (event->type() == QEvent::KeyPress) {
    const auto* press = static_cast<QKeyEvent*>(event);
    if (press->key() == Qt::Key_Tab && press->modifiers() == Qt::NoModifier) {
      if (!gesture_) toggle_mode();
      event->accept();
      return true;
    }
  }
  // The window went to the back: a transform must not keep mouse and keys from other windows.
  if (event->type() == QEvent::WindowDeactivate) end_gesture(false);
  return QWidget::event(event);
}

void Viewport::keyPressEvent(QKeyEvent* event) {
  if (gesture_) {
    event->accept();
    if (event->key() == Qt::Key_Escape)
      end_gesture(false);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
      end_gesture(true);
    else if (gesture_->key(event->key(), event->modifiers()))
      refresh();
    return;
  }
  if (drag_ == Drag::box && event->key() == Qt::Key_Escape) {
    drag_ = Drag::none;
    refresh_overlay();
    return;
  }
  if (drag_ == Drag::none && mode_key(event->key(), event->modifiers())) {
    event->accept();
    return;
  }
  QWidget::keyPressEvent(event);
}

void Viewport::enterEvent(QEnterEvent* event) {
  mouse_inside_ = true;
  mouse_ = event->position();
  // Keys work where the mouse is, but nobody's typing is interrupted.
  if (isActiveWindow() && !QApplication::activePopupWidget() && !takes_typing(QApplication::focusWidget()))
    setFocus(Qt::OtherFocusReason);
}

void Viewport::leaveEvent(QEvent*) {
  mouse_inside_ = false;
  drivers_->leave();
  if (hovered_element_) {
    hovered_element_.reset();
    refresh();
  }
  if (hovered_axis_ < 0 && hovered_handle_ < 0) return;
  hovered_axis_ = hovered_handle_ = -1;
  refresh_overlay();
}

}  // namespace hazumi
