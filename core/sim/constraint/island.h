// One island's contacts in one sub-step, in the order of contact.md, A3 (tests/sim/reference/substep.h is the same, dense):
//
//   1 bodies moved freely, rows were found       2 Q, targets, λ of the sub-step before as a start; the step with these λ
//   3 geometry at the attitudes half-way, W      4 λ from c = u⁺ − W λ_before (cone.h)
//   5 the step again with these λ: the true u⁺; where what deforms is held beside its nodes and angular momentum counts, geometry
//     and step again until they agree. The last operation is a step, so that work is measured with what carried the forces
//     What is led yields where it asks for what nothing can do (island_yield.cpp)
//     Under sine pulses: 4–5 with targets for which the rows of each give what it says (pulse.h)
//     What joints hold together steps as one (linkage.h); W knows how all of it answers
//   6 4–5 again while the true u⁺ is not what W said, at most eleven times
//   7 work λ·ū beyond the account: again with targets that do less work, then all λ scaled
//   8 work booked                                9 overlaps taken out (island_project.cpp)
// Impulses that turn a body by radians within the sub-step do not settle so; then places stay where the free motion had them, and where that
// leads nowhere each body keeps its arms.
// A step is a function of the state before, of forces and of λ, so that it can be made again.
#pragma once

#include <array>
#include <optional>

#include "core/sim/constraint/account.h"
#include "core/sim/constraint/mobility.h"
#include "core/sim/constraint/pulse.h"
#include "core/sim/step.h"

namespace hazumi {

class Linkage;
class Linkages;

/// A sub-step as its islands see it: each writes what belongs to its own bodies.
struct Substep {
  const Model& model;
  const State& start;
  State& state;                        ///< bodies at the end
  std::span<const BodyForces> forces;  ///< without rows
  std::span<BodyForces> pushed;        ///< with rows; of bodies that moved freely: without
  std::span<BodyMotion> motions;       ///< from start to state
  std::span<std::uint32_t> local;      ///< number of a body in its island
  Linkages* linkages = nullptr;        ///< bodies that joints hold together; null: none
  std::span<int> passes = {};          ///< StepReport::passes; may be empty
  Executor* executor = nullptr;        ///< for what can be divided within an island; null: nothing is

  std::int32_t linkage_of(std::uint32_t body) const;  ///< number; below 0: it is in none
};

struct IslandFigures {
  double work = 0;                        ///< J, Σ λ·ū
  double led = 0;                         ///< J, what led bodies did on others by their rows
  int solves = 0, passes = 0, steps = 0;  ///< cone problems, their passes, steps of all its bodies
  int second_solves = 0, scaled = 0, turns = 0, turns_refused = 0, held = 0, yielded = 0;
  double over_account = 0;  ///< J, work beyond the account
  double projected = 0;     ///< J, paid for overlaps
  double mismatch = 0;      ///< m/s, between the true u⁺ and what W said, in the end
};

inline constexpr double kGeometrySettled = 1e-13;  ///< m: geometry that has changed by less is the same

class IslandSolver {
 public:
  /// Steps 2–7. `rows` of one island, sorted by key; they may be solved already, and some of them new. The number of the body
  /// whose step has left all bounds, if there is one.
  std::optional<std::size_t> solve(const Substep& substep, std::span<Row> rows);
  /// The same rows, moved to another place.
  void bind(std::span<Row> rows) { rows_ = rows; }
  /// After the last solve(): takes out of the velocities of damped bodies what their steps cannot follow.
  void calm(const Substep& substep);
  /// Steps 8 and 9.
  void finish(const Substep& substep);
  /// After finish(), where a body has entered what does not move all the same: it stays where it was and loses the speed that leads
  /// `place` against `out`. Energy can only fall by this: where neither the body nor the account can pay for what it has not fallen, all
  /// of the island stays where it was, with the account of the start.
  void hold(const Substep& substep, std::uint32_t entered, const Vec3& place, const Vec3& out);

  std::span<const Row> rows() const { return rows_; }
  Account account;
  IslandFigures figures;
  std::vector<ContactEvent> begun;  ///< collisions whose pulses begin in this sub-step

