// The widget, its camera and what it shows. Input is in viewport_input.cpp, menus and actions in viewport_actions.cpp.
#include "ui/viewport/viewport.h"
#include "ui/widgets/actions.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QImage>
#include <QPainter>
#include <QResizeEvent>
#include <QVariantAnimation>

#include "ui/jobs/looks_job.h"
#include "ui/jobs/metaball_job.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/element_target.h"
#include "ui/modes/mode_bar.h"
#include "ui/tools/tool.h"
#include "ui/tools/transform_gesture.h"
#include "ui/viewport/axis_gizmo.h"
#include "ui/viewport/canvas.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/overlay.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr double kPictureAspect = 16.0 / 9.0;  // of PictureOptions as they are proposed
constexpr double kPictureMargin = 24;          // logical pixels

double radians_between(float from, float to) { return std::remainder(to - from, 2 * kPi); }

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

}  // namespace

Viewport::Viewport(UiContext& context, QWidget* parent)
    : QWidget(parent), context_(context), looks_(new LooksJob(this)) {
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(QStringLiteral("Viewport"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(200, 150);
  setAttribute(Qt::WA_OpaquePaintEvent);
  bool slow = false;
  problem_ = ViewCanvas::problem(slow);
  if (problem_.isEmpty()) {
    canvas_ = new ViewCanvas(*this, slow);
    overlay_ = new ViewOverlay(*this);
  }
  for (const ToolInfo* info : tools())
    if (info->id == "move") tool_info_ = info;
  drivers_ = new DriverView(context_, this);
  connect(drivers_, &DriverView::changed, this, &Viewport::refresh);
  make_tool_bar();
  make_modes();
  // A transform owns the mouse and the keys; a command from elsewhere must not pull its view away.
  context_.actions.attend(*this, *this, [this] { return gesture_ != nullptr; });

  connect(&context_.document, &DocumentController::changed, this, [this] {
    // Somebody else's edit while a transform runs (undo by a script, a reload): the gesture's start is no longer there.
    if (gesture_ && !gesture_->editing()) drop_gesture();
    if (through_camera_) camera_ = through_scene_camera();
    refresh();
  });
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    drop_gesture();
    set_through_camera(false);
    stop_animation();
    camera_ = from_scene_camera(context_.document.scene().camera);
    camera_.near_plane = camera_.far_plane = 0;
    refresh();
  });
  connect(looks_, &LooksJob::done, this, &Viewport::refresh);
  connect(looks_, &LooksJob::failed, this,
          [this](Diagnostic diagnostic, const std::shared_ptr<const TextureFile>& file) {
            const Scene& scene = context_.document.scene();
            for (std::size_t i = 0; i < scene.objects.size(); ++i) {
              const auto& mesh = scene.objects[i]->display.mesh.mesh;
              if (!mesh || std::find(mesh->textures.begin(), mesh->textures.end(), file) == mesh->textures.end())
                continue;
              diagnostic.path = "objects[" + std::to_string(i) + "].display.mesh.file";
              return context_.diagnostics.add_load_diagnostic(std::move(diagnostic), scene.objects[i]->id);
            }
          });
  connect(&context_.selection, &Selection::changed, this, &Viewport::refresh);
  connect(&context_.playback, &PlaybackController::shown_changed, this, &Viewport::refresh);
  connect(&context_.playback, &PlaybackController::frame_changed, this, &Viewport::refresh);
  connect(&context_.metaballs, &MetaballJob::supplied, this, &Viewport::refresh);
}

Viewport::~Viewport() {
  // The canvas asks the viewport for pictures; it goes first, while all members are there.
  delete overlay_;
  delete canvas_;
}

ViewCamera& Viewport::camera() {
  refresh();
  return camera_;
}

ViewOptions& Viewport::options() {
  refresh();
  return options_;
}

glm::vec2 Viewport::view_size() const { return {std::max(width(), 1), std::max(height(), 1)}; }

QString Viewport::problem() const { return problem_; }

