#include "core/sim/constraint/island.h"

#include <algorithm>
#include <cmath>

#include "core/sim/constraint/linkages.h"
#include "core/sim/constraint/row_curve.h"
#include "core/sim/constraint/sleep.h"

namespace hazumi {
namespace {

constexpr int kRounds = 12, kUnsettled = 3;  // of these whose cone problem was left unsolved
constexpr double kUnchanged = 1e-13;         // m/s: impulses that have changed by less are the same
constexpr double kAgrees = 1e-10;            // m/s, and of the speed: W and the true step agree

constexpr int kRigidPasses = 100;  // where guesses go round in circles, as friction lets them
// Islands that go by their bodies: sweeps in a round. What is left after them is smaller in the next sub-step, which begins at these λ.
// One round that is left unsolved is enough: λ that do not balance turn boxes, and with the places taken anew from that the next
// round is worse. Of 1,000 boxes that fall on each other W and the true step differ by 1 m/s after one round of 40 and by up to
// 10 and 300 after two and three; of one round of 80 no more, in two thirds of the time.
constexpr int kLargePasses = 80, kMoreLargePasses = 200, kUnsettledLarge = 1;
constexpr double kWild = 3;  // times what the island's places are fast, and a fall through some sub-steps
constexpr double kWildFalls = 4;
constexpr double kNoise = 1e-6;      // of the impulses
constexpr double kPulseNoise = 0.1;  // under a pulse, whose impulse the sub-step does not find by itself
constexpr int kHalvings = 4;
constexpr int kThaws = 6;             // of motors
constexpr double kImmobile = 1e-9;    // of how the heaviest answers: what cannot be pushed
constexpr double kAgreesLimp = 1e-6;  // of what is limp: its steps are solved no farther
// What is limp turns far under its impulses: after one round of a large island W and the true step of a cloth on a ball were 0.6 m/s apart
// (3 where it has 900 squares), and each further one brings them ten times nearer.
constexpr int kUnsettledLimp = 4;
constexpr double kAgreesLargeLimp = 3e-3;  // m/s, and of the speed
constexpr double kNears =
    0.5;  // a round that brings less of what is limp nearer is the last: what buckles goes one way or another
constexpr double kProducts = 1e-5;  // of the speed: rows of what goes by products
constexpr double kAsRows = 0.1;  // of what the rows of such an island leave: W and the true step need not agree better

// Of the speed of the rows: where W and the true step differ by more, bodies turn so far that their load takes hold elsewhere. A light one
// between heavy ones then turns by all of it times the way of its places, and each round leads farther away.
constexpr double kAstray = 1;
constexpr double kFollows = 1e-3;  // of the speed: a mismatch that needs no frozen places

/// The body from which the place of a row is measured while it is frozen.
std::uint32_t sharper(const Row& row, std::span<const BodyMotion> motions) {
  return motions[row.body_a].moves ? row.body_a : row.body_b;
}

const RowMemory* find_memory(std::span<const RowMemory> memory, const ContactKey& key) {
  const auto at = std::lower_bound(memory.begin(), memory.end(), key,
                                   [](const RowMemory& m, const ContactKey& wanted) { return m.key < wanted; });
  return at != memory.end() && at->key == key ? &*at : nullptr;
}

/// How far the G of a place that hangs on the frame goes with it, m for a lever of a tenth of a metre.
double difference(const HeldFrame& now, const HeldFrame& was) {
  double most =
      std::max((now.attitude - was.attitude).norm(), (now.rate - was.rate).norm() / (was.rate.norm() + 1e-300));
  for (std::size_t v = 0; v < now.rates.size(); ++v) {
    const VertexRate &a = now.rates[v], &b = was.rates[v];
    most = std::max({most, (a.origin - b.origin).norm(), (a.turn - b.turn).norm()});
    for (std::size_t k = 0; k < a.nodes.size(); ++k)
      most = std::max(most, (a.nodes[k].block - b.nodes[k].block).norm());
  }
  return 0.1 * most;
}

/// The nearest impulse that the row allows.
Vec3 in_cone(const Vec3& impulse, const Row& row) {
  const double normal = std::max(0.0, impulse.dot(row.normal));
  Vec3 across = impulse - row.normal * impulse.dot(row.normal);
  if (const double size = across.norm(); size > row.friction * normal) across *= row.friction * normal / size;
  return normal * row.normal + across;
}

}  // namespace

Vec3 IslandSolver::start(const Substep& s, const Row& row) const {
  return start_velocity(s.motions[row.body_a], row.a, row.point) -
         start_velocity(s.motions[row.body_b], row.b, row.point);
}

Vec3 IslandSolver::mean(const Substep& s, const Row& row) const {
  const double h = s.model.step;
  return mean_velocity(s.motions[row.body_a], row.a, row.point, h) -
         mean_velocity(s.motions[row.body_b], row.b, row.point, h);
}

double IslandSolver::work(const Substep& s) const {
  double sum = 0;
  for (const Row& row : rows_) sum += row.impulse.dot(mean(s, row));
  for (const TurnRow& turn : turns_) sum += turn.impulse.dot(mean_velocity(s.motions, turn));
  return sum;
}

void IslandSolver::collect(const Substep& s) {
  bodies_.clear();
  rigid_ = free_ = true;
  levers_ = parted_ = bent_ = led_ = limp_ = false;
  mass_ = heaviest_ = 0;
  lightest_ = 1e300;
  for (const Row& row : rows_) {
    for (const std::uint32_t i : {row.body_a, row.body_b}) {
      if (s.motions[i].moves) bodies_.push_back(i);
      free_ = free_ && s.motions[i].turns_freely;
      led_ = led_ || s.motions[i].led;
      parted_ = parted_ || (s.motions[i].parts && s.motions[i].parts->count > 1);
    }
    levers_ = levers_ || !row.a.plain || !row.b.plain;
    for (const std::uint32_t i : {row.body_a, row.body_b})
      bent_ = bent_ || (s.motions[i].deforms && !s.motions[i].held.vertices.empty());
  }
  linkages_.clear();
  for (const std::uint32_t i : bodies_)
    if (const std::int32_t number = s.linkage_of(i); number >= 0)
      linkages_.push_back(static_cast<std::uint32_t>(number));
  std::sort(linkages_.begin(), linkages_.end());
  linkages_.erase(std::unique(linkages_.begin(), linkages_.end()), linkages_.end());
  for (const std::uint32_t number : linkages_) {
    const Linkage& linkage = (*s.linkages)[number];
    bodies_.insert(bodies_.end(), linkage.all.begin(), linkage.all.end());
    free_ = free_ && linkage.free;
  }
  std::sort(bodies_.begin(), bodies_.end());
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  found_.resize(std::max(found_.size(), bodies_.size()));
  for (std::uint32_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = s.model.bodies[bodies_[k]];
    s.local[bodies_[k]] = k;
    found_[k].clear();
    rigid_ = rigid_ && !body.deforms;
    limp_ = limp_ || body.limp(s.start.bodies[bodies_[k]].values);
    mass_ += body.mass;
    heaviest_ = std::max(heaviest_, body.mass);
    lightest_ = std::min(lightest_, body.mass);
  }
}

/// Memory, targets and start impulses.
void IslandSolver::begin(const Substep& s) {
  for (Row& row : rows_) {
    row.memory = RowMemory();
    row.memory.key = row.key;
    const RowMemory* known = find_memory(s.start.rows, row.key);
    row.known = known != nullptr;
    if (known) row.memory = *known;
    row.grips = (row.memory.unloading & kGrips) != 0;
    row.memory.unloading &= ~(kAsleep | kGrips);
    if (rigid_) row.a.lever = row.b.lever = Vec3::Zero();
    begin_row(row.law, row.known, row.gap, row.before + row.curve.comes, row.memory);
    row.target =
        curved_target(row.law, row.gap, row.before, row.curve.comes, row.curve.leaves, row.curve.follows, row.memory);
    if (row.impulse == Vec3::Zero()) row.impulse = in_cone(row.memory.impulse, row);
  }
  if (s.model.pulses) join_pulses();
}

void IslandSolver::hold_bodies(const Substep& s) {
  for (const std::uint32_t i : bodies_) s.model.bodies[i].hold(s.model.step, s.motions[i]);
}

void IslandSolver::place_rows(const Substep& s) {
  if (!(frozen_ && bent_)) hold_bodies(s);
  for (std::size_t i = 0; i < count(); ++i) {
    Row& row = rows_[i];
    if (frozen_ && !s.motions[row.body_a].deforms && !s.motions[row.body_b].deforms) {
      row.point = s.motions[sharper(row, s.motions)].centre + placed_[i];
      continue;
    }
    if (frozen_ && bent_) continue;
    const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
    row.point = common_point(row, a, b);
    take_hold(a, row.anchor_a, row.point, row.a);
    take_hold(b, row.anchor_b, row.point, row.b);
  }
}

/// The geometry from the mid positions again; how far it has moved, m. Where that is nothing all is as it was.
double IslandSolver::replace(const Substep& s) {
  double moved = 0;
  held_.resize(bodies_.size());
  gripped_.clear();
  for (const Row& row : rows_) gripped_.push_back({row.point, row.a.lever, row.b.lever});
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (const BodyMotion& m = s.motions[bodies_[k]]; m.deforms) held_[k] = {m.held, m.angular_start, m.angular_mean};
  hold_bodies(s);
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (s.motions[bodies_[k]].deforms) moved = std::max(moved, difference(s.motions[bodies_[k]].held, held_[k].frame));
  for (std::size_t i = 0; i < count(); ++i) {
    Row& row = rows_[i];
    const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
    row.point = common_point(row, a, b);
    take_hold(a, row.anchor_a, row.point, row.a);
    take_hold(b, row.anchor_b, row.point, row.b);
    const Gripped& was = gripped_[i];
    moved = std::max({moved, (row.point - was.point).norm(), (row.a.lever - was.lever_a).norm(),
                      (row.b.lever - was.lever_b).norm()});
  }
  if (moved >= kGeometrySettled) return moved;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    BodyMotion& m = s.motions[bodies_[k]];
    if (!m.deforms) continue;
    m.held = std::move(held_[k].frame);
    m.angular_start = held_[k].start;
    m.angular_mean = held_[k].mean;
  }
  for (std::size_t i = 0; i < count(); ++i) {
    rows_[i].point = gripped_[i].point;
    rows_[i].a.lever = gripped_[i].lever_a;
    rows_[i].b.lever = gripped_[i].lever_b;
  }
  return moved;
}

