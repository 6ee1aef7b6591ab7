#include "ui/tools/transform_gesture.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/scene/validate.h"
#include "ui/model/document_controller.h"
#include "ui/model/sentence.h"
#include "ui/tools/gizmo.h"
#include "ui/tools/transform_operation.h"

namespace hazumi {

namespace {

constexpr float kSlow = 0.1f;     // of the mouse's speed, with Shift
constexpr float kCentre = 12;     // pixels around the pivot in which ratios and angles say little
constexpr float kDoubling = 100;  // pixels of a drag from the centre that double the size
const char* const kAxisNames[] = {"X", "Y", "Z"};

float length(glm::vec2 v) { return std::sqrt(glm::dot(v, v)); }

QString number(double value, int decimals) {
  QString text = QString::number(value, 'f', decimals);
  if (text.toDouble() == 0 && text.startsWith(QLatin1Char('-'))) text.remove(0, 1);
  return text.replace(QLatin1Char('-'), QChar(0x2212));
}

}  // namespace

TransformGesture::TransformGesture(DocumentController& document, GestureStart start)
    : document_(document),
      start_(std::move(start)),
      before_(document.snapshot()),
      key_(start_.key ? start_.key : document.new_gesture()),
      here_(start_.here && start_.begins_here),
      mode_(start_.mode),
      constraint_(start_.constraint),
      mouse_(start_.mouse),
      real_mouse_(start_.mouse) {
  take_target();
}

void TransformGesture::take_target() {
  pivot_ = target().pivot();
  local_axes_ = target().local_axes();
}

/// Anew from the start, so that the undo step has the name of what it does.
void TransformGesture::switch_keys() {
  cancel();
  here_ = !here_;
  take_target();
  measure();
  apply();
}

Mat3 TransformGesture::axes() const { return constraint_.local ? local_axes_ : Mat3(Mat3::Identity()); }

Vec3 TransformGesture::present_pivot() const {
  return mode_ == TransformMode::move && refusal_.isEmpty() ? Vec3(pivot_ + move_value()) : pivot_;
}

QString TransformGesture::name() const { return transform_text(target(), mode_); }

void TransformGesture::mouse_moved(glm::vec2 mouse, bool slow, bool snap) {
  const glm::vec2 before = mouse_;
  mouse_ += (mouse - real_mouse_) * (slow ? kSlow : 1.0f);
  real_mouse_ = mouse;
  snap_ = snap;
  if (mode_ == TransformMode::rotate)
    measure_rotation(before);
  else
    measure();
  apply();
}

void TransformGesture::measure() {
  if (mode_ == TransformMode::move) measure_move();
  if (mode_ == TransformMode::scale) measure_scale();
}

void TransformGesture::restart_values() {
  moved_ = Vec3::Zero();
  angle_ = 0;
  factors_ = Vec3::Ones();
}

// A direction in which the mouse says nothing (axis along the line of sight, horizon crossed) keeps the last value.
void TransformGesture::measure_move() {
  const Ray from = start_.camera.ray(start_.mouse, start_.size), to = start_.camera.ray(mouse_, start_.size);
  if (constraint_.kind == TransformConstraint::Kind::axis) {
    const Vec3 a = axis();
    const Vec3 sight = start_.camera.orthographic ? to_double(start_.camera.forward())
                                                  : Vec3((pivot_ - to_double(start_.camera.position())).normalized());
    if (std::abs(a.dot(sight)) > 0.995) {
      // Looking along the axis: up on the screen is along it.
      const double scale = start_.camera.metres_per_pixel(to_float(pivot_), start_.size);
      moved_ = a * (scale * (start_.mouse.y - mouse_.y));
      return;
    }
    const auto t0 = nearest_on_axis(from, pivot_, a), t1 = nearest_on_axis(to, pivot_, a);
    if (t0 && t1) moved_ = a * (*t1 - *t0);
    return;
  }
  const bool in_plane = constraint_.kind == TransformConstraint::Kind::plane;
  const Vec3 normal = in_plane ? axis() : to_double(start_.camera.forward());
  const auto p0 = on_plane(from, pivot_, normal), p1 = on_plane(to, pivot_, normal);
  if (!p0 || !p1) return;
  moved_ = *p1 - *p0;
  // The component across the plane is rounding only: an object moved in a plane keeps its third coordinate exactly.
  if (in_plane) {
    Vec3 parts = axes().transpose() * moved_;
    parts[constraint_.axis] = 0;
    moved_ = axes() * parts;
  }
}

Vec3 TransformGesture::rotation_axis() const {
  if (constraint_.kind == TransformConstraint::Kind::free) return -to_double(start_.camera.forward());
  return axis();
}

// Turns are summed up from small mouse moves, so that more than half a turn is possible. Three ways to read them:
// the angle in the plane of the ring when it is seen well; along the ring's tangent when it is seen from the side; the
// angle on the screen around the pivot for keys and the view's own axis.
void TransformGesture::measure_rotation(glm::vec2 before) {
  const Vec3 a = rotation_axis();
  const ViewCamera& camera = start_.camera;
  const Vec3 towards = camera.orthographic ? Vec3(-to_double(camera.forward()))
                                           : Vec3((to_double(camera.position()) - pivot_).normalized());
  const bool free = constraint_.kind == TransformConstraint::Kind::free;
  if (start_.by_handle && !free) {
    const Vec3 u = a.unitOrthogonal(), v = a.cross(u);
    if (std::abs(a.dot(towards)) > 0.2) {
      const auto p0 = on_plane(camera.ray(before, start_.size), pivot_, a);
      const auto p1 = on_plane(camera.ray(mouse_, start_.size), pivot_, a);
      const double smallest = 2 * camera.metres_per_pixel(to_float(pivot_), start_.size);
      if (!p0 || !p1 || (*p0 - pivot_).norm() < smallest || (*p1 - pivot_).norm() < smallest) return;
      const Vec3 d0 = *p0 - pivot_, d1 = *p1 - pivot_;
      angle_ += wrapped_angle(std::atan2(d1.dot(v), d1.dot(u)) - std::atan2(d0.dot(v), d0.dot(u)));
      return;
    }
    const Vec3 front = (towards - a * a.dot(towards)).normalized();
    const double scale = camera.metres_per_pixel(to_float(pivot_), start_.size);
    const glm::vec3 c = camera.project(to_float(pivot_), start_.size);
    const glm::vec3 e = camera.project(to_float(pivot_ + 50 * scale * a.cross(front)), start_.size);
    const glm::vec2 tangent(e.x - c.x, e.y - c.y);
    if (length(tangent) < 1) return;
    angle_ += glm::dot(mouse_ - before, tangent) / length(tangent) / 90.0f;
    return;
  }
  const glm::vec3 centre3 = camera.project(to_float(pivot_), start_.size);
  const glm::vec2 centre(centre3.x, centre3.y);
  const glm::vec2 d0 = before - centre, d1 = mouse_ - centre;
  if (length(d0) < 2 || length(d1) < 2) return;
  const double sign = a.dot(towards) < 0 ? -1 : 1;
  // y points down on the screen: counter-clockwise, as seen, is positive about an axis that points to the eye.
  angle_ += sign * wrapped_angle(std::atan2(-d1.y, d1.x) - std::atan2(-d0.y, d0.x));
}

void TransformGesture::measure_scale() {
  double factor = 1;
  const bool on_axis = constraint_.kind == TransformConstraint::Kind::axis;
  if (start_.by_handle && on_axis) {
    const double reach = kGizmoLength * start_.camera.metres_per_pixel(to_float(pivot_), start_.size);
    const auto t0 = nearest_on_axis(start_.camera.ray(start_.mouse, start_.size), pivot_, axis());
    const auto t1 = nearest_on_axis(start_.camera.ray(mouse_, start_.size), pivot_, axis());
    if (!t0 || !t1) return;
    factor = 1 + (*t1 - *t0) / reach;
  } else if (start_.by_handle) {
    const glm::vec2 way = mouse_ - start_.mouse;
    factor = std::exp2(std::clamp((way.x - way.y) / kDoubling, -10.0f, 10.0f));
  } else {
    const glm::vec3 centre3 = start_.camera.project(to_float(pivot_), start_.size);
    const glm::vec2 centre(centre3.x, centre3.y);
    const float r0 = length(start_.mouse - centre), r1 = length(mouse_ - centre);
    const float pad = std::max(0.0f, kCentre - r0);
    factor = (r1 + pad) / (r0 + pad);
  }
  factor = std::max(factor, kSmallestScale);
  for (int i = 0; i < 3; ++i) {
    const bool used = constraint_.kind == TransformConstraint::Kind::free ||
                      (constraint_.kind == TransformConstraint::Kind::plane) != (i == constraint_.axis);
    factors_[i] = used ? factor : 1;
  }
}

bool TransformGesture::key(int key, Qt::KeyboardModifiers modifiers) {
  using Kind = TransformConstraint::Kind;
  if (key >= Qt::Key_X && key <= Qt::Key_Z) {
    TransformConstraint next;
    next.kind = modifiers & Qt::ShiftModifier && mode_ != TransformMode::rotate ? Kind::plane : Kind::axis;
    next.axis = key - Qt::Key_X;
    if (constraint_.kind == next.kind && constraint_.axis == next.axis) {
      if (constraint_.local)
        next = TransformConstraint{};
      else
        next.local = true;
    }
    constraint_ = next;
    restart_values();
    // What the mouse did so far counts along the new axis too; turns begin anew, they have no other memory.
    measure();
    apply();
    return true;
  }
  if (number_.key(key)) {
    apply();
    return true;
  }
  if (key == Qt::Key_I && start_.here) {
    switch_keys();
    return true;
  }
  const TransformMode wanted = key == Qt::Key_G   ? TransformMode::move
                               : key == Qt::Key_R ? TransformMode::rotate
                                                  : TransformMode::scale;
  if (key == Qt::Key_G || key == Qt::Key_R || key == Qt::Key_S) {
    if (wanted == mode_) return true;
    mode_ = wanted;
    constraint_ = {};
    start_.mouse = mouse_;
    number_.clear();
    restart_values();
    apply();
    return true;
  }
  return false;
}

Vec3 TransformGesture::move_value() const {
  const Mat3 frame = axes();
  if (const auto typed = number_.value()) {
    int along = constraint_.axis;
    if (constraint_.kind == TransformConstraint::Kind::free) along = 0;
    if (constraint_.kind == TransformConstraint::Kind::plane) along = constraint_.axis == 0 ? 1 : 0;
    return frame.col(along) * *typed;
  }
  if (!snap_) return moved_;
  Vec3 parts = frame.transpose() * moved_;
  for (int i = 0; i < 3; ++i) parts[i] = snapped(parts[i], start_.snaps.move);
  return frame * parts;
}

double TransformGesture::angle_value() const {
  if (const auto typed = number_.value()) return radians(*typed);
  return snap_ ? std::round(angle_ / start_.snaps.angle) * start_.snaps.angle : angle_;
}

Vec3 TransformGesture::scale_value() const {
  Vec3 factors = factors_;
  const auto typed = number_.value();
  for (int i = 0; i < 3; ++i) {
    const bool used = constraint_.kind == TransformConstraint::Kind::free ||
                      (constraint_.kind == TransformConstraint::Kind::plane) != (i == constraint_.axis);
    if (!used) continue;
    if (typed) factors[i] = *typed;
    if (!typed && snap_) factors[i] = snapped(factors[i], start_.snaps.factor);
    factors[i] = std::max(factors[i], kSmallestScale);
  }
  return factors;
}

TransformValue TransformGesture::value() const {
  TransformValue value;
  value.mode = mode_;
  value.pivot = pivot_;
  value.move = move_value();
  value.axis = rotation_axis();
  value.angle = angle_value();
  value.frame = axes();
  value.factors = scale_value();
  return value;
}

QString TransformGesture::why_not(const Scene& next) const {
  if (const QString refusal = target().refusal(); !refusal.isEmpty()) return refusal;
  const auto typed = number_.value();
  if (mode_ == TransformMode::scale && typed && *typed < kSmallestScale)
    return QStringLiteral("The factor must be at least %1.").arg(kSmallestScale);
  // Asked before the edit: while the gesture goes on, its own hint says what is wrong, not the window.
  for (const Diagnostic& problem : validate_change(document_.scene(), next))
    if (problem.severity == Severity::error) return sentence_of(problem);
  return {};
}

// What was taken of a number before it became too large is taken back: a refused gesture has changed nothing.
void TransformGesture::apply() {
  Scene next = target().result(value());
  refusal_ = why_not(next);
  if (!refusal_.isEmpty()) return cancel();
  editing_ = true;
  const Status status = document_.edit(name(), std::move(next), key_);
  assert(status.ok());
  (void)status;
  editing_ = false;
  edited_ = true;
}

std::unique_ptr<Operation> TransformGesture::operation() const {
  // A copy that was moved at once keeps its name, whatever becomes of its keys.
  TransformChoice choice{start_.target, start_.here, here_};
  if (start_.key != 0 && !here_) choice.here.reset();
  if (start_.key != 0 && here_) choice = {start_.here, nullptr, false};
  return transform_operation(std::move(choice), value(), local_axes_, constraint_.local);
}

std::optional<Vec3> TransformGesture::move() const {
  return mode_ == TransformMode::move ? std::optional(move_value()) : std::nullopt;
}

void TransformGesture::cancel() {
  if (!edited_) return;
  editing_ = true;
  const Status restored = document_.edit(name(), *before_, key_);
  assert(restored.ok());
  (void)restored;
  editing_ = false;
}

QString TransformGesture::value_text() const {
  const char* verb = mode_ == TransformMode::move ? "Move" : mode_ == TransformMode::rotate ? "Rotate" : "Scale";
  const QString whose = constraint_.local ? QStringLiteral("local ") : QString();
  const bool along_axis = constraint_.kind == TransformConstraint::Kind::axis;
  QString where;
  if (along_axis) {
    where = (mode_ == TransformMode::rotate ? QStringLiteral(" about %1%2") : QStringLiteral(" along %1%2"))
                .arg(whose, QLatin1String(kAxisNames[constraint_.axis]));
  } else if (constraint_.kind == TransformConstraint::Kind::plane) {
    where = QStringLiteral(" in %1%2%3")
                .arg(whose, QLatin1String(kAxisNames[constraint_.axis == 0 ? 1 : 0]),
                     QLatin1String(kAxisNames[constraint_.axis == 2 ? 1 : 2]));
  } else if (mode_ == TransformMode::rotate) {
    where = QStringLiteral(" about the line of sight");
  }
  const Vec3 parts = axes().transpose() * move_value();
  const Vec3 factors = scale_value();
  const int used = constraint_.kind == TransformConstraint::Kind::plane && constraint_.axis == 0 ? 1
                   : along_axis                                                                  ? constraint_.axis
                                                                                                 : 0;
  const QString typed = number_.empty() ? QString() : number_.text() + QLatin1Char('|');
  QString value;
  switch (mode_) {
    case TransformMode::move:
      if (!typed.isEmpty()) {
        value = typed + QStringLiteral(" m");
        if (constraint_.kind != TransformConstraint::Kind::axis)
          where = QStringLiteral(" along %1%2").arg(whose, QLatin1String(kAxisNames[used]));
      } else if (along_axis) {
        value = number(parts[constraint_.axis], 3) + QStringLiteral(" m");
      } else {
        value = QStringLiteral("(%1, %2, %3) m").arg(number(parts.x(), 3), number(parts.y(), 3), number(parts.z(), 3));
      }
      break;
    case TransformMode::rotate:
      value = (typed.isEmpty() ? number(degrees(angle_value()), 1) : typed) + QChar(0xb0);
      break;
    case TransformMode::scale:
      value = QChar(0xd7) + (typed.isEmpty() ? number(factors[used], 3) : typed);
      break;
  }
  return QStringLiteral("%1 %2%3").arg(QLatin1String(verb), value, where);
}

QString TransformGesture::keys_text() const {
  const int frame = start_.here ? start_.here->frame() : target().frame();
  switch (keys()) {
    case KeyWay::none:
      return {};
    case KeyWay::all: {
      const QString all =
          target().several() ? QStringLiteral("All their keys go along") : QStringLiteral("All its keys go along");
      return start_.here ? all + QStringLiteral(" · I: a key at frame %1 instead").arg(frame) : all;
    }
    case KeyWay::here:
      return QStringLiteral("A key at frame %1").arg(frame) +
             (start_.target->keys() == KeyWay::all ? QStringLiteral(" · I: all keys instead") : QString());
  }
  return {};
}

QString TransformGesture::hint() const {
  if (!refusal_.isEmpty()) return refusal_;
  if (start_.by_handle)
    return QStringLiteral("X Y Z axis · Ctrl snaps · Shift slows · release to confirm · Esc cancels");
  const QString plane = mode_ == TransformMode::rotate ? QString() : QStringLiteral(" · Shift+X Y Z plane");
  return QStringLiteral(
             "X Y Z axis%1 · type a number · Ctrl snaps · Shift slows · Enter or click confirms · Esc cancels")
      .arg(plane);
}

}  // namespace hazumi
