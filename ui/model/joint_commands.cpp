#include "ui/model/joint_commands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "core/geometry/mesh/face_tree.h"
#include "core/scene/derived/joined.h"
#include "core/scene/derived/skinning.h"
#include "core/scene/derived/tracks.h"
#include "core/scene/values/field_rows.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/last_operation.h"
#include "ui/model/operation.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

using namespace rows;

constexpr double kHang = 1;  // m, from the world down to what hangs on a new spring or rope
constexpr double kWide =
    2.5;  // times as large as the other: it is joined where that is, and not in the line to its middle

/// A joint to be made, with all that its kinds may ask for; world.
struct Link {
  Id a, b;                    ///< none: the world
  Vec3 place = Vec3::Zero();  ///< of one place
  Vec3 end_a = Vec3::Zero(), end_b = Vec3::Zero();
  std::optional<Vec3> target = std::nullopt;  ///< of a lead; nothing: where the place is that it leads
  Vec3 along = Vec3::UnitX();                 ///< from one to the other, unit
  std::optional<Vec3> axis = std::nullopt;    ///< as it was asked for
};

enum class JoinAxis { automatic, x, y, z, along };

struct JoinParameters {
  JointKind kind = JointKind::ball;
  JoinAxis axis = JoinAxis::automatic;
  Vec3 place = Vec3::Zero();  ///< m, world, of a single joint
  bool single = true;
};

std::span<const Field<JoinParameters>> join_fields() {
  using Owner = JoinParameters;
  static constexpr std::array<std::string_view, 6> kKinds{"ball", "hinge", "slider", "fixed", "spring", "rope"};
  static constexpr std::array<std::string_view, 5> kAxes{"automatic", "x", "y", "z", "along"};
  static constexpr auto turned = [](const Owner& o) { return has_axis(o.kind); };
  static constexpr auto placed = [](const Owner& o) { return o.single && !has_length(o.kind); };
  static constexpr auto of_kinds = [](const Owner& o) { return !has_target(o.kind); };
  // clang-format off
  static const std::vector<Field<Owner>> table = {
      Field<Owner>{"kind", "Kind", "", "",
          "What the joint lets through: see its own Kind in Properties.",
          FieldType::choice, Effect::look, 0, kKinds.size() - 1, false, 1, kKinds,
          [](const Owner& o) -> FieldValue { return static_cast<std::int64_t>(o.kind); },
          [](Owner& o, const FieldValue& v) { o.kind = static_cast<JointKind>(std::get<std::int64_t>(v)); },
          of_kinds},
      Field<Owner>{"axis", "Axis", "", "",
          "What it turns about or slides along: an axis of the world, or the line from one object to the other; automatic: a hinge "
          "lies across that line, a slider along it.",
          FieldType::choice, Effect::look, 0, kAxes.size() - 1, false, 1, kAxes,
          [](const Owner& o) -> FieldValue { return static_cast<std::int64_t>(o.axis); },
          [](Owner& o, const FieldValue& v) { o.axis = static_cast<JoinAxis>(std::get<std::int64_t>(v)); },
          turned},
      ROW(place, "Place", "", "m", kAny, look, placed,
          "Where the joint is, in the world; of a lead: the place of the object that it leads."),
  };
  // clang-format on
  return table;
}

Vec3 axis_of(const Link& link, JointKind kind, JoinAxis axis) {
  switch (axis) {
    case JoinAxis::x:
      return Vec3::UnitX();
    case JoinAxis::y:
      return Vec3::UnitY();
    case JoinAxis::z:
      return Vec3::UnitZ();
    case JoinAxis::along:
      return link.along;
    case JoinAxis::automatic:
      break;
  }
  if (link.axis) return *link.axis;
  if (kind == JointKind::slider) return link.along;
  // Level and across the line; of one that goes straight down, towards who looks from the front.
  const Vec3 across = link.along.cross(Vec3::UnitY());
  return across.norm() > 0.1 ? Vec3(across.normalized()) : Vec3(Vec3::UnitZ());
}

