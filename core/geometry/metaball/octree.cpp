#include "core/geometry/metaball/octree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "core/base/hash.h"
#include "core/geometry/metaball/cell_parts.h"
#include "core/geometry/metaball/close_proof.h"
#include "core/geometry/metaball/edge_search.h"
#include "core/geometry/metaball/keep_cells.h"
#include "core/geometry/metaball/merge_cells.h"

namespace hazumi::metaball {

namespace {

/// Edge of the smallest unproved cells in chord errors: thin parts are found a little farther than an edge from them.
constexpr double kUnproved = 0.67;
/// Edge of the smallest cells that are tried, in edges of the smallest unproved ones.
constexpr double kTried = 1.0 / 32;

class Builder {
 public:
  Builder(const MetaballField& field, const GridSpec& grid, const Place& block, const BuildControl& control)
      : field_(field), grid_(grid), control_(control) {
    for (std::size_t k = 0; k < 3; ++k) base_[k] = block[k] * kBlockUnits;
  }

  Tree run(const std::vector<std::uint16_t>& list, const OldTree& old, std::vector<std::int32_t>& old_leaf) {
    old_ = &old;
    old_leaf_ = &old_leaf;
    old_leaf.clear();
    tree_.nodes.push_back(-1);
    tree_.nodes.reserve(4096);
    tree_.leaves.reserve(1024);
    tree_.crossings.reserve(2048);
    tree_.crossing_of.reserve(4096);
    push(list);
    divide({0, {0, 0, 0}, kBlockUnits, {}, {0, static_cast<std::uint32_t>(list.size())}, {}, old.tree ? 0 : -1},
           nullptr);
    old_leaf.resize(tree_.leaves.size(), -1);
    return std::move(tree_);
  }

  void turn(Tree& tree, const std::vector<std::uint16_t>& list, const TurnedCorners& turned) {
    tree_ = std::move(tree);
    turned_ = &turned;
    push(list);
    TurnedList all;
    for (std::uint32_t i = 0; i < turned.size(); ++i) all.push_back(i);
    turn_in({0, {0, 0, 0}, kBlockUnits, {}, {0, static_cast<std::uint32_t>(list.size())}, std::move(all), -1});
    tree = std::move(tree_);
  }

  void run(Tree& tree, const std::vector<std::int32_t>& leaves, const TurnedCorners& turned) {
    tree_ = std::move(tree);
    turned_ = &turned;
    for (std::int32_t l : leaves) {
      Leaf& leaf = tree_.leaves[static_cast<std::size_t>(l)];
      arena_.clear();
      reach_.clear();
      push({tree_.lists.data() + leaf.list_first, leaf.list_size});
      const Cell cell{leaf.node,
                      leaf.low,
                      leaf.size,
                      {leaf.proof, leaf.ridge, leaf.plain},
                      {0, leaf.list_size},
                      turned_around(leaf, turned),
                      -1};
      leaf.size = 0;
      leaf.cut = leaf.twice = 0;
      divide(cell, nullptr);
    }
    tree = std::move(tree_);
  }

 private:
  using List = PartList;
  using TurnedList = std::vector<std::uint32_t>;  ///< into *turned_
  struct Known {
    Proof proof = Proof::none;
    Ridge ridge;
    bool plain = false;
  };
  struct Cell {
    std::int32_t node;
    std::array<std::int32_t, 3> low;
    std::int32_t size;
    Known known;  ///< of the surface in it, so in its parts too
    List list;
    TurnedList turned;  ///< those in it and on its border
    std::int32_t old;   ///< the same cell among the nodes of the old tree, −1: not there
  };
  using Corners = std::array<Sample, 8>;

  void push(std::span<const std::uint16_t> list) {
    arena_.insert(arena_.end(), list.begin(), list.end());
    reach_.resize(arena_.size(), 0xff);
  }
  PrimitiveList primitives(const List& list) const {
    return {field_.packed().data(), arena_.data() + list.first, static_cast<int>(list.count)};
  }
  double coordinate(std::size_t axis, std::int32_t units) const {
    return grid_.origin[static_cast<Eigen::Index>(axis)] + grid_.unit * static_cast<double>(base_[axis] + units);
  }

