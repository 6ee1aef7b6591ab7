// Contacts of an island given by its parts (cone.h), four pairs of bodies side by side: what one row after the other waits for, four do
// at once. The same is reckoned for a row as ConeSolve::contact_next and ConeParts reckon, in the same order of operations.
//
//   pair    rows of the same two bodies that follow each other in the island. One after the other in their lane
//   batch   up to four pairs no two of which share a body that moves. A pair is put in the first that has a lane free after the batches of
//           all pairs before it that share a body with it: what a sweep finds is what it would find row after row, and so it settles as
//           fast. (Colours, which fill the lanes better, leave twice as much of a pile after as many passes.) Lanes and rows that stay
//           empty have zeros, and hold a body that is nobody's
//
// Pairs and batches depend on the rows and their order alone: the same island gives the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/clones.h"
#include "core/sim/constraint/cone_parts.h"

namespace hazumi {

class ConeLanes {
 public:
  /// A contact as its lane reads it. Units: cone.h.
  struct Contact {
    std::uint32_t row = 0;
    Vec3 normal, w_n, free;
    double least = 0, friction = 0;
    double spread = 0, spread_t = 0;  ///< 1/w, 1/w_t; 0: none
    double weight = 0, mobility = 0;  ///< tr W_ii; w
  };

  void lay(std::span<const Contact> contacts, const ConeParts& parts);
  /// λ of the lanes from that of the island's rows, and back.
  void take(std::span<const Vec3> impulse);
  void give(std::span<Vec3> impulse) const;
  /// x: two Vec3 a part, and two more that stay zero. The greatest change of a row, m/s.
  double sweep(bool back, std::span<Vec3> x);

  /// What ConeSolve::by_momentum does with λ between passes: λ is kept as it is; Σ tr W_ii (kept − λ)·(λ − last); λ + share (λ − last), and λ
  /// becomes the last.
  void keep();
  double along() const;
  void lead(double share);
  void start();  ///< the last ← λ
  std::size_t bytes() const;

 private:
  struct alignas(32) Lanes {  ///< one row of each of a batch's pairs
    Four normal[3], w_n[3], free[3], arm_a[3], arm_b[3];
    Four least, friction, spread, spread_t, mobility;
  };
  struct alignas(32) Batch {
    std::uint32_t begin = 0, end = 0;  ///< of lanes_
    std::uint32_t a[4], b[4];          ///< where the body's velocities begin in x, in doubles
    Four mass_a, mass_b;               ///< inverse
    Four inertia_a[6], inertia_b[6];   ///< inverse: xx, xy, xz, yy, yz, zz
  };
  struct alignas(32) Impulses {
    Four along[3];
  };
  struct Pair {
    std::uint32_t begin = 0, end = 0;  ///< of the contacts
    std::uint32_t batch = 0;
  };

  void find_pairs(std::span<const Contact> contacts, const ConeParts& parts);
  std::uint32_t first_open(std::uint32_t batch);
  void add_batch(std::span<const Pair> pairs, std::span<const Contact> contacts, const ConeParts& parts);
  static double run(const Batch* batches, std::ptrdiff_t count, std::ptrdiff_t way, const Lanes* lanes,
                    Impulses* impulses, double* x);

  std::vector<Lanes> lanes_;
  std::vector<Batch> batches_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> after_;  // of a body: the batch after its last pair
  std::vector<std::uint32_t> lanes_of_,
      open_;  // of a batch: how many are taken; the first from there on with a lane free, or one on the way
  std::vector<std::uint32_t> row_;  // of each lane, four for each of lanes_; kNone: empty
  std::vector<double> weight_;      // four for each
  std::vector<Impulses> impulse_, kept_, last_;
};

}  // namespace hazumi
