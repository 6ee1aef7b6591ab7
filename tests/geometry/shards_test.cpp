// A mesh that is cut around nodes: what is there is all there, every shard is closed, and a cut is where its two nodes are as far.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "core/geometry/mapping/mapping.h"
#include "core/geometry/mapping/shard_mapping.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/mesh/shards.h"

namespace shards_test {

using namespace hazumi;

namespace {

DisplayMesh shape(PrimitiveShape kind, const Vec3& size, const std::array<int, 3>& divisions) {
  Primitive p;
  p.shape = kind;
  p.size = size;
  p.divisions = divisions;
  return make_primitive(p);
}

double volume_of(const DisplayMesh& mesh, std::int64_t of = -1) {
  double sum = 0;
  for (const auto& f : mesh.faces)
    if (of < 0 || mesh.shards->of_vertex[f[0]] == of)
      sum += mesh.positions[f[0]].dot(mesh.positions[f[1]].cross(mesh.positions[f[2]])) / 6;
  return sum;
}

/// Every edge of a shard is gone along once in each direction; vertices at one place are one.
bool closed(const DisplayMesh& mesh, std::uint32_t of) {
  std::map<std::array<double, 3>, int> places;
  std::map<std::pair<int, int>, int> edges;
  const auto place = [&](std::uint32_t v) {
    const Vec3& p = mesh.positions[v];
    return places.emplace(std::array{p.x(), p.y(), p.z()}, static_cast<int>(places.size())).first->second;
  };
  for (const auto& f : mesh.faces) {
    if (mesh.shards->of_vertex[f[0]] != of) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = place(f[k]), b = place(f[(k + 1) % 3]);
      ++edges[{a, b}];
      --edges[{b, a}];
    }
  }
  return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
}

std::vector<Vec3> grid(int n, const Vec3& size) {
  std::vector<Vec3> out;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) out.push_back((Vec3(i, j, k) / (n - 1) - Vec3::Constant(0.5)).cwiseProduct(size));
  return out;
}

}  // namespace

TEST_CASE("Shards are closed and make up the mesh", "[shards]") {
  const std::pair<DisplayMesh, Vec3> meshes[] = {
      {shape(PrimitiveShape::box, Vec3(1, 0.6, 0.4), {4, 4, 4}), Vec3(1, 0.6, 0.4)},
      {shape(PrimitiveShape::sphere, Vec3::Ones(), {24, 12, 1}), Vec3::Ones()},
      {shape(PrimitiveShape::cylinder, Vec3(1, 0.2, 1), {32, 2, 2}), Vec3(1, 0.2, 1)},
      {shape(PrimitiveShape::torus, Vec3(1, 0.3, 1), {32, 16, 1}), Vec3(1, 0.3, 1)}};
  for (std::size_t m = 0; m < std::size(meshes); ++m)
    for (const int n : {2, 3, 4}) {
      const auto& [mesh, size] = meshes[m];
      std::vector<Vec3> nodes = grid(n, size);  // symmetric: vertices lie in cuts
      if (n == 4) {
        std::mt19937 source(7);
        for (Vec3& x : nodes)
          for (double& c : x) c += 0.1 * (static_cast<double>(source() % 1000) / 1000 - 0.5);
      }
      const DisplayMesh cut = cut_into_shards(mesh, nodes);
      INFO("mesh " << m << " n " << n);
      REQUIRE(cut.shards);
      REQUIRE(cut.shards->of_vertex.size() == cut.positions.size());
      REQUIRE(cut.shards->across.size() == cut.faces.size());
      CHECK(volume_of(cut) == Approx(volume_of(mesh)).epsilon(1e-9));
      double sum = 0;
      for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        CHECK(closed(cut, i));
        const double own = volume_of(cut, i);
        CHECK(own > -1e-9);
        sum += own;
      }
      CHECK(sum == Approx(volume_of(mesh)).epsilon(1e-9));
      for (std::size_t v = 0; v < cut.positions.size(); ++v) {
        const double own = (cut.positions[v] - nodes[cut.shards->of_vertex[v]]).norm();
        for (const Vec3& x : nodes) REQUIRE(own <= (cut.positions[v] - x).norm() + 1e-5);
        CHECK(cut.normals[v].norm() == Approx(1).margin(1e-6));
      }
      for (std::size_t f = 0; f < cut.faces.size(); ++f)
        if (cut.shards->across[f] != MeshShards::kOutside)
          CHECK(cut.shards->across[f] != cut.shards->of_vertex[cut.faces[f][0]]);
    }
}

TEST_CASE("A mesh that is not closed is cut and not filled", "[shards]") {
  const DisplayMesh sheet = shape(PrimitiveShape::plane, Vec3(1, 1, 1), {6, 1, 6});
  const DisplayMesh cut = cut_into_shards(sheet, grid(3, Vec3(1, 0.1, 1)));
  double area = 0;
  for (const auto& f : cut.faces)
    area += 0.5 * (cut.positions[f[1]] - cut.positions[f[0]]).cross(cut.positions[f[2]] - cut.positions[f[0]]).norm();
  CHECK(area == Approx(1).epsilon(1e-9));
  for (const std::uint32_t across : cut.shards->across) CHECK(across == MeshShards::kOutside);
}

