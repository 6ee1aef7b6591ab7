#include "scenes/shipped.h"

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

// Thesis figure 2.29: locality. One character, an octahedron around all of it and a truss that follows head,
// body, tail and legs; each has the other's truss to switch to.
Scene kangaroos() {
  Builder b("Kangaroos, coarse and fine", "The coarse truss gives way as a whole, the fine one limb by limb.", 240);
  b.stage(1e7, 0.55, Vec3(0.80, 0.66, 0.46), Vec3(0.52, 0.68, 0.82));
  const MetaballGroup group = kangaroo();
  const Box3 box = seen_box(group);
  AnalysisModel coarse, fine;
  coarse.name = "Coarse";
  coarse.kind = AnalysisKind::octahedron;
  coarse.divisions = {1, 1, 1};
  coarse.size = 1.5 * box.size();
  coarse.offset = box.centre();
  StrungTruss octahedron = to_strung(make_truss(truss_recipe(coarse)));
  fine.name = "Fine";
  fine.kind = AnalysisKind::strung;
  StrungTruss limbs = follow(group, 0.14);
  // Heavy feet and tail keep them upright.
  for (StrungTruss* truss : {&octahedron, &limbs})
    for (StrungNode& node : truss->nodes)
      if (node.position.y() < 0.3) node.mass = truss == &limbs ? 8 : 12;
  coarse.kind = AnalysisKind::strung;
  coarse.strung = std::make_shared<const StrungTruss>(octahedron);
  fine.strung = std::make_shared<const StrungTruss>(limbs);
  for (int k = 0; k < 2; ++k) {
    Object o = b.object(k ? "Kangaroo, fine truss" : "Kangaroo, coarse truss", "white plastic", PrimitiveShape::box,
                        Vec3(1, 1, 1), Vec3(k ? 1.25 : -1.05, 0.1, 0));
    o.display.kind = DisplayKind::metaballs;
    o.display.metaballs = group;
    o.analysis = k ? fine : coarse;
    o.other_analyses = {k ? coarse : fine};
    o.body.kind = BodyKind::flexible;
    Builder::springs(o, 8, k ? 1000 : 40, k ? 2 : 0.25);
    o.body.cross_section = kHardSkin;
    o.body.velocity = Vec3(0.2, 3.4, 0);
    Builder::physics(o, 1e5, 0.1, 0.9);
    o.material.surface.diffuse = Vec3(0.62, 0.38, 0.2);
    o.material.surface.ambient = 0.9 * o.material.surface.diffuse;
    o.material.surface.specular = Vec3(0.12, 0.12, 0.12);
    b.add(o);
  }
  b.camera(Vec3(0.9, 1.6, 4.9), Vec3(0.2, 0.85, 0));
  return b.done();
}

}  // namespace hazumi::shipped
