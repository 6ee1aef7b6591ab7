#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "core/geometry/metaball/contour.h"
#include "core/geometry/metaball/thin.h"

namespace hazumi::metaball {

namespace {

/// How far a corner looks, in edges of the largest unproved cell around it: two looked at from both sides hold a diagonal.
constexpr double kReach = 1.1;
/// Cosine: where the slope turns by less than 60° on a way of that length nothing thin is looked for.
constexpr double kLevel = 0.5;

bool placed_before(const Place& a, const Place& b) {
  return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]};
}

Vec3 place_of(const GridSpec& grid, const Place& block, const std::array<std::int32_t, 3>& at) {
  Place p = block;
  for (std::size_t k = 0; k < 3; ++k) p[k] = p[k] * kBlockUnits + at[k];
  return grid.at(p);
}

/// The primitives that reach within `margin` m of a box.
std::vector<std::uint16_t> near(const MetaballField& field, const std::vector<std::uint16_t>& among, const Vec3& low,
                                const Vec3& high, double margin) {
  std::vector<std::uint16_t> list;
  for (std::uint16_t i : among) {
    const FieldPrimitive& f = field.primitives()[i];
    const Vec3 reach = f.reach + Vec3::Constant(margin);
    if ((low - f.centre - reach).maxCoeff() <= 0 && (f.centre - reach - high).maxCoeff() <= 0) list.push_back(i);
  }
  return list;
}

std::vector<std::uint16_t> list_of_block(const MetaballField& field, const GridSpec& grid, const Place& at) {
  std::vector<std::uint16_t> all(field.primitives().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  const double edge = grid.unit * kBlockUnits;
  const Vec3 low = place_of(grid, at, {0, 0, 0});
  return near(field, all, low, low + Vec3::Constant(edge), 2 * edge);
}

/// A corner that may be turned: whether a neighbour along an axis is of the side that it would be of.
struct Found {
  TurnedCorner corner;
  bool joined = false;
};

/// Those of up to eight corners that are beside something thin.
void look_at(std::span<const TurnedCorner> corners, const MetaballField& field, const GridSpec& grid,
             const Place& block, const std::vector<std::uint16_t>& all, std::vector<Found>& found) {
  Lanes x[3], value, g[3], range[2];
  Box3 box;
  std::int32_t size = 0;
  for (int l = 0; l < kLanes; ++l) {
    const TurnedCorner& corner = corners[std::min(static_cast<std::size_t>(l), corners.size() - 1)];
    const Vec3 p = place_of(grid, block, corner.at);
    for (int k = 0; k < 3; ++k) x[k][l] = p[k];
    box.add(p);
    size = std::max(size, corner.size);
  }
  const double reach = kReach * grid.unit * size, half[3] = {reach, reach, reach};
  const std::vector<std::uint16_t> list = near(field, all, box.low, box.high, 2 * reach);
  const PrimitiveList primitives{field.packed().data(), list.data(), static_cast<int>(list.size())};
  std::vector<std::uint8_t> reaches(list.size());
  std::vector<PrimitiveBounds> bounds(list.size());
  kernels().bound(primitives, x, half, range, reaches.data(), bounds.data());
  bool open = false;
  for (int l = 0; l < kLanes; ++l) open = open || (range[0][l] < 1 && range[1][l] >= 1);
  if (!open) return;
  kernels().evaluate(primitives, 1, &x[0], &x[1], &x[2], &value, &g[0], &g[1], &g[2]);
  // Most ways rise on half way and at their end: a look at all eight at once.
  unsigned turns = 0;
  for (double part : {0.5, 1.0}) {
    Lanes end[3], there, slope[3];
    for (int l = 0; l < kLanes; ++l) {
      const Vec3 gradient(g[0][l], g[1][l], g[2][l]);
      const double length = gradient.norm(), way = length > 0 ? part * reach / length * (value[l] < 1 ? 1 : -1) : 0;
      for (int k = 0; k < 3; ++k) end[k][l] = x[k][l] + way * gradient[k];
    }
    kernels().evaluate(primitives, 1, &end[0], &end[1], &end[2], &there, &slope[0], &slope[1], &slope[2]);
    for (int l = 0; l < kLanes; ++l) {
      const Vec3 here(g[0][l], g[1][l], g[2][l]), end_slope(slope[0][l], slope[1][l], slope[2][l]);
      const double squares = here.squaredNorm() * end_slope.squaredNorm();
      if (here.squaredNorm() == 0 || here.dot(end_slope) < kLevel * std::sqrt(squares)) turns |= 1u << l;
    }
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto l = static_cast<int>(i);
    if (!(turns >> l & 1u) || range[0][l] >= 1 || range[1][l] < 1) continue;
    const Vec3 p(x[0][l], x[1][l], x[2][l]);
    const double edge = grid.unit * corners[i].size, f = value[l] - 1;
    if (!beside_thin(primitives, p, {f, Vec3(g[0][l], g[1][l], g[2][l])}, kReach * edge)) continue;
    found.push_back({corners[i], false});
    Lanes beside[3], other, slope[3];
    for (int m = 0; m < kLanes; ++m)
      for (int k = 0; k < 3; ++k) beside[k][m] = p[k] + (m / 2 == k ? (m % 2 ? edge : -edge) : 0);
    kernels().evaluate(primitives, 1, &beside[0], &beside[1], &beside[2], &other, &slope[0], &slope[1], &slope[2]);
    for (int m = 0; m < 6; ++m) found.back().joined = found.back().joined || (other[m] >= 1) != (f >= 0);
  }
}

/// Whether a primitive with creases is in a leaf's list. Where none is, cells are divided until what is thin shows.
bool creased(const MetaballField& field, const Tree& tree, const Leaf& leaf) {
  const std::uint16_t* list = tree.lists.data() + leaf.list_first;
  return std::any_of(list, list + leaf.list_size, [&](std::uint16_t i) {
    const FieldPrimitive& f = field.primitives()[i];
    return f.p1 < kCreased || f.p2 < kCreased;
  });
}

/// The corners of unproved cells that lie beside something thin.
std::vector<Found> find_turned(const MetaballField& field, const GridSpec& grid, const BlockTree& block,
                               const BuildControl& control) {
  TurnedCorners corners;
  for (const Leaf& leaf : block.tree->leaves) {
    if (leaf.size == 0 || leaf.proof != Proof::none || leaf.ridge.primitive >= 0) continue;
    if (leaf.list_size > 1 && !creased(field, *block.tree, leaf)) continue;
    for (int c = 0; c < 8; ++c) {
      TurnedCorner corner{leaf.low, leaf.size};
      for (std::size_t k = 0; k < 3; ++k) corner.at[k] += (c >> k & 1) * leaf.size;
      corners.push_back(corner);
    }
  }
  std::vector<Found> found;
  if (corners.empty()) return found;
  // Of one place the last is the largest.
  std::sort(corners.begin(), corners.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (i + 1 == corners.size() || corners[i + 1].at != corners[i].at) corners[kept++] = corners[i];
  corners.resize(kept);
  const std::vector<std::uint16_t> all = list_of_block(field, grid, block.at);
  for (std::size_t first = 0; first < corners.size(); first += kLanes) {
    if (control.stop()) return found;
    look_at({corners.data() + first, std::min<std::size_t>(kLanes, corners.size() - first)}, field, grid, block.at, all,
            found);
  }
  return found;
}

/// Leaves out what hangs together with nothing but turned corners: beads of a spike that is thinner still.
void drop_beads(const std::vector<BlockTree>& blocks, std::vector<std::vector<Found>>& found) {
  std::map<Place, std::uint32_t> number;
  std::vector<std::uint32_t> root;
  std::vector<char> joined;
  const auto place = [&](std::size_t b, const Found& f) {
    Place p = blocks[b].at;
    for (std::size_t k = 0; k < 3; ++k) p[k] = p[k] * kBlockUnits + f.corner.at[k];
    return p;
  };
  const auto top = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Found& f : found[b]) {
      const auto [at, fresh] = number.emplace(place(b, f), static_cast<std::uint32_t>(root.size()));
      if (fresh) {
        root.push_back(at->second);
        joined.push_back(0);
      }
      joined[at->second] = joined[at->second] || f.joined;
    }
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Found& f : found[b]) {
      const Place own = place(b, f);
      const std::uint32_t i = top(number[own]);
      for (std::size_t k = 0; k < 6; ++k) {
        Place beside = own;
        beside[k / 2] += k % 2 ? f.corner.size : -f.corner.size;
        const auto other = number.find(beside);
        if (other != number.end()) root[top(other->second)] = top(i);
      }
    }
  for (std::uint32_t i = 0; i < root.size(); ++i) joined[top(i)] = joined[top(i)] || joined[i];
  for (std::size_t b = 0; b < blocks.size(); ++b)
    std::erase_if(found[b], [&](const Found& f) { return !joined[top(number[place(b, f)])]; });
}

}  // namespace