Joint joint_of(const Scene& scene, const Link& link, const JoinParameters& p) {
  Joint joint;
  joint.kind = p.kind;
  joint.a.object = link.a.value;
  joint.b.object = link.b.value;
  JointPlaces places;
  const bool two = has_length(p.kind), led = has_target(p.kind);
  places.a = two ? link.end_a : p.single ? p.place : link.place;
  places.b = two ? link.end_b : led && link.target ? *link.target : places.a;
  places.turn = turn_to(axis_of(link, p.kind, p.axis));
  return with_places(joint, places, placed_in(scene));
}

Operation::Made made_joints(const Scene& before, const std::vector<Link>& links, const JoinParameters& p,
                            Selection& selection) {
  Operation::Made made{before, {}, {}};
  std::set<Id> ids;
  for (const Link& link : links) {
    Joint joint = joint_of(before, link, p);
    joint.id = next_id(made.scene);
    joint.name = unique_name(made.scene, joint_name(p.kind).toStdString());
    ids.insert(joint.id);
    made.scene.joints.push_back(Shared<Joint>(std::move(joint)));
  }
  made.select = [&selection, ids] { selection.set(ids); };
  return made;
}

bool make(DocumentController& document, Selection& selection, const QString& text, std::vector<Link> links,
          JointKind kind) {
  JoinParameters parameters;
  parameters.kind = kind;
  parameters.single = links.size() == 1;
  parameters.place = links.front().place;
  auto operation = std::make_unique<OperationOf<JoinParameters>>(
      rows_of(join_fields()), parameters,
      [links = std::move(links), &selection](const Scene& before, const JoinParameters& now) {
        return made_joints(before, links, now, selection);
      });
  return document.last_operation().begin(text, std::move(operation)).ok();
}

Vec3 middle_of(const Object& object, MeshStore& meshes) {
  const Box3 box = bounds(*meshes.mesh(object));
  const Vec3 own = box.valid() ? box.centre() : Vec3(Vec3::Zero());
  return object.transform.position + object.transform.rotation * own;
}

/// Where the line from `from` to `to` meets the object, as parts of the line: first and last; nothing: it misses.
std::optional<std::pair<double, double>> met(const Object& object, const Vec3& from, const Vec3& to,
                                             MeshStore& meshes) {
  const auto mesh = meshes.mesh(object);
  const Quat back = object.transform.rotation.conjugate();
  const MeshRay ray{back * (from - object.transform.position), back * (to - from)};
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const auto& face : mesh->faces) {
    const double at = hit_triangle(ray, mesh->positions[face[0]], mesh->positions[face[1]], mesh->positions[face[2]]);
    if (!std::isfinite(at) || at > 1) continue;
    first = std::min(first, at);
    last = std::max(last, at);
  }
  if (first > last) return std::nullopt;
  return std::pair(first, last);
}

/// The point of the object's box that is nearest to a place.
Vec3 nearest_of_box(const Object& object, const Vec3& place, MeshStore& meshes) {
  const Box3 box = bounds(*meshes.mesh(object));
  if (!box.valid()) return object.transform.position;
  const Vec3 own = object.transform.rotation.conjugate() * (place - object.transform.position);
  return object.transform.position + object.transform.rotation * own.cwiseMax(box.low).cwiseMin(box.high);
}

/// The ends of the line between two objects, from surface to surface.
std::pair<Vec3, Vec3> between(const Object& a, const Object& b, MeshStore& meshes) {
  Vec3 from = middle_of(a, meshes), to = middle_of(b, meshes);
  const auto size = [&](const Object& o) {
    const Box3 box = bounds(*meshes.mesh(o));
    return box.valid() ? box.size().maxCoeff() : 0.0;
  };
  if (size(b) > kWide * size(a))
    to = nearest_of_box(b, from, meshes);
  else if (size(a) > kWide * size(b))
    from = nearest_of_box(a, to, meshes);
  if (from == to) return {from, to};
  const auto out = met(a, from, to, meshes), in = met(b, from, to, meshes);
  return {from + (out ? out->second : 0) * (to - from), from + (in ? in->first : 1) * (to - from)};
}

Link link_of(const Scene& scene, Id first, Id second, MeshStore& meshes) {
  const Object &a = *find_object(scene, first), &b = *find_object(scene, second);
  Link link{first, second};
  const Vec3 from = middle_of(a, meshes), to = middle_of(b, meshes);
  const auto [near_a, near_b] = between(a, b, meshes);
  link.place = 0.5 * (near_a + near_b);
  // A spring or rope from surface to surface; of two that touch from middle to middle.
  const bool apart = (near_b - near_a).dot(to - from) > 0.05 * (to - from).squaredNorm();
  link.end_a = apart ? near_a : from;
  link.end_b = apart ? near_b : to;
  if ((to - from).norm() > 0) link.along = (to - from).normalized();
  return link;
}

