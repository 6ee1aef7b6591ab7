#include "core/geometry/metaball/sheets.h"

#include <algorithm>

namespace hazumi::metaball {

namespace {

/// Quadrants around an edge in ring order, along the two axes after its own.
constexpr int kU[4] = {0, 1, 1, 0}, kV[4] = {0, 0, 1, 1};

/// Number in kCellEdges by axis and lower corner.
constexpr auto kEdgeNumber = [] {
  std::array<std::array<std::uint8_t, 8>, 3> number{};
  for (std::uint8_t e = 0; e < 12; ++e) number[kCellEdges[e].axis][kCellEdges[e].corner] = e;
  return number;
}();

/// Without the processor's instruction, which not every build may use, std::popcount is a call.
int bit_count(unsigned x) {
  x = (x & 0x5555u) + (x >> 1 & 0x5555u);
  x = (x & 0x3333u) + (x >> 2 & 0x3333u);
  x = (x & 0x0f0fu) + (x >> 4 & 0x0f0fu);
  return static_cast<int>((x & 0xffu) + (x >> 8));
}

bool before(const Place& a, const Place& b) { return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]}; }

}  // namespace

const std::array<bool, 256>& single_loops() {
  static const std::array<bool, 256> table = [] {
    std::array<bool, 256> result{};
    for (unsigned inside = 1; inside < 255; ++inside) {
      std::array<int, 12> root{};
      for (int e = 0; e < 12; ++e) root[static_cast<std::size_t>(e)] = e;
      const auto top = [&](int e) {
        while (root[static_cast<std::size_t>(e)] != e) e = root[static_cast<std::size_t>(e)];
        return e;
      };
      bool plain = true;
      unsigned cut = 0;
      for (int axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 2; ++side) {
          int first = -1, count = 0;
          for (int e = 0; e < 12; ++e) {
            const CellEdge& edge = kCellEdges[static_cast<std::size_t>(e)];
            if (edge.axis == axis || (edge.corner >> axis & 1u) != side) continue;
            if (!((inside >> edge.corner ^ inside >> (edge.corner | 1u << edge.axis)) & 1u)) continue;
            cut |= 1u << e;
            ++count;
            if (first < 0)
              first = e;
            else
              root[static_cast<std::size_t>(top(e))] = top(first);
          }
          plain = plain && count <= 2;
        }
      int loops = 0;
      for (int e = 0; e < 12; ++e) loops += (cut >> e & 1u) && top(e) == e ? 1 : 0;
      result[inside] = plain && loops == 1;
    }
    return result;
  }();
  return table;
}

void Sheets::find_beside(std::int32_t b) {
  const Place& at = blocks_[static_cast<std::size_t>(b)].at;
  std::size_t k = 0;
  for (std::int64_t z = -1; z <= 1; ++z)
    for (std::int64_t y = -1; y <= 1; ++y)
      for (std::int64_t x = -1; x <= 1; ++x, ++k) {
        const Place p{at[0] + x, at[1] + y, at[2] + z};
        const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), p,
                                            [](const BlockTree& t, const Place& q) { return before(t.at, q); });
        const bool here = found != blocks_.end() && found->at == p;
        work(b).beside[k] = here ? static_cast<std::int32_t>(found - blocks_.begin()) : -1;
      }
}

void Sheets::find_edges(std::int32_t b) {
  BlockSheets& w = work(b);
  w.edges.clear();
  w.across.clear();
  walk_block<true>(b, w);
}

