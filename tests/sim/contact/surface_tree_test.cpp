// Parts of a surface: boxes that hold them whatever the nodes do, and searches that open only what they need, against all vertices
// mapped and all faces looked at.
#include <algorithm>
#include <cmath>

#include "core/geometry/mapping/bones.h"
#include "core/motion/compile.h"
#include "core/sim/contact/nearest.h"
#include "core/sim/contact/surface_tree.h"
#include "tests/geometry/mapping_support.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace surface_tree_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object soft(std::uint64_t id, PrimitiveShape shape, MappingKind mapping) {
  Object o = make_object(id, "soft", {shape, Vec3(1, 0.8, 1.2), {40, 30, 8}}, Vec3::Zero(), BodyKind::flexible);
  o.analysis.kind = mapping == MappingKind::linear ? AnalysisKind::icosahedron : AnalysisKind::box_grid;
  o.analysis.size = Vec3(1, 0.8, 1.2);
  if (mapping == MappingKind::embedding) {
    o.analysis.kind = AnalysisKind::strung;
    o.analysis.size = Vec3::Ones();
    o.analysis.strung = std::make_shared<const StrungTruss>(to_strung(tetrahedral_box({2, 3, 2}, Vec3(0.9, 0.8, 1.2))));
  }
  o.mapping.kind = mapping;
  o.mapping.bones = bones_along_longest_axis(std::vector<Vec3>{{-0.4, 0, 0}, {0.4, 0, 0}, {0, 0.2, 0}}, 2);
  o.contact.shape = ContactShape::surface;
  return o;
}

/// The body moved, turned and bent at random, by more at every turn.
BodyShape deformed(const Body& body, double size, reference::Dice& dice) {
  BodyShape shape;
  shape.body = &body;
  shape.active = true;
  const auto vector = [&] { return Vec3(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)); };
  const auto end = [&](std::vector<Vec3>& nodes, Pose& pose) {
    pose.rotation = Quat(dice.attitude()).normalized();
    pose.position = 10 * vector();
    const Vec3 origin = body.mesh_origin;
    nodes.clear();
    for (const Vec3& x : body.truss.nodes) nodes.push_back(pose * Vec3(x - origin + size * vector()));
  };
  end(shape.nodes_from, shape.from);
  end(shape.nodes_to, shape.to);
  finish_shape(shape);
  return shape;
}

Box3 box_of(const SurfaceMesh& mesh, std::uint32_t face, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  Box3 box;
  for (const std::uint32_t v : mesh.faces[face]) {
    box.add(from[v]);
    box.add(to[v]);
  }
  return box;
}

bool inside(const Box3& outer, const Box3& inner) {
  return (outer.low.array() <= inner.low.array()).all() && (outer.high.array() >= inner.high.array()).all();
}

}  // namespace

