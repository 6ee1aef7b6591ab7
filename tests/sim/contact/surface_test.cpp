// Everything that is seen is solid: surfaces of triangles against balls, boxes, planes and each other.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/run.h"

namespace surface_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object as_seen(Object o, BodyKind kind = BodyKind::rigid) {
  o.body.kind = kind;
  o.contact.shape = ContactShape::surface;
  return o;
}

/// Two triangles in the plane y = 0, or more.
Object sheet(double size, int divisions = 1) {
  Object o = make_object(0, "sheet", {PrimitiveShape::plane, Vec3(size, 1, size), {divisions, 1, divisions}},
                         Vec3::Zero(), BodyKind::fixed);
  o.contact.shape = ContactShape::surface;
  o.material.substance = {1000, 1e9, 0.3, 0.6, 0.5};
  return o;
}

Object slab(double size, double thickness) {
  return as_seen(World::box(Vec3(size, thickness, size), Vec3(0, -0.5 * thickness, 0)), BodyKind::fixed);
}

Object meshed(DisplayMesh mesh, const Vec3& at, BodyKind kind) {
  Object o = make_object(0, "mesh", {}, at, kind);
  mesh.parts = {{"", 0, static_cast<std::uint32_t>(mesh.faces.size()), {}, -1}};
  compute_normals(mesh);
  o.display.kind = DisplayKind::mesh;
  o.display.mesh.mesh = std::make_shared<const DisplayMesh>(std::move(mesh));
  o.material.substance.young = 1e9;
  return o;
}

/// Open bowl, part of a sphere of this radius with its lowest point in the origin; `around` sectors, `up` rings to 80 degrees.
DisplayMesh bowl(double radius, int around, int up) {
  DisplayMesh mesh;
  mesh.positions.push_back(Vec3::Zero());
  for (int r = 1; r <= up; ++r)
    for (int k = 0; k < around; ++k) {
      const double tilt = radians(80.0 * r / up), angle = 2 * kPi * k / around;
      mesh.positions.push_back(
          radius * Vec3(std::sin(tilt) * std::cos(angle), 1 - std::cos(tilt), std::sin(tilt) * std::sin(angle)));
    }
  const auto at = [&](int r, int k) { return static_cast<std::uint32_t>(1 + (r - 1) * around + k % around); };
  for (int k = 0; k < around; ++k) mesh.faces.push_back({0, at(1, k + 1), at(1, k)});
  for (int r = 1; r < up; ++r)
    for (int k = 0; k < around; ++k) {
      mesh.faces.push_back({at(r, k), at(r, k + 1), at(r + 1, k)});
      mesh.faces.push_back({at(r, k + 1), at(r + 1, k + 1), at(r + 1, k)});
    }
  return mesh;
}

Object torus(double width, double height, const Vec3& at, double mass) {
  return World::hard("torus", {PrimitiveShape::torus, Vec3(width, height, width), {24, 12, 1}}, at, mass);
}

}  // namespace

TEST_CASE("a ball comes to rest on a sheet, a slab and in a bowl, at the height of the mesh", "[surface]") {
  for (const int ground : {0, 1, 2, 3}) {
    World w;
    double height = 0.1;
    if (ground == 0) w.add(sheet(2));
    if (ground == 1) w.add(sheet(2, 7));
    if (ground == 2) w.add(slab(2, 0.1));
    if (ground == 3) {
      w.add(meshed(bowl(0.5, 12, 8), Vec3::Zero(), BodyKind::fixed));
      const double tilt = radians(10);
      height = 0.1 / std::cos(std::atan2(1 - std::cos(tilt), std::sin(tilt) * std::cos(kPi / 12)));
    }
    Object falls = World::sphere(0.1, Vec3(0, 0.4, 0));
    // On the tip of the bowl round-off says where it bounces to, and nothing stops what rolls there.
    if (ground == 3) falls.material.substance.restitution = 0;
    const Id ball = w.add(falls);
    Run run(w);
    run.seconds(5);
    INFO("ground " << ground);
    CHECK(run.at(ball).centre.y() == Approx(height).margin(1e-5));
    CHECK(run.velocity(ball).norm() < 1e-6);
  }
}

