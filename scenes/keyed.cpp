// Scenes that keys lead: a ball juggled by two paddles, an arm that lets go of what it throws, a gripper, a bus with passengers.
#include <algorithm>
#include <cmath>

#include "core/math/rotation.h"
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

/// 0 before, 1 behind, softly between.
double soft_step(double t, double from, double to) {
  const double x = std::clamp((t - from) / (to - from), 0.0, 1.0);
  return x * x * (3 - 2 * x);
}

/// Keys of a way that is given as a function of time, every `step` seconds.
template <class Place>
std::vector<Key> sampled(const Place& place, double last, double step) {
  std::vector<Key> all;
  for (int k = 0; k * step <= last + 1e-9; ++k) {
    const double t = k * step;
    all.push_back(key(t, place(t), (place(t + 1e-4) - place(t - 1e-4)) / 2e-4));
  }
  return all;
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
    paddle.transform.rotation = turn_onto(Vec3::UnitY(), normal);
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

/// Two jaws close on a crate, by a millimetre more than there is room; friction alone carries it, and it flies on where they open.
Scene gripper() {
  Builder b(
      "The gripper lets go",
      "Keys close two jaws on a crate, lift it, swing it and open on the way; the crate and the cans are physics.",
      300);
  b.stage(1e8, 0.2, Vec3(0.57, 0.58, 0.60), Vec3(0.70, 0.74, 0.80));
  constexpr double kCrate = 0.4, kTable = 0.5, kJaw = 0.08, kTight = 1e-3, kOpen = 0.2, kUp = 1.0;  // m
  const Vec3 pick(-1.7, kTable + 0.5 * kCrate, 0);
  b.add(b.block("Table", Vec3(0.8, kTable, 0.8), Vec3(pick.x(), 0.5 * kTable, 0), Vec3(0.48, 0.40, 0.34)));
  Object crate = b.block("Crate", Vec3::Constant(kCrate), pick, Vec3(0.84, 0.62, 0.30));
  crate.body.kind = BodyKind::rigid;
  crate.body.mass = 4;
  Builder::physics(crate, 1e8, 0.1, 0.8);
  b.add(crate);
  // Down, closed, up, over, open; `apart` is how far a part goes from the middle.
  const auto way = [&](double t, double apart) {
    const double open = 1 - soft_step(t, 0.8, 1.2) + soft_step(t, 2.7, 2.85);
    return Vec3(3.0 * soft_step(t, 2.1, 3.4) + apart * open,
                1.3 * (1 - soft_step(t, 0, 0.8)) + kUp * soft_step(t, 1.3, 2.1), 0);
  };
  const auto add_part = [&](const char* name, const Vec3& size, const Vec3& at, double apart) {
    Object part = b.block(name, size, pick + at, apart == 0 ? Vec3(0.30, 0.34, 0.40) : Vec3(0.80, 0.30, 0.22));
    part.contact.enabled = apart != 0;
    Builder::physics(part, 1e8, 0.1, 0.9);
    const Id id = part.id;
    b.add(part);
    lead(b, id, sampled([&](double t) { return Vec3(pick + at + way(t, apart)); }, 3.4, 0.1), Beyond::hold);
  };
  for (const double side : {-1.0, 1.0})
    add_part(side < 0 ? "Left jaw" : "Right jaw", Vec3(kJaw, 0.5, 0.36),
             Vec3(side * (0.5 * (kCrate + kJaw) - kTight), 0.1, 0), side * kOpen);
  add_part("Palm", Vec3(1.0, 0.1, 0.3), Vec3(0, 0.42, 0), 0);
  add_part("Arm", Vec3(0.1, 1.6, 0.1), Vec3(0, 1.25, 0), 0);
  // A pyramid of cans in its way.
  constexpr double kCan = 0.2, kTall = 0.26;
  int number = 0;
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 4 - row; ++k) {
      Object can =
          b.object("Can " + std::to_string(++number), "white plastic", PrimitiveShape::cylinder,
                   Vec3(kCan, kTall, kCan), Vec3(1.3 + (k - 0.5 * (3 - row)) * 1.04 * kCan, (row + 0.5) * kTall, 0));
      can.display.primitive.divisions = {24, 1, 2};
      can.body.mass = 0.4;
      Builder::paint(can, (row + k) % 2 ? Vec3(0.26, 0.50, 0.60) : Vec3(0.82, 0.82, 0.78), 0.3);
      Builder::physics(can, 1e8, 0.2, 0.4);
      b.add(can);
    }
  b.camera(Vec3(0.3, 2.0, 5.6), Vec3(0.1, 1.05, 0));
  return b.done();
}