bool IslandSolver::is_large() const { return !mobility_.parts().hold.empty() || (!rigid_ && count() > kDirectRows); }

/// λ of all rows, one after the other.
void IslandSolver::gather() {
  impulse_.resize(with_turns());
  for (std::size_t i = 0; i < count(); ++i) impulse_[i] = rows_[i].impulse;
  for (std::size_t k = 0; k < turns_.size(); ++k) impulse_[count() + k] = turns_[k].impulse;
}

void IslandSolver::share_impulses(std::span<const Vec3> impulses) {
  for (std::size_t i = 0; i < count(); ++i) rows_[i].impulse = impulses[i];
  for (std::size_t k = 0; k < turns_.size(); ++k) turns_[k].impulse = impulses[count() + k];
}

/// The cone problem's rows, and c of each.
void IslandSolver::make_cone_rows(const Substep& s) {
  free_velocity_.resize(with_turns());
  cone_rows_.resize(with_turns());
  product_.resize(with_turns());
  mobility_.product(impulse_, product_);
  for (std::size_t i = 0; i < count(); ++i) {
    free_velocity_[i] = 2 * mean(s, rows_[i]) - start(s, rows_[i]) - product_[i];
    free_velocity_[i] += mobility_.given(i) * impulse_[i];
    if (!yields_.empty()) free_velocity_[i] += yields_[i] * (impulse_[i] - rows_[i].memory.impulse);
    cone_rows_[i].kind = ConeRow::contact;
    cone_rows_[i].normal = rows_[i].normal;
    cone_rows_[i].friction = rows_[i].friction;
    cone_rows_[i].least = rows_[i].target;
  }
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const TurnRow& turn = turns_[k];
    const std::size_t i = count() + k;
    free_velocity_[i] = 2 * mean_velocity(s.motions, turn) - start_velocity(s.motions, turn) - product_[i];
    cone_rows_[i].kind = ConeRow::turning;
    cone_rows_[i].normal = rows_[turn.row].normal;
    cone_rows_[i].of = turn.row;
    cone_rows_[i].rolling = turn.rolling;
    cone_rows_[i].spin = turn.spinning;
  }
}

