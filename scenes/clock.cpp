// A cartoon alarm clock with arms and legs (thesis figure 4.14: the clock moves, its arms follow).
#include "core/math/rotation.h"
#include "scenes/shipped.h"

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

constexpr double kMiddle = 0.70;  // m, height of the dial's

/// An arm with its glove.
void add_arm(CharacterMaker& m, double side) {
  const std::string name = side > 0 ? "left " : "right ";
  m.weight = 6;
  m.paint(0.80, 0.12, 0.10);
  m.limb(name + "arm", {0, kMiddle - 0.05, 0.40 * side}, {0.06, kMiddle - 0.22, 0.62 * side}, 0.05);
  m.paint(0.95, 0.94, 0.88);
  m.ball(name + "glove", {0.08, kMiddle - 0.28, 0.69 * side}, {0.1, 0.1, 0.09});
}

/// Stands on y = 0 and looks along +x, 1.3 m high.
MetaballGroup clock_group(bool arms = true) {
  CharacterMaker m;
  const Quat forward(Eigen::AngleAxisd(radians(90), Vec3::UnitY()));  // a primitive's z axis along x
  const auto red = [&] { m.paint(0.80, 0.12, 0.10); };
  const auto brass = [&] { m.paint(0.85, 0.62, 0.18); };
  const auto white = [&] { m.paint(0.95, 0.94, 0.88); };
  const auto dark = [&] { m.paint(0.05, 0.05, 0.07); };
  const double middle = kMiddle;
  const auto on_face = [&](double degrees, double radius, double x) {
    return Vec3(x, middle + radius * std::cos(radians(degrees)), -radius * std::sin(radians(degrees)));
  };
  m.weight = 12;
  red();
  m.ball("Case", {0, middle, 0}, {0.43, 0.43, 0.17}, forward);
  m.shape(0.45, 1);
  m.weight = 30;
  white();
  m.ball("Dial", {0.165, middle, 0}, {0.36, 0.36, 0.035}, forward);
  m.shape(0.3, 1);
  dark();
  for (int hour = 0; hour < 12; ++hour)
    m.button("hour " + std::to_string(hour == 0 ? 12 : hour), on_face(30 * hour, 0.30, 0.2),
             hour % 3 == 0 ? Vec3(0.016, 0.034, 0.034) : Vec3(0.014, 0.02, 0.02));
  // The hands are its moustache.
  m.limb("hour hand", on_face(0, 0, 0.213), on_face(-118, 0.15, 0.213), 0.022);
  m.limb("minute hand", on_face(0, 0, 0.213), on_face(112, 0.21, 0.213), 0.018);
  red();
  m.button("nose", {0.235, middle, 0}, {0.04, 0.05, 0.05});
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left " : "right ";
    white();
    m.button(name + "eye", {0.205, middle + 0.125, 0.09 * side}, {0.035, 0.085, 0.066});
    dark();
    m.button(name + "pupil", {0.238, middle + 0.11, 0.075 * side}, {0.014, 0.036, 0.028});
    brass();
    m.weight = 12;
    const Vec3 up = Vec3(0, 1, 0.62 * side).normalized();
    m.ball(name + "bell", Vec3(0, middle, 0) + 0.52 * up, {0.15, 0.15, 0.085}, turn_onto(Vec3::UnitZ(), up));
    m.button(name + "knob", Vec3(0, middle, 0) + 0.625 * up, {0.03, 0.03, 0.03});
    m.weight = 6;
    red();
    if (arms) m.limb(name + "arm", {0, middle - 0.05, 0.40 * side}, {0.06, middle - 0.22, 0.62 * side}, 0.05);
    m.limb(name + "leg", {0, 0.36, 0.2 * side}, {0, 0.12, 0.28 * side}, 0.065);
    white();
    if (arms) m.ball(name + "glove", {0.08, middle - 0.28, 0.69 * side}, {0.1, 0.1, 0.09});
    dark();
    m.ball(name + "shoe", {0.06, 0.075, 0.29 * side}, {0.24, 0.075, 0.12});
  }
  brass();
  m.weight = 6;
  m.limb("hammer", {0, middle + 0.42, 0}, {0, middle + 0.56, 0}, 0.035);
  return m.finished(0.003);
}

