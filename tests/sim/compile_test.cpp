#include <catch2/catch.hpp>

#include "core/sim/body/rigid.h"
#include "core/sim/contact/surface_mesh.h"
#include "tests/support/run.h"

namespace compile_test {

using namespace hazumi;
using namespace hazumi::test;

TEST_CASE("bodies come in the order of their ids, whatever the list order is", "[compile]") {
  World w;
  w.add(World::sphere(0.2, Vec3(0, 1, 0)));
  w.add(World::box(Vec3(1, 1, 1), Vec3(3, 1, 0)));
  w.floor();
  std::swap(w.scene.objects[0], w.scene.objects[2]);
  Run run(w);
  REQUIRE(run.model->bodies.size() == 3);
  for (std::size_t i = 1; i < 3; ++i) CHECK(run.model->bodies[i - 1].id < run.model->bodies[i].id);
  CHECK(run.model->step == Approx(1.0 / 240));
}

TEST_CASE("automatic contact shapes", "[compile]") {
  World w;
  const Id floor = w.floor(), box = w.add(World::box(Vec3(1, 2, 3), Vec3(0, 5, 0))),
           ball = w.add(World::sphere(0.4, Vec3(3, 5, 0)));
  Object egg = World::sphere(0.4, Vec3(6, 5, 0));
  egg.transform.scale = Vec3(1, 2, 1);
  Object gone = World::box(Vec3(1, 1, 1), Vec3(9, 5, 0));
  gone.display.kind = DisplayKind::mesh;
  gone.display.mesh.file = "nowhere.obj";
  Object off = World::sphere(0.4, Vec3(12, 5, 0));
  off.contact.enabled = false;
  const Id e = w.add(egg), g = w.add(gone), o = w.add(off);
  Run run(w);
  const auto proxy = [&](Id id) { return run.model->bodies[run.index(id)].proxy; };
  CHECK(proxy(floor).shape == ContactShape::plane);
  CHECK(proxy(box).shape == ContactShape::box);
  CHECK((proxy(box).half_extents - Vec3(0.5, 1, 1.5)).norm() < 1e-9);
  CHECK(proxy(ball).shape == ContactShape::sphere);
  CHECK(proxy(ball).radius == Approx(0.4));
  CHECK(proxy(e).shape == ContactShape::surface);
  REQUIRE(proxy(e).surface);
  CHECK(proxy(e).surface->points.size() == 24 * 11 + 2);  // vertices at one place are one
  CHECK(proxy(e).surface->faces.size() == 2 * 24 * 11);
  CHECK(proxy(e).surface->solid[0]);
  CHECK(proxy(g).shape == ContactShape::none);
  CHECK(proxy(o).shape == ContactShape::none);
}

TEST_CASE("mass properties: closed mesh, open mesh, nodes", "[compile]") {
  World w;
  const Id box = w.add(World::box(Vec3(1, 2, 3), Vec3(0, 5, 0), 6));
  Object sheet = World::box(Vec3(2, 1, 4), Vec3(5, 5, 0), 12);
  sheet.display.primitive.shape = PrimitiveShape::plane;
  const Id open = w.add(sheet);
  Object nodes = World::jelly(0.5, Vec3(9, 5, 0), 800, 3, false);
  nodes.body.kind = BodyKind::rigid;
  const Id truss = w.add(nodes);
  Run run(w);
  const auto body = [&](Id id) -> const RigidBody& {
    return dynamic_cast<const RigidBody&>(run.model->bodies[run.index(id)]);
  };
  CHECK((body(box).rigid.inertia.diagonal() - 0.5 * Vec3(13, 10, 5)).norm() < 1e-9);
  CHECK((body(open).rigid.inertia.diagonal() - Vec3(16, 20, 4)).norm() < 0.05);
  CHECK(body(truss).mass == Approx(3));
  CHECK(body(truss).rigid.inertia(0, 0) > 0);
  CHECK(body(truss).rigid.inertia(0, 0) == Approx(body(truss).rigid.inertia(2, 2)).epsilon(1e-9));
}

TEST_CASE("a flexible body without analysis model or with an unknown solver is refused by name", "[compile]") {
  World w;
  Object o = World::jelly(0.5, Vec3(0, 1, 0), 800);
  o.name = "Pudding";
  o.body.solver = "treacle";
  const Id id = w.add(o);
  MeshStore meshes;
  auto unknown = compile(w.scene, meshes);
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().path == "Pudding");
  CHECK_THAT(unknown.error().message, Catch::Contains("treacle"));
  w.scene = with_object(w.scene, id, [](Object& x) { x.analysis.kind = AnalysisKind::none; });
  auto bare = compile(w.scene, meshes);
  REQUIRE_FALSE(bare.ok());
  CHECK(bare.error().path == "Pudding");
}

TEST_CASE("collision shapes that nobody would want are warned of, and still run", "[compile]") {
  const auto warnings = [](const Object& object) {
    World w;
    w.add(object);
    MeshStore meshes;
    const auto compiled = compile(w.scene, meshes);
    REQUIRE(compiled.ok());
    return compiled.diagnostics();
  };
  Object ball = World::sphere(0.1, Vec3(0, 1, 0));
  CHECK(warnings(ball).empty());
  ball.name = "Marble";
  ball.contact.thickness = 0.15;
  REQUIRE(warnings(ball).size() == 1);
  CHECK(warnings(ball)[0].path == "Marble");
  CHECK_THAT(warnings(ball)[0].message, Catch::Contains("0.15 m") && Catch::Contains("0.2 m"));
  CHECK_THAT(warnings(ball)[0].hint, Catch::Contains("thickness"));

  Object jelly = World::jelly(0.5, Vec3(0, 1, 0), 800);
  jelly.contact.self_collision = true;
  CHECK(warnings(jelly).empty());
  jelly.display.primitive.divisions = {400, 200, 1};
  REQUIRE(warnings(jelly).size() == 1);
  CHECK_THAT(warnings(jelly)[0].message, Catch::Contains("triangles touches itself"));
  jelly.contact.shape = ContactShape::simplified;  // the remedy
  CHECK(warnings(jelly).empty());
  jelly.contact.shape = ContactShape::nodes;
  REQUIRE(warnings(jelly).size() == 1);
  CHECK_THAT(warnings(jelly)[0].message, Catch::Contains("not a surface"));

  DisplayMesh line;
  line.positions = {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(1, 0, 0)};
  line.faces = {{0, 1, 2}};
  Object needle = World::sphere(0.1, Vec3(0, 1, 0));
  needle.display.kind = DisplayKind::mesh;
  needle.display.mesh.mesh = std::make_shared<const DisplayMesh>(line);
  REQUIRE(warnings(needle).size() == 1);
  CHECK_THAT(warnings(needle)[0].message, Catch::Contains("area"));
}

}  // namespace compile_test