/// It hangs on the world: what has two places a metre above it.
Link link_to_world(const Scene& scene, Id id, MeshStore& meshes) {
  const Object& object = *find_object(scene, id);
  Link link{Id{}, id};
  link.place = link.end_b = middle_of(object, meshes);
  const Box3 box = bounds(*meshes.mesh(object));
  link.end_a = link.end_b + Vec3(0, kHang + (box.valid() ? 0.5 * box.size().norm() : 0), 0);
  link.along = Vec3::UnitY();
  return link;
}

/// A place of the first is led, between it and the second, or its middle.
bool lead(DocumentController& document, Selection& selection, std::vector<Link> links) {
  const Scene& scene = document.scene();
  for (Link& link : links)
    if (!link.a) std::swap(link.a, link.b);
  const QString of = links.size() == 1 ? name_of(scene, links[0].a) : tr("%1 Objects").arg(links.size() + 1);
  const QString text = links.size() == 1 && links[0].b ? tr("Lead %1 to %2").arg(of, name_of(scene, links[0].b))
                       : links.size() == 1             ? tr("Lead %1 to a Place").arg(of)
                                                       : tr("Lead %1 in a Row").arg(of);
  return make(document, selection, text, std::move(links), JointKind::lead);
}

/// The objects and the curves among what is selected.
struct Leading {
  std::vector<const Object*> objects;
  std::vector<const Curve*> curves;
};

Leading leading_of(const Scene& scene, const Selection& selection) {
  Leading all{selected_objects_of(scene, selection), {}};
  for (const Id id : selection.ids())
    if (const Curve* curve = find_curve(scene, id)) all.curves.push_back(curve);
  return all;
}

/// Evenly from the start of its curve to the end, from this frame on.
Scene with_way_keys(Scene scene, Id joint, int frame) {
  const SceneSettings range = scene.settings;
  const int first = frame < range.last_frame ? frame : range.first_frame;
  scene = with_key(std::move(scene), joint.value, "along", first / range.frame_rate, 0.0);
  if (range.last_frame > first)
    scene = with_key(std::move(scene), joint.value, "along", range.last_frame / range.frame_rate, 1.0);
  auto& track = scene.tracks.back();
  track = track.edited([](Track& t) {
    for (Key& key : t.keys) key.shape = KeyShape::linear;
  });
  return scene;
}

std::vector<Id> selected_hinges(const Scene& scene, const Selection& selection) {
  std::vector<Id> hinges;
  for (const Id id : selection.ids())
    if (const Joint* joint = find_joint(scene, id); joint && joint->kind == JointKind::hinge) hinges.push_back(id);
  return hinges;
}

/// The first hinge that holds the object and is not `other`; none: no id.
Id hinge_of(const Scene& scene, Id object, Id other) {
  for (const Id id : joints_of(scene, object))
    if (id != other && find_joint(scene, id)->kind == JointKind::hinge) return id;
  return {};
}

/// Two hinges, or none.
std::vector<Id> hinges_to_gear(const Scene& scene, const Selection& selection) {
  std::vector<Id> hinges = selected_hinges(scene, selection);
  if (hinges.size() == 2) return hinges;
  const std::vector<Id> objects = joining_order(scene, selection);
  if (!hinges.empty() || objects.size() != 2) return {};
  const Id first = hinge_of(scene, objects[0], {}), second = hinge_of(scene, objects[1], first);
  return first && second ? std::vector<Id>{first, second} : std::vector<Id>();
}

}  // namespace

QString joint_name(JointKind kind) {
  constexpr const char* kNames[] = {QT_TR_NOOP("Ball Joint"),  QT_TR_NOOP("Hinge"),  QT_TR_NOOP("Slider"),
                                    QT_TR_NOOP("Fixed Joint"), QT_TR_NOOP("Spring"), QT_TR_NOOP("Rope"),
                                    QT_TR_NOOP("Gear"),        QT_TR_NOOP("Lead"),   QT_TR_NOOP("Pull")};
  return tr(kNames[static_cast<std::size_t>(kind)]);
}

