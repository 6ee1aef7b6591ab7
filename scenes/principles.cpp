// The twelve principles of animation on one cartoon ball (thesis 4.2, which counts eleven): each by a feature, nothing keyed but the cuts.
//
//   squash and stretch   Squash, Stretch along its way          anticipation       Take a shape, before each leap
//   staging              cuts to the camera that shows it best   timing             short out of the crouch, long into it
//   straight ahead,      events: what happens when;              follow through     the antenna swings on
//   pose to pose         poses: crouch, look left, look right    slow in, slow out  poses go so
//   arcs                 throws                                  exaggeration       the second crouch, far deeper than it needs
//   secondary action     the antenna rides on the ball           appeal             eyes, and it blushes as it has come through
//   solid drawing        its volume stays
#include "scenes/builder.h"
#include "scenes/characters.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

constexpr double kRadius = 0.3;

/// A stem with a knob, held at its foot.
Object antenna(Builder& b, const Vec3& foot) {
  CharacterMaker m;
  m.weight = 8;
  m.paint(0.20, 0.22, 0.30);
  m.limb("stem", Vec3::Zero(), Vec3(0, 0.24, 0), 0.018);
  m.paint(0.95, 0.80, 0.25);
  m.button("knob", Vec3(0, 0.28, 0), Vec3::Constant(0.055));
  StrungTruss truss;
  for (int level = 0; level < 3; ++level)
    for (int k = 0; k < 3; ++k) {
      StrungNode node;
      const double angle = radians(120 * k);
      node.position = Vec3(0.06 * std::cos(angle), 0.14 * level, 0.06 * std::sin(angle));
      node.pinned = level == 0;
      node.mass = level == 2 ? 2 : 1;
      truss.nodes.push_back(node);
    }
  for (std::uint32_t a = 0; a < 9; ++a)
    for (std::uint32_t c = a + 1; c < 9; ++c)
      if (c / 3 - a / 3 <= 1) truss.springs.push_back({a, c, 1, 1, 1});
  Object o = b.character("Antenna", m.finished(0.002), truss, foot);
  Builder::springs(o, 0.08, 40, 0.05);
  o.contact.enabled = false;
  return o;
}

void add_eyes(Builder& b, Id ball, const Vec3& middle) {
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const Vec3 looks = Vec3(0.80, 0.42, 0.36 * side).normalized();
    Object white = b.object(name + " eye", "white plastic", PrimitiveShape::sphere, Vec3(0.15, 0.2, 0.15),
                            middle + 0.93 * kRadius * looks);
    Object dark = b.object(name + " pupil", "white plastic", PrimitiveShape::sphere, Vec3(0.075, 0.11, 0.075),
                           middle + 1.13 * kRadius * looks);
    Builder::paint(white, Vec3(0.96, 0.96, 0.94), 0.4);
    Builder::paint(dark, Vec3(0.06, 0.06, 0.09), 0.6);
    for (Object* part : {&white, &dark}) {
      part->display.primitive.divisions = {24, 12, 1};
      part->parent = ball.value;
      Builder::only_seen(*part);
      b.add(*part);
    }
  }
}

/// Crouches, leaps to a place of something, and has landed there.
Id leap(Builder& b, Id from, double row, Id target, const Vec3& place, double seconds, double deep, double in) {
  const Id ball = b.id_of("Ball");
  const Id wait = b.when("time", ball, {}, 2, row, {{"time", {}, 0.35}, {"from", "armed", 0}}),
           crouch = b.does("pose", ball, {}, 3, row,
                           {{"stretch", {}, -deep}, {"in", {}, in}, {"stay", {}, 0.12}, {"out", {}, 0.06}}),
           off = b.when("leave", ball, {}, 4, row),
           jump = b.does("aim", ball, target, 5, row,
                         {{"x", {}, place.x()}, {"y", {}, place.y()}, {"z", {}, place.z()}, {"duration", {}, seconds}}),
           landed = b.when("contact", ball, target, 6, row);
  b.chain({from, wait, crouch, off, jump, landed});
  return landed;
}

}  // namespace

