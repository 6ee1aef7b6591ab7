// Scenes that keys lead: a ball juggled by two paddles, and an arm that lets go of what it throws.
#include <cmath>

#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

Key key(double time, const Vec3& value, const Vec3& slope) {
  Key made;
  made.time = time;
  made.value = {value.x(), value.y(), value.z(), 0};
  made.tangent = KeyTangent::aligned;
  made.out = {slope.x(), slope.y(), slope.z(), 0};
  return made;
}

void lead(Builder& b, Id object, std::vector<Key> keys, Beyond after) {
  Scene& scene = b.scene;
  scene = with_key(std::move(scene), object.value, "transform.position", 0, Vec3(0, 0, 0));
  scene.tracks.back() = scene.tracks.back().edited([&](Track& track) {
    track.keys = std::move(keys);
    track.before = track.after = after;
  });
  b.next = next_id(scene).value;
}

}  // namespace

/// The ball flies from one paddle to the other in T and meets each head-on: along the normal n of the paddle with speed v. It leaves
/// with v again where the paddle comes towards it with V = v (1 − e)/(1 + e). The paddles swing along their normals with the
/// period 2T, and meet the ball on their way up, a little behind their greatest speed: who comes late is then hit less hard.
Scene juggler() {
  Builder b("Juggled by two paddles",
            "Each paddle has four keys that repeat. The ball is physics: nothing but the paddles keeps it in the air.",
            300);
  b.stage(1e8, 0.6, Vec3(0.60, 0.63, 0.60), Vec3(0.74, 0.77, 0.80));
  constexpr double g = 9.80665, kAirTime = 0.6, kBetween = 0.55, kMeetHeight = 0.7, kBallRadius = 0.075,
                   kPlateThick = 0.06, e = 0.8;
  const Vec3 start(kBetween / kAirTime, 0.5 * g * kAirTime, 0);  // of the ball, from the left paddle
  const double speed = start.norm(), needed = speed * (1 - e) / (1 + e);
  for (const int side : {-1, 1}) {
    const Vec3 normal(-side * start.x() / speed, start.y() / speed, 0);
    const Vec3 meets(side * 0.5 * kBetween, kMeetHeight, 0);
    Object paddle = b.object(side < 0 ? "Left paddle" : "Right paddle", "red plastic", PrimitiveShape::cylinder,
                             Vec3(0.34, kPlateThick, 0.34), meets - (kBallRadius + 0.5 * kPlateThick) * normal);
    paddle.display.primitive.divisions = {48, 1, 4};
    paddle.transform.rotation = Quat::FromTwoVectors(Vec3::UnitY(), normal);
    paddle.body.kind = BodyKind::fixed;
    Builder::paint(paddle, side < 0 ? Vec3(0.75, 0.24, 0.20) : Vec3(0.20, 0.42, 0.75), 0.3);
    Builder::physics(paddle, 1e8, e, 0);
    b.add(paddle);
    // A swing of sine, told by its quarters: phase 0 at its greatest speed.
    constexpr double kLate = 0.35;  // rad behind it when the ball is there
    const double turn = kPi / kAirTime, reach = needed / (turn * std::cos(kLate));
    const double meeting = side < 0 ? 0 : kAirTime;  // s
    std::vector<Key> keys;
    for (int quarter = 0; quarter <= 4; ++quarter) {
      const double time = 0.5 * quarter * kAirTime, phase = turn * (time - meeting) + kLate;
      keys.push_back(key(time, paddle.transform.position + reach * (std::sin(phase) - std::sin(kLate)) * normal,
                         turn * reach * std::cos(phase) * normal));
    }
    lead(b, paddle.id, std::move(keys), Beyond::cycle);
  }
  Object ball = b.object("Ball", "yellow plastic", PrimitiveShape::sphere,
                         Vec3(2 * kBallRadius, 2 * kBallRadius, 2 * kBallRadius),
                         Vec3(-0.5 * kBetween, kMeetHeight, 0) + 1e-3 * start.normalized());
  ball.body.mass = 0.1;
  ball.body.velocity = start;
  Builder::physics(ball, 1e8, e, 0);
  b.add(ball);
  b.scene.settings.substeps = 8;
  b.camera(Vec3(0, 1.25, 2.6), Vec3(0, 0.85, 0));
  return b.done();
}

/// A hand on an arm swings round with a ball; after three quarters of its turn it lets go, and the ball flies into a wall of boxes.
Scene thrower() {
  Builder b("The hand lets go",
            "A ball goes round in a hand that keys lead; a key of Led by keys lets it go, with the speed that it has.",
            240);
  b.stage(1e8, 0.3, Vec3(0.62, 0.60, 0.58), Vec3(0.72, 0.74, 0.78));
  constexpr double kArm = 0.8, kRound = 7.4, kLetGo = 1.05;  // m, rad/s at the end, s
  const Vec3 shoulder(-2.2, 1.1, 0);
  const auto angle = [&](double t) { return radians(120) + 0.5 * kRound * (kLetGo - t * t / kLetGo); };
  const auto place = [&](double t, double reach) {
    const double a =
        angle(std::min(t, kLetGo)) - (t > kLetGo ? kRound * (t - kLetGo) * std::exp(-3 * (t - kLetGo)) : 0);
    return Vec3(shoulder + reach * Vec3(std::cos(a), std::sin(a), 0));
  };
  const auto keys = [&](double reach, double last) {
    std::vector<Key> all;
    for (double t = 0; t <= last + 1e-9; t += 0.075)
      all.push_back(key(t, place(t, reach), (place(t + 1e-4, reach) - place(t - 1e-4, reach)) / 2e-4));
    return all;
  };
  Object post = b.block("Post", Vec3(0.12, 1.1, 0.12), shoulder - Vec3(0, 0.55, 0.2), Vec3(0.35, 0.33, 0.32));
  post.contact.enabled = false;
  b.add(post);
  Object hand = b.block("Hand", Vec3(0.16, 0.16, 0.16), place(0, kArm - 0.19), Vec3(0.78, 0.32, 0.22));
  hand.contact.enabled = false;
  b.add(hand);
  lead(b, hand.id, keys(kArm - 0.19, 1.8), Beyond::hold);
  Object ball = b.object("Ball", "polished bronze", PrimitiveShape::sphere, Vec3(0.22, 0.22, 0.22), place(0, kArm));
  ball.body.mass = 1.5;
  Builder::physics(ball, 1e8, 0.4, 0.4);
  b.add(ball);
  lead(b, ball.id, keys(kArm, kLetGo + 0.075), Beyond::hold);
  b.scene = with_key(std::move(b.scene), ball.id.value, "body.led", 0, true);
  b.scene = with_key(std::move(b.scene), ball.id.value, "body.led", kLetGo, false);
  b.next = next_id(b.scene).value;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 3; ++column) {
      Object box = b.block("Box " + std::to_string(3 * row + column + 1), Vec3(0.3, 0.3, 0.3),
                           Vec3(1.6, 0.15 + 0.3 * row, 0.31 * (column - 1)), Vec3(0.84, 0.72, 0.42));
      box.body.kind = BodyKind::rigid;
      box.body.mass = 0.5;
      Builder::paint(box, (row + column) % 2 ? Vec3(0.86, 0.74, 0.44) : Vec3(0.36, 0.56, 0.60), 0.2);
      Builder::physics(box, 1e7, 0.2, 0.5);
      b.add(box);
    }
  b.camera(Vec3(-0.4, 1.9, 5.2), Vec3(-0.2, 0.95, 0));
  return b.done();
}

}  // namespace hazumi::shipped
