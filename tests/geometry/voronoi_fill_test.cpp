// Voronoi cells of closed shapes: what they fill, that they hang together and end at the surface, and what is refused.
#include <catch2/catch.hpp>

#include <chrono>
#include <cstdio>
#include <map>
#include <thread>

#include "core/base/random.h"
#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/edit.h"
#include "core/geometry/truss/hull.h"
#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/select.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "tests/support/sanitized.h"

namespace voronoi_fill_test {

using namespace hazumi;

namespace {

DisplayMesh solid(PrimitiveShape shape, const Vec3& size = Vec3::Ones(), std::array<int, 3> divisions = {16, 10, 1}) {
  return make_primitive({shape, size, divisions});
}

DisplayMesh together(const DisplayMesh& a, const DisplayMesh& b, const Vec3& by) {
  DisplayMesh sum = a;
  const auto first = static_cast<std::uint32_t>(a.positions.size());
  for (const Vec3& p : b.positions) sum.positions.push_back(p + by);
  for (auto f : b.faces) {
    for (auto& i : f) i += first;
    sum.faces.push_back(f);
  }
  return sum;
}

VoronoiFillOptions so_many(int cells, int seed = 1, int relaxation = 10) {
  VoronoiFillOptions options;
  options.cells = cells;
  options.seed = seed;
  options.relaxation = relaxation;
  return options;
}

std::vector<Vec3> places(const StrungTruss& truss) {
  std::vector<Vec3> out;
  for (const StrungNode& node : truss.nodes) out.push_back(node.position);
  return out;
}

double hull_volume(const StrungTruss& truss) { return mesh_volume(places(truss), truss.hull); }

/// Of the worst cell, the volume of the hull of its nodes, of which it is made up by tetrahedra among them: 1 where cells are convex.
double least_convex(const StrungTruss& truss) {
  std::vector<std::vector<std::uint32_t>> cells(truss.cells.back()[0] + std::size_t{1});
  for (const auto& [cell, node] : truss.cells) cells[cell].push_back(node);
  double least = 1;
  for (const auto& cell : cells) {
    std::vector<Vec3> nodes;
    for (const std::uint32_t i : cell) nodes.push_back(truss.nodes[i].position);
    const double whole = mesh_volume(nodes, convex_hull(nodes));
    double parts = 0;
    for (const auto& t : truss.tetrahedra) {
      const auto in = [&](std::uint32_t i) { return std::binary_search(cell.begin(), cell.end(), i); };
      if (!in(t[0]) || !in(t[1]) || !in(t[2]) || !in(t[3])) continue;
      const Vec3& o = truss.nodes[t[0]].position;
      parts +=
          (truss.nodes[t[1]].position - o).cross(truss.nodes[t[2]].position - o).dot(truss.nodes[t[3]].position - o) /
          6;
    }
    least = std::min(least, parts / whole);
  }
  return least;
}

/// "" where the truss keeps what voronoi_fill.h says of any shape.
std::string fault(const VoronoiFill& fill, double volume) {
  const StrungTruss& truss = fill.truss;
  const std::size_t n = truss.nodes.size();
  double sum = 0;
  for (const double v : fill.volumes) {
    if (!(v > 0)) return "a cell without volume";
    sum += v;
  }
  if (std::abs(sum / volume - 1) > 1e-9) return "volumes do not sum to that of the surface";
  std::vector<char> used(n, 0);
  std::map<std::uint32_t, int> count;
  for (std::size_t i = 0; i < truss.cells.size(); ++i) {
    if (i > 0 && !(truss.cells[i - 1] < truss.cells[i])) return "cells out of order";
    used[truss.cells[i][1]] = 1;
    ++count[truss.cells[i][0]];
  }
  if (count.size() != fill.volumes.size()) return "not as many cells as volumes";
  for (const auto& [cell, nodes] : count)
    if (nodes < 4) return "a cell of fewer than four nodes";
  if (std::find(used.begin(), used.end(), 0) != used.end()) return "a node of no cell";
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& f : truss.hull)
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[k] >= n) return "a hull of no nodes";
      edges[std::minmax(f[k], f[(k + 1) % 3])] += f[k] < f[(k + 1) % 3] ? 1 : -1;
    }
  for (const auto& [edge, balance] : edges)
    if (balance != 0) return "an open hull";
  for (const auto& s : truss.springs)
    if (!(s.a < s.b && s.b < n) || !((truss.nodes[s.a].position - truss.nodes[s.b].position).norm() > 0))
      return "a spring without length";
  for (const StrungNode& node : truss.nodes)
    if (!(node.mass > 0) || !node.position.allFinite()) return "a node without mass";
  for (const auto& t : truss.tetrahedra) {
    const Vec3& o = truss.nodes[t[0]].position;
    if (!((truss.nodes[t[1]].position - o).cross(truss.nodes[t[2]].position - o).dot(truss.nodes[t[3]].position - o) >
          0))
      return "a tetrahedron inside out";
  }
  return "";
}

}  // namespace

