#include "ui/viewport/joining.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <QPainter>

#include "core/scene/derived/collections.h"
#include "core/scene/derived/joined.h"
#include "render/extract_parts.h"
#include "render/joint_symbols.h"
#include "render/picking.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/keying.h"
#include "ui/model/playback_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/tools/transform_math.h"
#include "ui/viewport/navigation.h"
#include "ui/viewport/picture.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr float kSnap = 9;       // logical pixels
constexpr double kBehind = 1.5;  // times as far from the surface under the mouse: what is farther lies behind it
const QColor kAimColour(0xff, 0xd2, 0x8a), kFirstColour(0xff, 0xa8, 0x40);

/// All of it can be met, a locked floor too.
Scene unlocked(Scene scene) {
  for (auto& object : scene.objects)
    if (object->locked) object = object.edited([](Object& o) { o.locked = false; });
  for (auto& collection : scene.collections)
    if (collection->locked) collection = collection.edited([](Collection& c) { c.locked = false; });
  return scene;
}

Vec3 nearest_axis(const Vec3& way) {
  Eigen::Index at = 0;
  way.cwiseAbs().maxCoeff(&at);
  return (way[at] < 0 ? -1.0 : 1.0) * Vec3::Unit(at);
}

}  // namespace

Joining::Joining(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture, QObject* parent)
    : QObject(parent), context_(context), navigation_(navigation), picture_(picture) {
  connect(&context_.elements, &ElementSelection::mode_changed, this, &Joining::end);
  connect(&context_.document, &DocumentController::document_replaced, this, &Joining::end);
  connect(&context_.document, &DocumentController::changed, this, [this] {
    if (first_ && first_->point.object && !find_object(context_.document.scene(), first_->point.object)) first_.reset();
    if (first_ && first_->hinge && !find_joint(context_.document.scene(), first_->hinge)) first_.reset();
  });
}

void Joining::begin(JointKind kind) {
  if (on_ && kind == kind_) return;
  const bool gear = kind == JointKind::gear;
  if (gear != (kind_ == JointKind::gear)) first_.reset();
  kind_ = kind;
  on_ = true;
  aim_.reset();
  go_to_start();
  emit switched();
}

bool Joining::at_start() const {
  return !context_.playback.playing() &&
         context_.playback.frame() <= std::max(0, context_.document.scene().settings.first_frame);
}

void Joining::go_to_start() {
  context_.playback.play(false);
  if (!at_start()) context_.playback.to_start();
}

void Joining::end() {
  if (!on_) return;
  on_ = false;
  first_.reset();
  aim_.reset();
  emit switched();
}

/// On the plane through what was clicked first, or through what is looked at, that faces the eye.
std::optional<Vec3> Joining::in_the_empty(QPointF mouse) const {
  const ViewCamera& camera = navigation_.camera();
  const Vec3 through = first_ ? first_->at : to_double(camera.target);
  return on_plane(camera.ray(to_glm(mouse), navigation_.size()), through, to_double(camera.forward()));
}

