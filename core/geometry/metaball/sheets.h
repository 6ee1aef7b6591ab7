// Which cells share a cut edge, and which of a cell's edges belong to one sheet of surface: the first half of
// contour.h.
#pragma once

#include <span>
#include <vector>

#include "core/geometry/metaball/contour.h"

namespace hazumi::metaball {

inline constexpr std::uint32_t kNoVertex = 0xffffffffu;

struct CellRef {
  std::int32_t block = -1, leaf = -1;
  friend auto operator<=>(const CellRef&, const CellRef&) = default;
};

/// A cut minimal edge. It is kept by the lowest of the blocks whose walk meets it.
struct EdgeRecord {
  std::array<CellRef, 4> ring;  ///< counter-clockwise seen from the axis' high end, from (−, −) along the next two axes
  std::array<std::uint32_t, 4> vertex{kNoVertex, kNoVertex, kNoVertex, kNoVertex};  ///< of cells with several loops
  std::array<std::uint32_t, 4> between{kNoVertex, kNoVertex, kNoVertex,
                                       kNoVertex};  ///< on the face between ring[k] and ring[k+1],
                                                    ///< where there are several pairs; kept by
                                                    ///< the lower cell's block
  std::uint32_t crossing = 0;                       ///< in the tree of ring[smallest]
  std::uint8_t axis = 0, smallest = 0;
  /// Of an edge that is cut on both sides of a ridge: 1 below it, 2 above, in this order; each is a record of its own. 0: cut once.
  std::uint8_t side = 0;
  bool low_inside = false;
  bool dead = false;  ///< one of its cells has been divided since
  bool fan = false;   ///< the polygon is a fan: its diagonals are those of the other side's
};

struct EdgeRef {
  std::int32_t block;
  std::uint32_t edge;
  std::uint8_t slot;  ///< first of the ring that is this cell
};

/// One of several pairs on a face between two cells. It gets a vertex there when two of them join the same loops.
struct FacePair {
  EdgeRef a, b;
  std::uint8_t gap_a, gap_b;
  std::int32_t leaf;  ///< of the lower cell, whose block keeps it
  CellRef other;
  Vec3 centre;
};

struct BlockSheets {
  std::array<std::int32_t, 27> beside{};  ///< blocks around, −1 for none
  std::vector<EdgeRecord> edges;
  std::vector<std::uint32_t> across;  ///< edges with a cell of another block around them
  /// One per leaf: 0 without surface, 1 for a single loop of the cell's own edges, else 2.
  std::vector<std::uint8_t> kind;
  /// Leaves of kind 2, each with its edges; loop[i]: the entry of the same cell that stands for the loop of
  /// entry i.
  struct Many {
    std::int32_t leaf;
    std::uint32_t first, count;
  };
  std::vector<Many> many;
  std::vector<EdgeRef> entries;
  std::vector<std::uint32_t> loop;
  std::vector<FacePair> pairs;
  std::vector<CellRef> marks;  ///< leaves to divide
  bool stale_loops = true;

  /// What the last division changed: leaves and nodes from these numbers on are new, `path` marks the groups
  /// of nodes above them.
  std::size_t new_leaf = 0, new_node = 0;
  std::vector<std::uint8_t> path;
  std::size_t new_edge = 0;            ///< edges from here on were added since
  std::vector<std::int32_t> affected;  ///< leaves whose edges changed
};

class Sheets {
 public:
  explicit Sheets(const std::vector<BlockTree>& blocks) : blocks_(blocks), work_(blocks.size()) {}

  BlockSheets& work(std::int32_t b) { return work_[static_cast<std::size_t>(b)]; }
  const BlockSheets& work(std::int32_t b) const { return work_[static_cast<std::size_t>(b)]; }
  std::vector<BlockSheets>& all() { return work_; }
  const Tree& tree(std::int32_t b) const { return *blocks_[static_cast<std::size_t>(b)].tree; }
  const Leaf& leaf(const CellRef& c) const { return tree(c.block).leaves[static_cast<std::size_t>(c.leaf)]; }
  EdgeRecord& edge(const EdgeRef& e) { return work(e.block).edges[e.edge]; }
  const Crossing& crossing(const EdgeRecord& e) const { return tree(e.ring[e.smallest].block).crossings[e.crossing]; }
  /// Low corner, in units, in the object's frame.
  std::int64_t corner(const CellRef& c, std::size_t k) const {
    return blocks_[static_cast<std::size_t>(c.block)].at[k] * kBlockUnits + leaf(c).low[k];
  }

