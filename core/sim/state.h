// Everything the next step reads, and nothing else. Plain data: copying it is saving it, assigning it is restoring.
// Continuing from a restored state equals never having stopped, bit for bit. Each struct lists its members once (archive.h);
// what is new in a run gets a block of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/id.h"
#include "core/base/result.h"
#include "core/math/types.h"
#include "core/sim/constraint/memory.h"
#include "core/sim/particles/memory.h"

namespace hazumi {

struct BodyState {
  /// Rigid: c(3) q wxyz(4) P(3) L(3); point: x(3) v(3); fixed: empty; flexible: what its solver wants.
  std::vector<double> values;

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("values", self.values);
  }
};

/// Of an event of the director that has been armed: a box of a motion graph, for one of its objects.
struct EventState {
  Id box, object;
  bool armed = false;
  bool holds = false;      ///< what it waits for held when it was last looked at: it must not, before it happens again
  std::int64_t count = 0;  ///< how often it has happened
  std::int64_t last = -1;  ///< sub-step in which it happened last
  double since = 0;        ///< sub-steps, with their parts, after which it was armed last
  double memory = 0;       ///< its kind's own, 0 when it is armed
  std::int64_t crowd = 0;  ///< how often it has happened in the frame of `last`

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("box", self.box.value);
    archive("object", self.object.value);
    archive("armed", self.armed);
    archive("holds", self.holds);
    archive("count", self.count);
    archive("last", self.last);
    archive("since", self.since);
    archive("memory", self.memory);
    archive("crowd", self.crowd);
  }
};

struct RunningProcedure {
  Id box, object;
  std::int64_t start = 0;      ///< sub-step from which on it tells its body something
  bool done = false;           ///< it is over, and goes on saying what it said last until another one takes over
  Id by;                       ///< what it was started by touching; none: nothing
  std::vector<double> values;  ///< its parameters as it was started, and behind them what its kind remembers

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("box", self.box.value);
    archive("object", self.object.value);
    archive("start", self.start);
    archive("done", self.done);
    archive("by", self.by.value);
    archive("values", self.values);
  }
};

struct EndedProcedure {
  Id box, object;
  std::int64_t substep = 0;  ///< in which it ended last

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("box", self.box.value);
    archive("object", self.object.value);
    archive("substep", self.substep);
  }
};

/// What a director let be seen or heard of the film: a cut to a camera, or a sound that begins.
struct FilmCue {
  Id thing;
  double time = 0;  ///< s of the film
  double gain = 1;  ///< of a sound

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("thing", self.thing.value);
    archive("time", self.time);
    archive("gain", self.gain);
  }
};

/// What a director keeps beside a state, to look at less of it. All of that follows from the state: it is in no hash and no bytes, and
/// changes no bit of a run.
struct DirectorNotes {
  virtual ~DirectorNotes() = default;
};

/// They belong to one state, which its director alone changes: a copy has none, nor has what something else is copied into.
struct OwnNotes {
  std::unique_ptr<DirectorNotes> notes;

  OwnNotes() = default;
  OwnNotes(const OwnNotes&) {}
  OwnNotes(OwnNotes&&) noexcept = default;
  OwnNotes& operator=(const OwnNotes&) {
    notes.reset();
    return *this;
  }
  OwnNotes& operator=(OwnNotes&&) noexcept = default;
  ~OwnNotes() = default;
};

/// What a director remembers (director.h); empty without one. What was never armed and never ran is not in it, so that boxes which
/// come and go unread leave no trace.
struct MotionState {
  std::vector<EventState> events;         ///< ascending by (box, object)
  std::vector<RunningProcedure> running;  ///< in the order in which they began
  std::vector<EndedProcedure> ended;      ///< ascending by (box, object)
  std::vector<FilmCue> cues;              ///< all that there were, in order of their time
  OwnNotes own;                           ///< no part of the state

  template <class Self, class Archive>
  static void visit(Self& self, Archive& archive) {
    archive("events", self.events);
    archive("running", self.running);
    archive("ended", self.ended);
    archive("cues", self.cues);
  }
};

struct State {
  std::int64_t substep = 0;         ///< time = substep × h, never accumulated
  std::vector<BodyState> bodies;    ///< in the order of Model::bodies (ascending id)
  std::vector<RowMemory> rows;      ///< of contacts, ascending key
  std::vector<PairMemory> pairs;    ///< ascending (body_a, body_b)
  std::vector<JointMemory> joints;  ///< in the order of Model::joints, as far as they remember
  MotionState motion;
  std::vector<ParticleMemory> particles;  ///< of the sources, in ascending id

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
    archive.block("particles", [&](auto& block) { block("particles", self.particles); });
  }
};

std::uint64_t hash(const State& state);
std::size_t memory_use(const State& state);  ///< bytes
/// Flat bytes, little endian, in named blocks; restore gives back an equal state, or says why not and leaves its argument alone.
std::vector<std::uint8_t> save(const State& state);
Status restore(std::span<const std::uint8_t> bytes, State& state);

}  // namespace hazumi
