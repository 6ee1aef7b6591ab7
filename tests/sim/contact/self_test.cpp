// What bends and touches itself: ropes that fall, close and pile up on themselves. An edge of theirs never
// goes through a face of theirs, and energy never grows. Which edges go through which faces is told by a search of all of them.
#include <cmath>
#include <cstdlib>

#include "tests/sim/reference/dense.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace self_test {

using namespace hazumi;
using namespace hazumi::test;
using reference::Dice;

namespace {

using Face = std::array<std::uint32_t, 3>;

/// A rope of square sections along a path, strung as a body without a skin.
Object rope(const std::vector<Vec3>& path, double radius) {
  StrungTruss truss;
  Vec3 side = (path[1] - path[0]).unitOrthogonal();
  for (std::size_t k = 0; k < path.size(); ++k) {
    const Vec3 along = (path[std::min(k + 1, path.size() - 1)] - path[k == 0 ? 0 : k - 1]).normalized();
    side = (side - along * along.dot(side)).normalized();
    const Vec3 up = along.cross(side);
    for (const auto& [x, y] : {std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1), std::pair(1, -1)})
      truss.nodes.push_back({path[k] + radius * (x * side + y * up), 1, false});
  }
  const auto sections = static_cast<std::uint32_t>(path.size());
  for (std::uint32_t k = 0; k < sections; ++k)
    for (std::uint32_t a = 0; a < 4; ++a) {
      for (std::uint32_t b = a + 1; b < 4; ++b) truss.springs.push_back({4 * k + a, 4 * k + b});
      for (std::uint32_t b = 0; k + 1 < sections && b < 4; ++b) truss.springs.push_back({4 * k + a, 4 * k + 4 + b});
    }
  std::sort(truss.springs.begin(), truss.springs.end(),
            [](const StrungSpring& x, const StrungSpring& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    truss.hull.push_back({a, b, c});
    truss.hull.push_back({a, c, d});
  };
  for (std::uint32_t k = 0; k + 1 < sections; ++k)
    for (std::uint32_t a = 0; a < 4; ++a) {
      const std::uint32_t b = (a + 1) % 4;
      quad(4 * k + a, 4 * k + b, 4 * k + 4 + b, 4 * k + 4 + a);
    }
  const std::uint32_t last = 4 * (sections - 1);
  quad(3, 2, 1, 0);
  quad(last, last + 1, last + 2, last + 3);
  Object o = make_object(0, "rope", {}, Vec3::Zero(), BodyKind::flexible);
  o.display.kind = DisplayKind::none;
  o.analysis.kind = AnalysisKind::strung;
  o.analysis.strung = std::make_shared<const StrungTruss>(std::move(truss));
  o.contact.self_collision = true;
  return o;
}

std::vector<Vec3> helix(double radius, double pitch, double turns, int sections) {
  std::vector<Vec3> path;
  for (int k = 0; k < sections; ++k) {
    const double t = turns * k / (sections - 1);
    path.emplace_back(radius * std::cos(2 * kPi * t), pitch * t, radius * std::sin(2 * kPi * t));
  }
  return path;
}

std::vector<Vec3> nodes_of(const Run& run, Id id) {
  const hazumi::Body& b = run.model->bodies[run.index(id)];
  std::vector<Vec3> x(b.truss.nodes.size());
  b.positions(run.state.bodies[run.index(id)].values, x);
  return x;
}

/// How many edges go through faces that have no corner of theirs, and how far: the way along the edge to its nearer end, m.
struct Pierced {
  int count = 0;
  double deepest = 0;
};

Pierced pierced(const std::vector<Vec3>& x, const std::vector<Face>& faces) {
  Pierced found;
  for (const Face& f : faces)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = f[k], b = f[(k + 1) % 3];
      if (a > b) continue;  // the other face has it
      const Vec3 low = x[a].cwiseMin(x[b]), high = x[a].cwiseMax(x[b]), way = x[b] - x[a];
      for (const Face& g : faces) {
        if (std::any_of(g.begin(), g.end(), [&](std::uint32_t v) { return v == a || v == b; })) continue;
        const Vec3 &p = x[g[0]], &q = x[g[1]], &r = x[g[2]];
        if ((p.cwiseMin(q).cwiseMin(r).array() > high.array()).any()) continue;
        if ((p.cwiseMax(q).cwiseMax(r).array() < low.array()).any()) continue;
        Mat3 m;
        m << q - p, r - p, -way;
        const double volume = m.determinant();
        if (std::abs(volume) < 1e-12 * way.squaredNorm() * (q - p).norm()) continue;
        const Vec3 w = m.inverse() * (x[a] - p);  // weights of q and r, place on the edge
        if (w.minCoeff() < 1e-6 || w.x() + w.y() > 1 - 1e-6 || w.z() > 1 - 1e-6) continue;
        ++found.count;
        // Either an end of the edge came through the face or a side of the face past the edge.
        const double across =
            std::min({w.x(), w.y(), 1 - w.x() - w.y()}) * (q - p).cross(r - p).norm() / (r - p).norm();
        const double through = std::min(w.z(), 1 - w.z()) * std::abs((q - p).cross(r - p).normalized().dot(way));
        found.deepest = std::max(found.deepest, std::min(across, through));
      }
    }
  return found;
}