Joining::Aim Joining::aim_at(QPointF mouse, bool free) const {
  Aim aim;
  const Scene& scene = context_.keying.shown();
  const ViewCamera& camera = navigation_.camera();
  const glm::vec2 size = navigation_.size(), pixel = to_glm(mouse);
  const RenderList& seen = picture_.list();
  const FramePtr frame = picture_.frame();
  if (kind_ == JointKind::gear) {
    RenderList only;
    only.symbols = seen.symbols;
    const auto hit = pick(only, scene, camera, pixel, size);
    const Joint* hinge = hit ? find_joint(scene, hit->id) : nullptr;
    if (!hinge || hinge->kind != JointKind::hinge) return aim;
    aim.hinge = hinge->id;
    aim.snap = Snap::hinge;
    aim.at = to_double(hit->point);
    return aim;
  }
  RenderList only;
  only.meshes = seen.meshes;
  only.depths = seen.depths;
  const auto hit = pick(only, unlocked(scene), camera, pixel, size);
  const Object* object = hit ? find_object(scene, hit->id) : nullptr;
  if (!object) {
    const auto place = in_the_empty(mouse);
    if (!place) return aim;
    aim.point.place = aim.at = *place;
    aim.snap = Snap::world;
    return aim;
  }
  aim.snap = Snap::surface;
  aim.at = to_double(hit->point);
  const std::vector<ShownObject> shown = shown_objects(scene, frame.get(), context_.isolation.aside());
  const auto one = std::find_if(shown.begin(), shown.end(), [&](const ShownObject& s) { return s.object == object; });
  if (one == shown.end()) return aim;
  const double reach = kBehind * kSnap * static_cast<double>(camera.metres_per_pixel(hit->point, size));
  // What bends is held by its nodes: the nearest is taken, however far it is.
  const bool bends = body_kind(object->body.kind).deforms && object->analysis.kind != AnalysisKind::none && !free;
  float nearest = bends ? std::numeric_limits<float>::infinity() : kSnap;
  const auto offer = [&](const glm::vec3& at, Snap snap, bool through) {
    if (free || (!through && (to_double(at) - to_double(hit->point)).norm() > reach)) return;
    const glm::vec3 p = camera.project(at, size);
    const float apart = bends ? glm::length(at - hit->point) : glm::length(glm::vec2(p) - pixel);
    if (!(p.z > 0 && p.z < 1) || !(apart < nearest)) return;
    nearest = apart;
    aim.at = to_double(at);
    aim.snap = snap;
  };
  const auto mesh = context_.document.meshes().mesh(*object);
  const bool bent = one->moved && one->moved->deformed && one->moved->vertices.size() == mesh->positions.size();
  for (std::size_t v = 0; v < mesh->positions.size() && !bends; ++v)
    offer(bent ? to_float(one->moved->vertices[v].cast<double>())
               : glm::vec3(one->model * glm::vec4(to_float(mesh->positions[v]), 1.0f)),
          Snap::vertex, false);
  if (object->analysis.kind != AnalysisKind::none)
    for (const glm::vec3& node : truss_nodes(*one, object_truss(*object, *mesh))) offer(node, Snap::node, true);
  if (!bends) offer(glm::vec3(one->model[3]), Snap::middle, true);
  Transform now = object->transform;
  if (one->moved) {
    now.position = one->moved->position.cast<double>();
    now.rotation = one->moved->rotation.cast<double>().normalized();
  }
  aim.point = {object->id, place_of_end(now, aim.at)};
  return aim;
}

/// A hinge turns in the plane of the view, as far as the world's axes have it; a slider goes up in it.
Vec3 Joining::axis() const {
  const ViewCamera& camera = navigation_.camera();
  return kind_ == JointKind::slider ? nearest_axis(to_double(camera.up())) : -nearest_axis(to_double(camera.forward()));
}

bool Joining::press(QPointF mouse, Qt::KeyboardModifiers held) {
  if (!on_) return false;
  if (!at_start()) {
    go_to_start();
    return true;
  }
  const Aim aim = aim_at(mouse, held & Qt::ControlModifier);
  if (kind_ == JointKind::gear)
    take_hinge(aim);
  else if (aim.snap != Snap::none)
    take(aim);
  aim_ = aim;
  emit changed();
  return true;
}

void Joining::take_hinge(const Aim& aim) {
  if (!aim.hinge) return emit context_.document.refused(tr("A gear is of two hinges: click the symbol of one."));
  if (!first_) {
    first_ = aim;
    return;
  }
  if (first_->hinge == aim.hinge) return emit context_.document.refused(tr("Click another hinge."));
  const Id first = first_->hinge;
  first_.reset();
  (void)join_hinges(context_.document, context_.selection, first, aim.hinge);
}

void Joining::take(const Aim& aim) {
  if (!first_) {
    first_ = aim;
    return;
  }
  const QString why = no_joining(context_.document.scene(), first_->point, aim.point);
  if (!why.isEmpty()) return emit context_.document.refused(why);
  const JoinPoint first = first_->point;
  first_.reset();
  (void)join_points(context_.document, context_.selection, kind_, first, aim.point, axis());
}

bool Joining::hover(QPointF mouse, Qt::KeyboardModifiers held) {
  if (!on_) return false;
  aim_.reset();
  if (at_start()) aim_ = aim_at(mouse, held & Qt::ControlModifier);
  emit changed();
  return true;
}

bool Joining::takes_key(int key) const {
  return on_ && (key == Qt::Key_Escape || (key >= Qt::Key_1 && key <= Qt::Key_9));
}

bool Joining::key(int key) {
  if (!takes_key(key)) return false;
  if (key != Qt::Key_Escape)
    begin(static_cast<JointKind>(key - Qt::Key_1));
  else if (first_)
    first_.reset();
  else
    end();
  emit changed();
  return true;
}

