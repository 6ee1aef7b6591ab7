// Bodies that joints hold together: one sub-step of all of them at once, under gravity, given forces and impulses of contacts.
//
//   unknowns   v̄, ω̄ of each body, λ of each row (link_rows.h)
//   bodies     2 m v̄ − 2 P⁻ − Σ λ act = h f + push          L⁺(ω̄) − L⁻ − Σ λ act = h τ + twist + (o − c̄) × push
//   rows       C⁺ = wanted …
//   L⁺ − L⁻ = (½ − ¼h [ω̄])⁻¹ (J⁻ω̄ − L⁻ + ½h ω̄ × J⁻ω̄): of the midpoint step of a rigid body, world axes (body/midpoint_turn.h)
//
// by Newton's method over the forest of bodies (link_tree.h): what contacts see is one body of many parts, whose energy changes by
// exactly λ·ū of their impulses and by what springs store and motors do, since rows of joints do no work.
//
// One-sided rows (limits, ropes, motors at their force) are guessed, solved and looked at again. Where a limit is met nothing bounces:
// the velocity that goes on against it is taken away at the end of the sub-step (settle()), as is what goes to and fro in rows that
// hold: at u⁻ against the joint a midpoint step ends at −u⁻ + f, f smooth; the mean of both is smooth, and what that leaves is less
// energy, or it is left alone.
// A joint that begins to hold in the middle of a run, switched on or as something is let go, takes hold of its bodies as they are then:
// its frame on b becomes the one on a (on a, where b deforms). What it would take to put them as they were at the start is nobody's work.
// What begins a sub-step against its joints, as at the start of a run or where keys let go, has that taken away first: an impact.
// Where Newton's method comes to no end the sub-step is halved, for this linkage, up to 64 parts; and where none of that does, as where
// joints cannot all hold, it is one step of the linear system, positions closed as far as they can be, and no more energy than
// forces and contacts give (link_rough.cpp).
//
// What deforms is no node of the forest: its joints close loops, and how it answers stands in their Schur complement (link_soft.h). It
// moves as it does by itself under the λ at hand, so that λ alone is sought; it halves no sub-step, and where nothing holds it stays. Where
// rows that contradict each other have λ without end they are sought again, each of them giving way.
// Pulls: springs of three rows to a place that goes (link_rows.h, pull); what takes more than they have is solved again with that.
// Leads: C⁺ = 0 with the place at the end that tracks tell, λ times the strictness; then velocities are set to those of the place, so that
// nothing rings: both are work of the lead.
// Keys of how a joint holds (joint_numbers.h): its place, axis, limits and length go in the sub-step from where they were to where they are told
// to be (link_rows.h), and velocities follow them at the end as they do leads: work of motors (link_told.cpp). Of springs stiffness, damping
// and length are means of the two; what that changes of what they hold is booked beside (linkages.h). A gear that gets another ratio turns on
// from the turns that there are.
//
//   o       where push and twist of a body are about, m        push, twist   impulses of contacts, N s, N m s
//   c, P    centre of mass, m, and momentum, N s               L, J          angular momentum about c, inertia, world
//   h       of the sub-step or a part, s                       ⁻ ⁺ ‾         start, end, mean
#pragma once

#include <memory>
#include <optional>

#include "core/sim/body/body.h"
#include "core/sim/constraint/link_rows.h"
#include "core/sim/constraint/link_soft.h"
#include "core/sim/model.h"
#include "core/sim/step.h"

namespace hazumi {

class AndersonMixing;
struct BodyMotion;

class Linkage {
 public:
  std::vector<std::uint32_t> bodies;  ///< that move, ascending
  std::vector<std::uint32_t> joints;  ///< numbers in Model::joints, ascending
  std::vector<std::uint32_t> ends;    ///< beside the bodies, those that joints hold on to: led, or standing
  std::vector<LinkSoft> soft;         ///< what deforms, ascending by body; `bodies` has them not
  std::vector<std::uint32_t> all;     ///< bodies and what deforms, ascending
  bool free = true;                   ///< no joint holds on to anything that does not move

