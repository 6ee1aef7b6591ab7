// What features of shape are for. A soft ball that hops up stairs as a cartoon does it: it crouches before it jumps, is long where it is fast,
// flat where it lands, and takes its time in between.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene cartoon_ball() {
  Builder b("Hopping ball",
            "It crouches, jumps, is long where it is fast and flat where it lands: events, shapes that are told, and a "
            "contact that is "
            "directed.",
            400);
  b.stage(1e8, 0.5, Vec3(0.52, 0.56, 0.50), Vec3(0.74, 0.80, 0.84));
  constexpr double kBall = 0.3;
  const char* names[] = {"First step", "Second step", "Third step"};
  const Vec3 colours[] = {Vec3(0.36, 0.46, 0.58), Vec3(0.30, 0.42, 0.56), Vec3(0.24, 0.37, 0.54)};
  for (int k = 0; k < 3; ++k) {
    const double high = 0.32 * (k + 1);
    Object step = b.block(names[k], Vec3(1.0, high, 1.2), Vec3(-0.6 + 1.25 * k, 0.5 * high, 0), colours[k]);
    Builder::physics(step, 1e8, 0.3, 0.8);
    b.add(step);
  }
  Object o = b.object("Ball", "white plastic", PrimitiveShape::sphere, Vec3::Constant(2 * kBall), Vec3(-2.1, kBall, 0));
  Builder::flexible(o, AnalysisKind::icosahedron, {1, 1, 1}, 1, 2600, 9, kHardSkin);
  Builder::paint(o, Vec3(0.88, 0.34, 0.14), 0.5);
  o.material.substance.friction = 0.8;
  b.add(o);
  b.camera(Vec3(0.8, 1.9, 5.6), Vec3(0.0, 0.85, 0));
  b.scene = b.done();
  const Id ball = b.id_of("Ball");
  const auto crouch = [&](double column, double row, double deep, double in) {
    return b.does("pose", ball, {}, column, row,
                  {{"stretch", {}, -deep}, {"in", {}, in}, {"stay", {}, 0.12}, {"out", {}, 0.06}});
  };
  // As long as the scene lasts.
  const Id start = b.when("time", ball, {}, 0, 0),
           squash = b.does("squash", ball, {}, 1, 0,
                           {{"depth", {}, 42}, {"restitution", {}, 0}, {"slides", {}, 0}, {"slowest", {}, 1}}),
           stretch = b.does("stretch", ball, {}, 1, 1, {{"gain", {}, 7}, {"most", {}, 45}, {"lag", {}, 0.04}});
  b.chain({start, squash});
  b.chain({start, stretch});
  // One hop after the other, each a while after the one before has come down; it pushes itself off, and as it leaves it is sent where it is
  // to go.
  Id from = b.when("time", ball, {}, 0, 3, {{"time", {}, 0.35}});
  const auto pause = [&](Id landed, double row) {
    const Id wait = b.when("time", ball, {}, 5, row, {{"time", {}, 0.4}, {"from", "armed", 0}});
    b.chain({landed, wait});
    return wait;
  };
  for (int k = 0; k < 3; ++k) {
    const Id step = b.id_of(names[k]), down = crouch(1, 3 + k, 32, 0.42), off = b.when("leave", ball, {}, 2, 3 + k),
             jump = b.does("aim", ball, step, 3, 3 + k,
                           {{"x", {}, -0.3}, {"y", {}, 0.16 * (k + 1) + kBall}, {"duration", {}, 0.62}}),
             landed = b.when("contact", ball, step, 4, 3 + k);
    b.chain({from, down, off, jump, landed});
    from = pause(landed, 3 + k);
  }
  // It looks about, and hops once on the spot.
  const Id look =
               b.does("pose", ball, {}, 1, 6.5,
                      {{"stretch", {}, 16}, {"twist", {}, 0.9}, {"in", {}, 0.4}, {"stay", {}, 0.25}, {"out", {}, 0.3}}),
           seen = b.when("finished", ball, {}, 2, 6.5), down = crouch(3, 6.5, 25, 0.2),
           off = b.when("leave", ball, {}, 4, 6.5), hop = b.does("throw", ball, {}, 5, 6.5, {{"y", {}, 3.2}});
  b.chain({from, look, seen, down, off, hop});
  return b.scene;
}

}  // namespace hazumi::shipped