Scene twelve_principles() {
  Builder b(
      "Twelve principles",
      "The principles of cartoon animation on one ball, each by a feature: it looks about, crouches, leaps, is long "
      "where it is fast and flat where it lands; its antenna swings on.",
      420);
  b.stage(1e8, 0.5, Vec3(0.50, 0.57, 0.47), Vec3(0.70, 0.82, 0.92));
  Object step = b.block("Step", Vec3(1.1, 0.4, 1.3), Vec3(0.0, 0.2, 0), Vec3(0.34, 0.44, 0.58));
  Builder::physics(step, 1e8, 0.3, 0.8);
  b.add(step);
  Object pedestal = b.block("Pedestal", Vec3(1.2, 0.9, 1.3), Vec3(2.1, 0.45, 0), Vec3(0.60, 0.36, 0.42));
  Builder::physics(pedestal, 1e8, 0.3, 0.8);
  b.add(pedestal);
  const Vec3 middle(-1.9, kRadius, 0);
  Object o = b.object("Ball", "white plastic", PrimitiveShape::sphere, Vec3::Constant(2 * kRadius), middle);
  Builder::flexible(o, AnalysisKind::icosahedron, {1, 1, 1}, 1, 2600, 9, kHardSkin);
  Builder::paint(o, Vec3(0.95, 0.62, 0.16), 0.5);
  o.material.substance.friction = 0.8;
  b.add(o);
  const Id ball = b.id_of("Ball");
  b.add(antenna(b, middle + Vec3(0, 0.9 * kRadius, 0)));
  add_eyes(b, ball, middle);
  b.camera(Vec3(0.9, 1.7, 5.8), Vec3(0.1, 0.85, 0));
  b.camera(Vec3(0.2, 0.75, 2.2), Vec3(-1.9, 0.45, 0));
  b.camera(Vec3(4.4, 1.9, 2.9), Vec3(2.0, 1.15, 0));
  b.scene = b.done();
  const Id own = b.id_of("Antenna");
  // As long as the scene lasts.
  const Id start = b.when("time", ball, {}, 0, 0);
  b.chain({start, b.does("squash", ball, {}, 1, 0,
                         {{"depth", {}, 42}, {"restitution", {}, 0}, {"slides", {}, 0}, {"slowest", {}, 1}})});
  b.chain({start, b.does("stretch", ball, {}, 1, 1, {{"gain", {}, 7}, {"most", {}, 45}, {"lag", {}, 0.04}})});
  b.chain({b.when("time", own, {}, 0, 3), b.does("ride", own, ball, 1, 3)});
  // It looks about, and leaps.
  const auto look = [&](double column, double twist) {
    return b.does("pose", ball, {}, column, 4,
                  {{"stretch", {}, 12}, {"twist", {}, twist}, {"in", {}, 0.3}, {"stay", {}, 0.2}, {"out", {}, 0.25}});
  };
  const Id looks = b.when("time", ball, {}, 0, 4, {{"time", {}, 0.3}}), left = look(1, 0.8),
           seen = b.when("finished", ball, {}, 2, 4), right = look(3, -0.8), both = b.when("finished", ball, {}, 4, 4);
  b.chain({looks, left, seen, right, both});
  const Id first = leap(b, both, 5, b.id_of("Step"), Vec3(-0.1, 0.2 + kRadius, 0), 0.6, 28, 0.45),
           second = leap(b, first, 6, b.id_of("Pedestal"), Vec3(-0.05, 0.45 + kRadius, 0), 0.75, 40, 0.6);
  const Id calm = b.when("time", ball, {}, 7, 6, {{"time", {}, 0.4}, {"from", "armed", 0}}),
           blush = b.does(
               "colour", ball, {}, 8, 6,
               {{"red", {}, 0.95}, {"green", {}, 0.30}, {"blue", {}, 0.28}, {"duration", {}, 0.8}, {"share", {}, 80}}),
           proud = b.does("pose", ball, {}, 8, 7,
                          {{"stretch", {}, 18}, {"in", {}, 0.4}, {"stay", {}, 0.6}, {"out", {}, 0.5}});
  // Held by a force, it stays upright and may still stretch.
  b.chain({second, b.does("hold", ball, {}, 7, 5, {{"processing", "dynamically", 0}, {"softness", {}, 0.15}})});
  b.chain({second, calm, blush});
  b.chain({calm, proud});
  const std::pair<std::size_t, double> cuts[] = {{1, 0.0}, {0, 1.7}, {2, 5.0}};
  for (const auto& [camera, time] : cuts) {
    const Id shot = b.scene.cameras[camera]->id;
    b.scene = with_cut(std::move(b.scene), shot, time);
  }
  return b.scene;
}

}  // namespace hazumi::shipped