TEST_CASE("a ball of 100 m/s stays on its side of one sheet", "[surface]") {
  for (const double side : {1.0, -1.0})
    for (const int way : {0, 1, 2}) {
      World w;
      w.scene.settings.gravity.setZero();
      w.add(sheet(2, 3));
      Object o = World::sphere(0.05, side * Vec3(way == 2 ? -0.8 : 0.03, 0.9, 0.07));
      o.body.velocity = way == 0   ? Vec3(0, -100 * side, 0)
                        : way == 1 ? Vec3(20, -98 * side, 10)
                                   : Vec3(70 * side, -70 * side, 5);
      if (way == 2) o.transform.position.y() = 0.5 * side;
      const Id ball = w.add(o);
      Run run(w);
      double least = 1;
      for (int k = 0; k < 40; ++k) {
        run.steps(1);
        least = std::min(least, side * run.at(ball).centre.y());
      }
      INFO("side " << side << " way " << way);
      CHECK(least > 0.049);
      CHECK(run.velocity(ball).y() * side > 0.55 * 0.6 * 98);
    }
}

TEST_CASE("a ball rolls over a plane of triangles as over the plane", "[surface]") {
  Vec3 end[2], speed[2];
  double highest = 0;
  for (const int ground : {0, 1}) {
    World w;
    if (ground == 0)
      w.floor();
    else
      w.add(sheet(20, 37));
    Object o = World::sphere(0.1, Vec3(-4, 0.1, 0.3), 2);
    o.body.velocity = Vec3(3, 0, 0.7);
    const Id ball = w.add(o);
    Run run(w);
    for (int k = 0; k < 480; ++k) {
      run.steps(1);
      if (ground == 1) highest = std::max(highest, std::abs(run.at(ball).centre.y() - 0.1));
    }
    end[ground] = run.at(ball).centre;
    speed[ground] = run.velocity(ball);
  }
  CHECK((end[1] - end[0]).norm() < 1e-3 * 6);
  CHECK((speed[1] - speed[0]).norm() < 1e-3 * 3);
  CHECK(highest < 1e-4);
}

TEST_CASE("boxes of triangles rest on each other as boxes do", "[surface]") {
  for (const double turn : {0.0, 0.3})
    for (const int kind : {0, 1, 2}) {  // mesh on mesh, mesh on box, box on mesh
      World w;
      Object below = World::box(Vec3(1, 0.5, 1), Vec3(0, -0.25, 0));
      below.body.kind = BodyKind::fixed;
      if (kind != 1) below = as_seen(below, BodyKind::fixed);
      w.add(below);
      Object above = World::box(Vec3(1, 0.4, 1), Vec3(0, 0.5, 0), 2);
      above.transform.rotation = Quat(Eigen::AngleAxisd(turn, Vec3::UnitY()));
      if (kind != 2) above = as_seen(above);
      const Id box = w.add(above);
      Run run(w);
      run.seconds(4);
      INFO("turn " << turn << " kind " << kind);
      CHECK(run.velocity(box).norm() < 1e-3);
      CHECK(run.at(box).angular_momentum.norm() < 1e-3);
      CHECK((run.at(box).centre - Vec3(0, 0.2, 0)).norm() < 1e-3);
      CHECK(run.state.rows.size() <= 8);
    }
}

TEST_CASE("a stack of boxes of triangles stands", "[surface]") {
  World w;
  w.floor();
  std::vector<Id> boxes;
  for (int k = 0; k < 5; ++k) {
    Object o = World::box(Vec3(1, 0.5, 1), Vec3(0, 0.25 + 0.5 * k, 0), 2);
    o.display.primitive.divisions = {3, 2, 3};
    boxes.push_back(w.add(as_seen(o)));
  }
  Run run(w);
  run.seconds(5);
  for (int k = 0; k < 5; ++k) {
    INFO("box " << k);
    CHECK((run.at(boxes[k]).centre - Vec3(0, 0.25 + 0.5 * k, 0)).norm() < 2.5e-4);
    CHECK(run.velocity(boxes[k]).norm() < 1e-5);
  }
}

TEST_CASE("edges across edges: a plank lies over two others", "[surface]") {
  World w;
  w.add(as_seen(World::box(Vec3(0.2, 0.2, 3), Vec3(-0.6, 0, 0)), BodyKind::fixed));
  w.add(as_seen(World::box(Vec3(0.2, 0.2, 3), Vec3(0.6, 0, 0)), BodyKind::fixed));
  const Id plank = w.add(as_seen(World::box(Vec3(3, 0.1, 0.2), Vec3(0.1, 0.2, 0), 2)));
  Run run(w);
  run.seconds(3);
  CHECK((run.at(plank).centre - Vec3(0.1, 0.15, 0)).norm() < 1e-3);
  CHECK(run.velocity(plank).norm() < 1e-4);
}