  void divide(const Cell& cell, const Corners* corners) {
    if ((++steps_ & 63) == 0) stopped_ = stopped_ || control_.stop();
    if (stopped_) return;
    input_ = old_ ? input_of(cell) : 0;
    if (cell.old >= 0) {
      const std::int32_t below = old_->tree->nodes[static_cast<std::size_t>(cell.old)];
      if (below >= 0 && old_->tree->inputs[static_cast<std::size_t>(below) / 8] == input_) {
        control_.leaves->fetch_add(copy_cells(*old_->tree, cell.old, tree_, cell.node, last_list_, *old_leaf_),
                                   std::memory_order_relaxed);
        return;
      }
    }
    const std::size_t arena_end = arena_.size();
    Parts parts;
    begin(cell, parts);
    if (cell.known.proof == Proof::one_sided) {
      keep_touching(cell, parts);
    } else {
      prove(cell, parts);
    }
    if (parts.active != 0) place_parts(cell, parts, corners);
    arena_.resize(arena_end);
    reach_.resize(arena_end);
  }

  /// What of a cell decides about all below it, beside its place.
  std::uint64_t input_of(const Cell& cell) const {
    Hasher hasher;
    hasher.add(static_cast<int>(cell.known.proof)).add(cell.known.plain);
    if (cell.known.ridge.primitive >= 0)
      hasher.add(old_->keys[static_cast<std::size_t>(cell.known.ridge.primitive)])
          .add(static_cast<int>(cell.known.ridge.axis));
    for (std::uint32_t i = 0; i < cell.list.count; ++i) hasher.add(old_->keys[arena_[cell.list.first + i]]);
    return hasher.value();
  }

  void begin(const Cell& cell, Parts& parts) {
    parts.size = cell.size / 2;
    parts.half = 0.5 * grid_.unit * parts.size;
    for (int c = 0; c < 8; ++c)
      for (std::size_t k = 0; k < 3; ++k)
        parts.middle[k][c] = coordinate(k, cell.low[k] + (c >> k & 1) * parts.size) + parts.half;
    for (std::uint32_t i : cell.turned) mark_turned((*turned_)[i], cell.low, parts);
  }

  static std::array<std::int32_t, 3> low_of_part(const Cell& cell, const Parts& parts, int c) {
    return {cell.low[0] + (c & 1) * parts.size, cell.low[1] + (c >> 1 & 1) * parts.size,
            cell.low[2] + (c >> 2) * parts.size};
  }
  TurnedList turned_in(const Cell& cell, const Parts& parts, int c) const {
    TurnedList list;
    for (std::uint32_t i : cell.turned)
      if (touches((*turned_)[i], low_of_part(cell, parts, c), parts.size)) list.push_back(i);
    return list;
  }

  /// Goes down to the cells around turned corners.
  void turn_in(const Cell& cell) {
    if ((++steps_ & 63) == 0) stopped_ = stopped_ || control_.stop();
    if (stopped_) return;
    const std::size_t arena_end = arena_.size();
    Parts parts;
    begin(cell, parts);
    grow_ = 4 * parts.half;
    keep_touching(cell, parts);
    grow_ = 0;
    parts.proof.fill(Proof::none);
    std::int32_t first = tree_.nodes[static_cast<std::size_t>(cell.node)];
    if (first < 0) {
      first = static_cast<std::int32_t>(tree_.nodes.size());
      tree_.nodes.resize(tree_.nodes.size() + 8, -1);
      tree_.nodes[static_cast<std::size_t>(cell.node)] = first;
    }
    unsigned look = 0, deeper = 0, cut = 0;
    const std::size_t old_leaves = tree_.leaves.size();
    unsigned large = 0;
    for (std::int32_t c = 0; c < 8; ++c) {
      if (!(parts.held >> c & 1)) continue;
      const std::int32_t value = tree_.nodes[static_cast<std::size_t>(first + c)];
      if (value <= -2 && !(parts.turned & kPointsOfPart[static_cast<std::size_t>(c)])) continue;
      std::int32_t target = parts.size;
      for (std::uint32_t i : turned_in(cell, parts, c)) target = std::min(target, (*turned_)[i].size);
      (value >= 0 || (value == -1 && parts.size > target) ? deeper : look) |= 1u << c;
      if (value > -2) continue;
      if (parts.size > target) large |= 1u << c;
      Leaf& old = tree_.leaves[static_cast<std::size_t>(-2 - value)];
      parts.ridge[static_cast<std::size_t>(c)] = old.ridge;
      old.size = 0;
      old.cut = old.twice = 0;
    }
    if (look) {
      sample_lattice(cell, parts, look, nullptr);
      for (int c = 0; c < 8; ++c) {
        if (!(look >> c & 1)) continue;
        const std::uint8_t inside = parts.inside[static_cast<std::size_t>(c)] = inside_of(parts, c);
        if (inside != 0 && inside != 255) cut |= 1u << c;
      }
      find_crossings(primitives(parts.list), grid_.chord, parts, cut);
      find_both_sides(field_, primitives(parts.list), grid_.chord, parts, look);
      add_leaves(parts, look, first, [&](std::int32_t c) { return low_of_part(cell, parts, c); });
      for (std::size_t l = old_leaves; l < tree_.leaves.size(); ++l)
        tree_.leaves[l].large = (large >> (tree_.leaves[l].node - first) & 1u) != 0;
    }
    for (std::int32_t c = 0; c < 8; ++c)
      if (deeper >> c & 1)
        turn_in({first + c, low_of_part(cell, parts, c), parts.size, {}, parts.list, turned_in(cell, parts, c), -1});
    arena_.resize(arena_end);
    reach_.resize(arena_end);
  }

