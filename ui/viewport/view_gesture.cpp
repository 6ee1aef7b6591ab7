#include "ui/viewport/view_gesture.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWidget>

#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/last_operation.h"
#include "ui/model/selection.h"
#include "ui/modes/element_target.h"
#include "ui/tools/force_target.h"
#include "ui/viewport/changing.h"
#include "ui/viewport/navigation.h"
#include "ui/widgets/theme.h"

namespace hazumi {

ViewGesture::ViewGesture(UiContext& context, QWidget& view, ViewNavigation& navigation)
    : context_(context), view_(view), navigation_(navigation) {
  // Somebody else's edit while a transform runs (undo by a script, a reload): the gesture's start is no longer there.
  const auto foreign = [this] {
    if (gesture_ && !gesture_->editing()) drop();
  };
  connect(&context_.document, &DocumentController::changed, this, foreign);
  connect(&context_.document, &DocumentController::document_replaced, this, &ViewGesture::drop);
  connect(&context_.elements, &ElementSelection::changed, this, foreign);
  connect(&context_.elements, &ElementSelection::mode_changed, this, &ViewGesture::drop);
}

bool ViewGesture::start(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle,
                        quint64 key, bool one_key) {
  GestureStart begin;
  const auto whole = context_.document.snapshot();
  if (context_.elements.mode()) {
    begin.target = std::make_shared<ElementsTarget>(whole, context_.elements);
    return start(std::move(begin), mode, constraint, mouse, by_handle, key);
  }
  if (changing_ && changing_->on()) {
    begin.target = gesture_ ? nullptr : changing_->target();
    return begin.target && start(std::move(begin), mode, constraint, mouse, by_handle, key);
  }
  const std::set<Id>& ids = context_.selection.ids();
  const Id active = context_.selection.active();
  begin.target = std::make_shared<ObjectsTarget>(whole, ids, active, keyed_now());
  auto here = std::make_shared<ObjectsTarget>(whole, ids, active, keyed_here());
  if (here->keys() == KeyWay::here) begin.here = std::move(here);
  begin.begins_here = one_key || context_.keying.automatic();
  return start(std::move(begin), mode, constraint, mouse, by_handle, key);
}

bool ViewGesture::start_camera_target(Id camera, QPointF mouse) {
  GestureStart begin;
  const auto whole = context_.document.snapshot();
  begin.target = std::make_shared<CameraTarget>(whole, camera, keyed_now());
  begin.here = std::make_shared<CameraTarget>(whole, camera, keyed_here());
  begin.begins_here = context_.keying.automatic();
  return start(std::move(begin), TransformMode::move, {}, mouse, true, 0);
}

bool ViewGesture::start_force_tip(Id force, const ForceArrow& arrow, double metres, QPointF mouse) {
  GestureStart begin;
  const auto whole = context_.document.snapshot();
  begin.target = std::make_shared<ForceTarget>(whole, force, arrow, metres, keyed_now());
  begin.here = std::make_shared<ForceTarget>(whole, force, arrow, metres, keyed_here());
  begin.begins_here = context_.keying.automatic();
  return start(std::move(begin), TransformMode::move, {}, mouse, true, 0);
}

bool ViewGesture::start_tip(std::shared_ptr<const TransformTarget> target, QPointF mouse) {
  GestureStart begin;
  begin.target = std::move(target);
  return start(std::move(begin), TransformMode::move, {}, mouse, true, 0);
}

/// Auto-key shows more where physics has put it than is moved without.
KeyedAt ViewGesture::keyed_now() const {
  KeyedAt keys{context_.keying.snapshot(), context_.keying.time(), false, context_.keying.moved(), {}};
  if (!context_.keying.automatic()) return keys;
  keys.moved = context_.keying.seen(context_.keying.placed());
  keys.shown = Shared<Scene>(shown_at(context_.document.scene(), keys.time, keys.moved));
  return keys;
}

KeyedAt ViewGesture::keyed_here() const {
  const std::set<Id> ids = ObjectsTarget::movable(context_.document.scene(), context_.selection.ids());
  KeyedAt keys{context_.document.snapshot(), context_.keying.time(), true, context_.keying.seen(ids),
               context_.keying.unseen(ids)};
  keys.shown = Shared<Scene>(shown_at(*keys.shown, keys.time, keys.moved));
  return keys;
}

bool ViewGesture::start(GestureStart start, TransformMode mode, const TransformConstraint& constraint, QPointF mouse,
                        bool by_handle, quint64 key) {
  if (gesture_ || start.target->empty()) return false;
  navigation_.stop();
  start.key = key;
  start.snaps = snaps_;
  start.mode = mode;
  start.constraint = constraint;
  start.camera = navigation_.camera();
  start.size = navigation_.size();
  start.mouse = to_glm(mouse);
  start.by_handle = by_handle;
  gesture_ = std::make_unique<TransformGesture>(context_.document, std::move(start));
  view_.setFocus(Qt::OtherFocusReason);
  if (!by_handle && view_.isVisible()) {
    // Until it is confirmed or cancelled the mouse may go anywhere, and no shortcut may see the keys.
    view_.grabMouse();
    view_.grabKeyboard();
  }
  emit changed();
  return true;
}

void ViewGesture::mouse_moved(QPointF mouse, Qt::KeyboardModifiers held) {
  gesture_->mouse_moved(to_glm(mouse), held & Qt::ShiftModifier, held & Qt::ControlModifier);
  emit changed();
}

void ViewGesture::key(const QKeyEvent& event) {
  if (event.key() == Qt::Key_Escape)
    end(false);
  else if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter)
    end(true);
  else if (gesture_->key(event.key(), event.modifiers()))
    emit changed();
}

