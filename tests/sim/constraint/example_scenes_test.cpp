// Bodies with example poses in contact: a bar that lands goes into the example that it is pushed towards and one without hardly bends that way;
// whatever poses, stiffness, friction and restitution are, contacts never give energy.
#include <cstring>
#include <random>

#include "core/math/rotation.h"
#include "core/scene/derived/poses.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"
#include "tests/support/seen.h"

namespace example_scenes_test {

using namespace hazumi;
using namespace hazumi::test;

namespace {

Object bar(const Vec3& at) {
  const Vec3 size(0.4, 0.4, 1.6);
  Object o = World::box(size, at, 2);
  o.body.kind = BodyKind::flexible;
  o.body.solver = "shape_matching";
  o.analysis.kind = AnalysisKind::box_grid;
  o.analysis.size = size;
  o.analysis.divisions = {2, 2, 8};
  o.body.stiffness = 1e6;
  o.body.damping = 1e3;
  return o;
}

void teach(Object& o, const std::string& name, const std::function<Vec3(const Vec3&)>& place) {
  AnalysisPose pose;
  pose.name = name;
  for (const Vec3& x : analysis_truss(o.analysis).nodes) pose.nodes.push_back({place(x) - x});
  add_pose(o.analysis, std::move(pose));
}

constexpr double kTwist = 1.2;  // rad, from end to end
Vec3 twisted(const Vec3& x) { return Quat(Eigen::AngleAxisd(kTwist / 1.6 * x.z(), Vec3::UnitZ())) * x; }
Vec3 s_bent(const Vec3& x) { return x + Vec3(0, 0.5 * x.z() * x.z() * x.z(), 0); }

struct Seen {
  double twist = 0, bend = 0;            // rad; of the S, greatest
  std::vector<double> weights = {0, 0};  // greatest
  double last = 0;                       // weight in the end
  std::uint64_t hash = 0;
};

/// How much of the S there is in these places, whatever the motion of the whole: 1 in the pose itself, 0 in the model.
double share_of_s(const std::vector<Vec3>& rest, const std::vector<Vec3>& places) {
  const auto without_whole = [&](const std::vector<Vec3>& at) {
    const Transform whole = placed_on(rest, Vec3::Ones(), at);
    std::vector<Vec3> own;
    for (const Vec3& x : at) own.push_back(whole.rotation.conjugate() * (x - whole.position));
    return own;
  };
  std::vector<Vec3> bent;
  for (const Vec3& x : rest) bent.push_back(s_bent(x));
  const std::vector<Vec3> pose = without_whole(bent), now = without_whole(places);
  double along = 0, whole = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    along += (now[i] - rest[i]).dot(pose[i] - rest[i]);
    whole += (pose[i] - rest[i]).squaredNorm();
  }
  return along / whole;
}

/// From the first touch on for `seconds`.
Seen drop(Object o, double seconds) {
  World w;
  w.scene.settings.substeps = 16;
  w.floor(0.8, 0.1);
  const Id id = w.add(o);
  Run run(w);
  const std::size_t i = run.index(id);
  const std::vector<Vec3> rest = run.model->bodies[i].truss.nodes;
  Seen seen;
  int left = -1;
  for (int k = 0; k < 4000 && left != 0; ++k) {
    run.steps(1);
    if (left < 0 && !run.touching.empty()) left = static_cast<int>(seconds / run.model->step);
    if (left > 0) --left;
    std::vector<Vec3> x(rest.size());
    run.model->bodies[i].positions(run.state.bodies[i].values, x);
    const auto across = [&](double z, int axis) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t n = 0; n < x.size(); ++n)
        if (std::abs(rest[n].z() - z) < 1e-6) sum += rest[n][axis] / 0.2 * x[n];
      return sum;
    };
    const Vec3 a = across(-0.8, 0), c = across(0.8, 0);
    Vec3 far = Vec3::Zero();
    for (std::size_t n = 0; n < x.size(); ++n)
      far += (rest[n].z() > 0.79 ? 1.0 : rest[n].z() < -0.79 ? -1.0 : 0.0) * x[n];
    const Vec3 along = far.normalized(), p = a - a.dot(along) * along, q = c - c.dot(along) * along;
    seen.twist = std::max(seen.twist, std::abs(std::atan2(p.cross(q).dot(along), p.dot(q))));
    seen.bend = std::max(seen.bend, share_of_s(rest, x));
    std::vector<ExampleShare> all;
    run.model->bodies[i].examples(run.state.bodies[i].values, all);
    for (std::size_t e = 0; e < all.size(); ++e) {
      seen.weights[e] = std::max(seen.weights[e], all[e].weight);
      seen.last = all[e].weight;
    }
  }
  seen.hash = hash(run.state);
  return seen;
}

/// It falls fast and turns about its long axis; one of its lower corners comes down first, which holds that end.
Object thrown() {
  Object o = bar(Vec3(0, 1.1, 0));
  set_parameter(o.body.parameters, {"shape_matching", "ring", "", 2});
  o.transform.rotation = Quat(Eigen::AngleAxisd(0.35, Vec3::UnitX())) * Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  o.body.velocity = Vec3(0, -6, 0);
  o.body.spin = o.transform.rotation * Vec3(0, 0, 8);
  return o;
}

