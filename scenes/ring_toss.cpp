// Three soft rings fall over a peg: tori divided into Voronoi cells, each of which keeps its shape.
#include "scenes/shipped.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/voronoi_fill.h"
#include "scenes/builder.h"

namespace hazumi::shipped {

namespace {

bool fill_ring(Object& o, int cells, int seed) {
  VoronoiFillOptions options;
  options.cells = cells;
  options.seed = seed;
  options.feature_angle = kPi;
  auto filled = fill_with_cells(make_primitive(o.display.primitive), options);
  if (!filled.ok()) {
    std::fprintf(stderr, "%s\n", to_string(filled.error()).c_str());
    return false;
  }
  StrungTruss truss = std::move(filled.value().truss);
  for (StrungNode& node : truss.nodes) {
    node.position = (node.position * 1e4).array().round() * 1e-4;  // shorter to read
    node.mass = std::max(0.01, 0.01 * std::round(100 * node.mass));
  }
  const auto flat = [&](const std::array<std::uint32_t, 4>& t) {
    const Vec3& a = truss.nodes[t[0]].position;
    const Vec3 b = truss.nodes[t[1]].position - a, c = truss.nodes[t[2]].position - a;
    return !(b.cross(c).dot(truss.nodes[t[3]].position - a) > 0);
  };
  std::erase_if(truss.tetrahedra, flat);
  o.analysis.name = "Voronoi cells";
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  return true;
}

}  // namespace

Scene ring_toss(const std::string&) {
  Builder b("Ring toss", "Soft rings of Voronoi cells fall over a peg, fold and spring back.", 240);
  b.stage(1e7, 0.3, Vec3(0.33, 0.42, 0.36), Vec3(0.80, 0.83, 0.78));
  Object base = b.object("Base", "white plastic", PrimitiveShape::cylinder, Vec3(1.5, 0.08, 1.5), Vec3(0, 0.04, 0));
  base.display.primitive.divisions = {64, 1, 1};
  base.body.kind = BodyKind::fixed;
  Builder::paint(base, Vec3(0.55, 0.36, 0.20), 0.2);
  Builder::physics(base, 1e7, 0.2, 0.6);
  b.add(base);
  Object peg = b.object("Peg", "white plastic", PrimitiveShape::cylinder, Vec3(0.26, 0.95, 0.26), Vec3(0, 0.555, 0));
  peg.display.primitive.divisions = {40, 1, 1};
  peg.body.kind = BodyKind::fixed;
  Builder::paint(peg, Vec3(0.72, 0.52, 0.30), 0.2);
  Builder::physics(peg, 1e7, 0.2, 0.3);
  b.add(peg);
  const struct {
    const char* name;
    Vec3 colour, place;
    double tilt;
    int seed;
  } rings[] = {{"Red ring", Vec3(0.80, 0.12, 0.10), Vec3(0.10, 1.55, 0.02), 14, 1},
               {"Yellow ring", Vec3(0.90, 0.68, 0.10), Vec3(-0.10, 2.5, 0.03), -16, 2},
               {"Blue ring", Vec3(0.12, 0.32, 0.72), Vec3(0.06, 3.4, -0.04), 9, 3}};
  for (const auto& ring : rings) {
    Object o = b.object(ring.name, "white rubber", PrimitiveShape::torus, Vec3(1, 0.24, 1), ring.place);
    o.display.primitive.divisions = {48, 16, 1};
    if (!fill_ring(o, 28, ring.seed)) return b.done();
    o.transform.rotation = Quat(Eigen::AngleAxisd(radians(ring.tilt), Vec3(0.3, 0, 1).normalized()));
    o.body.kind = BodyKind::flexible;
    o.body.solver = "polyhedral";
    o.body.cross_section = kHardSkin;
    Builder::springs(o, 1.2, 110, 0.9);
    Builder::physics(o, 1e5, 0.2, 0.5);
    Builder::paint(o, ring.colour, 0.4);
    b.add(o);
  }
  b.camera(Vec3(1.0, 1.75, 2.9), Vec3(0, 0.62, 0));
  return b.done();
}

}  // namespace hazumi::shipped
