// One sub-step of a world of one island, in the order of contact.md, A3:
//   1 free step, λ = 0      2 rows, W at the attitudes half-way      3 λ      4 the step again with Jᵀλ held: the true u⁺
//   5 geometry again from the mid positions and the step again, until it changes by < 1e-13, at most 12 times (the design: 6; then turns
//     of 9 are refused now and then); the last operation is a step, so that work is measured with the weights that carried the forces
//   6 targets again with c = u⁺ − Wλ, 3–5 once more     7 account: second solve, then scaling     8 apply
//   9 where geometry has not settled, the change of L given back as a common turn     10 projection of overlaps, paid by the account
// Everything is dense, and W is made anew in every round. The figures of a run are summed in Figures.
#pragma once

#include <functional>
#include <map>

#include "tests/sim/reference/account.h"
#include "tests/sim/reference/body.h"
#include "tests/sim/reference/cone.h"

namespace hazumi::reference {

class World;

/// Which rows a scene has. `touch`: those of this sub-step, from the start and the free end. `place`: points and weights of a row again
/// from the mid positions. `overlap`: those that overlap now, for the projection; may be empty.
struct Contacts {
  std::function<std::vector<Row>(const World&, const std::vector<BodyStep>& free)> touch;
  std::function<void(const World&, const std::vector<BodyStep>& now, Row&)> place;
  std::function<std::vector<Row>(const World&)> overlap = {};
};

struct Settings {
  double h = 1.0 / 240;
  Vec3 gravity = Vec3(0, -9.81, 0);
  ContactRules rules;
  Solver solver = Solver::sweep;
  int most_passes = 50;      ///< of sweeps
  double tolerance = 1e-10;  ///< m/s
  int rounds = 2, geometry_repeats = 12;
  double decay = 0.9;         ///< κ of the purse of what was spent
  bool decay_switch = false;  ///< κ = decay only where every approach is slower than rest_speed, else 0
  double spent_cap = 1e300;   ///< J, the most that the purse of what was spent keeps
  bool no_push = false;       ///< Q = 0, overlap and u⁻ > b: target −u⁻
  bool prescribed = false;  ///< Q, R, phase and target of every row are those in its memory, not those of the law here
  bool account = true, second_solve = true, project = true, give_back = true;
};

struct Figures {
  double identity = 0;      ///< greatest |ΔE − Σλ·ū + dissipation| of a sub-step, J
  double residual = 0;      ///< Σ |ρ·ū|, J
  double over_account = 0;  ///< greatest work beyond the account, J
  double least_purse = 0;   ///< J
  double projected = 0;     ///< energy paid for projections, J
  double work = 0;          ///< Σ λ·ū of the last sub-step, J
  double unsettled = 0;     ///< greatest change of geometry left by step 5, m
  int most_passes = 0;      ///< of a flexible step
  long flexible_passes = 0, flexible_steps = 0;
  long solver_passes = 0, solves = 0;
  long second_solves = 0, scaled = 0, turns = 0, turns_refused = 0, substeps = 0, with_rows = 0;
};

class World {
 public:
  std::vector<Body> bodies;
  Settings settings;
  Contacts contacts;
  Purses purses;
  std::map<long, RowMemory> memory;
  Figures figures;

  double energy() const {
    double sum = 0;
    for (const Body& b : bodies) sum += b.energy(settings.gravity);
    return sum;
  }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (const Body& b : bodies) sum += b.momentum();
    return sum;
  }
  Vec3 angular_momentum() const {
    Vec3 sum = Vec3::Zero();
    for (const Body& b : bodies) sum += b.angular_momentum();
    return sum;
  }
  /// False where a flexible step has not converged or something flies beyond 1e6 m: the run ends.
  bool step();

 private:
  /// One island's rows within a sub-step.
  struct Solve {
    std::vector<Row> rows;
    std::vector<RowMemory> memory;
    std::vector<double> target;
    std::vector<BodyStep> free, now;
    Vector impulse;
    double moved = 0;  ///< of the geometry, in the last repeat
  };

