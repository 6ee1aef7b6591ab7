#include "ui/viewport/contact_view.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QPainter>
#include <QPolygonF>

#include "core/playback/collision_shape.h"
#include "core/scene/derived/collections.h"
#include "core/scene/values/body_kinds.h"
#include "render/convert.h"
#include "ui/model/collisions.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/isolation.h"
#include "ui/model/selection.h"
#include "ui/widgets/theme.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kShapeColour{0.36f, 0.80f, 0.92f, 0.9f}, kChosenShapeColour{0.62f, 0.95f, 1.0f, 1.0f};
constexpr float kHiddenShare = 0.28f;  // of the opacity, behind other things
constexpr std::size_t kDense = 200;    // edges: of more only what is in front is drawn, and fainter
constexpr float kDenseOpacity = 0.5f;
constexpr int kCircle = 48;  // sides
constexpr int kPlaneLines = 8;
constexpr double kWeightPixels = 60, kMostPixels = 220, kNormalPixels = 22, kDiscPixels = 7;
constexpr std::size_t kMostArrows = 300;  // the strongest; of the others the points alone
constexpr double kLeastLabel = 1e-3;      // of the strongest force: what is less is not worth a number

const QColor kPointColour(0x5c, 0xd0, 0xea), kForceColour(0xff, 0xd2, 0x4a), kOtherForceColour(0xc8, 0xb0, 0x74);

std::optional<QPointF> pixel_of(const ContactView::View& view, const glm::vec3& world) {
  const glm::vec3 p = view.camera.project(world, view.size);
  if (!(p.z > 0 && p.z < 1)) return std::nullopt;
  return QPointF(p.x, p.y);
}

/// Lines of a shape, world, pairs.
void shape_lines(const CollisionShape& shape, const ObjectFrame& object, const std::vector<Vec3f>& points,
                 std::vector<Vec3f>& out) {
  for (const auto& [i, j] : shape.edges) {
    out.push_back(points[i]);
    out.push_back(points[j]);
  }
  const auto world = [&](const Vec3f& p) { return Vec3f(object.rotation * (shape.centre + p) + object.position); };
  const auto line = [&](const Vec3f& p, const Vec3f& q) {
    out.push_back(world(p));
    out.push_back(world(q));
  };
  if (shape.ball)
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < kCircle; ++k) {
        Vec3f p = Vec3f::Zero(), q = Vec3f::Zero();
        for (auto [end, n] : {std::pair(&p, k), std::pair(&q, k + 1)}) {
          const float angle = 2 * 3.14159265f * static_cast<float>(n) / kCircle;
          (*end)[(axis + 1) % 3] = shape.radius * std::cos(angle);
          (*end)[(axis + 2) % 3] = shape.radius * std::sin(angle);
        }
        line(p, q);
      }
  if (!shape.plane) return;
  const float r = shape.radius / std::sqrt(2.0f);
  for (int k = 0; k <= kPlaneLines; ++k) {
    const float t = r * (2 * static_cast<float>(k) / kPlaneLines - 1);
    line({t, 0, -r}, {t, 0, r});
    line({-r, 0, t}, {r, 0, t});
  }
}

QRectF label_plate(const QPainter& painter, QPointF at, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  return QRectF(at + QPointF(9, -metrics.height() / 2 - 1),
                QSizeF(metrics.horizontalAdvance(text) + 10, metrics.height() + 2));
}

void draw_contact_label(QPainter& painter, const QRectF& plate, const QString& text) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(0x17, 0x18, 0x1a, 215));
  painter.drawRoundedRect(plate, 4, 4);
  painter.setPen(theme_colours().text);
  painter.drawText(plate, Qt::AlignCenter, text);
}

/// A line with a dark edge, so that it is seen on bright things too.
void draw_edged(QPainter& painter, QPointF from, QPointF to, const QColor& colour, double width) {
  painter.setPen(QPen(QColor(0, 0, 0, 150), width + 2, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(from, to);
  painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(from, to);
}

void draw_arrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour) {
  const QPointF way = to - from;
  const double length = std::hypot(way.x(), way.y());
  if (length < 2) return;
  const QPointF along = way / length, across(-along.y(), along.x());
  const double head = std::min(10.0, 0.6 * length);
  const QPointF neck = to - head * along;
  draw_edged(painter, from, neck, colour, 2.4);
  painter.setPen(QPen(QColor(0, 0, 0, 150), 1));
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF{to, neck + 0.45 * head * across, neck - 0.45 * head * across});
}

