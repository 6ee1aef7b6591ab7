// What the surface Σ ρ = 1 of a group is, found without the polygoniser: signs on a fine grid of points, joined by
// Kuhn's tetrahedra (six to a cube; all cubes alike, so neighbours fit). Of the surface that is linear in them
//   V = mixed edges, E = mixed triangles, F = mixed tetrahedra, χ = V − E + F
// summed over cubes whose corners differ; pieces by joining the mixed edges of each tetrahedron. A brick of 8³ cubes is
// left out only where the natural interval of Σ ρ excludes 1. A grid is believed when those of half and a quarter of its step say the same.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/geometry/metaball/field.h"

namespace hazumi::reference {

struct Topology {
  std::int64_t pieces = 0, euler = 0;
  friend bool operator==(const Topology&, const Topology&) = default;
};

/// Kuhn's tetrahedra of a cube: corner 0, then one axis after the other (corner bits x + 2y + 4z).
inline constexpr int kPaths[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                     {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

/// χ that a cube adds: edges, triangles and tetrahedra that start at its corner 0 along its own directions.
inline int euler_of_cube(unsigned inside) {
  const auto at = [&](int corner) { return inside >> corner & 1u; };
  int sum = 0;
  for (int d = 1; d < 8; ++d) sum += at(0) != at(d) ? 1 : 0;
  for (int d = 1; d < 8; ++d)
    for (int e = d + 1; e < 8; ++e)
      if ((d & e) == d) sum -= at(0) != at(d) || at(0) != at(e) ? 1 : 0;
  for (const auto& t : kPaths) sum += at(0) != at(t[1]) || at(0) != at(t[2]) || at(0) != at(t[3]) ? 1 : 0;
  return sum;
}

class Grid {
 public:
  static constexpr int kBrick = 8, kSide = kBrick + 1;

  Grid(const MetaballField& field, double step) : field_(field), step_(step) {
    for (unsigned inside = 0; inside < 256; ++inside) euler_[inside] = euler_of_cube(inside);
  }

  /// Nothing when more than `most` bricks hold surface.
  std::optional<Topology> run(std::size_t most) {
    most_ = most;
    Box3 box;
    for (const FieldPrimitive& f : field_.primitives()) {
      box.add(f.centre - f.reach);
      box.add(f.centre + f.reach);
    }
    if (field_.primitives().empty()) return Topology{};
    // No plane of the grid through places that a person would choose.
    origin_ = box.low - step_ * Vec3(1.2347, 1.4142, 1.1732);
    std::int64_t size = kBrick;
    while (step_ * static_cast<double>(size) < (box.high - origin_).maxCoeff() + 2 * step_) size *= 2;
    std::vector<std::uint16_t> all(field_.primitives().size());
    std::iota(all.begin(), all.end(), std::uint16_t{0});
    divide({0, 0, 0}, size, all);
    if (bricks_ > most_) return std::nullopt;
    Topology result{0, euler_sum_};
    for (std::uint32_t i = 0; i < root_.size(); ++i) result.pieces += root_[i] == i ? 1 : 0;
    return result;
  }

  std::size_t bricks() const { return bricks_; }
  /// With keep_points: places of the surface on the grid's edges.
  bool keep_points = false;
  std::vector<Vec3> points;

 private:
  using Place = std::array<std::int64_t, 3>;

  double coordinate(std::size_t axis, std::int64_t i) const {
    return origin_[static_cast<Eigen::Index>(axis)] + step_ * static_cast<double>(i);
  }

  std::uint32_t top(std::uint32_t i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }

  void divide(const Place& low, std::int64_t size, const std::vector<std::uint16_t>& above) {
    if (bricks_ > most_) return;
    Box3 box;
    for (std::int64_t end : {std::int64_t{0}, size})
      box.add(Vec3(coordinate(0, low[0] + end), coordinate(1, low[1] + end), coordinate(2, low[2] + end)));
    std::vector<std::uint16_t> list;
    for (std::uint16_t i : above) {
      const FieldPrimitive& f = field_.primitives()[i];
      if (((f.centre - box.low + f.reach).array() > -1e-9).all() &&
          ((box.high - f.centre + f.reach).array() > -1e-9).all())
        list.push_back(i);
    }
    if (list.empty()) return;
    const Range range = field_.range(box);
    if (range.low > 1 + 1e-7 || range.high < 1 - 1e-7) return;
    if (size == kBrick) {
      take(low, list);
      return;
    }
    for (int c = 0; c < 8; ++c)
      divide({low[0] + (c & 1) * size / 2, low[1] + (c >> 1 & 1) * size / 2, low[2] + (c >> 2) * size / 2}, size / 2,
             list);
  }

  static int local(int x, int y, int z) { return x + kSide * (y + kSide * z); }

  void take(const Place& low, const std::vector<std::uint16_t>& list) {
    if (++bricks_ > most_) return;
    constexpr int n = kSide * kSide * kSide;
    std::array<double, n> value;
    for (int z = 0, i = 0; z < kSide; ++z)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x, ++i)
          value[static_cast<std::size_t>(i)] = field_.value(place(low, x, y, z), list) - 1;
    std::array<std::int32_t, n * 8> node;
    node.fill(-1);
    own_.clear();
    for (int z = 0; z < kBrick; ++z)
      for (int y = 0; y < kBrick; ++y)
        for (int x = 0; x < kBrick; ++x) {
          unsigned inside = 0;
          for (int c = 0; c < 8; ++c)
            if (value[static_cast<std::size_t>(local(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)))] >= 0)
              inside |= 1u << c;
          if (inside == 0 || inside == 255) continue;
          euler_sum_ += euler_[inside];
          for (const auto& t : kPaths) {
            std::int32_t first = -1;
            for (int a = 0; a < 4; ++a)
              for (int b = a + 1; b < 4; ++b) {
                if ((inside >> t[a] & 1u) == (inside >> t[b] & 1u)) continue;
                const int base = local(x + (t[a] & 1), y + (t[a] >> 1 & 1), z + (t[a] >> 2));
                const int d = t[b] - t[a];
                std::int32_t& entry = node[static_cast<std::size_t>(base * 8 + d)];
                if (entry < 0) {
                  entry = static_cast<std::int32_t>(own_.size());
                  own_.push_back(entry);
                  if (keep_points && (d & (d - 1)) == 0) keep(low, base, d, value);
                }
                first = first < 0 ? entry : first;
                own_[static_cast<std::size_t>(own_top(entry))] = own_top(first);
              }
          }
        }
    join(low, node);
  }

  Vec3 place(const Place& low, int x, int y, int z) const {
    return {coordinate(0, low[0] + x), coordinate(1, low[1] + y), coordinate(2, low[2] + z)};
  }

  template <class Values>
  void keep(const Place& low, int base, int d, const Values& value) {
    const int x = base % kSide, y = base / kSide % kSide, z = base / (kSide * kSide);
    const Vec3 p = place(low, x, y, z), q = place(low, x + (d & 1), y + (d >> 1 & 1), z + (d >> 2));
    const double f = value[static_cast<std::size_t>(base)],
                 g = value[static_cast<std::size_t>(local(x + (d & 1), y + (d >> 1 & 1), z + (d >> 2)))];
    points.push_back(p + (q - p) * (f / (f - g)));
  }

  std::int32_t own_top(std::int32_t i) {
    while (own_[static_cast<std::size_t>(i)] != i)
      i = own_[static_cast<std::size_t>(i)] = own_[static_cast<std::size_t>(own_[static_cast<std::size_t>(i)])];
    return i;
  }

  /// Makes the brick's components known to all, by the mixed edges on its border.
  template <class Nodes>
  void join(const Place& low, const Nodes& node) {
    std::unordered_map<std::int32_t, std::uint32_t> global;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(own_.size()); ++i)
      if (own_top(i) == i) {
        global[i] = static_cast<std::uint32_t>(root_.size());
        root_.push_back(static_cast<std::uint32_t>(root_.size()));
      }
    for (int z = 0, base = 0; z < kSide; ++z)
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x, ++base) {
          if (x % kBrick && y % kBrick && z % kBrick) continue;
          for (int d = 1; d < 8; ++d) {
            const std::int32_t entry = node[static_cast<std::size_t>(base * 8 + d)];
            if (entry < 0) continue;
            const std::uint64_t key =
                ((static_cast<std::uint64_t>(low[0] + x) * 0x100000ull + static_cast<std::uint64_t>(low[1] + y)) *
                     0x100000ull +
                 static_cast<std::uint64_t>(low[2] + z)) *
                    8 +
                static_cast<std::uint64_t>(d);
            const std::uint32_t mine = top(global[own_top(entry)]);
            const auto [other, fresh] = border_.emplace(key, mine);
            if (!fresh) root_[mine] = top(other->second);
          }
        }
  }

  const MetaballField& field_;
  double step_;
  Vec3 origin_ = Vec3::Zero();
  std::array<int, 256> euler_;
  std::size_t most_ = 0, bricks_ = 0;
  std::int64_t euler_sum_ = 0;
  std::vector<std::uint32_t> root_;                          ///< of components of all bricks
  std::unordered_map<std::uint64_t, std::uint32_t> border_;  ///< mixed edge on a brick's border: a component with it
  std::vector<std::int32_t> own_;
};

/// Halves the step from `step` until three grids agree (of the groups of the tests two agreed by chance in one of a hundred, mostly on what
/// is thinner than both); nothing when one would need more than `most` bricks first. What one ellipsoid bounds is star-shaped: a ball.
inline std::optional<Topology> certain_topology(const MetaballField& field, double step, std::size_t most) {
  if (field.primitives().size() == 1 && !field.primitives()[0].torus)
    return field.primitives()[0].weight > 1 ? Topology{1, 2} : Topology{};
  std::optional<Topology> last, before;
  for (;; step *= 0.5) {
    const std::optional<Topology> next = Grid(field, step).run(most);
    if (!next) return std::nullopt;
    if (last == next && before == next) return next;
    before = last;
    last = next;
  }
}

}  // namespace hazumi::reference
