// Random pairs of shapes thrown at each other: every primitive, stretched, turned, rigid or flexible, fast. Nothing passes, nothing
// gains energy, no run stops. What is inside is told by the winding number of the mesh, which the code under test does not know.
// A pair that fails is told by its seed; random_pair(seed) makes it again.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/sim/contact/nearest.h"
#include "core/sim/contact/surface_mesh.h"
#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"

namespace surface_random_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

constexpr std::uint64_t kFirstSeed = 41000;
const char* const kNames[] = {"box",     "sphere",         "cylinder",   "cone",          "torus",
                              "sheet",   "superellipsoid", "supertorus", "hyperboloid 1", "hyperboloid 2",
                              "capsule", "tube",           "wedge",      "rounded box"};

struct RandomPair {
  World world;
  Id thrown, other;
  std::string text;
};

/// `coarse`: most of them collide as simplified ones or their hulls.
RandomPair random_pair(std::uint64_t seed, bool coarse) {
  reference::Dice dice(seed);
  RandomPair pair;
  World& w = pair.world;
  const int substeps[] = {2, 4, 8};
  w.scene.settings.substeps = substeps[static_cast<int>(dice.uniform(0, 3))];
  const auto thing = [&](double low, double high, bool may_stand) {
    const int shape = static_cast<int>(dice.uniform(0, 14));
    const Vec3 size(dice.uniform(low, high), dice.uniform(low, high), dice.uniform(low, high));
    Object o = World::hard(kNames[shape], {static_cast<PrimitiveShape>(shape), size, {12, 6, 2}}, Vec3::Zero(),
                           std::pow(10, dice.uniform(-0.5, 0.7)));
    if (dice.uniform() < 0.5) o.contact.shape = ContactShape::surface;
    if (const double as = coarse ? dice.uniform() : 1; as < 0.8) {
      o.contact.shape = as < 0.4 ? ContactShape::hull : ContactShape::simplified;
      o.contact.triangles = static_cast<int>(dice.uniform(8, 80));
    }
    o.transform.scale = Vec3(dice.uniform(0.7, 1.3), dice.uniform(0.7, 1.3), dice.uniform(0.7, 1.3));
    o.transform.rotation = Quat(dice.attitude()).normalized();
    o.material.substance.restitution = dice.uniform();
    o.material.substance.friction = dice.uniform();
    const double kind = dice.uniform();
    if (may_stand && kind < 0.5) o.body.kind = BodyKind::fixed;
    const bool thin = o.display.primitive.shape == PrimitiveShape::plane;
    if (!thin && kind > 0.7) {
      o.body.kind = BodyKind::flexible;
      o.analysis.kind = dice.uniform() < 0.5 ? AnalysisKind::icosahedron : AnalysisKind::box_grid;
      o.analysis.size = size;
      o.body.stiffness = std::pow(10, dice.uniform(3, 5.5));
      o.body.damping = 0.02 * std::sqrt(o.body.stiffness * o.body.mass);
    }
    pair.text += std::string(" ") +
                 (o.body.kind == BodyKind::fixed      ? "fixed "
                  : o.body.kind == BodyKind::flexible ? "soft "
                                                      : "") +
                 kNames[shape] +
                 (o.contact.shape == ContactShape::surface      ? " as seen"
                  : o.contact.shape == ContactShape::hull       ? " as its hull"
                  : o.contact.shape == ContactShape::simplified ? " simplified"
                                                                : "");
    return o;
  };
  pair.text = "seed " + std::to_string(seed) + ": " + std::to_string(w.scene.settings.substeps) + " sub-steps,";
  Object other = thing(0.5, 1.2, true);
  pair.text += " hit by";
  Object thrown = thing(0.15, 0.5, false);
  Vec3 from = dice.vector().normalized();
  // A fixed sheet is a floor without end where nothing else is chosen: nothing begins below it.
  if (other.display.primitive.shape == PrimitiveShape::plane && other.body.kind == BodyKind::fixed &&
      other.contact.shape == ContactShape::automatic) {
    const Vec3 up = other.transform.rotation * Vec3::UnitY();
    from = (from + std::max(0.0, 0.5 - from.dot(up)) * up).normalized();
  }
  thrown.transform.position = 2.0 * from;
  const double speed = std::pow(10, dice.uniform(0.3, 1.6));
  thrown.body.velocity = speed * (-from + 0.12 * dice.vector()).normalized();
  thrown.body.spin = 4 * dice.vector();
  w.scene.settings.gravity = dice.uniform() < 0.5 ? Vec3(Vec3::Zero()) : Vec3(-9.8 * from);
  char text[64];
  std::snprintf(text, sizeof text, ", %.1f m/s", speed);
  pair.text += text;
  pair.other = w.add(other);
  pair.thrown = w.add(thrown);
  return pair;
}