bool Viewport::resting() const { return canvas_ && canvas_->smooth(); }

QImage Viewport::picture() { return problem_.isEmpty() ? grab().toImage() : QImage(); }

void Viewport::fail(const QString& sentence) {
  problem_ = sentence;
  canvas_->hide();
  overlay_->hide();
  update();
}

void Viewport::refresh() {
  list_dirty_ = true;
  if (canvas_) canvas_->changed();
  refresh_overlay();
}

void Viewport::refresh_overlay() {
  if (overlay_) overlay_->update();
  announce_hint();
}

void Viewport::drawn(double milliseconds) {
  ++frames_drawn_;
  std::size_t vertices = 0;
  for (const DrawMesh& mesh : list_.meshes)
    if (mesh.mesh) vertices += mesh.mesh->positions.size();
  emit stats_changed(static_cast<int>(vertices), milliseconds);
}

FramePtr Viewport::displayed_frame() const {
  // Transforms edit the start pose: that is what is seen while they run.
  if (gesture_ || elements_shown()) return nullptr;
  if (FramePtr frame = context_.playback.shown()) return frame;
  const FrameCache& cache = context_.playback.cache();
  const int newest = std::min(context_.playback.frame(), cache.size() - 1);
  return newest >= 0 ? cache.frame(newest) : nullptr;
}

const RenderList& Viewport::render_list() {
  if (list_dirty_) {
    const glm::vec2 size = view_size();
    const ModeInfo* mode = elements().mode();
    // In a mode the elements say what is selected; an outline around the whole object would only be in the way.
    ViewSelection selected;
    if (!mode) selected = ViewSelection{context_.selection.ids(), context_.selection.active()};
    ViewOptions options = options_;
    if ((mode && mode->draws_analysis && elements_shown()) || elements().preview())
      options.analysis = AnalysisOverlay::off;
    list_ = extract(context_.document.scene(), displayed_frame(), camera_, size.x / size.y, options, selected,
                    context_.document.meshes());
    draw_mode(list_);
    if (!mode) drivers_->colour(list_);
    list_dirty_ = false;
    looks_->look(list_);
  }
  return list_;
}

// Camera ------------------------------------------------------------------------------------------------------------

QRectF Viewport::passepartout() const {
  const double w = std::max(width() - 2 * kPictureMargin, 1.0), h = std::max(height() - 2 * kPictureMargin, 1.0);
  const double height_used = std::min(h, w / kPictureAspect);
  const QSizeF size(height_used * kPictureAspect, height_used);
  return {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

ViewCamera Viewport::through_scene_camera() const {
  ViewCamera view = from_scene_camera(context_.document.scene().camera);
  // The picture is the rectangle in the middle; around it the viewport shows a little more.
  const double more = view_size().y / passepartout().height();
  view.field_of_view = static_cast<float>(2 * std::atan(std::tan(view.field_of_view / 2) * more));
  return view;
}

void Viewport::set_through_camera(bool on) {
  if (on == through_camera_) return;
  stop_animation();
  if (on) free_camera_ = camera_;
  camera_ = on ? through_scene_camera() : free_camera_;
  through_camera_ = on;
  context_.actions.refresh();
  refresh();
  emit camera_changed();
}

void Viewport::leave_camera_view() {
  if (!through_camera_) return;
  through_camera_ = false;  // the view stays where it is
  camera_.near_plane = camera_.far_plane = 0;
  context_.actions.refresh();
}

void Viewport::camera_to_view() {
  if (through_camera_ || gesture_) return;
  Scene scene = context_.document.scene();
  scene.camera = to_scene_camera(camera_, scene.camera);
  const Status status = context_.document.edit(QStringLiteral("Camera to View"), std::move(scene));
  if (status.ok()) set_through_camera(true);
}

void Viewport::stop_animation() {
  if (animation_) animation_->stop();
}

void Viewport::move_camera(const ViewCamera& goal) {
  leave_camera_view();
  stop_animation();
  if (animation_time_ <= 0 || !isVisible()) {
    camera_ = goal;
    refresh();
    emit camera_changed();
    return;
  }
  if (!animation_) animation_ = new QVariantAnimation(this);
  animation_->disconnect(this);
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
    refresh();
    emit camera_changed();
  });
  animation_->start();
}