std::vector<Id> joining_order(const Scene& scene, const Selection& selection) {
  std::vector<Id> order;
  const auto& asked = selection.order();
  for (const Id id : asked)
    if (find_object(scene, id)) order.push_back(id);
  if (!asked.empty()) return order;
  std::vector<const Object*> left = selected_objects_of(scene, selection);
  if (left.empty()) return order;
  Vec3 centre = Vec3::Zero();
  for (const Object* object : left) centre += object->transform.position / static_cast<double>(left.size());
  const auto distance = [](const Object* object, const Vec3& from) {
    return (object->transform.position - from).norm();
  };
  // An end of the row is what is farthest from its middle.
  auto next = std::max_element(left.begin(), left.end(), [&](const Object* a, const Object* b) {
    return distance(a, centre) < distance(b, centre);
  });
  while (!left.empty()) {
    const Object* object = *next;
    order.push_back(object->id);
    left.erase(next);
    const Vec3 from = object->transform.position;
    next = std::min_element(left.begin(), left.end(),
                            [&](const Object* a, const Object* b) { return distance(a, from) < distance(b, from); });
  }
  return order;
}

std::pair<Vec3, Vec3> line_between(const Scene& scene, Id first, Id second, MeshStore& meshes) {
  const Link link = link_of(scene, first, second, meshes);
  return {link.end_a, link.end_b};
}

Vec3 joining_place(const Object& a, const Object& b, MeshStore& meshes) {
  const auto [near_a, near_b] = between(a, b, meshes);
  return 0.5 * (near_a + near_b);
}

QString no_joining(const Scene& scene, const Selection& selection, JointKind kind) {
  if (kind == JointKind::gear)
    return hinges_to_gear(scene, selection).empty() ? tr("Select two hinges, or two objects that turn on hinges.")
                                                    : QString();
  const std::vector<const Object*> objects = selected_objects_of(scene, selection);
  if (objects.empty()) return tr("Select what shall be joined: one object to the world, two or more to each other.");
  for (const Object* object : objects)
    if (is_skin(*object))
      return tr("%1 is a skin that bends with others; join one of those.").arg(QString::fromStdString(object->name));
  const bool moves = std::any_of(objects.begin(), objects.end(),
                                 [](const Object* object) { return body_kind(object->body.kind).moves; });
  return moves ? QString() : tr("Nothing of what is selected moves by itself; make one rigid or flexible first.");
}

bool join_selected(DocumentController& document, Selection& selection, JointKind kind) {
  const Scene& scene = document.scene();
  if (!no_joining(scene, selection, kind).isEmpty()) return false;
  if (kind == JointKind::gear) {
    const std::vector<Id> hinges = hinges_to_gear(scene, selection);
    return join_hinges(document, selection, hinges[0], hinges[1]);
  }
  const std::vector<Id> order = joining_order(scene, selection);
  std::vector<Link> links;
  for (std::size_t i = 1; i < order.size(); ++i)
    links.push_back(link_of(scene, order[i - 1], order[i], document.meshes()));
  if (order.size() == 1) links.push_back(link_to_world(scene, order[0], document.meshes()));
  if (kind == JointKind::lead) return lead(document, selection, std::move(links));
  const QString text = order.size() == 1 ? tr("Join %1 to the World").arg(name_of(scene, order[0]))
                       : order.size() == 2
                           ? tr("Join %1 and %2").arg(name_of(scene, order[0]), name_of(scene, order[1]))
                           : tr("Join %1 Objects in a Row").arg(order.size());
  return make(document, selection, text, std::move(links), kind);
}

QString no_leading(const Scene& scene, const Selection& selection) {
  const Leading all = leading_of(scene, selection);
  if (all.curves.size() != 1 || all.objects.empty()) return tr("Select what shall be led, and one curve.");
  for (const Object* object : all.objects) {
    const QString name = QString::fromStdString(object->name);
    if (is_skin(*object)) return tr("%1 is a skin that bends with others; lead one of those.").arg(name);
    if (!body_kind(object->body.kind).moves)
      return tr("%1 does not move by itself; make it rigid or flexible, or let it follow the curve.").arg(name);
  }
  return {};
}

