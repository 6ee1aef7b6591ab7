// How a large symmetric matrix of 3×3 blocks is eliminated in dense fronts (Duff and Reid 1983): which nodes at once, in which order, and
// where their numbers go. Constant; spring_fronts.h computes with it.
//
//   front    a set of nodes that are eliminated together (its columns), and the nodes that they then join (its rows)
//   panel    their columns of L: column-major, columns first, then rows, `lead` numbers from column to column
//   rest     what a front leaves for its rows (a Schur complement), lower triangle, added to the front that eliminates the first of them
//
// Order: nested dissection by where the nodes are at rest (George 1973): halves along the longest side, what joins them last. Of a sheet of
// n nodes that is O(n^1.5) products where minimum degree has more (60 × 60 squares: 1.8 against 3.3 million blocks). Fronts that nearly
// have the rows of the one above are joined with it (Ashcraft and Grimes 1989): dense sums are quicker than the zeros are dear.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/math/types.h"

namespace hazumi {

struct Front {
  std::uint32_t first = 0;                ///< column, in the order of elimination
  std::uint32_t columns = 0, rows = 0;    ///< nodes
  std::uint32_t lead = 0, rest_lead = 0;  ///< numbers from column to column
  std::uint32_t row = 0;                  ///< in FrontPlan::row
  std::uint32_t edge = 0, edges = 0;      ///< in FrontPlan::edge
  std::uint32_t run = 0, runs = 0;        ///< in FrontPlan::run: where its rows are in the front above
  std::uint32_t child = 0, children = 0;  ///< in FrontPlan::child
  std::size_t panel = 0, rest = 0;        ///< numbers before it
};

/// An edge between two nodes of a front, the lower of them a column of it: places in the front, the lower first.
struct FrontEdge {
  std::uint32_t edge = 0;
  std::uint32_t column = 0, row = 0;
};

/// Rows of a front that lie side by side in the front above.
struct FrontRun {
  std::uint32_t from = 0, to = 0, count = 0;
};

struct FrontPlan {
  std::vector<Front> fronts;  ///< in the order of elimination
  std::vector<std::uint32_t>
      order;                       ///< node of each place in the order of elimination; nodes that are held are in none
  std::vector<std::uint32_t> row;  ///< places, ascending
  std::vector<FrontEdge> edge;
  std::vector<FrontRun> run;
  std::vector<std::uint32_t> child;
  std::size_t panels = 0, rests = 0;  ///< numbers, in all
  double products = 0;                ///< of blocks, counted with the zeros

  using Ends = std::pair<std::uint32_t, std::uint32_t>;
  /// Of the nodes at `places` that are not `held`, joined by `edges`.
  static FrontPlan make(std::span<const Vec3> places, std::span<const Ends> edges, const std::vector<char>& held);
};

}  // namespace hazumi
