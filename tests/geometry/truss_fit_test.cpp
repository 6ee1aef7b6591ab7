#include "core/geometry/truss/fit.h"

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/rigidity.h"
#include "core/geometry/truss/select.h"
#include "tests/geometry/strung_support.h"

namespace truss_fit_test {

using namespace hazumi;
using namespace hazumi::strung_test;

namespace {

DisplayMesh primitive(PrimitiveShape shape, Vec3 size, std::array<int, 3> divisions = {32, 20, 3}) {
  return make_primitive({shape, size, divisions});
}

void move(DisplayMesh& mesh, const Quat& turn, const Vec3& by) {
  for (Vec3& p : mesh.positions) p = turn * p + by;
}

double farthest_outside(const StrungTruss& truss, const DisplayMesh& mesh) {
  double most = -1e300;
  for (const auto& f : truss.hull) {
    const Vec3 o = truss.nodes[f[0]].position;
    const Vec3 normal = (truss.nodes[f[1]].position - o).cross(truss.nodes[f[2]].position - o).normalized();
    for (const Vec3& p : mesh.positions) most = std::max(most, normal.dot(p - o));
  }
  return most;
}

}  // namespace

TEST_CASE("Every catalogue shape is fitted to the box of the display model", "[truss_fit]") {
  DisplayMesh mesh = primitive(PrimitiveShape::box, Vec3(2, 1, 0.5), {4, 3, 2});
  move(mesh, Quat::Identity(), Vec3(3, 1, -1));
  for (const TrussShape shape :
       {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron}) {
    FitOptions options;
    options.shape = shape;
    const auto fit = fit_truss(mesh, options);
    REQUIRE(fit.ok());
    CHECK((fit->recipe.size - Vec3(2, 1, 0.5)).norm() < 1e-12);
    CHECK((fit->recipe.offset - Vec3(3, 1, -1)).norm() < 1e-12);
    CHECK(fit->rotation.isApprox(Quat::Identity()));
    CHECK(fit->strung == to_strung(make_truss(fit->recipe)));
    CHECK(diagnose_rigidity(fit->strung).rigid());
    options.enclose = true;
    const auto around = fit_truss(mesh, options);
    CHECK(farthest_outside(around->strung, mesh) < 1e-12);
    options.margin = 0.1;
    CHECK(farthest_outside(fit_truss(mesh, options)->strung, mesh) < -0.02);
    CHECK((around->recipe.size - fit->recipe.size).minCoeff() > -1e-12);
  }
  FitOptions flat;
  flat.shape = TrussShape::plane_grid;
  const auto sheet = fit_truss(primitive(PrimitiveShape::plane, Vec3(2, 1, 1), {2, 1, 2}), flat);
  CHECK(sheet->recipe.size.y() == Approx(0.02));
  CHECK(diagnose_rigidity(sheet->strung).rigid());
  CHECK_FALSE(fit_truss(DisplayMesh{}, {}).ok());
}

TEST_CASE("Along principal axes the truss turns with a turned mesh", "[truss_fit]") {
  const Quat turn = Quat(Eigen::AngleAxisd(0.5, Vec3(1, 2, -1).normalized()));
  for (const TrussShape shape :
       {TrussShape::plane_grid, TrussShape::box_grid, TrussShape::octahedron, TrussShape::icosahedron}) {
    DisplayMesh mesh = primitive(PrimitiveShape::box, Vec3(2, 1, 0.5), {6, 4, 3});
    move(mesh, turn, Vec3(0.3, 0.2, 0.1));
    FitOptions options;
    options.shape = shape;
    options.frame = FitFrame::principal_axes;
    const auto fit = fit_truss(mesh, options);
    REQUIRE(fit.ok());
    CHECK(std::abs(fit->rotation.dot(turn)) == Approx(1).epsilon(1e-9));
    CHECK((fit->recipe.size - Vec3(2, 1, 0.5)).norm() < 1e-9);
    CHECK((fit->rotation * fit->recipe.offset - Vec3(0.3, 0.2, 0.1)).norm() < 1e-9);
    const Truss straight = make_truss(fit->recipe);
    for (std::size_t i = 0; i < straight.nodes.size(); ++i)
      CHECK((fit->strung.nodes[i].position - fit->rotation * straight.nodes[i]).norm() < 1e-12);
    options.enclose = true;
    CHECK(farthest_outside(fit_truss(mesh, options)->strung, mesh) < 1e-12);
  }
  // A ball has no axes of its own.
  FitOptions options;
  options.frame = FitFrame::principal_axes;
  CHECK(fit_truss(primitive(PrimitiveShape::sphere, Vec3::Ones(), {32, 16, 1}), options)->recipe.size.norm() ==
        Approx(std::sqrt(3.0)).epsilon(1e-9));
}

TEST_CASE("A truss from decimated vertices holds its shape", "[truss_fit]") {
  for (const PrimitiveShape shape : {PrimitiveShape::sphere, PrimitiveShape::box, PrimitiveShape::cylinder,
                                     PrimitiveShape::torus, PrimitiveShape::cone})
    for (const int nodes : {12, 60, 250}) {
      const DisplayMesh mesh = primitive(shape, Vec3(1, 0.7, 1.3),
                                         shape == PrimitiveShape::box ? std::array{10, 10, 10} : std::array{32, 20, 3});
      DecimationOptions options;
      options.nodes = nodes;
      const auto truss = truss_by_decimation(mesh, options);
      INFO(static_cast<int>(shape) << " " << nodes << (truss.ok() ? "" : truss.error().message));
      REQUIRE(truss.ok());
      CHECK(truss->nodes.size() > 3);
      CHECK(static_cast<int>(truss->nodes.size()) < 2 * nodes + 20);
      CHECK(problem(*truss) == "");
      CHECK(diagnose_rigidity(*truss).rigid());
      CHECK(connected_pieces(*truss).count == 1);
      if (nodes == 250) CHECK(volume(to_strung(to_truss(*truss))) > 0.1);
      CHECK(truss_by_decimation(mesh, options).value() == *truss);
    }
}

TEST_CASE("Per part, thin limbs keep nodes of their own", "[truss_fit]") {
  DisplayMesh mesh = primitive(PrimitiveShape::sphere, Vec3::Constant(2), {40, 24, 1});
  mesh.parts = {{"body", 0, static_cast<std::uint32_t>(mesh.faces.size())}};
  for (const double side : {-1.0, 1.0}) {  // two thin legs, not joined to the body
    DisplayMesh leg = primitive(PrimitiveShape::cylinder, Vec3(0.1, 1, 0.1), {12, 8, 1});
    move(leg, Quat::Identity(), Vec3(0.4 * side, -1.55, 0));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.parts.push_back(
        {"leg", static_cast<std::uint32_t>(mesh.faces.size()), static_cast<std::uint32_t>(leg.faces.size())});
    mesh.positions.insert(mesh.positions.end(), leg.positions.begin(), leg.positions.end());
    for (auto f : leg.faces) {
      for (auto& i : f) i += first;
      mesh.faces.push_back(f);
    }
  }
  DecimationOptions options;
  options.nodes = 40;
  options.per_part = true;
  const auto truss = truss_by_decimation(mesh, options);
  REQUIRE(truss.ok());
  int left = 0, right = 0;
  for (const StrungNode& node : truss->nodes)
    if (node.position.y() < -1.02) (node.position.x() < 0 ? left : right)++;
  CHECK(left >= 5);
  CHECK(right >= 5);
  CHECK(connected_pieces(*truss).count == 1);
  CHECK(diagnose_rigidity(*truss).rigid());
  options.cancelled = [] { return true; };
  CHECK(truss_by_decimation(mesh, options).error().severity == Severity::info);
}

TEST_CASE("What gives no truss says so", "[truss_fit]") {
  CHECK(truss_by_decimation({}, {}).error().message.find("no display model") != std::string::npos);
  const auto flat = truss_by_decimation(primitive(PrimitiveShape::plane, Vec3(1, 1, 1), {6, 1, 6}), {});
  REQUIRE_FALSE(flat.ok());
  CHECK(flat.error().hint.find("plane grid") != std::string::npos);
}

}  // namespace truss_fit_test
