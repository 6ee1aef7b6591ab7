// Scenes of things that joints hold: a chain with a heavy end, a car that four motors drive, a crane, a puppet on strings.
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Quat kAlongX(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()));  // turns z to x

/// A joint at a place of the world. Things are not turned at the start, so that places and axes are theirs but for where they are.
Joint join(Builder& b, const char* name, JointKind kind, const Object* first, const Object& second, const Vec3& place,
           const Quat& turn = Quat::Identity()) {
  Joint made;
  made.id = {b.next++};
  made.name = name;
  made.kind = kind;
  if (first) made.a = {first->id.value, place - first->transform.position};
  if (!first) made.a.place = place;
  made.b = {second.id.value, place - second.transform.position};
  made.turn = turn;
  return made;
}

void put(Builder& b, const Joint& joint) { b.scene.joints.emplace_back(joint); }

Object part(Builder& b, const std::string& name, PrimitiveShape shape, const Vec3& size, const Vec3& at, double mass,
            const Vec3& colour) {
  Object o = b.object(name, "white plastic", shape, size, at);
  o.body.mass = mass;
  Builder::physics(o, 1e8, 0.2, 0.6);
  Builder::paint(o, colour);
  return o;
}

const Vec3 kSteel(0.55, 0.58, 0.62), kRed(0.75, 0.16, 0.12), kYellow(0.88, 0.66, 0.10), kBlue(0.18, 0.36, 0.62),
    kWood(0.62, 0.44, 0.26);

}  // namespace

/// Thirty links of 100 g and a ball of 100 kg, let go from the side.
Scene chain() {
  Builder b(
      "Chain with a heavy end",
      "Thirty links hold a ball a thousand times heavier than one of them. No link comes open, and no energy is lost.",
      360);
  b.stage(1e8, 0.3, Vec3(0.56, 0.58, 0.60), Vec3(0.70, 0.74, 0.80));
  constexpr double kLink = 0.1, kHook = 3.6;
  Object hook = b.block("Hook", Vec3(0.16, 0.12, 0.16), Vec3(0, kHook + 0.06, 0), kSteel);
  b.add(hook);
  Object last = hook;
  for (int k = 0; k < 30; ++k) {
    Object link = part(b, "Link " + std::to_string(k + 1), PrimitiveShape::capsule, Vec3(kLink, 0.04, 0.04),
                       Vec3((k + 0.5) * kLink, kHook, 0), 0.1, kSteel);
    link.display.primitive.shape = PrimitiveShape::rounded_box;
    link.display.primitive.ratio = 0.4;
    link.contact.shape = ContactShape::box;
    b.add(link);
    put(b,
        join(b, ("Joint " + std::to_string(k + 1)).c_str(), JointKind::ball, &last, link, Vec3(k * kLink, kHook, 0)));
    last = link;
  }
  Object ball =
      part(b, "Ball", PrimitiveShape::sphere, Vec3::Constant(0.5), Vec3(30 * kLink + 0.2, kHook, 0), 100, kRed);
  b.add(ball);
  put(b, join(b, "Joint of the ball", JointKind::ball, &last, ball, Vec3(30 * kLink, kHook, 0)));
  for (int row = 0; row < 4; ++row)
    for (int k = 0; k < 3; ++k)
      b.add(part(b, "Box " + std::to_string(3 * row + k + 1), PrimitiveShape::box, Vec3::Constant(0.3),
                 Vec3(-0.9, 0.15 + 0.3 * row, 0.31 * (k - 1)), 2, k == row % 3 ? kYellow : kWood));
  b.camera(Vec3(0.6, 2.4, 8.2), Vec3(0.2, 1.8, 0));
  return b.done();
}