  /// Drops parts by the bounds of Σ ρ and finds what can be proved of the others.
  void prove(const Cell& cell, Parts& parts) {
    const std::uint32_t first = cell.list.first, count = cell.list.count;
    if (bounds_.size() < count) bounds_.resize(count);
    own_reach_.resize(count);
    const double half[3] = {parts.half, parts.half, parts.half};
    const Kernels& kernel = kernels_;
    Lanes range[2];
    kernel.bound(primitives(cell.list), parts.middle, half, range, own_reach_.data(), bounds_.data());
    double size_of_terms = 1, graph = kGraph;
    for (std::uint32_t i = 0; i < count; ++i) {
      const KernelPrimitive& f = field_.packed()[arena_[first + i]];
      size_of_terms += std::abs(f.weight);
      if (f.p1 < kCreased || f.p2 < kCreased) graph = kGraphCreased;
    }
    const double rounding = parts.rounding = 1e-9 * size_of_terms;
    for (int c = 0; c < 8; ++c)
      if (range[0][c] > 1 + rounding || range[1][c] < 1 - rounding) parts.active &= ~(1u << c);
    parts.active |= parts.held;
    if (parts.active == 0) return;
    parts.list.first = static_cast<std::uint32_t>(arena_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      own_reach_[i] &= static_cast<std::uint8_t>(parts.active);
      if (own_reach_[i] == 0) continue;
      arena_.push_back(arena_[first + i]);
      reach_.push_back(own_reach_[i]);
      ++parts.list.count;
    }
    parts.reach_known = true;
    sample_middles(parts);
    kernel.bound_slopes(primitives(cell.list), own_reach_.data(), bounds_.data());
    Lanes tangent, swing;
    kernel.cone(primitives(cell.list), own_reach_.data(), bounds_.data(), parts.middle, half, parts.gradient,
                parts.active, graph == kGraph ? 1e30 : kOneSided, tangent, swing);
    unsigned open = 0;
    for (int c = 0; c < 8; ++c)
      if (tangent[c] > graph) open |= 1u << c;
    if (open & parts.active) {
      bound_axes(cell, parts);
      for (int c = 0; c < 8; ++c) {
        double by_axes = 0;
        for (const auto& slope : parts.slope) by_axes += parts.half * std::max(slope[1][c], -slope[0][c]);
        swing[c] = std::min(swing[c], by_axes);
      }
    }
    open = 0;
    for (int c = 0; c < 8; ++c) {
      if (std::abs(parts.value[c] - 1) > swing[c] + rounding) parts.active &= ~(1u << c);
      if (tangent[c] <= kPlain) parts.plain |= 1u << c;
      const Proof found = tangent[c] <= kOneSided ? Proof::one_sided : tangent[c] <= graph ? Proof::graph : Proof::none;
      parts.proof[static_cast<std::size_t>(c)] = std::max(found, cell.known.proof);
      if (parts.proof[static_cast<std::size_t>(c)] == Proof::sheets)
        parts.ridge[static_cast<std::size_t>(c)] = cell.known.ridge;
      if (parts.proof[static_cast<std::size_t>(c)] == Proof::none) open |= 1u << c;
    }
    open &= parts.active & ~parts.held;
    if (open && graph == kGraph && CloseProof::promising(field_, primitives(cell.list), parts.half, grid_.chord))
      close_.prove(primitives(cell.list), own_reach_.data(), bounds_, range, open, parts);
    hold(parts);
  }

