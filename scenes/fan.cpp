// A motion that sets numbers of other things: a ball falls on a switch, a fan's motor speeds up, its wind with it, and both die away again.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Vec3 kFanSteel(0.55, 0.58, 0.62), kFanWood(0.62, 0.44, 0.26);

std::vector<MotionParameter> to(const char* number, double value, double duration) {
  return {{"number", number}, {"to", {}, value}, {"duration", {}, duration}};
}

/// A post, a propeller on an axle of 0.4 kg m² or so, and the motor.
Id add_fan(Builder& b, const Vec3& hub) {
  Object post =
      b.block("Post", Vec3(0.14, hub.y() + 0.08, 0.14), Vec3(hub.x() - 0.16, 0.5 * hub.y() + 0.04, 0), kFanSteel);
  b.add(post);
  Object blades = b.object("Propeller", "white plastic", PrimitiveShape::rounded_box, Vec3(0.05, 1.3, 0.17), hub);
  blades.display.primitive.divisions = {1, 1, 1};
  blades.display.primitive.ratio = 0.6;
  blades.body.kind = BodyKind::rigid;
  blades.body.mass = 1.5;
  blades.body.fields = false;
  Builder::paint(blades, Vec3(0.82, 0.24, 0.16), 0.4);
  Builder::physics(blades, 1e8, 0.3, 0.3);
  b.add(blades);
  Joint axle;
  axle.id = {b.next++};
  axle.name = "Axle";
  axle.kind = JointKind::hinge;
  axle.a = {post.id.value, hub - post.transform.position};
  axle.b = {blades.id.value, Vec3::Zero()};
  axle.turn = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));
  axle.motor = true;
  axle.motor_turn = 0;
  axle.motor_torque = 3;
  b.scene.joints.emplace_back(axle);
  return axle.id;
}

/// Where the propeller blows: it is still until it is told otherwise.
Id add_breeze(Builder& b, const Vec3& middle) {
  ForceField wind;
  wind.id = {b.next++};
  wind.name = "Breeze";
  wind.shape = FieldShape::box;
  wind.position = middle;
  wind.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ()));
  wind.size = Vec3(1.5, 4.6, 1.5);
  wind.falloff = 0.3;
  wind.speed = 0;
  b.scene.fields.emplace_back(wind);
  return wind.id;
}

void add_cards(Builder& b, double top) {
  const Vec3 colours[] = {Vec3(0.90, 0.86, 0.78), Vec3(0.24, 0.44, 0.70), Vec3(0.86, 0.66, 0.20)};
  for (int k = 0; k < 9; ++k) {
    const int row = k / 3, column = k % 3;
    Object card = b.object("Card " + std::to_string(k + 1), "white plastic", PrimitiveShape::box,
                           Vec3(0.016, 0.3, 0.24), Vec3(0.25 + 0.42 * row, top + 0.15, 0.34 * (column - 1)));
    card.display.primitive.divisions = {1, 1, 1};
    card.body.kind = BodyKind::rigid;
    card.body.mass = 0.02;
    Builder::paint(card, colours[static_cast<std::size_t>((row + column) % 3)]);
    Builder::physics(card, 1e8, 0.1, 0.5);
    b.add(card);
  }
}

}  // namespace

Scene fan() {
  Builder b("Fan with a switch",
            "As the ball falls on the switch, a motion sets the speed of a motor and of a wind, gliding; after three "
            "seconds it lets both die away.",
            480);
  b.stage(1e8, 0.5, Vec3(0.46, 0.50, 0.54), Vec3(0.70, 0.76, 0.82));
  constexpr double kTop = 0.8;
  const Vec3 hub(-1.6, 1.1, 0);
  Object table = b.block("Table", Vec3(1.8, 0.1, 1.3), Vec3(0.75, kTop - 0.05, 0), kFanWood);
  Builder::physics(table, 1e8, 0.2, 0.5);
  b.add(table);
  Object leg = b.block("Leg", Vec3(0.3, kTop - 0.1, 0.3), Vec3(0.75, 0.5 * (kTop - 0.1), 0), kFanWood);
  b.add(leg);
  const Id axle = add_fan(b, hub), breeze = add_breeze(b, Vec3(0.9, 1.1, 0));
  add_cards(b, kTop);
  Object plate = b.block("Switch", Vec3(0.6, 0.16, 0.6), Vec3(-1.2, 0.08, 1.5), Vec3(0.30, 0.62, 0.34));
  Builder::physics(plate, 1e8, 0.5, 0.5);
  b.add(plate);
  Object ball = b.object("Ball", "white plastic", PrimitiveShape::sphere, Vec3::Constant(0.3), Vec3(-1.2, 1.3, 1.5));
  ball.body.kind = BodyKind::rigid;
  ball.body.mass = 0.5;
  ball.body.fields = false;
  Builder::paint(ball, Vec3(0.88, 0.62, 0.14), 0.4);
  Builder::physics(ball, 1e8, 0.5, 0.5);
  b.add(ball);
  b.camera(Vec3(3.3, 2.6, 5.6), Vec3(0.45, 0.7, 0));
  b.scene = b.done();
  const Id pressed = b.when("contact", ball.id, plate.id, 0, 0.5);
  const Id turns = b.does("set", ball.id, axle, 1, 0, to("joint.motor_turn", 900, 1.2)),
           blows = b.does("set", ball.id, breeze, 1, 1, to("field.speed", 8, 1.2));
  const Id later = b.when("time", ball.id, {}, 2, 0.5, {{"time", {}, 3}, {"from", "armed"}});
  b.change(pressed, [&](MotionNode& n) { n.wires = {{turns.value}, {blows.value}}; });
  b.change(turns, [&](MotionNode& n) { n.wires = {{later.value}}; });
  const Id stops = b.does("set", ball.id, axle, 3, 0, to("joint.motor_turn", 0, 2)),
           calms = b.does("set", ball.id, breeze, 3, 1, to("field.speed", 0, 1.5));
  b.change(later, [&](MotionNode& n) { n.wires = {{stops.value}, {calms.value}}; });
  return b.scene;
}

}  // namespace hazumi::shipped