  /// Lays the forest. After bodies, joints and ends are set.
  void lay(const Model& model);
  /// Of this sub-step: what led bodies do is in `state` already.
  void begin(const Model& model, const State& start, const State& state, std::span<const BodyForces> forces,
             const JointDrives& drives);
  /// From the start to the end of the sub-step. With `motions` under the impulses in `pushed`, about their origins; these motions
  /// are filled.
  void advance(const Model& model, std::span<const BodyForces> pushed, std::span<BodyMotion> motions, State& state);
  /// From now on, in this sub-step, motors hold their speed or push as they did last, so that what W says stays true while contacts are
  /// solved.
  void freeze();
  /// Those that hold their speed push with all they have instead, towards it; false: there is none.
  bool loosen_motors();
  /// Lets them do what the last advance() asks for, and freezes that; false: it is what they do.
  bool thaw();
  /// Contacts put all of it back to the start: in this sub-step it has done nothing.
  void undo(const Model& model);
  /// The same, but it goes on as it goes in `state`, less what leads `place` of `body` against `out` (unit) or goes against its joints.
  /// False: that it goes there is no speed of the start's; it turns by too much.
  bool stop(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& out, State& state);
  /// What a motion of the start and the end alone does not say: means.
  void fill(std::uint32_t body, BodyMotion& motion) const;

  /// After contacts: velocities against joints are settled, forces read, joints broken.
  void settle(const Model& model, double h, State& state);
  /// Whether nothing in it moves by more than `least`, m/s, at the start and at the end, and nothing in it drives (sleep.h).
  bool lies_still(const Model& model, std::span<const BodyMotion> motions, double least) const;
  /// A sub-step in which it sleeps: forces are what `state` remembers.
  void rest(const Model& model, const State& state, const JointDrives& drives);
  /// λ, turns and what has broken.
  void leave(State& state) const;

  /// How velocities answer to impulses at the geometry of the last advance(): prepared, then asked. `body` is one of `bodies`. What
  /// deforms has been told how its anchors answer (LinkSoft::set_answer).
  bool prepare_answers(const Model& model, std::span<const BodyMotion> motions);
  void answer(std::uint32_t body, const Vec6& impulse);
  void answer(std::size_t of_soft, std::span<const Vec3> moved);  ///< m/s: how its anchors move by themselves
  const Vec6& answered(std::uint32_t body) const { return rhs_[node_of(body)]; }
  std::vector<Vec3> answered_at(std::size_t of_soft) const;  ///< N s: impulses of joints at its anchors
  /// Moves all bodies by A⁻¹ Jᵀ μ as Body::shift() does one, joints kept.
  void shift(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
             State& state);
  double elastic(const Model& model, const State& state) const;  ///< J, of its springs

  JointFigures figures;
  static constexpr int kRough = 1000;  ///< parts, where none were small enough
  std::vector<JointReading> readings;  ///< in the order of `joints`