/// The plane of contact, as a small disc that lies in it.
void draw_disc(QPainter& painter, const ContactView::View& view, const ContactView::Mark& mark) {
  const Vec3f side = mark.up.unitOrthogonal(), other = mark.up.cross(side);
  const glm::vec3 centre = to_glm(mark.point);
  const float radius = static_cast<float>(kDiscPixels) * view.camera.metres_per_pixel(centre, view.size);
  QPolygonF disc;
  for (int k = 0; k < 24; ++k) {
    const float angle = 2 * 3.14159265f * static_cast<float>(k) / 24;
    if (const auto p =
            pixel_of(view, to_glm(Vec3f(mark.point + radius * (std::cos(angle) * side + std::sin(angle) * other)))))
      disc << *p;
  }
  QColor fill = kPointColour;
  fill.setAlpha(70);
  painter.setPen(QPen(kPointColour, 1.2));
  painter.setBrush(fill);
  painter.drawPolygon(disc);
}

}  // namespace

ContactView::ContactView(UiContext& context, QObject* parent) : QObject(parent), context_(context) {}

void ContactView::set_contacts(bool on) {
  if (contacts_ == on) return;
  contacts_ = on;
  emit changed();
}

void ContactView::set_shapes(Shapes shapes) {
  if (shapes_ == shapes) return;
  shapes_ = shapes;
  emit changed();
}

bool ContactView::shows(Id id, const Standing& standing) const {
  if (shapes_ == Shapes::selected && !context_.selection.contains(id)) return false;
  const Object* object = find_object(context_.document.scene(), id);
  return object && standing.visible(*object);
}

/// N: the mean weight of what moves; on the earth, where there is no gravity.
double ContactView::weight() const {
  const Scene& scene = context_.document.scene();
  double mass = 0;
  int count = 0;
  for (const auto& object : scene.objects) {
    if (!body_kind(object->body.kind).moves) continue;
    mass += object->body.mass;
    ++count;
  }
  const double g = scene.settings.gravity.norm();
  return count > 0 && mass > 0 ? mass / count * (g > 0 ? g : 9.81) : 1;
}

void ContactView::draw(RenderList& list, const FramePtr& frame) const {
  if (shapes_ == Shapes::off || !frame || !frame->shapes) return;
  DrawLines seen, hidden;
  seen.width = hidden.width = 1.3f;
  hidden.on_top = true;
  std::vector<Vec3f> points, lines;
  const Standing standing(context_.document.scene(), &context_.isolation.aside());
  for (std::size_t k = 0; k < frame->objects.size(); ++k) {
    const ObjectFrame& object = frame->objects[k];
    const CollisionShape& shape = (*frame->shapes)[k];
    if (!object.present || !shows(object.id, standing)) continue;
    const bool dense = shape.edges.size() > kDense;
    glm::vec4 colour = context_.selection.contains(object.id) ? kChosenShapeColour : kShapeColour;
    place_points(shape, object, points);
    if (shape.edges.empty())
      for (const Vec3f& p : points) list.points_on_top.push_back({to_glm(p), colour, 4});
    if (dense) colour.a *= kDenseOpacity;
    lines.clear();
    shape_lines(shape, object, points, lines);
    for (const Vec3f& p : lines) {
      seen.vertices.push_back({to_glm(p), colour});
      if (!dense) hidden.vertices.push_back({to_glm(p), glm::vec4(glm::vec3(colour), kHiddenShare * colour.a)});
    }
  }
  for (DrawLines* drawn : {&hidden, &seen})
    if (!drawn->vertices.empty()) list.lines.push_back(std::move(*drawn));
}