  /// Of a cell that holds one graph nothing is proved again: only primitives that do not touch it are left
  /// out.
  void keep_touching(const Cell& cell, Parts& parts) {
    parts.proof.fill(Proof::one_sided);
    if (cell.known.plain) parts.plain = 0xff;
    hold(parts);
    double x[3];
    for (std::size_t k = 0; k < 3; ++k) x[k] = coordinate(k, cell.low[k]) + 2 * parts.half;
    const double half = 2 * parts.half + grow_;
    parts.list.first = static_cast<std::uint32_t>(arena_.size());
    for (std::uint32_t i = 0; i < cell.list.count; ++i) {
      const std::uint16_t primitive = arena_[cell.list.first + i];
      if (touches(field_.packed()[primitive], x, half)) arena_.push_back(primitive);
    }
    parts.list.count = static_cast<std::uint32_t>(arena_.size()) - parts.list.first;
    if (parts.list.count == cell.list.count) {
      arena_.resize(parts.list.first);
      parts.list = cell.list;
    }
    reach_.resize(arena_.size(), 0xff);
  }

  void sample_middles(Parts& parts) {
    if (parts.sampled) return;
    parts.sampled = true;
    kernels_.evaluate(primitives(parts.list), 1, &parts.middle[0], &parts.middle[1], &parts.middle[2], &parts.value,
                      &parts.gradient[0], &parts.gradient[1], &parts.gradient[2]);
  }

  /// Edge below which a part that cannot be proved simple is left as it is.
  double simple_limit(const Parts& parts, int part) const {
    double limit = kUnproved * grid_.chord;
    for (std::uint32_t i = parts.list.first; i < parts.list.first + parts.list.count; ++i)
      if (!parts.reach_known || (reach_[i] >> part & 1))
        limit = std::min(limit, grid_.simple_limit * field_.primitives()[arena_[i]].thinnest);
    return limit;
  }

  /// Parts of `cut`, proved, that the mesh asks to be divided.
  unsigned coarse(const Cell& cell, Parts& parts, unsigned cut) {
    unsigned divided = 0, doubtful = 0;
    for (int c = 0; c < 8; ++c) {
      if (!(cut >> c & 1) || parts.proof[static_cast<std::size_t>(c)] == Proof::none) continue;
      const Fine is = fine(parts, c);
      if (is != Fine::yes) (is == Fine::no ? divided : doubtful) |= 1u << c;
    }
    if (doubtful) divided |= doubtful & ~close_.without_crease(primitives(cell.list), parts, doubtful);
    return divided;
  }

