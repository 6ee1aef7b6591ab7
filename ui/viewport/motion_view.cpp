#include "ui/viewport/motion_view.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <glm/gtc/matrix_transform.hpp>

#include "core/geometry/curve/follow.h"
#include "core/scene/derived/collections.h"
#include "core/scene/derived/following.h"
#include "render/convert.h"
#include "ui/model/baking.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/last_operation.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/modes/element_selection.h"
#include "ui/tools/transform_math.h"
#include "ui/widgets/actions.h"
#include "ui/widgets/key_button.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr int kMostFrames = 2000;       // of a path: beyond, it is drawn around the play head
constexpr std::size_t kMostShown = 20;  // things with paths and ghosts at once
constexpr int kGhosts = 3;              // to each side
constexpr double kHandleReach = 8;      // logical pixels
constexpr double kArrowTime = 0.1;      // s: a velocity is as long as what it passes in this time
constexpr glm::vec4 kBefore{0.42f, 0.66f, 0.95f, 0.9f}, kAfter{0.96f, 0.72f, 0.36f, 0.9f};
constexpr float kFaint = 0.35f;
constexpr glm::vec4 kFlight{0.80f, 0.56f, 0.96f, 0.95f};
constexpr int kFlightGhosts = 8;

/// `own` somewhere else, seen through; `faint`: 0 … 1.
DrawMesh ghost_of(const DrawMesh& own, const glm::vec3& colour, float faint) {
  DrawMesh ghost = own;
  ghost.id = {};
  ghost.selected = ghost.active = ghost.casts_shadow = false;
  ghost.parts.clear();
  ghost.material = {0.35f * colour, 0.7f * colour, glm::vec3(0), 8, faint};
  ghost.bounds = {};
  return ghost;
}

/// The mesh is shared by objects of other sizes: its scale is what the drawn one's matrix has.
glm::mat4 ghost_at(const DrawMesh& own, const Pose& pose) {
  const glm::vec3 size(glm::length(glm::vec3(own.model[0])), glm::length(glm::vec3(own.model[1])),
                       glm::length(glm::vec3(own.model[2])));
  return placement(pose.position.cast<float>(), pose.rotation.cast<float>()) * glm::scale(glm::mat4(1), size);
}

int ghost_step(const Scene& scene) {
  return std::max(1, static_cast<int>(std::lround(scene.settings.frame_rate / 12)));
}

}  // namespace

/// Where one thing is at a frame.
struct MotionView::Walker {
  Walker(const UiContext& context, Id wanted)
      : playback(context.playback), scene(context.document.scene()), object(find_object(scene, wanted)), id(wanted) {
    for (const LedTracks& tracks : led_objects(scene))
      if (tracks.object == id) led = tracks;
    if (const Camera* camera = find_camera(scene, id)) {
      const Shared<Curve>* curve = curve_of(scene, *camera);
      if (curve) way = way_of(*curve);
      height = camera->follow.height;
      place = find_track(scene, id.value, curve ? kAlong : "position");
    }
    if (object) height = object->follow.height;
    if (led) place = led->way ? led->along : led->position, way = led->way;
  }
  double time(int frame) const { return frame / scene.settings.frame_rate; }
  std::optional<Pose> at(int frame) const {
    if (frame < 0) return std::nullopt;
    if (!object) return place ? std::optional(Pose{keyed_place(time(frame)), Quat::Identity()}) : std::nullopt;
    if (led && led_now(*led, *object, time(frame))) return led_pose(*led, *object, time(frame));
    const FramePtr there = playback.cache().frame(frame);
    const ObjectFrame* own = there ? there->find(id) : nullptr;
    if (!own || !own->present) return std::nullopt;
    return Pose{own->position.cast<double>(), own->rotation.cast<double>().normalized()};
  }
  /// As its keys say, of what has them.
  Vec3 keyed_place(double seconds) const {
    if (way) return place_over(*way, std::clamp(track_value(*place, FieldType::number, seconds)[0], 0.0, 1.0), height);
    const auto value = track_value(*place, FieldType::vector, seconds);
    return {value[0], value[1], value[2]};
  }
  /// First and last frame of the path.
  std::pair<int, int> range() const {
    const SceneSettings& settings = scene.settings;
    int first = settings.first_frame, last = settings.last_frame;
    if (last - first > kMostFrames) {
      first = std::max(first, playback.frame() - kMostFrames / 2);
      last = std::min(last, first + kMostFrames);
    }
    return {first, last};
  }

