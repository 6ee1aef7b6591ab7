// The frictional contact problem of one island, with joints in it.
//
//   u = c + W λ                                                     all rows at once
//   contact:   λ_n ≥ 0,  u_n ≥ b,  λ_n (u_n − b) = 0;   |λ_t| ≤ μ λ_n,  λ_t against u_t where it slips, u_t = 0 where not
//   equality:  u = b, a vector: a joint, a pin
//   turning:   of a contact: |λ_t| ≤ r λ_n', |λ_n| ≤ s λ_n' of that contact's λ', each against u where it turns, u = 0 there where not
//
//   u       velocity of a row, m/s: 3 numbers in world axes; > 0 along n separates. c: without the island's impulses
//   λ       impulse of a row, N s, world axes
//   W       3 × 3 blocks, m/s per N s: W_ij is not zero where rows i and j share a body that moves. Symmetric, positive
//           semi-definite: singular where there are more rows than freedoms, and then λ is not unique; u is, without friction
//   n, b, μ unit normal; least exit speed, m/s; friction, ≥ 0, may be above 1
//   w, w_t  n·W_ii n and the largest eigenvalue of W_ii across n, 1/kg
//
// Source: design of contacts (docs/numerics/contact-reference.md); nonsmooth conjugate gradients: Silcowitz, Niebe and Erleben,
// A nonsmooth nonlinear conjugate gradient method for interactive contact force problems, 2010. Friction is not associated:
// what slips does not lift off (u_n = b, not b + μ|u_t|).
//
//   sweep       row after row, each solved by itself with the others held: the normal first, then the block of friction with
//               w_t. Alone it does not bring a stack of ten to rest
//   gradients   the change of a sweep taken as a gradient: λ += β × the last direction, β = |change|²/|change before|² with the
//               weight tr W_ii; forgotten where β > 1. Any island
//   direct      which rows push and which slip is guessed from λ and u; the rest is one linear system with 1e-9 of its own
//               diagonal added and given back with the λ before, which makes it regular. Where a row slips,
//               the way it slips follows λ and u to first order (Newton). Then clamped, and sweeps check the guess: one, nine,
//               seventeen… At most ten guesses, six of more than kFewRows. Cost (3 × rows)³: rigid islands of up to kDirectRows, W in blocks
//   momentum    sweeps to and fro, and each begins where the way of the one before would lead (Nesterov's sequence, begun anew where that
//               way turns back). Islands given by their parts: in piles of hundreds of rows β is above 1 every other pass, and
//               gradients are no better than sweeps. Contacts go four pairs of bodies at a time (cone_lanes.h)
//   products    (cone_products.cpp) all rows at once, by what W λ says, with Nesterov's sequence. Islands whose W is an operator, whatever is asked for
// Islands with turning rows go by sweeps or gradients: W is in its blocks then.
//   automatic   direct for the small ones; momentum for those given by their parts; gradients for others, and from the λ given where the
//               guesses go round in circles. Gradients that stay unsettled in a small island, as those of a box's edges on the
//               diagonals of a soft one do (nine rows, 4e-4 m/s after 400 passes), are followed by guesses
//
// Mobility: below `least_mobility`, or 1e-14 of the island's greatest, counts as none: a row that pins hold from both sides has
// λ = 0, an equality is kept in the directions that can move. The result depends on the numbers and the order of the rows
// alone. Where a number given is not finite, or the result overflows: all λ = 0, and `finite` says so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/types.h"
#include "core/sim/constraint/cone_lanes.h"
#include "core/sim/constraint/cone_parts.h"