 private:
  std::size_t count() const { return rows_.size(); }
  std::size_t with_turns() const { return rows_.size() + turns_.size(); }
  void collect(const Substep& s);
  void begin(const Substep& s);
  void hold_bodies(const Substep& s);
  void place_rows(const Substep& s);
  bool step_bodies(const Substep& s);
  bool react(const Substep& s);
  double misplaced(const Substep& s) const;
  bool turn_again(const Substep& s);
  void take_arms(const Substep& s, Row& row) const;
  bool advance(const Substep& s, std::uint32_t body);
  void advance_linkage(const Substep& s, std::uint32_t number);
  void advance_soft(const Substep& s);
  bool advance_whole(const Substep& s);
  void take_back(const Substep& s);
  bool solve_round(const Substep& s);
  void settle(const Substep& s);
  bool settled(const Substep& s);
  void keep_arms(const Substep& s);
  bool react_anew(const Substep& substep);
  void loosen_motors(const Substep& substep);
  void thaw(const Substep& s);
  double affordable(double all, double limit);
  bool scale(const Substep& s, double share);
  bool pay(const Substep& s);
  double replace(const Substep& s);
  Vec3 start(const Substep& s, const Row& row) const;
  Vec3 mean(const Substep& s, const Row& row) const;
  double work(const Substep& s) const;
  bool is_large() const;
  bool starts_wild(const Substep& s) const;
  void gather();
  void share_impulses(std::span<const Vec3> impulses);
  void make_cone_rows(const Substep& s);
  void remember(const Substep& s);
  void fall_asleep(const Substep& s);
  // island_yield.cpp
  struct LedWork {
    bool too_much = false;
    double mass = 0;  ///< kg, of what it meets
  };
  LedWork led_work(const Substep& s) const;
  void let_yield(const Substep& s, const LedWork& led);
  void yield(const Substep& s);
  // pulse.cpp
  void join_pulses();
  bool begin_pulses(const Substep& s);
  void aim_pulses(const Substep& s);
  double pulse_target(const Row& row) const;
  void settle_pulses(const Substep& s);
  bool part_with_pulses(const Substep& s);
  void remember_pulses(const Substep& s);
  // island_project.cpp
  double project(const Substep& s);
  void have_back(const Substep& s, std::span<const double> wanted, double gained);
  void find_low(const Substep& s);
  std::vector<double> overlaps(const Substep& s);
  bool push_apart(const Substep& s, std::span<const double> wanted);
  bool pushed_apart_by_products(std::span<const double> wanted, std::span<const double> soft, bool& any);
  bool pushed_apart(std::span<const double> wanted, std::span<const double> soft, bool& any);
  void move_out(const Substep& s, double share);
  double energy(const Substep& s) const;
  double energy_of(const Substep& s, std::uint32_t body, std::span<const double> values) const;
  bool stays(const Substep& s, std::uint32_t body, const Vec3& place, const Vec3& out);
  bool stay_together(const Substep& s, Linkage& linkage, std::uint32_t entered, const Vec3& place, const Vec3& out);
  Vec3 angular_momentum(const Substep& s, const State& state) const;
  bool turn_together(const Substep& s, const Vec3& change);
  void give_back(const Substep& s);
  void keep(const Substep& s);
  void put_back(const Substep& s);

  std::span<Row> rows_;
  std::vector<TurnRow> turns_;           ///< beside the rows; in everything of the cone problem behind them
  std::vector<std::uint32_t> bodies_;    ///< that move, ascending
  std::vector<std::uint32_t> linkages_;  ///< numbers of those with bodies here, ascending
  bool limp_ = false;                    ///< something in it is (Body::limp)
  bool rigid_ = true;                    ///< nothing in it deforms
  bool free_ = true;                     ///< its angular momentum is kept
  bool led_ = false;                     ///< something in it is led
  bool bent_ = false;                    ///< something in it has a skin that does not follow its nodes linearly
  std::vector<RunningPulse> pulses_;
  bool levers_ = false;  ///< something that deforms is held beside its nodes
  bool parted_ = false;  ///< something in it has come apart: rows leave out levers there
  double mass_ = 0, heaviest_ = 0, lightest_ = 0;
  std::vector<double> yields_;  ///< 1/kg, of each row with something led that yields, else 0; empty: none does
  bool frozen_ =
      false;  ///< places and holds of rows stay: the impulses turn bodies or bones so far that they would not settle
  bool armed_ = false;  ///< and of each row both arms are as W was made with
  struct Gripped {
    Vec3 point, lever_a, lever_b;
  };
  struct Held {
    HeldFrame frame;
    Vec3 start, mean;  ///< ω
  };
  std::vector<Gripped> gripped_;           ///< geometry of the rows before the last repeat
  std::vector<Held> held_;                 ///< and of the bodies
  std::vector<std::array<Vec3, 2>> arms_;  ///< m, from the origins of both bodies, where W was made
  std::vector<Vec3> placed_;               ///< m, from the centre of the first of its bodies that moves
  std::vector<Vec3> way_;                  ///< m, of the centres half-way from the step before to this one
  std::vector<PairMemory> opened_;         ///< the account at the start of the sub-step
  double speed_ = 0;                       ///< m/s, greatest of a row without impulses
  double start_speed_ = 0;                 ///< m/s, the same as the first round of settle() begins
  double enough_ = 0;                      ///< m/s: with less than this W and the true step agree
  int unsettled_ = 0;                      ///< rounds
  double moved_ = 0;                       ///< m, of the geometry in the last repeat
  bool stopped_ = false;                   ///< all of it stays where it was
  Mobility mobility_;
  ConeWorkspace cone_;
  ElasticWorkspace elastic_;
  std::vector<std::vector<double>> found_;  ///< ElasticWorkspace::found of the bodies
  std::vector<ConeRow> cone_rows_;
  std::vector<Vec3> impulse_, free_velocity_, started_, last_, product_;
  std::vector<double> push_;               ///< μ, kg m
  std::vector<char> lowers_;               ///< of rows: moved down to the surface that it follows
  std::vector<BodyForces> lifted_;         ///< and what it does to bodies
  std::vector<std::vector<double>> kept_;  ///< states of the bodies
  std::optional<std::size_t> failed_;
};

}  // namespace hazumi
