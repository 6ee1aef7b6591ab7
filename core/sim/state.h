// Everything the next step reads, and nothing else. Plain data: copying it is saving it, assigning it is restoring.
// Continuing from a restored state equals never having stopped, bit for bit. Each struct lists its members once (archive.h);
// what is new in a run gets a block of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/math/types.h"

namespace hazumi {

struct BodyState {
  /// Rigid: c(3) q wxyz(4) P(3) L(3); point: x(3) v(3); fixed: empty; flexible: what its solver wants.
  std::vector<double> values;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("values", self.values);
  }
};

/// Where an impulse acts on one body, so that the place can be found again when the body has moved on.
struct ContactAnchor {
  enum Kind : std::uint32_t {
    body_axes,   ///< offset from the centre of mass, turns with the body
    world_axes,  ///< offset from the centre of mass, keeps its direction (the lowest point of a rolling ball)
    nodal,       ///< Σ weight · node + offset in the body frame (flexible)
  };
  std::uint32_t kind = body_axes;
  std::array<std::uint32_t, 3> nodes = {0, 0, 0};
  std::array<double, 3> weights = {0, 0, 0};  ///< sum 1
  Vec3 offset = Vec3::Zero();                 ///< m

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("kind", self.kind);
    archive("nodes", self.nodes);
    archive("weights", self.weights);
    archive("offset", self.offset);
  }
};

/// One of the places over which a pulse is spread.
struct PulsePoint {
  double share = 1;  ///< of the impulse; the shares of a pulse sum to 1
  ContactAnchor a, b;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("share", self.share);
    archive("a", self.a);
    archive("b", self.b);
  }
};

/// One open Hertz pulse between two bodies (region of contact): contact/hertz.h, contact/impact.h.
struct ContactPulse {
  std::uint32_t body_a = 0, body_b = 0;  ///< numbers in Model::bodies, a < b
  std::uint64_t region = 0;
  std::int64_t start_substep = 0;
  double duration = 0;         ///< s, T_max
  double impulse = 0;          ///< N s, whole pulse
  double elapsed = 0;          ///< s already delivered
  double peak_force = 0;       ///< N, F_max of the exact-impulse sine; physical read-out in the run log
  double rebound_speed = 0;    ///< m/s, e v0: the bodies are not driven apart faster than this
  double friction = 0;         ///< Coulomb μ of the pair
  double depth = 0;            ///< m, how far the bodies may sink into each other while it is open
  double deformation = 0;      ///< share θ of the impulse that drives the deformation of flexible bodies
  double energy_left = 0;      ///< J that may still go into deformation
  Vec3 normal = Vec3::Zero();  ///< world, from b to a
  std::vector<PulsePoint> points;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("body_a", self.body_a);
    archive("body_b", self.body_b);
    archive("region", self.region);
    archive("start_substep", self.start_substep);
    archive("duration", self.duration);
    archive("impulse", self.impulse);
    archive("elapsed", self.elapsed);
    archive("peak_force", self.peak_force);
    archive("rebound_speed", self.rebound_speed);
    archive("friction", self.friction);
    archive("depth", self.depth);
    archive("deformation", self.deformation);
    archive("energy_left", self.energy_left);
    archive("normal", self.normal);
    archive("points", self.points);
  }
};

/// Impulses of the resting contacts of the step before: they are the supporting forces of the next one (warm start).
struct RestingImpulse {
  std::uint64_t key = 0;                            ///< feature pair: contact/contact.h
  double normal = 0, tangent_u = 0, tangent_v = 0;  ///< N s, along `direction` and its two tangents
  Vec3 direction = Vec3::Zero();                    ///< world, from b to a
  std::uint32_t body_a = 0, body_b = 0;
  ContactAnchor a, b;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("key", self.key);
    archive("normal", self.normal);
    archive("tangent_u", self.tangent_u);
    archive("tangent_v", self.tangent_v);
    archive("direction", self.direction);
    archive("body_a", self.body_a);
    archive("body_b", self.body_b);
    archive("a", self.a);
    archive("b", self.b);
  }
};

/// Of one event of the director.
struct EventState {
  bool armed = false;
  std::int64_t count = 0;  ///< how often it has happened
  std::int64_t last = -1;  ///< sub-step in which it happened last

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("armed", self.armed);
    archive("count", self.count);
    archive("last", self.last);
  }
};

struct RunningProcedure {
  std::uint32_t place = 0;  ///< number in the director
  std::int64_t start = 0;   ///< sub-step

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("place", self.place);
    archive("start", self.start);
  }
};

/// What a director remembers (director.h); empty without one.
struct MotionState {
  std::vector<EventState> events;         ///< in the director's order
  std::vector<RunningProcedure> running;  ///< in the order in which they began

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("events", self.events);
    archive("running", self.running);
  }
};

struct State {
  std::int64_t substep = 0;             ///< time = substep × h, never accumulated
  std::vector<BodyState> bodies;        ///< in the order of Model::bodies (ascending id)
  std::vector<ContactPulse> pulses;     ///< ordered by (body_a, body_b, region, start)
  std::vector<RestingImpulse> resting;  ///< ascending key
  MotionState motion;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive.block("bodies", [&](auto& block) {
      block("substep", self.substep);
      block("bodies", self.bodies);
    });
    archive.block("rows", [&](auto& block) {
      block("pulses", self.pulses);
      block("resting", self.resting);
    });
    archive.block("motion", [&](auto& block) { block("motion", self.motion); });
  }
};

std::uint64_t hash(const State& state);
std::size_t memory_use(const State& state);  ///< bytes
/// Flat bytes, little endian, in named blocks; restore gives back an equal state, or says why not and leaves its argument alone.
std::vector<std::uint8_t> save(const State& state);
Status restore(std::span<const std::uint8_t> bytes, State& state);

}  // namespace hazumi
