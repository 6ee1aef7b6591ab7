// The superquadrics of the catalogue, capsule, tube, wedge and rounded box.
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

#include "core/geometry/mesh/mass_properties.h"
#include "core/geometry/mesh/primitives.h"

namespace superquadrics_test {

using namespace hazumi;

namespace {

constexpr PrimitiveShape kNew[] = {PrimitiveShape::superellipsoid,  PrimitiveShape::supertorus,
                                   PrimitiveShape::hyperboloid_one, PrimitiveShape::hyperboloid_two,
                                   PrimitiveShape::capsule,         PrimitiveShape::tube,
                                   PrimitiveShape::wedge,           PrimitiveShape::rounded_box};

Primitive make(PrimitiveShape shape, double e1 = 1, double e2 = 1, double ratio = 0.5,
               std::array<int, 3> divisions = {48, 48, 4}) {
  Primitive p;
  p.shape = shape;
  p.size = Vec3(2, 3, 1.5);
  p.divisions = divisions;
  p.round_along = e1;
  p.round_across = e2;
  p.ratio = ratio;
  return p;
}

double volume(const Primitive& p) {
  const DisplayMesh mesh = make_primitive(p);
  return mesh_volume(mesh.positions, mesh.faces);
}

double beta(double a, double b) { return std::tgamma(a) * std::tgamma(b) / std::tgamma(a + b); }
/// Area inside |u|^(2/ε) + |v|^(2/ε) = 1.
double area(double e) { return 2 * e * beta(e / 2, (e + 2) / 2); }

/// V − E + F with vertices at equal places merged.
int euler(const DisplayMesh& mesh) {
  std::map<std::array<double, 3>, int> numbers;
  const auto number = [&](std::uint32_t v) {
    const Vec3& p = mesh.positions[v];
    return numbers
        .emplace(std::array<double, 3>{p.x() + 0.0, p.y() + 0.0, p.z() + 0.0}, static_cast<int>(numbers.size()))
        .first->second;
  };
  std::set<std::pair<int, int>> edges;
  int faces = 0;
  for (const auto& f : mesh.faces) {
    const int v[3] = {number(f[0]), number(f[1]), number(f[2])};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    ++faces;
    for (int k = 0; k < 3; ++k) edges.insert({std::min(v[k], v[(k + 1) % 3]), std::max(v[k], v[(k + 1) % 3])});
  }
  return static_cast<int>(numbers.size()) - static_cast<int>(edges.size()) + faces;
}

}  // namespace

TEST_CASE("Every new shape is closed and outwards at all exponents, ratios and divisions", "[primitives]") {
  for (const PrimitiveShape shape : kNew)
    for (const double e1 : {0.1, 0.5, 1.0, 1.9, 2.0, 3.0})
      for (const double e2 : {0.1, 1.0, 2.0, 3.0}) {
        if (!is_superquadric(shape) && (e1 != 1 || e2 != 1)) continue;
        for (const double ratio : {0.01, 0.4, 0.99}) {
          if (!has_ratio(shape) && ratio != 0.4) continue;
          for (const auto& divisions : {std::array<int, 3>{1, 1, 1}, {5, 3, 2}, {24, 16, 3}}) {
            CAPTURE(static_cast<int>(shape), e1, e2, ratio, divisions[0]);
            const DisplayMesh mesh = make_primitive(make(shape, e1, e2, ratio, divisions));
            REQUIRE(is_closed(mesh));
            REQUIRE(mesh_volume(mesh.positions, mesh.faces) > 0);
            REQUIRE(mesh.normals.size() == mesh.positions.size());
            for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
              REQUIRE(mesh.positions[i].allFinite());
              REQUIRE(std::abs(mesh.normals[i].norm() - 1) < 1e-9);
            }
            REQUIRE(mesh.parts.size() == 1);
            REQUIRE(mesh.parts[0].face_count == mesh.faces.size());
          }
        }
      }
}