/// The impulses before those at hand: less of them where no step follows them from the places that rows have come to.
void IslandSolver::take_back(const Substep& s) {
  share_impulses(last_);
  if (react(s)) return;
  failed_.reset();
  scale(s, 0.5);
}

/// Steps 4 and 5 once; true when nothing is left to be done better.
bool IslandSolver::solve_round(const Substep& s) {
  gather();
  last_ = impulse_;
  make_cone_rows(s);
  ConeOptions options;
  options.rigid = rigid_;
  options.tolerance = 1e-10;
  options.most_passes = heaviest_ > 20 * lightest_ ? 1000 : rigid_ && turns_.empty() ? kRigidPasses : 400;
  options.least_mobility = kImmobile / heaviest_;
  double speed = 0;
  for (const Vec3& u : free_velocity_) speed = std::max(speed, u.norm());
  if (mobility_.products()) options.tolerance = std::max(kStill, kProducts * speed);
  const bool large = is_large();
  // Guesses that went round do so again, mostly; of few rows they cost little.
  if (unsettled_ > 0 && !large && count() > kFewRows) options.method = ConeMethod::gradients;
  if (large) options.most_passes = heaviest_ > 20 * lightest_ ? kMoreLargePasses : kLargePasses;
  const ConeResult result =
      solve_cone({cone_rows_, mobility_.blocks(), free_velocity_, mobility_.parts(), mobility_.products()}, options,
                 cone_, impulse_);
  ++figures.solves;
  figures.passes += result.passes;
  if (!result.settled) ++unsettled_;

  double change = 0;
  for (std::size_t i = 0; i < with_turns(); ++i)
    change = std::max(change, mobility_.own(i).trace() * (impulse_[i] - last_[i]).norm());
  speed_ = speed;
  enough_ = (limp_ ? kAgreesLimp : kAgrees) * (1 + speed);
  if (large) enough_ = std::max({enough_, kAsRows * result.change, limp_ ? kAgreesLargeLimp * (1 + speed) : 0.0});
  if (change < kUnchanged * (1 + speed)) return true;
  share_impulses(impulse_);
  if (!react(s)) {  // more than its step can follow: what it had before
    failed_.reset();
    take_back(s);
    return true;
  }
  figures.mismatch = 0;
  mobility_.product(impulse_, product_);
  for (std::size_t i = 0; i < count(); ++i) {
    Vec3 said = free_velocity_[i] + product_[i];
    said -= mobility_.given(i) * impulse_[i];
    if (!yields_.empty()) said -= yields_[i] * (impulse_[i] - rows_[i].memory.impulse);
    figures.mismatch = std::max(figures.mismatch, (2 * mean(s, rows_[i]) - start(s, rows_[i]) - said).norm());
  }
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const Vec3 said = free_velocity_[count() + k] + product_[count() + k];
    const Vec3 done = 2 * mean_velocity(s.motions, turns_[k]) - start_velocity(s.motions, turns_[k]);
    figures.mismatch = std::max(figures.mismatch, (done - said).norm());
  }
  return figures.mismatch < enough_;
}