bool lead_along_curve(DocumentController& document, Selection& selection, int frame) {
  Scene next = document.scene();
  if (!no_leading(next, selection).isEmpty()) return false;
  const Leading all = leading_of(document.scene(), selection);
  const Curve& curve = *all.curves.front();
  std::set<Id> made;
  for (const Object* object : all.objects) {
    Joint joint;
    joint.id = next_id(next);
    joint.name = unique_name(next, joint_name(JointKind::lead).toStdString());
    joint.kind = JointKind::lead;
    joint.a = {object->id.value, place_of_end(object->transform, middle_of(*object, document.meshes()))};
    joint.curve = curve.id.value;
    made.insert(joint.id);
    const Id id = joint.id;
    next.joints.push_back(Shared<Joint>(std::move(joint)));
    next = with_way_keys(std::move(next), id, frame);
  }
  const QString of =
      all.objects.size() == 1 ? QString::fromStdString(all.objects[0]->name) : tr("%1 Objects").arg(all.objects.size());
  if (!document.edit(tr("Lead %1 along %2").arg(of, QString::fromStdString(curve.name)), std::move(next)).ok())
    return false;
  selection.set(made);
  return true;
}

QString no_joining(const Scene& scene, const JoinPoint& first, const JoinPoint& second) {
  if (!first.object && !second.object) return tr("A joint needs an object: one of the two points must be on one.");
  if (first.object == second.object) return tr("Click another object, or beside them all for the world.");
  bool moves = false;
  for (const Id id : {first.object, second.object}) {
    const Object* object = find_object(scene, id);
    if (!object) continue;
    moves = moves || body_kind(object->body.kind).moves;
    if (is_skin(*object))
      return tr("%1 is a skin that bends with others; join one of those.").arg(QString::fromStdString(object->name));
  }
  return moves ? QString() : tr("Neither of the two moves by itself; make one rigid or flexible first.");
}

bool join_points(DocumentController& document, Selection& selection, JointKind kind, const JoinPoint& first,
                 const JoinPoint& second, const Vec3& axis) {
  const Scene& scene = document.scene();
  const auto world = [&](const JoinPoint& point) {
    const Object* object = find_object(scene, point.object);
    return object ? object->transform * point.place : point.place;
  };
  if (has_target(kind)) {
    const JoinPoint &led = first.object ? first : second, &to = first.object ? second : first;
    Link link{led.object, kind == JointKind::pull ? Id{} : to.object};
    link.place = world(led);
    link.target = world(to);
    if (kind == JointKind::lead) return lead(document, selection, {link});
    return make(document, selection, tr("Pull %1 to a Place").arg(name_of(scene, led.object)), {link}, kind);
  }
  const bool swapped = first.object && !second.object;
  const JoinPoint &a = swapped ? second : first, &b = swapped ? first : second;
  Link link{a.object, b.object};
  link.place = world(first);
  link.end_a = world(a);
  link.end_b = world(b);
  const Vec3 way = link.end_b - link.end_a;
  if (way.norm() > 0) link.along = way.normalized();
  if (has_axis(kind)) link.axis = axis.normalized();
  const QString text = a.object ? tr("Join %1 and %2").arg(name_of(scene, a.object), name_of(scene, b.object))
                                : tr("Join %1 to the World").arg(name_of(scene, b.object));
  return make(document, selection, text, {link}, kind);
}

bool join_hinges(DocumentController& document, Selection& selection, Id first, Id second) {
  const Scene& scene = document.scene();
  Joint gear;
  gear.id = next_id(scene);
  gear.name = unique_name(scene, joint_name(JointKind::gear).toStdString());
  gear.kind = JointKind::gear;
  gear.first = first.value;
  gear.second = second.value;
  const Id id = gear.id;
  const QString text = tr("Gear %1 and %2").arg(name_of(scene, first), name_of(scene, second));
  auto operation = std::make_unique<OperationOf<Joint>>(
      rows_of(joint_fields(), {"ratio"}), std::move(gear), [&selection, id](const Scene& before, const Joint& made) {
        Operation::Made result{before, [&selection, id] { selection.select_only(id); }, {}};
        result.scene.joints.push_back(Shared<Joint>(made));
        return result;
      });
  return document.last_operation().begin(text, std::move(operation)).ok();
}

}  // namespace hazumi
