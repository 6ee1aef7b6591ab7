// Ropes that are added: one that hangs from a place, one from object to object.
#include <algorithm>
#include <cmath>

#include "core/math/catenary.h"
#include "core/math/rotation.h"
#include "core/scene/derived/joined.h"
#include "core/scene/values/field_rows.h"
#include "ui/model/commands.h"
#include "ui/model/document_controller.h"
#include "ui/model/joint_commands.h"
#include "ui/model/last_operation.h"
#include "ui/model/operation.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"

namespace hazumi {

namespace {

using namespace rows;

constexpr double kPart = 0.06;  // m, about, of what a rope is divided into
constexpr int kLeastParts = 6, kMostParts = 60;
constexpr double kPerMetre = 0.5;               // kg
constexpr double kStiffness = 5000;             // N
constexpr double kHighest = 2;                  // m, of what hangs from nothing
constexpr double kLength = 1.5, kThick = 0.03;  // m

struct RopeParameters {
  Vec3 from = Vec3(0, kHighest, 0), to = from;  ///< m, world
  bool between = false;                         ///< two things; else it hangs down from `from`
  double length = kLength;                      ///< m, of one that hangs down
  double slack = 0.1;                           ///< of the other: longer than it is far by this share
  double thickness = kThick;                    ///< m
  int parts = 24;
  double mass = kPerMetre;  ///< kg/m
  double stiffness = kStiffness;
  double bending = 1e-3;
};

std::span<const Field<RopeParameters>> rope_fields() {
  using Owner = RopeParameters;
  static constexpr auto hangs = [](const Owner& o) { return !o.between; };
  static constexpr auto between = [](const Owner& o) { return o.between; };
  // clang-format off
  static const std::vector<Field<Owner>> table = {
      ROW(from, "Upper end", "", "m", kAny, look, hangs, "Where it hangs, in the world."),
      ROW(length, "Length", "", "m", above(0, 1e4), look, hangs, "How long the rope is."),
      ROW(slack, "Slack", "", "", within(0, 10, 0.01), look, between,
          "By how much of the distance the rope is longer than that; 0: it is taut."),
      ROW(thickness, "Thickness", "", "m", above(0, 100), look, always, "Of the rope, all through."),
      ROW(parts, "Parts", "", "", within(1, 200, 1), look, always,
          "How many straight parts it bends between; its stiffness stays."),
      ROW(mass, "Mass per metre", "", "kg/m", above(0, 1e6), look, always,
          "A string 0.005, a washing line 0.05, a climbing rope 0.07, a thick hawser 1."),
      ROW(stiffness, "Stiffness", "", "N", above(0, 1e9), look, always,
          "Newtons that would stretch it by its own length, however finely it is divided."),
      ROW(bending, "Bending", "", "N m²", within(0, 1e3, 1e-4), look, always,
          "How stiff it is against bending: string 1e-5, rope 1e-3, cable 0.1."),
  };
  // clang-format on
  return table;
}

/// The rope itself, and how it hangs at the start.
Object rope_of(const RopeParameters& p) {
  Object rope;
  rope.material = material_from("yellow rubber");
  rope.material.substance.restitution = 0;
  rope.material.substance.friction = 0.5;
  rope.material.surface.ambient = rope.material.surface.diffuse = Vec3(0.62, 0.47, 0.29);
  const Vec3 way = p.to - p.from;
  const double far = way.norm(), length = p.between ? far * (1 + p.slack) : p.length;
  rope.display.primitive = {PrimitiveShape::cylinder, Vec3(p.thickness, length, p.thickness), {16, 3 * p.parts, 2}};
  rope.analysis.kind = AnalysisKind::rope;
  rope.analysis.size = rope.display.primitive.size;
  make_rope(rope);
  rope.analysis.divisions = {p.parts, 1, 1};
  rope.analysis.bending = p.bending;
  rope.body.mass = p.mass * length;
  rope.body.stiffness = p.stiffness;
  rope.body.damping = 1e-3 * p.stiffness;
  rope.transform.position = p.from - Vec3(0, 0.5 * length, 0);
  if (!p.between || !(far > 0)) return rope;
  rope.transform.position = 0.5 * (p.from + p.to);
  rope.transform.rotation = turn_onto(Vec3::UnitY(), way);
  if (p.slack == 0) return rope;
  const Vec3 level(way.x(), 0, way.z());
  const Vec3 out = level.norm() > 0 ? Vec3(level.normalized()) : Vec3(Vec3::UnitX());
  const std::vector<Vec2> places = catenary(level.norm(), way.y(), length, p.parts);
  const Quat back = rope.transform.rotation.conjugate();
  for (int k = 0; k <= p.parts; ++k) {
    const Vec2& at = places[static_cast<std::size_t>(k)];
    const Vec3 place = p.from + at.x() * out + at.y() * Vec3::UnitY() - rope.transform.position;
    rope.body.start.push_back(
        {back * place - Vec3(0, (static_cast<double>(k) / p.parts - 0.5) * length, 0), Vec3::Zero()});
  }
  return rope;
}

/// A joint that holds a place of the rope.
void hook(Scene& scene, Id object, const Object& rope, const Vec3& place) {
  Joint joint;
  joint.kind = JointKind::ball;
  joint.a.object = object.value;
  joint.b.object = rope.id.value;
  joint = with_places(joint, {place, place, Quat::Identity()}, placed_in(scene));
  joint.id = next_id(scene);
  joint.name = unique_name(scene, tr("Hook").toStdString());
  scene.joints.emplace_back(std::move(joint));
}

}  // namespace

void make_rope(Object& object) {
  const Vec3& size = object.analysis.size;
  object.analysis.kind = AnalysisKind::rope;
  const double length = size.maxCoeff();
  const int parts = std::clamp(static_cast<int>(std::lround(length / kPart)), kLeastParts, kMostParts);
  object.analysis.divisions = {parts, 1, 1};
  object.analysis.bending = 1e-3;
  if (!bends(object.body)) {
    object.body.mass_source = MassSource::given;
    object.body.mass = kPerMetre * length;
    object.body.stiffness_source = StiffnessSource::given;
    object.body.stiffness = kStiffness;
    object.body.damping = 1e-3 * kStiffness;
  }
  object.body.kind = kBendingBody;
  object.body.solver = "springs";
  object.body.start.clear();
  object.body.start_springs.clear();
  object.contact.self_collision = true;
  if (object.body.drag_linear == 0) object.body.drag_linear = 0.3;
  Primitive& seen = object.display.primitive;
  const bool along_y = seen.shape == PrimitiveShape::cylinder || seen.shape == PrimitiveShape::capsule ||
                       seen.shape == PrimitiveShape::cone || seen.shape == PrimitiveShape::tube;
  if (object.display.kind == DisplayKind::primitive && along_y && size.y() == length)
    seen.divisions[1] = std::max(seen.divisions[1], 3 * parts);
}

Id add_rope(DocumentController& document, Selection& selection) {
  const Scene& scene = document.scene();
  std::vector<Id> ends;
  for (const Id id : selection.ids())
    if (find_object(scene, id)) ends.push_back(id);
  RopeParameters parameters;
  parameters.between = ends.size() == 2;
  if (parameters.between) {
    if (ends[0] == selection.active()) std::swap(ends[0], ends[1]);
    std::tie(parameters.from, parameters.to) = line_between(scene, ends[0], ends[1], document.meshes());
    const double length = (parameters.to - parameters.from).norm() * (1 + parameters.slack);
    parameters.parts = std::clamp(static_cast<int>(std::lround(length / kPart)), kLeastParts, kMostParts);
  } else {
    ends = {Id{}};
  }
  const Id id = next_id(scene);
  const std::string name = unique_name(scene, tr("Rope").toStdString());
  auto operation = std::make_unique<OperationOf<RopeParameters>>(
      rows_of(rope_fields()), parameters, [ends, id, name, &selection](const Scene& before, const RopeParameters& p) {
        Operation::Made made{before, [&selection, id] { selection.select_only(id); }, {}};
        if (p.between && !((p.to - p.from).norm() > p.thickness)) {
          made.problem = tr("The two objects are nearer to each other than the rope is thick.");
          return made;
        }
        Object rope = rope_of(p);
        rope.id = id;
        rope.name = name;
        made.scene.objects.push_back(Shared<Object>(rope));
        hook(made.scene, ends[0], rope, p.from);
        if (p.between) hook(made.scene, ends[1], rope, p.to);
        return made;
      });
  return document.last_operation().begin(tr("Add %1").arg(QString::fromStdString(name)), std::move(operation)).ok()
             ? id
             : Id{};
}

}  // namespace hazumi
