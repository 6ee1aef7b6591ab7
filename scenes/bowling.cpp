// The thesis's bowling (figure 4.28): a ball is thrown onto the lane, bounces until that settles, rolls, and collides with pins; the lane is
// seen and has no motion of its own. Gravity is the ball's own and not said again by a box, or it would fall twice as fast.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene bowling() {
  Builder b("", "", 300);
  b.scene = ten_pin();
  b.scene.name = "Bowling";
  b.scene.description =
      "A motion graph: when it is time, throw; when the ball hits the lane, bounce until that settles, then roll; when "
      "it hits a "
      "pin, collide.";
  b.scene.settings.last_frame = 300;
  Collection group;
  group.id = next_id(b.scene);
  group.name = "Pins";
  group.colour = Vec3(0.93, 0.91, 0.85);
  for (auto& object : b.scene.objects) {
    if (object->name.starts_with("Pin ")) object = object.edited([&](Object& o) { o.collection = group.id.value; });
    if (object->name == "Ball")
      object = object.edited([](Object& o) {
        o.transform.position += Vec3(0.06, 0.75, 0.1);
        o.body.velocity = o.body.spin = Vec3::Zero();
      });
  }
  b.scene.collections.push_back(Shared<Collection>(group));
  // The ball is seen from the start.
  b.scene.cameras[0] = b.scene.cameras[0].edited([](Camera& camera) {
    camera.position = Vec3(2.0, 2.7, 6.9);
    camera.target = Vec3(-0.05, 0.45, 0.6);
  });
  const Id ball = b.id_of("Ball"), lane = b.id_of("Lane"), all = group.id;
  // The ball.
  const Id start = b.when("time", ball, {}, 0, 0), hold = b.does("hold", ball, {}, 1, 0),
           time = b.when("time", ball, {}, 0, 1, {{"time", {}, 0.3}}),
           thrown = b.does("throw", ball, {}, 1, 1, {{"x", {}, 0.21}, {"y", {}, 0.5}, {"z", {}, -8.2}}),
           on_lane = b.when("contact", ball, lane, 2, 1),
           bounce = b.does("bounce", ball, lane, 3, 1,
                           {{"restitution", {}, 0.45}, {"until", {}, 0.35}, {"friction", {}, 0.12}}),
           settled = b.when("finished", ball, {}, 4, 1),
           roll = b.does("roll", ball, lane, 5, 1, {{"friction", {}, 0.3}}),
           on_pin = b.when("contact", ball, all, 2, 2, {}, true),
           collide = b.does("collide", ball, all, 3, 2, {{"restitution", {}, 0.5}, {"friction", {}, 0.2}});
  b.chain({start, hold});
  b.chain({time, thrown, on_lane, bounce, settled, roll});
  b.chain({thrown, on_pin, collide});
  // The pins, each by itself.
  const Id hit = b.when("contact", all, ball, 0, 4, {}, true), fall = b.when("contact", all, lane, 0, 5, {}, true),
           react = b.does("collide", all, ball, 1, 4, {{"restitution", {}, 0.5}, {"friction", {}, 0.2}}),
           clatter = b.does("collide", all, lane, 1, 5, {{"restitution", {}, 0.4}, {"friction", {}, 0.4}});
  b.chain({hit, react});
  b.chain({fall, clatter});
  return b.scene;
}

}  // namespace hazumi::shipped