/// θ of the impulses that works no more than `limit`, where all of them work `all`: B θ + q θ² in a linear world, B of the free motion,
/// q of the impulses' own.
double IslandSolver::affordable(double all, double limit) {
  double own = 0;
  gather();
  mobility_.product(impulse_, product_);
  for (std::size_t i = 0; i < with_turns(); ++i) own += 0.5 * impulse_[i].dot(product_[i]);
  if (!(own > 0)) return 1;
  const double linear = all - own;
  return (-linear + std::sqrt(std::max(linear * linear + 4 * own * std::max(limit, 0.0), 0.0))) / (2 * own);
}

/// The impulses scaled by `share`; by less where no step can follow them, and none at last.
bool IslandSolver::scale(const Substep& s, double share) {
  ++figures.scaled;
  for (int k = 0; k <= kHalvings; ++k) {
    for (Row& row : rows_) row.impulse *= k == kHalvings ? 0 : share;
    for (TurnRow& turn : turns_) turn.impulse *= k == kHalvings ? 0 : share;
    if (react(s)) return true;
    if (k < kHalvings) failed_.reset();
    share = 0.5;
  }
  return false;
}

/// Step 7; false: a body has left all bounds.
bool IslandSolver::pay(const Substep& s) {
  const double limit = account.sum(), slack = 1e-14 * (1 + std::abs(limit));
  // What a millionth of the impulses would work too much is noise of a pile at rest: that is taken off them below.
  if (const double all = work(s);
      all > limit + slack && affordable(all, limit) < 1 - (pulses_.empty() ? kNoise : kPulseNoise)) {
    ++figures.second_solves;
    std::vector<double> wanted;
    for (const Row& row : rows_) wanted.push_back(row.target);
    for (const double share : {0.5, 0.0}) {  // of what lies between −u⁻ (no work) and the target
      for (std::size_t i = 0; i < count(); ++i) {
        const double before = rows_[i].normal.dot(start(s, rows_[i]));  // with the places that carry the forces
        rows_[i].target = std::min(wanted[i], -before + share * std::max(0.0, wanted[i] + before));
      }
      settle(s);
      if (failed_) return false;
      if (work(s) <= limit) break;
    }
  }
  for (int k = 0; k < 6; ++k) {
    const double all = work(s);
    if (!(all > limit + slack)) break;
    double share = affordable(all, limit);
    share = std::clamp(share * (1 - 1e-13), 0.0, 1 - 1e-13);
    if (k >= 3) share *= 0.5;
    if (k == 5) share = 0;
    if (!scale(s, share)) return false;
  }
  figures.over_account = std::max(figures.over_account, work(s) - limit);
  return true;
}

