// A car that slides over bumps on wheels without friction: its wheels are round and plain, so nobody sees
// that they do not turn. Stiff springs hold the shape of each wheel and of the body, soft ones carry the body
// on the wheels.
#include "scenes/shipped.h"

#include <algorithm>

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

namespace {

constexpr double kWheelX = 0.62, kWheelY = 0.24, kWheelZ = 0.47, kWheelRadius = 0.24, kWheelHalf = 0.1;

/// Drives along +x, wheels on y = 0, 2 m long.
MetaballGroup car_group() {
  CharacterMaker m;
  m.weight = 100;  // colours with sharp borders
  m.paint(0.88, 0.66, 0.10);
  m.ball("Body", {0, 0.50, 0}, {1.0, 0.24, 0.33});
  m.shape(0.5, 0.4);
  m.ball("Cabin", {-0.12, 0.82, 0}, {0.56, 0.26, 0.30});
  m.shape(0.6, 0.5);
  m.paint(0.16, 0.30, 0.42);
  m.ball("Windows at the sides", {-0.12, 0.86, 0}, {0.42, 0.125, 0.317});
  m.shape(0.3, 0.3);
  m.ball("Windows at the ends", {-0.12, 0.86, 0}, {0.575, 0.125, 0.22});
  m.shape(0.3, 0.3);
  m.paint(0.86, 0.87, 0.9);
  m.ball("Front bumper", {0.99, 0.37, 0}, {0.06, 0.06, 0.36});
  m.shape(0.5, 1);
  m.ball("Rear bumper", {-0.99, 0.37, 0}, {0.06, 0.06, 0.36});
  m.shape(0.5, 1);
  m.paint(1.0, 0.97, 0.8);
  m.buttons("headlight", {0.965, 0.54, 0.2}, {0.06, 0.085, 0.085});
  m.paint(0.7, 0.05, 0.05);
  m.buttons("tail light", {-0.965, 0.56, 0.22}, {0.04, 0.05, 0.05});
  for (const double x : {kWheelX, -kWheelX})
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::string(x > 0 ? "front " : "rear ") + (side > 0 ? "left" : "right");
      m.paint(0.07, 0.07, 0.08);
      m.ball(name + " tyre", {x, kWheelY, side * kWheelZ}, {kWheelRadius, kWheelRadius, kWheelHalf});
      m.shape(0.4, 1);
      m.paint(0.8, 0.8, 0.83);
      m.ball(name + " hub", {x, kWheelY, side * (kWheelZ + 0.075)}, {0.12, 0.12, 0.04});
    }
  return m.finished(0.003);
}

void append(StrungTruss& to, const StrungTruss& part) {
  const auto first = static_cast<std::uint32_t>(to.nodes.size());
  to.nodes.insert(to.nodes.end(), part.nodes.begin(), part.nodes.end());
  for (StrungSpring s : part.springs) {
    s.a += first;
    s.b += first;
    to.springs.push_back(s);
  }
  for (auto face : part.hull) {
    for (auto& node : face) node += first;
    to.hull.push_back(face);
  }
  for (auto tetra : part.tetrahedra) {
    for (auto& node : tetra) node += first;
    to.tetrahedra.push_back(tetra);
  }
}

StrungTruss car_truss() {
  StrungTruss car = string_box({Vec3(-1.0, 0.36, -0.36), Vec3(1.0, 1.06, 0.36)}, {5, 2, 2});
  const auto body_nodes = static_cast<std::uint32_t>(car.nodes.size());
  for (const double x : {kWheelX, -kWheelX})
    for (const double z : {kWheelZ, -kWheelZ}) {
      const Vec3 middle(x, kWheelY, z), half(kWheelRadius, kWheelRadius, kWheelHalf);
      StrungTruss wheel = string_box({middle - half, middle + half}, {1, 1, 1});
      for (StrungNode& node : wheel.nodes) node.mass = 1.5;  // a low centre of mass
      for (StrungSpring& spring : wheel.springs) spring.stiffness = 8, spring.damping = 3;
      const auto first = static_cast<std::uint32_t>(car.nodes.size());
      append(car, wheel);
      // From every node of the wheel to the nearest nodes of the chassis.
      for (std::uint32_t w = first; w < car.nodes.size(); ++w) {
        std::vector<std::pair<double, std::uint32_t>> near;
        for (std::uint32_t n = 0; n < body_nodes; ++n)
          if (car.nodes[n].position.y() < 0.4) near.emplace_back((car.nodes[n].position - middle).norm(), n);
        std::sort(near.begin(), near.end());
        for (std::size_t k = 0; k < 5; ++k) car.springs.push_back({near[k].second, w, 0.03, 0.06});
      }
    }
  std::sort(car.springs.begin(), car.springs.end(),
            [](const StrungSpring& s, const StrungSpring& t) { return std::pair(s.a, s.b) < std::pair(t.a, t.b); });
  return car;
}

}  // namespace