  std::vector<BodyStep> forward(const std::vector<Row>& rows, const Vector& impulse, const std::vector<BodyStep>* near);
  Vector starts(const Solve& s) const;
  Vector means(const Solve& s, const std::vector<BodyStep>& steps) const;
  double work(const Solve& s, const std::vector<BodyStep>& steps) const { return s.impulse.dot(means(s, steps)); }
  void begin(Solve& s);
  void centre_arms(const std::vector<BodyStep>& steps);
  bool settled(Solve& s);
  void react(Solve& s);
  void solve_round(Solve& s, bool first);
  void pay(Solve& s);
  void remember(const Solve& s, double paid);
  void give_back(const Vec3& change);
  void project();
  void move_out(const std::vector<Row>& rows, const Vector& push);
  bool fixed(const std::vector<Row>& rows) const {
    return std::any_of(rows.begin(), rows.end(), [](const Row& r) { return r.b.body < 0; });
  }
};

inline std::vector<Mat3> half_attitudes(const std::vector<Body>& bodies, const std::vector<BodyStep>& steps) {
  std::vector<Mat3> half;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    half.push_back(bodies[i].is_flexible ? steps[i].flexible.half : steps[i].rigid.half);
  return half;
}

inline std::vector<BodyStep> World::forward(const std::vector<Row>& rows, const Vector& impulse,
                                            const std::vector<BodyStep>* near) {
  std::vector<BodyStep> steps = advance(bodies, settings.h, settings.gravity, rows, impulse, near);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].is_flexible) continue;
    figures.flexible_passes += steps[i].flexible.passes;
    ++figures.flexible_steps;
    figures.most_passes = std::max(figures.most_passes, steps[i].flexible.passes);
  }
  return steps;
}

inline Vector World::starts(const Solve& s) const {
  Vector u(s.impulse.size());
  for (std::size_t c = 0; c < s.rows.size(); ++c)
    u.segment<3>(3 * static_cast<Eigen::Index>(c)) =
        start_velocity(bodies, s.rows[c].a) - start_velocity(bodies, s.rows[c].b);
  return u;
}

inline Vector World::means(const Solve& s, const std::vector<BodyStep>& steps) const {
  Vector u(s.impulse.size());
  for (std::size_t c = 0; c < s.rows.size(); ++c)
    u.segment<3>(3 * static_cast<Eigen::Index>(c)) =
        mean_velocity(bodies, steps, s.rows[c].a) - mean_velocity(bodies, steps, s.rows[c].b);
  return u;
}

inline void World::centre_arms(const std::vector<BodyStep>& steps) {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].is_flexible) bodies[i].arm_centre = steps[i].rigid.mean_centre;
}

/// Memory, targets and start impulses of the rows.
inline void World::begin(Solve& s) {
  s.impulse = Vector::Zero(3 * static_cast<Eigen::Index>(s.rows.size()));
  s.memory.resize(s.rows.size());
  s.target.resize(s.rows.size());
  const Vector start = starts(s);
  for (std::size_t c = 0; c < s.rows.size(); ++c) {
    const auto at = 3 * static_cast<Eigen::Index>(c);
    const Row& row = s.rows[c];
    const double before = row.normal.dot(start.segment<3>(at));
    const auto known = memory.find(row.key);
    if (known != memory.end()) s.memory[c] = known->second;
    if (settings.prescribed) {
      s.target[c] = s.memory[c].target;
      s.impulse.segment<3>(at) = s.memory[c].impulse;
      continue;
    }
    begin_row(s.memory[c], known != memory.end(), row.gap, before, settings.rules);
    s.target[c] = row_target(s.memory[c], row.gap, before, settings.h, settings.rules);
    if (settings.no_push && s.memory[c].exit == 0 && row.gap < 0 && before > s.target[c]) s.target[c] = -before;
    s.impulse.segment<3>(at) = s.memory[c].impulse;
  }
}