void Viewport::look(const QString& side) {
  ViewCamera goal = camera_;
  const float quarter = static_cast<float>(kPi / 2);
  goal.yaw = goal.pitch = 0;
  if (side == QLatin1String("back")) goal.yaw = 2 * quarter;
  if (side == QLatin1String("right")) goal.yaw = quarter;
  if (side == QLatin1String("left")) goal.yaw = -quarter;
  if (side == QLatin1String("top")) goal.pitch = quarter;
  if (side == QLatin1String("bottom")) goal.pitch = -quarter;
  if (!goal.orthographic) parallel_by_look_ = true;
  goal.orthographic = true;
  goal.near_plane = goal.far_plane = 0;
  move_camera(goal);
  context_.actions.refresh();
}

void Viewport::set_orthographic(bool on) {
  leave_camera_view();
  stop_animation();
  camera_.orthographic = on;
  parallel_by_look_ = false;
  context_.actions.refresh();
  refresh();
  emit camera_changed();
}

void Viewport::frame_box(const Box3& box) {
  if (!box.valid()) return;
  ViewCamera goal = camera_;
  goal.near_plane = goal.far_plane = 0;
  const glm::vec2 size = view_size();
  goal.frame(box, size.x / size.y);
  move_camera(goal);
}

void Viewport::frame_all() {
  const Scene& scene = context_.document.scene();
  const FramePtr frame = displayed_frame();
  // A floor of a hundred metres is the ground to stand on, not what one wants to look at.
  Box3 box;
  for (const auto& object : scene.objects) {
    const bool floor = !body_kind(object->body.kind).moves && object->display.kind == DisplayKind::primitive &&
                       object->display.primitive.shape == PrimitiveShape::plane;
    if (!object->visible || floor) continue;
    const Box3 one = shown_bounds(scene, frame.get(), object->id, context_.document.meshes());
    if (!one.valid()) continue;
    box.add(one.low);
    box.add(one.high);
  }
  if (!box.valid()) box = shown_bounds(scene, frame.get(), context_.document.meshes());
  if (!box.valid()) {
    box.add(Vec3(-2, 0, -2));
    box.add(Vec3(2, 1, 2));
  }
  frame_box(box);
}

void Viewport::frame_selected() {
  if (elements().mode()) {
    const Box3 box = selected_elements_box();
    if (box.valid()) return frame_box(box);
  }
  const Scene& scene = context_.document.scene();
  const FramePtr frame = displayed_frame();
  Box3 box;
  for (Id id : context_.selection.ids()) {
    Box3 one = shown_bounds(scene, frame.get(), id, context_.document.meshes());
    if (const Light* light = find_light(scene, id)) {
      one.add(light->position + Vec3::Constant(0.5));
      one.add(light->position - Vec3::Constant(0.5));
    }
    if (!one.valid()) continue;
    box.add(one.low);
    box.add(one.high);
  }
  if (box.valid())
    frame_box(box);
  else
    frame_all();
}

// Tools and overlay ---------------------------------------------------------------------------------------------------

QString Viewport::tool() const {
  return QString::fromUtf8(tool_info_->id.data(), static_cast<int>(tool_info_->id.size()));
}

void Viewport::set_tool(const QString& id) {
  for (const ToolInfo* info : tools()) {
    if (QString::fromUtf8(info->id.data(), static_cast<int>(info->id.size())) != id) continue;
    tool_info_ = info;
    hovered_handle_ = -1;
    if (mode_tool_) set_mode_tool({});
    context_.actions.refresh();
    refresh_overlay();
    emit tool_changed(id);
    return;
  }
}