  /// Decides which parts are leaves and which are divided again, and does it.
  void place_parts(const Cell& cell, Parts& parts, const Corners* corners) {
    const double edge = 2 * parts.half;
    const bool can_divide = parts.size > 1 && parts.half >= grid_.smallest;
    const std::uint64_t input = input_;
    unsigned divided = 0, cut = 0, look = 0, blades = 0, tried = 0;
    for (int c = 0; c < 8; ++c) {
      if (!(parts.active >> c & 1)) continue;
      if (can_divide && parts.proof[static_cast<std::size_t>(c)] == Proof::none && edge > simple_limit(parts, c))
        divided |= 1u << c;
      else
        look |= 1u << c;
      if (can_divide && (look >> c & 1) && worth_a_try(parts, c, edge)) tried |= 1u << c;
      if ((look >> c & 1) && parts.proof[static_cast<std::size_t>(c)] != Proof::sheets)
        parts.ridge[static_cast<std::size_t>(c)] = plate_in(field_, primitives(parts.list), parts, c);
    }
    if (look) {
      sample_lattice(cell, parts, look, corners);
      for (int c = 0; c < 8; ++c) {
        if (!(look >> c & 1)) continue;
        const std::uint8_t inside = inside_of(parts, c);
        parts.inside[static_cast<std::size_t>(c)] = inside;
        const Proof proof = parts.proof[static_cast<std::size_t>(c)];
        if (inside != 0 && inside != 255) {
          cut |= 1u << c;
        } else if (can_divide && proof > Proof::sheets) {
          // A blade could reach in between the corners of a graph; else the surface enters by a face at most:
          // divide when it comes deep enough to be seen.
          if (proof == Proof::graph ? edge > simple_limit(parts, c) : reaches_deep(parts, c, edge)) divided |= 1u << c;
          if (proof == Proof::graph) blades |= 1u << c;
        }
      }
      if (divided & blades) {
        bound_axes(cell, parts);
        const unsigned empty = empty_by_slopes(parts, divided & blades);
        divided &= ~empty;
        look &= ~empty;
      }
      find_crossings(primitives(parts.list), grid_.chord, parts, cut);
      cut |= find_both_sides(field_, primitives(parts.list), grid_.chord, parts, look);
      if (can_divide)
        for (int c = 0; c < 8; ++c)
          if (parts.proof[static_cast<std::size_t>(c)] == Proof::sheets && (look & ~cut) >> c & 1 &&
              reaches_deep(parts, c, edge))
            divided |= 1u << c;
      if (can_divide && edge > grid_.chord) divided |= coarse(cell, parts, cut);
    }
    const std::int32_t old =
        cell.old < 0 ? -1 : std::max(old_->tree->nodes[static_cast<std::size_t>(cell.old)], std::int32_t{-1});
    const auto low = [&](std::int32_t c) { return low_of_part(cell, parts, c); };
    const auto divide_part = [&](std::int32_t c, std::int32_t node) {
      const std::size_t end = arena_.size();
      const auto at = static_cast<std::size_t>(c);
      const Cell part{node,
                      low(c),
                      parts.size,
                      {parts.proof[at], parts.ridge[at], (parts.plain >> c & 1u) != 0},
                      list_of(parts, c),
                      turned_in(cell, parts, c),
                      old < 0 ? -1 : old + c};
      const bool known = (parts.known & kPointsOfPart[at]) == kPointsOfPart[at];
      Corners own;
      for (int k = 0; known && k < 8; ++k)
        own[static_cast<std::size_t>(k)] = parts.points[static_cast<std::size_t>(lattice_of_corner(c, k))];
      divide(part, known ? &own : nullptr);
      arena_.resize(end);
      reach_.resize(end);
    };
    for (std::int32_t c = 0; c < 8; ++c)
      if ((tried & ~divided) >> c & 1 && !shown_as_it_is(low(c), parts, c, divide_part)) divided |= 1u << c;
    const auto first = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.resize(tree_.nodes.size() + 8, -1);
    tree_.nodes[static_cast<std::size_t>(cell.node)] = first;
    if (old_) tree_.inputs.push_back(input);
    if (look & ~divided) add_leaves(parts, look & ~divided, first, low);
    for (std::int32_t c = 0; c < 8; ++c)
      if (divided >> c & 1) divide_part(c, first + c);
  }

  /// Whether a part that nothing is proved of may be divided to see what is in it: where several primitives meet, and none has creases, whose
  /// parts would be like it again and again.
  bool worth_a_try(const Parts& parts, int part, double edge) const {
    if (parts.proof[static_cast<std::size_t>(part)] != Proof::none || parts.held >> part & 1u) return false;
    if (edge <= kTried * simple_limit(parts, part)) return false;
    std::uint32_t count = 0;
    for (std::uint32_t i = parts.list.first; i < parts.list.first + parts.list.count; ++i) {
      if (parts.reach_known && !(reach_[i] >> part & 1)) continue;
      const FieldPrimitive& f = field_.primitives()[arena_[i]];
      if (f.p1 < kCreased || f.p2 < kCreased) return false;
      ++count;
    }
    return count > 1;
  }

  /// Divides a part as far as it takes to prove what is in it, and looks whether its corners show the same. What that made is forgotten, the
  /// answer is not: parts of parts are asked about again.
  template <class DividePart>
  bool shown_as_it_is(const std::array<std::int32_t, 3>& low, const Parts& parts, int part,
                      const DividePart& divide_part) {
    const std::array<std::int32_t, 4> key{low[0], low[1], low[2], parts.size};
    if (const auto known = tried_.find(key); known != tried_.end()) return known->second;
    const TreeMark mark(tree_, last_list_);
    const auto node = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.push_back(-1);
    divide_part(part, node);
    const bool shown = shown_by_corners(tree_, node, parts.inside[static_cast<std::size_t>(part)]);
    control_.leaves->fetch_sub(mark.restore(tree_, last_list_), std::memory_order_relaxed);
    if (old_leaf_ && old_leaf_->size() > tree_.leaves.size()) old_leaf_->resize(tree_.leaves.size());
    return tried_[key] = shown;
  }