  void find_beside(std::int32_t b);
  /// Finds the block's edges, and marks cells more than twice the size of a cut edge beside them.
  void find_edges(std::int32_t b);
  /// Says that these leaves, whose tree had so many leaves and nodes, have been divided. No leaves: nothing
  /// changed.
  void note_division(std::int32_t b, std::size_t leaves, std::size_t nodes, std::span<const std::int32_t> divided);
  /// The same as find_edges after the divisions noted last: only what they touch is walked.
  void update_edges(std::int32_t b);
  /// Leaves out edges that are cut twice where nothing else is cut in the cells around: a bead of what is thinner still. Returns
  /// whether there were any; loops are stale then.
  bool drop_beads(std::int32_t b);
  /// Which loop of a cell one of its edges belongs to: a number, for comparing.
  std::uint32_t loop_of(const CellRef& c, const EdgeRef& e) const;
  /// How many edges the loop has.
  std::uint32_t loop_size(const CellRef& c, std::uint32_t loop) const;
  /// Finds the sheets of the block's cells (or only of the affected ones), whoever keeps their edges, and
  /// marks cells proved simple with several.
  void find_loops(std::int32_t b, bool only_affected);

 private:
  struct Node {
    std::int32_t block, value;  ///< as Tree::nodes
  };
  struct Link {
    CellRef other;
    std::uint32_t entry;  ///< which edge of the cell
    std::uint8_t gap;     ///< between ring[gap] and ring[gap + 1]
    std::int64_t turn;    ///< place along the face's border, for sorting
    bool inside_after;
  };

  Node root(std::int32_t b) const { return {b, tree(b).nodes[0]}; }
  Node part(const Node& n, int c) const {
    return n.value < 0 ? n : Node{n.block, tree(n.block).nodes[static_cast<std::size_t>(n.value + c)]};
  }
  /// Whether leaves below are new.
  bool changed(const Node& n) const {
    const BlockSheets& w = work(n.block);
    if (n.value < 0) return static_cast<std::size_t>(-2 - n.value) >= w.new_leaf;
    const auto first = static_cast<std::size_t>(n.value);
    return first >= w.new_node || (!w.path.empty() && w.path[first / 8]);
  }
  template <bool kAll>
  void walk_block(std::int32_t b, BlockSheets& w) const;
  template <bool kAll>
  void walk_cell(const Node& n, BlockSheets& w) const;
  template <bool kAll>
  void walk_face(int axis, const Node& low, const Node& high, BlockSheets& w) const;
  template <bool kAll>
  void walk_edge(int axis, const std::array<Node, 4>& ring, BlockSheets& w) const;
  void add_twice(int axis, const std::array<Node, 4>& ring, const Leaf* const leaves[4], std::int32_t size,
                 BlockSheets& w) const;
  void add_edge(int axis, const std::array<Node, 4>& ring, BlockSheets& w) const;

  template <class Take>
  void each_edge_of(std::int32_t b, const Take& take) const;
  void gather_links(const CellRef& self, const EdgeRef* edges, std::uint32_t count, std::vector<Link>& links);
  void pair_around_face(const CellRef& self, const EdgeRef* edges, std::vector<Link>& links, std::size_t begin,
                        std::size_t end);
  void add_pairs(BlockSheets& w, std::int32_t l, const EdgeRef* edges, const std::vector<Link>& links,
                 std::size_t begin, std::size_t end);

  const std::vector<BlockTree>& blocks_;
  std::vector<BlockSheets> work_;
};

}  // namespace hazumi::metaball
