#include <catch2/catch.hpp>

#include "core/base/hash.h"
#include "core/geometry/mapping/linear.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"

namespace mapping_test {

using namespace hazumi;

namespace {

DisplayMesh ball() {
  Primitive p;
  p.shape = PrimitiveShape::sphere;
  p.size = Vec3(0.8, 0.9, 0.7);
  p.divisions = {24, 16, 1};
  return make_primitive(p);
}

struct Mapped {
  std::vector<Vec3f> positions, normals;
};

Mapped run(const Mapping& mapping, const std::vector<Vec3>& nodes, const Vec3& origin, int threads = 1) {
  Executor executor(threads);
  Mapped m;
  m.positions.resize(mapping.vertex_count());
  m.normals.resize(mapping.vertex_count());
  mapping.map_vertices(nodes, {origin, Quat::Identity()}, m.positions, m.normals, executor);
  return m;
}

Vec3 map_vertex(const Mapping& mapping, const std::vector<Vec3>& nodes, const Vec3& origin, std::size_t v) {
  const auto vertex = static_cast<std::uint32_t>(v);
  Vec3 point = Vec3::Zero();
  mapping.map_points(nodes, {origin, Quat::Identity()}, {&vertex, 1}, {&point, 1});
  return point;
}

}  // namespace

TEST_CASE("At reference the mapping is the identity, under an affine map it is that map") {
  const DisplayMesh mesh = ball();
  Mat3 f;
  f << 1.2, 0.1, 0, -0.2, 0.8, 0.05, 0.3, 0, 1.1;
  const Vec3 t(3, -1, 2);
  for (auto shape : {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron}) {
    CAPTURE(static_cast<int>(shape));
    TrussRecipe r;
    r.shape = shape;
    r.divisions = {2, 2, 2};
    const Truss truss = make_truss(r);
    const LinearMapping mapping(mesh, truss);
    std::vector<Vec3> nodes = truss.nodes;
    for (auto& p : nodes) p = t + f * p;
    const Vec3 origin = t + f * mapping.origin();
    const Mapped m = run(mapping, nodes, origin);
    const Mat3 normal = f.inverse().transpose();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec3 expected = t + f * mesh.positions[v];
      CHECK((m.positions[v].cast<double>() - expected).norm() < 5e-7);
      CHECK((map_vertex(mapping, nodes, origin, v) - expected).norm() < 1e-12);
      CHECK((m.normals[v].cast<double>() - (normal * mesh.normals[v]).normalized()).norm() < 3e-7);
    }
  }
}

TEST_CASE("Display vertices inside a convex truss have weights that are not negative") {
  TrussRecipe r;
  r.shape = TrussShape::icosahedron;
  const Truss truss = make_truss(r);
  const LinearMapping mapping(ball(), truss);
  for (const auto& d : mapping.vertex_drivers()) {
    CHECK_FALSE(d.fallback);
    for (double e : d.weights) CHECK(e >= -1e-9);
  }
}

TEST_CASE("A flat sheet falls back to triangles with an offset and follows bending") {
  Truss sheet;
  sheet.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
  sheet.masses = {0.25, 0.25, 0.25, 0.25};
  sheet.hull = {{0, 2, 1}, {0, 3, 2}};
  Primitive p;
  p.shape = PrimitiveShape::plane;
  p.divisions = {4, 1, 4};
  DisplayMesh mesh = make_primitive(p);
  for (auto& q : mesh.positions) q += Vec3(0.5, 0.05, 0.5);
  const LinearMapping mapping(mesh, sheet);
  for (const auto& d : mapping.vertex_drivers()) {
    CHECK(d.fallback);
    CHECK(d.normal_offset == Approx(0.05));
    CHECK(d.weights[0] + d.weights[1] + d.weights[2] == Approx(1));
  }
  std::vector<Vec3> folded = sheet.nodes;
  folded[1] = Vec3(0.5, 0.7, 0.5);  // corner folded up over the diagonal
  const Mapped m = run(mapping, folded, Vec3(0.5, 0, 0.5));
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    CHECK(m.positions[v].allFinite());
    CHECK((m.positions[v].cast<double>() - map_vertex(mapping, folded, Vec3::Zero(), v)).norm() < 1e-7);
  }
}

TEST_CASE("Volume of the display model follows the hull of the analysis model (3.28)") {
  const DisplayMesh mesh = ball();
  TrussRecipe r;
  r.shape = TrussShape::octahedron;
  r.divisions = {1, 1, 1};
  const Truss truss = make_truss(r);
  const LinearMapping mapping(mesh, truss);
  std::vector<Vec3> nodes = truss.nodes;
  for (auto& p : nodes) p *= 1.3;  // uniform swelling: both volumes by the same factor, exactly
  const Mapped m = run(mapping, nodes, 1.3 * mapping.origin());
  std::vector<Vec3> positions;
  for (const auto& p : m.positions) positions.push_back(p.cast<double>());
  CHECK(mesh_volume(positions, mesh.faces) / mesh_volume(mesh.positions, mesh.faces) ==
        Approx(mesh_volume(nodes, truss.hull) / mesh_volume(truss.nodes, truss.hull)).epsilon(2e-7));
}