/// Step 5's question: points, weights and c̄ from the mid positions. Where they are what the forces were carried by, all stays.
inline bool World::settled(Solve& s) {
  const std::vector<Row> rows = s.rows;
  std::vector<Vec3> centres;
  s.moved = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    centres.push_back(bodies[i].arm_centre);
    if (!bodies[i].is_flexible) s.moved = std::max(s.moved, (s.now[i].rigid.mean_centre - bodies[i].arm_centre).norm());
  }
  centre_arms(s.now);
  for (std::size_t c = 0; c < s.rows.size(); ++c) {
    contacts.place(*this, s.now, s.rows[c]);
    s.moved = std::max(s.moved, (s.rows[c].a.point - rows[c].a.point).norm());
    for (const auto& [now, was] : {std::pair(&s.rows[c].a, &rows[c].a), std::pair(&s.rows[c].b, &rows[c].b)})
      for (std::size_t k = 0; k < now->weight.size(); ++k)
        s.moved = std::max(s.moved, 0.1 * (now->weight[k] - was->weight[k]).norm());
  }
  if (s.moved >= 1e-13) return false;
  s.rows = rows;
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].arm_centre = centres[i];
  return true;
}

/// Steps 4 and 5.
inline void World::react(Solve& s) {
  s.now = forward(s.rows, s.impulse, &s.now);
  for (int k = 0; k < settings.geometry_repeats && !settled(s); ++k) s.now = forward(s.rows, s.impulse, &s.now);
}

inline void World::solve_round(Solve& s, bool first) {
  centre_arms(s.now);
  for (Row& row : s.rows) contacts.place(*this, s.now, row);
  std::vector<Vec3> normals;
  for (const Row& row : s.rows) normals.push_back(row.normal);
  ConeProblem problem(mobility(bodies, s.rows, half_attitudes(bodies, s.now)), normals, settings.rules.friction);
  // Before the first solve nothing acts yet: the λ of memory is only where the solver begins.
  Vector c = 2 * means(s, s.now) - starts(s);
  if (!first) c -= problem.w() * s.impulse;
  problem.solve(settings.solver, s.target, c, s.impulse, settings.tolerance, settings.most_passes);
  figures.solver_passes += problem.passes();
  ++figures.solves;
  react(s);
}

/// Step 7. The account bounds Σ λ·ū; first by targets with less work in them, then by scaling all of λ.
inline void World::pay(Solve& s) {
  const double limit = purses.sum(), slack = 1e-14 * (1 + std::abs(limit));
  if (settings.second_solve && work(s, s.now) > limit + slack) {
    ++figures.second_solves;
    const std::vector<double> wanted = s.target;
    for (const double share : {0.5, 0.0}) {  // of what lies between −u⁻ (no work) and the target
      const Vector start = starts(s);
      for (std::size_t c = 0; c < s.rows.size(); ++c) {
        const double before = s.rows[c].normal.dot(start.segment<3>(3 * static_cast<Eigen::Index>(c)));
        s.target[c] = std::min(wanted[c], -before + share * std::max(0.0, wanted[c] + before));
      }
      for (int round = 0; round < settings.rounds; ++round) solve_round(s, false);
      if (work(s, s.now) <= limit) break;
    }
  }
  bool scaled = false;
  for (int k = 0; k < 6 && work(s, s.now) > limit + slack; ++k) {
    // Work is B θ + q θ² in a linear world: B of the free motion, q of the impulses' own.
    const double linear = s.impulse.dot(means(s, s.free)), own = work(s, s.now) - linear;
    if (!(own > 0)) break;
    double share = (-linear + std::sqrt(std::max(linear * linear + 4 * own * std::max(limit, 0.0), 0.0))) / (2 * own);
    share = std::clamp(share * (1 - 1e-13), 0.0, 1 - 1e-13);
    if (k >= 3) share *= 0.5;
    if (k == 5) share = 0;
    s.impulse *= share;
    scaled = true;
    react(s);
  }
  figures.scaled += scaled;
  figures.over_account = std::max(figures.over_account, work(s, s.now) - limit);
}