/// Each wheel has a motor of its own; what carries the car is friction.
Scene driven_car() {
  Builder b("Car with four motors",
            "Each wheel hangs on a hinge with a motor: so fast, and no more than so much torque. Friction drives it "
            "over the bumps.",
            360);
  b.stage(1e8, 0.2, Vec3(0.50, 0.52, 0.48), Vec3(0.68, 0.76, 0.86));
  Object body = part(b, "Body", PrimitiveShape::rounded_box, Vec3(1.5, 0.3, 0.7), Vec3(-3, 0.5, 0), 40, kYellow);
  body.display.primitive.ratio = 0.3;
  body.contact.shape = ContactShape::box;
  b.add(body);
  Object cabin = part(b, "Cabin", PrimitiveShape::rounded_box, Vec3(0.7, 0.26, 0.56), Vec3(-3.1, 0.78, 0), 4, kBlue);
  cabin.display.primitive.ratio = 0.4;
  cabin.contact.shape = ContactShape::box;
  b.add(cabin);
  put(b, join(b, "Roof", JointKind::fixed, &body, cabin, Vec3(-3.1, 0.65, 0)));
  for (const double x : {0.5, -0.5})
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::string(x > 0 ? "Front " : "Rear ") + (side > 0 ? "right" : "left") + " wheel";
      const Vec3 at(-3 + x, 0.26, side * 0.48);
      Object wheel = part(b, name, PrimitiveShape::sphere, Vec3::Constant(0.52), at, 3, Vec3(0.1, 0.1, 0.11));
      wheel.display.primitive.size = Vec3(0.52, 0.52, 0.52);
      Builder::physics(wheel, 1e8, 0.1, 1.0);
      b.add(wheel);
      Joint hinge = join(b, (name + " axle").c_str(), JointKind::hinge, &body, wheel, at);
      hinge.motor = true;
      hinge.motor_turn = -5;  // about z: forwards is against it
      hinge.motor_torque = 30;
      put(b, hinge);
    }
  for (int k = 0; k < 5; ++k)
    b.add(b.block("Bump " + std::to_string(k + 1), Vec3(0.25, 0.12, 2.4), Vec3(-0.8 + 0.9 * k, 0.02, 0), kWood));
  b.camera(Vec3(0.5, 2.6, 7.4), Vec3(0.2, 0.4, 0));
  return b.done();
}

/// A jib on a motor, and a rope that is slack until the load is lifted off its place.
Scene crane() {
  Builder b("Crane with a load",
            "The jib turns on a hinge with a motor until it meets its limit. The load hangs on a rope, which only "
            "pulls, and swings on.",
            420);
  b.stage(1e8, 0.2, Vec3(0.54, 0.52, 0.48), Vec3(0.72, 0.76, 0.80));
  const Vec3 top(0, 2.6, 0);
  Object tower = b.block("Tower", Vec3(0.4, 2.5, 0.4), Vec3(0, 1.25, 0), kSteel);
  b.add(tower);
  Object jib = part(b, "Jib", PrimitiveShape::box, Vec3(3.2, 0.16, 0.2), Vec3(1.1, 2.6, 0), 60, kYellow);
  b.add(jib);
  const Quat up(Eigen::AngleAxisd(-kPi / 2, Vec3::UnitX()));  // turns z to y
  Joint slewing = join(b, "Slewing ring", JointKind::hinge, &tower, jib, top, up);
  slewing.motor = slewing.limited = true;
  slewing.motor_turn = 0.6;
  slewing.motor_torque = 400;
  slewing.least_turn = 0;
  slewing.most_turn = 2.1;
  put(b, slewing);
  Object load = part(b, "Load", PrimitiveShape::box, Vec3(0.5, 0.5, 0.5), Vec3(2.5, 0.7, 0), 25, kRed);
  b.add(load);
  Joint rope = join(b, "Rope", JointKind::rope, &jib, load, Vec3(2.5, 2.52, 0));
  rope.b.place = Vec3(0, 0.25, 0);
  put(b, rope);
  for (int row = 0; row < 3; ++row)
    b.add(part(b, "Crate " + std::to_string(row + 1), PrimitiveShape::box, Vec3::Constant(0.45),
               Vec3(-1.25, 0.225 + 0.45 * row, -2.1), 4, kWood));
  b.camera(Vec3(4.6, 3.2, 6.4), Vec3(0.3, 1.3, -0.4));
  return b.done();
}