/// Three triangles along an arm, of which that in the case is pinned.
StrungTruss arm_truss(double side) {
  const Vec3 places[] = {Vec3(0, kMiddle - 0.05, 0.36 * side), Vec3(0.04, kMiddle - 0.17, 0.55 * side),
                         Vec3(0.08, kMiddle - 0.29, 0.74 * side)};
  const Vec3 way = (places[2] - places[0]).normalized(), up = way.cross(Vec3::UnitX()).normalized(),
             aside = way.cross(up);
  StrungTruss truss;
  for (int level = 0; level < 3; ++level)
    for (int k = 0; k < 3; ++k) {
      StrungNode node;
      const double angle = radians(90 + 120 * k);
      node.position = places[level] + 0.1 * (std::cos(angle) * aside + std::sin(angle) * up);
      node.pinned = level == 0;
      node.mass = level == 2 ? 2 : 1;  // the glove
      truss.nodes.push_back(node);
    }
  for (std::uint32_t a = 0; a < 9; ++a)
    for (std::uint32_t b = a + 1; b < 9; ++b)
      if (b / 3 - a / 3 <= 1) truss.springs.push_back({a, b, 1, 1, 1});
  return truss;
}

}  // namespace

Scene clock_with_arms() {
  Builder b("Clock with arms",
            "Secondary action: the clock hops; each arm has an analysis model of its own, rides on three nodes of the "
            "case, and feels all of its motion, or a third.",
            300);
  b.stage(1e7, 0.4, Vec3(0.44, 0.47, 0.56), Vec3(0.66, 0.72, 0.82));
  const MetaballGroup group = clock_group(false);
  StrungTruss truss = follow(group, 0.14);
  for (StrungNode& node : truss.nodes)
    if (node.position.y() < 0.2) node.mass = 8;  // heavy shoes keep it upright
  const Vec3 place(-0.5, 0.25, 0);
  const Quat turn(Eigen::AngleAxisd(radians(-75), Vec3::UnitY()));
  Object clock = b.character("Clock", group, truss, place);
  clock.transform.rotation = turn;
  Builder::springs(clock, 3, 700, 10);
  Builder::physics(clock, 1e5, 0.1, 0.9);
  b.add(clock);
  for (const double side : {1.0, -1.0}) {
    CharacterMaker m;
    add_arm(m, side);
    Object arm = b.character(side > 0 ? "Left arm" : "Right arm", m.finished(0.003), arm_truss(side), place);
    arm.transform.rotation = turn;
    Builder::springs(arm, 0.3, 500, 1.2);
    arm.contact.enabled = false;
    b.add(arm);
  }
  b.camera(Vec3(0.5, 1.15, 3.6), Vec3(-0.15, 0.75, 0));
  b.scene = b.done();
  const Id of = b.id_of("Clock");
  const Id rests = b.when("rest", of, {}, 0, 0, {{"slower", {}, 0.35}, {"duration", {}, 0.15}}, true),
           hop = b.does("throw", of, {}, 1, 0, {{"x", {}, 0.3}, {"y", {}, 2.2}, {"added", {}, 1}});
  b.chain({rests, hop});
  double row = 1.5, feels = 1;
  for (const char* name : {"Left arm", "Right arm"}) {
    const Id arm = b.id_of(name), start = b.when("time", arm, {}, 0, row),
             ride = b.does("ride", arm, of, 1, row, {{"feels", {}, feels}});
    b.chain({start, ride});
    row += 1;
    feels = 0.33;
  }
  return b.scene;
}

Scene clock() {
  Builder b("Alarm clock", "It hops and lands on its feet: the case wobbles, arms and bells follow.", 180);
  b.stage(1e7, 0.4, Vec3(0.40, 0.52, 0.50), Vec3(0.20, 0.27, 0.30));
  StrungTruss truss = follow(clock_group(), 0.14);
  for (StrungNode& node : truss.nodes)
    if (node.position.y() < 0.2) node.mass = 8;  // heavy shoes keep it upright
  // Arms are soft, and heavy at their ends: they follow late.
  const auto arm = [&](std::uint32_t n) {
    return std::abs(truss.nodes[n].position.z()) > 0.40 && truss.nodes[n].position.y() < 0.8;
  };
  for (StrungSpring& spring : truss.springs)
    if (arm(spring.a) || arm(spring.b)) spring.stiffness = 0.12, spring.damping = 0.2;
  for (std::uint32_t n = 0; n < truss.nodes.size(); ++n)
    if (arm(n)) truss.nodes[n].mass = 2;
  Object o = b.character("Alarm clock", clock_group(), truss, Vec3(-0.35, 0.6, 0));
  o.transform.rotation =
      Quat(Eigen::AngleAxisd(radians(-75), Vec3::UnitY())) * Quat(Eigen::AngleAxisd(radians(7), Vec3::UnitX()));
  Builder::springs(o, 3, 700, 10);
  o.body.velocity = Vec3(0.35, 1.5, 0);
  Builder::physics(o, 1e5, 0.2, 0.8);
  b.add(o);
  b.camera(Vec3(0.5, 1.15, 3.4), Vec3(-0.05, 0.88, 0));
  return b.done();
}

}  // namespace hazumi::shipped