/// What remains of an impact's impulses, where what they were against has gone, turns a light body by radians: places taken half-way
/// from there are nowhere, and neither is W. Islands that have one round do not come back from that.
bool IslandSolver::starts_wild(const Substep& s) const {
  double before = 0, after = 0;
  for (const Row& row : rows_)
    for (const auto& [i, grip] : {std::pair(row.body_a, &row.a), std::pair(row.body_b, &row.b)}) {
      const Vec3 start = start_velocity(s.motions[i], *grip, row.point);
      before = std::max(before, start.norm());
      after = std::max(after, (2 * mean_velocity(s.motions[i], *grip, row.point, s.model.step) - start).norm());
    }
  return after > kWild * (before + kWildFalls * s.model.gravity.norm() * s.model.step);
}

std::optional<std::size_t> IslandSolver::solve(const Substep& s, std::span<Row> rows) {
  rows_ = rows;
  figures = IslandFigures();
  pulses_.clear();
  yields_.clear();
  begun.clear();
  failed_.reset();
  frozen_ = armed_ = stopped_ = false;
  collect(s);
  account.open(s.model, s.motions, s.start.pairs, s.start.substep, rows_);
  opened_ = account.pairs;
  begin(s);
  find_turn_rows(s.model, s.motions, rows_, turns_);
  const bool followed = react(s);
  if (!followed || (count() > kDirectRows && starts_wild(s))) {
    failed_.reset();
    for (Row& row : rows_) row.impulse.setZero();
    if (!react(s)) return failed_;
  }
  place_rows(s);
  if (!turn_again(s)) return failed_;
  placed_.clear();
  arms_.clear();
  for (const Row& row : rows_) {
    placed_.push_back(row.point - s.motions[sharper(row, s.motions)].centre);
    arms_.push_back({row.point - s.motions[row.body_a].origin, row.point - s.motions[row.body_b].origin});
  }
  for (const std::uint32_t number : linkages_) (*s.linkages)[number].freeze();
  mobility_.make(s.model, s.motions, bodies_, s.local, rows_, turns_, elastic_, s.linkages);
  if (!linkages_.empty()) loosen_motors(s);
  if (led_ && std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.grips; }))
    let_yield(s, led_work(s));
  settle_pulses(s);
  if (!failed_ && s.model.pulses && begin_pulses(s)) settle_pulses(s);
  if (!failed_) thaw(s);
  if (!failed_) yield(s);
  if (!failed_) pay(s);
  return failed_;
}

