// Sixty dominoes in three rows, and a branch at their end: how hard the last one hits its ball decides what becomes of it.
#include <cmath>

#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene domino_branch() {
  Builder b("Sixty dominoes and a branch",
            "Three rows of twenty, one higher than the other. Where a row ends a ball is hit: weakly it stays, harder "
            "it rolls off, hardest it "
            "flies into the bowl.",
            260);
  b.stage(1e8, 0.3, Vec3(0.60, 0.58, 0.54), Vec3(0.72, 0.74, 0.77));
  const char* rows[] = {"Low", "Middle", "High"};
  const char* names[] = {"Weak", "Medium", "Strong"};
  const Vec3 colours[] = {Vec3(0.24, 0.46, 0.66), Vec3(0.86, 0.62, 0.18), Vec3(0.74, 0.22, 0.18)};
  const double heights[] = {0.12, 0.24, 0.40}, posts[] = {0.01, 0.12, 0.25}, radius = 0.09;
  for (int row = 0; row < 3; ++row) {
    const double high = heights[row], apart = 0.48 * high, thick = 0.16 * high, z = 0.75 * (1 - row);
    const double end = 1.0;  // where the ball stands
    for (int k = 0; k < 20; ++k) {
      Object o = b.block(std::string(rows[row]) + " " + std::to_string(k + 1), Vec3(thick, high, 0.5 * high),
                         Vec3(end - radius - 0.5 * high - (19 - k) * apart, 0.5 * high, z),
                         (0.75 + 0.25 * k / 19) * colours[row]);
      o.display.primitive.ratio = 0.3;
      o.body.kind = BodyKind::rigid;
      o.body.mass = 25 * high * high * high;
      Builder::paint(o, o.material.surface.diffuse, 0.35);
      Builder::physics(o, 1e8, 0.2, 0.35);
      if (k == 0) {  // turns about its foot
        o.body.spin = Vec3(0, 0, -3 * std::sqrt(0.17 / high));
        o.body.velocity = o.body.spin.cross(Vec3(-0.5 * thick, 0.5 * high, 0));
      }
      b.add(o);
    }
    Object post = b.block(std::string(rows[row]) + " post", Vec3(0.16, posts[row], 0.16),
                          Vec3(end, 0.5 * posts[row], z), Vec3(0.45, 0.42, 0.38));
    Builder::physics(post, 1e8, 0.3, 0.5);
    b.add(post);
    Object ball = b.object(names[row], "white plastic", PrimitiveShape::sphere, Vec3::Constant(2 * radius),
                           Vec3(end, posts[row] + radius, z));
    ball.body.kind = BodyKind::rigid;
    ball.body.mass = 0.3;
    Builder::paint(ball, Vec3(0.92, 0.91, 0.87), 0.6);
    Builder::physics(ball, 1e8, 0.4, 0.5);
    ball.material.substance.friction = 0.5;
    b.add(ball);
  }
  const Vec3 bowl_place(2.3, 0.0, -0.75);
  Object bowl =
      b.object("Bowl", "white plastic", PrimitiveShape::tube, Vec3(0.62, 0.3, 0.62), bowl_place + Vec3(0, 0.15, 0));
  bowl.body.kind = BodyKind::fixed;
  Builder::paint(bowl, Vec3(0.30, 0.50, 0.42), 0.3);
  Builder::physics(bowl, 1e8, 0.2, 0.6);
  b.add(bowl);
  Collection balls, dominoes;
  balls.id = next_id(b.scene);
  balls.name = "Balls";
  b.scene.collections.push_back(Shared<Collection>(balls));
  dominoes.id = next_id(b.scene);
  dominoes.name = "Dominoes";
  b.scene.collections.push_back(Shared<Collection>(dominoes));
  for (auto& object : b.scene.objects) {
    const bool ball = object->name == names[0] || object->name == names[1] || object->name == names[2];
    const bool last = object->body.kind == BodyKind::rigid && !ball;
    if (ball || last) object = object.edited([&](Object& o) { o.collection = (ball ? balls.id : dominoes.id).value; });
  }
  b.camera(Vec3(0.9, 2.1, 4.3), Vec3(-0.1, 0.1, -0.05));
  b.scene = b.done();
  const Id hit = b.when("contact", balls.id, dominoes.id, 0, 1);
  const char* conditions[] = {"approach < 1.3", "approach < 1.9", ""};
  const Id what[] = {b.does("hold", balls.id, {}, 2, 0, {{"duration", {}, 0}}),
                     b.does("throw", balls.id, {}, 2, 1, {{"x", {}, 0.9}, {"y", {}, 0.6}}),
                     b.does("aim", balls.id, b.id_of("Bowl"), 2, 2, {{"y", {}, 0.05}, {"duration", {}, 0.9}})};
  for (int k = 0; k < 3; ++k) {
    const Id one = b.when("case", balls.id, {}, 1, k);
    b.change(one, [&](MotionNode& node) {
      node.name = names[k];
      node.condition = conditions[k];
    });
    b.chain({hit, one, what[k]});
  }
  return b.scene;
}

}  // namespace hazumi::shipped