void Sheets::note_division(std::int32_t b, std::size_t leaves, std::size_t nodes,
                           std::span<const std::int32_t> divided) {
  BlockSheets& w = work(b);
  const Tree& own = tree(b);
  w.new_leaf = leaves;
  w.new_node = nodes;
  w.path.clear();
  if (divided.empty()) return;
  w.path.assign(own.nodes.size() / 8 + 1, 0);
  for (std::int32_t l : divided) {
    const Leaf& leaf = own.leaves[static_cast<std::size_t>(l)];
    std::int32_t first = own.nodes[0];
    for (int bit = kBlockLevels - 1; first >= 0 && static_cast<std::size_t>(first) < nodes; --bit) {
      w.path[static_cast<std::size_t>(first) / 8] = 1;
      const std::int32_t c = (leaf.low[0] >> bit & 1) | (leaf.low[1] >> bit & 1) << 1 | (leaf.low[2] >> bit & 1) << 2;
      first = own.nodes[static_cast<std::size_t>(first + c)];
    }
  }
}

void Sheets::update_edges(std::int32_t b) {
  BlockSheets& w = work(b);
  w.new_edge = w.edges.size();
  const auto divided = [&](std::int32_t n) { return n >= 0 && work(n).new_leaf < tree(n).leaves.size(); };
  if (std::none_of(w.beside.begin(), w.beside.end(), divided)) return;
  for (EdgeRecord& e : w.edges)
    e.dead = e.dead || std::any_of(e.ring.begin(), e.ring.end(), [&](const CellRef& c) { return leaf(c).size == 0; });
  walk_block<false>(b, w);
}

template <bool kAll>
void Sheets::walk_block(std::int32_t b, BlockSheets& w) const {
  walk_cell<kAll>(root(b), w);
  // Faces and edges shared with the blocks on the high sides.
  const std::size_t own = w.edges.size();
  const auto beside = [&](int steps) {  // bit k: one block on along axis k
    const std::int32_t other =
        w.beside[static_cast<std::size_t>(13 + (steps & 1) + 3 * (steps >> 1 & 1) + 9 * (steps >> 2))];
    return other < 0 ? Node{-1, -1} : root(other);
  };
  for (int axis = 0; axis < 3; ++axis) walk_face<kAll>(axis, root(b), beside(1 << axis), w);
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    walk_edge<kAll>(axis, {root(b), beside(u), beside(u | v), beside(v)}, w);
  }
  for (std::size_t e = own; e < w.edges.size(); ++e) w.across.push_back(static_cast<std::uint32_t>(e));
}

template <bool kAll>
void Sheets::walk_cell(const Node& n, BlockSheets& w) const {
  if (n.value < 0 || (!kAll && !changed(n))) return;
  Node parts[8];
  for (int c = 0; c < 8; ++c) {
    parts[c] = part(n, c);
    walk_cell<kAll>(parts[c], w);
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (int c = 0; c < 8; ++c)
      if (!(c >> axis & 1)) walk_face<kAll>(axis, parts[c], parts[c | 1 << axis], w);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 2; ++side) {
      std::array<Node, 4> ring;
      for (std::size_t k = 0; k < 4; ++k) ring[k] = parts[side << axis | kU[k] << u | kV[k] << v];
      walk_edge<kAll>(axis, ring, w);
    }
  }
}

template <bool kAll>
void Sheets::walk_face(int axis, const Node& low, const Node& high, BlockSheets& w) const {
  // Beside a dropped cell nothing is cut.
  if (low.value == -1 || high.value == -1 || (low.value < 0 && high.value < 0)) return;
  if (!kAll && !changed(low) && !changed(high)) return;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  Node a[4], b[4];  // by bits along u, v
  for (int c = 0; c < 4; ++c) {
    const int bits = (c & 1) << u | (c >> 1) << v;
    a[c] = part(low, bits | 1 << axis);
    b[c] = part(high, bits);
    walk_face<kAll>(axis, a[c], b[c], w);
  }
  // Edges along u: around them the axes are v and the face's; along v: the face's and u.
  for (int side = 0; side < 2; ++side) {
    walk_edge<kAll>(u, {a[side], a[side | 2], b[side | 2], b[side]}, w);
    walk_edge<kAll>(v, {a[side << 1], b[side << 1], b[side << 1 | 1], a[side << 1 | 1]}, w);
  }
}