namespace hazumi {

struct ConeRow {
  enum Kind : std::uint8_t { contact, equality, turning };
  Kind kind = contact;
  Vec3 normal = Vec3::UnitY();   ///< contact, turning
  double friction = 0;           ///< contact: μ
  double least = 0;              ///< contact: b, m/s
  Vec3 wanted = Vec3::Zero();    ///< equality: b, m/s
  std::uint32_t of = 0;          ///< turning: number of its contact, which comes before it
  double rolling = 0, spin = 0;  ///< turning: r, s
};

/// A symmetric matrix by rows of 3 × 3 blocks; both triangles are there.
struct BlockRows {
  std::span<const std::uint32_t> start;   ///< where a row's blocks begin; one more than there are rows
  std::span<const std::uint32_t> column;  ///< of each block, ascending in a row; the diagonal is one of them
  std::span<const Mat3> block;
};

/// W that is told by what it makes of λ: of bodies whose A⁻¹ would have too many blocks.
class ConeOperator {
 public:
  virtual ~ConeOperator() = default;
  /// out ← W λ, m/s, one per row.
  virtual void product(std::span<const Vec3> impulses, std::span<Vec3> out) const = 0;
};

struct ConeIsland {
  std::span<const ConeRow> rows;
  BlockRows w;                 ///< with parts or an operator only the blocks W_ii
  std::span<const Vec3> free;  ///< c, m/s, one per row
  ConeParts parts = {};
  const ConeOperator* products = nullptr;  ///< W, in place of its blocks; contacts only
};

enum class ConeMethod : std::uint8_t { automatic, sweep, gradients, momentum, direct, products };

struct ConeOptions {
  ConeMethod method = ConeMethod::automatic;
  bool rigid = true;  ///< no flexible body in the island; for `automatic`
  double tolerance =
      1e-9;  ///< m/s: greatest change of a sweep; the guesses of `direct` may change by a hundred times that
  int most_passes = 400;      ///< of sweeps; 1,000 is good where masses differ by more than 20 times
  double least_mobility = 0;  ///< 1/kg
};

struct ConeResult {
  ConeMethod used = ConeMethod::automatic;  ///< the method that gave the result
  int guesses = 0;                          ///< linear systems of `direct`
  int passes = 0;                           ///< sweeps of the other methods
  double change = 0;                        ///< m/s, the greatest of a row in the last sweep
  bool settled = true;                      ///< to the tolerance, within the passes
  bool finite = true;
};

/// Memory of one thread, kept between solves so that they allocate nothing. Holds no state.
class ConeWorkspace {
 public:
  std::span<const Vec3> velocities() const { return u; }  ///< u of the last island, m/s, in the end
  std::size_t bytes() const;

 private:
  friend class ConeSolve;
  /// One unknown of the linear system: its equation is axis·u = value, its impulse goes along `column`.
  struct Unknown {
    std::uint32_t row = 0;
    Vec3 axis, column;
    double value = 0, hold = 0;  ///< hold: of the term that makes it regular, 1/kg
    double yield = 0;            ///< 1/kg, of an impulse beside the way it slips
    bool sideways = false;       ///< friction of a row that sticks
  };
  /// A contact as sweeps read it, all in one place.
  struct Swept {
    Vec3 normal, w_n;
    double least = 0, friction = 0;
    double spread = 0, spread_t = 0;  ///< 1/w, 1/w_t; 0: none
  };
  std::vector<Swept> swept;
  std::vector<std::uint32_t> diagonal;  // block of W_ii
  std::vector<double> w, w_t;           // mobilities; 0: none
  std::vector<Mat3> axes;               // of an equality: columns in which it can move; 0: none
  std::vector<Vec3> spread;      // of an equality: inverse mobilities along its axes; of turning: along n and across
  std::vector<Vec3> u;           // velocities
  std::vector<Vec3> x;           // of parts
  std::vector<Vec3> w_n;         // W_ii n
  std::vector<double> u_padded;  // u on the way, four numbers a row: what changes of impulses are added to
  std::vector<double> across;    // blocks W_ji of row i one after the other, by columns of four numbers
  std::vector<Vec3> before;      // λ before a sweep
  std::vector<double> moved_before;          // and u_padded or x
  std::vector<double> moved_direction;       // of gradients: what the direction makes of these
  std::vector<Vec3> direction, x_last;       // of gradients; of momentum: λ and x of the pass before
  std::vector<Vec3> w_last;                  // of products: W λ of the pass before
  std::vector<ConeLanes::Contact> contacts;  // of momentum
  std::vector<std::uint32_t> joints;
  ConeLanes lanes;
  std::vector<Vec3> next, given;  // of a guess; λ as it came
  std::vector<Unknown> unknowns;
  std::vector<std::uint32_t> first;  // of a row among the unknowns; one more than rows
  std::vector<double> matrix;        // dense, column by column, and the right-hand side as the last one
};

inline constexpr std::size_t kDirectRows = 48;
/// Where guesses cost next to nothing: ten of them, in every round.
inline constexpr std::size_t kFewRows = 16;

/// λ ← the island's impulses, from those given as a start.
ConeResult solve_cone(const ConeIsland& island, const ConeOptions& options, ConeWorkspace& workspace,
                      std::span<Vec3> impulse);

}  // namespace hazumi
