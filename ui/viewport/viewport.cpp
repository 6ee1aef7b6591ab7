// The view's parts put together, and what is asked of it. Input is in viewport_input.cpp, overlay and menus in
// viewport_overlay.cpp.
#include "ui/viewport/viewport.h"

#include <algorithm>

#include <QAction>
#include <QCursor>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWindow>

#include "render/picking.h"
#include "ui/jobs/looks_job.h"
#include "ui/jobs/metaball_job.h"
#include "ui/model/commands.h"
#include "ui/model/diagnostics_model.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/live_pull.h"
#include "ui/model/playback_controller.h"
#include "ui/model/preferences.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/mode_bar.h"
#include "ui/viewport/box_view.h"
#include "ui/viewport/camera_view.h"
#include "ui/viewport/canvas.h"
#include "ui/viewport/changing.h"
#include "ui/viewport/contact_view.h"
#include "ui/viewport/driver_view.h"
#include "ui/viewport/force_view.h"
#include "ui/viewport/joining.h"
#include "ui/viewport/mode_input.h"
#include "ui/viewport/motion_view.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/overlay.h"
#include "ui/viewport/picker.h"
#include "ui/viewport/picture.h"
#include "ui/viewport/pull_view.h"
#include "ui/viewport/tool_gizmo.h"
#include "ui/viewport/view_gesture.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/hover_keys.h"

