// What all modes do the same: motions in an object's frame, picking, and the edits of a selection.
#include "ui/modes/mode.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLineF>
#include <QPolygonF>
#include <QRectF>

#include "core/scene/derived/collections.h"
#include "render/picking.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/edited_thing.h"

namespace hazumi {

namespace {

/// Pixel of a world point; none when it is behind the eye.
std::optional<QPointF> pixel_of(const ModeView& view, const glm::vec3& world) {
  const glm::vec3 p = view.camera.project(world, view.size);
  if (!(p.z > 0 && p.z < 1)) return std::nullopt;
  return QPointF(p.x, p.y);
}

double segment_distance(QPointF a, QPointF b, QPointF p) {
  const QPointF d = b - a;
  const double along = std::max(QPointF::dotProduct(d, d), 1e-12);
  const double t = std::clamp(QPointF::dotProduct(p - a, d) / along, 0.0, 1.0);
  return QLineF(p, a + t * d).length();
}

/// Convex hull (Andrew's monotone chain) of points on the screen.
QPolygonF hull_of(std::vector<QPointF> points) {
  std::sort(points.begin(), points.end(),
            [](QPointF a, QPointF b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  if (points.size() < 3) return QPolygonF(QList<QPointF>(points.begin(), points.end()));
  std::vector<QPointF> hull(2 * points.size());
  std::size_t n = 0;
  const auto turns_left = [&](QPointF c) {
    const QPointF u = hull[n - 1] - hull[n - 2], v = c - hull[n - 2];
    return u.x() * v.y() - u.y() * v.x() > 0;
  };
  for (const QPointF& p : points) {
    while (n >= 2 && !turns_left(p)) --n;
    hull[n++] = p;
  }
  const std::size_t lower = n + 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) {
    while (n >= lower && !turns_left(points[i])) --n;
    hull[n++] = points[i];
  }
  hull.resize(n - 1);
  return QPolygonF(QList<QPointF>(hull.begin(), hull.end()));
}

double polygon_distance(const QPolygonF& polygon, QPointF p) {
  if (polygon.containsPoint(p, Qt::OddEvenFill)) return 0;
  double best = 1e9;
  for (qsizetype i = 0; i < polygon.size(); ++i)
    best = std::min(best, segment_distance(polygon[i], polygon[(i + 1) % polygon.size()], p));
  return best;
}

struct OnScreen {
  std::vector<QPointF> pixels;
  bool whole = true;  ///< no point lies behind the eye
};

OnScreen on_screen(const ModeView& view, const ElementShapes& shapes, const ElementShapes::Shape& shape) {
  OnScreen result;
  for (std::size_t i = shape.first; i < shape.first + shape.count; ++i) {
    if (const auto pixel = pixel_of(view, shapes.points[i]))
      result.pixels.push_back(*pixel);
    else
      result.whole = false;
  }
  return result;
}

/// In pixels; infinity when it is not in view.
double shape_distance(const ModeView& view, const ElementShapes& shapes, const ElementShapes::Shape& shape, QPointF p) {
  double best = 1e9;
  if (shape.kind == ElementShapes::Kind::segments) {
    for (std::size_t i = shape.first; i + 1 < shape.first + shape.count; i += 2) {
      const auto a = pixel_of(view, shapes.points[i]), b = pixel_of(view, shapes.points[i + 1]);
      if (a && b) best = std::min(best, segment_distance(*a, *b, p));
    }
    return best;
  }
  const OnScreen seen = on_screen(view, shapes, shape);
  if (seen.pixels.empty()) return best;
  if (shape.kind == ElementShapes::Kind::points) {
    for (const QPointF& q : seen.pixels) best = std::min(best, QLineF(q, p).length());
    return best;
  }
  if (!seen.whole) return best;
  if (shape.kind == ElementShapes::Kind::hull) return polygon_distance(hull_of(seen.pixels), p);
  return polygon_distance(QPolygonF(QList<QPointF>(seen.pixels.begin(), seen.pixels.end())), p);
}

double depth_of(const ModeView& view, const ElementShapes& shapes, const ElementShapes::Shape& shape) {
  glm::vec3 sum(0);
  for (std::size_t i = shape.first; i < shape.first + shape.count; ++i) sum += shapes.points[i];
  return view.camera.project(sum / static_cast<float>(std::max<std::size_t>(shape.count, 1)), view.size).z;
}

bool segment_meets(const QRectF& box, QPointF a, QPointF b) {
  if (box.contains(a) || box.contains(b)) return true;
  const QLineF line(a, b);
  const QPointF corners[] = {box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()};
  for (int i = 0; i < 4; ++i)
    if (line.intersects(QLineF(corners[i], corners[(i + 1) % 4]), nullptr) == QLineF::BoundedIntersection) return true;
  return false;
}

}  // namespace

// Places and motions --------------------------------------------------------------------------------------------------

Vec3 ObjectSpace::local_way(const Vec3& world) const {
  return (transform.rotation.conjugate() * world).cwiseQuotient(transform.scale);
}

Vec3 ObjectSpace::local(const Vec3& world) const { return local_way(world - transform.position); }

Vec3 ElementMotion::point(const Vec3& p) const {
  if (mode == TransformMode::move) return p + move;
  const bool still = mode == TransformMode::rotate ? angle == 0 : factors == Vec3::Ones();
  const Vec3 arm = p - pivot;
  if (still || arm.isZero(0)) return p;
  return pivot + linear * arm;
}

Transform ElementMotion::place(const Transform& own) const {
  Transform moved = own;
  if (mode == TransformMode::rotate && angle != 0) moved = rotated(own, pivot, axis, angle);
  if (mode == TransformMode::scale && factors != Vec3::Ones()) moved = scaled(own, pivot, frame, factors);
  moved.position = point(own.position);
  return moved;
}

ElementMotion in_object(const Transform& object, TransformMode mode, const Vec3& pivot, const Vec3& move,
                        const Vec3& axis, double angle, const Mat3& frame, const Vec3& factors) {
  Object holder;
  holder.transform = object;
  const ObjectSpace space(holder);
  const Mat3 rotation = object.rotation.toRotationMatrix();
  const Mat3 scale = object.scale.asDiagonal();
  const Mat3 unscale = object.scale.cwiseInverse().asDiagonal();
  ElementMotion motion;
  motion.mode = mode;
  motion.pivot = space.local(pivot);
  motion.move = space.local_way(move);
  motion.axis = (rotation.transpose() * axis).normalized();
  motion.angle = angle;
  motion.frame = rotation.transpose() * frame;
  motion.factors = factors;
  Mat3 world = Mat3::Identity();
  if (mode == TransformMode::rotate) world = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  if (mode == TransformMode::scale) world = frame * factors.asDiagonal() * frame.transpose();
  motion.linear = unscale * rotation.transpose() * world * rotation * scale;
  return motion;
}

// Picking -------------------------------------------------------------------------------------------------------------

void ElementShapes::add(Element element, Kind kind, std::span<const glm::vec3> world, float radius, int rank) {
  shapes.push_back({element, kind, points.size(), world.size(), radius, rank});
  points.insert(points.end(), world.begin(), world.end());
}

void ElementShapes::add_point(Element element, const glm::vec3& world, float radius, int rank) {
  add(element, Kind::points, {&world, 1}, radius, rank);
}

void ElementShapes::add_segment(Element element, const glm::vec3& a, const glm::vec3& b, float radius, int rank) {
  const glm::vec3 ends[] = {a, b};
  add(element, Kind::segments, ends, radius, rank);
}

std::optional<Element> element_at(const ModeInfo& mode, const ModeView& view, const RenderList& list, QPointF pixel,
                                  std::optional<Vec3>* surface) {
  ElementShapes shapes;
  mode.shapes(view, shapes);
  const ElementShapes::Shape* best = nullptr;
  double nearest = 0, depth = 0;
  for (const ElementShapes::Shape& shape : shapes.shapes) {
    if (best && shape.rank < best->rank) continue;
    const double distance = shape_distance(view, shapes, shape, pixel);
    if (distance > static_cast<double>(shape.radius)) continue;
    const double z = depth_of(view, shapes, shape);
    const bool closer = !best || shape.rank > best->rank || distance < nearest - 0.5 ||
                        (std::abs(distance - nearest) <= 0.5 && z < depth);
    if (!closer) continue;
    best = &shape;
    nearest = distance;
    depth = z;
  }
  const bool surface_counts = mode.at_surface && (!best || best->rank <= 0);
  std::optional<Vec3> place;
  if (surface_counts || surface) {
    Scene alone;
    Object object = view.object;
    object.visible = true;
    object.locked = false;
    alone.objects.push_back(Shared<Object>(std::move(object)));
    RenderList only;
    for (const DrawMesh& mesh : list.meshes)
      if (mesh.id == view.object.id) only.meshes.push_back(mesh);
    const auto hit =
        pick(only, alone, view.camera, {static_cast<float>(pixel.x()), static_cast<float>(pixel.y())}, view.size);
    if (hit) place = view.space.local(to_double(hit->point));
    if (surface) *surface = place;
  }
  if (surface_counts && place)
    if (const auto element = mode.at_surface(view, *place)) return element;
  if (best) return best->element;
  return std::nullopt;
}

Elements elements_in(const ModeInfo& mode, const ModeView& view, const QRectF& box) {
  ElementShapes shapes;
  mode.shapes(view, shapes);
  Elements inside;
  for (const ElementShapes::Shape& shape : shapes.shapes) {
    bool hit = false;
    if (shape.kind == ElementShapes::Kind::segments) {
      for (std::size_t i = shape.first; !hit && i + 1 < shape.first + shape.count; i += 2) {
        const auto a = pixel_of(view, shapes.points[i]), b = pixel_of(view, shapes.points[i + 1]);
        hit = a && b && segment_meets(box, *a, *b);
      }
    } else {
      const OnScreen seen = on_screen(view, shapes, shape);
      const auto is_inside = [&](QPointF p) { return box.contains(p); };
      if (shape.kind == ElementShapes::Kind::hull)
        hit = seen.whole && std::all_of(seen.pixels.begin(), seen.pixels.end(), is_inside);
      else
        hit = std::any_of(seen.pixels.begin(), seen.pixels.end(), is_inside);
    }
    if (hit) inside.insert(shape.element);
  }
  return inside;
}

// Edits ---------------------------------------------------------------------------------------------------------------

ElementPlace middle_of(std::span<const Vec3> places) {
  ElementPlace result;
  for (const Vec3& place : places) result.pivot += place;
  if (places.size() > 1) result.pivot /= static_cast<double>(places.size());
  return result;
}

bool ModeContext::edit(const QString& text, const std::function<void(Object&)>& change, quint64 merge_key) const {
  const Object* now = object();
  return now && ui.document.edit(text, with_edited(ui.document.scene(), now->id, change), merge_key).ok();
}

namespace {

/// One undo step on what is edited.
Status edit_inside(UiContext& context, const QString& text, Id id, const std::function<void(Object&)>& change,
                   quint64 merge_key = 0) {
  return context.document.edit(text, with_edited(context.document.scene(), id, change), merge_key);
}

}  // namespace

QString mode_refusal(const Scene& scene, Id id, const ModeInfo& mode) {
  const EditedThing edited;
  const Object* object = edited.find(scene, id);
  if (!object) return tr("Select the object to edit first.");
  const QString name = QString::fromStdString(object->name);
  if (Standing(scene).locked(*object)) return tr("%1 is locked. Unlock it in the outliner.").arg(name);
  const bool curve = find_curve(scene, id) != nullptr;
  if (curve != mode.of_curves) return curve ? tr("%1 is a curve.").arg(name) : tr("%1 is not a curve.").arg(name);
  return mode.why_not(*object);
}

const ModeInfo* find_mode(std::string_view id) {
  for (const ModeInfo* mode : modes())
    if (mode->id == id) return mode;
  return nullptr;
}

std::vector<const ModeInfo*> modes_in_order() {
  std::vector<const ModeInfo*> ordered(modes().begin(), modes().end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const ModeInfo* a, const ModeInfo* b) { return a->order < b->order; });
  return ordered;
}

QString elements_text(const UiContext& context) {
  const ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object || elements.empty()) return {};
  return tr("%1 in %2").arg(elements.mode()->name(*object, elements.elements()), QString::fromStdString(object->name));
}

