// Cloths from meshes with the solver "springs": bending, weight and catenary as the grid's tests have them, a balloon of any closed
// mesh, energy and momenta, and falls on things.
#include <catch2/catch.hpp>

#include <numeric>

#include "core/geometry/mesh/primitives.h"
#include "core/geometry/truss/cloth_mesh.h"
#include "core/geometry/truss/sheet.h"
#include "core/sim/body/flexible.h"
#include "tests/sim/contact/falling_support.h"
#include "tests/sim/elastic/hanging_support.h"
#include "tests/support/run.h"
#include "tests/support/sheet_shapes.h"

namespace cloth_mesh_body_test {

using namespace hazumi;
using namespace hazumi::test;
namespace et = hazumi::elastic_test;
using et::kDown;
using et::rest_of;
using et::springs_body;

namespace {

Truss truss_of(const StrungTruss& made, double mass, double k, double bending, double damping) {
  Truss truss = to_truss(made);
  for (double& m : truss.masses) m *= mass;
  for (Spring& s : truss.springs) {
    s.damping *= damping * k;
    s.stiffness *= k;
  }
  truss.bends = sheet_bends(truss.nodes, truss.hull, bending);
  return truss;
}

StrungTruss cloth_of(const DisplayMesh& mesh, int nodes) {
  auto made = cloth_of_mesh(mesh, {.nodes = nodes});
  REQUIRE(made.ok());
  return std::move(made).value();
}

void pin(Truss& truss, double low, double high) {
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].x() > low && truss.nodes[i].x() < high) truss.pinned.push_back(i);
}

Object cloth_object(const DisplayMesh& mesh, const StrungTruss& truss, double mass, double k, double damping) {
  Object o;
  o.name = "cloth";
  o.display.kind = DisplayKind::mesh;
  o.display.mesh.mesh = std::make_shared<const DisplayMesh>(mesh);
  o.display.mesh.content = mesh_hash(mesh);
  o.body.kind = BodyKind::flexible;
  o.body.solver = "springs";
  o.body.mass_source = MassSource::given;
  o.body.stiffness_source = StiffnessSource::given;
  o.body.mass = mass;
  o.body.stiffness = k;
  o.body.damping = damping;
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(truss);
  o.material.substance.restitution = 0;
  o.material.substance.friction = 0.5;
  return o;
}

struct Fall {
  double gain = 0, below = 0;
};

/// A sheet, a sheet with holes, a skirt or a ball, of irregular triangles, on the floor and on a thing or two.
World scene(std::uint64_t seed) {
  SheetDraw in{std::mt19937_64(seed)};
  World world;
  const int substeps[] = {1, 1, 2};
  world.scene.settings.substeps = substeps[in.count(0, 2)];
  world.floor(in(0, 1), 0);
  for (int k = in.count(0, 2); k > 0; --k) {
    const Vec3 at(in(-0.3, 0.3), in(0.1, 0.25), in(-0.3, 0.3));
    Object thing = in(0, 1) < 0.5 ? World::sphere(in(0.1, 0.25), at)
                                  : World::box(Vec3(in(0.1, 0.5), in(0.1, 0.5), in(0.1, 0.5)), at);
    thing.body.kind = BodyKind::fixed;
    thing.material.substance.restitution = 0;
    world.add(thing);
  }
  const int shape = in.count(0, 3);
  DisplayMesh mesh;
  if (shape == 3) {
    mesh = make_primitive({PrimitiveShape::sphere, Vec3(in(0.3, 0.8), in(0.3, 0.8), in(0.3, 0.8)), {10, 6, 1}});
  } else {
    const int columns = in.count(3, 7);
    mesh = irregular_sheet(in(0.3, 0.8), in(0.3, 0.8), columns, in.count(2, 6), in(0, 0.4), in);
    if (shape == 1) keep_faces(mesh, [](const Vec3& p) { return p.norm() > 0.1; });
    if (shape == 2) mesh = rolled(std::move(mesh), columns, in(0.1, 0.3), in(0.1, 0.5), in(0.3, 0.6));
  }
  const double k = std::pow(10, in(1, 4));
  Object o =
      cloth_object(mesh, cloth_of(mesh, in.count(12, 30)), std::pow(10, in(-2, 0)), k, k * std::pow(10, in(-4, -2)));
  o.analysis.bending = in(0, 1) < 0.2 ? 0 : std::pow(10, in(-6, -2));
  o.contact.self_collision = in(0, 1) < 0.5;
  o.contact.thickness = in(0, 1) < 0.5 ? 0 : in(0, 0.01);
  if (shape == 3 && in(0, 1) < 0.5) o.body.volume.of = VolumeOf::surface;
  o.transform.position = Vec3(in(-0.1, 0.1), in(1.1, 1.2), in(-0.1, 0.1));
  o.transform.rotation = Quat(in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)).normalized();
  o.body.velocity = Vec3(in(-2, 2), in(-4, -1), in(-2, 2));
  o.body.spin = Vec3(in(-3, 3), in(-3, 3), in(-3, 3));
  world.add(o);
  return world;
}