  const PlaybackController& playback;
  const Scene& scene;
  const Object* object;
  Id id;
  std::optional<LedTracks> led;
  const Track* place = nullptr;         ///< its keys, or those of where it is on its way; null: it has none
  std::shared_ptr<const CurveWay> way;  ///< that it rides on; null: none
  double height = 0;                    ///< m, above that
};

MotionView::MotionView(UiContext& context, QObject* parent)
    : QObject(parent), context_(context), flight_(context_.document, context_.playback) {
  connect(&context_.playback, &PlaybackController::frame_changed, this, &MotionView::follow);
  connect(&context_.document, &DocumentController::changed, this, &MotionView::follow);
  connect(&context_.document, &DocumentController::document_replaced, this, &MotionView::follow);
  connect(&context_.selection, &Selection::changed, this, &MotionView::follow);
  connect(&context_.elements, &ElementSelection::mode_changed, this, &MotionView::follow);
  connect(&flight_, &FlightJob::changed, this, [this] {
    context_.actions.refresh();
    emit changed();
  });
}

void MotionView::set_paths(bool on) {
  if (std::exchange(paths_, on) != on) emit changed();
}
void MotionView::set_ghosts(bool on) {
  if (std::exchange(ghosts_, on) != on) emit changed();
}
void MotionView::set_flies(bool on) {
  if (flies() == on) return;
  flies_ = on;
  follow();
  emit changed();
}
void MotionView::set_velocities(bool on) {
  if (std::exchange(velocities_, on) != on) emit changed();
}

std::vector<Id> MotionView::shown() const {
  std::vector<Id> ids;
  const Scene& scene = context_.keying.shown();
  const Standing standing(scene, &context_.isolation.aside());
  for (Id id : with_contents(scene, context_.selection.ids()))
    if (ids.size() < kMostShown) {
      const Object* object = find_object(scene, id);
      const Camera* camera = find_camera(scene, id);
      if (object ? standing.visible(*object) : camera && standing.visible(*camera)) ids.push_back(id);
    }
  return ids;
}

void MotionView::draw(RenderList& list) const {
  if ((!paths_ && !ghosts_ && !velocities_ && !flies_) || context_.elements.mode()) return;
  for (Id id : shown()) {
    const Walker walker(context_, id);
    if (paths_) draw_path(list, walker);
    if (ghosts_) draw_ghosts(list, walker);
    if (velocities_) draw_velocity(list, walker);
  }
  draw_flight(list);
}

void MotionView::draw_path(RenderList& list, const Walker& walker) const {
  DrawLines line;
  line.width = 1.5f;
  line.on_top = true;
  const auto [first, last] = walker.range();
  const int now = context_.playback.frame();
  std::optional<Pose> before;
  bool moves = false;
  std::vector<PointVertex> ticks;
  for (int frame = first; frame <= last; ++frame) {
    const std::optional<Pose> pose = walker.at(frame);
    if (pose) {
      const glm::vec4 colour = frame <= now ? kBefore : kAfter;
      const bool second = frame % std::max(1, static_cast<int>(std::lround(walker.scene.settings.frame_rate))) == 0;
      ticks.push_back({to_glm(pose->position), colour, frame == now ? 7.0f : second ? 5.0f : 3.0f});
      if (before) {
        line.vertices.push_back({to_glm(before->position), colour});
        line.vertices.push_back({to_glm(pose->position), colour});
        moves = moves || before->position != pose->position;
      }
    }
    before = pose;
  }
  if (!moves) return;
  list.lines.push_back(std::move(line));
  list.points_on_top.insert(list.points_on_top.end(), ticks.begin(), ticks.end());
}

