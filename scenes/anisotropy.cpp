// The test of anisotropy of Miyazaki and others (seeds/004, figure 2; docs/numerics/polyhedral.md): what a body is cut into must not show
// in how it moves. Equal blocks stretch under their weight, each twice, the second one turned by half a turn about the vertical.
#include <cmath>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/tetra_fill.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "core/scene/derived/poses.h"
#include "core/scene/derived/tracks.h"
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

namespace {

const Vec3 kWood(0.46, 0.34, 0.24);
const Vec3 kHung(0.36, 0.72, 0.36);  // m
constexpr std::array<int, 3> kHungParts = {3, 6, 3};

/// Springs along the edges of the cubes and along one diagonal of each square: in those that are seen from the front the same one, so
/// that what is stretched leans to one side; in the others by turns, so that it leans to no other.
StrungTruss one_diagonal() {
  const double edge = kHung.x() / kHungParts[0];
  AnalysisModel grid;
  grid.kind = AnalysisKind::box_grid;
  grid.divisions = kHungParts;
  grid.size = kHung;
  StrungTruss truss = to_strung(make_truss(truss_recipe(grid)));
  std::erase_if(truss.springs, [&](const StrungSpring& s) {
    const Vec3 a = truss.nodes[s.a].position, way = (truss.nodes[s.b].position - a) / edge;
    const auto steps = way.cwiseAbs().sum();
    if (steps < 1.5) return false;
    if (steps > 2.5) return true;
    const bool rises = way.minCoeff() > -0.5 || way.maxCoeff() < 0.5;
    if (std::abs(way.z()) < 0.5) return !rises;
    const Vec3 low =
        a.cwiseMin(truss.nodes[s.b].position) / edge + 0.5 * Vec3(kHungParts[0], kHungParts[1], kHungParts[2]);
    return rises != (std::lround(low.sum()) % 2 == 0);
  });
  return truss;
}

StrungTruss tetrahedra() {
  return fill_with_tetrahedra(make_primitive({PrimitiveShape::box, kHung, {4, 8, 4}}), {.tetrahedra = 300})
      .value()
      .truss;
}

StrungTruss voronoi() {
  return fill_with_cells(make_primitive({PrimitiveShape::box, kHung, {4, 8, 4}}), {.cells = 40}).value().truss;
}

/// Shorter to read; a hair of a tetrahedron that rounding turns over goes.
StrungTruss rounded(StrungTruss truss) {
  for (StrungNode& node : truss.nodes) {
    node.position = (node.position * 1e4).array().round() * 1e-4;
    node.mass = std::max(0.01, 0.01 * std::round(100 * node.mass));
  }
  std::erase_if(truss.tetrahedra, [&](const std::array<std::uint32_t, 4>& t) {
    const Vec3& a = truss.nodes[t[0]].position;
    const Vec3 to = truss.nodes[t[1]].position - a, on = truss.nodes[t[2]].position - a;
    return !(on.cross(truss.nodes[t[3]].position - a).dot(to) > 0);
  });
  return truss;
}

struct Kind {
  const char* name;
  Vec3 colour;
  StrungTruss (*cut)();  // null: cubes
  double stiffness;      // N/m, so that they stretch about as far
};

}  // namespace

Scene cut_and_turned() {
  Builder b("Cut and turned",
            "Soft blocks are let go from beams, above as they were cut, below turned by half a turn. Springs with one "
            "diagonal in each square swing to where it points, the turned ones the other way; cubes that keep their "
            "shape go straight down, tetrahedra and Voronoi cells very nearly.",
            240);
  b.stage(1e7, 0.1, Vec3(0.50, 0.51, 0.54), Vec3(0.76, 0.79, 0.82));
  const Kind kinds[] = {{"Springs", Vec3(0.78, 0.26, 0.20), one_diagonal, 7},
                        {"Cubes", Vec3(0.20, 0.54, 0.38), nullptr, 3.8},
                        {"Tetrahedra", Vec3(0.22, 0.46, 0.72), tetrahedra, 9},
                        {"Voronoi cells", Vec3(0.52, 0.34, 0.66), voronoi, 8.5}};
  constexpr double kTier[] = {2.75, 1.45};  // m: as it was cut above, turned below
  for (const bool turned : {false, true})
    b.add(b.block(turned ? "Lower beam" : "Beam", Vec3(3.7, 0.1, 0.5), Vec3(0, kTier[turned] + 0.052, 0), kWood));
  for (const bool right : {false, true})
    b.add(b.block(right ? "Right post" : "Left post", Vec3(0.12, 2.95, 0.12), Vec3(right ? 1.92 : -1.92, 1.475, 0),
                  kWood));
  for (int k = 0; k < 4; ++k)
    for (const bool turned : {false, true}) {
      const Kind& kind = kinds[k];
      Object o = b.object(std::string(kind.name) + (turned ? ", turned" : ""), "white plastic", PrimitiveShape::box,
                          kHung, Vec3(0.86 * (k - 1.5), kTier[turned] - 0.5 * kHung.y(), 0));
      o.display.primitive.divisions = {8, 16, 8};
      o.display.primitive.ratio = 0.1;
      Builder::flexible(o, AnalysisKind::box_grid, kHungParts, 1, kind.stiffness, 0.03 * kind.stiffness, kHardSkin);
      Builder::physics(o, 1e5, 0.1, 0.9);
      Builder::paint(o, kind.colour, 0.3);
      o.body.solver = kind.cut == one_diagonal ? "springs" : "polyhedral";
      StrungTruss truss = rounded(kind.cut ? kind.cut() : to_strung(analysis_truss(o.analysis)));
      for (StrungNode& node : truss.nodes) node.pinned = node.position.y() > 0.499 * kHung.y();
      o.analysis.kind = AnalysisKind::strung;
      o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
      if (turned) o.transform.rotation = Quat(Eigen::AngleAxisd(kPi, Vec3::UnitY()));
      b.add(o);
    }
  b.soften();
  b.camera(Vec3(0.6, 1.85, 4.75), Vec3(0, 1.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