Scene car() {
  Builder b("Car over bumps", "Stiff springs keep body and wheels in shape, soft ones let the body rock on its wheels.",
            210);
  b.stage(1e7, 0.3, Vec3(0.44, 0.45, 0.47), Vec3(0.55, 0.66, 0.74));
  Object o = b.character("Car", car_group(), car_truss(), Vec3(-2.8, 0.01, 0));
  Builder::springs(o, 12, 3000, 12);
  o.body.velocity = Vec3(2.4, 0, 0);
  Builder::physics(o, 1e5, 0.2, 0);
  b.add(o);
  // A bump is two ramps back to back. Each goes on under the floor, and the second begins a little below the
  // ridge: at a bare end face a wheel would stop.
  int number = 0;
  const auto bump = [&](double x, double height, double half_length) {
    ++number;
    const double angle = std::atan2(height, half_length), length = std::hypot(height, half_length) + 1.0, thick = 0.4;
    for (const double side : {1.0, -1.0}) {
      Object ramp = b.object("Bump " + std::to_string(number) + (side > 0 ? ", up" : ", down"), "white plastic",
                             PrimitiveShape::box, Vec3(length, thick, 1.7), Vec3::Zero());
      ramp.display.primitive.divisions = {1, 1, 1};
      ramp.transform.rotation = Quat(Eigen::AngleAxisd(side * angle, Vec3::UnitZ()));
      ramp.transform.position = Vec3(x, side > 0 ? height : height - 0.012, 0) -
                                ramp.transform.rotation * Vec3(0.5 * side * length, 0.5 * thick, 0);
      ramp.body.kind = BodyKind::fixed;
      Builder::paint(ramp, number % 2 ? Vec3(0.80, 0.35, 0.15) : Vec3(0.85, 0.80, 0.70), 0.05);
      Builder::physics(ramp, 2e5, 0.3, 0);
      b.add(ramp);
    }
  };
  bump(-1.2, 0.10, 0.5);
  bump(0.6, 0.15, 0.7);
  bump(2.3, 0.10, 0.5);
  for (int k = 0; k < 6; ++k) {
    Object dash = b.object("Dash " + std::to_string(k + 1), "white plastic", PrimitiveShape::box, Vec3(0.8, 0.01, 0.1),
                           Vec3(-4.5 + 1.7 * k, 0.005, -1.5));
    dash.display.primitive.divisions = {1, 1, 1};
    Builder::only_seen(dash);
    dash.locked = true;
    Builder::paint(dash, Vec3(0.85, 0.85, 0.82), 0.03);
    b.add(dash);
  }
  b.camera(Vec3(0.8, 1.7, 6.4), Vec3(0.0, 0.55, 0));
  return b.done();
}

/// Before it starts it draws itself up, where it brakes it dives (thesis, figures 4.8 and 4.9).
Scene rearing_car() {
  Builder b("Car that rears",
            "It draws itself up before it starts, leans back as it goes and dives where it brakes: shapes that a "
            "motion graph tells.",
            270);
  b.stage(1e7, 0.3, Vec3(0.44, 0.45, 0.47), Vec3(0.55, 0.66, 0.74));
  Object o = b.character("Car", car_group(), car_truss(), Vec3(-3.4, 0.01, 0));
  Builder::springs(o, 12, 6000, 40);
  Builder::physics(o, 1e5, 0.2, 0);
  b.add(o);
  for (int k = 0; k < 8; ++k) {
    Object dash = b.object("Dash " + std::to_string(k + 1), "white plastic", PrimitiveShape::box, Vec3(0.8, 0.01, 0.1),
                           Vec3(-5.5 + 1.7 * k, 0.005, -1.5));
    dash.display.primitive.divisions = {1, 1, 1};
    Builder::only_seen(dash);
    dash.locked = true;
    Builder::paint(dash, Vec3(0.85, 0.85, 0.82), 0.03);
    b.add(dash);
  }
  b.camera(Vec3(0.2, 1.7, 8.1), Vec3(-0.2, 0.5, 0));
  b.scene = b.done();
  const Id one = b.id_of("Car");
  const Id start = b.when("time", one, {}, 0, 0),
           sway = b.does("sway", one, {}, 1, 0, {{"gain", {}, 0.05}, {"most", {}, 0.42}, {"lag", {}, 0.1}}),
           time = b.when("time", one, {}, 0, 1, {{"time", {}, 0.5}}),
           rear = b.does("pose", one, {}, 1, 1,
                         {{"axis", "x", 0},
                          {"stretch", {}, -16},
                          {"lean", {}, -0.24},
                          {"in", {}, 0.8},
                          {"stay", {}, 0.2},
                          {"out", {}, 0.12}}),
           ready = b.when("finished", one, {}, 2, 1),
           go = b.does("push", one, {}, 3, 1, {{"x", {}, 66}, {"duration", {}, 0.9}}),
           far = b.when("time", one, {}, 0, 2, {{"time", {}, 2.9}}),
           brake = b.does("push", one, {}, 1, 2, {{"x", {}, -99}, {"duration", {}, 0.6}});
  b.chain({start, sway});
  b.chain({time, rear, ready, go});
  b.chain({far, brake});
  return b.scene;
}

}  // namespace hazumi::shipped