void MotionView::draw_ghosts(RenderList& list, const Walker& walker) const {
  const auto at =
      std::find_if(list.meshes.begin(), list.meshes.end(), [&](const DrawMesh& mesh) { return mesh.id == walker.id; });
  if (at == list.meshes.end()) return;
  const DrawMesh own = *at;
  const int now = context_.playback.frame(), step = ghost_step(walker.scene);
  for (int k = kGhosts; k >= 1; --k)
    for (const int frame : {now - k * step, now + k * step}) {
      const auto [first, last] = walker.range();
      if (frame < first || frame > last) continue;
      DrawMesh ghost = ghost_of(own, glm::vec3(frame < now ? kBefore : kAfter), kFaint / static_cast<float>(k));
      if (own.deformed) {
        const FramePtr there = context_.playback.cache().frame(frame);
        const ObjectFrame* bent = there ? there->find(walker.id) : nullptr;
        if (!bent || !bent->present || !bent->deformed) continue;
        ghost.frame = there;
        ghost.deformed = bent;
      } else {
        const std::optional<Pose> pose = walker.at(frame);
        if (!pose) continue;
        ghost.model = ghost_at(own, *pose);
        const FramePtr there = context_.playback.cache().frame(frame);
        const ObjectFrame* seen = there ? there->find(walker.id) : nullptr;
        if (seen && seen->surface) {
          ghost.mesh = seen->surface;
          ghost.facts = nullptr;
        }
      }
      list.meshes.push_back(std::move(ghost));
    }
}

// The physical flight --------------------------------------------------------------------------------------------------

/// The active object, where keys have it at the frame shown and physics could.
std::optional<Id> MotionView::led_body() const {
  const Scene& scene = context_.document.scene();
  const Object* object = find_object(scene, context_.selection.active());
  if (!object || !body_kind(object->body.kind).moves) return std::nullopt;
  for (const LedTracks& led : led_objects(scene))
    if (led.object == object->id && led_now(led, *object, context_.keying.time())) return object->id;
  return std::nullopt;
}

void MotionView::follow() { flight_.want(flies() && !context_.elements.mode() ? led_body() : std::nullopt); }

QString MotionView::no_flight() const {
  if (!flies()) return tr("Switch on Show Physics Flight first.");
  if (!led_body()) return tr("Select a body that keys lead at this frame.");
  const PhysicsFlight* flight = flight_.flight();
  if (!flight || !flight->complete) return tr("The flight is being computed.");
  return flight->way.size() < 2 ? tr("There is no frame after this one to fly in.") : QString();
}

Status MotionView::take_flight() {
  if (const QString why = no_flight(); !why.isEmpty()) return Diagnostic{Severity::error, "", why.toStdString(), ""};
  const PhysicsFlight& flight = *flight_.flight();
  const Scene& scene = context_.document.scene();
  const QString name = QString::fromStdString(find_object(scene, flight.body)->name);
  return context_.document.last_operation().begin(tr("Take Flight of %1 as Keys").arg(name),
                                                  flight_operation(scene, flight.body, flight.way));
}

void MotionView::draw_flight(RenderList& list) const {
  const PhysicsFlight* flight = flies() ? flight_.flight() : nullptr;
  if (!flight) return;
  const auto at = std::find_if(list.meshes.begin(), list.meshes.end(),
                               [&](const DrawMesh& mesh) { return mesh.id == flight->body; });
  const std::optional<DrawMesh> own = at == list.meshes.end() ? std::nullopt : std::optional(*at);
  const int step = ghost_step(context_.document.scene());
  DrawLines line;
  line.width = 1.5f;
  line.on_top = true;
  const auto count = static_cast<int>(flight->way.size());
  for (int i = 0; i < count; ++i) {
    const Pose& pose = flight->way[static_cast<std::size_t>(i)].pose;
    list.points_on_top.push_back({to_glm(pose.position), kFlight, i % step == 0 ? 4.5f : 2.5f});
    if (i == 0) continue;
    line.vertices.push_back({to_glm(flight->way[static_cast<std::size_t>(i) - 1].pose.position), kFlight});
    line.vertices.push_back({to_glm(pose.position), kFlight});
    const int number = i / step;
    if (!own || own->deformed || i % step != 0 || number > kFlightGhosts) continue;
    DrawMesh ghost = ghost_of(*own, glm::vec3(kFlight),
                              kFaint * (1 - static_cast<float>(number) / static_cast<float>(kFlightGhosts + 1)));
    ghost.model = ghost_at(*own, pose);
    list.meshes.push_back(std::move(ghost));
  }
  if (!line.vertices.empty()) list.lines.push_back(std::move(line));
}