/// An open bus starts, drives and stops; who stands in it is physics.
Scene bus() {
  Builder b("Bus with passengers",
            "Four keys start and stop the bus. The passengers stand on its floor: soft ones sway, stiff ones fall.",
            360);
  b.stage(1e8, 0.2, Vec3(0.50, 0.52, 0.55), Vec3(0.72, 0.79, 0.86));
  const Vec3 begin(-2.3, 0, 0);
  // It gathers speed for three seconds, and stops within half a one.
  constexpr double kSpeed = 2.6, kStarts = 0.5, kBrakes = 3.5, kStands = 4.0;  // m/s, s
  const double far = 0.5 * kSpeed * (kBrakes - kStarts), to = far + 0.5 * kSpeed * (kStands - kBrakes);
  const auto drive = [&](Id object, const Vec3& from) {
    const Vec3 x = Vec3::UnitX();
    lead(b, object,
         {key(0, from, Vec3::Zero()), key(kStarts, from, Vec3::Zero()), key(kBrakes, from + far * x, kSpeed * x),
          key(kStands, from + to * x, Vec3::Zero())},
         Beyond::hold);
  };
  const Vec3 paint(0.86, 0.66, 0.16);
  const auto part = [&](const char* name, const Vec3& size, const Vec3& at, const Vec3& colour, bool touches = true) {
    Object o = b.block(name, size, begin + at, colour);
    o.contact.enabled = touches;
    Builder::physics(o, 1e8, 0.1, 0.9);
    const Id id = o.id;
    b.add(o);
    drive(id, begin + at);
  };
  part("Floor of the bus", Vec3(2.6, 0.16, 1.2), Vec3(0, 0.42, 0), Vec3(0.34, 0.34, 0.36));
  part("Front", Vec3(0.1, 0.9, 1.2), Vec3(1.35, 0.79, 0), paint);
  part("Back", Vec3(0.1, 0.9, 1.2), Vec3(-1.35, 0.79, 0), paint);
  part("Near side", Vec3(2.6, 0.34, 0.08), Vec3(0, 0.51, 0.64), paint);
  part("Far side", Vec3(2.6, 0.9, 0.08), Vec3(0, 0.79, -0.64), paint);
  for (const double x : {-1.3, 1.3})
    for (const double z : {-0.5, 0.5})
      part(z > 0 ? (x < 0 ? "Near rear post" : "Near front post") : (x < 0 ? "Far rear post" : "Far front post"),
           Vec3(0.06, 0.8, 0.06), Vec3(x, 1.6, 1.2 * z), Vec3(0.30, 0.31, 0.33), false);
  part("Roof", Vec3(2.8, 0.08, 1.4), Vec3(0, 2.02, 0), paint, false);
  for (const double x : {-0.85, 0.85})
    for (const double z : {-0.77, 0.77}) {
      Object wheel = b.object(std::string(z > 0 ? "Near " : "Far ") + (x < 0 ? "rear wheel" : "front wheel"),
                              "black rubber", PrimitiveShape::cylinder, Vec3(0.6, 0.16, 0.6), begin + Vec3(x, 0.3, z));
      wheel.display.primitive.divisions = {40, 1, 4};
      wheel.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
      Builder::only_seen(wheel);
      const Id id = wheel.id;
      b.add(wheel);
      drive(id, begin + Vec3(x, 0.3, z));
    }
  // Passengers.
  const Vec3 colours[] = {Vec3(0.76, 0.30, 0.26), Vec3(0.28, 0.48, 0.70), Vec3(0.36, 0.60, 0.38)};
  for (int k = 0; k < 3; ++k) {
    Object one = b.object("Soft passenger " + std::to_string(k + 1), "white rubber", PrimitiveShape::superellipsoid,
                          Vec3(0.36, 0.9, 0.36), begin + Vec3(-0.8 + 0.7 * k, 0.96, -0.1 + 0.18 * (k % 2)));
    one.display.primitive.divisions = {24, 24, 1};
    Builder::paint(one, colours[k], 0.2);
    Builder::flexible(one, AnalysisKind::box_grid, {1, 3, 1}, 4, 900, 4, 0.002);
    one.analysis.size = Vec3(0.3, 0.9, 0.3);
    Builder::physics(one, 1e7, 0.1, 0.8);
    b.add(one);
  }
  for (int k = 0; k < 2; ++k) {
    Object stiff = b.object("Stiff passenger " + std::to_string(k + 1), "white plastic", PrimitiveShape::cylinder,
                            Vec3(0.2, 0.7, 0.2), begin + Vec3(-0.45 + 0.7 * k, 0.86, 0.3));
    stiff.display.primitive.divisions = {32, 1, 3};
    stiff.body.mass = 3;
    Builder::paint(stiff, Vec3(0.86, 0.84, 0.78), 0.4);
    Builder::physics(stiff, 1e8, 0.2, 0.6);
    b.add(stiff);
  }
  b.camera(Vec3(0.6, 2.5, 7.4), Vec3(0.1, 0.85, 0));
  return b.done();
}

}  // namespace hazumi::shipped
