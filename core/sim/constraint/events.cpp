#include "core/sim/constraint/events.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/sim/contact/hertz.h"
#include "core/sim/contact/shape_table.h"

namespace hazumi {
namespace {

constexpr double kSameWay = 0.7;  // cosine: normals of one region

/// Curvature of the surface that takes part in the contact, 1/m; flat ones 0.
double curvature(const Body& body) {
  const ContactProxy& p = body.proxy;
  return (p.info && p.info->flat) || p.radius <= 0 ? 0.0 : 1.0 / p.radius;
}

/// Two flat faces touch with no point first: the smaller extent of the thing that moves stands for its roundness.
double pair_stiffness(const Substep& s, std::uint32_t body_a, std::uint32_t body_b) {
  const Body &a = s.model.bodies[body_a], &b = s.model.bodies[body_b];
  double sum = curvature(a) + curvature(b);
  if (sum == 0) {
    double radius = 1e300;
    for (const Body* body : {&a, &b})
      if (body->moves && body->proxy.radius > 0) radius = std::min(radius, body->proxy.radius);
    sum = 1.0 / (radius < 1e300 ? radius : 0.01);
  }
  return hertz_stiffness(hertz_delta(a.contact_young(s.start.bodies[body_a].values), a.substance.poisson),
                         hertz_delta(b.contact_young(s.start.bodies[body_b].values), b.substance.poisson),
                         {0.5 * sum, 0.5 * sum});
}

/// A body as a whole at the start of the sub-step.
struct Whole {
  Vec3 centre = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();

  Vec3 at(const Vec3& p) const { return velocity + spin.cross(p - centre); }
  double mobility(const Vec3& p, const Vec3& n) const {
    const Vec3 t = (p - centre).cross(n);
    return inverse_mass + t.dot(inverse_inertia * t);
  }
};

Whole whole(const Body& body, const BodyMotion& m) {
  Whole w;
  if (!m.deforms) {
    w.centre = m.origin;
    w.velocity = m.linear_start;
    w.spin = m.angular_start;
    w.inverse_mass = m.inverse_mass;
    w.inverse_inertia = m.inverse_inertia;
    return w;
  }
  const std::vector<double>& masses = body.truss.masses;
  w.inverse_mass = 1 / body.mass;
  for (std::uint32_t i = 0; i < masses.size(); ++i) {
    w.centre += masses[i] * w.inverse_mass * m.middle(i);
    w.velocity += masses[i] * w.inverse_mass * m.velocities[i];
  }
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::uint32_t i = 0; i < masses.size(); ++i) {
    const Vec3 r = m.middle(i) - w.centre;
    inertia += masses[i] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    angular += masses[i] * r.cross(m.velocities[i] - w.velocity);
  }
  inertia += 1e-9 * inertia.trace() * Mat3::Identity();  // nodes on one line resist no turn about it
  w.inverse_inertia = inertia.inverse();
  w.spin = w.inverse_inertia * angular;
  return w;
}

struct Region {
  Vec3 normal = Vec3::Zero(), place = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  // of the rows, for what is pinned
  double sum = 0, closing = 0, gap = 1e300;
  double turning = 0;  // of what comes, τ⁻: the surface turns under it, and that is no coming in (law.h)
  double loose = 0;    // where one of the two is pinned, who alone is told by it
};

/// n·G M⁻¹Gᵀ n: of the nodes that a row holds, as if no springs joined them to others.
double loose_mobility(const BodyMotion& motion, const RowGrip& grip, const Row& row) {
  BodyForces unit;
  unit.nodes.assign(motion.masses.size(), Vec3::Zero());
  add_impulse(motion, grip, row.point, row.normal, unit);
  share_out(motion, unit);
  double sum = 0;
  for (std::size_t k = 0; k < unit.nodes.size(); ++k) sum += unit.nodes[k].squaredNorm() / motion.masses[k];
  return sum;
}

bool hangs(const BodyMotion& motion) { return motion.deforms && !motion.turns_freely; }

/// Rows that push, of one pair, by where they look.
std::vector<Region> regions_of(const Substep& s, std::span<const Row> rows) {
  std::vector<Region> regions;
  const bool pinned = hangs(s.motions[rows.front().body_a]) || hangs(s.motions[rows.front().body_b]);
  for (const Row& row : rows) {
    const double push = row.impulse.dot(row.normal);
    if (!(push > 0)) continue;
    auto at = std::find_if(regions.begin(), regions.end(),
                           [&](const Region& r) { return r.normal.dot(row.normal) > kSameWay * r.sum; });
    if (at == regions.end()) at = regions.emplace(regions.end());
    at->normal += push * row.normal;
    at->place += push * row.point;
    at->velocity += push * (start_velocity(s.motions[row.body_a], row.a, row.point) -
                            start_velocity(s.motions[row.body_b], row.b, row.point));
    at->sum += push;
    at->closing += push * row.law.closing;
    at->turning += push * row.curve.comes;
    at->gap = std::min(at->gap, row.gap);
    for (const auto& [i, grip] : {std::pair(row.body_a, &row.a), std::pair(row.body_b, &row.b)})
      if (pinned && s.motions[i].deforms) at->loose += push * loose_mobility(s.motions[i], *grip, row);
  }
  for (Region& r : regions) {
    r.normal.normalize();
    r.place /= r.sum;
    r.velocity /= r.sum;
    r.closing /= r.sum;
    r.turning /= r.sum;
    r.loose /= r.sum;
  }
  return regions;
}

void measure_region(const Substep& s, const Region& region, const PairMemory& pair,
                    std::vector<ContactTouch>& touches) {
  if (!s.motions[pair.body_a].deforms && !s.motions[pair.body_b].deforms && pair.pulses.empty()) return;
  touches.push_back(
      {s.model.bodies[pair.body_a].id, s.model.bodies[pair.body_b].id, region.normal, region.sum / s.model.step});
}

std::optional<Impact> impact_of(const Substep& s, const Region& region, std::uint32_t body_a, std::uint32_t body_b) {
  const Body &a = s.model.bodies[body_a], &b = s.model.bodies[body_b];
  const BodyMotion &of_a = s.motions[body_a], &of_b = s.motions[body_b];
  const Whole whole_a = whole(a, of_a), whole_b = whole(b, of_b);
  Impact impact;
  const Vec3 n = impact.normal = region.normal;
  impact.place = region.place;
  impact.gap = region.gap;
  impact.closing = region.closing;
  const bool pinned = hangs(of_a) || hangs(of_b);
  const Vec3 comes = pinned ? region.velocity : Vec3(whole_a.at(region.place) - whole_b.at(region.place));
  impact.before = n.dot(comes) + region.turning;
  impact.mobility = whole_a.mobility(region.place, n) + whole_b.mobility(region.place, n);
  if (pinned) impact.mobility = std::max(region.loose, impact.mobility);
  RowLaw law;
  law.closing = region.closing;
  impact.speed = touch_speed(law, region.gap, impact.before);
  if (!(impact.speed > s.model.rest_speed) || !(impact.mobility > 0)) return std::nullopt;
  impact.hertz = hertz_pulse(impact.mobility, pair_stiffness(s, body_a, body_b), impact.speed,
                             pair_restitution(s.model, s.forces, body_a, body_b));
  return impact;
}

}  // namespace