void ViewGesture::end(bool confirm) {
  if (!gesture_) return;
  const QString refusal = gesture_->refusal();
  if (confirm && !refusal.isEmpty() && !gesture_->by_handle()) return;  // goes on asking; its hint says why
  const std::optional<Vec3> went = gesture_->move();
  const bool stays = !confirm || (went && went->isZero(0));
  const quint64 key = gesture_->edit_key();
  if (!confirm) gesture_->cancel();
  if (confirm && refusal.isEmpty()) {
    const std::optional<Vec3> move = gesture_->move();
    context_.document.last_operation().take(gesture_->operation(), gesture_->edit_key(), move ? &*move : nullptr);
  }
  drop();
  if (stays) emit stayed(key);
  if (confirm && !refusal.isEmpty()) emit context_.document.refused(refusal);
}

void ViewGesture::drop() {
  if (!gesture_) return;
  gesture_.reset();
  if (QWidget::mouseGrabber() == &view_) view_.releaseMouse();
  if (QWidget::keyboardGrabber() == &view_) view_.releaseKeyboard();
  emit ended();
  emit changed();
}

void ViewGesture::paint(QPainter& painter, QPointF mouse) const {
  const TransformConstraint& constraint = gesture_->constraint();
  const Vec3 pivot = gesture_->mode() == TransformMode::move ? gesture_->pivot() : gesture_->present_pivot();
  const ViewCamera& camera = navigation_.camera();
  const glm::vec2 size = navigation_.size();
  const double reach = 1000.0 * camera.metres_per_pixel(to_float(pivot), size);
  for (int i = 0; i < 3; ++i) {
    const bool used = constraint.kind != TransformConstraint::Kind::free &&
                      (constraint.kind == TransformConstraint::Kind::plane) != (i == constraint.axis);
    if (!used) continue;
    // Cut into pieces so that the part behind the eye is left out instead of turning up mirrored.
    QColor colour = axis_colour(i);
    colour.setAlpha(200);
    painter.setPen(QPen(colour, 1.6));
    constexpr int kPieces = 80;
    const Vec3 axis = gesture_->axes().col(i);
    for (int k = -kPieces; k < kPieces; ++k) {
      const glm::vec3 a = camera.project(to_float(pivot + axis * (reach * k / kPieces)), size);
      const glm::vec3 b = camera.project(to_float(pivot + axis * (reach * (k + 1) / kPieces)), size);
      if (a.z > 0 && a.z < 1 && b.z > 0 && b.z < 1) painter.drawLine(QPointF(a.x, a.y), QPointF(b.x, b.y));
    }
  }
  const glm::vec3 centre = camera.project(to_float(gesture_->present_pivot()), size);
  if (centre.z <= 0 || centre.z >= 1) return;
  if (gesture_->mode() != TransformMode::move && !gesture_->by_handle()) {
    painter.setPen(QPen(QColor(255, 255, 255, 120), 1, Qt::DashLine));
    painter.drawLine(QPointF(centre.x, centre.y), mouse);
  }
  painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
  painter.setBrush(theme_colours().accent);
  painter.drawEllipse(QPointF(centre.x, centre.y), 3.5, 3.5);
}

}  // namespace hazumi
