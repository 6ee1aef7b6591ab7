// The same look at other sub-steps and divisions: a bar of a material, clamped at one end, sags and swings by the same (docs/elastic-bars.md).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "core/sim/elastic/setup.h"
#include "tests/sim/elastic_support.h"
#include "tests/support/sanitized.h"
#include "tests/support/world.h"

namespace same_look_test {

using namespace hazumi;
using ElasticBody = elastic_test::Body;

namespace {

const Vec3 kGravity(0, -9.80665, 0);
const Vec3 kSize(1, 0.2, 0.2);

struct Bar {
  std::array<int, 3> divisions = {10, 2, 2};
  int substeps = 4;
  double young = 2e6;
  double damping = 0.02;  ///< s: of the springs, over their stiffness
  bool section = true;  ///< the springs' cross-section goes with the square of their length, as a person has to set it
};

struct Seen {
  double rest = 0;   ///< m, how far the tip hangs in the end
  double first = 0;  ///< m, how far it goes at first
  double when = 0;   ///< s
};

/// Of a person's object: its springs follow from its material.
Seen hang(const ElasticSolverInfo& info, const Bar& bar, double seconds) {
  Object o = test::World::box(kSize, Vec3::Zero(), 40);
  o.body.kind = BodyKind::flexible;
  o.body.solver = info.name;
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = kSize;
  o.analysis.divisions = bar.divisions;
  o.body.stiffness_source = StiffnessSource::material;
  o.material.substance.young = bar.young;
  o.material.substance.poisson = 0;
  const double edge = kSize.y() / bar.divisions[1];
  o.body.cross_section = bar.section ? 0.3 * edge * edge : 0.3 * 0.01;
  const DisplayMesh mesh = make_primitive(o.display.primitive);
  Truss truss = object_truss(o, mesh);
  for (Spring& s : truss.springs) s.damping = bar.damping * s.stiffness;
  const double h = 1.0 / (60 * bar.substeps);
  auto read = setup_of_object(info, o, truss, h);
  REQUIRE(read.ok());
  ElasticSetup setup = std::move(read).value();
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i)
    if (truss.nodes[i].x() < -0.499 * kSize.x()) setup.pinned.push_back(i);
  auto made = info.make(setup);
  REQUIRE(made.ok());
  ElasticBody b(std::move(made).value());
  b.start(Vec3::Zero(), Vec3::Zero());
  const auto tip = [&] {
    double sum = 0, count = 0;
    const auto x = b.positions();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (truss.nodes[i].x() > 0.499 * kSize.x()) {
        sum += truss.nodes[i].y() - x[i].y();
        ++count;
      }
    return sum / count;
  };
  Seen seen;
  bool falling = true;
  for (int n = 1; n <= static_cast<int>(seconds / h); ++n) {
    REQUIRE(b.step(kGravity));
    const double now = tip();
    if (falling && now < seen.first) falling = false;
    if (falling && now > seen.first) {
      seen.first = now;
      seen.when = n * h;
    }
    seen.rest = now;
  }
  return seen;
}

/// `all`: also what is no bar, for the figures of the docs.
void compare_bars(bool all) {
  REQUIRE(elastic_solvers().size() == 5);
  if (test::sanitized()) return;  // its steps are those of other tests, and there are 600,000
  for (const ElasticSolverInfo* info : elastic_solvers()) {
    INFO("solver " << info->name);
    const std::string name(info->name);
    const Seen usual = hang(*info, {}, 5);
    std::printf("%s: rest %.4f m, first %.4f m at %.3f s\n", name.c_str(), usual.rest, usual.first, usual.when);
    const auto beside = [&](const char* what, const Seen& other) {
      std::printf("  %s: rest %+.1f %%, first %+.1f %%, when %+.1f %%\n", what, 100 * (other.rest / usual.rest - 1),
                  100 * (other.first / usual.first - 1), 100 * (other.when / usual.when - 1));
    };
    for (const int substeps : {1, 2, 8}) {
      if (name == "shape_matching" && !all)
        continue;  // as soft as its sub-steps are long (docs/numerics/shape-matching.md)
      const Seen other = hang(*info, {.substeps = substeps}, 5);
      beside((std::to_string(substeps) + " sub-steps").c_str(), other);
      CAPTURE(substeps, other.rest, usual.rest, other.first, usual.first);
      if (name == "shape_matching") continue;
      CHECK(other.rest == Approx(usual.rest).epsilon(0.05));
      CHECK(other.first == Approx(usual.first).epsilon(0.05));
    }
    if (name != "fem" && !all) continue;  // springs and cells are no material (docs/elastic-bars.md)
    for (const std::array<int, 3> divisions : {std::array{5, 1, 1}, std::array{20, 4, 4}}) {
      const Seen other = hang(*info, {.divisions = divisions}, 5);
      beside((std::to_string(divisions[0]) + " divisions").c_str(), other);
      if (all)
        beside("  the same without the cross-section set", hang(*info, {.divisions = divisions, .section = false}, 5));
      CAPTURE(divisions[0], other.rest, usual.rest, other.first, usual.first);
      if (name != "fem") continue;
      CHECK(other.rest == Approx(usual.rest).epsilon(0.10));
      CHECK(other.first == Approx(usual.first).epsilon(0.10));
    }
  }
}

}  // namespace

TEST_CASE("A clamped bar of a material sags by the same at other sub-steps and divisions", "[elastic][bars][slow]") {
  compare_bars(false);
}

TEST_CASE("The same of every solver, as printed", "[.long]") { compare_bars(true); }

}  // namespace same_look_test