 private:
  struct Member {
    double mass = 1;
    bool turns = false;
    Mat3 inertia = Mat3::Zero();                       ///< body axes
    Mat3 inverse = Mat3::Zero();                       ///< of that
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< gravity with it
    Vec3 push = Vec3::Zero(), twist = Vec3::Zero(), about = Vec3::Zero();
    JoinedBody start, now, end;       ///< of the sub-step; of the part
    Mat3 inertia_now = Mat3::Zero();  ///< world, at the start of the part
    Vec3 mean_velocity = Vec3::Zero(), mean_rate = Vec3::Zero(), mean_centre = Vec3::Zero();  ///< over all parts
    Vec3 end_velocity = Vec3::Zero(), end_rate = Vec3::Zero();                                ///< their sums on the way
    bool hangs = false;                                                                       ///< on pins
    double reach = 0;                                                                         ///< m, radius of gyration
  };
  struct Ground {
    Pose from, to;
  };
  void read_start(const Model& model, const State& start, const State& state);
  bool rests_as_read(const Model& model, const State& state) const;
  static Vec3 rate_of(const Member& m, const JoinedBody& at);
  std::size_t node_of(std::uint32_t body) const;
  void number(const Model& model, std::span<const std::uint32_t> queue, std::span<const std::int32_t> parent,
              std::span<const std::int32_t> by);
  void tie(const Model& model, std::span<const char> used);
  std::int32_t end_of(std::int32_t body) const;
  void tie_soft(const Model& model);
  // linkage_soft.cpp
  std::size_t first_lead() const { return node_body_.size() + ends.size(); }
  std::size_t first_anchor() const { return first_lead() + leads_.size(); }
  void see_soft(LinkSoft::At when);
  bool step_soft(const Model& model, double h);
  bool newton_by_steps(const Model& model, double h, double share, std::span<const LinkValues> guess);
  void prepare_mixing();
  void mix(AndersonMixing& mixing);
  void couple(double scale);
  bool measure_answers(const Model& model, double h);
  void couple_by_step();
  void couple_where_it_is();
  void couple_by_masses(const Model& model);
  void begin_drives(const Model& model, const JointDrives& drives);
  double lead_way(std::size_t joint, std::size_t row) const;
  double lead_turn(std::size_t joint) const;
  std::vector<Vec3> impulses_on(const LinkSoft& of, std::span<const LinkValues> rows) const;
  void place_leads(double from, double to, double h);
  void follow(const Model& model);
  Vec3 pull_rate(std::size_t joint, double h) const;
  bool clip_pulls(const Model& model, double h, double share);
  bool loosen_leads(const Model& model, double h, double share);
  bool is_lead(const Model& model, std::size_t joint) const {
    return model.joints[joints[joint]].kind == JointKind::lead;
  }
  bool is_pull(const Model& model, std::size_t joint) const {
    return model.joints[joints[joint]].kind == JointKind::pull;
  }
  /// Of number j in `joints`, with the places at which it has taken hold, and as it is told to hold.
  const ModelJoint& joint_at(const Model& model, std::size_t j) const {
    return gripped_[j] ? *gripped_[j] : model.joints[joints[j]];
  }
  void grip(const Model& model, std::size_t joint);
  // link_told.cpp
  bool is_told(std::size_t joint) const { return numbers_before_[joint] || drive_[joint].numbers; }
  void tell_numbers(const Model& model, const JointDrives& drives);
  void tell(const Model& model, std::size_t joint, double from, double to);
  void tell_gears(const Model& model);
  double told_work(std::size_t joint, std::size_t row, double h) const;
  double moving_rate(std::size_t joint, std::size_t row) const;
  double moving_work(std::size_t joint, std::size_t row) const;
  double stored_by_staying(const Model& model);
  void rate(std::size_t joint, bool rated);
  double limit_rate(const Model& model, std::size_t joint, std::size_t row, const JointRates& rates) const;
  void take_hold(const Model& model, std::size_t joint);
  const Body& body_of(const Model& model, const LinkSoft& of) const { return model.bodies[of.body]; }
  const LinkBody& seen(std::int32_t slot) const;
  void place_ground(double from, double to, double h);
  void move(std::size_t node, double h);
  bool advance_part(const Model& model, double h, double share);
  bool newton(const Model& model, double h, double share);
  bool newton_giving_way(const Model& model, double h, double share, double regular);
  bool closed() const;
  double start_rate(const Model& model, std::size_t joint) const;
  bool assemble(const Model& model, double h, double share, bool derivatives = true);
  void assemble_body(std::size_t node, double h, double share, bool derivatives);
  void assemble_gear(const Model& model, std::size_t j, double h);
  bool rests_on_limit(std::size_t joint, double h);
  bool guess_again(const Model& model, int guess);
  bool guess_motors(double h, int guess);
  void begin_joint(const Model& model, std::size_t joint, double h);
  void begin_part(const Model& model, double h);
  double opened(std::size_t joint, std::size_t row) const;
  void end_part(const Model& model, double h, double share);
  // link_settle.cpp
  enum class At { start, now, end };
  void stand_bodies(const Model& model, At when);
  void stand(const Model& model, At when);
  void weigh_bodies();
  double kinetic_as_it_stands();
  bool factor_again(const Model& model, bool by_masses);
  void strike(const Model& model, bool whole);
  void begin_means(double h);
  void meet(const Model& model);
  bool push_rows(const Model& model, At when, bool keep);
  double push_soft(const Model& model, std::size_t of_soft, LinkSoft::At when, std::span<const Vec3> impulses);
  double give_back(const Model& model, double energy);
  void rates_of_rows(std::vector<LinkValues>& out) const;
  void make_symmetric(const Model& model);
  bool holds(const Model& model, std::size_t joint, std::size_t row) const;
  bool is_met(const Model& model, std::size_t joint, std::size_t row) const;
  void read_forces(const Model& model, double h);
  void take_hold_beyond(const Model& model, std::size_t joint, std::size_t row);
  void settle_rates(const Model& model);
  bool shift_by(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
                double share, const State& state);
  void lift_soft(const Model& model, std::span<const BodyForces> lifted, std::span<const std::uint32_t> local,
                 double share);
  void tell_rows(const LinkSoft& of, std::span<const Vec3> moved);
  double close(const Model& model, At when);
  bool torn(const Model& model) const;
  void advance_roughly(const Model& model, double h);
  bool begin_roughly(const Model& model, double h, std::vector<Vec6>& start, double& most);
  double stored(const Model& model) const;
  void stay(const Model& model);
  bool stop_place(const Model& model, std::uint32_t body, const Vec3& place, const Vec3& out);
  void stop_rows(const Model& model);
  double allowed_energy(double h) const;
  void read_end(const Model& model, const State& state);