void run_random(int first, int count) {
  double worst = -1e300;
  for (int seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 source(static_cast<std::uint64_t>(seed) * 7919);
    const auto in = [&](double low, double high) {
      return low + (high - low) * 0x1p-53 * static_cast<double>(source() >> 11);
    };
    World w;
    w.scene.settings.substeps = 1 + static_cast<int>(in(0, 6));
    const double friction = in(0, 1), bounce = in(0, 1);
    w.floor(friction, bounce);
    std::vector<Id> ids;
    for (int b = 0; b < 2; ++b) {
      const double size = in(0.3, 0.8);
      Object o = World::box(Vec3::Constant(size), Vec3(0.1 * b, 0.9 + 1.1 * b, 0), std::pow(10, in(-1, 1)));
      o.body.kind = BodyKind::flexible;
      o.body.solver = "shape_matching";
      o.analysis.kind = in(0, 1) < 0.3 ? AnalysisKind::icosahedron : AnalysisKind::box_grid;
      o.analysis.size = Vec3::Constant(size);
      o.analysis.divisions = o.analysis.kind == AnalysisKind::icosahedron ? std::array{1, 1, 1} : std::array{2, 2, 2};
      o.body.stiffness = std::pow(10, in(1, 7));
      o.body.damping = in(0, 1) < 0.5 ? 0 : 1e-3 * o.body.stiffness;
      o.material.substance.restitution = in(0, 1);
      const double x = in(-2, 2), y = in(-2, 2), z = in(-2, 2);
      o.body.velocity = Vec3(x, y, z);
      const double spin_x = in(-4, 4), spin_y = in(-4, 4);
      o.body.spin = Vec3(spin_x, spin_y, 0);
      for (int p = static_cast<int>(in(0, 4)); p > 0; --p) {
        Mat3 map = Mat3::Identity();
        for (int c = 0; c < 9; ++c) map(c / 3, c % 3) += in(-0.5, 0.5);
        const double bend = in(-0.6, 0.6) / size;
        teach(o, "Pose", [&](const Vec3& at) { return Vec3(map * at + Vec3(0, bend * at.x() * at.z(), 0)); });
      }
      if (in(0, 1) < 0.4)
        for (std::uint32_t n = 0; n < 12; n += 2) o.analysis.pose_groups.push_back({n, 1});
      if (in(0, 1) < 0.2) set_parameter(o.body.parameters, {"shape_matching", "each", "", 1});
      ids.push_back(w.add(o));
    }
    Run run(w);
    const double start = run.energy();
    double gifts = 0, highest = start, now = start, unbooked = 0, lowest = 0;
    for (int k = 0; k < static_cast<int>(1.5 / run.model->step); ++k) {
      const StepReport report = run.step();  // fails where an account is overdrawn
      REQUIRE(report.ok);
      if (k == 0)
        for (const PairMemory& pair : run.state.pairs) gifts += pair.given;
      const double before = now;
      now = run.energy();
      highest = std::max(highest, now);
      if (report.figures.turns == 0 && report.figures.held == 0)
        unbooked =
            std::max(unbooked, (now - before - report.figures.work - report.figures.projected) / (1 + std::abs(start)));
    }
    const double gain = (highest - start - gifts) / std::abs(start);
    worst = std::max(worst, gain);
    CAPTURE(gain, unbooked);
    CHECK(gain < 1e-6);
    CHECK(unbooked < 1e-9);
    // Of the softest, nodes inside hang through; nobody sees them.
    for (const Id id : ids)
      for (const Vec3& p : seen(run, id)) lowest = std::min(lowest, p.y());
    CHECK(lowest > -1e-3);  // measured -4.2e-5
  }
  CAPTURE(worst);
}

}  // namespace

TEST_CASE("A bar with a twisted example twists when it lands, and without one hardly", "[constraint][examples][slow]") {
  const Seen plain = drop(thrown(), 0.3);
  Object taught = thrown();
  teach(taught, "Twist", twisted);
  teach(taught, "S", s_bent);
  const Seen with = drop(taught, 0.3), again = drop(taught, 0.3);
  CAPTURE(plain.twist, with.twist, with.weights[0], with.weights[1]);
  CHECK(with.twist > 0.6 * kTwist);          // 0.75
  CHECK(with.weights[0] > 0.6);              // 0.75
  CHECK(with.weights[0] > with.weights[1]);  // 0.24
  CHECK(plain.twist < 0.05 * kTwist);        // 0.017
  CHECK(with.hash == again.hash);
  // Left alone it is what it was.
  const Seen later = drop(taught, 3);
  CHECK(later.last < 0.02);
}

TEST_CASE("A bar with an S among its examples bends to it when it lands on an end, and without one hardly",
          "[constraint][examples][slow]") {
  Object plain = bar(Vec3(0, 1.3, 0));
  set_parameter(plain.body.parameters, {"shape_matching", "ring", "", 2});
  plain.transform.rotation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
  plain.body.velocity = Vec3(0, -10, 0);
  Object taught = plain;
  teach(taught, "Twist", twisted);
  teach(taught, "S", s_bent);
  const Seen without = drop(plain, 0.3), with = drop(taught, 0.3);
  CAPTURE(without.bend, with.bend, with.weights[0], with.weights[1]);
  CHECK(with.bend > 0.6);                    // 0.746
  CHECK(with.weights[1] > 0.6);              // 0.75
  CHECK(with.weights[1] > with.weights[0]);  // 0.05
  CHECK(without.bend < 0.05);                // 0.015
  // Left alone it is what it was.
  CHECK(drop(taught, 3).last < 0.02);
}

TEST_CASE("Bodies with random poses gain nothing from contacts", "[constraint][examples]") {
  run_random(1, test::rounds(20, 6));
}

TEST_CASE("200 bodies with random poses", "[constraint][examples][slow]") { run_random(1001, 100); }  // two each

}  // namespace example_scenes_test