  /// The primitives that reach into a part.
  List list_of(const Parts& parts, int part) {
    if (!parts.reach_known) return parts.list;
    List list{static_cast<std::uint32_t>(arena_.size()), 0};
    for (std::uint32_t i = parts.list.first; i < parts.list.first + parts.list.count; ++i)
      if (reach_[i] >> part & 1) arena_.push_back(arena_[i]);
    list.count = static_cast<std::uint32_t>(arena_.size()) - list.first;
    reach_.resize(arena_.size(), 0xff);
    return list;
  }

  /// Samples the corners of the parts that are looked at.
  void sample_lattice(const Cell& cell, Parts& parts, unsigned look, const Corners* corners) {
    std::uint32_t wanted = 0;
    for (unsigned c = 0; c < 8; ++c)
      if (look >> c & 1) wanted |= kPointsOfPart[c];
    if (corners)
      for (int c = 0; c < 8; ++c) {
        const int p = lattice(2 * (c & 1), 2 * (c >> 1 & 1), 2 * (c >> 2));
        parts.points[static_cast<std::size_t>(p)] = (*corners)[static_cast<std::size_t>(c)];
        parts.known |= 1u << p;
      }
    wanted &= ~parts.known;
    parts.known |= wanted;
    double at[3][3];
    for (std::size_t k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) at[k][i] = coordinate(k, cell.low[k] + i * parts.size);
    sample_points(primitives(parts.list), at, wanted, parts);
  }

  /// Ranges of the slopes along x, y and z; prove() has been here.
  void bound_axes(const Cell& cell, Parts& parts) {
    if (parts.bounded) return;
    parts.bounded = true;
    for (int k = 0; k < 3; ++k) {
      Lanes axis[3];
      for (int j = 0; j < 3; ++j)
        for (int l = 0; l < kLanes; ++l) axis[j][l] = j == k ? 1 : 0;
      kernels_.bound_along(primitives(cell.list), own_reach_.data(), bounds_.data(), axis, parts.slope[k]);
    }
  }

  bool reaches_deep(Parts& parts, int part, double edge) {
    if (!near_by_corners(parts, part, edge)) return false;
    sample_middles(parts);
    const double slope = Vec3(parts.gradient[0][part], parts.gradient[1][part], parts.gradient[2][part]).norm();
    return slope > 0 && std::abs(parts.value[part] - 1) < 0.5 * edge * slope && edge > simple_limit(parts, part);
  }

  Fine fine(const Parts& parts, int part) const {
    // The sheets on the two sides of a ridge are looked at one by one.
    std::array<std::array<const Crossing*, 24>, 2> cut;
    std::array<std::size_t, 2> count{};
    const Ridge& ridge = parts.ridge[static_cast<std::size_t>(part)];
    const auto add = [&](std::int8_t number) {
      const Crossing& c = parts.crossings[static_cast<std::size_t>(number)];
      const std::size_t side =
          parts.proof[static_cast<std::size_t>(part)] == Proof::sheets &&
          beyond_ridge(field_.packed()[static_cast<std::size_t>(ridge.primitive)], ridge.axis, c.point) < 0;
      cut[side][count[side]++] = &c;
    };
    for (const CellEdge& e : kCellEdges) {
      const std::size_t at = edge_of(part, e);
      if (parts.edge[at] < 0) continue;
      if (parts.twice[at] && ridge.primitive < 0) continue;
      add(parts.edge[at]);
      if (parts.twice[at]) add(static_cast<std::int8_t>(parts.edge[at] + 1));
    }
    Fine least = Fine::yes;
    for (std::size_t side = 0; side < 2; ++side)
      if (count[side] > 0)
        least = std::min(least, is_fine(primitives(parts.list), grid_, parts, part, {cut[side].data(), count[side]},
                                        (parts.plain >> part & 1u) != 0));
    return least;
  }