/// One word, where the flight ends in the picture.
void MotionView::paint_flight(QPainter& painter, const ViewCamera& camera, glm::vec2 size) const {
  const PhysicsFlight* flight = flies() ? flight_.flight() : nullptr;
  if (!flight || flight->way.size() < 2) return;
  constexpr double kMargin = 8;
  const QString word = tr("physics");
  const QFontMetricsF metrics(painter.font());
  const QSizeF room(metrics.horizontalAdvance(word) + 10, metrics.height() + 2);
  const QRectF area = QRectF(0, 0, size.x, size.y).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  for (auto sample = flight->way.rbegin(); sample != flight->way.rend(); ++sample) {
    const glm::vec3 at = camera.project(to_float(sample->pose.position), size);
    const QRectF place(QPointF(at.x + 6, at.y - room.height() - 4), room);
    if (!(at.z > 0 && at.z < 1) || !area.contains(place)) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0x16, 0x17, 0x19, 190));
    painter.drawRoundedRect(place, 3, 3);
    painter.setPen(QColor::fromRgbF(kFlight.r, kFlight.g, kFlight.b));
    painter.drawText(place, Qt::AlignCenter, word);
    return;
  }
}

void MotionView::draw_velocity(RenderList& list, const Walker& walker) const {
  const int now = context_.playback.frame();
  const auto here = walker.at(now), after = walker.at(now + 1), before = walker.at(now - 1);
  if (!here || (!after && !before)) return;
  const double frames = (after ? 1 : 0) + (before ? 1 : 0);
  const Vec3 way = (after ? after->position : here->position) - (before ? before->position : here->position);
  const Vec3 velocity = way * walker.scene.settings.frame_rate / frames;
  if (velocity.norm() < 1e-6) return;
  const Vec3 tip = here->position + kArrowTime * velocity, along = velocity.normalized(), side = along.unitOrthogonal(),
             other = along.cross(side);
  const double head = std::min(0.25 * kArrowTime * velocity.norm(), 0.12);
  constexpr glm::vec4 kColour{0.36f, 0.82f, 0.74f, 0.95f};
  DrawLines arrow;
  arrow.width = 2;
  arrow.on_top = true;
  const auto add = [&](const Vec3& a, const Vec3& b) {
    arrow.vertices.push_back({to_glm(a), kColour});
    arrow.vertices.push_back({to_glm(b), kColour});
  };
  add(here->position, tip);
  for (const Vec3& out : {side, Vec3(-side), other, Vec3(-other)}) add(tip, tip - head * along + 0.4 * head * out);
  list.lines.push_back(std::move(arrow));
}

std::vector<MotionView::Handle> MotionView::handles(const ViewCamera& camera, glm::vec2 size) const {
  std::vector<Handle> all;
  if (!paths_ || context_.elements.mode()) return all;
  const Scene& scene = context_.document.scene();
  for (Id id : shown()) {
    const Walker walker(context_, id);
    if (!walker.place) continue;
    for (const Key& key : walker.place->keys) {
      Handle handle;
      handle.object = id;
      handle.frame = static_cast<int>(std::lround(key.time * scene.settings.frame_rate));
      handle.place = walker.keyed_place(key.time);
      const glm::vec3 at = camera.project(to_float(handle.place), size);
      if (!(at.z > 0 && at.z < 1)) continue;
      handle.at = QPointF(at.x, at.y);
      all.push_back(handle);
    }
  }
  return all;
}

std::optional<MotionView::Handle> MotionView::handle_at(const ViewCamera& camera, glm::vec2 size, QPointF mouse) const {
  std::optional<Handle> best;
  double least = kHandleReach;
  for (const Handle& handle : handles(camera, size)) {
    const QPointF way = handle.at - mouse;
    if (const double away = std::hypot(way.x(), way.y()); away <= least) {
      least = away;
      best = handle;
    }
  }
  return best;
}

void MotionView::paint(QPainter& painter, const ViewCamera& camera, glm::vec2 size) const {
  const std::vector<Handle> all = handles(camera, size);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_flight(painter, camera, size);
  const int now = context_.playback.frame();
  for (const Handle& handle : all)
    paint_key(painter, handle.at, 5.5, QColor(0, 0, 0, 200),
              handle.frame == now ? QColor(Qt::white) : theme_colours().accent);
  painter.restore();
}

}  // namespace hazumi