QString Joining::hint() const {
  if (!at_start()) return tr("Things are joined as they lie at the start: click in the view to go there");
  const bool gear = kind_ == JointKind::gear;
  QString what;
  if (gear)
    what = first_ ? tr("%1: click the second hinge") : tr("%1: click the symbol of the first hinge");
  else if (kind_ == JointKind::lead)
    what = !first_                ? tr("%1: click the place of an object that shall be led")
           : first_->point.object ? tr("%1: click where it is led to: in the world, or on another object")
                                  : tr("%1: click the place of an object that is led there");
  else if (kind_ == JointKind::pull)
    what = !first_                ? tr("%1: click the place of an object that shall be pulled")
           : first_->point.object ? tr("%1: click where it is pulled to")
                                  : tr("%1: click the place of an object that is pulled there");
  else if (!first_)
    what = tr("%1: click a point on the first object");
  else if (first_->point.object)
    what = tr("%1: click another object, or beside all for the world");
  else
    what = tr("%1: click the object that it holds to the world");
  const QString dot = QStringLiteral(" · ");
  return what.arg(joint_name(kind_)) + dot + (gear ? QString() : tr("Ctrl: no snapping") + dot) + tr("1–9: kind") +
         dot + (first_ ? tr("Esc starts again") : tr("Esc ends"));
}

QString Joining::kinds() const {
  return tr("1 ball · 2 hinge · 3 slider · 4 fixed · 5 spring · 6 rope · 7 gear · 8 lead · 9 pull");
}

QString Joining::name_of_aim(const Aim& aim) const {
  const Scene& scene = context_.document.scene();
  const QString name = name_of(scene, aim.hinge ? aim.hinge : aim.point.object);
  switch (aim.snap) {
    case Snap::none:
      return {};
    case Snap::world:
      return tr("The world");
    case Snap::vertex:
      return tr("%1, vertex").arg(name);
    case Snap::node:
      return tr("%1, node").arg(name);
    case Snap::middle:
      return tr("%1, middle").arg(name);
    case Snap::surface:
    case Snap::hinge:
      return name;
  }
  return name;
}

void Joining::paint(QPainter& painter) const {
  if (!on_) return;
  const auto pixel = [&](const Vec3& at) -> std::optional<QPointF> {
    const glm::vec3 p = navigation_.camera().project(to_float(at), navigation_.size());
    return p.z > 0 && p.z < 1 ? std::optional(QPointF(p.x, p.y)) : std::nullopt;
  };
  const auto mark = [&](QPointF at, const QColor& colour, bool snapped) {
    for (const auto& [width, ink] : {std::pair(4.0, QColor(0, 0, 0, 150)), std::pair(1.8, colour)}) {
      painter.setPen(QPen(ink, width));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(at, 7, 7);
      if (!snapped) continue;
      painter.drawLine(at - QPointF(11, 0), at - QPointF(4, 0));
      painter.drawLine(at + QPointF(4, 0), at + QPointF(11, 0));
      painter.drawLine(at - QPointF(0, 11), at - QPointF(0, 4));
      painter.drawLine(at + QPointF(0, 4), at + QPointF(0, 11));
    }
  };
  painter.save();
  const auto from = first_ ? pixel(first_->at) : std::nullopt;
  const auto to = aim_ && aim_->snap != Snap::none ? pixel(aim_->at) : std::nullopt;
  if (from && to) {
    painter.setPen(QPen(QColor(0, 0, 0, 150), 4));
    painter.drawLine(*from, *to);
    painter.setPen(QPen(kFirstColour, 1.8, Qt::DashLine));
    painter.drawLine(*from, *to);
  }
  if (from) mark(*from, kFirstColour, true);
  if (to) {
    mark(*to, kAimColour, aim_->snap != Snap::surface && aim_->snap != Snap::world);
    const QString text = name_of_aim(*aim_);
    QFont font = painter.font();
    font.setPixelSize(12);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const QRectF plate(*to + QPointF(15, -metrics.height() / 2 - 2),
                       QSizeF(metrics.horizontalAdvance(text) + 12, metrics.height() + 4));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0x17, 0x18, 0x1a, 215));
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(theme_colours().text);
    painter.drawText(plate, Qt::AlignCenter, text);
  }
  painter.restore();
}

}  // namespace hazumi
