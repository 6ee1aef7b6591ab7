// Procedures that are processed geometrically (thesis 4.1, figure 4.6): while nothing but what they are about touches a body, it is led along
// a path in closed form. What it meets it meets dynamically: that sub-step is made again without the path (Director::give_way), so that
// all collisions, their events and what others feel are those of physics.
//
//   p, v, ω   place, velocity and spin of the centre of mass where a path begins, m, m/s, rad/s, world;   t   s since then
//   a         acceleration, gravity as the procedure says, m/s²
//   n         normal of what it touches; N = −a·n, m/s²;   a_t = a + N n
//   e, μ      restitution, friction;   ρ   radius of a round body, m;   κ = I/(m ρ²) about the axis that it rolls about
//
//   flight    p + v t + ½ a t²,   ω as it is (of what is not round, too: it turns about one axis)
//   bounce    at τ, d + n·v τ + ½ n·a τ² = 0 of the gap d:   n·v⁺ = −e n·v⁻;   along n's plane the slip s = v_t − ρ ω×n loses
//             min(μ (1 + e) |n·v⁻|, |s|/(1 + 1/κ)) of speed in v, and as much spin as that impulse at ρ gives;  apexes go by e²
//   ground    slipping, s = |s| ŝ:   v = v_t + (a_t − μ N ŝ) t,   until T = |s|/(μ N (1 + 1/κ) − a_t·ŝ);
//             then rolling without slip, ω = n×v/ρ,   v = v(T) + a_t/(1 + κ) (t − T).   What is not round slides (1/κ = 0) and stops at T
//   landing   it stays where it comes down:   v = v_t (1 − t/T), ω = ω (1 − t/T), T = max(|v_t|, ρ |ω|)/(μ N)
//
// A path is of a rigid body or point without joints and pins, on things that do not move. What bends keeps to physics, whose flight of
// the centre is the same parabola, and has Squash for its contact.
#pragma once

#include "core/motion/kinds.h"

namespace hazumi {

struct GeometricLaw {
  enum class Ground { none, slides, lands };
  Vec3 acceleration = Vec3::Zero();   ///< m/s²
  bool flies = false;                 ///< a path through the air is led
  bool at_once = false;               ///< … from where its first sub-step begins
  std::optional<double> restitution;  ///< it bounces
  double until = 0;                   ///< m/s: slower than that it does not
  double friction = 0;
  Ground ground = Ground::none;
};

/// Doubles that a path remembers.
inline constexpr std::size_t kPathMemory = 17;

/// A procedure that runs.
struct GeometricPath {
  const ProcedureKind& kind;
  const MotionContext& context;
  const RunningProcedure& own;
};

/// It is processed geometrically, and its body can be led by a path.
bool follows_path(const ProcedureKind& kind, const MotionContext& context);
/// Why a body cannot, behind its name: "bends"; empty: it can.
std::string_view no_path(const Model& model, std::size_t body);

// `memory`: of the path, kPathMemory doubles.

/// As it starts, by a collision or not.
void begin_path(const GeometricPath& path, std::span<double> memory);
/// Where it leads its body in the sub-step that comes; nothing: physics has it.
std::optional<Lead> lead_on_path(const GeometricPath& path, std::span<const double> memory);
/// The sub-step that was must be made again without it.
bool gives_way(const GeometricPath& path, std::span<const double> memory, const StepReport& report);
/// After the sub-step that was.
void follow_path(const GeometricPath& path, std::span<double> memory, const StepReport& report);

/// It is led along what it touches; s, for how long it slips yet, at most 0: no longer.
std::optional<double> slips_for(const GeometricPath& path, std::span<const double> memory);
/// Anything touches it in the sub-step that was.
bool touches_anything(const MotionContext& context, const StepReport& report);

}  // namespace hazumi
