#include "core/geometry/metaball/octree.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/base/hash.h"

namespace hazumi::metaball {

namespace {

/// Open addressing from a 64-bit key to the order of first appearance.
class KeyTable {
 public:
  KeyTable() { resize(256); }
  /// Number of the key; `fresh` when it was not there.
  std::uint32_t number(std::uint64_t key, bool& fresh) {
    if (2 * (count_ + 1) > slots_.size()) resize(2 * slots_.size());
    Slot& slot = find(key);
    fresh = slot.number == kNone;
    if (fresh) slot = {key, count_++};
    return slot.number;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kNone;
  };
  Slot& find(std::uint64_t key) {
    std::size_t i = mix64(key) & (slots_.size() - 1);
    while (slots_[i].number != kNone && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void resize(std::size_t n) {
    std::vector<Slot> old(n);
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.number != kNone) find(s.key) = s;
  }
  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

std::uint64_t key_of(const std::array<std::int32_t, 3>& p) {
  return (static_cast<std::uint64_t>(p[0]) << 26) | (static_cast<std::uint64_t>(p[1]) << 13) |
         static_cast<std::uint64_t>(p[2]);
}

/// Tangents of the largest angle between the gradient and one direction: below the first the surface in the
/// cell is one graph that does not overhang much, below the second it cannot reach deep between the corners.
constexpr double kGraph = 3, kOneSided = 1.2;

class Builder {
 public:
  Builder(const MetaballField& field, const GridSpec& grid, const Place& block, const BuildControl& control)
      : field_(field), grid_(grid), control_(control) {
    for (std::size_t k = 0; k < 3; ++k) base_[k] = block[k] * kBlockUnits;
  }

  Tree run(std::vector<std::uint16_t> list) {
    tree_.nodes.push_back(-1);
    levels_.resize(kBlockLevels + 2);
    levels_[0].list = std::move(list);
    divide(0, {0, 0, 0}, kBlockUnits, 0);
    return std::move(tree_);
  }

  Tree run(const Tree& tree, const std::vector<std::int32_t>& leaves) {
    tree_ = tree;
    edge_offset_ = static_cast<std::uint32_t>(tree_.crossings.size());
    levels_.resize(kBlockLevels + 2);
    for (std::int32_t l : leaves) {
      Leaf& leaf = tree_.leaves[static_cast<std::size_t>(l)];
      const auto list = tree_.lists.begin() + leaf.list_first;
      levels_[0].list.assign(list, list + leaf.list_size);
      const Leaf whole = leaf;
      leaf.size = 0;
      leaf.edges = 0;
      divide_into(whole.node, whole.low, whole.size, 0);
    }
    return std::move(tree_);
  }

 private:
  struct Level {
    std::vector<std::uint16_t> list;
    std::vector<FieldBounds> bounds;
  };

  Vec3 at(const std::array<std::int32_t, 3>& p) const {
    return grid_.at({base_[0] + p[0], base_[1] + p[1], base_[2] + p[2]});
  }

  void divide(std::int32_t node, const std::array<std::int32_t, 3>& low, std::int32_t size,
              std::size_t depth) {
    if ((++steps_ & 255) == 0) stopped_ = stopped_ || control_.stop();
    if (stopped_) return;
    const std::vector<std::uint16_t>& candidates = levels_[depth].list;
    Level& level = levels_[depth + 1];
    level.list.clear();
    level.bounds.clear();
    const double h = 0.5 * grid_.unit * size;
    const Vec3 x = at(low) + Vec3::Constant(h);
    Range sum;
    double size_of_terms = 1;
    for (std::uint16_t i : candidates) {
      FieldBounds b;
      if (!bound_value(field_.primitives()[i], x, h, b)) continue;
      sum.low += b.rho.low;
      sum.high += b.rho.high;
      size_of_terms += std::abs(field_.primitives()[i].weight);
      level.list.push_back(i);
      level.bounds.push_back(b);
    }
    const double rounding = 1e-9 * size_of_terms;
    if (sum.low > 1 + rounding || sum.high < 1 - rounding) return;  // stays −1: dropped
    bool proved = false;
    if (size > 1 && h >= grid_.smallest && wants_division(low, size, x, h, level, proved)) {
      divide_into(node, low, size, depth + 1);
      return;
    }
    add_leaf(node, low, size, level, proved);
  }

  /// The children's primitives are among levels_[depth].list.
  void divide_into(std::int32_t node, const std::array<std::int32_t, 3>& low, std::int32_t size,
                   std::size_t depth) {
    const auto first = static_cast<std::int32_t>(tree_.nodes.size());
    tree_.nodes.resize(tree_.nodes.size() + 8, -1);
    tree_.nodes[static_cast<std::size_t>(node)] = first;
    const std::int32_t half = size / 2;
    for (std::int32_t c = 0; c < 8; ++c)
      divide(first + c, {low[0] + (c & 1) * half, low[1] + (c >> 1 & 1) * half, low[2] + (c >> 2) * half},
             half, depth);
  }

  /// Bound of the tangent of the angle between the field's gradient and one direction, over the cell; 1e300
  /// when no direction was found along which the field only rises.
  double turn(const Vec3& x, Level& level, const Vec3& gradient) {
    for (std::size_t k = 0; k < level.list.size(); ++k)
      bound_slopes(field_.primitives()[level.list[k]], level.bounds[k]);
    const auto along = [&](const Vec3& d) {
      Range sum;
      for (std::size_t k = 0; k < level.list.size(); ++k) {
        const Range r = bound_directional(field_.primitives()[level.list[k]], level.bounds[k], d);
        sum.low += r.low;
        sum.high += r.high;
      }
      return sum;
    };
    const auto tangent = [&](const Vec3& d) {
      const Range rise = along(d);
      const double least = std::max(rise.low, -rise.high);
      if (least <= 0) return 1e300;
      const Vec3 e = d.unitOrthogonal(), f = d.cross(e);
      const Range a = along(e), b = along(f);
      return std::hypot(std::max(a.high, -a.low), std::max(b.high, -b.low)) / least;
    };
    double best = 1e300;
    const double length = gradient.norm();
    if (length > 0) best = tangent(gradient / length);
    if (best <= kOneSided) return best;
    // Along the ray from the primitive that rules here.
    double most = 0;
    Vec3 ray = Vec3::Zero();
    for (std::size_t k = 0; k < level.list.size(); ++k) {
      const Range& e = level.bounds[k].euler;
      const double share = std::max(std::abs(e.low), std::abs(e.high));
      if (share > most) {
        most = share;
        ray = x - field_.primitives()[level.list[k]].centre;
      }
    }
    const double reach = ray.norm();
    return reach > 0 ? std::min(best, tangent(ray / reach)) : best;
  }

  /// Edge below which a cell that cannot be proved simple is left as it is.
  double simple_limit(const Level& level) const {
    double limit = grid_.chord;
    for (std::uint16_t i : level.list)
      limit = std::min(limit, grid_.simple_limit * field_.primitives()[i].thinnest);
    return limit;
  }

  bool wants_division(const std::array<std::int32_t, 3>& low, std::int32_t size, const Vec3& x, double h,
                      Level& level, bool& proved) {
    Vec3 gradient;
    const double middle = field_.value(x, level.list, gradient);
    const double edge = 2 * h;
    const double tangent = turn(x, level, gradient);
    proved = tangent <= kGraph;
    if (!proved) return edge > simple_limit(level);
    const std::uint8_t inside = corners(low, size, level);
    if (inside == 0 || inside == 255) {
      // A blade could reach in between the corners.
      if (tangent > kOneSided) return edge > simple_limit(level);
      // The surface enters by a face at most; divide when it comes deep enough to be seen.
      const double slope = gradient.norm();
      return slope > 0 && std::abs(middle - 1) < 0.5 * edge * slope && edge > simple_limit(level);
    }
    if (edge <= grid_.chord) return false;
    cut_.clear();
    for (const CellEdge& e : kCellEdges) {
      const int a = e.corner, b = e.corner | (1 << e.axis);
      if (((inside >> a) ^ (inside >> b)) & 1) cut_.push_back(tree_.crossings[crossing(low, size, e, level)]);
    }
    return !fine(level, edge);
  }

  bool fine(const Level& level, double edge) {
    Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
    for (const Crossing& c : cut_) {
      middle += c.point;
      mean += c.normal;
    }
    middle /= static_cast<double>(cut_.size());
    mean.normalize();
    double smooth = 0, spread = 1;
    for (const Crossing& c : cut_) {
      smooth = std::max(smooth, std::abs(c.normal.dot(middle - c.point)));
      spread = std::min(spread, c.normal.dot(mean));
    }
    // On a sphere the mean lies below the tangent planes by twice the height of the cap.
    if (0.5 * smooth <= 0.7 * grid_.chord && spread > 0.5) {
      return spread < 0.9 || edge <= 3 * grid_.chord || sees_all(0.75);
    }
    if (spread > 0.95) return false;
    const Vec3 q = sharp_point(cut_, middle);
    double residual = 0;
    for (const Crossing& c : cut_) residual = std::max(residual, std::abs(c.normal.dot(q - c.point)));
    if (residual > 0.5 * grid_.chord) return false;
    Vec3 gradient;
    const double value = field_.value(q, level.list, gradient);
    const double slope = gradient.norm();
    return slope > 0 && std::abs(value - 1) <= 0.7 * grid_.chord * slope &&
           (edge <= 3 * grid_.chord || sees_all(0.75));
  }

  /// Whether every corner's normal is like that of some crossing: a crease or a tip that passes between the
  /// crossings shows at the corners.
  bool sees_all(double least) const {
    return std::all_of(corner_of_.begin(), corner_of_.end(), [&](std::uint32_t c) {
      return std::any_of(cut_.begin(), cut_.end(),
                         [&](const Crossing& x) { return x.normal.dot(corner_normal_[c]) > least; });
    });
  }

  std::uint8_t corners(const std::array<std::int32_t, 3>& low, std::int32_t size, const Level& level) {
    unsigned inside = 0;
    for (int c = 0; c < 8; ++c) {
      const std::array<std::int32_t, 3> p = corner(low, size, c);
      bool fresh = false;
      const std::uint32_t number = corner_table_.number(key_of(p), fresh);
      if (fresh) {
        Vec3 gradient;
        corner_value_.push_back(field_.value(at(p), level.list, gradient));
        const double slope = gradient.norm();
        corner_normal_.push_back(slope > 0 ? Vec3(gradient / -slope) : Vec3::Zero());
      }
      corner_of_[static_cast<std::size_t>(c)] = number;
      if (corner_value_[number] >= 1) inside |= 1u << c;
    }
    return static_cast<std::uint8_t>(inside);
  }

  static std::array<std::int32_t, 3> corner(const std::array<std::int32_t, 3>& low, std::int32_t size,
                                            int c) {
    return {low[0] + (c & 1) * size, low[1] + (c >> 1 & 1) * size, low[2] + (c >> 2) * size};
  }

  /// Number of the crossing of a cut edge; needs corner_of_ of this cell.
  std::uint32_t crossing(const std::array<std::int32_t, 3>& low, std::int32_t size, const CellEdge& e,
                         const Level& level) {
    const std::array<std::int32_t, 3> a = corner(low, size, e.corner);
    bool fresh = false;
    const auto log2 = static_cast<std::uint64_t>(std::countr_zero(static_cast<std::uint32_t>(size)));
    const std::uint32_t number =
        edge_offset_ + edge_table_.number((key_of(a) << 6) | (log2 << 2) | e.axis, fresh);
    if (!fresh) return number;
    const Vec3 p = at(a), along = Vec3::Unit(e.axis) * (grid_.unit * size);
    double ta = 0, tb = 1, fa = corner_value_[corner_of_[e.corner]] - 1,
           fb = corner_value_[corner_of_[e.corner | (1u << e.axis)]] - 1;
    Crossing result;
    for (int round = 0; round < 4; ++round) {
      double t = ta - fa * (tb - ta) / (fb - fa);
      if (!(t > ta && t < tb)) t = 0.5 * (ta + tb);
      result.point = p + t * along;
      Vec3 gradient;
      const double f = field_.value(result.point, level.list, gradient) - 1;
      const double slope = gradient.norm();
      result.normal = slope > 0 ? Vec3(gradient / -slope) : Vec3::Zero();
      if (round == 3 || std::abs(f) <= 0.02 * grid_.chord * slope) break;
      ((f >= 0) == (fa >= 0) ? ta : tb) = t;
      ((f >= 0) == (fa >= 0) ? fa : fb) = f;
      const double newton = t - f / gradient.dot(along);
      if (newton > ta && newton < tb) {  // narrow the bracket around Newton's guess instead of by chords
        const double margin = 0.1 * std::abs(newton - t);
        const double s = std::clamp(newton + (newton > t ? margin : -margin), ta, tb);
        const double g = field_.value(p + s * along, level.list) - 1;
        ((g >= 0) == (fa >= 0) ? ta : tb) = s;
        ((g >= 0) == (fa >= 0) ? fa : fb) = g;
      }
    }
    tree_.crossings.push_back(result);
    return number;
  }

  void add_leaf(std::int32_t node, const std::array<std::int32_t, 3>& low, std::int32_t size,
                const Level& level, bool proved) {
    tree_.nodes[static_cast<std::size_t>(node)] = -2 - static_cast<std::int32_t>(tree_.leaves.size());
    Leaf leaf;
    leaf.low = low;
    leaf.size = size;
    leaf.node = node;
    leaf.proved = proved;
    leaf.inside = corners(low, size, level);
    leaf.list_first = static_cast<std::uint32_t>(tree_.lists.size());
    leaf.list_size = static_cast<std::uint16_t>(level.list.size());
    tree_.lists.insert(tree_.lists.end(), level.list.begin(), level.list.end());
    leaf.crossing_first = static_cast<std::uint32_t>(tree_.crossing_of.size());
    for (const CellEdge& e : kCellEdges) {
      const int a = e.corner, b = e.corner | (1 << e.axis);
      if (!(((leaf.inside >> a) ^ (leaf.inside >> b)) & 1)) continue;
      tree_.crossing_of.push_back(crossing(low, size, e, level));
      ++leaf.edges;
    }
    tree_.leaves.push_back(leaf);
    control_.leaves->fetch_add(1, std::memory_order_relaxed);
  }

  const MetaballField& field_;
  const GridSpec& grid_;
  const BuildControl& control_;
  Place base_{};
  Tree tree_;
  std::vector<Level> levels_;
  KeyTable corner_table_, edge_table_;
  std::vector<double> corner_value_;
  std::vector<Vec3> corner_normal_;
  std::array<std::uint32_t, 8> corner_of_{};
  std::vector<Crossing> cut_;
  std::uint32_t edge_offset_ = 0;  ///< crossings there were before
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
};

}  // namespace

std::int32_t Tree::find(const std::array<std::int32_t, 3>& q) const {
  std::int32_t node = nodes[0];
  for (int bit = kBlockLevels; node >= 0; --bit) {
    const std::int32_t c = (q[0] >> bit & 1) | (q[1] >> bit & 1) << 1 | (q[2] >> bit & 1) << 2;
    node = nodes[static_cast<std::size_t>(node + c)];
  }
  return node == -1 ? -1 : -2 - node;
}

Tree build_tree(const MetaballField& field, const GridSpec& grid, const Place& block,
                std::vector<std::uint16_t> list, const BuildControl& control) {
  return Builder(field, grid, block, control).run(std::move(list));
}

Tree divide_leaves(const MetaballField& field, const GridSpec& grid, const Place& block, const Tree& tree,
                   const std::vector<std::int32_t>& leaves, const BuildControl& control) {
  return Builder(field, grid, block, control).run(tree, leaves);
}

Vec3 sharp_point(const std::vector<Crossing>& crossings, const Vec3& middle) {
  Mat3 A = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  for (const Crossing& c : crossings) {
    A.noalias() += c.normal * c.normal.transpose();
    b += c.normal * c.normal.dot(c.point - middle);
  }
  Eigen::SelfAdjointEigenSolver<Mat3> eigen;
  eigen.computeDirect(A);
  const double largest = eigen.eigenvalues()[2];
  Vec3 q = middle;
  for (int k = 0; k < 3; ++k) {
    const double value = eigen.eigenvalues()[k];
    if (value > 0.05 * largest)
      q += eigen.eigenvectors().col(k) * (eigen.eigenvectors().col(k).dot(b) / value);
  }
  return q;
}

}  // namespace hazumi::metaball