/// Where the vertices of the display mesh are, world.
std::vector<Vec3> seen(const Run& run, std::size_t body) {
  const hazumi::Body& b = run.model->bodies[body];
  const std::span<const double> values = run.state.bodies[body].values;
  std::vector<Vec3> out(b.mesh->positions.size());
  if (b.mapping) {
    std::vector<Vec3> nodes(b.truss.nodes.size());
    std::vector<std::uint32_t> all(out.size());
    for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = k;
    b.positions(values, nodes);
    b.mapping->map_points(nodes, b.pose(values), all, out);
    return out;
  }
  const Pose pose = b.object_pose(b.pose(values));
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = pose * b.mesh->positions[k];
  return out;
}

double winding(const Vec3& p, const std::vector<Vec3>& x, const DisplayMesh& mesh) {
  double sum = 0;
  for (const auto& f : mesh.faces) {
    const Vec3 a = x[f[0]] - p, b = x[f[1]] - p, c = x[f[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return std::abs(sum) / (4 * kPi);
}

/// What it collides as, as far as it is a surface.
DisplayMesh mesh_that_collides(const hazumi::Body& body) {
  const SurfaceMesh* const surface = body.proxy.surface.get();
  if (!surface || (body.proxy.chosen != ContactShape::hull && body.proxy.chosen != ContactShape::simplified))
    return *body.mesh;
  DisplayMesh mesh;
  mesh.positions = body.mesh->positions;  // vertices of the surface are among them
  for (const auto& f : surface->faces)
    mesh.faces.push_back({surface->source[f[0]], surface->source[f[1]], surface->source[f[2]]});
  return mesh;
}

/// How deep the deepest vertex of one is in the other, m.
double depth(const Run& run, std::size_t of, std::size_t in) {
  const DisplayMesh mesh = mesh_that_collides(run.model->bodies[in]);
  if (!is_closed(mesh)) return 0;
  const DisplayMesh mine = mesh_that_collides(run.model->bodies[of]);
  const std::vector<Vec3> all = seen(run, of), x = seen(run, in);
  std::vector<Vec3> points;
  for (const auto& f : mine.faces)
    for (const std::uint32_t v : f) points.push_back(all[v]);
  Box3 box;
  for (const Vec3& p : x) box.add(p);
  double deepest = 0;
  for (const Vec3& p : points) {
    if (!box.holds(p) || winding(p, x, mesh) < 0.5) continue;
    double least = 1e300;
    for (const auto& f : mesh.faces)
      least = std::min(least, (nearest_on_triangle(p, x[f[0]], x[f[1]], x[f[2]]).place - p).norm());
    deepest = std::max(deepest, least);
  }
  return deepest;
}

void run_pairs(std::uint64_t first, int count, bool coarse = false) {
  int met_all = 0;
  for (int k = 0; k < count; ++k) {
    const RandomPair pair = random_pair(first + static_cast<std::uint64_t>(k), coarse);
    INFO(pair.text);
    Run run(pair.world);
    const double start = run.energy();
    double highest = start, deepest = 0, overdrawn = 0;
    std::string stopped;
    bool met = false;
    const int steps = static_cast<int>(0.7 / run.model->step);
    for (int s = 0; s < steps; ++s) {
      const StepReport report = hazumi::step(*run.model, run.state, run.workspace, run.executor);
      if (!report.ok) {
        stopped = to_string(*report.failure);
        break;
      }
      met = met || !report.touching.empty();
      overdrawn = std::min(overdrawn, report.figures.least_account);
      highest = std::max(highest, run.energy());
      if (s % 4 == 0 && met)
        deepest = std::max({deepest, depth(run, run.index(pair.thrown), run.index(pair.other)),
                            depth(run, run.index(pair.other), run.index(pair.thrown))});
    }
    met_all += met ? 1 : 0;
    const bool soft = pair.text.find("soft") != std::string::npos;
    CHECK(stopped.empty());
    CHECK(overdrawn >= 0);
    CHECK(highest - start < 1e-6 * (std::abs(start) + 1));
    CHECK(deepest < (soft ? 0.05 : 0.02));
  }
  CHECK(met_all > 0.6 * count);
}

}  // namespace

TEST_CASE("random pairs of shapes neither pass, nor gain, nor stop", "[surface_random]") { run_pairs(kFirstSeed, 30); }

TEST_CASE("random pairs of simplified shapes and hulls", "[surface_random][coarse_surface]") {
  run_pairs(kFirstSeed + 3000, 30, true);
}

TEST_CASE("200 random pairs of simplified shapes and hulls", "[surface_random][slow]") {
  run_pairs(kFirstSeed + 4000, 200, true);
}

TEST_CASE("200 random pairs of shapes", "[surface_random][slow]") { run_pairs(kFirstSeed + 1000, 200); }

namespace {

/// HAZUMI_SEED: the first; HAZUMI_COUNT: how many.
void run_long(int count, bool coarse) {
  const char *first = std::getenv("HAZUMI_SEED"), *wanted = std::getenv("HAZUMI_COUNT");
  run_pairs(first ? std::strtoull(first, nullptr, 10) : kFirstSeed + 10000, wanted ? std::atoi(wanted) : count, coarse);
}

}  // namespace

TEST_CASE("thousands of random pairs of shapes", "[.long]") { run_long(2000, false); }

TEST_CASE("thousands of random pairs of simplified shapes and hulls", "[.long]") { run_long(2000, true); }

}  // namespace surface_random_test