void drop(std::uint64_t first, int count, double seconds) {
  Fall worst;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    CAPTURE(seed);
    Run run(scene(seed));
    Fall seen;
    seen.gain = watch_gain(run, seconds);
    for (std::size_t k = 0; k < run.model->bodies.size(); ++k) {
      const hazumi::Body& b = run.model->bodies[k];
      if (!b.deforms) continue;
      std::vector<Vec3> x(b.truss.nodes.size());
      b.positions(run.state.bodies[k].values, x);
      // What is seen is solid; of a simplified mesh nodes are not where its vertices are.
      std::vector<std::uint32_t> all(b.mapping->vertex_count());
      std::iota(all.begin(), all.end(), 0u);
      std::vector<Vec3> points(all.size());
      b.mapping->map_points(x, flexible(b).elastic->frame(run.state.bodies[k].values), all, points);
      for (const Vec3& p : points) {
        REQUIRE(p.allFinite());
        seen.below = std::max(seen.below, -p.y());
      }
    }
    CAPTURE(seen.gain, seen.below, run.model->step);
    CHECK(seen.gain < 1e-9);
    CHECK(seen.below < 0.02);
    worst.gain = std::max(worst.gain, seen.gain);
    worst.below = std::max(worst.below, seen.below);
  }
  WARN(count << " cloths from meshes: gain " << worst.gain << ", below the floor " << worst.below << " m");
}

}  // namespace

TEST_CASE("A clamped strip of irregular triangles bends under its weight as a beam does, the finer the nearer",
          "[cloth]") {
  const double length = 0.3, width = 0.06, mass = 0.004, bending = 0.3;
  const double load = mass / (length * width) * 9.80665, tip = load * std::pow(length, 4) / (8 * bending);
  REQUIRE(tip < 0.05 * length);  // of small bending
  double last = 1;
  for (const int columns : {8, 16, 32}) {
    SheetDraw in{std::mt19937_64(static_cast<std::uint64_t>(columns))};
    // Nodes of the first column and the one before the strip begins are held.
    const double square = length / columns, all = length + square;
    const DisplayMesh mesh = irregular_sheet(all, width, columns + 1, std::max(2, columns / 5), 0.25, in);
    Truss truss = truss_of(cloth_of(mesh, 1000), mass * all / length, 1e4, bending, 1e-3);
    // The clamp is at the mean of the last nodes that are held and the first that are free.
    pin(truss, -1, -0.5 * all + 1.4 * square);
    et::Body body = springs_body(setup_of_truss(truss, 0.01));
    double lowest = 0;
    for (const Vec3& x : rest_of(body, kDown, 2e-7)) lowest = std::min(lowest, x.y());
    const double free = length + 0.5 * square, expected = load * std::pow(free, 4) / (8 * bending);
    const double off = std::abs(-lowest / expected - 1);
    CAPTURE(columns, -lowest / expected);  // 0.883, 0.930, 0.972
    CHECK(off < last);
    last = off;
  }
  CHECK(last < 0.05);
}

