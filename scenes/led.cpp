// Scenes of what is led and of flexible parts that share nodes: a flag along a spline, two links that a force pulls.
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

/// A lead of a place of the object along a curve of its own, which is `way` beside the others.
void lead_along(Builder& b, const Object& object, const std::string& name, const Vec3& place, const CurveShape& way,
                double end) {
  Curve curve;
  static_cast<CurveShape&>(curve) = way;
  curve.id = {b.next++};
  curve.name = "Way of the " + name;
  curve.colour = Vec3(0.9, 0.62, 0.36);
  b.scene.curves.push_back(Shared<Curve>(curve));
  Joint lead;
  lead.id = {b.next++};
  lead.name = "Lead of the " + name;
  lead.kind = JointKind::lead;
  lead.a = {object.id.value, place};
  lead.curve = curve.id.value;
  b.scene.joints.emplace_back(lead);
  b.scene = with_key(std::move(b.scene), lead.id.value, "along", 0.3, 0.0);
  b.scene = with_key(std::move(b.scene), lead.id.value, "along", end, 1.0);
  b.next = next_id(b.scene).value;
}

}  // namespace

/// Thesis figure 3.2: the nodes of one edge follow a spline, all the rest follows them.
Scene flag() {
  Builder b("Flag along a spline",
            "Three nodes of its edge are led along splines; the cloth behind follows by physics. Move a point of a "
            "curve: it waves otherwise.",
            360);
  b.stage(1e7, 0.2, Vec3(0.50, 0.52, 0.48), Vec3(0.70, 0.78, 0.88));
  const Vec3 size(1.2, 0.04, 0.8), at(-2.2, 1.6, 0);
  Object flag = b.object("Flag", "red plastic", PrimitiveShape::box, size, at);
  flag.display.primitive.divisions = {24, 1, 16};
  flag.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));  // upright
  Builder::flexible(flag, AnalysisKind::plane_grid, {6, 1, 4}, 0.4, 45, 0.06, kHardSkin);
  Builder::physics(flag, 1e5, 0.1, 0.5);
  Builder::paint(flag, Vec3(0.78, 0.20, 0.16));
  flag.contact.enabled = false;
  b.add(flag);
  const char* const names[] = {"upper corner", "middle of the edge", "lower corner"};
  for (int k = 0; k < 3; ++k) {
    const Vec3 place(0.5 * size.x(), 0.5 * size.y(), (k - 1) * 0.5 * size.z());  // in the flag's axes
    const Vec3 start = at + flag.transform.rotation * place;
    CurveShape way;
    for (const Vec3& far : {Vec3(0, 0, 0), Vec3(1.2, 0.35, 0.5), Vec3(2.4, -0.25, -0.2), Vec3(3.4, 0.3, 0.3)}) {
      CurvePoint point;
      point.place = start + far;
      way.points.push_back(point);
    }
    lead_along(b, flag, names[k], place, way, 4.2);
  }
  b.camera(Vec3(0.2, 1.9, 5.6), Vec3(0.1, 1.4, 0));
  return b.done();
}

/// Thesis figure 2.24: two flexible links with one node in common. A force takes the right one by its end for a moment.
Scene two_links() {
  Builder b(
      "Two links, one node",
      "Two flexible links share a node in the middle. For a third of a second a force pulls the right end; the right "
      "link bends and draws the left one along.",
      150);
  b.stage(1e7, 0.3, Vec3(0.54, 0.52, 0.48), Vec3(0.72, 0.76, 0.82));
  b.scene.settings.gravity = Vec3::Zero();
  const Vec3 size(1.2, 0.16, 0.16);
  const Vec3 colours[] = {Vec3(0.20, 0.42, 0.68), Vec3(0.86, 0.52, 0.14)};
  Object links[2];
  for (int k = 0; k < 2; ++k) {
    Object& link = links[k];
    link = b.object(k ? "Right link" : "Left link", "red plastic", PrimitiveShape::box, size,
                    Vec3((k ? 0.5 : -0.5) * size.x(), 1.2, 0));
    link.display.primitive.divisions = {24, 4, 4};
    Builder::flexible(link, AnalysisKind::box_grid, {6, 1, 1}, 0.5, 900, 1.0, kHardSkin);
    Builder::physics(link, 1e6, 0.3, 0.5);
    Builder::paint(link, colours[k]);
    b.add(link);
  }
  Joint shared;
  shared.id = {b.next++};
  shared.name = "Shared node";
  shared.kind = JointKind::ball;
  shared.a = {links[0].id.value, Vec3(0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z())};
  shared.b = {links[1].id.value, Vec3(-0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z())};
  b.scene.joints.emplace_back(shared);
  Force pull;
  pull.id = {b.next++};
  pull.name = "Pull";
  pull.object = links[1].id.value;
  pull.place = Vec3(0.5 * size.x(), 0.5 * size.y(), 0.5 * size.z());
  pull.push = Vec3(1.2, 2.4, 0);
  b.scene.forces.emplace_back(pull);
  b.scene = with_key(std::move(b.scene), pull.id.value, "on", 0, true);
  b.scene = with_key(std::move(b.scene), pull.id.value, "on", 0.3, false);
  b.next = next_id(b.scene).value;
  b.camera(Vec3(0.7, 2.1, 6.4), Vec3(0.5, 1.75, 0));
  return b.done();
}

}  // namespace hazumi::shipped
