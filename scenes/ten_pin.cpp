// Ten-pin bowling (thesis figure 4.1). Everything twice as large as life, so that the fall takes 1.4 times as
// long.
#include "scenes/shipped.h"

#include <algorithm>
#include <cmath>

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

constexpr double kScale = 2, kPinHeight = 0.381 * kScale, kSpacing = 0.3048 * kScale, kBallRadius = 0.109 * kScale,
                 kLaneWidth = 1.06 * kScale;
constexpr double kFootBelow =
    0.0098;  // m: so far the blended surface reaches below the pin's height, and a tenth of a millimetre

/// Stands on y = −h/2 around the origin: centre and contact box are the same then.
MetaballGroup pin_group() {
  CharacterMaker m;
  m.weight = 8;
  const double low = -0.5 * kPinHeight;
  const auto part = [&](const char* name, double y, double radius, double half) {
    m.ball(name, {0, low + y * kScale, 0}, {radius * kScale, half * kScale, radius * kScale});
  };
  m.paint(0.93, 0.91, 0.85);
  part("Foot", 0.06, 0.040, 0.06);
  part("Belly", 0.117, 0.0485, 0.105);
  part("Shoulder", 0.19, 0.033, 0.09);
  part("Neck", 0.265, 0.0215, 0.08);
  part("Head", 0.335, 0.0305, 0.046);
  m.paint(0.78, 0.06, 0.08);
  m.weight = 24;
  part("Upper ring", 0.283, 0.0242, 0.008);
  part("Lower ring", 0.255, 0.0257, 0.008);
  return m.finished(0.004);
}

}  // namespace

Scene ten_pin() {
  Builder b("Ten pins", "A ball rolls into ten pins. Move it a little to the side before you play.", 240);
  b.stage(1e8, 0.3, Vec3(0.16, 0.17, 0.22), Vec3(0.07, 0.08, 0.11));
  const double lane_top = 0.2, back = -3.6, gutter = 0.5, front = 7.0;
  const auto wall = [&](const std::string& name, const Vec3& low, const Vec3& high, const Vec3& colour, double friction,
                        double restitution) {
    Object o = b.object(name, "white plastic", PrimitiveShape::box, high - low, 0.5 * (low + high));
    o.display.primitive.divisions = {1, 1, 1};
    o.body.kind = BodyKind::fixed;
    Builder::paint(o, colour, 0.2);
    Builder::physics(o, 1e8, restitution, friction);
    b.add(o);
  };
  const double lane = 0.5 * kLaneWidth, side = lane + gutter;
  wall("Lane", {-lane, 0, back}, {lane, lane_top, front}, Vec3(0.78, 0.55, 0.30), 0.25, 0.35);
  for (const double sign : {-1.0, 1.0}) {
    const double inner = sign * side, outer = sign * (side + 0.25);
    wall(sign < 0 ? "Left wall" : "Right wall", {std::min(inner, outer), 0, back},
         {std::max(inner, outer), 0.55, front}, Vec3(0.30, 0.16, 0.12), 0.4, 0.3);
  }
  wall("Curtain", {-side - 0.25, 0, back - 0.3}, {side + 0.25, 1.9, back}, Vec3(0.42, 0.07, 0.10), 0.6, 0.1);
  for (int k = -3; k <= 3; ++k) {
    Object mark = b.object("Mark " + std::to_string(k + 4), "white plastic", PrimitiveShape::box,
                           Vec3(0.09, 0.004, 0.09), Vec3(0.24 * k, lane_top + 0.002, 0.62 + 0.10 * std::abs(k)));
    mark.display.primitive.divisions = {1, 1, 1};
    mark.transform.rotation = Quat(Eigen::AngleAxisd(radians(45), Vec3::UnitY()));
    Builder::only_seen(mark);
    mark.locked = true;
    Builder::paint(mark, Vec3(0.30, 0.17, 0.08), 0.2);
    b.add(mark);
  }
  const MetaballGroup group = pin_group();
  int number = 0;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k <= row; ++k) {
      Object pin =
          b.object("Pin " + std::to_string(++number), "white plastic", PrimitiveShape::box, Vec3(1, 1, 1),
                   Vec3((k - 0.5 * row) * kSpacing, lane_top + 0.5 * kPinHeight + kFootBelow, -row * kSpacing * 0.866));
      pin.display.kind = DisplayKind::metaballs;
      pin.display.metaballs = group;
      pin.contact.shape = ContactShape::box;
      pin.transform.rotation = Quat(Eigen::AngleAxisd(0.9 * number, Vec3::UnitY()));
      pin.body.mass = 1.2;
      Builder::physics(pin, 1e8, 0.7, 0.5);
      b.add(pin);
    }
  Object ball = b.object("Ball", "ruby", PrimitiveShape::sphere, Vec3::Constant(2 * kBallRadius),
                         Vec3(-0.2, lane_top + kBallRadius, 4.2));
  const double speed = 8.51, turn = 0.032;  // rad
  ball.body.mass = 9;
  ball.body.velocity = speed * Vec3(std::sin(turn), 0, -std::cos(turn));
  ball.body.spin = speed / kBallRadius * Vec3(-std::cos(turn), 0, -std::sin(turn));  // it rolls
  Builder::paint(ball, Vec3(0.10, 0.25, 0.60), 0.6);
  Builder::physics(ball, 1e8, 0.4, 0.2);
  b.add(ball);
  b.camera(Vec3(1.1, 2.1, 3.6), Vec3(0.05, 0.45, -0.9));
  return b.done();
}

}  // namespace hazumi::shipped