TEST_CASE("A cloth of irregular triangles hangs as long as its stiffness says, the finer the nearer", "[cloth]") {
  const double length = 1, width = 0.5, mass = 0.4, k = 200;
  double last = 1;
  for (const int nodes : {60, 150, 300}) {
    SheetDraw in{std::mt19937_64(static_cast<std::uint64_t>(nodes))};
    Truss truss = truss_of(cloth_of(irregular_sheet(length, width, 80, 40, 0.3, in), nodes), mass, k, 0, 1e-3);
    pin(truss, -1, -0.5 * length + 1e-3);
    et::Body body = springs_body(setup_of_truss(truss, 0.02));
    double sum = 0, count = 0;
    const std::vector<Vec3> x = rest_of(body, Vec3(9.80665, 0, 0), 1e-8);
    for (std::size_t i = 0; i < x.size(); ++i)
      if (truss.nodes[i].x() > 0.5 * length - 1e-3) sum += x[i].x(), ++count;
    const double longer = sum / count - 0.5 * length, expected = mass * 9.80665 / width * length / (2 * k);
    const double off = std::abs(longer / expected - 1);  // 0.17, 0.10, 0.07
    CAPTURE(nodes, longer, expected, off);
    CHECK(off < last);
    last = off;
  }
  CHECK(last < 0.1);
}

TEST_CASE("A strip of irregular triangles between two ends hangs in a catenary", "[cloth]") {
  const double length = 1, span = 0.8;
  SheetDraw in{std::mt19937_64(5)};
  Truss truss = truss_of(cloth_of(irregular_sheet(length, 0.1, 40, 2, 0.25, in), 1000), 0.05, 2e3, 0, 1e-3);
  pin(truss, -1, -0.5 * length + 1e-6);
  pin(truss, 0.5 * length - 1e-6, 1);
  for (Vec3& x : truss.nodes) x.x() *= span / length;
  ElasticSetup setup = setup_of_truss(truss, 0.02);
  for (const Vec3& x : truss.nodes) setup.rest_offset.emplace_back(x.x() * (length / span - 1), 0, 0);
  et::Body body = springs_body(setup);
  std::vector<Vec3> sag;
  for (const Vec3& x : truss.nodes)
    sag.emplace_back(0, 0.25 * (x.x() * x.x() - 0.25 * span * span) / (0.25 * span * span), 0);
  body.solver->displace(body.state, sag);
  const std::vector<Vec3> x = rest_of(body, kDown, 1e-8);
  double low = 0.05, high = 10;  // 2 a sinh(span / 2a) = length
  for (int n = 0; n < 100; ++n) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(span / (2 * a)) > length ? low : high) = a;
  }
  double off = 0;
  for (const Vec3& p : x)
    off = std::max(off, std::abs(p.y() - low * (std::cosh(p.x() / low) - std::cosh(span / (2 * low)))));
  CAPTURE(off);
  CHECK(off < 5e-3);  // 3.1e-3: triangles that are not in rows hold against bends a little
}

TEST_CASE("A cloth from a mesh that nothing touches keeps energy and momenta", "[cloth]") {
  double energy = 0, linear = 0, angular = 0;
  for (std::uint64_t seed = 20281; seed < 20293; ++seed) {
    CAPTURE(seed);
    SheetDraw in{std::mt19937_64(seed)};
    const int columns = in.count(3, 8);
    DisplayMesh mesh = irregular_sheet(in(0.3, 1), in(0.3, 1), columns, in.count(2, 7), in(0, 0.4), in);
    if (seed % 2) mesh = rolled(std::move(mesh), columns, in(0.1, 0.3), in(0.1, 0.4), in(0.2, 0.6));
    Truss truss = truss_of(cloth_of(mesh, 200), 0.2, std::pow(10, in(1, 5)), std::pow(10, in(-6, 0)), 0);
    et::Body body = springs_body(setup_of_truss(truss, 1.0 / 240));
    body.start(Vec3(in(-1, 1), 0, 1), Vec3(in(-4, 4), in(-4, 4), 0));
    body.solver->apply_impulses(body.state, et::kicks(truss.nodes.size(), 1e-3));
    const double before = body.energy();
    const et::Momenta begun = et::momenta(body, truss.masses);
    for (int n = 0; n < 120; ++n) REQUIRE(body.step());
    const et::Momenta ended = et::momenta(body, truss.masses);
    energy = std::max(energy, std::abs(body.energy() / before - 1));
    linear = std::max(linear, (ended.linear - begun.linear).norm() / begun.scale);
    angular = std::max(angular, (ended.angular - begun.angular).norm() / begun.angular_scale);
  }
  CAPTURE(energy, linear, angular);
  CHECK(energy < 1e-10);
  CHECK(linear < 1e-12);
  CHECK(angular < 1e-11);
}

