// Everything the next step reads, and nothing else. Plain data: copying it is saving it, assigning it is restoring.
// Continuing from a restored state equals never having stopped, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/id.h"
#include "core/math/types.h"

namespace hazumi {

struct BodyState {
  /// Rigid: c(3) q wxyz(4) P(3) L(3); point: x(3) v(3); fixed: empty; flexible: what its solver wants.
  std::vector<double> values;
};

/// One open Hertz pulse between two bodies (region of contact): contact/hertz.h.
struct ContactPulse {
  std::uint32_t body_a = 0, body_b = 0;    ///< numbers in Model::bodies, a < b
  std::uint32_t region = 0;
  std::int64_t start_substep = 0;
  double duration = 0;                     ///< s, T_max
  double impulse = 0;                      ///< N s, whole pulse
  double elapsed = 0;                      ///< s already delivered
  double peak_force = 0;                   ///< N, F_max of the exact-impulse sine; physical read-out in the run log
  Vec3 normal = Vec3::Zero();              ///< world, from b to a
  std::vector<double> anchors;             ///< what contact/ needs to spread it (points, nodes, weights)
};

/// Impulses of the resting contacts of the step before, for warm start.
struct RestingImpulse {
  std::uint64_t key = 0;                   ///< feature pair
  double normal = 0, tangent_u = 0, tangent_v = 0;  ///< N s
};

struct State {
  std::int64_t substep = 0;                ///< time = substep × h, never accumulated
  std::vector<BodyState> bodies;           ///< in the order of Model::bodies (ascending id)
  std::vector<ContactPulse> pulses;        ///< ordered by (body_a, body_b, region, start)
  std::vector<RestingImpulse> resting;     ///< ascending key
};

std::uint64_t hash(const State& state);
std::size_t memory_use(const State& state);  ///< bytes
/// Flat bytes, little endian, with a leading version; restore gives back an equal state or nothing.
std::vector<std::uint8_t> save(const State& state);
bool restore(std::span<const std::uint8_t> bytes, State& state);

}  // namespace hazumi
