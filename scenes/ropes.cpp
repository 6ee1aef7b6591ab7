// Scenes of ropes: a bridge of planks between two of them.
#include "core/math/catenary.h"
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
    rope.transform.rotation = Quat::FromTwoVectors(Vec3::UnitY(), Vec3::UnitX());
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

}  // namespace hazumi::shipped