TEST_CASE("a ring hangs on a rod, and a needle falls through a ring", "[surface]") {
  World w;
  w.add(as_seen(World::box(Vec3(0.06, 0.06, 1), Vec3(0, 0, 0)), BodyKind::fixed));
  Object o = torus(0.6, 0.1, Vec3(0, -0.15, 0), 1);
  o.transform.rotation = Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()));
  const Id ring = w.add(o);
  Run run(w);
  for (int k = 0; k < 240 * 4; ++k) {
    run.steps(1);
    CHECK(run.at(ring).centre.y() > -0.24);
  }
  CHECK(run.velocity(ring).norm() < 1.0);
  CHECK(std::abs(run.at(ring).centre.x()) < 0.2);

  World through;
  Object hoop = torus(0.6, 0.1, Vec3::Zero(), 1);
  hoop.body.kind = BodyKind::fixed;
  through.add(hoop);
  const Id needle = through.add(as_seen(World::box(Vec3(0.05, 0.8, 0.05), Vec3(0.1, 0.9, 0.05))));
  Run falls(through);
  falls.seconds(1);
  CHECK(falls.events.empty());
  CHECK(falls.velocity(needle).y() == Approx(-9.80665).epsilon(1e-6));
}

TEST_CASE("others keep the thickness of an object away", "[surface]") {
  for (const int ground : {0, 1, 2, 3}) {  // sheet, slab as seen, box, plane
    World w;
    Object below = ground == 0 ? sheet(2) : slab(2, 0.1);
    if (ground == 2) below.contact.shape = ContactShape::automatic;
    if (ground == 3)
      below.display.primitive.shape = PrimitiveShape::plane, below.contact.shape = ContactShape::automatic;
    if (ground == 3) below.transform.position.setZero();
    below.contact.thickness = 0.02;
    w.add(below);
    Object o = World::sphere(0.1, Vec3(-0.5, 0.3, 0));
    o.contact.thickness = 0.01;
    const Id ball = w.add(o);
    const Id box = w.add(as_seen(World::box(Vec3(0.2, 0.2, 0.2), Vec3(0.5, 0.3, 0))));
    Run run(w);
    run.seconds(4);
    INFO("ground " << ground);
    CHECK(run.at(ball).centre.y() == Approx(0.13).margin(1e-4));
    CHECK(run.at(box).centre.y() == Approx(0.12).margin(1e-4));
    CHECK(run.velocity(box).norm() < 1e-4);
  }
}

TEST_CASE("soft bodies rest on meshes and on each other", "[surface][slow]") {
  World w;
  w.add(slab(3, 0.1));
  const Id ball = w.add(World::jelly(0.2, Vec3(-1, 0.4, 0), 2000, 1));
  Object below = World::box(Vec3(0.4, 0.4, 0.4), Vec3(0.7, 0.22, 0), 1);
  below.body.kind = BodyKind::flexible;
  below.analysis.kind = AnalysisKind::box_grid;
  below.analysis.size = Vec3(0.4, 0.4, 0.4);
  below.analysis.divisions = {2, 2, 2};
  below.body.stiffness = 2e4;
  below.body.damping = 20;
  Object above = below;
  above.transform.position = Vec3(0.72, 0.66, 0.02);
  const Id low = w.add(below), high = w.add(above);
  Run run(w);
  const double start = run.energy();
  double most = start;
  for (int k = 0; k < 240 * 5; ++k) {
    run.steps(1);
    most = std::max(most, run.energy());
  }
  CHECK(most < start + 1e-6 * std::abs(start) + 1e-9);
  CHECK(run.at(ball).centre.y() == Approx(0.18).margin(0.03));
  CHECK(run.at(low).centre.y() == Approx(0.2).margin(0.02));
  CHECK(run.at(high).centre.y() == Approx(0.6).margin(0.03));
  CHECK(run.velocity(high).norm() < 1e-2);
  CHECK(run.velocity(low).norm() < 1e-2);
}

}  // namespace surface_test