  std::vector<Member> member_;            ///< in the order of `node_body_`
  std::vector<std::uint32_t> node_body_;  ///< body of each node
  std::vector<std::uint32_t> slot_;       ///< node of each of `bodies`
  struct Ends {
    std::int32_t a = -1, b = -1;  ///< slots: nodes, then `ends`; −1: the world
  };
  std::vector<Ends> joint_ends_;
  std::vector<char> in_forest_;                    ///< of each joint
  std::vector<std::array<std::int32_t, 2>> gear_;  ///< of each joint: numbers of its hinges in `joints`
  LinkTree tree_;
  std::vector<LinkBody> seen_;  ///< nodes, then `ends`
  LinkBody world_;
  std::vector<Ground> ground_;
  std::vector<JointMemory> memory_, memory_at_start_, asked_memory_;
  std::vector<std::unique_ptr<ModelJoint>> gripped_;  ///< null: as the scene has it
  std::vector<std::shared_ptr<const JointNumbers>>
      numbers_before_;                                ///< of each joint, as it was told in the sub-step before
  std::vector<JointRates> rates_before_, rates_now_;  ///< per second, as this one begins and as it ends
  std::vector<char> goes_;                            ///< of each joint: goes() in this sub-step
  bool any_goes_ = false, any_told_ = false;
  bool frozen_ = false, asks_ = false;
  double part_from_ = 0, part_to_ = 1;  ///< of the sub-step
  std::vector<LinkRows> rows_;
  std::vector<LinkBlocks> blocks_;
  std::vector<LinkValues> residual_, impulse_;
  std::vector<LinkValues> sum_;       ///< λ over all parts
  std::vector<std::int64_t> struck_;  ///< of each joint: the side on which its one-sided row takes hold
  bool any_struck_ = false;
  double
      gifts_ = 0,
      moves_ =
          0;  ///< J, of the last part: what one-sided rows gave, which may only take; Σ m (v² + (h f/m)²), v its mean velocities
  double impact_ = 0;  ///< J, taken at the start of the sub-step and its parts
  std::vector<double> motor_rate_;
  std::vector<LinkValues> rates_, start_rates_;  ///< G u as last asked for; of the start
  bool start_rates_hold_ = false;                ///< no impact has changed that since
  std::vector<LinkValues> guess_, part_guess_;   ///< λ with which the sub-step and a part of it begin
  std::vector<Vec6> rhs_;                        ///< what is wanted, and what came of it
  std::vector<LinkValues> rhs_rows_;
  std::vector<Mat6> own_;
  std::vector<JointDrive> drive_;                ///< of each joint
  std::vector<std::uint32_t> leads_;             ///< joints that lead or pull to a place of the world
  std::vector<Vec3> lead_from_, lead_velocity_;  ///< of each lead: place at the start, velocity at the end
  std::vector<std::size_t> first_of_soft_;       ///< of each: its first slot
  std::vector<Vec6> anchor_force_;               ///< N s, of each anchor
  std::span<BodyMotion> motions_;
  std::vector<std::vector<Vec3>> lifted_;  ///< kg m, of the same
  std::vector<Vec3> answered_;
  std::vector<Vec3> first_way_;  ///< m, of each node as close() begins
  ElasticWorkspace soft_workspace_;
  static constexpr std::size_t kTriples = (kMostLinkRows + 2) / 3;  ///< of the rows of a joint
  std::vector<double> mixing_weight_, mixing_memory_, mixing_x_, mixing_step_;
  bool any_lead_ = false;
  std::vector<char> met_;     ///< of each joint: JointReading::met, of all times that this sub-step was made
  std::int64_t met_in_ = -1;  ///< the number of that sub-step
  bool resting_ = false;      ///< it slept in the last sub-step: `readings` are those
  bool all_balls_ = false;    ///< all joints of this part are LinkBlocks::ball
  bool loose_ = false;        ///< some lead is not strict
  bool loosened_ =
      false;  ///< in this part it is known what those push with: one-sided rows that take hold change that no more
  bool measured_ = false;                  ///< Newton's method measures how what deforms answers
  bool endless_ = false;                   ///< in this sub-step, closing in steps came to no end: it is not tried again
  std::vector<LinkValues> left_;           ///< of residuals, what is not asked for yet; empty: nothing
  std::vector<LinkValues> loose_impulse_;  ///< what those push with, and pulls at their most
  std::vector<double> pull_work_;          ///< J, of each joint in this sub-step
  std::vector<char> clipped_;              ///< of each joint: a pull at its most
  Vec6 world_force_ = Vec6::Zero();
  double fast_ = 0;  ///< m/s
};

}  // namespace hazumi
