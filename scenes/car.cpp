// A car that slides over bumps on wheels without friction: its wheels are round and plain, so nobody sees
// that they do not turn. Stiff springs hold the shape of each wheel and of the body, soft ones carry the body
// on the wheels.
#include "scenes/shipped.h"

#include <algorithm>

#include "core/scene/derived/poses.h"
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
  b.dashes(6, Vec3(-4.5, 0.005, -1.5));
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
  b.dashes(8, Vec3(-5.5, 0.005, -1.5));
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

/// Thesis, figure 1.1: it stands (1), gathers itself (2, 3), shoots off and is drawn out (4, 5), and catches up with
/// itself where it stops (6).
Scene soft_car() {
  Builder b("Soft car",
            "Anticipation and exaggeration: it draws back and humps up before it starts, is long where it is fast, and "
            "short where it stops.",
            270);
  b.stage(1e7, 0.1, Vec3(0.44, 0.45, 0.47), Vec3(0.55, 0.66, 0.74));
  const StrungTruss truss = string_box({Vec3(-1.08, 0, -0.6), Vec3(1.08, 1.1, 0.6)}, {6, 2, 2});
  Object o = b.character("Car", car_group(), truss, Vec3(-3.2, 0.01, 0));
  Builder::springs(o, 12, 2500, 12);
  Builder::physics(o, 1e5, 0.1, 0);
  b.add(o);
  b.dashes(8, Vec3(-5.5, 0.005, -1.5));
  b.soften();
  b.camera(Vec3(-0.4, 1.6, 7.2), Vec3(-0.65, 0.85, 0));
  b.scene = b.done();
  const Id one = b.id_of("Car");
  const Id time = b.when("time", one, {}, 0, 1, {{"time", {}, 0.5}}),
           back = b.does("push", one, {}, 1, 0, {{"x", {}, -20}, {"duration", {}, 0.3}}),
           hump = b.does("pose", one, {}, 1, 1,
                         {{"axis", "x", 0},
                          {"stretch", {}, -26},
                          {"bend", {}, -1.1},
                          {"in", {}, 0.7},
                          {"stay", {}, 0.25},
                          {"out", {}, 0.1}}),
           ready = b.when("finished", one, {}, 2, 1),
           fast = b.does("stretch", one, {}, 3, 0, {{"gain", {}, 9}, {"most", {}, 60}, {"lag", {}, 0.06}}),
           go = b.does("push", one, {}, 3, 1, {{"x", {}, 140}, {"duration", {}, 0.5}}),
           there = b.when("place", one, {}, 4, 1, {{"x", {}, 1.6}, {"y", {}, 0.5}, {"radius", {}, 0.6}}),
           brake = b.does("stop", one, {}, 5, 1, {{"duration", {}, 0.3}});
  b.chain({time, back});
  b.chain({time, hump, ready, go, there, brake});
  b.chain({ready, fast});
  return b.scene;
}

/// Koyama, Takayama, Umetani and Igarashi 2012, figure 1: what a car was shown it goes into when it hits something.
Scene four_cars() {
  Builder b(
      "Four cars",
      "They run into a wall. The yellow one knows nothing; the others were shown an arch, a twist and a wave, and do "
      "what they know. Teach the yellow one a pose, or take one from another under Analysis.",
      150);
  b.stage(1e7, 0.1, Vec3(0.44, 0.45, 0.47), Vec3(0.55, 0.66, 0.74));
  b.scene.settings.substeps = 6;
  constexpr double kLane = 2.1, kFast = 9;
  Object wall = b.block("Wall", Vec3(0.5, 1.5, 4 * kLane + 0.4), Vec3(2.4, 0.75, 0), Vec3(0.62, 0.42, 0.34));
  Builder::physics(wall, 1e7, 0.1, 0.2);
  b.add(wall);
  const char* names[] = {"Car", "Car that arches", "Car that twists", "Car that waves"};
  const Vec3 paints[] = {{0.88, 0.66, 0.10}, {0.80, 0.22, 0.16}, {0.20, 0.44, 0.74}, {0.28, 0.60, 0.30}};
  const StrungTruss truss = string_box({Vec3(-1.08, 0, -0.6), Vec3(1.08, 1.1, 0.6)}, {6, 3, 3});
  const auto shape = [](int car, const Vec3& x) {
    if (car == 1) return Vec3(0.74 * x.x(), x.y() + 0.6 * (1 - x.x() * x.x()) - 0.2, x.z());
    if (car == 2) {
      const Vec3 middle(0, 0.5, 0);
      const Vec3 turned = middle + Quat(Eigen::AngleAxisd(0.8 * x.x(), Vec3::UnitX())) * (x - middle);
      return Vec3(0.7 * turned.x(), turned.y(), turned.z());
    }
    return Vec3(0.9 * x.x(), x.y() + 0.22 * std::sin(1.5 * kPi * x.x()), x.z());
  };
  const char* poses[] = {"", "Arch", "Twist", "Wave"};
  for (int k = 0; k < 4; ++k) {
    MetaballGroup group = car_group();
    group.final_tolerance = 0.006;
    for (MetaballPrimitive& part : group.primitives)
      if (part.name == "Body" || part.name == "Cabin")
        part.surface.diffuse = paints[k], part.surface.ambient = 0.9 * paints[k];
    Object o = b.character(names[k], group, truss, Vec3(-0.6, 0.01, (k - 1.5) * kLane));
    Builder::springs(o, 12, 2500, 15);
    Builder::physics(o, 1e5, 0, 0.6);
    o.body.solver = "shape_matching";
    o.body.velocity = Vec3(kFast, 0, 0);
    if (k > 0) {
      AnalysisPose pose;
      pose.name = poses[k];
      for (const Vec3& x : analysis_truss(o.analysis).nodes) pose.nodes.push_back({shape(k, x) - x});
      add_pose(o.analysis, std::move(pose));
    }
    b.add(o);
  }
  b.soften();
  b.camera(Vec3(-4.6, 4.2, 7.4), Vec3(0.2, 0.3, 0.1));
  return b.done();
}

}  // namespace hazumi::shipped
