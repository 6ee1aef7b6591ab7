#include "core/geometry/metaball/contour.h"

#include <algorithm>
#include <cmath>

namespace hazumi::metaball {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct CellRef {
  std::int32_t block = -1, leaf = -1;
  friend auto operator<=>(const CellRef&, const CellRef&) = default;
};
struct VertexRef {
  std::int32_t block = -1;
  std::uint32_t vertex = kNone;
};

/// A cut minimal edge, kept by the block of the first cell around it that is as small as the edge.
struct EdgeRecord {
  Place low{};  ///< units, in the object's frame
  std::int32_t size = 0;
  std::uint8_t axis = 0;
  bool low_inside = false;
  Crossing crossing;
  std::array<CellRef, 4> ring;      ///< counter-clockwise seen from the axis' high end
  std::array<VertexRef, 4> vertex;  ///< of each cell of the ring
  std::array<VertexRef, 4>
      between;  ///< on the face between ring[k] and ring[k+1], where there are several pairs
};

struct EdgeRef {
  std::int32_t block;
  std::uint32_t edge;
  std::uint8_t slot;  ///< first of the ring that is this cell
};

struct BlockWork {
  std::array<std::int32_t, 27> beside;  ///< blocks around, −1 for none
  std::vector<EdgeRecord> edges;
  std::vector<std::uint32_t> across;  ///< edges with a cell of another block around them
  std::vector<std::uint32_t> first_of_leaf;
  std::vector<EdgeRef> of_leaf;
  std::vector<std::uint32_t>
      loop_of;  ///< one per entry of of_leaf: an entry of the same loop that stands for it
  struct Pair {
    EdgeRef a, b;
    std::uint8_t gap_a, gap_b;
    std::int32_t leaf;
    Vec3 centre;
  };
  std::vector<Pair> pairs;     ///< on faces with several
  std::vector<CellRef> marks;  ///< leaves to divide
  bool stale_edges = true, stale_loops = true;
  std::vector<SheetVertex> vertices;
  std::vector<SheetVertex>
      centres;  ///< of fans; numbered after `vertices`, which other blocks read meanwhile
  std::vector<std::array<VertexRef, 3>> faces;
};

class Contour {
 public:
  Contour(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
          const BuildControl& control, Executor& executor)
      : field_(field),
        grid_(grid),
        blocks_(blocks),
        control_(control),
        executor_(executor),
        work_(blocks.size()) {}

