// What an object collides as where it is told to be simpler than it is seen: fewer triangles, or its convex hull.
#include "core/sim/contact/coarse_surface.h"

#include <algorithm>
#include <cmath>

#include "core/geometry/mesh/primitives.h"
#include "core/sim/contact/surface_mesh.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"

namespace coarse_surface_test {

using namespace hazumi;
using namespace hazumi::test;
using reference::Dice;

namespace {

DisplayMesh mesh_of(PrimitiveShape shape, const Vec3& size, const std::array<int, 3>& divisions) {
  return make_primitive({shape, size, divisions});
}

bool all_solid(const CoarseSurface& surface) {
  const auto made = make_surface_mesh(surface.mesh, Vec3::Zero(), false, surface.source);
  return !made->faces.empty() && !made->any_open;
}

/// m, the farthest that a vertex of the mesh is out of the planes of the faces.
double outside(const CoarseSurface& surface, const std::vector<Vec3>& points) {
  double most = 0;
  for (const auto& f : surface.mesh.faces) {
    const Vec3 &a = surface.mesh.positions[f[0]], &b = surface.mesh.positions[f[1]], &c = surface.mesh.positions[f[2]];
    const Vec3 normal = (b - a).cross(c - a).normalized();
    for (const Vec3& p : points) most = std::max(most, normal.dot(p - a));
  }
  return most;
}

Object torus(const Vec3& place, BodyKind kind) {
  Object o = make_object(0, "torus", {PrimitiveShape::torus, Vec3(2, 0.5, 2), {32, 16, 1}}, place, kind);
  o.material.substance.restitution = 0;
  return o;
}

/// m, where a ball comes to be that falls on the middle of a torus that lies on the floor.
double height_on_torus(ContactShape shape, BodyKind kind) {
  World world;
  world.floor(0.5, 0);
  Object ring = torus(Vec3(0, 0.25, 0), kind);
  ring.contact.shape = shape;
  ring.contact.triangles = 200;
  if (kind == BodyKind::flexible) {
    ring.analysis.kind = AnalysisKind::box_grid;
    ring.analysis.size = Vec3(2, 0.5, 2);
    ring.analysis.divisions = {2, 1, 2};
    ring.body.stiffness = 1e5;
    ring.body.damping = 200;
    ring.body.mass = 4;
  }
  world.add(ring);
  Object ball = World::sphere(0.3, Vec3(0.01, 1.5, 0.02));
  ball.body.mass = 0.2;
  ball.material.substance.restitution = 0;
  const Id id = world.add(ball);
  Run run(world);
  run.steps(static_cast<int>(2 / run.model->step));
  return run.model->bodies[run.index(id)].pose(run.state.bodies[run.index(id)].values).position.y();
}

}  // namespace

TEST_CASE("A hull is convex, closed and has all points within it", "[coarse_surface]") {
  Dice dice(7);
  for (int k = 0; k < 60; ++k) {
    DisplayMesh cloud;
    const int count = 5 + static_cast<int>(dice.uniform(0, 60));
    for (int i = 0; i < count; ++i)
      cloud.positions.push_back(Vec3(1, 2, 0.3).cwiseProduct(dice.vector()) + Vec3(5, 0, 0));
    const CoarseSurface hull = hull_surface(cloud);
    INFO("cloud " << k);
    CHECK(all_solid(hull));
    CHECK(outside(hull, cloud.positions) < 1e-12);
    for (std::size_t i = 0; i < hull.source.size(); ++i)
      CHECK(hull.mesh.positions[i] == cloud.positions[hull.source[i]]);
  }
  DisplayMesh line;
  for (int i = 0; i < 5; ++i) line.positions.emplace_back(i, 0, 0);
  CHECK(hull_surface(line).mesh.faces.empty());
}

TEST_CASE("A simplified surface has as many triangles as asked for, stays closed, and near", "[coarse_surface]") {
  for (int shape = 0; shape < 14; ++shape) {
    if (static_cast<PrimitiveShape>(shape) == PrimitiveShape::plane) continue;
    const DisplayMesh mesh = mesh_of(static_cast<PrimitiveShape>(shape), Vec3(1, 1.2, 0.8), {40, 24, 4});
    for (const std::size_t most : {std::size_t{100}, std::size_t{300}}) {
      const CoarseSurface coarse = simplified_surface(mesh, most);
      INFO("shape " << shape << ", " << mesh.faces.size() << " triangles, " << most << " wanted, "
                    << coarse.mesh.faces.size() << " left");
      // What would no longer be closed keeps more: a ring its hole, the flat sides of a box.
      const bool more = shape == 0 || shape == 4 || shape == 7;
      CHECK(coarse.mesh.faces.size() <= (more ? 5 * most / 2 : most));
      CHECK(all_solid(coarse) == all_solid(simplified_surface(mesh, mesh.faces.size())));
      for (std::size_t i = 0; i < coarse.source.size(); ++i)
        CHECK(coarse.mesh.positions[i] == mesh.positions[coarse.source[i]]);
      double volume[2] = {0, 0};
      for (int of = 0; of < 2; ++of)
        for (const auto& f : (of ? coarse.mesh : mesh).faces) {
          const std::vector<Vec3>& x = (of ? coarse.mesh : mesh).positions;
          volume[of] += x[f[0]].dot(x[f[1]].cross(x[f[2]])) / 6;
        }
      CHECK(volume[1] == Approx(volume[0]).epsilon(most == 100 ? 0.2 : 0.06));  // vertices stay, so it lies within
    }
  }
}

TEST_CASE("A ball falls through a ring as it is seen, lies on its hull, and in it simplified", "[coarse_surface]") {
  for (const BodyKind kind : {BodyKind::fixed, BodyKind::rigid, BodyKind::flexible}) {
    INFO(static_cast<int>(kind));
    const double seen = height_on_torus(ContactShape::surface, kind), hull = height_on_torus(ContactShape::hull, kind),
                 fewer = height_on_torus(ContactShape::simplified, kind);
    CHECK(seen == Approx(0.3).margin(0.02));
    CHECK(fewer == Approx(0.3).margin(0.03));
    CHECK(hull == Approx(0.8).margin(0.03));
  }
}

TEST_CASE("An edit of what an object collides as is seen by the next run", "[coarse_surface]") {
  World world;
  Object ring = torus(Vec3(0, 0.25, 0), BodyKind::rigid);
  ring.contact.shape = ContactShape::simplified;
  ring.contact.triangles = 100;
  const Id id = world.add(ring);
  MeshStore meshes;
  const auto surfaces = meshes.prepare(world.scene, 1);
  const auto first = *compile(world.scene, meshes);
  const auto faces = [&](const Model& model) { return model.bodies[0].proxy.surface->faces.size(); };
  CHECK(faces(*first) <= 100);
  const auto change = [&](const auto& how) {
    for (auto& at : world.scene.objects)
      if (at->id == id) {
        Object o = *at;
        how(o);
        at = Shared<Object>(o);
      }
    return *compile(world.scene, meshes, first.get());
  };
  CHECK(change([](Object&) {})->bodies[0].proxy.surface == first->bodies[0].proxy.surface);  // not made again
  CHECK(faces(*change([](Object& o) { o.contact.triangles = 400; })) > 200);
  CHECK(faces(*change([](Object& o) { o.contact.shape = ContactShape::surface; })) == 2 * 32 * 16);
  CHECK(faces(*change([](Object& o) { o.contact.shape = ContactShape::hull; })) < 2 * 32 * 16);
}

}  // namespace coarse_surface_test
