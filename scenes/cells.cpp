// Bars of springs and of polyhedral elements over an edge, and puddings of shape matching (docs/numerics/polyhedral.md,
// shape-matching.md).
#include <cmath>

#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene bent_bars() {
  Builder b("Bent bars",
            "Equal bars fall across an edge. Springs in one body frame swell as they bend; each cell of the right one "
            "keeps its "
            "shape, and it folds over the edge.",
            300);
  b.stage(1e7, 0.2, Vec3(0.52, 0.55, 0.58), Vec3(0.70, 0.76, 0.80));
  for (int k = 0; k < 2; ++k) {
    const double x = k ? 1.15 : -1.15;
    Object edge =
        b.block(k ? "Right edge" : "Left edge", Vec3(0.24, 0.9, 0.8), Vec3(x, 0.45, 0), Vec3(0.40, 0.40, 0.43));
    Builder::physics(edge, 1e7, 0.1, 0.9);
    b.add(edge);
    Object o = b.object(k ? "Cells" : "Springs", k ? "green rubber" : "red rubber", PrimitiveShape::rounded_box,
                        Vec3(2.0, 0.22, 0.44), Vec3(x + 0.02, 1.5, 0));
    o.display.primitive.divisions = {40, 6, 10};
    Builder::flexible(o, AnalysisKind::box_grid, {10, 1, 2}, 2, 220, 0.9, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.9);
    Builder::paint(o, k ? Vec3(0.20, 0.52, 0.36) : Vec3(0.74, 0.26, 0.20), 0.3);
    if (k) o.body.solver = "polyhedral";
    b.add(o);
  }
  b.camera(Vec3(0.4, 1.9, 5.4), Vec3(0, 0.75, 0));
  return b.done();
}

Scene puddings() {
  Builder b("Puddings",
            "Three puddings of shape matching, one, two and three rings wide, and a ball that comes to them.", 300);
  b.stage(1e7, 0.2, Vec3(0.62, 0.58, 0.52), Vec3(0.84, 0.80, 0.74));
  const Vec3 colours[] = {{0.86, 0.66, 0.26}, {0.60, 0.30, 0.18}, {0.84, 0.44, 0.50}};
  for (int k = 0; k < 3; ++k) {
    Object o = b.object(k == 0   ? "Vanilla"
                        : k == 1 ? "Chocolate"
                                 : "Strawberry",
                        "white plastic", PrimitiveShape::cylinder, Vec3(0.8, 0.9, 0.8), Vec3(1.1 * (k - 1), 0.75, 0));
    o.display.primitive.divisions = {48, 12, 4};
    Builder::flexible(o, AnalysisKind::box_grid, {4, 5, 4}, 2, 45, 0.25, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.9);
    Builder::paint(o, colours[k], 0.5);
    o.body.solver = "shape_matching";
    if (k > 0) set_parameter(o.body.parameters, {"shape_matching", "ring", {}, k + 1.0});
    b.add(o);
  }
  Object ball = b.object("Ball", "polished silver", PrimitiveShape::sphere, Vec3::Constant(0.5), Vec3(-2.9, 1.0, 0.05));
  ball.body.kind = BodyKind::rigid;
  ball.body.mass = 0.6;
  ball.body.velocity = Vec3(4.5, 0.5, 0);
  Builder::physics(ball, 1e7, 0.3, 0.4);
  b.add(ball);
  b.camera(Vec3(0.3, 1.9, 4.9), Vec3(0, 0.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