TEST_CASE("Normals of the new shapes agree with their faces", "[primitives]") {
  // Flat and sharp alike: at fine divisions no normal leans far from the faces that use it (a smoothed edge would by 45°).
  const auto worst = [](const Primitive& p) {
    const DisplayMesh mesh = make_primitive(p);
    double least = 1;
    for (const auto& f : mesh.faces) {
      const Vec3 n = (mesh.positions[f[1]] - mesh.positions[f[0]]).cross(mesh.positions[f[2]] - mesh.positions[f[0]]);
      if (n.norm() < 1e-9) continue;  // slivers at cusps have no direction
      for (const std::uint32_t v : f) least = std::min(least, n.normalized().dot(mesh.normals[v]));
    }
    return least;
  };
  const std::array<int, 3> fine = {96, 96, 4};
  CHECK(worst(make(PrimitiveShape::superellipsoid, 1, 1, 0.5, fine)) > 0.997);
  CHECK(worst(make(PrimitiveShape::superellipsoid, 2, 2, 0.5, fine)) > 1 - 1e-9);  // octahedron: eight flat sides
  CHECK(worst(make(PrimitiveShape::superellipsoid, 0.3, 0.3, 0.5, fine)) > 0.995);
  CHECK(worst(make(PrimitiveShape::supertorus, 1, 1, 0.5, fine)) > 0.99);
  CHECK(worst(make(PrimitiveShape::supertorus, 2, 2, 0.5, fine)) > 1 - 1e-9);
  CHECK(worst(make(PrimitiveShape::hyperboloid_one, 1, 1, 0.3, fine)) > 0.997);
  CHECK(worst(make(PrimitiveShape::hyperboloid_one, 2, 1, 0.3, fine)) > 0.998);  // two cones, tip to tip
  CHECK(worst(make(PrimitiveShape::hyperboloid_two, 1, 1, 0.3, fine)) > 0.9985);
  CHECK(worst(make(PrimitiveShape::hyperboloid_two, 2, 1, 0.3, fine)) > 0.9985);
  CHECK(worst(make(PrimitiveShape::capsule, 1, 1, 0.5, fine)) > 0.996);
  CHECK(worst(make(PrimitiveShape::tube, 1, 1, 0.5, fine)) > 0.9975);
  CHECK(worst(make(PrimitiveShape::wedge)) > 1 - 1e-9);
  CHECK(worst(make(PrimitiveShape::rounded_box, 1, 1, 0.5)) > 0.95);
}

TEST_CASE("Volumes of the new shapes are the closed forms", "[primitives]") {
  const double a = 1, b = 1.5, c = 0.75;  // half the size
  for (const auto& [e1, e2] : std::vector<std::pair<double, double>>{{1, 1}, {0.5, 1}, {1, 0.4}, {2, 2}, {1.5, 0.7}}) {
    CAPTURE(e1, e2);
    const std::array<int, 3> fine = {192, 192, 1};
    // Spec 4.1 (there z is the axis).
    const double ellipsoid = 2 * a * b * c * e1 * e2 * beta(e1 / 2 + 1, e1) * beta(e2 / 2, e2 / 2);
    CHECK(volume(make(PrimitiveShape::superellipsoid, e1, e2, 0.5, fine)) == Approx(ellipsoid).epsilon(7e-4));
    // The section's area times the way of its middle, as Pappus says, with the outline's area for the circle's.
    Primitive ring = make(PrimitiveShape::supertorus, e1, e2, 0.5, fine);
    ring.size = Vec3(2, 0.5, 2);
    CHECK(volume(ring) == Approx(2 * area(e2) * 0.75 * area(e1) * 0.25 * 0.25).epsilon(9e-4));
  }
  CHECK(volume(make(PrimitiveShape::superellipsoid, 1, 1)) ==
        Approx(volume(make(PrimitiveShape::sphere))).epsilon(1e-9));
  const double w = 0.4;
  // One sheet: q² = w² + (1 − w²) y² in units of the half sizes, integrated over −1…1.
  CHECK(volume(make(PrimitiveShape::hyperboloid_one, 1, 1, w, {192, 192, 1})) ==
        Approx(kPi * a * b * c * 2 * (w * w + (1 - w * w) / 3)).epsilon(4e-4));
  // Two sheets: q² = (y² − g²) / (1 − g²) over g…1, twice.
  const double g = 0.4;
  CHECK(volume(make(PrimitiveShape::hyperboloid_two, 1, 1, g, {192, 192, 1})) ==
        Approx(kPi * a * b * c * 2 * ((1 - g * g * g) / 3 - g * g * (1 - g)) / (1 - g * g)).epsilon(5e-4));
  CHECK(volume(make(PrimitiveShape::tube, 1, 1, 0.5, {192, 4, 2})) == Approx(kPi * a * c * 2 * b * 0.75).epsilon(5e-4));
  CHECK(volume(make(PrimitiveShape::wedge)) == Approx(0.5 * 2 * 3 * 1.5));
  const double cap = 0.5 * (a + c);
  CHECK(volume(make(PrimitiveShape::capsule, 1, 1, 0.5, {192, 192, 1})) ==
        Approx(kPi * a * c * (2 * (b - cap) + 4.0 / 3 * cap)).epsilon(7e-4));
  Primitive cube = make(PrimitiveShape::rounded_box, 1, 1, 0.5);
  cube.size = Vec3(2, 2, 2);  // radius 0.5, inside 1 × 1 × 1
  CHECK(volume(cube) == Approx(1 + 6 * 0.5 + 12 * kPi / 4 * 0.25 + 4.0 / 3 * kPi * 0.125).epsilon(1.5e-2));
}

