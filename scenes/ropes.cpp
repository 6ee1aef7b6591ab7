// Scenes of ropes: a bridge of planks between two of them, and balloons on strings.
#include "core/math/catenary.h"
#include "core/math/rotation.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kGround = 1e8;

Joint hooked(Builder& b, const std::string& name, const Object& first, const Vec3& place, const Object& rope) {
  Joint made;
  made.id = {b.next++};
  made.name = name;
  made.kind = JointKind::ball;
  made.a = {first.id.value, first.transform.rotation.conjugate() * (place - first.transform.position)};
  made.b = {rope.id.value, rope.transform.rotation.conjugate() * (place - rope.transform.position)};
  return made;
}

}  // namespace

/// Spec 5.1: what is made of line models. Every second part of each rope carries the edge of a plank.
Scene rope_bridge() {
  Builder b("Rope bridge",
            "Two ropes hang between the banks and carry twelve planks; a ball rolls across. Make it heavier, or the "
            "ropes softer.",
            200);
  b.stage(kGround, 0.1, Vec3(0.50, 0.56, 0.44), Vec3(0.72, 0.80, 0.86));
  constexpr double kTop = 1.5, kSpan = 3.2, kSlack = 0.03, kRopesApart = 0.8, kRopeThick = 0.036, kPlank = 0.03;
  constexpr int kParts = 25;
  constexpr double kLength = kSpan * (1 + kSlack), kPart = kLength / kParts;
  const std::vector<Vec2> places = catenary(kSpan, 0, kLength, kParts);
  const auto at = [&](int node, double side) {
    const Vec2& p = places[static_cast<std::size_t>(node)];
    return Vec3(p.x() - 0.5 * kSpan, kTop + p.y(), 0.5 * side * kRopesApart);
  };
  std::vector<Object> banks, ropes;
  for (const double side : {-1.0, 1.0}) {
    Object bank = b.block(side < 0 ? "Left bank" : "Right bank", Vec3(1.4, kTop, 1.3),
                          Vec3(side * (0.5 * kSpan + 0.7), 0.5 * kTop - 0.5 * kRopeThick, 0), Vec3(0.50, 0.45, 0.38));
    bank.contact.shape = ContactShape::box;
    Builder::physics(bank, kGround, 0.1, 0.6);
    b.add(bank);
    banks.push_back(bank);
  }
  for (const double side : {-1.0, 1.0}) {
    Object rope = b.object(side < 0 ? "Far rope" : "Near rope", "yellow rubber", PrimitiveShape::cylinder,
                           Vec3(kRopeThick, kLength, kRopeThick), Vec3(0, kTop, 0.5 * side * kRopesApart));
    rope.transform.rotation = turn_onto(Vec3::UnitY(), Vec3::UnitX());
    rope.display.primitive.divisions = {12, 4 * kParts, 1};
    Builder::flexible(rope, AnalysisKind::rope, {kParts, 1, 1}, 0.6, 2e4, 40, kHardSkin);
    Builder::physics(rope, kGround, 0.1, 0.6);
    Builder::paint(rope, Vec3(0.66, 0.52, 0.32), 0.05);
    rope.analysis.bending = 5e-3;
    rope.body.solver = "springs";
    rope.body.drag_linear = 0.3;
    const Quat back = rope.transform.rotation.conjugate();
    for (int k = 0; k <= kParts; ++k) {
      const Vec3 rest(0, (static_cast<double>(k) / kParts - 0.5) * kLength, 0);
      rope.body.start.push_back({back * (at(k, side) - rope.transform.position) - rest, Vec3::Zero()});
    }
    b.add(rope);
    ropes.push_back(rope);
  }
  std::vector<Object> planks;
  for (int k = 1; k + 1 < kParts; k += 2) {
    const Vec3 from = at(k, 0), way = at(k + 1, 0) - from;
    Object plank = b.object("Plank " + std::to_string(planks.size() + 1), "white plastic", PrimitiveShape::box,
                            Vec3(1.1 * kPart, kPlank, kRopesApart + 0.1), Vec3::Zero());
    plank.display.primitive.divisions = {1, 1, 1};
    plank.transform.rotation = Quat(Eigen::AngleAxisd(std::atan2(way.y(), way.x()), Vec3::UnitZ()));
    plank.transform.position = from + 0.5 * way - plank.transform.rotation * Vec3(0, 0.5 * (kPlank + kRopeThick), 0);
    plank.body.mass = 0.8;
    Builder::physics(plank, kGround, 0.1, 0.6);
    Builder::paint(plank, planks.size() % 2 ? Vec3(0.52, 0.36, 0.21) : Vec3(0.60, 0.42, 0.25));
    b.add(plank);
    planks.push_back(plank);
  }
  Object ball = b.object("Ball", "red rubber", PrimitiveShape::sphere, Vec3::Constant(0.44),
                         Vec3(-0.5 * kSpan - 0.5, kTop - 0.5 * kRopeThick + 0.22, 0.02));
  ball.body.mass = 3;
  ball.body.velocity = Vec3(2.6, 0, 0);
  ball.body.spin = Vec3(0, 0, -2.6 / 0.22);
  Builder::physics(ball, kGround, 0.1, 0.6);
  Builder::paint(ball, Vec3(0.80, 0.22, 0.16), 0.3);
  b.add(ball);
  for (std::size_t r = 0; r < 2; ++r) {
    const double side = r == 0 ? -1 : 1;
    const std::string of = r == 0 ? "far" : "near";
    b.scene.joints.emplace_back(hooked(b, "Left hook, " + of, banks[0], at(0, side), ropes[r]));
    b.scene.joints.emplace_back(hooked(b, "Right hook, " + of, banks[1], at(kParts, side), ropes[r]));
    for (std::size_t p = 0; p < planks.size(); ++p)
      for (const int end : {0, 1})
        b.scene.joints.emplace_back(hooked(b, planks[p].name + (end ? " right, " : " left, ") + of, planks[p],
                                           at(static_cast<int>(2 * p) + 1 + end, side), ropes[r]));
  }
  b.camera(Vec3(1.3, 2.2, 3.5), Vec3(0.05, 1.12, 0));
  return b.done();
}

