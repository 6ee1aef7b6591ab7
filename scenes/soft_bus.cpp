// Thesis 4.2.3, figures 4.11 and 4.12: exaggeration by a plain analysis model and forces alone.
#include "scenes/shipped.h"

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

/// Drives along +x, wheels on y = 0, 2.8 m long.
MetaballGroup bus_group() {
  CharacterMaker m;
  m.weight = 100;  // colours with sharp borders
  m.paint(0.78, 0.20, 0.16);
  m.ball("Body", {0, 0.80, 0}, {1.4, 0.56, 0.48});
  m.shape(0.25, 0.25);
  m.paint(0.93, 0.89, 0.80);
  m.ball("Band", {0, 0.68, 0}, {1.406, 0.07, 0.486});
  m.shape(0.25, 0.25);
  m.paint(0.16, 0.30, 0.42);
  for (int k = 0; k < 4; ++k) {
    m.ball("Window " + std::to_string(k + 1), {-0.96 + 0.62 * k, 1.04, 0}, {0.24, 0.17, 0.487});
    m.shape(0.3, 0.3);
  }
  m.ball("Windscreen", {1.3, 1.02, 0}, {0.115, 0.21, 0.4});
  m.shape(0.3, 0.3);
  m.ball("Rear window", {-1.3, 1.06, 0}, {0.115, 0.15, 0.34});
  m.shape(0.3, 0.3);
  m.paint(1.0, 0.97, 0.8);
  m.buttons("headlight", {1.39, 0.5, 0.3}, {0.04, 0.075, 0.075});
  m.paint(0.95, 0.55, 0.1);
  m.buttons("tail light", {-1.39, 0.5, 0.34}, {0.03, 0.08, 0.05});
  for (const double x : {0.82, -0.82})
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::string(x > 0 ? "front " : "rear ") + (side > 0 ? "left" : "right");
      m.paint(0.07, 0.07, 0.08);
      m.ball(name + " tyre", {x, 0.25, side * 0.42}, {0.25, 0.25, 0.11});
      m.shape(0.4, 1);
      m.paint(0.8, 0.8, 0.83);
      m.ball(name + " hub", {x, 0.25, side * 0.5}, {0.12, 0.12, 0.045});
    }
  return m.finished(0.004);
}

}  // namespace

Scene soft_bus() {
  Builder b("Soft bus",
            "Soft springs all round it, and forces on the nodes at the road alone: what is above is left behind as it "
            "starts and goes on where it stops.",
            300);
  b.stage(1e7, 0.1, Vec3(0.46, 0.47, 0.48), Vec3(0.64, 0.74, 0.80));
  const StrungTruss truss = string_box({Vec3(-1.46, 0, -0.56), Vec3(1.46, 1.4, 0.56)}, {6, 3, 2});
  Object bus = b.character("Bus", bus_group(), truss, Vec3(-3.4, 0.005, 0));
  Builder::springs(bus, 20, 560, 6);
  Builder::physics(bus, 1e5, 0.1, 0);
  b.add(bus);
  Force wheels;
  wheels.id = {b.next++};
  wheels.name = "Drive";
  wheels.object = bus.id.value;
  wheels.push = Vec3::Zero();
  for (std::uint32_t n = 0; n < truss.nodes.size(); ++n)
    if (truss.nodes[n].position.y() < 0.01) wheels.nodes.push_back({n});
  b.scene.forces.emplace_back(wheels);
  b.dashes(9, Vec3(-6.8, 0.005, 1.1));
  for (const double x : {-3.4, 1.95}) {
    const std::string which = x < 0 ? " where it starts" : " where it stops";
    b.add(b.rod("Pole" + which, 0.06, 1.7, Vec3(x, 0.85, -1.2), 24));
    Object sign = b.object("Sign" + which, "white plastic", PrimitiveShape::cylinder, Vec3(0.44, 0.04, 0.44),
                           Vec3(x, 1.75, -1.19));
    sign.display.primitive.divisions = {48, 1, 1};
    sign.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
    Builder::only_seen(sign);
    Builder::paint(sign, Vec3(0.16, 0.36, 0.62), 0.1);
    b.add(sign);
  }
  b.soften();
  b.camera(Vec3(-0.6, 1.7, 8.2), Vec3(-0.75, 0.85, 0));
  b.scene = b.done();
  const Id one = bus.id, drive = wheels.id;
  const auto push = [](double newtons) {
    return std::vector<MotionParameter>{{"number", "force.push.x", 0}, {"to", {}, newtons}};
  };
  const auto when = [&](double seconds, double row) {
    return b.when("time", one, {}, 0, row, {{"time", {}, seconds}});
  };
  b.chain({when(0.6, 0), b.does("set", one, drive, 1, 0, push(120))});
  b.chain({when(1.15, 1), b.does("set", one, drive, 1, 1, push(0))});
  const Id brake = when(2.2, 2), hard = b.does("set", one, drive, 1, 2, push(-105)),
           slow = b.when("speed", one, {}, 2, 2, {{"limit", {}, 0.3}, {"side", "under", 0}}),
           over = b.does("set", one, drive, 3, 2, push(0)),
           grip = b.does("set", one, one, 3, 3, {{"number", "object.material.substance.friction", 0}, {"to", {}, 0.9}});
  b.chain({brake, hard, slow, over});
  b.chain({slow, grip});
  return b.scene;
}

}  // namespace hazumi::shipped