TEST_CASE("Closed shapes are divided into as many cells as wanted, which sum to their volume", "[voronoi_fill]") {
  const struct {
    PrimitiveShape shape;
    Vec3 size;
    double kept;  // of the volume, between the nodes of 60 cells; what is round loses caps
  } shapes[] = {{PrimitiveShape::sphere, Vec3(1, 1.3, 0.9), 0.89},
                {PrimitiveShape::box, Vec3(1, 1, 1), 0.999},
                {PrimitiveShape::cylinder, Vec3(0.4, 2, 0.4), 0.87},
                {PrimitiveShape::torus, Vec3(1, 0.3, 1), 0.95},
                {PrimitiveShape::box, Vec3(2, 0.1, 2), 0.999}};
  for (const auto& [shape, size, kept] : shapes) {
    const DisplayMesh mesh = solid(shape, size, {16, 10, 1});
    const double volume = std::abs(mesh_volume(mesh.positions, mesh.faces));
    const auto fill = fill_with_cells(mesh, so_many(60));
    INFO(static_cast<int>(shape) << (fill.ok() ? "" : " " + fill.error().message));
    REQUIRE(fill.ok());
    CHECK(fault(*fill, volume) == "");
    CHECK(fill->volumes.size() >= 58);
    CHECK(fill->volumes.size() <= 64);
    CHECK(hull_volume(fill->truss) > kept * volume);
    CHECK(hull_volume(fill->truss) < 1.001 * volume);
    CHECK(connected_pieces(fill->truss).count == 1);
    CHECK(diagnose_rigidity(fill->truss).rigid());
    double shortest = 1;
    for (const auto& s : fill->truss.springs)
      shortest = std::min(shortest, (fill->truss.nodes[s.a].position - fill->truss.nodes[s.b].position).norm());
    CHECK(shortest >= 0.149 * std::cbrt(volume / 60));  // nodes nearer than 0.15 of a cell's size are one
    const double convex = least_convex(fill->truss);
    std::printf(
        "voronoi fill: %zu cells, %zu nodes, %zu springs, volume %.4f of the surface's, worst cell %.3f convex\n",
        fill->volumes.size(), fill->truss.nodes.size(), fill->truss.springs.size(), hull_volume(fill->truss) / volume,
        convex);
    if (shape != PrimitiveShape::torus) CHECK(convex > 0.85);  // 1 but for nodes that were put together
  }
}

TEST_CASE("The corners of a box are nodes of its cells", "[voronoi_fill]") {
  const auto fill = fill_with_cells(solid(PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}), so_many(20));
  REQUIRE(fill.ok());
  CHECK(hull_volume(fill->truss) == Approx(1).epsilon(1e-9));
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    double nearest = 1e9;
    for (const StrungNode& node : fill->truss.nodes) nearest = std::min(nearest, (node.position - corner).norm());
    CHECK(nearest < 1e-12);
  }
}

TEST_CASE("Relaxation makes cells more even", "[voronoi_fill]") {
  const auto spread = [](int relaxation) {
    const auto fill = fill_with_cells(solid(PrimitiveShape::sphere), so_many(60, 3, relaxation));
    REQUIRE(fill.ok());
    double mean = 0, square = 0;
    for (const double v : fill->volumes) mean += v / static_cast<double>(fill->volumes.size());
    for (const double v : fill->volumes) square += (v / mean - 1) * (v / mean - 1);
    return std::sqrt(square / static_cast<double>(fill->volumes.size()));
  };
  const double loose = spread(0), even = spread(20);
  std::printf("volumes of 60 cells differ by %.2f as they fall, by %.2f after 20 steps\n", loose, even);
  CHECK(even < 0.5 * loose);
}

