#include "ui/viewport/navigation.h"

#include <algorithm>
#include <cmath>

#include <QVariantAnimation>
#include <QWidget>

#include "core/playback/film.h"
#include "core/scene/derived/cameras.h"
#include "ui/model/camera_problems.h"
#include "ui/model/document_controller.h"
#include "ui/model/keying.h"
#include "ui/model/sentence.h"
#include "ui/tools/transform_math.h"

namespace hazumi {

namespace {

constexpr double kPictureAspect = 16.0 / 9.0;  // of PictureOptions as they are proposed
constexpr double kPictureMargin = 24;          // logical pixels
constexpr float kOrbitSpeed = 0.008f;          // rad per pixel
constexpr float kZoomPerPixel = 1.006f;
constexpr double kLensPerNotch = 1.05;
constexpr float kZoomPerNotch = 0.88f;  // of the distance, one notch of the wheel

double radians_between(float from, float to) { return std::remainder(to - from, 2 * kPi); }

}  // namespace

QString side_name(const ViewCamera& camera) {
  const auto is = [&](double yaw, double pitch) {
    return std::abs(camera.pitch - pitch) < 1e-3 &&
           (std::abs(pitch) > 1 || std::abs(radians_between(camera.yaw, static_cast<float>(yaw))) < 1e-3);
  };
  if (is(0, 0)) return QStringLiteral("Front");
  if (is(kPi, 0)) return QStringLiteral("Back");
  if (is(kPi / 2, 0)) return QStringLiteral("Right");
  if (is(-kPi / 2, 0)) return QStringLiteral("Left");
  if (is(0, kPi / 2)) return QStringLiteral("Top");
  if (is(0, -kPi / 2)) return QStringLiteral("Bottom");
  return {};
}

ViewNavigation::ViewNavigation(DocumentController& document, Keying& keying, QWidget& view)
    : document_(document), keying_(keying), view_(view) {}

glm::vec2 ViewNavigation::size() const { return {std::max(view_.width(), 1), std::max(view_.height(), 1)}; }

QRectF ViewNavigation::passepartout() const {
  const double width = view_.width(), height = view_.height();
  const double w = std::max(width - 2 * kPictureMargin, 1.0), h = std::max(height - 2 * kPictureMargin, 1.0);
  const double height_used = std::min(h, w / kPictureAspect);
  const QSizeF used(height_used * kPictureAspect, height_used);
  return {QPointF((width - used.width()) / 2, (height - used.height()) / 2), used};
}

const Camera* ViewNavigation::looked_through() const {
  if (!through_camera_) return nullptr;
  const Scene& shown = keying_.shown();
  if (const Camera* named = through_ ? find_camera(shown, through_) : nullptr) return named;
  const FramePtr frame = frame_ ? frame_() : nullptr;
  return &filming_camera(shown, frame.get());
}

/// The picture is the rectangle in the middle; around it the viewport shows a little more.
double ViewNavigation::around_picture() const { return size().y / passepartout().height(); }

ViewCamera ViewNavigation::through_scene_camera() const {
  const FramePtr frame = frame_ ? frame_() : nullptr;
  ViewCamera view = from_scene_camera(aimed(*looked_through(), keying_.shown(), frame.get()));
  view.field_of_view = static_cast<float>(2 * std::atan(std::tan(view.field_of_view / 2) * around_picture()));
  return view;
}

void ViewNavigation::set_through_camera(bool on) {
  if (on == through_camera_ && !through_) return;
  stop();
  if (on && !through_camera_) free_camera_ = camera_;
  through_ = {};
  through_camera_ = on;
  camera_ = on ? through_scene_camera() : free_camera_;
  emit kind_changed();
  emit moved();
}

void ViewNavigation::look_through(Id camera) {
  if (!find_camera(document_.scene(), camera)) return;
  stop();
  if (!through_camera_) free_camera_ = camera_;
  through_camera_ = true;
  through_ = camera;
  camera_ = through_scene_camera();
  emit kind_changed();
  emit moved();
}

void ViewNavigation::set_locked(bool on) {
  if (on == locked_) return;
  locked_ = on;
  emit kind_changed();
}

void ViewNavigation::begin_drag() {
  stop();
  move_step_ = lens_step_ = {};
}

quint64 ViewNavigation::step_of(HandStep& step) {
  constexpr qint64 kSoon = 800;  // ms
  if (step.gesture == 0 || step.since.elapsed() > kSoon) step.gesture = document_.new_gesture();
  step.since.start();
  return step.gesture;
}

void ViewNavigation::navigated() {
  if (moves_camera()) {
    const Camera* camera = looked_through();
    ViewCamera wanted = camera_;
    wanted.field_of_view = static_cast<float>(angle_of_lens(camera->focal_length));
    Scene next = keying_.shown();
    if (const Id id = camera->id; id) {
      const FramePtr frame = frame_ ? frame_() : nullptr;
      const Camera like = aimed(*camera, next, frame.get());
      const QString text = QStringLiteral("Move %1").arg(QString::fromStdString(camera->name));
      next = with_camera(std::move(next), id, [&](Camera& c) { c = to_scene_camera(wanted, like); });
      if (const Status status = keying_.edit(text, std::move(next), step_of(move_step_)); !status.ok())
        emit document_.refused(sentence_of(status.error()));
      camera_ = through_scene_camera();
    }
  }
  emit moved();
}

void ViewNavigation::change_lens(double notches) {
  const Camera* camera = looked_through();
  if (!camera || !camera->id) return;
  const Field<Camera>* lens = find_field(camera_fields(), "focal_length");
  const double wanted = std::clamp(camera->focal_length * std::pow(kLensPerNotch, notches), lens->low, lens->high);
  const QString text = QStringLiteral("Focal length of %1").arg(QString::fromStdString(camera->name));
  Scene next =
      with_camera(keying_.shown(), camera->id, [&](Camera& c) { c.focal_length = std::round(wanted * 100) / 100; });
  (void)keying_.edit(text, std::move(next), step_of(lens_step_));
}

void ViewNavigation::follow_scene_camera() {
  if (!through_camera_) return;
  if (through_ && !find_camera(document_.scene(), through_)) through_ = {};  // it is gone: the scene's
  camera_ = through_scene_camera();
}

void ViewNavigation::start_again() {
  set_through_camera(false);
  stop();
  camera_ = from_scene_camera(active_camera(document_.scene()));
  set_free();
  parallel_by_look_ = locked_ = false;
}

Viewpoint ViewNavigation::viewpoint() const {
  return {through_camera_ ? free_camera_ : resting(), through_camera_, parallel_by_look_};
}

void ViewNavigation::take(const Viewpoint& viewpoint) {
  set_through_camera(false);
  stop();
  camera_ = viewpoint.camera;
  parallel_by_look_ = viewpoint.by_look;
  set_through_camera(viewpoint.through_camera);
  emit kind_changed();
  emit moved();
}

/// A free view stands upright and has no planes of its own.
void ViewNavigation::set_free() {
  camera_.near_plane = camera_.far_plane = camera_.roll = 0;
  camera_.steady = false;
}

void ViewNavigation::leave_camera_view() {
  if (!through_camera_ || locked_) return;
  through_camera_ = false;  // the view stays where it is
  through_ = {};
  set_free();
  emit kind_changed();
}

void ViewNavigation::camera_to_view(DepthRange seen) {
  if (through_camera_) return;
  Scene scene = keying_.shown();
  const Camera like = active_camera(scene);
  const auto put = [&](Camera& c) {
    c = to_scene_camera(camera_, like);
    if (!c.depth.automatic) c = with_planes(std::move(c), seen);
  };
  if (like.id) {
    scene = with_camera(std::move(scene), like.id, put);
  } else {  // the scene has none yet
    Camera camera = like;
    put(camera);
    camera.id = next_id(scene);
    camera.name = unique_name(scene, camera.name);
    scene.cameras.push_back(Shared<Camera>(std::move(camera)));
  }
  const Status status = keying_.edit(QStringLiteral("Camera to View"), std::move(scene));
  if (status.ok()) set_through_camera(true);
}

void ViewNavigation::set_habits(bool zoom_to_mouse, double turning) {
  zoom_to_mouse_ = zoom_to_mouse;
  turning_ = turning;
}

void ViewNavigation::stop() {
  if (animation_) animation_->stop();
}

ViewCamera ViewNavigation::resting() const {
  return animation_ && animation_->state() == QAbstractAnimation::Running ? goal_ : camera_;
}

void ViewNavigation::move_to(const ViewCamera& goal) {
  leave_camera_view();
  stop();
  if (moves_camera() || animation_time_ <= 0 || !view_.isVisible()) {
    camera_ = goal;
    navigated();
    return;
  }
  if (!animation_) animation_ = new QVariantAnimation(this);
  animation_->disconnect(this);
  goal_ = goal;
  const ViewCamera from = camera_;
  animation_->setStartValue(0.0);
  animation_->setEndValue(1.0);
  animation_->setDuration(animation_time_);
  animation_->setEasingCurve(QEasingCurve::InOutCubic);
  connect(animation_, &QVariantAnimation::valueChanged, this, [this, from, goal](const QVariant& value) {
    const float t = value.toFloat();
    camera_ = goal;
    if (t < 1) {
      camera_.target = from.target + t * (goal.target - from.target);
      camera_.distance = from.distance * std::pow(goal.distance / from.distance, t);
      camera_.yaw = from.yaw + t * static_cast<float>(radians_between(from.yaw, goal.yaw));
      camera_.pitch = from.pitch + t * (goal.pitch - from.pitch);
      camera_.field_of_view = from.field_of_view + t * (goal.field_of_view - from.field_of_view);
    }
    emit moved();
  });
  animation_->start();
}

void ViewNavigation::look(const QString& side) {
  ViewCamera goal = resting();
  const float quarter = static_cast<float>(kPi / 2);
  goal.yaw = goal.pitch = 0;
  if (side == QLatin1String("back")) goal.yaw = 2 * quarter;
  if (side == QLatin1String("right")) goal.yaw = quarter;
  if (side == QLatin1String("left")) goal.yaw = -quarter;
  if (side == QLatin1String("top")) goal.pitch = quarter;
  if (side == QLatin1String("bottom")) goal.pitch = -quarter;
  if (!goal.orthographic) parallel_by_look_ = true;
  goal.orthographic = true;
  goal.near_plane = goal.far_plane = goal.roll = 0;
  locked_ = false;  // along an axis no camera of the scene looks in parallel
  move_to(goal);
  emit kind_changed();
}

void ViewNavigation::set_orthographic(bool on) {
  locked_ = false;
  leave_camera_view();
  stop();
  camera_.orthographic = on;
  parallel_by_look_ = false;
  emit kind_changed();
  emit moved();
}

void ViewNavigation::frame(const Box3& box) {
  if (!box.valid()) return;
  ViewCamera goal = resting();
  if (!moves_camera()) goal.near_plane = goal.far_plane = goal.roll = 0;
  goal.frame(box, size().x / size().y);
  move_step_ = {};
  move_to(goal);
}

void ViewNavigation::orbit(glm::vec2 way) {
  leave_camera_view();
  if (parallel_by_look_) {
    // The parallel view came with "Front"; away from it the eye expects perspective again.
    camera_.orthographic = parallel_by_look_ = false;
    emit kind_changed();
  }
  const float speed = kOrbitSpeed * static_cast<float>(turning_);
  camera_.orbit(-speed * way.x, speed * way.y);
  navigated();
}

void ViewNavigation::pan(glm::vec2 way) {
  leave_camera_view();
  stop();
  camera_.pan(way, size());
  navigated();
}

void ViewNavigation::zoom(float way) {
  leave_camera_view();
  camera_.zoom(std::pow(kZoomPerPixel, way));
  navigated();
}

/// The point under the mouse, at the depth of the target, stays under the mouse; else the target where it is.
void ViewNavigation::zoom_at(double notches, QPointF mouse) {
  leave_camera_view();
  stop();
  const glm::vec2 pixel = to_glm(mouse);
  const Vec3 normal = to_double(camera_.forward()), target = to_double(camera_.target);
  const auto before = on_plane(camera_.ray(pixel, size()), target, normal);
  camera_.zoom(std::pow(kZoomPerNotch, static_cast<float>(notches)));
  const auto after = on_plane(camera_.ray(pixel, size()), target, normal);
  if (zoom_to_mouse_ && before && after) camera_.target += to_float(Vec3(*before - *after));
  navigated();
}

}  // namespace hazumi