/// Books the work and leaves the memory of the next sub-step.
inline void World::remember(const Solve& s, double paid) {
  const ContactRules& rules = settings.rules;
  const Vector start = starts(s), mean = means(s, s.now);
  memory.clear();
  double absorbed = 0, returnable = 0;
  std::map<int, double> lowered;
  std::set<int> deep;
  bool impact = false;
  for (std::size_t c = 0; c < s.rows.size(); ++c) {
    const auto at = 3 * static_cast<Eigen::Index>(c);
    const Vec3 n = s.rows[c].normal, f = s.impulse.segment<3>(at);
    const double row_work = f.dot(mean.segment<3>(at)), before = n.dot(start.segment<3>(at));
    impact = impact || -before > rules.rest_speed;
    const double slop = s.rows[c].slop, end = s.rows[c].gap + settings.h * n.dot(mean.segment<3>(at));
    if (end < -slop) deep.insert(s.rows[c].pair);
    RowMemory m = s.memory[c];
    if (row_work < 0) {
      absorbed -= row_work;
      if (m.exit > 0)
        returnable -= row_work * rules.restitution * rules.restitution;
      else if (const double deeper = std::min(s.rows[c].gap, -slop) - std::min(end, -slop); deeper > 0)
        lowered[s.rows[c].pair] += std::min(-row_work, f.dot(n) / settings.h * deeper);
    }
    m.impulse = f;
    end_row(m, before, n.dot(mean.segment<3>(at)), f.dot(n), rules.restitution);
    memory[s.rows[c].key] = m;
  }
  for (auto& [pair, work] : lowered) work /= absorbed;
  purses.book(paid, absorbed > 0 ? returnable / absorbed : 0, lowered);
  purses.keep_sunk(deep);
  purses.spent = std::min(settings.spent_cap, purses.spent * (settings.decay_switch && impact ? 0.0 : settings.decay));
  figures.least_purse = std::min(figures.least_purse, purses.sum());
}

inline bool World::step() {
  ++figures.substeps;
  const double h = settings.h;
  for (Body& b : bodies)
    if (!b.is_flexible) b.arm_centre = b.rigid.centre + 0.5 * h * b.rigid.velocity + 0.25 * h * h * settings.gravity;
  Solve s;
  s.free = forward({}, Vector(), nullptr);
  const auto good = [&](const std::vector<BodyStep>& steps) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies[i].is_flexible && !steps[i].flexible.converged) return false;
    return true;
  };
  if (!good(s.free)) return false;
  s.rows = contacts.touch(*this, s.free);
  s.now = s.free;
  double paid = 0;
  if (s.rows.empty()) {
    memory.clear();
    purses.sunk.clear();
    purses.spent *= settings.decay;
  } else {
    ++figures.with_rows;
    begin(s);
    for (int round = 0; round < settings.rounds; ++round) solve_round(s, round == 0);
    if (settings.account) pay(s);
    if (!good(s.now)) return false;
    figures.work = paid = work(s, s.now);
    remember(s, paid);
    figures.unsettled = std::max(figures.unsettled, s.moved);
  }

  const double before = energy();
  Vec3 spin = angular_momentum();
  double dissipated = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 centre = bodies[i].centre();
    if (bodies[i].is_flexible) {
      const FlexibleStep& f = s.now[i].flexible;
      FlexibleBody& b = bodies[i].flexible;
      b.centre = f.centre, b.attitude = f.attitude, b.displacement = f.displacement, b.velocity = f.velocity;
      dissipated += f.dissipated;
      figures.residual += std::abs(f.residual_work);
    } else {
      const RigidStep& f = s.now[i].rigid;
      RigidBody& b = bodies[i].rigid;
      b.centre = f.centre, b.attitude = f.attitude, b.velocity = f.velocity, b.spin = f.spin;
    }
    spin += h * (0.5 * (centre + bodies[i].centre())).cross(bodies[i].mass() * settings.gravity);
    if (!(bodies[i].centre().norm() < 1e6)) return false;
  }
  figures.identity = std::max(figures.identity, std::abs(energy() - before - paid + dissipated));
  for (Body& b : bodies)
    if (b.is_flexible) b.flexible.calm();
  if (settings.give_back && s.moved >= 1e-13 && !s.rows.empty() && !fixed(s.rows)) give_back(spin - angular_momentum());
  if (settings.project && contacts.overlap && purses.sum() > 0) project();
  return true;
}