void remove_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object || elements.empty()) return;
  const ModeInfo* mode = elements.mode();
  Elements gone = elements.elements();
  if (mode->with_partners && elements.mirror() >= 0) gone = mode->with_partners(*object, gone, elements.mirror());
  const Status done = edit_inside(context, tr("Delete %1").arg(elements_text(context)), object->id,
                                  [&](Object& o) { mode->remove(o, gone); });
  if (done.ok()) elements.clear();
}

quint64 duplicate_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object || elements.empty() || !elements.mode()->duplicate) return 0;
  const ModeInfo* mode = elements.mode();
  const Elements originals = elements.elements();
  const quint64 key = context.document.new_gesture();
  Elements copies;
  const Status done = edit_inside(
      context, tr("Duplicate %1").arg(elements_text(context)), object->id,
      [&](Object& o) { copies = mode->duplicate(o, originals); }, key);
  if (!done.ok() || copies.empty()) return 0;
  elements.set(copies);
  return key;
}

void hide_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object || elements.empty() || !elements.mode()->hide) return;
  const ModeInfo* mode = elements.mode();
  const Elements hidden = elements.elements();
  (void)edit_inside(context, tr("Hide %1").arg(elements_text(context)), object->id,
                    [&](Object& o) { mode->hide(o, hidden); });
}

void show_all_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object || !elements.mode()->show_all) return;
  const ModeInfo* mode = elements.mode();
  (void)edit_inside(context, tr("Show all in %1").arg(QString::fromStdString(object->name)), object->id,
                    [&](Object& o) { mode->show_all(o); });
}

namespace {

Elements all_meant(ElementSelection& owner, const Object& object) {
  Elements all = owner.mode()->elements(object);
  if (owner.mode()->meant)
    std::erase_if(all, [&](const Element& element) { return !owner.mode()->meant(owner, object, element); });
  return all;
}

}  // namespace

void select_all_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  if (const Object* object = elements.object()) elements.set(all_meant(elements, *object));
}

void invert_elements(UiContext& context) {
  ElementSelection& elements = context.elements;
  const Object* object = elements.object();
  if (!object) return;
  Elements others = all_meant(elements, *object);
  for (const Element& element : elements.elements()) others.erase(element);
  elements.set(std::move(others));
}

}  // namespace hazumi