template <bool kAll>
void Sheets::walk_edge(int axis, const std::array<Node, 4>& ring, BlockSheets& w) const {
  bool leaves = true;
  for (const Node& n : ring) {
    if (n.value == -1) return;
    leaves = leaves && n.value < 0;
  }
  if (!kAll && std::none_of(ring.begin(), ring.end(), [this](const Node& n) { return changed(n); })) return;
  if (leaves) {
    add_edge(axis, ring, w);
    return;
  }
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int side = 0; side < 2; ++side) {
    std::array<Node, 4> parts;
    for (std::size_t k = 0; k < 4; ++k) parts[k] = part(ring[k], side << axis | (1 - kU[k]) << u | (1 - kV[k]) << v);
    walk_edge<kAll>(axis, parts, w);
  }
}

void Sheets::add_edge(int axis, const std::array<Node, 4>& ring, BlockSheets& w) const {
  const Leaf* leaves[4];
  std::size_t smallest = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    leaves[k] = &tree(ring[k].block).leaves[static_cast<std::size_t>(-2 - ring[k].value)];
    if (leaves[k]->size < leaves[smallest]->size) smallest = k;
  }
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const Leaf& cell = *leaves[smallest];
  const int corner = (1 - kU[smallest]) << u | (1 - kV[smallest]) << v;
  const unsigned number = kEdgeNumber[static_cast<std::size_t>(axis)][static_cast<std::size_t>(corner)];
  if (!(cell.cut >> number & 1u)) {
    add_twice(axis, ring, leaves, cell.size, w);
    return;
  }
  EdgeRecord record;
  for (std::size_t k = 0; k < 4; ++k) {
    record.ring[k] = {ring[k].block, -2 - ring[k].value};
    if (leaves[k]->size > 2 * cell.size) w.marks.push_back(record.ring[k]);
  }
  const auto rank = static_cast<std::uint32_t>(crossings_before(cell, number));
  record.crossing = tree(ring[smallest].block).crossing_of[cell.crossing_first + rank];
  record.axis = static_cast<std::uint8_t>(axis);
  record.smallest = static_cast<std::uint8_t>(smallest);
  record.low_inside = cell.inside >> corner & 1;
  w.edges.push_back(record);
}

/// An edge whose ends are of one side, when any of the cells that have it knows it to be cut on both sides of a ridge.
void Sheets::add_twice(int axis, const std::array<Node, 4>& ring, const Leaf* const leaves[4], std::int32_t size,
                       BlockSheets& w) const {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (std::size_t k = 0; k < 4; ++k) {
    const Leaf& cell = *leaves[k];
    const int corner = (1 - kU[k]) << u | (1 - kV[k]) << v;
    const unsigned number = kEdgeNumber[static_cast<std::size_t>(axis)][static_cast<std::size_t>(corner)];
    if (cell.size != size || !(cell.twice >> number & 1u)) continue;
    EdgeRecord record;
    for (std::size_t j = 0; j < 4; ++j) {
      record.ring[j] = {ring[j].block, -2 - ring[j].value};
      if (leaves[j]->size > 2 * size) w.marks.push_back(record.ring[j]);
    }
    const std::size_t first = cell.crossing_first + static_cast<std::size_t>(crossings_before(cell, number));
    record.axis = static_cast<std::uint8_t>(axis);
    record.smallest = static_cast<std::uint8_t>(k);
    for (std::uint8_t side = 1; side <= 2; ++side) {
      record.side = side;
      record.low_inside = ((cell.inside >> corner & 1) != 0) == (side == 1);
      record.crossing = tree(ring[k].block).crossing_of[first + side - 1];
      w.edges.push_back(record);
    }
    return;
  }
}

