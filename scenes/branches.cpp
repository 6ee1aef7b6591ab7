// The thesis's branch (figure 4.27): what comes of a collision depends on how hard it was. A weak one lands, one of middling strength
// bounces, a strong one breaks through the floor.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene branches() {
  Builder b("Weak, medium, strong",
            "A branch of a motion graph: a weak impact lands, a medium one bounces, a strong one breaks through the shelf.", 240);
  b.stage(1e8, 0.5, Vec3(0.50, 0.52, 0.56), Vec3(0.70, 0.74, 0.78));
  Object shelf = b.block("Shelf", Vec3(4.2, 0.16, 1.2), Vec3(0, 1.3, 0), Vec3(0.62, 0.44, 0.26));
  Builder::physics(shelf, 1e8, 0.5, 0.5);
  b.add(shelf);
  for (const double x : {-1.95, 1.95}) {
    Object leg = b.block(x < 0 ? "Left leg" : "Right leg", Vec3(0.16, 1.22, 1.0), Vec3(x, 0.61, 0), Vec3(0.42, 0.30, 0.18));
    Builder::physics(leg, 1e8, 0.3, 0.5);
    b.add(leg);
  }
  Collection group;
  group.name = "Balls";
  const double heights[] = {0.35, 1.0, 2.2};
  const char* names[] = {"Weak", "Medium", "Strong"};
  const Vec3 colours[] = {Vec3(0.22, 0.48, 0.72), Vec3(0.90, 0.66, 0.18), Vec3(0.80, 0.22, 0.16)};
  for (int k = 0; k < 3; ++k) {
    Object o = b.object(names[k], "white plastic", PrimitiveShape::sphere, Vec3::Constant(0.44),
                        Vec3(1.2 * (k - 1), 1.6 + heights[k], 0));
    o.body.kind = BodyKind::rigid;
    o.body.mass = 1;
    Builder::paint(o, colours[k], 0.5);
    Builder::physics(o, 1e8, 0.5, 0.5);
    b.add(o);
  }
  group.id = next_id(b.scene);
  for (auto& object : b.scene.objects)
    for (const char* name : names)
      if (object->name == name) object = object.edited([&](Object& o) { o.collection = group.id.value; });
  b.scene.collections.push_back(Shared<Collection>(group));
  const Id balls = group.id, on = b.id_of("Shelf");
  b.camera(Vec3(1.0, 2.4, 6.4), Vec3(0, 1.35, 0));
  b.scene = b.done();
  const Id hit = b.when("contact", balls, on, 0, 1);
  const char* conditions[] = {"approach < 3.2", "approach < 5.5", ""};
  const char* cases[] = {"Weak", "Medium", "Strong"};
  const Id what[] = {b.does("land", balls, on, 2, 0), b.does("bounce", balls, on, 2, 1, {{"restitution", {}, 0.85}}),
                     b.does("pass", balls, on, 2, 2, {{"duration", {}, 0.6}})};
  for (int k = 0; k < 3; ++k) {
    const Id one = b.when("case", balls, {}, 1, k);
    b.change(one, [&](MotionNode& node) {
      node.name = cases[k];
      node.condition = conditions[k];
    });
    b.chain({hit, one, what[k]});
  }
  return b.scene;
}

}  // namespace hazumi::shipped