TEST_CASE("The pressure in a balloon from any closed mesh is twice its tension over its radius", "[cloth][volume]") {
  const DisplayMesh mesh = make_primitive({PrimitiveShape::sphere, Vec3::Constant(0.6), {48, 24, 1}});
  Object o = cloth_object(mesh, cloth_of(mesh, 160), 0.05, 300, 0.2);
  o.analysis.bending = 0;
  o.body.volume.of = VolumeOf::surface;
  o.body.volume.size = 1.5;
  o.body.gravity = false;
  World world;
  const Id id = world.add(o);
  Run run(world);
  run.seconds(2);
  const FlexibleBody& body = flexible(run.model->bodies[run.index(id)]);
  const std::vector<double>& state = run.state.bodies[run.index(id)].values;
  std::vector<Vec3> x(body.truss.nodes.size());
  body.positions(state, x);
  double stretch = 0;  // Σ k (l − L) l = 2 A T, and p = 2 T / R with R = 3 V / A
  for (const Spring& s : body.truss.springs) {
    const double l = (x[s.b] - x[s.a]).norm();
    stretch += s.stiffness * (l - (body.truss.nodes[s.b] - body.truss.nodes[s.a]).norm()) * l;
  }
  const KeptVolumeReading reading = body.kept->reading(state);
  CHECK(reading.volume == Approx(1.5 * body.kept->rest_volume()).epsilon(1e-6));
  CHECK(reading.pressure == Approx(stretch / (3 * reading.volume)).epsilon(0.01));
  // E h = k, ν = 1/3: a sphere stretched by s has the tension (s − 1) k / (1 − ν) of what it was.
  const double s = std::cbrt(1.5), tension = 300 * (s - 1) / (1 - 1.0 / 3), radius = 0.3 * s;
  CHECK(reading.pressure == Approx(2 * tension / radius).epsilon(0.15));  // 0.92
}

TEST_CASE("Bends of a cloth from a mesh follow the object's scale", "[cloth]") {
  SheetDraw in{std::mt19937_64(9)};
  const DisplayMesh mesh = irregular_sheet(1, 0.7, 6, 5, 0.3, in);
  const StrungTruss made = cloth_of(mesh, 200);
  Object o = cloth_object(mesh, made, 0.7, 90, 0.1);
  o.analysis.bending = 1e-3;
  const Truss own = object_truss(o, {});
  o.transform.scale = Vec3::Constant(2);
  const Truss scaled = object_truss(o, {});
  REQUIRE(own.bends.size() == scaled.bends.size());
  REQUIRE(!own.bends.empty());
  for (std::size_t i = 0; i < own.bends.size(); ++i)  // D / u²
    CHECK(scaled.bends[i].stiffness == Approx(0.25 * own.bends[i].stiffness).epsilon(1e-9));
  for (std::size_t i = 0; i < own.springs.size(); ++i)
    CHECK(scaled.springs[i].stiffness == Approx(own.springs[i].stiffness).epsilon(1e-12));
  o.analysis.bending = 0;
  CHECK(object_truss(o, {}).bends.empty());
}

TEST_CASE("200 cloths from random meshes fall on things, gain nothing and stay above the floor",
          "[cloth][contact][slow]") {
  drop(20281301, 200, 0.7);
}

TEST_CASE("The same for many more cloths from meshes", "[.long][cloth]") { drop(20291301, 2000, 1.2); }

}  // namespace cloth_mesh_body_test
