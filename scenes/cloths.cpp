// Scenes of cloth: one that falls on a table, a curtain that a ball swings into.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kPress = 1e7;

Object cloth(Builder& b, const std::string& name, const Vec3& size, const Vec3& at, std::array<int, 3> squares,
             double mass, const Vec3& colour) {
  Object o = b.object(name, "red plastic", PrimitiveShape::plane, size, at);
  o.display.primitive.divisions = {3 * squares[0], 1, 3 * squares[2]};
  Builder::flexible(o, AnalysisKind::cloth, squares, mass, 400, 0.4, kHardSkin);
  Builder::physics(o, kPress, 0, 0.4);
  o.analysis.bending = 2e-4;
  o.body.solver = "springs";
  o.body.drag_linear = 0.8;
  o.contact.self_collision = true;
  o.contact.thickness = 0.005;
  Builder::paint(o, colour);
  return o;
}

Object fixed(Builder& b, const std::string& name, PrimitiveShape shape, const Vec3& size, const Vec3& at,
             std::array<int, 3> divisions, const Vec3& colour) {
  Object o = b.object(name, "white plastic", shape, size, at);
  o.display.primitive.divisions = divisions;
  o.body.kind = BodyKind::fixed;
  Builder::physics(o, kPress, 0, 0.4);
  Builder::paint(o, colour);
  return o;
}

}  // namespace

/// Spec 5.1: it drapes, its corners fold.
Scene tablecloth() {
  Builder b("Tablecloth",
            "A cloth falls on a round table: its edge swings in, folds and hangs. Change its Bending from silk to "
            "leather under Analysis, or how many squares it has.",
            180);
  b.stage(kPress, 0.1, Vec3(0.52, 0.47, 0.42), Vec3(0.80, 0.79, 0.76));
  b.add(fixed(b, "Table top", PrimitiveShape::cylinder, Vec3(0.9, 0.04, 0.9), Vec3(0, 0.72, 0), {32, 1, 1},
              Vec3(0.42, 0.27, 0.16)));
  b.add(fixed(b, "Leg", PrimitiveShape::cylinder, Vec3(0.1, 0.7, 0.1), Vec3(0, 0.35, 0), {16, 1, 1},
              Vec3(0.36, 0.23, 0.14)));
  Object o = cloth(b, "Cloth", Vec3(1.4, 1, 1.4), Vec3(0.03, 0.95, 0.02), {12, 1, 12}, 0.4, Vec3(0.72, 0.16, 0.18));
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.2, Vec3::UnitY()));
  b.add(o);
  b.camera(Vec3(1.7, 1.75, 2.3), Vec3(0, 0.62, 0));
  return b.done();
}

/// It hangs on hooks: joints of its upper edge.
Scene curtain() {
  Builder b(
      "Curtain",
      "A curtain hangs on six hooks, which are joints, and a ball flies into it. Take hooks away, or make the ball "
      "heavier.",
      240);
  b.stage(kPress, 0.1, Vec3(0.45, 0.47, 0.50), Vec3(0.74, 0.77, 0.80));
  constexpr double kTop = 1.75;
  const Vec3 size(1.6, 1, 1.5), at(0, kTop - 0.5 * size.z(), 0);
  Object o = cloth(b, "Curtain", size, at, {12, 1, 11}, 0.5, Vec3(0.16, 0.30, 0.46));
  o.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));  // upright
  b.add(o);
  Object rail = fixed(b, "Rail", PrimitiveShape::capsule, Vec3(0.04, 1.9, 0.04), Vec3(0, kTop + 0.03, 0), {16, 8, 1},
                      Vec3(0.55, 0.50, 0.42));
  rail.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitZ()));
  Builder::only_seen(rail);
  b.add(rail);
  Object ball = b.object("Ball", "yellow rubber", PrimitiveShape::sphere, Vec3::Constant(0.3), Vec3(0.1, 0.95, 1.5));
  ball.body.mass = 0.6;
  ball.body.velocity = Vec3(0, 1.2, -4.5);
  Builder::physics(ball, kPress, 0.3, 0.4);
  Builder::paint(ball, Vec3(0.90, 0.66, 0.16), 0.3);
  b.add(ball);
  for (int k = 0; k < 6; ++k) {
    const double x = (k / 5.0 - 0.5) * size.x();
    Joint hook;
    hook.id = {b.next++};
    hook.name = "Hook " + std::to_string(k + 1);
    hook.kind = JointKind::ball;
    hook.a.place = Vec3(0.94 * x, kTop, 0);
    hook.b = {o.id.value, Vec3(x, 0, -0.5 * size.z())};
    b.scene.joints.emplace_back(hook);
  }
  b.camera(Vec3(2.3, 1.5, 2.9), Vec3(0, 1.0, 0));
  return b.done();
}

}  // namespace hazumi::shipped
