// What rows of contacts remember from sub-step to sub-step. Plain data, a block of State.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/short_list.h"
#include "core/math/types.h"
#include "core/sim/contact/key.h"

namespace hazumi {

inline constexpr std::uint64_t kGrips = 4;  ///< in RowMemory::unloading

/// Of one row (constraint/law.h).
struct RowMemory {
  ContactKey key;               ///< feature pair
  double exit = 0;              ///< Q, m/s: it leaves with this
  double recoverable = 0;       ///< R, J: what it took and may still give back
  std::uint64_t unloading = 0;  ///< 1: it has begun to leave; 2: sleeps (sleep.h); 4: grips (island_yield.cpp)
  Vec3 impulse = Vec3::Zero();  ///< λ, N s, world: where the next solve begins

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("bodies", self.key.bodies);
    archive("feature", self.key.feature);
    archive("exit", self.exit);
    archive("recoverable", self.recoverable);
    archive("unloading", self.unloading);
    archive("impulse", self.impulse);
  }
};

/// Contacts of a pair that look the same way, as long as what happens there counts as one collision.
struct RegionMemory {
  Vec3 normal = Vec3::Zero();  ///< world, from b to a
  std::int64_t until = 0;      ///< sub-step up to which another touch there is no new collision

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("normal", self.normal);
    archive("until", self.until);
  }
};

/// A collision of a pair that is done as a sine pulse (constraint/pulse.h), until the two are out of each other again.
struct PulseMemory {
  Vec3 normal = Vec3::Zero();  ///< world, from b to a
  double elapsed = 0;          ///< s since the touch; more than it lasts: over, but still in each other
  double duration = 0;         ///< s, T
  double impulse = 0;          ///< N s, of the whole pulse
  double owed = 0;             ///< N s that the sub-steps so far should have given and did not
  double mobility = 0;         ///< 1/kg, n₁
  double exit = 0;             ///< m/s, e v₀: no place leaves faster
  double depth = 0;            ///< m, how deep it lets them into each other

  bool runs() const { return elapsed < duration; }

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("normal", self.normal);
    archive("elapsed", self.elapsed);
    archive("duration", self.duration);
    archive("impulse", self.impulse);
    archive("owed", self.owed);
    archive("mobility", self.mobility);
    archive("exit", self.exit);
    archive("depth", self.depth);
  }
};

inline constexpr std::int64_t kMotorAtSpeed = 2;  ///< in JointMemory::motor

/// Of one joint (linkage.h).
struct JointMemory {
  std::array<double, 8> impulse{};  ///< λ of its rows, N s and N m s: where the next solve begins
  double turn = 0;                  ///< rad, of a hinge, whole turns with it
  std::int64_t limit = 0;           ///< −1: held at its least, 1: at its most; of a rope 1: taut
  std::int64_t motor = 0;           ///< −1, 1: it gives all it has; 2: it is at its speed; 0: it has not begun
  bool broken = false;
  std::int64_t grip = kLoose;  ///< where it holds
  Vec3 place = Vec3::Zero();   ///< taken: its place on b, or on a where b deforms; of a gear x is its turn, rad
  std::array<double, 4> attitude{1, 0, 0, 0};  ///< w, x, y, z of its axes there

  static constexpr std::int64_t kLoose = 0, kAsMade = 1, kTaken = 2;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("grip", self.grip);
    archive("place", self.place);
    archive("attitude", self.attitude);
    archive("impulse", self.impulse);
    archive("turn", self.turn);
    archive("limit", self.limit);
    archive("motor", self.motor);
    archive("broken", self.broken);
  }
};

/// Of two bodies that touch: what their rows took and may give back, J (constraint/account.h).
struct PairMemory {
  std::uint32_t body_a = 0, body_b = 0;  ///< numbers in Model::bodies, a < b
  double elastic = 0;                    ///< of bounces
  double spent = 0;                      ///< by inelastic contact
  double sunk = 0;   ///< by sinking into each other, for as long as they are: pays for lifting alone
  double gift = 0;   ///< left of what was given to come out of an overlap at the start
  double given = 0;  ///< all that was given for that
  /// Taken for, or by, moving what follows a surface that curves on to where the surface is (row_curve.h): goes back into its speed.
  double turning = 0;
  ShortList<RegionMemory> regions;
  std::vector<PulseMemory> pulses;

  double sum() const { return elastic + spent + gift + turning; }  ///< what rows may work

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("body_a", self.body_a);
    archive("body_b", self.body_b);
    archive("elastic", self.elastic);
    archive("spent", self.spent);
    archive("sunk", self.sunk);
    archive("gift", self.gift);
    archive("given", self.given);
    archive("turning", self.turning);
    archive("regions", self.regions);
    archive("pulses", self.pulses);
  }
};

}  // namespace hazumi
