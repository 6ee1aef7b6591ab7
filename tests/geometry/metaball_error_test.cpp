// How far a mesh is from its surface, as it is told: against meshes whose distance is known.
#include <catch2/catch.hpp>

#include "core/geometry/metaball/surface_error.h"
#include "tests/geometry/metaball_check.h"
#include "tests/support/sanitized.h"

namespace metaball_error_test {

using namespace hazumi;
using namespace hazumi::reference;

TEST_CASE("A mesh that is off by a known length is told to be", "[metaball]") {
  MetaballGroup group;
  group.primitives.resize(2);
  group.primitives[1].id = 2;
  group.primitives[1].centre.x() = 0.35;
  const DisplayMesh fine = mesh_of(group, 1e-4);
  const SurfaceError near = surface_error(group, fine, fine.faces.size());
  CHECK(near.mean < 4e-5);
  CHECK(near.largest < 1e-4);
  for (const double off : {0.003, -0.02}) {
    DisplayMesh moved = fine;
    for (std::size_t v = 0; v < moved.positions.size(); ++v) moved.positions[v] += off * moved.normals[v];
    const SurfaceError error = surface_error(group, moved, moved.faces.size());
    CHECK(error.mean == Approx(std::abs(off)).epsilon(0.02));
    CHECK(error.largest == Approx(std::abs(off)).epsilon(0.05));
    // Some of the faces tell nearly the same.
    CHECK(surface_error(group, moved, 500).mean == Approx(error.mean).epsilon(0.01));
  }
  CHECK(surface_error(group, DisplayMesh{}, 100).largest == 0);
}

TEST_CASE("However fine a tolerance is asked for, it is met", "[metaball]") {
  // Vertices that were held 2 % of an edge off the border of their cell were off by 2.7 and 5 tolerances at 1e-4.
  for (const MetaballShape shape : {MetaballShape::ellipsoid, MetaballShape::torus})
    for (const double tolerance : {0.05, 0.004, 0.001, 0.0003}) {
      MetaballGroup group;
      group.primitives.resize(1);
      group.primitives[0].shape = shape;
      const SurfaceError error = surface_error(group, mesh_of(group, tolerance), 100000);
      INFO(tolerance << ": " << error.largest << ", " << error.mean);
      // The diameter is 1 m. A hundred of the torus' 120,000 faces reach further than their cells tell: 1.31 at 3e-4 (2.5 before).
      CHECK(error.largest < (shape == MetaballShape::torus && tolerance < 5e-4 ? 1.5 : 0.8) * tolerance);
      CHECK(error.mean < 0.12 * tolerance);
    }
}

TEST_CASE("What is told of a coarse box is within what was asked", "[metaball]") {
  MetaballGroup group;
  group.primitives.resize(1);
  MetaballPrimitive& p = group.primitives[0];
  p.round_xz = p.round_xy = 0.1;  // a box: the gradient at a bevel's middle leads away from the edge
  p.rotation = Quat(0.9, 0.1, -0.3, 0.2).normalized();
  for (const double tolerance : {0.02, 0.004}) {
    const DisplayMesh mesh = mesh_of(group, tolerance);
    const SurfaceError error = surface_error(group, mesh, mesh.faces.size());
    INFO(error.mean << " " << error.largest);
    const double diameter = MetaballField(group).largest_diameter();
    CHECK(error.largest < tolerance * diameter);
    CHECK(error.largest > 0.05 * tolerance * diameter);
    CHECK(error.mean < error.largest);
  }
}

namespace {

/// The largest distance in lengths asked for.
double of_asked(unsigned seed, double tolerance) {
  INFO("seed " << seed);
  const MetaballGroup group = group_of_seed(seed);
  const SurfaceError error = surface_error(group, mesh_of(group, tolerance), 100000);
  const double asked = tolerance * MetaballField(group).largest_diameter();
  CHECK(error.mean <= 0.3 * asked);
  return error.largest / asked;
}

}  // namespace

TEST_CASE("Random groups are as near to their surface as was asked", "[metaball][random]") {
  const unsigned rounds = static_cast<unsigned>(test::rounds(12, 2));
  for (unsigned seed = 0; seed < rounds; ++seed)
    if (group_of_seed(seed).primitives.size() < 8) CHECK(of_asked(seed, 0.02) <= 1);
}

// Of the first 205: five beyond, by 5 to 23 %, and one a tenth of the diameter off, where fins end.
TEST_CASE("Random groups are as near as was asked, but for a few: hundreds", "[metaball][.long]") {
  int beyond = 0, far = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const double reached = of_asked(seed, 0.02);
    beyond += reached > 1;
    far += reached > 1.3;
  }
  CHECK(beyond <= 8);
  CHECK(far <= 2);
}

}  // namespace metaball_error_test
