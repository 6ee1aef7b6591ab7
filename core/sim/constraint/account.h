// The account of an island: contacts may give back what they took, and nothing more (contact.md, F4 and A4).
//
// Rows take −W where W = λ·ū < 0 (J). The share r of that, e² where Q > 0, may come back as bounce (elastic), the rest was spent
// by inelastic contact. Rows that work (W > 0: a resting row, one sub-step after another) draw on spent first, then elastic,
// then the gift of an overlap at the start of the run. Σ W ≤ elastic + spent + gift at all times.
// What is taken while two bodies sink into each other (λ times the way, beyond the slop) is kept apart as long as they are, whole,
// and pays for nothing but lifting them again (sunk): what rings would spend it, or it would be forgotten, before they have come up.
// What follows a surface that curves on (row_curve.h) pays beforehand for being moved there, and has back what weight does meanwhile
// (turning): kept whole for as long as it follows.
// After each sub-step spent *= 0.9, and it holds at most ten times ½ M v² of the island at the speed of rest: enough for bodies to
// settle, too little for a body at rest to be shaken by what an impact took.
//
// Kept per pair of bodies (PairMemory), so that islands may merge and split: an island's account is the sum of its pairs'. What is
// taken is booked where it was taken, what is drawn is drawn from all pairs in proportion. A pair that has parted forgets
// `elastic` at once, and `spent` by and by.
#pragma once

#include <span>
#include <vector>

#include "core/sim/constraint/row.h"

namespace hazumi {

/// What rows of a pair took in a sub-step, J: all of it, and the parts of it that are kept apart.
struct Taken {
  double all = 0, elastic = 0, sunk = 0, turning = 0;
};

class Account {
 public:
  /// Of the rows of an island, sorted by key; `substep` is that of the state.
  void open(const Model& model, std::span<const BodyMotion> motions, std::span<const PairMemory> known,
            std::int64_t substep, std::span<const Row> rows);
  double sum() const;      ///< J, what rows may work
  double lifting() const;  ///< J, what overlaps may be taken out with
  /// Draws, `cost` > 0.
  void draw(double cost);
  /// The cost of taking overlaps out.
  void draw_lifting(double cost);
  /// W of the sub-step: what each pair took, and `work` of all.
  void book(std::span<const Taken> taken, double work);
  /// Of a pair, J that its rows have worked out of PairMemory::turning.
  void give_turning(std::uint32_t pair, double worked);
  /// J that weight gave as what follows a surface was moved there, at most.
  void take_turning(std::uint32_t pair, double gained);
  struct After {
    bool deep = false;    ///< the two are deeper in each other than what is left alone
    bool curves = false;  ///< one follows the surface of the other
  };
  void decay(double mass, double rest_speed, std::span<const After> after);

  std::vector<PairMemory> pairs;       ///< of the island, ascending
  std::vector<std::uint32_t> pair_of;  ///< of each row
};

/// Of two bodies, a < b, among pairs in ascending order; null: they had no rows.
const PairMemory* known_pair(std::span<const PairMemory> pairs, std::uint32_t a, std::uint32_t b);

/// J that two bodies which overlap by `depth` (m) when they come into being may use to come apart: of those that move, `mass` kg,
/// the weight over the overlap and what a slow parting takes. A part of the mass has that part of it.
double overlap_gift(const Model& model, double mass, double depth);

/// What is left of pairs without rows; `pairs` are those with rows, both ascending. Appends to `out`, ascending.
void merge_pairs(std::span<const PairMemory> before, std::vector<PairMemory>& pairs, std::int64_t substep,
                 std::vector<PairMemory>& out);

}  // namespace hazumi
