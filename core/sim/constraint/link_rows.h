// The rows of one joint in one sub-step, which neither work nor come open, whatever h is.
//
// A body goes from c⁻ to c⁺ = c⁻ + h v̄ and turns by the Cayley map of hω̄ (body/rigid_midpoint.h). For a vector x of it x̄ = ½ (x⁻ + x⁺):
//
//   x⁺ − x⁻ = h ω̄ × x̄          δx⁺ = −h N [x̄] δω̄,  N = (1 − ½h [ω̄])⁻¹          x̄ = N x⁻
//
// so that for a condition C of places and directions, which are products of such vectors, C⁺ − C⁻ = h G ū exactly with G at the means
// (a discrete gradient). Impulses Gᵀλ work λ·G ū h = λ (C⁺ − C⁻): nothing while C⁺ = C⁻ = 0, and λ is found so that C⁺ = 0. Both bodies
// take λ on one line, so that momentum and angular momentum are kept.
//
//   ball    p_a − p_b                                           3 rows
//   dot     x_a·x_b, of directions                              torque λ x̄_a × x̄_b
//   slide   x_a·(p_b − p_a)                                     x_a of a
//   turn    angle of b against a about the joint's z            torque along z̄, with Δθ/(h z̄·ω̄) for its length
//   length  |p_a − p_b|                                         along p̄_a − p̄_b, of length (|d|⁻ + |d|⁺)/2
//
//   hinge: ball, two dots (limit, motor: turn)   slider: two slides, three dots (limit, motor: slide along z)   fixed: ball, three dots
//   spring, rope: length; a spring of length 0: three rows of the difference   lead: ball
//   gear: turn of one hinge + ratio × turn of another
//
// Where keys move the place p and the axes of a joint on their body in the sub-step, its ends are R⁻p⁻ and R⁺p⁺, and
//
//   R⁺p⁺ − R⁻p⁻ = h ω̄ × R̄p̄ + R̄ (p⁺ − p⁻)                      R̄ = ½ (R⁻ + R⁺), p̄ = ½ (p⁻ + p⁺)
//
// so that the impulse acts at R̄p̄, and works λ·G ū = λ·(C⁺ − C⁻ − what was told) / h: that is the work of what is told (motors).
//
//   C, λ    residuals of rows are (C⁺ − wanted)/h, m/s or rad/s; λ N s or N m s
//   act     the column of Gᵀ: force and torque about c̄ that λ = 1 makes      move   ∂(C⁺/h)/∂(v̄, ω̄)
//   own     −λ ∂act/∂(v̄, ω̄): how the same impulse turns with the body
//
// Source: discrete gradients: O. Gonzalez, Mechanical systems subject to holonomic constraints: differential-algebraic formulations
// and conservative integration, Physica D 132, 1999.
#pragma once

#include "core/sim/constraint/joint.h"
#include "core/sim/constraint/link_tree.h"
#include "core/sim/constraint/memory.h"

namespace hazumi {

/// A body in a sub-step as its joints see it.
struct LinkBody {
  bool moves = false, turns = false;
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();             ///< c, m
  Mat3 turned = Mat3::Identity(), end = Mat3::Identity();  ///< R⁻, R⁺
  Mat3 half = Mat3::Identity();                            ///< N
  Vec3 velocity = Vec3::Zero(), rate = Vec3::Zero();       ///< v̄, ω̄

  Vec3 middle() const { return 0.5 * (from + to); }
};

/// What a row does at this time.
enum class LinkRowRole : std::uint8_t {
  hold,    ///< C⁺ = wanted
  off,     ///< λ = 0
  push,    ///< λ = given: a motor that gives all it has
  rate,    ///< a motor: mean rate wanted
  spring,  ///< λ = −h (k (C̄ − C₀) + d (C⁺ − C⁻)/h)
  pull  ///< λ = −h (k C⁺ + d (2 (C⁺ − C⁻)/h − Ċ⁻)): by the end, so that no node rings however strong it is pulled
};

struct LinkRow {
  LinkRowRole role = LinkRowRole::hold;
  double wanted = 0;  ///< C⁺; of a rate (C⁺ − C⁻)/h; of a push λ; of a spring C₀
  double rate = 0;    ///< of a pull Ċ⁻
  double before = 0;  ///< C⁻
  double now = 0;     ///< C⁺
  double ratio = 1;   ///< of a turn: of the rate of C to that of the bodies
  double told = 0;    ///< Ċ by what is told alone, of bodies that stand (LinkRows::rated)
};

/// Of a joint with memory: its rows in this sub-step.
struct LinkRows {
  int count = 0;
  std::array<LinkRow, kMostLinkRows> row;
  int limit = -1, motor = -1;                           ///< number of that row
  Vec3 place_a = Vec3::Zero(), place_b = Vec3::Zero();  ///< as of the joint; of a lead it may go along
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();      ///< x⁻ of these
  double angle = 0;                                     ///< C⁻ of the turn, for the whole turns in it
  /// Where places and axes are at the start, where they move on their bodies.
  bool goes = false;
  Vec3 from_a = Vec3::Zero(), from_b = Vec3::Zero();
  Mat3 frame_from = Mat3::Identity();
  double least_goes = 0, most_goes = 0;  ///< how far limits, or the length of a rope, do
  /// Bodies stand: how fast places and axes move on them, per second.
  bool rated = false;
  JointRates rates = {};  ///< in the axes of the bodies
};

/// −∂λ/∂((C⁺ − C⁻)/h) of the rows of a pull.
inline double pull_answer(const ModelJoint& joint, double h) { return h * (h * joint.stiffness + 2 * joint.damping); }
/// Sets count, limit and motor, all rows to `hold` of 0 (springs: spring), C⁻ of each from how the bodies stand at the start.
void begin_rows(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double angle, LinkRows& rows);
/// Blocks and C⁺ from the bodies as they move now. `forces_a`, `forces_b`: Σ λ act is added.
void make_rows(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double h, const LinkValues& impulse,
               LinkRows& rows, LinkBlocks& out, LinkValues& residual, Vec6& forces_a, Vec6& forces_b);
/// The same of three rows that hold a place (LinkBlocks::ball); `derivatives`: else only levers, C⁺ and forces.
void make_ball(const LinkBody& a, const LinkBody& b, double h, bool derivatives, const LinkValues& impulse,
               LinkRows& rows, BallBlocks& out, LinkValues& residual, Vec6& forces_a, Vec6& forces_b);
/// Of bodies that stand: G, C.
void stand_ball(const LinkBody& a, const LinkBody& b, LinkRows& rows, BallBlocks& out);
/// The turn of a hinge as a row: torque `axis` on b and −axis on a, its angle in the end and how that moves with ω̄ of each.
struct HingeTurn {
  Vec3 axis, by_a, by_b;
  double now = 0;
  double ratio = 1;
};
HingeTurn hinge_turn(const ModelJoint& joint, const LinkBody& a, const LinkBody& b, double h, const LinkRows& rows);
/// Angle of b against a about z, as near to `near` as whole turns allow.
double turn_of(const Mat3& frame_a, const Mat3& frame_b, const Mat3& a, const Mat3& b, double near);

}  // namespace hazumi