std::vector<TurnedCorners> thicken(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
                                   const BuildControl& control, Executor& executor) {
  std::vector<std::vector<Found>> found(blocks.size());
  std::vector<TurnedCorners> turned(blocks.size());
  const auto each = [&](const auto& body) {
    executor.blocks(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        if (!control.stop()) body(b);
    });
  };
  each([&](std::size_t b) { found[b] = find_turned(field, grid, blocks[b], control); });
  drop_beads(blocks, found);
  // To every block that has it on its border; nowhere when one of them is not there.
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const auto& [corner, joined] : found[b]) {
      std::array<std::size_t, 8> owner;
      std::array<TurnedCorner, 8> seen;
      std::size_t count = 0;
      bool whole = true;
      for (int c = 0; c < 8; ++c) {
        Place at = blocks[b].at;
        TurnedCorner there = corner;
        bool other = true;  // a block of its own
        for (std::size_t k = 0; k < 3; ++k) {
          const int step = corner.at[k] == 0 ? -1 : corner.at[k] == kBlockUnits ? 1 : 0;
          if (!(c >> k & 1)) continue;
          other = other && step != 0;
          at[k] += step;
          there.at[k] -= step * kBlockUnits;
        }
        if (!other) continue;
        const auto block = std::lower_bound(blocks.begin(), blocks.end(), at,
                                            [](const BlockTree& t, const Place& q) { return placed_before(t.at, q); });
        whole = whole && block != blocks.end() && block->at == at;
        if (!whole) break;
        owner[count] = static_cast<std::size_t>(block - blocks.begin());
        seen[count++] = there;
      }
      if (!whole) continue;
      for (std::size_t k = 0; k < count; ++k) turned[owner[k]].push_back(seen[k]);
    }
  each([&](std::size_t b) {
    TurnedCorners& own = turned[b];
    if (own.empty()) return;
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end(), [](const auto& x, const auto& y) { return x.at == y.at; }),
              own.end());
    auto tree = std::make_shared<Tree>(*blocks[b].tree);
    turn_corners(field, grid, blocks[b].at, *tree, list_of_block(field, grid, blocks[b].at), own, control);
    blocks[b].tree = std::move(tree);
  });
  return turned;
}

}  // namespace hazumi::metaball
