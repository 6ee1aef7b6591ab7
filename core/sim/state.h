// Everything the next step reads, and nothing else. Plain data: copying it is saving it, assigning it is restoring.
// Continuing from a restored state equals never having stopped, bit for bit. Each struct lists its members once (archive.h);
// what is new in a run gets a block of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/math/types.h"
#include "core/sim/constraint/memory.h"

namespace hazumi {

struct BodyState {
  /// Rigid: c(3) q wxyz(4) P(3) L(3); point: x(3) v(3); fixed: empty; flexible: what its solver wants.
  std::vector<double> values;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("values", self.values);
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
  std::int64_t substep = 0;         ///< time = substep × h, never accumulated
  std::vector<BodyState> bodies;    ///< in the order of Model::bodies (ascending id)
  std::vector<RowMemory> rows;      ///< of contacts, ascending key
  std::vector<PairMemory> pairs;    ///< ascending (body_a, body_b)
  std::vector<JointMemory> joints;  ///< in the order of Model::joints, as far as they remember
  MotionState motion;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive.block("bodies", [&](auto& block) {
      block("substep", self.substep);
      block("bodies", self.bodies);
    });
    archive.block("rows", [&](auto& block) {
      block("rows", self.rows);
      block("pairs", self.pairs);
    });
    archive.block("joints", [&](auto& block) { block("joints", self.joints); });
    archive.block("motion", [&](auto& block) { block("motion", self.motion); });
  }
};

std::uint64_t hash(const State& state);
std::size_t memory_use(const State& state);  ///< bytes
/// Flat bytes, little endian, in named blocks; restore gives back an equal state, or says why not and leaves its argument alone.
std::vector<std::uint8_t> save(const State& state);
Status restore(std::span<const std::uint8_t> bytes, State& state);

}  // namespace hazumi
