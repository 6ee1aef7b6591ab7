// A cloth laid on nine spikes: it lies on their tips for twenty seconds, and none goes through.
#include <cmath>

#include "tests/support/run.h"

namespace cloth_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr double kTip = 0.3;  // m, above the floor

struct Laid {
  World world;
  Id cloth;
  std::vector<Vec2> tips;  ///< x and z

  Laid(double stiffness, int substeps) {
    world.scene.settings.substeps = substeps;
    world.floor(0.5, 0);
    const auto dry = [](Object& o) {
      o.contact.shape = ContactShape::surface;
      o.material.substance.restitution = 0;
      o.material.substance.friction = 0.6;
    };
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j) {
        tips.emplace_back(0.25 * i, 0.25 * j + 0.02 * i);
        Object spike = World::hard("spike", {PrimitiveShape::cone, Vec3(0.15, kTip, 0.15), {8, 1, 1}},
                                   Vec3(tips.back().x(), 0.5 * kTip, tips.back().y()), 1);
        spike.body.kind = BodyKind::fixed;
        dry(spike);
        world.add(spike);
      }
    Object o = make_object(0, "cloth", {PrimitiveShape::plane, Vec3(0.8, 1, 0.8), {16, 1, 16}},
                           Vec3(0.01, kTip + 0.15, 0.02), BodyKind::flexible);
    o.analysis.kind = AnalysisKind::plane_grid;
    o.analysis.divisions = {8, 1, 8};
    o.analysis.size = Vec3(0.8, 0.1, 0.8);
    o.body.mass = 0.3;
    o.body.stiffness_source = StiffnessSource::given;
    o.body.stiffness = stiffness;
    o.body.damping = 0.02 * std::sqrt(stiffness);
    dry(o);
    cloth = world.add(o);
  }
};

std::vector<Vec3> seen(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  std::vector<Vec3> nodes(b.truss.nodes.size()), out(b.mesh->positions.size());
  std::vector<std::uint32_t> all(out.size());
  for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
  b.positions(run.state.bodies[body].values, nodes);
  b.mapping->map_points(nodes, b.pose(run.state.bodies[body].values), all, out);
  return out;
}

/// How far a tip is above the cloth there, m.
double pierced(const Run& run, std::size_t body, const Vec2& tip) {
  const std::vector<Vec3> x = seen(run, body);
  double most = 0;
  for (const auto& f : run.model->bodies[body].mesh->faces) {
    const Vec3 u = x[f[1]] - x[f[0]], v = x[f[2]] - x[f[0]];
    const double dx = tip.x() - x[f[0]].x(), dz = tip.y() - x[f[0]].z(), area = u.x() * v.z() - v.x() * u.z();
    if (std::abs(area) < 1e-12) continue;
    const double s = (dx * v.z() - v.x() * dz) / area, t = (u.x() * dz - dx * u.z()) / area;
    if (s >= 0 && t >= 0 && s + t <= 1) most = std::max(most, kTip - (x[f[0]].y() + s * u.y() + t * v.y()));
  }
  return most;
}

}  // namespace

TEST_CASE("A cloth lies on spikes for twenty seconds", "[contact][cloth][slow]") {
  for (const double stiffness : {300.0, 1e3, 5e3})
    for (const int substeps : {1, 2, 4}) {
      const Laid laid(stiffness, substeps);
      Run run(laid.world);
      const std::size_t body = run.index(laid.cloth);
      const double start = run.energy();
      double most = start, through = 0;
      for (int n = 0; n < 20 * 60 * substeps; ++n) {
        run.steps(1);
        most = std::max(most, run.energy());
        if (n % (5 * substeps) == 0)
          for (const Vec2& tip : laid.tips) through = std::max(through, pierced(run, body, tip));
      }
      CAPTURE(stiffness, substeps, through, run.velocity(laid.cloth).norm());
      CHECK(most <= start + 1e-12);
      CHECK(through < 6e-5);                          // 2.3e-5
      CHECK(run.velocity(laid.cloth).norm() < 1e-4);  // 0: asleep
      CHECK((run.at(laid.cloth).centre - Vec3(0.01, kTip, 0.02)).norm() < 5e-3);
    }
}

}  // namespace cloth_test