namespace hazumi {

namespace {

constexpr int kHold = 40;  // ms, the longest that a picture waits for a surface

}  // namespace

Viewport::Viewport(UiContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      navigation_(std::make_unique<ViewNavigation>(context.document, context.keying, *this)),
      gesture_(std::make_unique<ViewGesture>(context_, *this, *navigation_)),
      looks_(std::make_unique<LooksJob>()),
      picture_(std::make_unique<ViewPicture>(context_, *navigation_, *gesture_, *looks_)),
      gizmo_(std::make_unique<ToolGizmo>(context_, *navigation_, *picture_)),
      drivers_(std::make_unique<DriverView>(context_, nullptr)),
      contacts_(std::make_unique<ContactView>(context_, nullptr)),
      motion_(std::make_unique<MotionView>(context_, nullptr)),
      cameras_(std::make_unique<CameraView>(context_, *navigation_, *picture_, nullptr)),
      forces_(std::make_unique<ForceView>(context_, *navigation_, *picture_)),
      boxes_(std::make_unique<BoxView>(context_, *navigation_, *picture_, nullptr)),
      joining_(std::make_unique<Joining>(context_, *navigation_, *picture_, nullptr)),
      changing_(std::make_unique<Changing>(context_, *navigation_, nullptr)),
      pull_(std::make_unique<PullView>(context_, *navigation_, *picture_)),
      keys_(new HoverKeys(*this)) {
  setObjectName(QStringLiteral("viewport"));
  setAccessibleName(QStringLiteral("Viewport"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(200, 150);
  setAttribute(Qt::WA_OpaquePaintEvent);
  make_canvas();
  make_tool_bar();
  make_keep_bar();
  modes_ = std::make_unique<ModeInput>(context_, *this, *navigation_, *picture_, *tool_bar_);
  picker_ = std::make_unique<ViewPicker>(context_, *navigation_, *picture_, *modes_, *drivers_);
  gesture_->set_changing(*changing_);
  picture_->add_layer([this](RenderList& list) { modes_->draw(list); });
  picture_->add_layer([this](RenderList& list) {
    if (!context_.elements.mode()) drivers_->colour(list);
  });
  picture_->add_layer([this](RenderList& list) { contacts_->draw(list, picture_->frame()); });
  picture_->add_layer([this](RenderList& list) { motion_->draw(list); });
  picture_->add_layer([this](RenderList& list) { cameras_->draw(list); });
  navigation_->set_frame_source([this] { return picture_->frame(); });
  listen();
  navigation_->start_again();
  place_bars();
  // A transform owns the mouse and the keys; a command from elsewhere must not pull its view away.
  context_.actions.attend(*this, *this, [this] { return gesture() != nullptr; });
}

Viewport::~Viewport() = default;

void Viewport::make_canvas() {
  bool slow = false;
  problem_ = ViewCanvas::problem(slow);
  if (!problem_.isEmpty()) return;
  CanvasClient client;
  client.list = [this]() -> const RenderList& { return render_list(); };
  client.textures = [this] { return looks_->texture_source(); };
  client.drawn = [this](double milliseconds) { drawn(milliseconds); };
  client.failed = [this](const QString& sentence) { fail(sentence); };
  canvas_ = ViewCanvas::make(*this, std::move(client), slow);
  overlay_ = std::make_unique<ViewOverlay>(*this, [this](QPainter& painter) { paint_overlay(painter); });
}

/// The tools stand in the viewport itself, where the mouse is.
void Viewport::make_tool_bar() {
  tool_bar_ = new QWidget(this);
  tool_bar_->setObjectName(QStringLiteral("viewport_tools"));
  auto* column = new QVBoxLayout(tool_bar_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  std::vector<const ToolInfo*> ordered(tools().begin(), tools().end());
  std::sort(ordered.begin(), ordered.end(), [](const ToolInfo* a, const ToolInfo* b) { return a->order < b->order; });
  for (const ToolInfo* info : ordered) {
    auto* button = new QToolButton(tool_bar_);
    button->setDefaultAction(context_.actions["tool." + std::string(info->id)]);
    style_tool_button(*button);
    column->addWidget(button);
  }
}

/// What was pulled and is not kept goes with the next edit: that is said, with the way to keep it.
void Viewport::make_keep_bar() {
  keep_bar_ = new QWidget(this);
  keep_bar_->setObjectName(QStringLiteral("keep_pull_bar"));
  auto* row = new QHBoxLayout(keep_bar_);
  row->setContentsMargins(10, 4, 4, 4);
  row->setSpacing(8);
  row->addWidget(new QLabel(QStringLiteral("This pull is not kept: rewinding gives it up"), keep_bar_));
  auto* button = new QToolButton(keep_bar_);
  button->setDefaultAction(context_.actions["play.keep_pull"]);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  row->addWidget(button);
  keep_bar_->setAttribute(Qt::WA_StyledBackground);
  keep_bar_->setStyleSheet(QStringLiteral("#keep_pull_bar { background: palette(button); border-radius: 5px; }"));
  keep_bar_->hide();
}

void Viewport::follow_pull() {
  const bool lasts = context_.pull.lasts() && !context_.pull.holds();
  if (lasts == keep_bar_->isHidden()) {
    keep_bar_->setVisible(lasts);
    place_bars();
  }
  if (!context_.pull.holds() && drag_ == Drag::pull) drag_ = Drag::none;
  context_.actions.refresh();
  refresh_overlay();
}

void Viewport::listen() {
  connect(&context_.pull, &LivePull::changed, this, &Viewport::follow_pull);
  connect(&context_.pull, &LivePull::told, &context_.document, &DocumentController::told);
  connect(navigation_.get(), &ViewNavigation::moved, this, [this] {
    refresh();
    emit camera_changed();
  });
  connect(navigation_.get(), &ViewNavigation::kind_changed, &context_.actions, &ActionSet::refresh);
  connect(gesture_.get(), &ViewGesture::ended, this, [this] { drag_ = Drag::none; });
  connect(gesture_.get(), &ViewGesture::stayed, this, [this](quint64 key) {
    // A copy that was not moved would lie in its original.
    if (key == copied_) put_copies_beside(context_.document, context_.selection, key);
  });
  connect(gesture_.get(), &ViewGesture::changed, this, &Viewport::refresh);
  connect(drivers_.get(), &DriverView::changed, this, &Viewport::refresh);
  connect(contacts_.get(), &ContactView::changed, this, &Viewport::refresh);
  connect(motion_.get(), &MotionView::changed, this, &Viewport::refresh);
  connect(cameras_.get(), &CameraView::changed, this, &Viewport::refresh);
  connect(joining_.get(), &Joining::changed, this, &Viewport::refresh_overlay);
  connect(changing_.get(), &Changing::changed, this, &Viewport::refresh_overlay);
  connect(boxes_.get(), &BoxView::changed, this, &Viewport::refresh_overlay);
  const auto switched = [this] {
    context_.actions.refresh();
    hover();
    refresh_overlay();
  };
  connect(joining_.get(), &Joining::switched, this, switched);
  connect(changing_.get(), &Changing::switched, this, switched);
  connect(&context_.keying, &Keying::shown_changed, this, &Viewport::refresh);
  connect(&context_.playback, &PlaybackController::fill_changed, this, [this] {
    if (motion_->paths() || motion_->ghosts()) refresh();  // they show frames that may be new
  });
  connect(modes_.get(), &ModeInput::changed, this, &Viewport::refresh);
  connect(modes_.get(), &ModeInput::bars_changed, this, &Viewport::place_bars);
  connect(modes_.get(), &ModeInput::tool_changed, this, [this] {
    gesture_->drop();
    context_.actions.refresh();
    hover();
  });
  connect(looks_.get(), &LooksJob::done, this, &Viewport::refresh);
  connect(looks_.get(), &LooksJob::failed, this, &Viewport::tell_of_texture);
  // The camera that is looked through may have keys, or look at what a frame moves: the picture is spoilt first.
  const auto follow = [this] {
    picture_->spoil();
    navigation_->follow_scene_camera();
    refresh();
  };
  connect(&context_.document, &DocumentController::changed, this, follow);
  connect(&context_.document, &DocumentController::document_replaced, this, [this] {
    navigation_->start_again();
    refresh();
  });
  connect(&context_.selection, &Selection::changed, this, &Viewport::refresh);
  connect(&context_.isolation, &Isolation::changed, this, &Viewport::refresh);
  connect(&context_.playback, &PlaybackController::shown_changed, this, follow);
  connect(&context_.playback, &PlaybackController::frame_changed, this, follow);
  hold_.setSingleShot(true);
  connect(&hold_, &QTimer::timeout, this, &Viewport::show);
  connect(&context_.metaballs, &MetaballJob::supplied, this, [this] {
    picture_->spoil();
    show();
  });
  context_.playback.set_picture([view = QPointer<const Viewport>(this)] { return !view || view->pictured(); });
}

void Viewport::tell_of_texture(Diagnostic diagnostic, const std::shared_ptr<const TextureFile>& file) {
  const Scene& scene = context_.document.scene();
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const auto& mesh = scene.objects[i]->display.mesh.mesh;
    if (!mesh || std::find(mesh->textures.begin(), mesh->textures.end(), file) == mesh->textures.end()) continue;
    diagnostic.path = "objects[" + std::to_string(i) + "].display.mesh.file";
    return context_.diagnostics.add_load_diagnostic(std::move(diagnostic), scene.objects[i]->id);
  }
}

void Viewport::place_bars() {
  tool_bar_->adjustSize();
  tool_bar_->move(10, 10);
  keep_bar_->adjustSize();
  keep_bar_->move((width() - keep_bar_->width()) / 2, height() - keep_bar_->height() - 14);
  ModeBar& bar = modes_->bar();
  bar.adjustSize();
  bar.move(tool_bar_->isVisibleTo(this) ? tool_bar_->geometry().right() + 11 : 10, 10);
  refresh_overlay();
}

// What is seen --------------------------------------------------------------------------------------------------------

ViewCamera& Viewport::camera() {
  refresh();
  return navigation_->camera();
}

const ViewCamera& Viewport::camera() const { return std::as_const(*navigation_).camera(); }

ViewOptions& Viewport::options() {
  refresh();
  return picture_->options();
}

const ViewOptions& Viewport::options() const { return std::as_const(*picture_).options(); }

glm::vec2 Viewport::view_size() const { return navigation_->size(); }

bool Viewport::resting() const { return canvas_ && canvas_->smooth(); }

QImage Viewport::picture() { return problem_.isEmpty() ? grab().toImage() : QImage(); }

QImage Viewport::shown() { return canvas_ && problem_.isEmpty() ? canvas_->shown() : QImage(); }

FramePtr Viewport::displayed_frame() const { return picture_->frame(); }

const RenderList& Viewport::render_list() { return picture_->list(); }

void Viewport::fail(const QString& sentence) {
  problem_ = sentence;
  canvas_->widget().hide();
  overlay_->hide();
  update();
}

void Viewport::refresh() {
  picture_->spoil();
  // The surface that a drag makes is there in a moment: one picture of both, not one of the old surface before.
  if (!context_.metaballs.soon()) return show();
  if (!hold_.isActive()) hold_.start(kHold);
}

void Viewport::show() {
  hold_.stop();
  if (canvas_) canvas_->changed();
  refresh_overlay();
}

void Viewport::refresh_overlay() {
  if (overlay_) overlay_->update();
  announce_hint();
}

void Viewport::drawn(double milliseconds) {
  ++frames_drawn_;
  frame_drawn_ = context_.playback.frame();
  emit stats_changed(picture_->vertices(), milliseconds);
}

/// What cannot be seen is waited for by nobody.
bool Viewport::pictured() const {
  const QWindow* at = window()->windowHandle();
  const bool seen = canvas_ && canvas_->widget().isVisible() && at && at->isExposed() && !window()->isMinimized();
  return !seen || frame_drawn_ == context_.playback.frame();
}

void Viewport::frame_all() { navigation_->frame(picture_->bounds_of_all()); }

void Viewport::frame_selected() {
  Box3 box = modes_->bounds();
  if (!box.valid()) box = picture_->bounds_of_selection();
  navigation_->frame(box.valid() ? box : picture_->bounds_of_all());
}

void Viewport::look(const QString& side) { navigation_->look(side); }
void Viewport::set_orthographic(bool on) { navigation_->set_orthographic(on); }
void Viewport::set_through_camera(bool on) { navigation_->set_through_camera(on); }
bool Viewport::through_camera() const { return navigation_->through_camera(); }
void Viewport::look_through(Id camera) { navigation_->look_through(camera); }
const Camera* Viewport::looked_through() const { return navigation_->looked_through(); }
bool Viewport::follows_cuts() const { return navigation_->follows_cuts(); }
void Viewport::lock_to_camera(bool on) { navigation_->set_locked(on); }
bool Viewport::locked_to_camera() const { return navigation_->locked(); }
void Viewport::set_animation_time(int milliseconds) { navigation_->set_animation_time(milliseconds); }

void Viewport::use(const Preferences& preferences) {
  navigation_->set_habits(preferences.zoom_to_mouse, preferences.turning / 100.0);
  gesture_->set_snaps({preferences.snap_move, preferences.snap_angle, preferences.snap_factor});
}

QString Viewport::viewpoint() const { return viewpoint_text(navigation_->viewpoint()); }

void Viewport::take_viewpoint(const QString& text) {
  if (const auto viewpoint = viewpoint_from(text)) navigation_->take(*viewpoint);
}

void Viewport::camera_to_view() {
  if (!gesture()) navigation_->camera_to_view(picture_->seen_depths());
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
  if (canvas_) canvas_->widget().setGeometry(rect());
  if (overlay_) overlay_->setGeometry(rect());
  place_bars();
  navigation_->follow_scene_camera();
  refresh();
}

// Tools, transforms, modes --------------------------------------------------------------------------------------------

QString Viewport::tool() const { return text_of(gizmo_->tool().id); }

void Viewport::set_tool(const QString& id) {
  if (!gizmo_->take(id)) return;
  picker_->forget_handle();
  if (modes_->using_tool()) set_mode_tool({});
  context_.actions.refresh();
  refresh_overlay();
  emit tool_changed(id);
}

bool Viewport::selection_pivot(glm::vec3& pivot) const {
  const auto place = gizmo_->pivot();
  if (place) pivot = *place;
  return place.has_value();
}

std::vector<GizmoHandle> Viewport::gizmo() const {
  if (gesture() || modes_->using_tool() || joining_->on()) return {};
  return gizmo_->handles();
}

const TransformGesture* Viewport::gesture() const { return gesture_->running(); }

QPointF Viewport::mouse_now() const { return mouse_inside_ ? mouse_ : QPointF(mapFromGlobal(QCursor::pos())); }

bool Viewport::begin_transform(TransformMode mode, quint64 key) {
  return start_gesture(mode, {}, mouse_now(), false, key);
}

bool Viewport::begin_drag(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool one_key) {
  return start_gesture(mode, constraint, mouse, true, 0, one_key);
}

bool Viewport::start_gesture(TransformMode mode, const TransformConstraint& constraint, QPointF mouse, bool by_handle,
                             quint64 key, bool one_key) {
  if (gesture()) return false;
  if (context_.elements.mode() && !elements_shown()) modes_->show_start_pose();
  if (!gesture_->start(mode, constraint, mouse, by_handle, key, one_key)) return false;
  mouse_ = mouse;
  picker_->forget_handle();
  if (by_handle) drag_ = Drag::handle;
  refresh();
  return true;
}

ModeContext Viewport::mode_context() { return modes_->context(); }
std::optional<ModeView> Viewport::mode_view() const { return modes_->view(); }

std::optional<Vec3> Viewport::surface_under(QPointF pixel) const {
  const RenderList& seen = picture_->list();
  RenderList only;
  only.meshes = seen.meshes;
  only.depths = seen.depths;
  // What is locked is met too: a floor is drawn on.
  Scene scene = context_.keying.shown();
  for (auto& object : scene.objects)
    if (object->locked) object = object.edited([](Object& o) { o.locked = false; });
  for (auto& collection : scene.collections)
    if (collection->locked) collection = collection.edited([](Collection& c) { c.locked = false; });
  const auto hit = pick(only, scene, navigation_->camera(), to_glm(pixel), view_size());
  return hit ? std::optional(to_double(hit->point)) : std::nullopt;
}

ModeBar* Viewport::mode_bar() { return &modes_->bar(); }
void Viewport::set_mode_tool(const QString& id) { modes_->take_tool(id); }
QString Viewport::mode_tool() const { return modes_->tool(); }
bool Viewport::elements_shown() const { return modes_->shown(); }
void Viewport::toggle_mode() { modes_->toggle(); }

std::optional<Element> Viewport::element_under(QPointF mouse, std::optional<Vec3>* surface) {
  return modes_->element_under(mouse, surface);
}

bool Viewport::duplicate_objects_and_move() {
  const quint64 key = context_.document.new_gesture();
  copied_ = key;
  return duplicate_selected(context_.document, context_.selection, key, false) &&
         start_gesture(TransformMode::move, {}, mouse_now(), false, key);
}

bool Viewport::duplicate_elements_and_move() {
  const quint64 key = duplicate_elements(context_);
  return key != 0 && start_gesture(TransformMode::move, {}, mouse_now(), false, key);
}

}  // namespace hazumi