/// Spec 5.1: pressure for balloons, and what string is. A field of gravity that they alone feel lifts them; its strength has keys.
Scene balloons() {
  Builder b(
      "Balloons",
      "Three balloons carry a box over a wall: a gravity of their own lifts them and a breeze takes them along. Its "
      "keys let them down again. Blow one up: key its Size.",
      300);
  b.stage(kGround, 0.1, Vec3(0.52, 0.56, 0.50), Vec3(0.70, 0.80, 0.90));
  constexpr double kRound = 0.5, kString = 0.9, kLoad = 0.24, kUp = 0.62;
  constexpr int kParts = 6;
  const Vec3 colours[] = {Vec3(0.86, 0.20, 0.18), Vec3(0.96, 0.76, 0.16), Vec3(0.20, 0.50, 0.82)};
  const char* names[] = {"Red balloon", "Yellow balloon", "Blue balloon"};

  Object wall = b.block("Wall", Vec3(0.12, 0.7, 1.6), Vec3(0.5, 0.35, 0), Vec3(0.58, 0.40, 0.32));
  Builder::physics(wall, kGround, 0.1, 0.5);
  b.add(wall);
  Object load = b.block("Load", Vec3(kLoad, 0.7 * kLoad, kLoad), Vec3(-0.9, 0.35 * kLoad, 0), Vec3(0.62, 0.46, 0.28));
  load.body.kind = BodyKind::rigid;
  load.body.mass = 0.14;
  Builder::physics(load, kGround, 0.1, 0.6);
  b.add(load);
  const Vec3 top = load.transform.position + Vec3(0, 0.35 * kLoad, 0);

  Collection lifted;
  lifted.id = {b.next++};
  lifted.name = "Lifted";
  std::vector<Joint> knots;
  for (int k = 0; k < 3; ++k) {
    const double turn = 2 * kPi * k / 3;
    const Vec3 out(std::sin(turn), 0, std::cos(turn));
    const Vec3 foot = top + 0.3 * kLoad * out, head = top + 0.36 * out + Vec3(0, kUp, 0);
    Object balloon = b.object(names[k], "red rubber", PrimitiveShape::sphere, Vec3::Constant(kRound),
                              head + Vec3(0, 0.5 * kRound, 0));
    Builder::flexible(balloon, AnalysisKind::icosahedron, {2, 1, 1}, 0.03, 60, 0.06, kHardSkin);
    Builder::physics(balloon, kGround, 0.3, 0.4);
    Builder::paint(balloon, colours[k], 0.5);
    balloon.analysis.hollow = true;
    balloon.body.solver = "springs";
    balloon.body.volume.of = VolumeOf::surface;
    balloon.body.drag_linear = 3;
    balloon.collection = lifted.id.value;
    b.add(balloon);

    const double chord = (head - foot).norm();
    Object line = b.object(std::string("String of the ") +
                               (k == 0   ? "red"
                                : k == 1 ? "yellow"
                                         : "blue") +
                               " balloon",
                           "white plastic", PrimitiveShape::cylinder, Vec3(0.014, kString, 0.014), 0.5 * (foot + head));
    line.transform.rotation = turn_onto(Vec3::UnitY(), head - foot);
    line.display.primitive.divisions = {8, 4 * kParts, 1};
    Builder::flexible(line, AnalysisKind::rope, {kParts, 1, 1}, 0.009, 300, 0.3, kHardSkin);
    Builder::physics(line, kGround, 0, 0.4);
    Builder::paint(line, Vec3(0.88, 0.86, 0.80), 0.05);
    line.analysis.bending = 1e-5;
    line.body.solver = "springs";
    line.body.drag_linear = 1;
    // Slack: in an arc outwards, its ends where they are tied.
    const Vec3 along = (head - foot) / chord, side = (out - out.dot(along) * along).normalized();
    const double sag = std::sqrt(3.0 / 8 * kString * std::max(kString - chord, 0.0));
    const Quat back = line.transform.rotation.conjugate();
    for (int i = 0; i <= kParts; ++i) {
      const double s = static_cast<double>(i) / kParts;
      const Vec3 place = foot + s * (head - foot) + 4 * sag * s * (1 - s) * side;
      line.body.start.push_back(
          {back * (place - line.transform.position) - Vec3(0, (s - 0.5) * kString, 0), Vec3::Zero()});
    }
    b.add(line);
    knots.push_back(hooked(b, std::string(names[k]) + ", at the load", load, foot, line));
    knots.push_back(hooked(b, std::string(names[k]) + ", at the balloon", balloon, head, line));
  }
  for (const Joint& knot : knots) b.scene.joints.emplace_back(knot);
  b.scene.collections.emplace_back(lifted);

  ForceField lift;
  lift.id = {b.next++};
  lift.name = "Lift";
  lift.kind = FieldKind::gravity;
  lift.feels = lifted.id.value;
  lift.position = Vec3(-1.8, 1.6, 0);
  lift.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitX()));
  lift.strength = 30.5;
  b.scene.fields.emplace_back(lift);
  ForceField breeze;
  breeze.id = {b.next++};
  breeze.name = "Breeze";
  breeze.position = Vec3(-1.8, 1.2, 0);
  breeze.rotation = Quat(Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitZ()));
  breeze.speed = 1.1;
  breeze.gust = 0.25;
  breeze.gust_size = 2;
  breeze.gust_period = 1.5;
  b.scene.fields.emplace_back(breeze);
  for (const auto& [time, strength] : {std::pair(0.0, 30.5), {2.2, 30.5}, {2.8, 22.0}})
    b.scene = with_key(std::move(b.scene), lift.id.value, "strength", time, strength);
  b.next = next_id(b.scene).value;
  b.soften();
  b.camera(Vec3(1.5, 1.45, 5.4), Vec3(0.75, 1.0, 0));
  return b.done();
}

}  // namespace hazumi::shipped