TEST_CASE("a part of a skin is in its box, and is found, however its body is bent", "[surface]") {
  const MappingKind kinds[] = {MappingKind::linear, MappingKind::embedding, MappingKind::lattice,
                               MappingKind::skeleton};
  const PrimitiveShape shapes[] = {PrimitiveShape::sphere, PrimitiveShape::torus, PrimitiveShape::box};
  std::size_t opened = 0, all_parts = 0;
  const std::uint64_t last = test::rounds(36, 24);
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    const MappingKind kind = kinds[seed % 4];
    Scene scene;
    scene.objects.push_back(soft(1, shapes[seed % 3], kind));
    MeshStore meshes;
    const auto model = compile(scene, meshes);
    REQUIRE(model.ok());
    const Body& body = (*model)->bodies[0];
    REQUIRE(body.mapping);
    CHECK(body.mapping->kind() == kind);
    const SurfaceMesh& mesh = *body.proxy.surface;
    REQUIRE(mesh.parts.size() > 4);
    for (const double size : {0.0, 0.05, 0.5}) {
      BodyShape shape = deformed(body, size, dice);
      std::vector<Vec3> from(mesh.points.size()), to(mesh.points.size());
      body.mapping->map_points(shape.nodes_from, shape.from, body.proxy.skin, from);
      body.mapping->map_points(shape.nodes_to, shape.to, body.proxy.skin, to);
      SurfaceTree tree(shape);
      std::vector<int> seen(mesh.faces.size(), 0);
      for (std::uint32_t g = 0; g < mesh.groups.size(); ++g) {
        tree.look_into(g);
        for (const std::uint32_t p : mesh.groups[g].parts)
          for (const std::uint32_t f : mesh.parts[p].faces) {
            const Box3 box = box_of(mesh, f, from, to);
            CHECK(inside(tree.bound_of_group(g), box));
            CHECK(inside(tree.bound(p), box));
            ++seen[f];
          }
      }
      CHECK(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));

      const auto middle = static_cast<std::uint32_t>(dice.uniform(0, static_cast<double>(mesh.points.size())));
      for (const Vec3& p : {from[middle], Vec3(from[middle] + Vec3(0.1, 0.3, 0.2))}) {
        const auto distance = [&](std::uint32_t f) {
          const auto& v = mesh.faces[f];
          return (nearest_on_triangle(p, from[v[0]], from[v[1]], from[v[2]]).place - p).squaredNorm();
        };
        const auto distance_there = [&](std::uint32_t f) {
          const auto& v = mesh.faces[f];
          const std::vector<Vec3>& x = shape.points_from;
          return (nearest_on_triangle(p, x[v[0]], x[v[1]], x[v[2]]).place - p).squaredNorm();
        };
        std::uint32_t best = 0;
        for (std::uint32_t f = 1; f < mesh.faces.size(); ++f)
          if (distance(f) < distance(best)) best = f;
        CHECK(tree.nearest(p, distance_there) == best);
        Box3 box;
        box.add(p - Vec3::Constant(0.05));
        box.add(p + Vec3::Constant(0.05));
        std::vector<std::uint32_t> near;
        tree.within(box, [&](std::uint32_t f) { near.push_back(f); });
        for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
          if (box_of(mesh, f, from, to).meets(box)) CHECK(std::count(near.begin(), near.end(), f) == 1);
        for (const std::uint32_t f : near)
          for (const std::uint32_t v : mesh.faces[f]) {
            CHECK(shape.points_from[v] == from[v]);
            CHECK(shape.points_to[v] == to[v]);
          }
      }
      if (size < 0.1 && kind != MappingKind::skeleton) {
        all_parts += mesh.parts.size();
        opened += static_cast<std::size_t>(std::count(shape.fit.open.begin(), shape.fit.open.end(), 1));
      }
    }
  }
  CHECK(opened < all_parts);  // else nothing is gained
}