std::vector<Impact> find_impacts(const Substep& s, std::span<const Row> rows) {
  std::vector<Impact> impacts;
  for (const Region& region : regions_of(s, rows))
    if (const auto impact = impact_of(s, region, rows.front().body_a, rows.front().body_b)) impacts.push_back(*impact);
  return impacts;
}

std::optional<ContactEvent> note_impact(const Substep& s, const Impact& impact, bool measured, PairMemory& pair) {
  const HertzPulse& hertz = impact.hertz;
  const std::int64_t now = s.start.substep;
  const double span = std::min(std::ceil(hertz.duration / s.model.step), 1e6);
  const std::int64_t until = now + std::max<std::int64_t>(2, static_cast<std::int64_t>(span));
  for (RegionMemory& known : pair.regions) {
    if (known.normal.dot(impact.normal) <= kSameWay || known.until < now) continue;
    known.until = std::max(known.until, now + 2);
    return std::nullopt;
  }
  pair.regions.erase_if([&](const RegionMemory& r) { return r.until < now; });
  pair.regions.push_back({impact.normal, until});
  return ContactEvent{s.model.bodies[pair.body_a].id,
                      s.model.bodies[pair.body_b].id,
                      now,
                      impact.place,
                      impact.normal,
                      impact.speed,
                      hertz.impulse,
                      hertz.physical_peak,
                      hertz.peak,
                      hertz.duration,
                      std::clamp(impact.gap / (impact.speed * s.model.step), 0.0, 1.0),
                      measured};
}

void read_events(const Substep& s, IslandSolver& island, std::vector<ContactEvent>& events,
                 std::vector<ContactTouch>& touches) {
  const std::span<const Row> rows = island.rows();
  events.insert(events.end(), island.begun.begin(), island.begun.end());
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const std::uint32_t pair = island.account.pair_of[begin];
    while (end < rows.size() && island.account.pair_of[end] == pair) ++end;
    const std::uint32_t a = rows[begin].body_a, b = rows[begin].body_b;
    if (a == b) continue;  // a collision is one of two objects
    for (const Region& region : regions_of(s, rows.subspan(begin, end - begin))) {
      PairMemory& memory = island.account.pairs[pair];
      measure_region(s, region, memory, touches);
      const auto impact = impact_of(s, region, a, b);
      if (!impact) continue;
      const auto event = note_impact(s, *impact, s.motions[a].deforms || s.motions[b].deforms, memory);
      if (event) events.push_back(*event);
    }
  }
}

}  // namespace hazumi