/// The step under the impulses at hand, and W where it leads; false: there is none.
bool IslandSolver::react_anew(const Substep& s) {
  if (!react(s)) {
    failed_.reset();
    for (Row& row : rows_) row.impulse.setZero();
    if (!react(s)) return false;
  }
  place_rows(s);
  if (!turn_again(s)) return false;
  mobility_.make(s.model, s.motions, bodies_, s.local, rows_, turns_, elastic_, s.linkages);
  return true;
}

/// A motor at its speed answers to nothing. Where it moves all that a body can do, contacts could not push that at all, and the motor would
/// never be asked for more than it has: it pushes with that at once.
void IslandSolver::loosen_motors(const Substep& s) {
  bool changed = false;
  for (std::size_t i = 0; i < count(); ++i) {
    const Row& row = rows_[i];
    if (row.normal.dot(mobility_.own(i) * row.normal) > kImmobile / heaviest_) continue;
    if (row.normal.dot(2 * mean(s, row) - start(s, row)) >= row.target) continue;
    for (const std::uint32_t body : {row.body_a, row.body_b})
      if (const std::int32_t number = s.linkage_of(body); number >= 0)
        changed = (*s.linkages)[static_cast<std::size_t>(number)].loosen_motors() || changed;
  }
  if (changed) react_anew(s);
}

/// Motors as they are under these impulses: solved anew where they are otherwise.
void IslandSolver::thaw(const Substep& s) {
  for (int k = 0; k < kThaws && !failed_; ++k) {
    bool changed = false;
    for (const std::uint32_t number : linkages_) changed = (*s.linkages)[number].thaw() || changed;
    if (!changed || !react_anew(s)) return;
    settle(s);
  }
}

/// What the velocities of rows would change by if their impulses acted where the motion that they led to has their places, m/s.
/// Where a light body stands between heavy ones, an error of the impulses comes back several times greater by this.
double IslandSolver::misplaced(const Substep& s) const {
  double most = 0;
  for (const Row& row : rows_) {
    const BodyMotion &a = s.motions[row.body_a], &b = s.motions[row.body_b];
    if (a.deforms || b.deforms) continue;
    const double shift = (common_point(row, a, b) - row.point).norm(), push = row.impulse.norm();
    for (const BodyMotion* m : {&a, &b})
      most = std::max(most, shift * push * m->inverse_inertia.trace() * (row.point - m->origin).norm());
  }
  return most;
}

/// Impulses take hold where W has them from here on, however far they turn bodies: each of the two has its own arm. Where nothing else takes
/// angular momentum, what that changes of it is given back (finish).
void IslandSolver::keep_arms(const Substep& s) {
  frozen_ = armed_ = true;
  share_impulses(started_);
  if (react(s)) return;
  failed_.reset();
  scale(s, 0.5);
}

/// Rounds until W and the true step agree.
void IslandSolver::settle(const Substep& s) {
  gather();
  started_ = impulse_;
  if (settled(s) || failed_ || armed_ || !rigid_ || !linkages_.empty()) return;
  if (figures.mismatch <= kAstray * start_speed_) return;
  keep_arms(s);
  if (!failed_) settled(s);
}

/// W keeps the places of the first round, so that the next ones say how fast they follow. False: they came to no end.
bool IslandSolver::settled(const Substep& s) {
  double last = 1e300;
  unsettled_ = 0;
  const int most = !is_large() ? kUnsettled : limp_ ? kUnsettledLimp : kUnsettledLarge;
  for (int round = 0; round < kRounds && unsettled_ < most; ++round) {
    if (round > 0) {
      place_rows(s);
      if (!turn_again(s)) return true;
      // Under these impulses other limits and ropes hold.
      if (!linkages_.empty()) mobility_.make(s.model, s.motions, bodies_, s.local, rows_, turns_, elastic_, s.linkages);
    }
    const bool agreed = solve_round(s);
    if (round == 0) start_speed_ = speed_;
    if (failed_ || (agreed && (frozen_ || misplaced(s) < enough_))) return true;
    frozen_ = frozen_ || (round > 1 && figures.mismatch > std::max(0.3 * last, kFollows * speed_));
    if (limp_ && round > 0 && figures.mismatch > last) {  // this one led away
      take_back(s);
      figures.mismatch = last;
      return true;
    }
    if (limp_ && round > 1 && figures.mismatch > kNears * last) return true;
    last = figures.mismatch;
  }
  return false;
}