  Surface3 run() {
    each([&](std::int32_t b) { find_beside(b); });
    // Ends: every round but the last divides a cell.
    for (;;) {
      each([&](std::int32_t b) {
        if (work(b).stale_edges) find_edges(b);
      });
      if (divide_marked()) continue;
      each([&](std::int32_t b) {
        if (!work(b).stale_loops) return;
        sort_edges(b);
        find_loops(b);
      });
      if (!divide_marked()) break;
    }
    each([&](std::int32_t b) { make_vertices(b); });
    each([&](std::int32_t b) { make_faces(b); });
    if (control_.stop()) return {};
    Surface3 result;
    std::vector<std::uint32_t> first(blocks_.size() + 1, 0);
    std::size_t faces = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      first[b + 1] =
          first[b] + static_cast<std::uint32_t>(work_[b].vertices.size() + work_[b].centres.size());
      faces += work_[b].faces.size();
    }
    result.vertices.reserve(first.back());
    result.block.reserve(first.back());
    result.faces.reserve(faces);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      result.vertices.insert(result.vertices.end(), work_[b].vertices.begin(), work_[b].vertices.end());
      result.vertices.insert(result.vertices.end(), work_[b].centres.begin(), work_[b].centres.end());
      result.block.resize(result.vertices.size(), static_cast<std::int32_t>(b));
      for (const auto& f : work_[b].faces) {
        std::array<std::uint32_t, 3> g{};
        for (std::size_t k = 0; k < 3; ++k) g[k] = first[static_cast<std::size_t>(f[k].block)] + f[k].vertex;
        result.faces.push_back(g);
      }
    }
    return result;
  }

 private:
  template <class Body>
  void each(const Body& body) {
    executor_.blocks(blocks_.size(), 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        if (!control_.stop()) body(static_cast<std::int32_t>(b));
    });
  }

  /// Divides the leaves that the last pass marked; false when there were none.
  bool divide_marked() {
    std::vector<CellRef> marks;
    for (BlockWork& w : work_) {
      marks.insert(marks.end(), w.marks.begin(), w.marks.end());
      w.marks.clear();
      w.stale_edges = w.stale_edges && control_.stop();
    }
    if (marks.empty() || control_.stop()) return false;
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    std::vector<std::size_t> first;  // of each block in marks
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (i == 0 || marks[i].block != marks[i - 1].block) first.push_back(i);
    first.push_back(marks.size());
    executor_.blocks(first.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::int32_t b = marks[first[k]].block;
        std::vector<std::int32_t> leaves;
        for (std::size_t i = first[k]; i < first[k + 1]; ++i) leaves.push_back(marks[i].leaf);
        BlockTree& t = blocks_[static_cast<std::size_t>(b)];
        t.tree = std::make_shared<const Tree>(divide_leaves(field_, grid_, t.at, *t.tree, leaves, control_));
      }
    });
    // Edges change in the blocks around a divided one, loops in the blocks around those.
    const auto spread = [&](bool BlockWork::*flag, const std::vector<std::int32_t>& from) {
      std::vector<std::int32_t> reached;
      for (std::int32_t b : from)
        for (std::int32_t n : work(b).beside)
          if (n >= 0 && !(work(n).*flag)) {
            work(n).*flag = true;
            reached.push_back(n);
          }
      return reached;
    };
    std::vector<std::int32_t> divided;
    for (std::size_t k = 0; k + 1 < first.size(); ++k) divided.push_back(marks[first[k]].block);
    const std::vector<std::int32_t> touched = spread(&BlockWork::stale_edges, divided);
    spread(&BlockWork::stale_loops, touched);
    return true;
  }

  BlockWork& work(std::int32_t b) { return work_[static_cast<std::size_t>(b)]; }
  const BlockTree& block(std::int32_t b) const { return blocks_[static_cast<std::size_t>(b)]; }
  const Leaf& leaf(const CellRef& c) const {
    return block(c.block).tree->leaves[static_cast<std::size_t>(c.leaf)];
  }
  /// Low corner, in units, in the object's frame.
  std::int64_t corner(const CellRef& c, std::size_t k) const {
    return block(c.block).at[k] * kBlockUnits + leaf(c).low[k];
  }
  EdgeRecord& edge(const EdgeRef& e) { return work(e.block).edges[e.edge]; }

  static bool before(const Place& a, const Place& b) {
    return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]};
  }

  void find_beside(std::int32_t b) {
    const Place& at = block(b).at;
    std::size_t k = 0;
    for (std::int64_t z = -1; z <= 1; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x, ++k) {
          const Place p{at[0] + x, at[1] + y, at[2] + z};
          const auto found =
              std::lower_bound(blocks_.begin(), blocks_.end(), p,
                               [](const BlockTree& t, const Place& q) { return before(t.at, q); });
          const bool here = found != blocks_.end() && found->at == p;
          work(b).beside[k] = here ? static_cast<std::int32_t>(found - blocks_.begin()) : -1;
        }
  }

  /// Leaf at a point in half units from block b's corner, up to one block outside it.
  CellRef find(std::int32_t b, std::array<std::int32_t, 3> q) {
    std::size_t k = 13, step = 1;
    for (std::size_t a = 0; a < 3; ++a, step *= 3) {
      if (q[a] < 0) {
        q[a] += 2 * kBlockUnits;
        k -= step;
      } else if (q[a] >= 2 * kBlockUnits) {
        q[a] -= 2 * kBlockUnits;
        k += step;
      }
    }
    const std::int32_t other = work(b).beside[k];
    if (other < 0) return {};
    const std::int32_t found = block(other).tree->find(q);
    return found < 0 ? CellRef{} : CellRef{other, found};
  }

  void find_edges(std::int32_t b) {
    const Tree& tree = *block(b).tree;
    BlockWork& w = work(b);
    w.edges.clear();
    w.across.clear();
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      const Leaf& cell = tree.leaves[l];
      if (cell.edges == 0) continue;
      std::uint32_t crossing = cell.crossing_first;
      for (const CellEdge& e : kCellEdges) {
        const unsigned low = cell.inside >> e.corner & 1u,
                       high = cell.inside >> (e.corner | 1u << e.axis) & 1u;
        if (low == high) continue;
        const Crossing& where = tree.crossings[tree.crossing_of[crossing++]];
        add_edge(b, {b, static_cast<std::int32_t>(l)}, e, low != 0, where, w);
      }
    }
  }

  void add_edge(std::int32_t b, const CellRef& self, const CellEdge& e, bool low_inside,
                const Crossing& where, BlockWork& w) {
    const Leaf& cell = leaf(self);
    const std::size_t a = e.axis, u = (a + 1) % 3, v = (a + 2) % 3;
    std::array<std::int32_t, 3> start;
    for (std::size_t k = 0; k < 3; ++k) start[k] = cell.low[k] + (e.corner >> k & 1) * cell.size;
    // Quadrants in ring order: (−,−), (+,−), (+,+), (−,+) along (u, v).
    static constexpr std::int32_t kU[4] = {-1, 1, 1, -1}, kV[4] = {-1, -1, 1, 1};
    const std::int32_t mine_u = (e.corner >> u & 1) ? -1 : 1, mine_v = (e.corner >> v & 1) ? -1 : 1;
    EdgeRecord record;
    bool across = false;
    for (std::size_t k = 0; k < 4; ++k) {
      if (kU[k] == mine_u && kV[k] == mine_v) {
        record.ring[k] = self;
        continue;
      }
      std::array<std::int32_t, 3> q;
      q[a] = 2 * start[a] + cell.size;
      q[u] = 2 * start[u] + kU[k];
      q[v] = 2 * start[v] + kV[k];
      record.ring[k] = find(b, q);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const CellRef& c = record.ring[k];
      if (c.leaf < 0) return;                // cannot be: a cell beside a cut edge is never dropped
      if (leaf(c).size < cell.size) return;  // a smaller cell divides the edge
      across = across || c.block != b;
    }
    for (std::size_t k = 0; k < 4 && record.ring[k] != self; ++k)
      if (leaf(record.ring[k]).size == cell.size) return;  // that cell keeps the edge
    for (const CellRef& c : record.ring)
      if (leaf(c).size > 2 * cell.size) w.marks.push_back(c);
    for (std::size_t k = 0; k < 3; ++k) record.low[k] = block(b).at[k] * kBlockUnits + start[k];
    record.size = cell.size;
    record.axis = e.axis;
    record.low_inside = low_inside;
    record.crossing = where;
    if (across) w.across.push_back(static_cast<std::uint32_t>(w.edges.size()));
    w.edges.push_back(record);
  }

  /// Lists the edges of every leaf of the block, whoever keeps them.
  void sort_edges(std::int32_t b) {
    BlockWork& w = work(b);
    std::vector<std::pair<std::int32_t, EdgeRef>> found;
    const auto take = [&](std::int32_t from, std::uint32_t i) {
      const EdgeRecord& e = work(from).edges[i];
      for (std::uint8_t k = 0; k < 4; ++k) {
        if (e.ring[k].block != b) continue;
        bool first = true;  // of a coarse cell that fills two quadrants
        for (std::uint8_t j = 0; j < k; ++j) first = first && e.ring[j] != e.ring[k];
        if (first) found.push_back({e.ring[k].leaf, {from, i, k}});
      }
    };
    for (std::int32_t from : w.beside) {
      if (from < 0) continue;
      if (from == b) {
        for (std::uint32_t i = 0; i < w.edges.size(); ++i) take(b, i);
      } else {
        for (std::uint32_t i : work(from).across) take(from, i);
      }
    }
    w.first_of_leaf.assign(block(b).tree->leaves.size() + 1, 0);
    for (const auto& f : found) ++w.first_of_leaf[static_cast<std::size_t>(f.first) + 1];
    for (std::size_t l = 1; l < w.first_of_leaf.size(); ++l) w.first_of_leaf[l] += w.first_of_leaf[l - 1];
    w.of_leaf.resize(found.size());
    std::vector<std::uint32_t> next(w.first_of_leaf.begin(), w.first_of_leaf.end() - 1);
    for (const auto& f : found) w.of_leaf[next[static_cast<std::size_t>(f.first)]++] = f.second;
  }

  struct Link {
    CellRef other;
    std::uint32_t entry;  ///< which edge of the cell
    std::uint8_t gap;     ///< between ring[gap] and ring[gap + 1]
    std::int64_t turn;    ///< place along the face's border, for sorting
    bool inside_after;
  };

  void find_loops(std::int32_t b) {
    BlockWork& w = work(b);
    w.stale_loops = false;
    w.loop_of.resize(w.of_leaf.size());
    w.pairs.clear();
    std::vector<Link> links;
    for (std::int32_t l = 0; l + 1 < static_cast<std::int32_t>(w.first_of_leaf.size()); ++l) {
      const std::uint32_t begin = w.first_of_leaf[static_cast<std::size_t>(l)];
      const std::uint32_t count = w.first_of_leaf[static_cast<std::size_t>(l) + 1] - begin;
      if (count == 0) continue;
      const CellRef self{b, l};
      const EdgeRef* edges = &w.of_leaf[begin];
      std::uint32_t* root = &w.loop_of[begin];
      gather_links(self, edges, count, links);
      for (std::uint32_t i = 0; i < count; ++i) root[i] = i;
      const auto top = [&](std::uint32_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
      };
      for (std::size_t i = 0; i < links.size();) {
        std::size_t j = i;
        while (j < links.size() && links[j].other == links[i].other) ++j;
        if (j - i > 2) pair_around_face(self, edges, links, i, j);
        for (std::size_t k = i; k < j; k += 2) root[top(links[k].entry)] = top(links[k + 1].entry);
        if (j - i > 2 && self < links[i].other) add_pairs(w, l, edges, links, i, j);
        i = j;
      }
      std::uint32_t loops = 0;
      for (std::uint32_t i = 0; i < count; ++i) loops += top(i) == i ? 1 : 0;
      for (std::uint32_t i = 0; i < count; ++i) root[i] = top(i);
      const Leaf& cell = leaf(self);
      if (loops > 1 && cell.proved && cell.size > 1 && grid_.unit * cell.size > 0.99 * grid_.chord)
        w.marks.push_back(self);
    }
  }

  void add_pairs(BlockWork& w, std::int32_t l, const EdgeRef* edges, const std::vector<Link>& links,
                 std::size_t begin, std::size_t end) {
    Vec3 centre = Vec3::Zero();
    for (std::size_t k = begin; k < end; ++k) centre += edge(edges[links[k].entry]).crossing.point;
    centre /= static_cast<double>(end - begin);
    for (std::size_t k = begin; k < end; k += 2)
      w.pairs.push_back(
          {edges[links[k].entry], edges[links[k + 1].entry], links[k].gap, links[k + 1].gap, l, centre});
  }

  void make_vertices(std::int32_t b) {
    BlockWork& w = work(b);
    std::vector<Crossing> loop;
    for (std::int32_t l = 0; l + 1 < static_cast<std::int32_t>(w.first_of_leaf.size()); ++l) {
      const std::uint32_t begin = w.first_of_leaf[static_cast<std::size_t>(l)];
      const std::uint32_t count = w.first_of_leaf[static_cast<std::size_t>(l) + 1] - begin;
      const CellRef self{b, l};
      const std::size_t first_vertex = w.vertices.size();
      for (std::uint32_t i = 0; i < count; ++i) {
        if (w.loop_of[begin + i] != i) continue;
        loop.clear();
        const VertexRef ref{b, static_cast<std::uint32_t>(w.vertices.size())};
        for (std::uint32_t j = 0; j < count; ++j) {
          if (w.loop_of[begin + j] != i) continue;
          EdgeRecord& e = edge(w.of_leaf[begin + j]);
          loop.push_back(e.crossing);
          for (std::size_t k = w.of_leaf[begin + j].slot; k < 4; ++k)
            if (e.ring[k] == self) e.vertex[k] = ref;
        }
        SheetVertex vertex = place(self, loop);
        for (std::size_t v = first_vertex; v < w.vertices.size(); ++v)
          if (w.vertices[v].point == vertex.point)
            vertex.point += Vec3::Constant(1e-6 * grid_.unit * leaf(self).size *
                                           static_cast<double>(v - first_vertex + 1));
        w.vertices.push_back(vertex);
      }
    }
    for (const BlockWork::Pair& pair : w.pairs) {
      EdgeRecord &a = edge(pair.a), &c = edge(pair.b);
      SheetVertex vertex;
      // A little towards the middle of the pairs, off the border of the face.
      vertex.point = 0.45 * (a.crossing.point + c.crossing.point) + 0.1 * pair.centre;
      vertex.leaf = pair.leaf;
      const Vec3 normal = a.crossing.normal + c.crossing.normal;
      vertex.normal = normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(0, 1, 0);
      const VertexRef ref{b, static_cast<std::uint32_t>(w.vertices.size())};
      a.between[pair.gap_a] = ref;
      c.between[pair.gap_b] = ref;
      w.vertices.push_back(vertex);
    }
  }

  void gather_links(const CellRef& self, const EdgeRef* edges, std::uint32_t count,
                    std::vector<Link>& links) {
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
  void pair_around_face(const CellRef& self, const EdgeRef* edges, std::vector<Link>& links,
                        std::size_t begin, std::size_t end) {
    // The face is that of the smaller cell; by order of cells when they are equal, so both sides agree.
    const CellRef other = links[begin].other;
    const std::int32_t size_a = leaf(self).size, size_b = leaf(other).size;
    const CellRef& small = size_a != size_b ? (size_a < size_b ? self : other) : std::min(self, other);
    const std::int64_t size = leaf(small).size;
    // The two cells touch along one axis only.
    std::size_t across = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t a = corner(self, k), c = corner(other, k);
      if (a + size_a == c || c + size_b == a) across = k;
    }
    const auto middle = [&](const Link& link, std::size_t k) {
      const EdgeRecord& e = edge(edges[link.entry]);
      return 2 * (e.low[k] - corner(small, k)) + (k == e.axis ? e.size : 0);
    };
    const std::size_t u = (across + 1) % 3, v = (across + 2) % 3;
    for (std::size_t i = begin; i < end; ++i) {
      const EdgeRecord& e = edge(edges[links[i].entry]);
      const std::int64_t mu = middle(links[i], u), mv = middle(links[i], v), s = 2 * size;
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
    std::sort(links.begin() + static_cast<std::ptrdiff_t>(begin),
              links.begin() + static_cast<std::ptrdiff_t>(end),
              [](const Link& a, const Link& b) { return a.turn < b.turn; });
    if (!links[begin].inside_after)
      std::rotate(links.begin() + static_cast<std::ptrdiff_t>(begin),
                  links.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                  links.begin() + static_cast<std::ptrdiff_t>(end));
  }

  std::span<const std::uint16_t> list(const CellRef& c) const {
    const Leaf& l = leaf(c);
    return {block(c.block).tree->lists.data() + l.list_first, l.list_size};
  }

  SheetVertex place(const CellRef& self, const std::vector<Crossing>& loop) {
    const Leaf& cell = leaf(self);
    const double size = grid_.unit * cell.size;
    const Vec3 box_low = grid_.at({corner(self, 0), corner(self, 1), corner(self, 2)}) +
                         Vec3::Constant(1e-3 * size),
               box_high = box_low + Vec3::Constant(0.998 * size);
    Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
    for (const Crossing& c : loop) {
      middle += c.point;
      mean += c.normal;
    }
    middle /= static_cast<double>(loop.size());
    if (mean.norm() > 0) mean.normalize();
    double spread = 1;
    for (const Crossing& c : loop) spread = std::min(spread, c.normal.dot(mean));
    SheetVertex vertex;
    vertex.leaf = self.leaf;
    vertex.sharp = spread < 0.93;
    vertex.normal = mean.norm() > 0 ? mean : Vec3(0, 1, 0);
    vertex.point = middle.cwiseMax(box_low).cwiseMin(box_high);
    if (vertex.sharp) vertex.point = sharp_point(loop, middle).cwiseMax(box_low).cwiseMin(box_high);
    const auto primitives = list(self);
    Vec3 best = vertex.point;
    double best_error = 1e300;
    for (int round = 0; round < 5; ++round) {
      Vec3 gradient;
      const double f = field_.value(vertex.point, primitives, gradient) - 1;
      const double slope = gradient.norm();
      if (!(slope > 0)) break;
      const double error = std::abs(f) / slope;
      if (error < best_error) {
        best_error = error;
        best = vertex.point;
        vertex.normal = gradient / -slope;
      }
      if (error < 1e-3 * grid_.chord) break;
      const double step = std::min(error, 0.5 * size);
      vertex.point += (f > 0 ? -step : step) / slope * gradient;
      vertex.point = vertex.point.cwiseMax(box_low).cwiseMin(box_high);
    }
    vertex.point = best;
    return vertex;
  }

  const SheetVertex& at(const VertexRef& v) const {
    return work_[static_cast<std::size_t>(v.block)].vertices[v.vertex];
  }

  void make_faces(std::int32_t b) {
    BlockWork& w = work(b);
    std::vector<VertexRef> polygon;
    std::vector<bool> small;
    for (const EdgeRecord& e : w.edges) {
      polygon.clear();
      small.clear();
      bool fan = false;
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t next = (k + 1) % 4;
        if (e.ring[k] != e.ring[(k + 3) % 4]) {
          polygon.push_back(e.vertex[k]);
          small.push_back(leaf(e.ring[k]).size == e.size);
        }
        if (e.ring[k] != e.ring[next] && e.between[k].block >= 0) {
          polygon.push_back(e.between[k]);
          small.push_back(false);
          fan = true;
        }
      }
      if (!e.low_inside) {  // outward is towards the low end: the other way round
        std::reverse(polygon.begin(), polygon.end());
        std::reverse(small.begin(), small.end());
      }
      if (fan) {
        const VertexRef centre{b, static_cast<std::uint32_t>(w.vertices.size() + w.centres.size())};
        w.centres.push_back(fan_centre(b, e));
        for (std::size_t k = 0; k < polygon.size(); ++k)
          w.faces.push_back({polygon[k], polygon[(k + 1) % polygon.size()], centre});
      } else if (polygon.size() == 3) {
        w.faces.push_back({polygon[0], polygon[1], polygon[2]});
      } else {
        const bool even = even_diagonal(polygon, small);
        const std::size_t s = even ? 0 : 1;
        w.faces.push_back({polygon[s], polygon[s + 1], polygon[s + 2]});
        w.faces.push_back({polygon[s], polygon[s + 2], polygon[(s + 3) % 4]});
      }
    }
  }

  static SheetVertex fan_centre(std::int32_t b, const EdgeRecord& e) {
    SheetVertex vertex;
    vertex.point = e.crossing.point;
    vertex.normal = e.crossing.normal.norm() > 0 ? e.crossing.normal : Vec3(0, 1, 0);
    for (const CellRef& c : e.ring)
      if (c.block == b) vertex.leaf = c.leaf;
    return vertex;
  }

  /// Whether to split along 0–2 rather than 1–3.
  bool even_diagonal(const std::vector<VertexRef>& p, const std::vector<bool>& small) const {
    if (!small[0] && !small[2]) return false;
    if (!small[1] && !small[3]) return true;
    const SheetVertex* v[4] = {&at(p[0]), &at(p[1]), &at(p[2]), &at(p[3])};
    const bool even_sharp = v[0]->sharp && v[2]->sharp, odd_sharp = v[1]->sharp && v[3]->sharp;
    if (even_sharp != odd_sharp) return even_sharp;
    const double even = (v[0]->point - v[2]->point).squaredNorm(),
                 odd = (v[1]->point - v[3]->point).squaredNorm();
    return even <= odd;
  }

  const MetaballField& field_;
  const GridSpec& grid_;
  std::vector<BlockTree>& blocks_;
  const BuildControl& control_;
  Executor& executor_;
  std::vector<BlockWork> work_;
};

}  // namespace

Surface3 contour(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
                 const BuildControl& control, Executor& executor) {
  return Contour(field, grid, blocks, control, executor).run();
}

}  // namespace hazumi::metaball