struct Watched {
  double most = 0;     ///< J above the start
  double deepest = 0;  ///< m
  int pierced = 0;     ///< sub-steps in which something goes deeper than allowed
  int touched = 0;     ///< sub-steps with a row of the body on itself
};

Watched watch(Run& run, Id id, double seconds, double allowed) {
  Watched seen;
  const auto& faces = run.model->bodies[run.index(id)].truss.hull;
  const double start = run.energy();
  const auto self = static_cast<std::uint32_t>(run.index(id));
  const int steps = static_cast<int>(seconds / run.model->step);
  for (int n = 0; n < steps; ++n) {
    run.steps(1);
    seen.most = std::max(seen.most, run.energy() - start);
    seen.touched += std::any_of(run.state.rows.begin(), run.state.rows.end(), [&](const RowMemory& row) {
      return row.key.bodies == bodies_key(self, self) && row.impulse != Vec3::Zero();
    });
    if (n % 4 != 0) continue;
    const Pierced now = pierced(nodes_of(run, id), faces);
    seen.deepest = std::max(seen.deepest, now.deepest);
    seen.pierced += now.deepest > allowed;
  }
  return seen;
}

}  // namespace

TEST_CASE("A soft helix falls and its turns come to lie on each other", "[contact][self][slow]") {
  const double radius = 0.03;
  for (const bool self : {false, true}) {
    World w;
    w.floor(0.5, 0.2);
    Object o = rope(helix(0.3, 0.16, 3, 60), radius);
    o.transform.position = Vec3(0, 0.2, 0);
    o.body.mass = 1;
    o.body.stiffness = 2000;
    o.body.damping = 1;
    o.material.substance.restitution = 0.2;
    o.contact.self_collision = self;
    const Id id = w.add(o);
    Run run(w);
    const Watched seen = watch(run, id, 3, 0.1 * radius);
    CAPTURE(self, seen.most, seen.deepest, seen.pierced, seen.touched);
    CHECK(seen.most <= 1e-6);
    CHECK((seen.touched > 0) == self);
    CHECK((seen.pierced > 0) == !self);
  }
}

TEST_CASE("Ropes of random shape fall on themselves", "[contact][self][slow]") {
  const char* first = std::getenv("HAZUMI_SEED");
  const char* count = std::getenv("HAZUMI_COUNT");
  const std::uint64_t from = first ? std::strtoull(first, nullptr, 10) : 4100;
  const int most = count ? std::atoi(count) : rounds(30, 4);
  int touching = 0;
  for (int n = 0; n < most; ++n) {
    const std::uint64_t seed = from + static_cast<std::uint64_t>(n);
    Dice dice(seed);
    World w;
    w.scene.settings.substeps = std::array{1, 2, 4, 8}[static_cast<std::size_t>(dice.uniform(0, 3.999))];
    w.floor(dice.uniform(0, 1), dice.uniform(0, 1));
    const double radius = dice.uniform(0.02, 0.05), turns = dice.uniform(0.6, 3.5);
    Object o = rope(
        helix(dice.uniform(3, 8) * radius, dice.uniform(2.6, 5) * radius, turns, static_cast<int>(10 + 12 * turns)),
        radius);
    o.body.mass = std::pow(10, dice.uniform(-1, 1));
    o.body.stiffness = o.body.mass * std::pow(10, dice.uniform(3.5, 5));
    o.body.damping = dice.uniform(0, 1) < 0.3 ? 0 : dice.uniform(1e-4, 1e-2) * o.body.stiffness;
    o.material.substance.restitution = dice.uniform(0, 1);
    o.material.substance.friction = dice.uniform(0, 1);
    o.transform.rotation = Quat(Eigen::AngleAxisd(dice.uniform(-kPi, kPi), dice.vector().normalized()));
    o.transform.position = Vec3(0, dice.uniform(0.8, 1.5), 0);
    o.body.velocity = Vec3(dice.uniform(-2, 2), dice.uniform(-6, 1), dice.uniform(-2, 2));
    const Id id = w.add(o);
    Run run(w);
    if (pierced(nodes_of(run, id), run.model->bodies[run.index(id)].truss.hull).count > 0)
      continue;  // its turns overlap
    const Watched seen = watch(run, id, 1.5, 0.85 * radius);
    touching += seen.touched > 0;
    INFO("seed " << seed << ", " << w.scene.settings.substeps << " sub-steps, mass " << o.body.mass << ", k "
                 << o.body.stiffness << ": gained " << seen.most << " J, deepest " << seen.deepest << " m, "
                 << seen.pierced << " pierced, " << seen.touched << " touched, size " << radius);
    CHECK(seen.most <= 1e-6 * (1 + std::abs(run.energy())));
    // Below 0.5 radii in 58 of 60, 0.65 and 0.79 (for 80 ms, of a section that its own blow squeezes flat) in the worst; ropes ten
    // times softer, which their own weight bends by more than they are long, come to 0.8.
    CHECK(seen.pierced == 0);
  }
  CHECK(touching > most / 4);
}

}  // namespace self_test