TEST_CASE("The new shapes have as many holes and pieces as they should", "[primitives]") {
  CHECK(euler(make_primitive(make(PrimitiveShape::superellipsoid, 0.3, 2.5))) == 2);
  CHECK(euler(make_primitive(make(PrimitiveShape::supertorus, 2, 0.3))) == 0);
  CHECK(euler(make_primitive(make(PrimitiveShape::hyperboloid_one))) == 2);
  CHECK(euler(make_primitive(make(PrimitiveShape::hyperboloid_two))) == 4);
  CHECK(euler(make_primitive(make(PrimitiveShape::capsule))) == 2);
  CHECK(euler(make_primitive(make(PrimitiveShape::tube))) == 0);
  CHECK(euler(make_primitive(make(PrimitiveShape::wedge))) == 2);
  CHECK(euler(make_primitive(make(PrimitiveShape::rounded_box))) == 2);
}

TEST_CASE("Edges of superquadrics are split where they are sharp and nowhere else", "[primitives]") {
  const auto distinct_normals_at = [](const DisplayMesh& mesh, const Vec3& place) {
    std::vector<Vec3> normals;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
      if ((mesh.positions[i] - place).norm() < 1e-12 &&
          std::none_of(normals.begin(), normals.end(),
                       [&](const Vec3& n) { return (n - mesh.normals[i]).norm() < 1e-3; }))
        normals.push_back(mesh.normals[i]);
    return normals.size();
  };
  CHECK(distinct_normals_at(make_primitive(make(PrimitiveShape::superellipsoid, 2, 2)), Vec3(1, 0, 0)) == 4);
  CHECK(distinct_normals_at(make_primitive(make(PrimitiveShape::superellipsoid, 1, 1)), Vec3(1, 0, 0)) == 1);
  CHECK(distinct_normals_at(make_primitive(make(PrimitiveShape::superellipsoid, 0.1, 0.1)), Vec3(1, 0, 0)) == 1);
  CHECK(distinct_normals_at(make_primitive(make(PrimitiveShape::superellipsoid, 1, 2)), Vec3(1, 0, 0)) == 2);
}

TEST_CASE("A shape's numbers do what they say", "[primitives]") {
  // Waist of a one-sheet hyperboloid.
  const DisplayMesh waist = make_primitive(make(PrimitiveShape::hyperboloid_one, 1, 1, 0.25));
  double narrowest = 10;
  for (const Vec3& p : waist.positions)
    if (std::abs(p.y()) < 1e-12) narrowest = std::min(narrowest, Vec3(p.x() / 1, 0, p.z() / 0.75).norm());
  CHECK(narrowest == Approx(0.25));
  // Gap of a two-sheet one.
  double lowest = 10;
  for (const Vec3& p : make_primitive(make(PrimitiveShape::hyperboloid_two, 1, 1, 0.25)).positions)
    if (p.y() > 0) lowest = std::min(lowest, p.y());
  CHECK(lowest == Approx(0.25 * 1.5));
  // ε₂ = 0.1 nearly fills the square, ε₂ = 2 is a diamond.
  CHECK(volume(make(PrimitiveShape::superellipsoid, 0.1, 0.1, 0.5, {96, 96, 1})) > 0.97 * 2 * 3 * 1.5);
  CHECK(volume(make(PrimitiveShape::superellipsoid, 2, 2)) == Approx(2 * 3 * 1.5 / 6.0));
}

}  // namespace superquadrics_test