bool Viewport::selection_pivot(glm::vec3& pivot) const {
  if (elements().mode()) {
    const ElementsTarget target(context_.document.snapshot(), elements());
    if (!elements_shown() || target.empty()) return false;
    pivot = to_float(target.pivot());
    return true;
  }
  const Scene& scene = context_.document.scene();
  const FramePtr frame = displayed_frame();
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (Id id : ObjectsTarget::movable(scene, context_.selection.ids())) {
    if (const Object* object = find_object(scene, id)) {
      if (!object->visible) continue;
      const ObjectFrame* shown = frame ? frame->find(id) : nullptr;
      if (shown && !shown->present) continue;
      sum += shown ? Vec3(shown->position.cast<double>()) : object->transform.position;
      ++count;
    } else if (const Light* light = find_light(scene, id)) {
      sum += light->position;
      ++count;
    }
  }
  if (!count) return false;
  pivot = to_float(Vec3(sum / count));
  return true;
}

std::vector<GizmoHandle> Viewport::gizmo() const {
  GizmoView view;
  view.camera = camera_;
  view.size = view_size();
  if (!tool_info_->handles || gesture_ || mode_tool_ || !selection_pivot(view.pivot)) return {};
  const float depth = camera_.project(view.pivot, view.size).z;
  if (!(depth > 0 && depth < 1)) return {};
  if (elements().mode()) {
    view.local = ElementsTarget(context_.document.snapshot(), elements()).local_axes();
    return tool_info_->handles(view);
  }
  const Id active = context_.selection.active();
  const FramePtr frame = displayed_frame();
  if (const ObjectFrame* shown = frame ? frame->find(active) : nullptr)
    view.local = shown->rotation.cast<double>().normalized().toRotationMatrix();
  else if (const Object* object = find_object(context_.document.scene(), active))
    view.local = object->transform.rotation.normalized().toRotationMatrix();
  return tool_info_->handles(view);
}

QString Viewport::hint() const {
  if (gesture_) {
    const QString start =
        context_.playback.frame() == 0 ? QString() : QStringLiteral("Start pose (frame 0) is edited and shown · ");
    return start + gesture_->hint();
  }
  if (drag_ == Drag::box) return QStringLiteral("Release to select · Shift adds · Ctrl takes away · Esc cancels");
  if (elements().mode()) return mode_hint();
  if (drivers_->on()) return drivers_->hint();
  if (!context_.selection.empty())
    return QString::fromUtf8(tool_info_->tip.data(), static_cast<int>(tool_info_->tip.size()));
  return QStringLiteral(
      "Click selects · middle drag or Alt+drag orbits, with Shift pans · wheel zooms · Home shows all");
}

void Viewport::announce_hint() {
  const QString now = hint();
  if (now == last_hint_) return;
  last_hint_ = now;
  emit hint_changed(now);
}

