// The volume that a surface over nodes encloses: its gradient, what of it cannot push or turn a body, and surfaces without one.
#include <catch2/catch.hpp>
#include <random>

#include "core/geometry/truss/enclosed.h"
#include "core/geometry/truss/hull.h"
#include "core/geometry/truss/truss.h"

using namespace hazumi;

namespace {

/// Nodes of a catalogue's shape, each moved about at random, far from the origin.
Truss moved_about(TrussShape shape, std::uint64_t seed) {
  std::mt19937_64 source(seed);
  const auto number = [&] { return 0x1p-52 * static_cast<double>(source() >> 11) - 1; };
  Truss truss = make_truss({shape, {2, 2, 2}, Vec3(1, 0.7, 1.3), Vec3(20, -7, 3)});
  for (Vec3& x : truss.nodes) {
    const double a = number(), b = number(), c = number();
    x += 0.1 * Vec3(a, b, c);
  }
  return truss;
}

}  // namespace

TEST_CASE("The gradient of a volume is that of finite differences, and neither pushes nor turns", "[volume]") {
  for (const TrussShape shape : {TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Truss truss = moved_about(shape, seed);
      const EnclosedVolume surface(truss.hull);
      std::vector<Vec3> g(truss.nodes.size()), x = truss.nodes;
      surface.gradient(x, g);
      Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
      double size = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        push += g[i];
        turn += (x[i] - truss.nodes[0]).cross(g[i]);
        size += g[i].norm();
        for (int c = 0; c < 3; ++c) {
          const double was = x[i][c], step = 1e-4;  // a cubic, and quadratic in one coordinate
          x[i][c] = was + step;
          const double above = surface.volume(x);
          x[i][c] = was - step;
          const double below = surface.volume(x);
          x[i][c] = was;
          CHECK(g[i][c] == Approx((above - below) / (2 * step)).margin(1e-10));
        }
      }
      CHECK(push.norm() < 1e-14 * size);
      CHECK(turn.norm() < 1e-14 * size);
      // V(x + ½ d) − V(x − ½ d) = ∂V(x)·d + ¼ V(d)
      std::vector<Vec3> d = moved_about(shape, seed + 100).nodes, ahead = x, behind = x;
      double along = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        d[i] -= x[i];
        ahead[i] += 0.5 * d[i];
        behind[i] -= 0.5 * d[i];
        along += g[i].dot(d[i]);
      }
      CHECK(surface.volume(ahead) - surface.volume(behind) == Approx(along + 0.25 * surface.volume(d)).epsilon(1e-10));
    }
}

TEST_CASE("Surfaces without a volume are known", "[volume]") {
  const Truss ball = make_truss({TrussShape::icosahedron, {2, 2, 2}});
  CHECK(EnclosedVolume(ball.hull).fault(ball.nodes) == SurfaceFault::none);
  CHECK(EnclosedVolume().fault(ball.nodes) == SurfaceFault::empty);
  auto open = ball.hull;
  open.pop_back();
  CHECK(EnclosedVolume(open).fault(ball.nodes) == SurfaceFault::open);
  auto turned = ball.hull;
  for (auto& t : turned) std::swap(t[0], t[1]);
  CHECK(EnclosedVolume(turned).fault(ball.nodes) == SurfaceFault::inside_out);
  auto one_turned = ball.hull;
  std::swap(one_turned[0][0], one_turned[0][1]);
  CHECK(EnclosedVolume(one_turned).fault(ball.nodes) == SurfaceFault::open);
  std::vector<Vec3> sheet;
  for (int i = 0; i < 9; ++i) sheet.emplace_back(i % 3, 0, i / 3);
  CHECK(EnclosedVolume(convex_hull(sheet)).fault(sheet) == SurfaceFault::flat);
}

TEST_CASE("The surface of tetrahedra is what belongs to one of them alone", "[volume]") {
  // A cube in five tetrahedra.
  std::vector<Vec3> x;
  for (int i = 0; i < 8; ++i) x.emplace_back(i & 1, (i >> 1) & 1, i >> 2);
  const std::vector<std::array<std::uint32_t, 4>> cells = {
      {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
  for (const auto& [a, b, c, d] : cells) REQUIRE((x[b] - x[a]).cross(x[c] - x[a]).dot(x[d] - x[a]) > 0);
  const EnclosedVolume surface(surface_of(cells));
  CHECK(surface.triangles().size() == 12);
  CHECK(surface.fault(x) == SurfaceFault::none);
  CHECK(surface.volume(x) == Approx(1).epsilon(1e-15));
}