std::vector<ContactView::Mark> ContactView::marks(const View& view) const {
  std::vector<Mark> marks;
  if (!contacts_ || !view.frame) return marks;
  const Scene& scene = context_.document.scene();
  const double unit = weight();
  const Standing standing(scene, &context_.isolation.aside());
  for (const FrameContact& contact : view.frame->contacts) {
    const auto shown = [&](Id id) {
      const Object* object = find_object(scene, id);
      const ParticleSource* source = object ? nullptr : find_source(scene, id);  // whose copy it is
      return (object && standing.visible(*object)) || (source && standing.visible(*source));
    };
    if (!shown(contact.a) || !shown(contact.b)) continue;
    const Object* a = find_object(scene, contact.a);
    const bool chosen_a = context_.selection.contains(contact.a), chosen_b = context_.selection.contains(contact.b);
    const bool on_a = chosen_a != chosen_b ? chosen_a : !a || body_kind(a->body.kind).moves;
    const float sign = on_a ? 1 : -1;
    Mark mark;
    mark.point = contact.point;
    mark.up = sign * contact.normal;
    mark.newton = static_cast<double>(contact.force.norm());
    mark.selected = chosen_a || chosen_b;
    const glm::vec3 at = to_glm(contact.point);
    const auto pixel = pixel_of(view, at);
    if (!pixel) continue;
    mark.at = mark.tip = mark.normal = *pixel;
    const float metre = view.camera.metres_per_pixel(at, view.size);
    const auto end = [&](const Vec3f& way, double pixels) {
      return pixel_of(view, to_glm(Vec3f(contact.point + static_cast<float>(pixels) * metre * way))).value_or(*pixel);
    };
    mark.normal = end(mark.up, kNormalPixels);
    if (mark.newton > 0)
      mark.tip =
          end(sign * contact.force.normalized(), std::min(kWeightPixels * std::sqrt(mark.newton / unit), kMostPixels));
    marks.push_back(mark);
  }
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& x, const Mark& y) {
    return x.selected != y.selected ? y.selected : x.newton < y.newton;
  });
  return marks;
}

QString ContactView::summary(const Frame& frame) const {
  const Id active = context_.selection.active();
  if (!context_.selection.contains(active)) return {};
  std::map<Id, Vec3f> from;
  for (const FrameContact& contact : frame.contacts) {
    if (contact.a != active && contact.b != active) continue;
    const bool on_a = contact.a == active;
    const auto at = from.try_emplace(on_a ? contact.b : contact.a, Vec3f::Zero()).first;
    at->second += on_a ? contact.force : Vec3f(-contact.force);
  }
  if (from.empty()) return {};
  const Scene& scene = context_.document.scene();
  std::vector<std::pair<double, Id>> sorted;
  for (const auto& [id, force] : from) sorted.emplace_back(static_cast<double>(force.norm()), id);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  constexpr std::size_t kMostNamed = 3;
  QStringList parts;
  for (std::size_t k = 0; k < std::min(sorted.size(), kMostNamed); ++k)
    parts << tr("%1 from %2").arg(figure_text(sorted[k].first, QStringLiteral("N")), name_of(scene, sorted[k].second));
  if (sorted.size() > kMostNamed) parts << tr("%1 more").arg(sorted.size() - kMostNamed);
  return tr("%1: %2").arg(name_of(scene, active), parts.join(QStringLiteral(", ")));
}

void ContactView::paint(QPainter& painter, const View& view, const QRectF& area) const {
  if (!contacts_ || !view.frame) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = painter.font();
  font.setPixelSize(12);
  font.setBold(false);
  painter.setFont(font);
  const std::vector<Mark> all = marks(view);
  const std::size_t plain = all.size() > kMostArrows ? all.size() - kMostArrows : 0;
  painter.setPen(QPen(kPointColour, 4, Qt::SolidLine, Qt::RoundCap));
  for (std::size_t k = 0; k < plain; ++k) painter.drawPoint(all[k].at);
  for (std::size_t k = plain; k < all.size(); ++k) {
    const Mark& mark = all[k];
    draw_disc(painter, view, mark);
    draw_edged(painter, mark.at, mark.normal, kPointColour, 1.4);
    draw_arrow(painter, mark.at, mark.tip, mark.selected ? kForceColour : kOtherForceColour);
    painter.setPen(QPen(QColor(0, 0, 0, 170), 1));
    painter.setBrush(kPointColour);
    painter.drawEllipse(mark.at, 3.2, 3.2);
  }
  // Numbers, the strongest first; one that would cover another is left out.
  std::vector<QRectF> taken;
  const double strongest = all.empty() ? 0 : all.back().newton;
  for (std::size_t k = all.size(); k-- > plain;) {
    if (!all[k].selected || !(all[k].newton > kLeastLabel * strongest)) continue;
    const QString text = figure_text(all[k].newton, QStringLiteral("N"));
    const QRectF plate = label_plate(painter, all[k].tip, text);
    if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(plate); })) continue;
    taken.push_back(plate);
    draw_contact_label(painter, plate, text);
  }
  QString text = all.empty() ? tr("No contacts in frame %1").arg(view.frame->index) : summary(*view.frame);
  if (!text.isEmpty()) {
    text = painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(area.width() - 160));
    const QRectF plate = label_plate(painter, QPointF(area.left() + 3, area.bottom() - 48), text);
    draw_contact_label(painter, plate, text);
  }
  painter.restore();
}

}  // namespace hazumi