/// Step 9, where the account can pay for it.
inline void World::give_back(const Vec3& change) {
  const std::vector<Body> kept = bodies;
  const double before = energy();
  turn_together(bodies, change);
  const double cost = energy() - before;
  if (cost <= purses.sum()) {
    purses.book(cost, 0);
    ++figures.turns;
  } else {
    bodies = kept;
    ++figures.turns_refused;
  }
}

/// Δx = R A⁻¹RᵀJᵀμ (flexible) or M⁻¹Jᵀμ (rigid), velocities and angular momenta kept.
inline void World::move_out(const std::vector<Row>& rows, const Vector& push) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& b = bodies[i];
    Nodes at_nodes = Nodes::Zero(3, b.flexible.count());
    Vec3 shift = Vec3::Zero(), twist = Vec3::Zero();
    for (std::size_t c = 0; c < rows.size(); ++c)
      for (const auto& [anchor, sign] : {std::pair(&rows[c].a, 1.0), std::pair(&rows[c].b, -1.0)}) {
        if (anchor->body != static_cast<int>(i)) continue;
        const Vec3 j = sign * push[static_cast<Eigen::Index>(c)] * rows[c].normal;
        shift += j;
        twist += (anchor->point - b.arm_centre).cross(j);
        for (std::size_t k = 0; k < anchor->node.size(); ++k)
          at_nodes.col(anchor->node[k]) += anchor->weight[k].transpose() * j;
      }
    if (!b.is_flexible) {
      b.rigid.centre += shift / b.rigid.mass;
      b.rigid.attitude = exp_matrix(b.rigid.world_inverse(b.rigid.attitude) * twist) * b.rigid.attitude;
      continue;
    }
    FlexibleBody& f = b.flexible;
    const Nodes x = f.positions() + f.attitude * unstacked(f.inverse * stacked(f.attitude.transpose() * at_nodes));
    f.centre = x * f.mass / f.total;
    const Nodes y = x.colwise() - f.centre;
    f.attitude = polar(y * f.mass.asDiagonal() * f.rest.transpose(), f.attitude);
    f.displacement = f.attitude.transpose() * y - f.rest;
  }
}

/// Step 10 (§6.9): half of every overlap, as far as nine tenths of the account reach.
inline void World::project() {
  for (Body& b : bodies)
    if (!b.is_flexible) b.arm_centre = b.rigid.centre;
  const std::vector<Row> rows = contacts.overlap(*this);
  if (rows.empty()) return;
  std::vector<Mat3> attitudes;
  for (const Body& b : bodies) attitudes.push_back(b.is_flexible ? b.flexible.attitude : b.rigid.attitude);
  const Matrix full = mobility(bodies, rows, attitudes);
  const auto m = static_cast<Eigen::Index>(rows.size());
  Matrix w(m, m);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < m; ++j) w(i, j) = rows[i].normal.dot(full.block<3, 3>(3 * i, 3 * j) * rows[j].normal);
  Vector push = Vector::Zero(m);
  for (int pass = 0; pass < 20; ++pass)
    for (Eigen::Index c = 0; c < m; ++c)
      push[c] = std::max(0.0, push[c] + (-0.5 * rows[c].gap - w.row(c).dot(push)) / w(c, c));

  const std::vector<Body> kept = bodies;
  const Vec3 spin = angular_momentum();
  const double before = energy(), purse = purses.sum();
  for (const double share : {1.0, 0.5, 0.25, 0.1}) {
    move_out(rows, share * push);
    if (settings.give_back && !fixed(rows)) turn_together(bodies, spin - angular_momentum());
    const double cost = energy() - before;
    if (cost <= 0.9 * purse) {
      if (cost > 0) purses.book(cost, 0);
      figures.projected += std::max(cost, 0.0);
      return;
    }
    bodies = kept;
  }
}

}  // namespace hazumi::reference