/// The cross is led by keys; everything below hangs on it.
Scene puppet() {
  Builder b("Puppet on strings",
            "A wooden figure of ball joints with limits of cloth hangs on five ropes from a cross that keys lead. Move "
            "a key: it dances otherwise.",
            360);
  b.stage(1e8, 0.2, Vec3(0.46, 0.36, 0.30), Vec3(0.30, 0.26, 0.28));
  Object cross = b.block("Cross", Vec3(0.9, 0.05, 0.12), Vec3(0, 2.3, 0), kWood);
  b.add(cross);
  Object chest = part(b, "Chest", PrimitiveShape::box, Vec3(0.3, 0.4, 0.18), Vec3(0, 1.15, 0), 2, kRed);
  Object head = part(b, "Head", PrimitiveShape::sphere, Vec3::Constant(0.24), Vec3(0, 1.49, 0), 0.5, kYellow);
  b.add(chest);
  b.add(head);
  put(b, join(b, "Neck", JointKind::ball, &chest, head, Vec3(0, 1.36, 0)));
  const auto rope = [&](const char* name, const Object& to, const Vec3& at, double x) {
    Joint made = join(b, name, JointKind::rope, &cross, to, Vec3(x, 2.28, 0));
    made.b.place = at - to.transform.position;
    put(b, made);
  };
  rope("String of the head", head, Vec3(0, 1.61, 0), 0);
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Right " : "Left ";
    const auto limb = [&](const char* which, const Vec3& size, const Vec3& at, double mass) {
      Object o = part(b, name + which, PrimitiveShape::box, size, at, mass, kBlue);
      b.add(o);
      return o;
    };
    Object upper = limb("upper arm", Vec3(0.08, 0.28, 0.08), Vec3(side * 0.2, 1.2, 0), 0.4);
    Object lower = limb("lower arm", Vec3(0.07, 0.28, 0.07), Vec3(side * 0.2, 0.91, 0), 0.3);
    Object thigh = limb("thigh", Vec3(0.1, 0.32, 0.1), Vec3(side * 0.09, 0.78, 0), 0.6);
    Object shin = limb("shin", Vec3(0.09, 0.32, 0.09), Vec3(side * 0.09, 0.45, 0), 0.5);
    put(b, join(b, (name + "shoulder").c_str(), JointKind::ball, &chest, upper, Vec3(side * 0.2, 1.33, 0)));
    put(b, join(b, (name + "hip").c_str(), JointKind::ball, &chest, thigh, Vec3(side * 0.09, 0.945, 0)));
    Joint elbow =
        join(b, (name + "elbow").c_str(), JointKind::hinge, &upper, lower, Vec3(side * 0.2, 1.055, 0), kAlongX);
    elbow.limited = true;
    elbow.least_turn = -2.4;
    elbow.most_turn = 0;
    put(b, elbow);
    Joint knee = join(b, (name + "knee").c_str(), JointKind::hinge, &thigh, shin, Vec3(side * 0.09, 0.615, 0), kAlongX);
    knee.limited = true;
    knee.least_turn = 0;
    knee.most_turn = 2.4;
    put(b, knee);
    rope(side > 0 ? "String of the right hand" : "String of the left hand", lower, Vec3(side * 0.2, 0.8, 0),
         side * 0.42);
    rope(side > 0 ? "String of the right knee" : "String of the left knee", thigh, Vec3(side * 0.09, 0.64, 0.05),
         side * 0.2);
  }
  const auto key = [&](double time, const Vec3& place, double roll) {
    b.scene = with_key(std::move(b.scene), cross.id.value, "transform.position", time, place);
    b.scene = with_key(std::move(b.scene), cross.id.value, "transform.rotation", time,
                       Quat(Eigen::AngleAxisd(roll, Vec3::UnitZ())));
    b.next = next_id(b.scene).value;
  };
  for (int k = 0; k <= 12; ++k)
    key(0.5 * k, Vec3(0, 2.3 + (k % 2 ? 0.12 : 0.0), 0),
        k == 0 || k == 12 ? 0.0
        : k % 4 == 1      ? 0.35
        : k % 4 == 3      ? -0.35
                          : 0.0);
  b.camera(Vec3(0.8, 1.6, 4.6), Vec3(0, 1.25, 0));
  return b.done();
}

}  // namespace hazumi::shipped
