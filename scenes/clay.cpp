// A ball of clay and one of rubber fall on an edge: springs that yield (docs/numerics/flexible-body.md) keep the dent.
#include "scenes/builder.h"
#include "scenes/shipped.h"

namespace hazumi::shipped {

Scene clay() {
  Builder b("Clay and rubber",
            "Equal balls fall on an edge. The springs of the left one yield at 4 %: it keeps its dent.", 300);
  b.stage(1e7, 0.2, Vec3(0.55, 0.56, 0.52), Vec3(0.66, 0.72, 0.74));
  for (int k = 0; k < 2; ++k) {
    const double x = k ? 0.85 : -0.85;
    Object edge =
        b.block(k ? "Right edge" : "Left edge", Vec3(0.22, 0.5, 1.2), Vec3(x, 0.25, 0), Vec3(0.42, 0.40, 0.38));
    Builder::physics(edge, 1e7, 0.1, 0.8);
    b.add(edge);
    Object o = b.object(k ? "Rubber" : "Clay", k ? "red rubber" : "white plastic", PrimitiveShape::sphere,
                        Vec3::Constant(0.9), Vec3(x + 0.04, 1.7, 0));
    Builder::flexible(o, AnalysisKind::icosahedron, {3, 1, 1}, 3, 500, 1.5, kHardSkin);
    Builder::physics(o, 1e5, 0.1, 0.8);
    Builder::paint(o, k ? Vec3(0.75, 0.18, 0.16) : Vec3(0.70, 0.50, 0.36), k ? 0.4 : 0.05);
    if (!k) set_parameter(o.body.parameters, {"lagrange", "yield", {}, 0.04});
    b.add(o);
  }
  b.camera(Vec3(0.5, 1.5, 4.4), Vec3(0, 0.72, 0));
  return b.done();
}

}  // namespace hazumi::shipped