bool Sheets::drop_beads(std::int32_t b) {
  bool any = false;
  std::vector<EdgeRecord>& edges = work(b).edges;
  for (std::uint32_t i = 0; i + 1 < edges.size(); ++i) {
    EdgeRecord &low = edges[i], &high = edges[i + 1];
    if (low.dead || low.side != 1) continue;
    const bool bead = std::all_of(low.ring.begin(), low.ring.end(), [&](const CellRef& c) {
      const std::uint32_t loop = loop_of(c, {b, i, 0});
      return loop == loop_of(c, {b, i + 1, 0}) && loop_size(c, loop) == 2;
    });
    if (!bead) continue;
    low.dead = high.dead = any = true;
    for (const CellRef& c : low.ring) work(c.block).stale_loops = true;
  }
  return any;
}

std::uint32_t Sheets::loop_size(const CellRef& c, std::uint32_t loop) const {
  const BlockSheets& w = work(c.block);
  const auto many = std::lower_bound(w.many.begin(), w.many.end(), c.leaf,
                                     [](const BlockSheets::Many& m, std::int32_t leaf) { return m.leaf < leaf; });
  if (many == w.many.end() || many->leaf != c.leaf) return 0;
  return static_cast<std::uint32_t>(
      std::count(w.loop.begin() + many->first, w.loop.begin() + many->first + many->count, loop));
}

std::uint32_t Sheets::loop_of(const CellRef& c, const EdgeRef& e) const {
  const BlockSheets& w = work(c.block);
  const auto many = std::lower_bound(w.many.begin(), w.many.end(), c.leaf,
                                     [](const BlockSheets::Many& m, std::int32_t leaf) { return m.leaf < leaf; });
  if (many == w.many.end() || many->leaf != c.leaf) return 0;
  for (std::uint32_t i = many->first; i < many->first + many->count; ++i)
    if (w.entries[i].block == e.block && w.entries[i].edge == e.edge) return w.loop[i];
  return kNoVertex;
}

/// take(block that keeps it, number, ring slot) for every cell of block b at every cut edge; a coarse cell
/// that fills two quadrants once.
template <class Take>
void Sheets::each_edge_of(std::int32_t b, const Take& take) const {
  const auto cells = [&](std::int32_t from, std::uint32_t number) {
    const EdgeRecord& e = work(from).edges[number];
    if (e.dead) return;
    for (std::uint8_t k = 0; k < 4; ++k) {
      if (e.ring[k].block != b || (k > 0 && e.ring[k] == e.ring[k - 1]) || (k == 3 && e.ring[3] == e.ring[0])) continue;
      take(from, number, k, e);
    }
  };
  const BlockSheets& w = work(b);
  // Blocks on the low sides keep the edges they share with this one.
  for (int z = -1; z <= 0; ++z)
    for (int y = -1; y <= 0; ++y)
      for (int x = -1; x <= 0; ++x) {
        const std::int32_t from = w.beside[static_cast<std::size_t>(13 + x + 3 * y + 9 * z)];
        if (from < 0) continue;
        if (from == b) {
          for (std::uint32_t i = 0; i < w.edges.size(); ++i) cells(b, i);
        } else {
          for (std::uint32_t i : work(from).across) cells(from, i);
        }
      }
}

