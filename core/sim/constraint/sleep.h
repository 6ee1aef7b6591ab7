// Islands at rest sleep: they cost nothing until something comes near.
//
// Falls asleep   an island of flexible and of free rigid bodies, with what joints hold together of these, nothing in which is faster than `kStill`, at the start and at the end of
//                one sub-step, and which its overlaps have not moved: forces balance to 2 kStill/h (5e-5 of g at 240 Hz), springs with
//                them. What little velocity there is goes; energy can only fall by it. It is in the state: kAsleep in the memory of its
//                rows, momenta of nought.
// A linkage sleeps that something of it touches: no motor, lead, pull, pin or what deforms is in it, and its joints hold as before.
// Sleeps         as long as no force but gravity is given to one of its bodies, all that it touches is there, what is led of that stays
//                where it is, and no box of what is awake and moves meets the box of one of its bodies. Its bodies, rows and pairs stay as they are, bit by bit.
// Wakes          as a whole, with the λ that held it.
// Small islands are solved to 1e-10 m/s, large ones to what their sweeps leave; so the speeds differ.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "core/sim/model.h"
#include "core/sim/state.h"

namespace hazumi {

inline constexpr std::uint64_t kAsleep = 2;                   // in RowMemory::unloading
inline constexpr double kStill = 1e-8, kStillInLarge = 1e-6;  // m/s, of every place of a body

/// Which joints that remember hold now, into `holding`; bodies of those that drive, are told to hold otherwise, or have just begun or
/// ceased to hold, are told so (BodyForces::held).
void note_joints(const Model& model, const State& state, const JointDrives& told, std::span<BodyForces> forces,
                 std::vector<char>& holding);

class Sleep {
 public:
  /// Which bodies sleep at the start of a sub-step; `forces`: what the director gives; `holding`: which joints hold now.
  void find(const Model& model, const State& start, std::span<const BodyForces> forces, std::span<const char> holding);
  bool any() const { return any_; }
  /// Nothing else moves.
  bool all() const { return any_ && awake_ == 0; }
  bool of(std::size_t body) const { return asleep_[body] != 0; }
  std::span<const char> bodies() const { return asleep_; }
  /// What is awake and may be meeting what sleeps: these islands wake. True where there are any.
  bool wake(std::span<const std::pair<std::uint32_t, std::uint32_t>> near);
  /// Memory of what sleeps as it was, and whom it touches.
  void keep(const State& start, std::vector<RowMemory>& rows, std::vector<PairMemory>& pairs) const;
  void touching(const Model& model, const State& start, std::vector<std::pair<Id, Id>>& out) const;

 private:
  std::uint32_t root(std::uint32_t body);
  bool holds(const RowMemory& row) const;
  void find_kinds(const Model& model, const State& start, std::span<const BodyForces> forces);
  void join(const Model& model, std::span<const char> holding);
  void unite(std::uint32_t a, std::uint32_t b);
  bool moves(std::uint32_t body) const { return kind_[body] != Kind::stands; }

  enum class Kind : char { free, stands, led };  // led: and moves in this sub-step
  std::vector<Kind> kind_;                       ///< per body
  std::vector<double> led_to_;                   ///< scratch
  std::vector<char> asleep_;                     ///< per body
  std::vector<std::uint32_t> parent_;            ///< per body: of its island, as far as it sleeps
  bool any_ = false;
  std::size_t awake_ = 0;  ///< bodies that are there and could move
};

}  // namespace hazumi