TEST_CASE("pairs of faces whose boxes meet are found across two bent surfaces", "[surface]") {
  const std::uint64_t last = test::rounds(111, 101);
  for (std::uint64_t seed = 100; seed <= last; ++seed) {
    INFO("seed " << seed);
    reference::Dice dice(seed);
    Scene scene;
    scene.objects.push_back(soft(1, PrimitiveShape::torus, MappingKind::lattice));
    scene.objects.push_back(soft(2, PrimitiveShape::sphere, MappingKind::embedding));
    if (seed % 2) {
      Object rigid = soft(2, PrimitiveShape::sphere, MappingKind::automatic);
      rigid.body.kind = BodyKind::rigid;
      scene.objects.back() = rigid;
    }
    MeshStore meshes;
    const auto model = compile(scene, meshes);
    REQUIRE(model.ok());
    BodyShape a = deformed((*model)->bodies[0], 0.05, dice), b = deformed((*model)->bodies[1], 0.05, dice);
    const Vec3 shift = a.from.position - b.from.position + Vec3(0.4, 0.3, 0);
    b.to = b.from;
    b.nodes_to = b.nodes_from;
    for (Vec3& x : b.nodes_from) x += shift;
    for (Vec3& x : b.nodes_to) x += shift;
    b.from.position += shift;
    b.to.position += shift;
    a.to = a.from;
    a.nodes_to = a.nodes_from;
    finish_shape(a);
    finish_shape(b);
    SurfaceTree tree_a(a), tree_b(b);
    const double margin = 1e-3;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    tree_a.across(tree_b, BoxAcross(space_of(a), space_of(b), margin),
                  [&](std::uint32_t f, std::uint32_t g) { found.emplace_back(f, g); });
    std::sort(found.begin(), found.end());
    CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
    const Body& body = (*model)->bodies[0];
    std::vector<Vec3> points(body.proxy.skin.size());
    body.mapping->map_points(a.nodes_from, a.from, body.proxy.skin, points);
    const ContactSpace space = space_of(b);
    for (Vec3& p : points) p = space.from.rotation.conjugate() * (p - space.from.position);
    std::vector<Vec3> others = tree_b.mesh().points;
    if (const Body& other = (*model)->bodies[1]; other.deforms)
      other.mapping->map_points(b.nodes_from, b.from, other.proxy.skin, others);
    std::size_t meeting = 0;
    for (std::uint32_t f = 0; f < tree_a.mesh().faces.size(); ++f) {
      const Box3 box = box_of(tree_a.mesh(), f, points, points);
      for (std::uint32_t g = 0; g < tree_b.mesh().faces.size(); ++g) {
        if (!box.meets(box_of(tree_b.mesh(), g, others, others))) continue;
        ++meeting;
        CHECK(std::binary_search(found.begin(), found.end(), std::pair(f, g)));
      }
    }
    CHECK(meeting > 10);
  }
}

TEST_CASE("surface and skin are taken over from the model before, but not by a body that is held otherwise",
          "[surface]") {
  Scene scene;
  scene.objects.push_back(soft(1, PrimitiveShape::sphere, MappingKind::lattice));
  MeshStore meshes;
  const auto first = compile(scene, meshes);
  REQUIRE(first.ok());
  Object moved = *scene.objects[0];
  moved.transform.position.x() = 3;
  scene.objects[0] = moved;
  const auto second = compile(scene, meshes, first->get());
  REQUIRE(second.ok());
  const ContactProxy &a = (*first)->bodies[0].proxy, &b = (*second)->bodies[0].proxy;
  CHECK(a.surface == b.surface);
  CHECK(b.skin_drivers.size() == b.skin.size());
  CHECK(b.part_reach.size() == b.surface->parts.size());
  // Strung, so that nodes can be held; then others of them.
  TrussRecipe recipe;
  recipe.size = Vec3(1, 0.8, 1.2);
  StrungTruss strung = to_strung(make_truss(recipe));
  moved.analysis.kind = AnalysisKind::strung;
  std::shared_ptr<const Model> before = *second;  // of a model with another truss
  for (const std::size_t held : {1u, 2u}) {
    for (std::size_t k = 0; k < held; ++k) strung.nodes[k].pinned = true;
    moved.analysis.strung = std::make_shared<const StrungTruss>(strung);
    scene.objects[0] = moved;
    const auto next = compile(scene, meshes, before.get()), alone = compile(scene, meshes);
    REQUIRE(next.ok());
    REQUIRE(alone.ok());
    const ContactProxy &c = (*next)->bodies[0].proxy, &d = (*alone)->bodies[0].proxy;
    REQUIRE((*next)->bodies[0].truss.pinned.size() == held);
    REQUIRE(c.skin_drivers.size() == d.skin_drivers.size());
    for (std::size_t k = 0; k < c.skin_drivers.size(); ++k) {
      REQUIRE(c.skin_drivers[k].nodes.size() == d.skin_drivers[k].nodes.size());
      CHECK(c.skin_drivers[k].centre == d.skin_drivers[k].centre);
      for (std::size_t i = 0; i < c.skin_drivers[k].nodes.size(); ++i)
        CHECK(c.skin_drivers[k].nodes[i].weight == d.skin_drivers[k].nodes[i].weight);
    }
    before = *next;
  }
}

}  // namespace surface_tree_test