void Sheets::find_loops(std::int32_t b, bool only_affected) {
  BlockSheets& w = work(b);
  w.stale_loops = only_affected;
  w.many.clear();
  w.entries.clear();
  w.pairs.clear();
  const Tree& own = tree(b);
  const std::size_t n = own.leaves.size();
  std::vector<std::uint8_t> count(n, 0);
  each_edge_of(b, [&](std::int32_t, std::uint32_t, std::uint8_t k, const EdgeRecord& e) {
    std::uint8_t& c = count[static_cast<std::size_t>(e.ring[k].leaf)];
    c = static_cast<std::uint8_t>(std::min(c + 1, 255));
  });
  if (only_affected) {
    std::vector<std::uint8_t> kept(n, 0);
    for (std::int32_t l : w.affected) kept[static_cast<std::size_t>(l)] = count[static_cast<std::size_t>(l)];
    count.swap(kept);
  }
  w.kind.assign(n, 0);
  const std::array<bool, 256>& single = single_loops();
  std::vector<std::uint32_t> number(n, 0);  // of the leaf in `many`
  for (std::size_t l = 0; l < n; ++l) {
    if (count[l] == 0) continue;
    const Leaf& cell = own.leaves[l];
    // As many edges as the corners show: none is on a face, or twice on an edge of the cell.
    w.kind[l] = cell.twice == 0 && count[l] == bit_count(cell.cut) && single[cell.inside] ? 1 : 2;
    if (w.kind[l] == 1) continue;
    number[l] = static_cast<std::uint32_t>(w.many.size());
    w.many.push_back({static_cast<std::int32_t>(l), 0, 0});
  }
  if (w.many.empty()) return;
  const auto each_of_many = [&](const auto& body) {
    each_edge_of(b, [&](std::int32_t from, std::uint32_t i, std::uint8_t k, const EdgeRecord& e) {
      const auto l = static_cast<std::size_t>(e.ring[k].leaf);
      if (w.kind[l] == 2) body(w.many[number[l]], EdgeRef{from, i, k});
    });
  };
  each_of_many([](BlockSheets::Many& m, const EdgeRef&) { ++m.count; });
  std::uint32_t first = 0;
  for (BlockSheets::Many& m : w.many) {
    m.first = first;
    first += m.count;
    m.count = 0;
  }
  w.entries.resize(first);
  each_of_many([&](BlockSheets::Many& m, const EdgeRef& e) { w.entries[m.first + m.count++] = e; });
  w.loop.resize(first);
  std::vector<Link> links;
  for (const BlockSheets::Many& m : w.many) {
    const CellRef self{b, m.leaf};
    const EdgeRef* edges = &w.entries[m.first];
    std::uint32_t* parent = &w.loop[m.first];
    gather_links(self, edges, m.count, links);
    for (std::uint32_t i = 0; i < m.count; ++i) parent[i] = i;
    const auto top = [&](std::uint32_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (std::size_t i = 0; i < links.size();) {
      std::size_t j = i;
      while (j < links.size() && links[j].other == links[i].other) ++j;
      if (j - i > 2) pair_around_face(self, edges, links, i, j);
      for (std::size_t k = i; k < j; k += 2) parent[top(links[k].entry)] = top(links[k + 1].entry);
      if (j - i > 2 && self < links[i].other) add_pairs(w, m.leaf, edges, links, i, j);
      i = j;
    }
    std::uint32_t loops = 0;
    for (std::uint32_t i = 0; i < m.count; ++i) loops += top(i) == i ? 1 : 0;
    for (std::uint32_t i = 0; i < m.count; ++i) parent[i] = top(i);
    const Leaf& cell = leaf(self);
    // Of a large cell that a turned corner made unproved the smaller ones around say what it may hold.
    const std::uint32_t proved = cell.proof == Proof::sheets ? 2 : cell.large && cell.cut == 0 ? 0 : 1;
    if (loops > proved && (cell.proof != Proof::none || cell.large) && cell.size > 1) w.marks.push_back(self);
  }
}

void Sheets::add_pairs(BlockSheets& w, std::int32_t l, const EdgeRef* edges, const std::vector<Link>& links,
                       std::size_t begin, std::size_t end) {
  Vec3 centre = Vec3::Zero();
  for (std::size_t k = begin; k < end; ++k) centre += crossing(edge(edges[links[k].entry])).point;
  centre /= static_cast<double>(end - begin);
  for (std::size_t k = begin; k < end; k += 2)
    w.pairs.push_back(
        {edges[links[k].entry], edges[links[k + 1].entry], links[k].gap, links[k + 1].gap, l, links[k].other, centre});
}

void Sheets::gather_links(const CellRef& self, const EdgeRef* edges, std::uint32_t count, std::vector<Link>& links) {
  links.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const EdgeRecord& e = edge(edges[i]);
    for (std::uint8_t k = 0; k < 4; ++k) {
      const CellRef &c = e.ring[k], &d = e.ring[(k + 1) % 4];
      if ((c == self) == (d == self)) continue;
      const Link link{c == self ? d : c, i, k, 0, false};
      std::size_t at = links.size();
      links.push_back(link);
      for (; at > 0 && link.other < links[at - 1].other; --at) links[at] = links[at - 1];
      links[at] = link;
    }
  }
}