TEST_CASE("Vertices of a part follow its nodes alone, affine motions exactly", "[shards][mapping]") {
  Truss truss;
  truss.nodes = grid(4, Vec3::Ones());
  truss.masses.assign(truss.nodes.size(), 1.0);
  const DisplayMesh mesh = cut_into_shards(shape(PrimitiveShape::sphere, Vec3::Ones(), {24, 12, 1}), truss.nodes);
  std::vector<std::uint32_t> parts;
  for (const Vec3& x : truss.nodes) parts.push_back(x.x() > 0);
  parts[5] = 2;  // one alone
  Executor executor(1);
  Mat3 stretch[2];
  stretch[0] << 1.1, 0.2, 0, 0, 0.9, 0.1, -0.1, 0, 1;
  stretch[1] << 0.8, 0, 0.3, 0.1, 1.2, 0, 0, 0, 1.1;
  const ShardMapping whole(MappingKind::linear, mesh, truss, {}), apart(MappingKind::linear, mesh, truss, parts);
  std::vector<Vec3> nodes(truss.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = stretch[parts[i] % 2] * truss.nodes[i] + Vec3(parts[i] == 1 ? 2 : 0, 0, 0);
  std::vector<std::uint32_t> all(mesh.positions.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  std::vector<Vec3> points(all.size());
  const Pose frame{Vec3::Zero(), Quat::Identity()};
  apart.map_points(nodes, frame, all, points);
  std::vector<Vec3f> seen(all.size()), normals(all.size());
  apart.map_vertices(nodes, frame, seen, normals, executor);
  for (std::size_t v = 0; v < all.size(); ++v) {
    const std::uint32_t node = mesh.shards->of_vertex[v], part = parts[node];
    const Vec3 wanted = part == 2 ? Vec3(nodes[5] + mesh.positions[v] - truss.nodes[5])
                                  : Vec3(stretch[part] * mesh.positions[v] + Vec3(part == 1 ? 2 : 0, 0, 0));
    CHECK((points[v] - wanted).norm() < 1e-12);
    CHECK((seen[v].cast<double>() - wanted).norm() < 1e-6);
    const Vec3 n =
        part == 2 ? mesh.normals[v] : Vec3((stretch[part].inverse().transpose() * mesh.normals[v]).normalized());
    CHECK((normals[v].cast<double>() - n).norm() < 1e-5);
    for (const NodeWeight& w : apart.drivers(v).nodes) CHECK(parts[w.node] == part);
  }
  // What is one stays together to the last bit, whatever the nodes do.
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto k = static_cast<double>(i);
    nodes[i] += 0.1 * Vec3(std::sin(3 * k), std::cos(5 * k), 0);
  }
  whole.map_points(nodes, frame, all, points);
  std::map<std::array<double, 3>, Vec3> at;
  for (std::size_t v = 0; v < all.size(); ++v) {
    const Vec3& p = mesh.positions[v];
    const auto known = at.emplace(std::array{p.x(), p.y(), p.z()}, points[v]);
    CHECK(known.first->second == points[v]);
  }
}

TEST_CASE("What round-off leaves between a node and itself is no direction to its vertices", "[shards][mapping]") {
  std::mt19937_64 source(7);
  Truss truss;
  for (int k = 0; k < 60; ++k)
    truss.nodes.emplace_back(Vec3::NullaryExpr([&] { return 0x1p-53 * static_cast<double>(source() >> 11) - 0.5; }));
  truss.masses.assign(truss.nodes.size(), 1.0);
  const DisplayMesh mesh = cut_into_shards(shape(PrimitiveShape::sphere, Vec3::Ones(), {24, 12, 1}), truss.nodes);
  for (const std::uint32_t size : {1u, 2u, 3u, 5u}) {
    std::vector<std::uint32_t> parts;
    for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) parts.push_back(i / size);
    const ShardMapping apart(MappingKind::linear, mesh, truss, parts);
    double most = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      double sum = 0, all = 0;
      for (const NodeWeight& w : apart.drivers(v).nodes) {
        sum += w.weight;
        all += std::abs(w.weight);
      }
      CHECK(sum == Approx(1).epsilon(1e-9));
      most = std::max(most, all);
    }
    INFO(size);
    CHECK(most < (size == 1 ? 1.001 : 300));
  }
}

TEST_CASE("A vertex whose nearest nodes lie in a plane turns with its part all the same", "[shards][mapping]") {
  Truss truss;
  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < 7; ++k) truss.nodes.emplace_back(0.05 * (i - 3), 0.2, 0.05 * (k - 3));
  for (const double x : {-0.1, 0.1})
    for (const double z : {-0.1, 0.1}) truss.nodes.emplace_back(x, -0.2, z);
  truss.masses.assign(truss.nodes.size(), 1.0);
  const DisplayMesh mesh = cut_into_shards(shape(PrimitiveShape::box, Vec3(0.4, 0.5, 0.4), {4, 4, 4}), truss.nodes);
  const ShardMapping mapping(MappingKind::linear, mesh, truss, {});
  const Quat turn(Eigen::AngleAxisd(1.5, Vec3(1, 2, 3).normalized()));
  std::vector<Vec3> nodes, points(mesh.positions.size());
  for (const Vec3& x : truss.nodes) nodes.push_back(turn * x);
  std::vector<std::uint32_t> all(points.size());
  for (std::uint32_t v = 0; v < all.size(); ++v) all[v] = v;
  mapping.map_points(nodes, {Vec3::Zero(), Quat::Identity()}, all, points);
  double off = 0;
  for (std::size_t v = 0; v < all.size(); ++v) off = std::max(off, (points[v] - turn * mesh.positions[v]).norm());
  CHECK(off < 1e-10);
}

}  // namespace shards_test