void Viewport::paint_overlay(QPainter& painter) {
  const QRectF area = rect();
  const Scene& scene = context_.document.scene();
  const glm::vec2 size = view_size();
  painter.setRenderHint(QPainter::Antialiasing);
  if (through_camera_) paint_passepartout(painter, area, passepartout());
  if (!gesture_ && !elements().mode()) drivers_->paint(painter, {camera_, size, displayed_frame()}, area);
  if (gesture_) {
    paint_constraint(painter);
  } else {
    paint_handles(painter, gizmo(), hovered_handle_);
  }
  if (drag_ == Drag::box) {
    const bool removes = box_modifiers_ & Qt::ControlModifier;
    paint_box_select(painter, QRectF(press_, mouse_).normalized(), removes);
  }
  if (elements_shown())
    if (const auto view = mode_view()) {
      if (elements().mode()->paint) elements().mode()->paint(*view, painter);
      if (tool_run_) tool_run_->paint(*view, painter);
    }
  paint_axis_gizmo(painter, camera_, size, hovered_axis_);

  OverlayText text;
  const QString side = side_name(camera_);
  const QString kind = camera_.orthographic ? QStringLiteral("parallel") : QStringLiteral("perspective");
  text.view = through_camera_  ? QStringLiteral("Camera")
              : side.isEmpty() ? (camera_.orthographic ? QStringLiteral("Parallel") : QStringLiteral("Perspective"))
                               : side + QStringLiteral(" · ") + kind;
  const Id active = context_.selection.active();
  if (const Object* object = find_object(scene, active))
    text.active = QString::fromStdString(object->name);
  else if (const Light* light = find_light(scene, active))
    text.active = QString::fromStdString(light->name);
  if (context_.selection.ids().size() > 1)
    text.active += QStringLiteral("  (%1 selected)").arg(context_.selection.ids().size());
  if (const QString parts = elements_text(context_); !parts.isEmpty()) text.active = parts;
  const int frame = context_.playback.frame();
  text.frame = gesture_ ? QStringLiteral("Frame 0") : QStringLiteral("Frame %1").arg(frame);
  if (gesture_) {
    text.value = gesture_->value_text();
    text.note = gesture_->refusal();
    if (text.note.isEmpty() && frame != 0) text.note = QStringLiteral("The start pose (frame 0) is edited and shown");
  }
  if (elements().mode() && !elements_shown() && !gesture_)
    text.note = QStringLiteral("The start pose is edited: click here to go there");
  const FillStatus::Phase phase = context_.playback.status().phase;
  const bool filling = phase == FillStatus::Phase::preparing || phase == FillStatus::Phase::compiling ||
                       phase == FillStatus::Phase::running;
  if (!gesture_ && !elements_shown() && filling && !context_.playback.shown())
    text.badge = QStringLiteral("computing frame %1…").arg(frame);
  if (scene.objects.empty()) {
    text.empty = QStringLiteral("Add → Sphere, or press Shift+A");
    text.empty_more = QStringLiteral("or drop a scene file here");
  }
  text.top = mode_bar_->isVisible() ? mode_bar_->geometry().bottom() + 1.0 : 0.0;
  paint_overlay_text(painter, text, area, tool_bar_ && tool_bar_->isVisible() ? tool_bar_->width() + 20.0 : 12.0);
}

void Viewport::paint_constraint(QPainter& painter) {
  const TransformConstraint& constraint = gesture_->constraint();
  const Vec3 pivot = gesture_->mode() == TransformMode::move ? gesture_->pivot() : gesture_->present_pivot();
  const glm::vec2 size = view_size();
  const double reach = 1000.0 * camera_.metres_per_pixel(to_float(pivot), size);
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
      const glm::vec3 a = camera_.project(to_float(pivot + axis * (reach * k / kPieces)), size);
      const glm::vec3 b = camera_.project(to_float(pivot + axis * (reach * (k + 1) / kPieces)), size);
      if (a.z > 0 && a.z < 1 && b.z > 0 && b.z < 1) painter.drawLine(QPointF(a.x, a.y), QPointF(b.x, b.y));
    }
  }
  const glm::vec3 centre = camera_.project(to_float(gesture_->present_pivot()), size);
  if (centre.z <= 0 || centre.z >= 1) return;
  if (gesture_->mode() != TransformMode::move && !gesture_->by_handle()) {
    painter.setPen(QPen(QColor(255, 255, 255, 120), 1, Qt::DashLine));
    painter.drawLine(QPointF(centre.x, centre.y), mouse_);
  }
  painter.setPen(QPen(QColor(0, 0, 0, 160), 1));
  painter.setBrush(theme_colours().accent);
  painter.drawEllipse(QPointF(centre.x, centre.y), 3.5, 3.5);
}

void Viewport::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (problem_.isEmpty())
    painter.fillRect(rect(), QColor(0x29, 0x2b, 0x30));
  else
    paint_problem(painter, rect(), problem_);
}

void Viewport::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (canvas_) canvas_->setGeometry(rect());
  if (overlay_) overlay_->setGeometry(rect());
  place_bars();
  if (through_camera_) camera_ = through_scene_camera();
  refresh();
}

}  // namespace hazumi
