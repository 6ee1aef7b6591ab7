// Step 5 of an island: its bodies from the start of the sub-step under the impulses of the rows, and the geometry anew until both agree.
#include "core/sim/advance.h"
#include "core/sim/constraint/island.h"
#include "core/sim/constraint/linkages.h"

namespace hazumi {
namespace {

constexpr int kGeometryRepeats = 12;

/// What takes the sum of its impulses and their moments. What does not move takes none: several islands may touch it at once.
bool as_a_whole(const BodyMotion& motion) { return motion.moves && !motion.deforms; }

}  // namespace

std::int32_t Substep::linkage_of(std::uint32_t body) const { return linkages ? linkages->of(body) : -1; }

bool IslandSolver::advance(const Substep& s, std::uint32_t i) {
  const Body& body = s.model.bodies[i];
  elastic_.found = &found_[s.local[i]];
  elastic_.executor = s.executor;
  if (!body.advance(s.model.step, s.pushed[i], acceleration_of(s.model, s.forces[i], body), s.start.bodies[i].values,
                    s.state.bodies[i].values, elastic_, &s.motions[i]))
    failed_ = i;
  if (body.deforms && !s.passes.empty()) s.passes[i] += elastic_.passes;
  return !failed_;
}

/// What does not deform, under the impulses that are in `pushed`; what joints hold together at once.
bool IslandSolver::advance_whole(const Substep& s) {
  for (const std::uint32_t i : bodies_)
    if (!s.motions[i].deforms && s.linkage_of(i) < 0 && !advance(s, i)) return false;
  for (const std::uint32_t number : linkages_) advance_linkage(s, number);
  return true;
}

void IslandSolver::advance_linkage(const Substep& s, std::uint32_t number) {
  Linkage& linkage = (*s.linkages)[number];
  linkage.advance(s.model, s.pushed, s.motions, s.state);
  for (const std::uint32_t i : linkage.bodies) {
    s.model.bodies[i].motion(s.model.step, s.start.bodies[i].values, s.state.bodies[i].values, s.motions[i]);
    linkage.fill(i, s.motions[i]);
  }
}

/// Where joints hold what deforms, under the impulses at the places that they have now: so that its nodes are there, which are common
/// points. Then all of it is made again.
void IslandSolver::advance_soft(const Substep& s) {
  for (const std::uint32_t number : linkages_) {
    const Linkage& linkage = (*s.linkages)[number];
    if (linkage.soft.empty()) continue;
    const auto here = [&](std::uint32_t i) {
      return as_a_whole(s.motions[i]) && s.linkage_of(i) == static_cast<std::int32_t>(number);
    };
    for (const Row& row : rows_) {
      if (here(row.body_a)) add_impulse(s.motions[row.body_a], row.a, row.point, row.impulse, s.pushed[row.body_a]);
      if (here(row.body_b)) add_impulse(s.motions[row.body_b], row.b, row.point, -row.impulse, s.pushed[row.body_b]);
    }
    advance_linkage(s, number);
    for (const std::uint32_t i : linkage.bodies) {
      s.pushed[i].push.setZero();
      s.pushed[i].twist.setZero();
    }
  }
}

/// The lever is how far the arm that is kept ends from the place.
void IslandSolver::take_arms(const Substep& s, Row& row) const {
  const auto& [a, b] = arms_[static_cast<std::size_t>(&row - rows_.data())];
  row.a.lever = a - (row.point - s.motions[row.body_a].origin);
  row.b.lever = b - (row.point - s.motions[row.body_b].origin);
}

/// All bodies from the start of the sub-step under the impulses of the rows: what deforms first, as nodes are common points.
bool IslandSolver::step_bodies(const Substep& s) {
  const double h = s.model.step;
  ++figures.steps;
  // A body by itself is half-way where its impulses say; where joints lead one, its linkage says it.
  const auto goes_by_push = [&](std::uint32_t i) { return !s.motions[i].deforms && s.linkage_of(i) < 0; };
  way_.assign(bodies_.size(), Vec3::Zero());
  for (const std::uint32_t i : bodies_) {
    BodyForces& to = s.pushed[i];
    const BodyForces& from = s.forces[i];
    to.force = from.force;
    to.torque = from.torque;
    to.acceleration = from.acceleration;
    to.size = from.size;
    to.nodes.assign(from.nodes.size(), Vec3::Zero());
    if (goes_by_push(i)) way_[s.local[i]] = -0.25 * h * s.motions[i].inverse_mass * to.push;
    s.motions[i].origin += way_[s.local[i]];
    to.push.setZero();
    to.twist.setZero();
  }
  if (!rigid_) {
    for (const Row& row : rows_) {
      if (s.motions[row.body_a].deforms)
        add_impulse(s.motions[row.body_a], row.a, row.point, row.impulse, s.pushed[row.body_a]);
      if (s.motions[row.body_b].deforms)
        add_impulse(s.motions[row.body_b], row.b, row.point, -row.impulse, s.pushed[row.body_b]);
    }
    for (const std::uint32_t i : bodies_) {
      if (!s.motions[i].deforms) continue;
      share_out(s.motions[i], s.pushed[i]);
      for (std::size_t k = 0; k < s.pushed[i].nodes.size(); ++k)
        s.pushed[i].nodes[k] = s.forces[i].nodes[k] + s.pushed[i].nodes[k] / h;
      if (s.linkage_of(i) < 0 && !advance(s, i)) return false;
    }
    advance_soft(s);
    for (Row& row : rows_) {
      const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
      if ((a.deforms || b.deforms) && row.a.plain && row.b.plain) row.point = common_point(row, a, b);
    }
  }
  // c̄ of what does not deform, from the sum of its impulses, then their moments about it.
  for (const Row& row : rows_) {
    if (as_a_whole(s.motions[row.body_a])) s.pushed[row.body_a].push += row.impulse;
    if (as_a_whole(s.motions[row.body_b])) s.pushed[row.body_b].push -= row.impulse;
  }
  for (const std::uint32_t i : bodies_) {
    if (!goes_by_push(i)) continue;
    const Vec3 way = 0.25 * h * s.motions[i].inverse_mass * s.pushed[i].push;
    s.motions[i].origin += way;
    way_[s.local[i]] += way;
  }
  for (Row& row : rows_) {
    const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
    if (!a.deforms && !b.deforms) {  // places go along with the bodies that they are on
      const int by = holder(row, a, b);
      if (by >= 0 && a.moves) row.point += (by > 0 ? 1.0 : 0.5) * way_[s.local[row.body_a]];
      if (by <= 0 && b.moves) row.point += (by < 0 ? 1.0 : 0.5) * way_[s.local[row.body_b]];
    }
    if (armed_) take_arms(s, row);
    if (as_a_whole(a)) s.pushed[row.body_a].twist += (row.point + row.a.lever - a.origin).cross(row.impulse);
    if (as_a_whole(b)) s.pushed[row.body_b].twist -= (row.point + row.b.lever - b.origin).cross(row.impulse);
  }
  for (const TurnRow& turn : turns_) add_impulse(s.motions, turn, s.pushed);
  return advance_whole(s);
}

/// What does not deform once more, with the same impulses at places that have moved: so that the velocities that the rows start from
/// are those of these places. A light body between heavy ones would else answer with their load times the way of the places. Where no
/// step can follow them from there they become less: a place beside the pins of a body may have moved to where it has a lever.
bool IslandSolver::turn_again(const Substep& s) {
  for (const std::uint32_t i : bodies_) s.pushed[i].twist.setZero();
  for (Row& row : rows_) {
    const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
    if (armed_) take_arms(s, row);
    if (as_a_whole(a)) s.pushed[row.body_a].twist += (row.point + row.a.lever - a.origin).cross(row.impulse);
    if (as_a_whole(b)) s.pushed[row.body_b].twist -= (row.point + row.b.lever - b.origin).cross(row.impulse);
  }
  for (const TurnRow& turn : turns_) add_impulse(s.motions, turn, s.pushed);
  if (advance_whole(s)) return true;
  failed_.reset();
  return scale(s, 0.5);
}

/// Step 5.
bool IslandSolver::react(const Substep& s) {
  if (!step_bodies(s)) return false;
  const bool stays = frozen_ && bent_;
  moved_ = stays ? 1 : 0;
  if (!free_ || !levers_ || stays) return true;
  for (int k = 0; k < kGeometryRepeats; ++k) {
    moved_ = replace(s);
    if (moved_ < kGeometrySettled) break;
    if (!step_bodies(s)) return false;
  }
  return true;
}

}  // namespace hazumi
