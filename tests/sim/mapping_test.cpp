// Every kind of mapping under the simulation: contact on display vertices, frames, sharing between versions
// of a scene.
#include "core/geometry/mapping/mapping.h"
#include "core/geometry/mapping/bones.h"
#include "core/motion/compile.h"
#include "tests/support/run.h"

namespace mapping_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object soft_body(MappingKind kind) {
  Object o = World::jelly(0.5, Vec3(0, 0.8, 0), 2000);
  o.body.damping = 5;
  o.mapping.kind = kind;
  o.mapping.bones =
      bones_along_longest_axis(std::vector<Vec3>{{-0.5, 0, 0}, {0.5, 0, 0}, {0, 0.4, 0}, {0, -0.4, 0}}, 2);
  return o;
}

double lowest(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  std::vector<Vec3> nodes(b.truss.nodes.size());
  b.positions(run.state.bodies[body].values, nodes);
  std::vector<std::uint32_t> all(b.mesh->positions.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  std::vector<Vec3> points(all.size());
  b.mapping->map_points(nodes, b.pose(run.state.bodies[body].values), all, points);
  double least = 1e300;
  for (const Vec3& p : points) least = std::min(least, p.y());
  return least;
}

}  // namespace

TEST_CASE("A soft body lands on its skin and stays there, whatever maps the skin", "[slow]") {
  for (MappingKind kind : {MappingKind::linear, MappingKind::lattice, MappingKind::skeleton}) {
    CAPTURE(static_cast<int>(kind));
    World world;
    world.floor();
    const Id id = world.add(soft_body(kind));
    Run run(world);
    const std::size_t body = run.index(id);
    REQUIRE(run.model->bodies[body].mapping);
    CHECK(run.model->bodies[body].mapping->kind() == kind);
    CHECK(run.model->bodies[body].proxy.skin.size() == run.model->bodies[body].proxy.skin_drivers.size());
    REQUIRE_FALSE(run.model->bodies[body].proxy.skin.empty());
    double deepest = 0, energy = run.energy();
    bool touched = false;
    for (int k = 0; k < 8; ++k) {
      run.seconds(0.5);
      CHECK(run.energy() <= energy * 1.0003);
      energy = run.energy();
      touched = touched || !run.events.empty();
      deepest = std::min(deepest, lowest(run, body));
    }
    CHECK(touched);
    CHECK(deepest > -8e-3);
    // Round and soft: it stands on its pole at first, then tips and rocks. It was let go at 2.4 m/s.
    CHECK(run.velocity(id).norm() < 0.3);
    CHECK(lowest(run, body) == Approx(0).margin(1e-4));
    CHECK(run.at(id).centre.y() > 0.3);
  }
}

TEST_CASE("A model takes over mappings of the version before where nothing that they read has changed") {
  World world;
  const Id id = world.add(soft_body(MappingKind::lattice));
  MeshStore meshes;
  const auto first = compile(world.scene, meshes);
  REQUIRE(first.ok());
  const auto mapping = (*first)->bodies[0].mapping;
  Scene stiffer = with_object(world.scene, id, [](Object& o) { o.body.stiffness *= 2; });
  const auto second = compile(stiffer, meshes, first->get());
  REQUIRE(second.ok());
  CHECK((*second)->bodies[0].mapping == mapping);
  Scene finer = with_object(world.scene, id, [](Object& o) { o.mapping.lattice = {4, 4, 4}; });
  const auto third = compile(finer, meshes, first->get());
  REQUIRE(third.ok());
  CHECK((*third)->bodies[0].mapping != mapping);
}

TEST_CASE("Bones stretch with the object's scale") {
  World world;
  Object o = soft_body(MappingKind::skeleton);
  o.transform.scale = Vec3(2, 1, 1);
  const Id id = world.add(o);
  Run run(world);
  const hazumi::Body& body = run.model->bodies[run.index(id)];
  // Vertices at the two ends hang on the two bones: with bones left at half the length both ends would be far
  // from any.
  std::size_t left = 0, right = 0;
  for (std::size_t v = 0; v < body.mesh->positions.size(); ++v) {
    if (body.mesh->positions[v].x() < body.mesh->positions[left].x()) left = v;
    if (body.mesh->positions[v].x() > body.mesh->positions[right].x()) right = v;
  }
  const DriverInfo a = body.mapping->drivers(left), b = body.mapping->drivers(right);
  CHECK(a.bones[0].bone == 1);
  CHECK(b.bones[0].bone == 2);
  CHECK(a.bones[0].weight > 0.97);
  CHECK(b.bones[0].weight > 0.97);
}

TEST_CASE("A mapping that cannot be made as asked is told, and the run goes on") {
  World world;
  world.add(soft_body(MappingKind::embedding));
  MeshStore meshes;
  const auto model = compile(world.scene, meshes);
  REQUIRE(model.ok());
  REQUIRE(model.diagnostics().size() == 1);
  CHECK(model.diagnostics()[0].severity == Severity::warning);
  CHECK(model.diagnostics()[0].message.find("tetrahedra") != std::string::npos);
  CHECK((*model)->bodies[0].mapping->kind() == MappingKind::linear);
}

}  // namespace mapping_test