  template <class Low>
  void add_leaves(const Parts& parts, unsigned which, std::int32_t first_node, const Low& low) {
    put_list(tree_, last_list_, {arena_.data() + parts.list.first, parts.list.count});
    std::uint32_t with_surface = 0;
    std::array<std::uint32_t, 108> kept;
    kept.fill(0xffffffffu);
    for (std::int32_t c = 0; c < 8; ++c) {
      if (!(which >> c & 1)) continue;
      Leaf leaf;
      leaf.low = low(c);
      leaf.size = parts.size;
      leaf.node = first_node + c;
      leaf.proof = parts.proof[static_cast<std::size_t>(c)];
      leaf.inside = parts.inside[static_cast<std::size_t>(c)];
      leaf.turned = parts.turned & kPointsOfPart[static_cast<std::size_t>(c)];
      leaf.list_first = last_list_.first;
      leaf.list_size = static_cast<std::uint16_t>(last_list_.count);
      leaf.crossing_first = static_cast<std::uint32_t>(tree_.crossing_of.size());
      leaf.ridge = parts.ridge[static_cast<std::size_t>(c)];
      leaf.plain = (parts.plain >> c & 1u) != 0;
      leaf.cut = kCutEdges[leaf.inside];
      for (unsigned e = 0; e < 12; ++e) {
        const std::size_t at = edge_of(c, kCellEdges[e]);
        const bool twice = leaf.ridge.primitive >= 0 && parts.twice[at] && parts.edge[at] >= 0;
        if (twice) leaf.twice = static_cast<std::uint16_t>(leaf.twice | 1u << e);
        if (!twice && !(leaf.cut >> e & 1u)) continue;
        for (std::size_t number = static_cast<std::size_t>(parts.edge[at]), end = number + (twice ? 2 : 1);
             number < end; ++number) {
          if (kept[number] == 0xffffffffu) {
            kept[number] = static_cast<std::uint32_t>(tree_.crossings.size());
            tree_.crossings.push_back(parts.crossings[number]);
          }
          tree_.crossing_of.push_back(kept[number]);
        }
      }
      with_surface += (leaf.cut | leaf.twice) != 0 ? 1 : 0;
      tree_.nodes[static_cast<std::size_t>(leaf.node)] = -2 - static_cast<std::int32_t>(tree_.leaves.size());
      tree_.leaves.push_back(leaf);
    }
    tree_.cut_leaves += with_surface;
    control_.leaves->fetch_add(with_surface, std::memory_order_relaxed);
  }

  const MetaballField& field_;
  const GridSpec& grid_;
  const BuildControl& control_;
  const Kernels& kernels_ = kernels();
  Place base_{};
  Tree tree_;
  std::vector<std::uint16_t> arena_;  ///< lists of the cells from the block down to the one at hand
  std::vector<std::uint8_t> reach_;   ///< one per entry of arena_: the parts it reaches into
  std::vector<PrimitiveBounds> bounds_;
  std::vector<std::uint8_t> own_reach_;
  CloseProof close_;
  LastList last_list_;
  const OldTree* old_ = nullptr;  ///< null: the tree is there, and gets more cells
  std::vector<std::int32_t>* old_leaf_ = nullptr;
  std::uint64_t input_ = 0;  ///< of the cell that is divided
  const TurnedCorners* turned_ = nullptr;
  double grow_ = 0;                                    ///< m, how far from a cell its list reaches
  std::map<std::array<std::int32_t, 4>, bool> tried_;  ///< by low corner and size
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace

Tree build_tree(const MetaballField& field, const GridSpec& grid, const Place& block,
                const std::vector<std::uint16_t>& list, const OldTree& old, std::vector<std::int32_t>& old_leaf,
                const BuildControl& control) {
  return Builder(field, grid, block, control).run(list, old, old_leaf);
}

void divide_leaves(const MetaballField& field, const GridSpec& grid, const Place& block, Tree& tree,
                   const std::vector<std::int32_t>& leaves, const TurnedCorners& turned, const BuildControl& control) {
  Builder(field, grid, block, control).run(tree, leaves, turned);
}

void turn_corners(const MetaballField& field, const GridSpec& grid, const Place& block, Tree& tree,
                  const std::vector<std::uint16_t>& list, const TurnedCorners& turned, const BuildControl& control) {
  Builder(field, grid, block, control).turn(tree, list, turned);
}

}  // namespace hazumi::metaball
