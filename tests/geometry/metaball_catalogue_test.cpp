// Metaballs to begin with: where they are seen, mirroring, names.
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "core/geometry/metaball/catalogue.h"

namespace metaball_catalogue_test {

using namespace hazumi;

TEST_CASE("The seen fraction is where the density of a single metaball is one", "[metaball][catalogue]") {
  for (double w : {1.01, 1.2, 1.4999, 1.5, 1.5001, 2.0, 3.0, 10.0, 100.0}) {
    MetaballPrimitive p;
    p.weight = w;
    p.radii = Vec3(2, 3, 4);
    const double f = seen_fraction(w);
    INFO(w);
    CHECK(f > 0);
    CHECK(f < 1);
    for (int axis = 0; axis < 3; ++axis)
      CHECK(density(p, f * p.radii[axis] * Vec3::Unit(axis)) == Approx(1).epsilon(1e-9));
  }
  CHECK(seen_fraction(1) == 0);
  CHECK(seen_fraction(0.2) == 0);
  CHECK(seen_fraction(1.5) == Approx(1.0 / 3));
  CHECK(seen_fraction(-3) == seen_fraction(3));
}

TEST_CASE("Every kind of metaball is seen about a metre large and its section lines lie on the surface",
          "[metaball][catalogue]") {
  for (MetaballKind kind : {MetaballKind::ball, MetaballKind::ellipsoid, MetaballKind::box, MetaballKind::cylinder,
                            MetaballKind::octahedron, MetaballKind::pinched, MetaballKind::torus}) {
    const MetaballPrimitive p = make_metaball(kind);
    INFO(p.name);
    const double f = seen_fraction(p.weight);
    REQUIRE(f > 0);
    double reach = 0;
    for (int across = 0; across < 3; ++across)
      for (const auto& line : section_lines(p, across, f, 64))
        for (const Vec3& q : line) {
          const Vec3 place = p.centre + p.rotation * q;
          CHECK(density(p, place) == Approx(1).epsilon(1e-9));
          reach = std::max(reach, place.cwiseAbs().maxCoeff());
          CHECK((place.cwiseAbs().array() <= effective_extent(p).array() + 1e-12).all());
        }
    CHECK(reach > 0.4);
    CHECK(reach < 0.9);
  }
}

TEST_CASE("A mirrored metaball has the mirrored density, and twice mirrored it is itself", "[metaball][catalogue]") {
  MetaballPrimitive p = make_metaball(MetaballKind::box);
  p.centre = Vec3(0.3, 0.7, -0.2);
  p.radii = Vec3(0.9, 1.4, 0.6);
  p.round_xy = 0.5;
  p.rotation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, -0.5).normalized()));
  for (int axis = 0; axis < 3; ++axis) {
    const MetaballPrimitive m = mirrored(p, axis);
    for (int i = 0; i < 200; ++i) {
      const Vec3 place(0.3 + std::sin(i * 1.3), 0.7 + std::sin(i * 2.1), -0.2 + std::sin(i * 0.7));
      Vec3 other = place;
      other[axis] = -other[axis];
      CHECK(density(m, other) == Approx(density(p, place)).margin(1e-12));
    }
    const MetaballPrimitive back = mirrored(m, axis);
    CHECK(back == p);
  }
}

TEST_CASE("Figure and animal stand on the floor, have distinct ids and names, and left mirrors right",
          "[metaball][catalogue]") {
  for (const MetaballGroup& group : {make_figure(), make_animal()}) {
    std::set<std::uint32_t> ids;
    std::set<std::string> names;
    double low = 1e9, high = -1e9;
    for (const MetaballPrimitive& p : group.primitives) {
      CHECK(p.id > 0);
      ids.insert(p.id);
      names.insert(p.name);
      for (int across = 0; across < 3; ++across)
        for (const auto& line : section_lines(p, across, seen_fraction(p.weight), 48))
          for (const Vec3& q : line) {
            low = std::min(low, (p.centre + p.rotation * q).y());
            high = std::max(high, (p.centre + p.rotation * q).y());
          }
      const std::size_t at = p.name.rfind(" left");
      if (at == std::string::npos) {
        // What is no half of a pair is in the middle; the right halves are found from the left ones.
        if (p.name.rfind(" right") == std::string::npos) CHECK(p.centre.x() == 0);
        continue;
      }
      const std::string other = p.name.substr(0, at) + " right";
      bool found = false;
      for (const MetaballPrimitive& q : group.primitives)
        if (q.name == other) found = (mirrored(p, 0).centre - q.centre).norm() < 1e-12;
      CHECK(found);
    }
    CHECK(ids.size() == group.primitives.size());
    CHECK(names.size() == group.primitives.size());
    CHECK(low > 0);
    CHECK(low < 0.012);
    CHECK(high > 1.4);
    CHECK(high < 1.95);
  }
}

TEST_CASE("Names of metaballs count on", "[metaball][catalogue]") {
  MetaballGroup group;
  for (const char* name : {"Ball", "Ball 2"}) {
    MetaballPrimitive p;
    p.id = next_primitive_id(group);
    p.name = name;
    group.primitives.push_back(p);
  }
  CHECK(unique_primitive_name(group, "Ball") == "Ball 3");
  CHECK(unique_primitive_name(group, "Ball 2") == "Ball 3");
  CHECK(unique_primitive_name(group, "Box") == "Box");
  CHECK(find_primitive(group, 2)->name == "Ball 2");
  CHECK(find_primitive(group, 7) == nullptr);
}

}  // namespace metaball_catalogue_test
