// Scenes of fields of force: a flag in gusts, boxes on water.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

/// Thesis figure 3.2 in its wind: four rings hold its edge to the pole.
Scene flag_in_the_wind() {
  Builder b("Flag in the wind",
            "A wind with gusts pushes each triangle of the cloth by its area and angle; four rings hold its edge. "
            "Turn the wind, or key its speed.",
            360);
  b.stage(1e7, 0.2, Vec3(0.50, 0.54, 0.46), Vec3(0.68, 0.78, 0.90));
  const Vec3 size(1.5, 0.03, 0.9), at(0.05, 2.2, 0);
  Object pole = b.object("Pole", "silver", PrimitiveShape::cylinder, Vec3(0.05, 2.8, 0.05),
                         Vec3(at.x() - 0.5 * size.x() - 0.04, 1.4, 0));
  pole.body.kind = BodyKind::fixed;
  pole.contact.enabled = false;
  b.add(pole);
  Object flag = b.object("Flag", "red plastic", PrimitiveShape::box, size, at);
  flag.display.primitive.divisions = {30, 1, 18};
  flag.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));  // upright
  Builder::flexible(flag, AnalysisKind::plane_grid, {10, 1, 6}, 0.35, 450, 0.1, kHardSkin);
  Builder::physics(flag, 1e5, 0.1, 0.5);
  Builder::paint(flag, Vec3(0.80, 0.20, 0.14));
  flag.contact.enabled = false;
  b.add(flag);
  for (int k = 0; k < 4; ++k) {
    Joint ring;
    ring.id = {b.next++};
    ring.name = "Ring " + std::to_string(k + 1);
    ring.kind = JointKind::ball;
    const Vec3 place(-0.5 * size.x(), 0.5 * size.y(), (k / 3.0 - 0.5) * size.z());  // each at a node
    ring.a.place = at + flag.transform.rotation * place;
    ring.b = {flag.id.value, place};
    b.scene.joints.emplace_back(ring);
  }
  ForceField wind;
  wind.id = {b.next++};
  wind.name = "Wind";
  wind.position = Vec3(-2.2, 2.2, 0);
  wind.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ())) * Quat(Eigen::AngleAxisd(0.25, Vec3::UnitX()));
  wind.speed = 5;
  wind.gust = 3;
  wind.gust_size = 2;
  wind.gust_period = 1.2;
  b.scene.fields.emplace_back(wind);
  b.camera(Vec3(0.6, 2.3, 4.6), Vec3(0.1, 1.9, 0));
  return b.done();
}

/// Boxes of a fifth, a half and nine tenths of the water's density fall into it, and a ball of steel.
Scene floating_boxes() {
  Builder b("Floating boxes",
            "Boxes of 200, 500 and 900 kg/m³ fall into water and float as deep as Archimedes says; the ball of steel "
            "sinks. Give the water another density.",
            420);
  b.stage(1e7, 0.2, Vec3(0.30, 0.34, 0.38), Vec3(0.66, 0.76, 0.86));
  const double level = 1.2, densities[] = {200, 500, 900};
  const Vec3 size(0.8, 0.5, 0.6);
  const Vec3 colours[] = {Vec3(0.88, 0.72, 0.36), Vec3(0.78, 0.42, 0.20), Vec3(0.44, 0.26, 0.18)};
  for (int k = 0; k < 3; ++k) {
    Object box = b.object("Box of " + std::to_string(static_cast<int>(densities[k])) + " kg per m3", "red plastic",
                          PrimitiveShape::box, size, Vec3(1.2 * (k - 1), 2.1, 0.1 * k));
    box.display.primitive.divisions = {1, 1, 1};
    box.transform.rotation = Quat(Eigen::AngleAxisd(0.3 + 0.2 * k, Vec3(0.3, 0.2, 1).normalized()));
    box.body.mass_source = MassSource::given;
    box.body.mass = densities[k] * size.prod();
    Builder::physics(box, 1e6, 0.3);
    Builder::paint(box, colours[k]);
    b.add(box);
  }
  Object ball = b.object("Ball of steel", "silver", PrimitiveShape::sphere, Vec3::Constant(0.3), Vec3(0.4, 3.0, 0.9));
  ball.display.primitive.divisions = {24, 12, 1};
  ball.body.mass_source = MassSource::given;
  ball.body.mass = 7850 * kPi / 6 * 0.027;
  Builder::physics(ball, 1e7, 0.3);
  b.add(ball);
  Object surface =
      b.object("Surface of the water", "cyan plastic", PrimitiveShape::plane, Vec3(5, 1, 4), Vec3(0, level, 0));
  surface.body.kind = BodyKind::fixed;
  surface.contact.enabled = false;
  Builder::paint(surface, Vec3(0.20, 0.46, 0.60));
  surface.material.surface.opacity = 0.45;
  b.add(surface);
  ForceField water;
  water.id = {b.next++};
  water.name = "Water";
  water.kind = FieldKind::water;
  water.position = Vec3(0, level, 0);
  water.linear = 0.8;
  b.scene.fields.emplace_back(water);
  b.camera(Vec3(1.6, 2.9, 6.0), Vec3(0, 1.2, 0));
  return b.done();
}

}  // namespace hazumi::shipped