TEST_CASE("Mapping gives the same bits on one and on several threads", "[threads]") {
  Primitive p;
  p.shape = PrimitiveShape::sphere;
  p.divisions = {200, 100, 1};
  TrussRecipe r;
  r.divisions = {3, 1, 1};
  const Truss truss = make_truss(r);
  const LinearMapping mapping(make_primitive(p), truss);
  std::vector<Vec3> nodes = truss.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].y() *= 1.0 + 0.01 * static_cast<double>(i % 7);
  const Mapped a = run(mapping, nodes, mapping.origin(), 1), b = run(mapping, nodes, mapping.origin(), 3);
  CHECK(a.positions == b.positions);
  CHECK(a.normals == b.normals);
}

TEST_CASE("The linear mapping gives the bits that are written here, with every compiler and number of threads",
          "[threads]") {
  // Numbers of twelve bits behind the point: nothing of a library's sine is left in them.
  const auto round = [](std::vector<Vec3>& list) {
    for (Vec3& p : list)
      for (double& x : p) x = std::round(x * 4096) / 4096;
  };
  Primitive p;
  p.shape = PrimitiveShape::sphere;
  p.divisions = {400, 251, 1};
  DisplayMesh mesh = make_primitive(p);
  round(mesh.positions);
  round(mesh.normals);
  const std::pair<TrussShape, std::uint64_t> expected[] = {{TrussShape::icosahedron, 0xa9915c97152f548cULL},
                                                           {TrussShape::plane_grid, 0x84f22bfa17179f5aULL},
                                                           {TrussShape::box_grid, 0xed46f793f2cae241ULL}};
  for (const auto& [shape, bits] : expected) {
    CAPTURE(static_cast<int>(shape));
    TrussRecipe r;
    r.shape = shape;
    r.divisions = {4, 4, 4};
    Truss truss = make_truss(r);
    round(truss.nodes);
    const LinearMapping mapping(mesh, truss);
    std::vector<Vec3> nodes = truss.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      nodes[i] =
          Vec3(nodes[i].x() + 0.125 * static_cast<double>(i % 5), nodes[i].y() * (1 + static_cast<double>(i % 7) / 64),
               nodes[i].z() - 0.0625 * static_cast<double>(i % 3));
    for (int threads : {1, 2, 3}) {
      const Mapped m = run(mapping, nodes, mapping.origin(), threads);
      Hasher hasher;
      for (const auto* list : {&m.positions, &m.normals})
        for (const Vec3f& v : *list)
          for (float x : v) hasher.add(x);
      CHECK(hasher.value() == bits);
    }
  }
}

TEST_CASE("The driving triangle found through cells of directions is the one that a look at all triangles finds") {
  // The rule as spec 1.6 says it, over all triangles: the cone with all e >= 0 whose triangle is nearest, else the least
  // outside.
  const auto best_of_all = [](const Truss& truss, const Vec3& origin, const Vec3& x) {
    std::array<std::uint32_t, 3> best{};
    double best_score = -1e300;
    for (const auto& t : truss.hull) {
      Mat3 b;
      b << truss.nodes[t[0]] - origin, truss.nodes[t[1]] - origin, truss.nodes[t[2]] - origin;
      const double size = std::max({b.col(0).norm(), b.col(1).norm(), b.col(2).norm()});
      if (!(std::abs(b.determinant()) > 1e-4 * size * size * size)) continue;
      const Vec3 e = b.inverse() * (x - origin);
      const double inside = e.minCoeff() / std::max(1e-12, e.cwiseAbs().sum());
      const double score = inside >= -1e-9 ? 1.0 / (1.0 + std::abs(e.sum() - 1.0)) : inside - 1.0;
      if (score > best_score) best_score = score, best = t;
    }
    return best;
  };
  for (auto shape : {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron})
    for (int holes : {0, 3}) {  // with holes some vertices lie in no cone
      TrussRecipe r;
      r.shape = shape;
      r.divisions = {3, 2, 4};
      r.size = Vec3(1, 0.3, 2);
      Truss truss = make_truss(r);
      for (int k = 0; k < holes; ++k) truss.hull.erase(truss.hull.begin() + 2 * k);
      DisplayMesh mesh = ball();
      mesh.positions.push_back(Vec3::Zero());
      mesh.normals.push_back(Vec3::UnitY());
      const LinearMapping mapping(mesh, truss);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        CHECK(mapping.vertex_drivers()[v].nodes == best_of_all(truss, mapping.origin(), mesh.positions[v]));
    }
}

}  // namespace mapping_test