TEST_CASE("Cells are the same bits again, also from another thread, and others with another seed",
          "[voronoi_fill][threads]") {
  const DisplayMesh mesh = solid(PrimitiveShape::torus, Vec3(1, 0.3, 1));
  const auto first = fill_with_cells(mesh, so_many(30));
  REQUIRE(first.ok());
  StrungTruss second;
  std::thread([&] { second = fill_with_cells(mesh, so_many(30)).value().truss; }).join();
  CHECK(first->truss == second);
  CHECK(truss_hash(first->truss) == truss_hash(second));
  CHECK_FALSE(fill_with_cells(mesh, so_many(30, 2)).value().truss == second);
}

TEST_CASE("No cell reaches across a gap, however narrow it is", "[voronoi_fill]") {
  const DisplayMesh box = solid(PrimitiveShape::box, Vec3::Ones(), {1, 1, 1});
  const auto fill = fill_with_cells(together(box, box, Vec3(1.001, 0, 0)), so_many(12));
  REQUIRE(fill.ok());
  CHECK(fault(*fill, 2) == "");
  CHECK(connected_pieces(fill->truss).count == 2);
  std::map<std::uint32_t, std::pair<double, double>> reach;
  for (const auto& [cell, node] : fill->truss.cells) {
    const double x = fill->truss.nodes[node].position.x();
    auto& [low, high] = reach.try_emplace(cell, x, x).first->second;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  for (const auto& [cell, ends] : reach) CHECK((ends.second < 0.5005 || ends.first > 0.5005));
}

TEST_CASE("What cannot be divided into cells is refused in a sentence", "[voronoi_fill]") {
  const auto message = [](const DisplayMesh& mesh) {
    const auto fill = fill_with_cells(mesh);
    REQUIRE_FALSE(fill.ok());
    CHECK_FALSE(fill.error().hint.empty());
    return fill.error().message;
  };
  CHECK(message({}).find("no display model") != std::string::npos);
  CHECK(message(solid(PrimitiveShape::plane)).find("not closed") != std::string::npos);
  const DisplayMesh box = solid(PrimitiveShape::box);
  CHECK(message(together(box, box, Vec3(0.3, 0.21, 0.13))).find("cuts through itself") != std::string::npos);
  DisplayMesh damaged = box;
  damaged.positions[0].x() = std::nan("");
  CHECK(message(damaged).find("not a number") != std::string::npos);
  DisplayMesh turned = box;
  for (auto& f : turned.faces) std::swap(f[0], f[1]);
  CHECK(fill_with_cells(turned, so_many(10)).ok());
}

TEST_CASE("Cutting cells ends soon after it is called off", "[voronoi_fill][threads]") {
  const DisplayMesh mesh = solid(PrimitiveShape::sphere, Vec3::Ones(), {40, 30, 1});
  std::atomic<bool> stop = false;
  VoronoiFillOptions options = so_many(2000);
  options.cancelled = &stop;
  using Clock = std::chrono::steady_clock;
  Clock::time_point ended;
  std::thread job([&] {
    const auto result = fill_with_cells(mesh, options);
    ended = Clock::now();
    if (!result.ok()) CHECK(result.error().severity == Severity::info);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  stop = true;
  const auto asked = Clock::now();
  job.join();
  if (!hazumi::test::sanitized())  // exact numbers are allocated by the million, which a sanitizer watches
    CHECK(std::chrono::duration<double>(ended - asked).count() < 3.0);  // 0.1 s on a free machine
}

namespace {

/// Random shapes, sizes, counts and seeds; what is refused says that more cells are wanted.
void random_shapes(int count, int first) {
  int refused = 0;
  for (int k = first; k < first + count; ++k) {
    const auto chance = [k](std::uint64_t purpose) {
      return random_unit(static_cast<std::uint64_t>(k), Id{77}, 0, purpose);
    };
    constexpr PrimitiveShape kShapes[] = {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::cylinder,
                                          PrimitiveShape::torus};
    const auto between = [&](std::uint64_t purpose, double low, double high) {
      return low + (high - low) * chance(purpose);
    };
    DisplayMesh mesh = solid(kShapes[k % 4], Vec3(between(1, 0.4, 2), between(2, 0.25, 2), between(3, 0.4, 2)),
                             {static_cast<int>(between(4, 5, 12)), static_cast<int>(between(5, 3, 8)), 1});
    // Lumps; small, so that the surface does not cut through itself.
    for (Vec3& p : mesh.positions)
      p += between(6, 0, 0.03) * Vec3(std::sin(7 * p.y() + 1), std::sin(9 * p.z() + 2), std::sin(8 * p.x() + 3));
    const double volume = std::abs(mesh_volume(mesh.positions, mesh.faces));
    const auto fill =
        fill_with_cells(mesh, so_many(static_cast<int>(between(7, 4, 30)), k, static_cast<int>(between(8, 0, 12))));
    INFO("seed " << k << (fill.ok() ? "" : " " + fill.error().message));
    if (!fill.ok()) {
      CHECK(fill.error().hint.find("more cells") != std::string::npos);
      ++refused;
      continue;
    }
    CHECK(fault(*fill, volume) == "");
    CHECK(hull_volume(fill->truss) < 1.05 * volume);
  }
  std::printf("%d random shapes divided into cells, %d refused as too thin for so few\n", count, refused);
  CHECK(refused < count / 20);
}

}  // namespace

TEST_CASE("200 random shapes are divided into cells", "[voronoi_fill]") { random_shapes(test::rounds(200, 20), 0); }

TEST_CASE("Thousands of random shapes are divided into cells", "[voronoi_fill][.long]") { random_shapes(3000, 1000); }

TEST_CASE("Cells follow edits of a truss", "[voronoi_fill][truss_edit]") {
  const auto fill = fill_with_cells(solid(PrimitiveShape::box, Vec3::Ones(), {1, 1, 1}), so_many(20));
  REQUIRE(fill.ok());
  const StrungTruss& truss = fill->truss;
  const auto count = [](const StrungTruss& t) { return t.cells.empty() ? 0u : t.cells.back()[0] + 1; };
  const auto ordered = [](const StrungTruss& t) {
    for (std::size_t i = 0; i < t.cells.size(); ++i) {
      if (t.cells[i][1] >= t.nodes.size()) return false;
      if (i > 0 && !(t.cells[i - 1] < t.cells[i] && t.cells[i][0] <= t.cells[i - 1][0] + 1)) return false;
    }
    return t.cells.empty() || t.cells[0][0] == 0;
  };
  std::vector<std::uint32_t> all(truss.nodes.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  const TrussEdit twice = duplicate_nodes(truss, all, Vec3(3, 0, 0));
  CHECK(count(twice.truss) == 2 * count(truss));
  CHECK(ordered(twice.truss));
  CHECK(count(join_trusses(truss, truss).truss) == 2 * count(truss));
  CHECK(ordered(join_trusses(truss, truss).truss));
  // A node that goes leaves its cells, which stay as long as they have four.
  const TrussEdit less = delete_nodes(truss, {truss.cells[0][1]});
  CHECK(ordered(less.truss));
  CHECK(less.truss.cells.size() < truss.cells.size());
  CHECK(count(less.truss) <= count(truss));
  const TrussEdit half = delete_nodes(twice.truss, twice.selected);
  CHECK(half.truss.cells == truss.cells);
  CHECK(half.truss.nodes == truss.nodes);
  const TrussEdit few = delete_nodes(truss, {all.begin() + 3, all.end()});
  CHECK(few.truss.cells.empty());
  // Cells of the half that stays, and their images.
  const TrussEdit mirrored = mirror_truss(twice.truss, TrussSymmetry{0, 1.5, 1e-6}, true);
  CHECK(count(mirrored.truss) == 2 * count(truss));
  CHECK(ordered(mirrored.truss));
  // Where one lies across the plane its tetrahedra do, and all of them go.
  CHECK(mirror_truss(truss, TrussSymmetry{0, 0, 1e-6}, true).truss.cells.empty());
}

}  // namespace voronoi_fill_test