/// Books the work and leaves the memory of the next sub-step.
void IslandSolver::remember(const Substep& s) {
  std::vector<Taken> taken(account.pairs.size());
  double all = 0, credit = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    Row& row = rows_[i];
    const Vec3 velocity = mean(s, row);
    double done = row.impulse.dot(velocity);
    const double along = row.impulse.dot(row.normal) * row.normal.dot(velocity);  // of that, without friction
    const double e = row.law.restitution;
    all += done;
    if (led_) done = std::max(done, -to_be_taken(s.motions[row.body_a], s.motions[row.body_b], row));
    credit += std::max(-done, 0.0);
    if (s.motions[row.body_a].led)
      figures.led -= row.impulse.dot(mean_velocity(s.motions[row.body_a], row.a, row.point, s.model.step));
    if (s.motions[row.body_b].led)
      figures.led += row.impulse.dot(mean_velocity(s.motions[row.body_b], row.b, row.point, s.model.step));
    row.end_gap = row.curve.curves ? curved_end_gap(row, s.motions[row.body_a], s.motions[row.body_b])
                                   : row.gap + s.model.step * row.normal.dot(velocity);
    if (done < 0) {
      Taken& by = taken[account.pair_of[i]];
      by.all -= done;
      const double paid = row.follows() ? std::clamp(-along, 0.0, -done) : 0;
      by.turning += paid;
      if (row.pulse >= 0)  // kept until they are out of each other; how much of it a pulse gives back, its impulse says
        by.elastic -= done;
      else if (row.memory.exit > 0)
        by.elastic -= done * e * e;
      else if (const double deeper = std::min(row.start_gap(), -row.slop) - std::min(row.end_gap, -row.slop);
               deeper > 0)
        by.sunk += std::min(-done - paid, row.impulse.dot(row.normal) / s.model.step * deeper);
    }
    if (row.follows() && along > 0) account.give_turning(account.pair_of[i], along);
    const double before = row.normal.dot(start(s, row));
    end_row(row.law, before, row.normal.dot(velocity), row.impulse.dot(row.normal), row.memory);
    row.memory.impulse = row.impulse;
    if (!yields_.empty() && yields_[i] > 0 && row.end_gap < -row.slop && row.impulse.dot(row.normal) > 0)
      row.memory.unloading |= kGrips;
  }
  for (const TurnRow& turn : turns_) {
    const double done = turn.impulse.dot(mean_velocity(s.motions, turn));
    all += done;
    if (done < 0 && !led_) taken[account.pair_of[turn.row]].all -= done;
    for (const auto& [i, sign] : {std::pair(turn.body_a, -1.0), std::pair(turn.body_b, 1.0)})
      if (s.motions[i].led) figures.led += sign * turn.length * turn.impulse.dot(s.motions[i].angular_mean);
  }
  figures.work = all;
  account.book(taken, led_ ? std::max(all, -credit) : all);
  if (s.model.pulses) remember_pulses(s);
}

void IslandSolver::calm(const Substep& s) {
  elastic_.executor = s.executor;
  for (const std::uint32_t i : bodies_) s.model.bodies[i].calm(s.state.bodies[i].values, elastic_);
}

void IslandSolver::finish(const Substep& s) {
  remember(s);
  if (free_ && (armed_ || parted_ || (levers_ && moved_ >= kGeometrySettled))) give_back(s);
  const double moved = project(s);
  std::vector<Account::After> after(account.pairs.size());
  for (std::size_t i = 0; i < count(); ++i) {
    Account::After& of = after[account.pair_of[i]];
    of.deep = of.deep || rows_[i].end_gap < -rows_[i].slop;
    of.curves = of.curves || rows_[i].curve.lies;
  }
  account.decay(mass_, s.model.rest_speed, after);
  if (moved < kStill * s.model.step) fall_asleep(s);
}

}  // namespace hazumi
