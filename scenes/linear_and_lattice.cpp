// Thesis figure 2.7: one display model, one truss, one motion; (1) linear mapping, (2) free-form deformation.
// The truss hangs on pinned nodes, so both move alike; only the mapping differs.
#include "scenes/shipped.h"

#include "scenes/builder.h"
#include "scenes/characters.h"

namespace hazumi::shipped {

Scene linear_and_lattice() {
  Builder b("Figure 2.7: linear and lattice",
            "Held by three hooks: left the skin keeps to the nodes, right it slips off.", 240);
  b.stage(1e7, 0.6, Vec3(0.50, 0.52, 0.58), Vec3(0.28, 0.29, 0.36));
  const double radius = 0.62, height = 1.95;
  AnalysisModel shape;
  shape.kind = AnalysisKind::icosahedron;
  shape.divisions = {3, 1, 1};
  shape.size = Vec3::Constant(2 * radius);
  StrungTruss truss = to_strung(make_truss(truss_recipe(shape)));
  std::vector<Vec3> hooks;
  for (const Vec3& wanted : {Vec3(0, 0.75, 0.66), Vec3(0.57, 0.75, -0.33), Vec3(-0.57, 0.75, -0.33)}) {
    StrungNode* best = &truss.nodes.front();
    for (StrungNode& node : truss.nodes)
      if (wanted.dot(node.position) > wanted.dot(best->position)) best = &node;
    best->pinned = true;
    hooks.push_back(best->position);
  }
  CharacterMaker m;
  m.weight = 40;
  m.paint(0.90, 0.55, 0.50);
  m.ball("Ball", Vec3::Zero(), Vec3::Constant(radius));
  m.paint(0.96, 0.95, 0.92);
  m.buttons("eye", {0.575, 0.1, 0.17}, {0.06, 0.13, 0.10});
  m.paint(0.05, 0.05, 0.07);
  m.buttons("pupil", {0.632, 0.08, 0.155}, {0.022, 0.058, 0.048});
  m.paint(0.75, 0.16, 0.16);
  m.button("mouth", {0.59, -0.2, 0}, {0.045, 0.035, 0.12});
  m.group.final_tolerance = 0.003;
  for (int k = 0; k < 2; ++k) {
    const Vec3 place(k ? 0.95 : -0.95, height, 0);
    Object o = b.character(k ? "Free-form deformation" : "Linear mapping", m.group, truss, place);
    o.mapping.kind = k ? MappingKind::lattice : MappingKind::linear;
    o.mapping.lattice = {3, 3, 3};
    o.transform.rotation = Quat(Eigen::AngleAxisd(radians(-90), Vec3::UnitY()));
    Builder::springs(o, 3, 26, 0.1);
    Builder::physics(o, 2e4, 0.5, 0.5);
    b.add(o);
    for (std::size_t h = 0; h < hooks.size(); ++h) {
      const Vec3 at = place + o.transform.rotation * hooks[h];
      const double top = 4.4;
      b.add(b.rod("Hook " + std::to_string(h + 1) + (k ? ", right" : ", left"), 0.06, top - at.y() + 0.03,
                  Vec3(at.x(), 0.5 * (top + at.y() - 0.03), at.z()), 20));
    }
  }
  b.camera(Vec3(0.0, 1.75, 5.0), Vec3(0, 1.45, 0));
  return b.done();
}

}  // namespace hazumi::shipped