/// Orders links [begin, end), all on one face, so that neighbours (0,1), (2,3) … are the pairs.
void Sheets::pair_around_face(const CellRef& self, const EdgeRef* edges, std::vector<Link>& links, std::size_t begin,
                              std::size_t end) {
  // The face is that of the smaller cell; by order of cells when they are equal, so both sides agree.
  const CellRef other = links[begin].other;
  const std::int32_t size_a = leaf(self).size, size_b = leaf(other).size;
  const CellRef small = size_a != size_b ? (size_a < size_b ? self : other) : std::min(self, other);
  const std::int64_t size = leaf(small).size;
  // The two cells touch along one axis only.
  std::size_t across = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::int64_t a = corner(self, k), c = corner(other, k);
    if (a + size_a == c || c + size_b == a) across = k;
  }
  const auto middle = [&](const EdgeRecord& e, std::size_t k) {
    const CellRef& cell = e.ring[e.smallest];
    const std::int64_t edge_size = leaf(cell).size;
    std::int64_t low = corner(cell, k);
    if (k == (e.axis + 1u) % 3) low += (1 - kU[e.smallest]) * edge_size;
    if (k == (e.axis + 2u) % 3) low += (1 - kV[e.smallest]) * edge_size;
    // In quarters of a unit, so that two places on one edge have an order.
    const std::int64_t side = e.side == 0 ? 0 : e.side == 1 ? -1 : 1;
    return 4 * (low - corner(small, k)) + (k == e.axis ? 2 * edge_size + side : 0);
  };
  const std::size_t u = (across + 1) % 3, v = (across + 2) % 3;
  for (std::size_t i = begin; i < end; ++i) {
    const EdgeRecord& e = edge(edges[links[i].entry]);
    const std::int64_t mu = middle(e, u), mv = middle(e, v), s = 4 * size;
    bool along = true;  // does the walk run along the edge's axis
    if (e.axis == v && mu == s)
      links[i].turn = mv;
    else if (e.axis == u && mv == s)
      links[i].turn = 2 * s - mu, along = false;
    else if (e.axis == v)
      links[i].turn = 3 * s - mv, along = false;
    else
      links[i].turn = 3 * s + mu;
    links[i].inside_after = along ? !e.low_inside : e.low_inside;
  }
  const auto first = links.begin() + static_cast<std::ptrdiff_t>(begin),
             last = links.begin() + static_cast<std::ptrdiff_t>(end);
  std::sort(first, last, [](const Link& a, const Link& b) { return a.turn < b.turn; });
  if (!links[begin].inside_after) std::rotate(first, first + 1, last);
  // Where two sheets pass, edges of one sheet belong together: their normals are alike.
  const bool twice = std::any_of(first, last, [&](const Link& l) { return edge(edges[l.entry]).side != 0; });
  if (end - begin != 4 || (!twice && leaf(self).ridge.primitive < 0 && leaf(other).ridge.primitive < 0)) return;
  const auto alike = [&](std::size_t i, std::size_t j) {
    return crossing(edge(edges[links[begin + i].entry]))
        .normal.dot(crossing(edge(edges[links[begin + j].entry])).normal);
  };
  if (alike(1, 2) + alike(3, 0) > alike(0, 1) + alike(2, 3)) std::rotate(first, first + 1, last);
}

}  // namespace hazumi::metaball
