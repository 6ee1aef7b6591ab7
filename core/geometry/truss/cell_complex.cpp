#include "core/geometry/truss/cell_complex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "core/geometry/truss/edit.h"
#include "core/math/eigen.h"

namespace hazumi {

namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

// Of a cell's size.
constexpr double kSame = 1e-6;     // corners of two cells that are one
constexpr double kMerged = 0.15;   // nodes that are one
constexpr double kLongest = 0.75;  // between a line's corners and its nodes; of the surface's as far
constexpr double kSliver = 1e-4;   // six volumes of a tetrahedron, of the longest edge's cube
constexpr double kSmall = 0.08;    // a cell's volume, of their mean: it goes to a neighbour
constexpr double kInPlane = 0.02;  // of the second moments of the ways of a node's springs
constexpr double kFlat = 0.2;      // of its volume, what its nodes enclose

Diagnostic too_large() {
  return {Severity::error, "analysis", "So few cells are too large for how thin the display model is in places.",
          "Ask for more cells."};
}

class Complex {
 public:
  Complex(const std::vector<CutCell>& cells, double size) : cells_(cells), size_(size) { weld(); }

  Result<CellTruss> make() {
    choose_nodes();
    merge_nodes();
    send_to_nodes();
    join_small();
    return gather();
  }

 private:
  struct Point {
    Vec3 place;
    std::set<Index> cells;
    bool surface = false, sharp = false, corner = false;
    /// It lies on everything that `other` lies on.
    bool within(const Point& other) const {
      return (surface || !other.surface) && (sharp || !other.sharp) &&
             std::includes(cells.begin(), cells.end(), other.cells.begin(), other.cells.end());
    }
    /// 0: it may go anywhere on the surface, 1: along a line, 2: nowhere.
    int order() const {
      if (corner || !surface || cells.size() >= 3 || (cells.size() == 2 && sharp)) return 2;
      return cells.size() == 2 || sharp ? 1 : 0;
    }
  };
  struct Piece {
    std::vector<Triangle> triangles;  // over points_
    std::vector<Triangle> image;      // over points_ that are nodes
    std::set<Index> nodes;
    double volume = 0;
    bool joined = false;  // to another one
  };

  void weld();
  void choose_nodes();
  void merge_nodes();
  void send_to_nodes();
  void spread(int order, const std::vector<Index>& from);
  void join_small();
  Result<CellTruss> gather() const;
  Index node_of(Index point) const { return merged_[to_[point]]; }
  double enclosed(const std::vector<Triangle>& triangles) const {
    double six = 0;
    for (const auto& [a, b, c] : triangles) six += points_[a].place.dot(points_[b].place.cross(points_[c].place));
    return six / 6;
  }
  std::vector<Triangle> image_of(const std::vector<Triangle>& triangles) const;

  const std::vector<CutCell>& cells_;
  double size_;
  std::vector<Point> points_;
  std::vector<Piece> pieces_;
  std::vector<Triangle> surface_;           // over points_
  std::vector<std::vector<Index>> beside_;  // points that edges of the surface lead to
  std::vector<Index> to_, merged_;  // of each point: its node, not yet merged; of each node, what it is merged in
  std::vector<double> far_;         // m, along what it lies on
};

/// Corners of all pieces, those at one place once.
void Complex::weld() {
  const double same = kSame * size_;
  using Key = std::array<std::int64_t, 3>;
  std::map<Key, std::vector<Index>> boxes;
  const auto key_of = [&](const Vec3& p) {
    Key key;
    for (std::size_t k = 0; k < 3; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(p[static_cast<Eigen::Index>(k)] / (4 * same)));
    return key;
  };
  const auto find = [&](const Vec3& p) {
    const Key low = key_of(p - Vec3::Constant(same)), high = key_of(p + Vec3::Constant(same));
    for (std::int64_t x = low[0]; x <= high[0]; ++x)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
          if (const auto box = boxes.find({x, y, z}); box != boxes.end())
            for (const Index i : box->second)
              if ((points_[i].place - p).norm() <= same) return i;
    boxes[key_of(p)].push_back(static_cast<Index>(points_.size()));
    points_.push_back({p, {}, false, false, false});
    return static_cast<Index>(points_.size() - 1);
  };
  for (const CutCell& cell : cells_) {
    std::vector<Index> number;
    for (const CutCell::Point& p : cell.points) {
      number.push_back(find(p.place));
      Point& point = points_[number.back()];
      point.cells.insert(p.cells.begin(), p.cells.end());
      point.surface |= p.surface;
      point.sharp |= p.sharp;
      point.corner |= p.corner;
    }
    Piece piece;
    piece.volume = cell.volume;
    for (std::size_t t = 0; t < cell.triangles.size(); ++t) {
      Triangle triangle;
      for (std::size_t k = 0; k < 3; ++k) triangle[k] = number[cell.triangles[t][k]];
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
      piece.triangles.push_back(triangle);
      if (cell.outside[t]) surface_.push_back(triangle);
    }
    pieces_.push_back(std::move(piece));
  }
  beside_.resize(points_.size());
  for (const Triangle& t : surface_)
    for (std::size_t k = 0; k < 3; ++k) {
      beside_[t[k]].push_back(t[(k + 1) % 3]);
      beside_[t[k]].push_back(t[(k + 2) % 3]);
    }
  for (auto& list : beside_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

/// Points of this order that are nearer to the node of one of `from`, along what they lie on, than to theirs go there.
void Complex::spread(int order, const std::vector<Index>& from) {
  using Step = std::tuple<double, Index, Index>;  // how far, the point, its node
  std::priority_queue<Step, std::vector<Step>, std::greater<>> queue;
  for (const Index i : from) queue.emplace(far_[i], i, to_[i]);
  while (!queue.empty()) {
    const auto [far, i, node] = queue.top();
    queue.pop();
    if (far > far_[i] || to_[i] != node) continue;
    for (const Index j : beside_[i]) {
      if (points_[j].order() != order || !points_[i].within(points_[j])) continue;
      const double further = far + (points_[j].place - points_[i].place).norm();
      if (!(further < far_[j])) continue;
      far_[j] = further;
      to_[j] = node;
      queue.emplace(further, j, node);
    }
  }
}

void Complex::choose_nodes() {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  to_.assign(points_.size(), kNoNode);
  far_.assign(points_.size(), kNever);
  for (Index i = 0; i < points_.size(); ++i)
    if (points_[i].order() == 2) {
      to_[i] = i;
      far_[i] = 0;
    }
  for (const int order : {1, 0}) {
    std::vector<Index> placed;
    for (Index i = 0; i < points_.size(); ++i)
      if (to_[i] != kNoNode) placed.push_back(i);
    spread(order, placed);
    for (;;) {
      Index farthest = kNoNode;
      for (Index i = 0; i < points_.size(); ++i)
        if (points_[i].order() == order && far_[i] > kLongest * size_ &&
            (farthest == kNoNode || far_[i] > far_[farthest]))
          farthest = i;
      if (farthest == kNoNode) break;
      to_[farthest] = farthest;
      far_[farthest] = 0;
      spread(order, {farthest});
    }
  }
}

/// Of two nodes of one cell that are close the one with the higher rank stays: corners, sharp edges, the surface, the inside.
void Complex::merge_nodes() {
  const auto rank = [&](Index i) {
    const Point& p = points_[i];
    return std::tuple(p.corner, p.sharp, p.surface, p.cells.size());
  };
  merged_.resize(points_.size());
  std::iota(merged_.begin(), merged_.end(), Index{0});
  std::set<std::tuple<double, Index, Index>> close;
  for (const Piece& piece : pieces_) {
    std::set<Index> nodes;
    for (const Triangle& t : piece.triangles)
      for (const Index i : t)
        if (to_[i] == i) nodes.insert(i);
    for (auto a = nodes.begin(); a != nodes.end(); ++a)
      for (auto b = std::next(a); b != nodes.end(); ++b)
        if (const double d = (points_[*a].place - points_[*b].place).norm(); d < kMerged * size_)
          close.emplace(d, *a, *b);
  }
  const auto last = [&](Index i) {
    while (merged_[i] != i) i = merged_[i];
    return i;
  };
  for (const auto& [distance, first, second] : close) {
    Index a = last(first), b = last(second);
    if (a == b || !((points_[a].place - points_[b].place).norm() < kMerged * size_)) continue;
    if (points_[a].corner && points_[b].corner) continue;
    if (rank(b) > rank(a)) std::swap(a, b);
    merged_[b] = a;
  }
  for (Index i = 0; i < points_.size(); ++i) merged_[i] = last(i);
}

/// Triangles that keep three corners; one that lies on its back over another takes that away.
std::vector<Triangle> Complex::image_of(const std::vector<Triangle>& triangles) const {
  std::map<Triangle, int> count;  // the smallest node first
  const auto turned = [](Triangle t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  for (const Triangle& t : triangles) {
    const Triangle image = {node_of(t[0]), node_of(t[1]), node_of(t[2])};
    if (image[0] == image[1] || image[1] == image[2] || image[2] == image[0]) continue;
    const Triangle front = turned(image), back = turned({image[0], image[2], image[1]});
    if (const auto other = count.find(back); other != count.end() && other->second > 0)
      --other->second;
    else
      ++count[front];
  }
  std::vector<Triangle> out;
  for (const auto& [t, n] : count)
    for (int k = 0; k < n; ++k) out.push_back(t);
  return out;
}

void Complex::send_to_nodes() {
  for (Piece& piece : pieces_) {
    piece.image = image_of(piece.triangles);
    for (const Triangle& t : piece.image) piece.nodes.insert(t.begin(), t.end());
  }
}

/// Splinters, and what has no volume between its nodes, become part of the neighbour with which they share most nodes.
void Complex::join_small() {
  double mean = 0;
  for (const Piece& piece : pieces_) mean += piece.volume / static_cast<double>(pieces_.size());
  std::vector<std::size_t> order(pieces_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pieces_[a].volume < pieces_[b].volume; });
  for (const std::size_t p : order) {
    Piece& piece = pieces_[p];
    const bool solid = piece.nodes.size() >= 4 && enclosed(piece.image) > kFlat * piece.volume;
    if (solid && piece.volume > kSmall * mean) continue;
    std::set<Index> touched;
    for (const Triangle& t : piece.triangles)
      for (const Index i : t) touched.insert(node_of(i));
    std::size_t best = p, most = 0;
    for (std::size_t q = 0; q < pieces_.size(); ++q) {
      if (q == p || pieces_[q].joined) continue;
      const auto shared = static_cast<std::size_t>(
          std::count_if(touched.begin(), touched.end(), [&](Index node) { return pieces_[q].nodes.contains(node); }));
      if (shared > most) {
        most = shared;
        best = q;
      }
    }
    if (most < 3 && solid) continue;  // an island
    if (best == p) continue;
    Piece& other = pieces_[best];
    other.triangles.insert(other.triangles.end(), piece.triangles.begin(), piece.triangles.end());
    other.volume += piece.volume;
    other.image = image_of(other.triangles);
    other.nodes.insert(piece.nodes.begin(), piece.nodes.end());
    piece.joined = true;
  }
}

double six_volumes(const StrungTruss& truss, const std::array<Index, 4>& t) {
  const Vec3& o = truss.nodes[t[0]].position;
  return (truss.nodes[t[1]].position - o).dot((truss.nodes[t[2]].position - o).cross(truss.nodes[t[3]].position - o));
}

/// A cell cut from that of its corners from which most of it is seen from inside.
void add_tetrahedra(const std::vector<Triangle>& faces, const std::vector<Index>& nodes, StrungTruss& truss) {
  std::vector<std::array<Index, 4>> best;
  double least = std::numeric_limits<double>::infinity();
  for (const Index apex : nodes) {
    std::vector<std::array<Index, 4>> made;
    double behind = 0;
    for (const auto& [a, b, c] : faces) {
      if (a == apex || b == apex || c == apex) continue;
      const std::array<Index, 4> t = {a, c, b, apex};
      double longest = 0;
      for (const Index i : t)
        for (const Index j : t) longest = std::max(longest, (truss.nodes[i].position - truss.nodes[j].position).norm());
      const double six = six_volumes(truss, t);
      if (six < 0) behind -= six;
      if (six > kSliver * longest * longest * longest) made.push_back(t);
    }
    if (behind < least) {
      least = behind;
      best = std::move(made);
    }
  }
  truss.tetrahedra.insert(truss.tetrahedra.end(), best.begin(), best.end());
}

/// A node in the middle of a flat piece of surface has springs in its plane alone: it is joined to nodes of its cells that lie off it.
void hold_flat_nodes(StrungTruss& truss, std::set<std::pair<Index, Index>>& edges) {
  std::vector<std::vector<Index>> members(truss.cells.back()[0] + std::size_t{1}), of(truss.nodes.size());
  for (const auto& [cell, node] : truss.cells) {
    members[cell].push_back(node);
    of[node].push_back(cell);
  }
  std::vector<Mat3> spread(truss.nodes.size(), Mat3::Zero());
  for (const auto& [a, b] : edges) {
    const Vec3 way = (truss.nodes[b].position - truss.nodes[a].position).normalized();
    spread[a] += way * way.transpose();
    spread[b] += way * way.transpose();
  }
  for (Index i = 0; i < truss.nodes.size(); ++i) {
    const EigenPairs3 ways = symmetric_eigen(spread[i]);
    if (ways.values[0] > kInPlane * ways.values[2]) continue;
    const Vec3 across = ways.vectors.col(0);
    std::vector<std::pair<double, Index>> off;
    for (const Index cell : of[i])
      for (const Index j : members[cell])
        if (j != i)
          off.emplace_back(-std::abs(across.dot((truss.nodes[j].position - truss.nodes[i].position).normalized())), j);
    std::sort(off.begin(), off.end());
    off.erase(std::unique(off.begin(), off.end()), off.end());
    for (std::size_t k = 0; k < std::min<std::size_t>(3, off.size()); ++k) edges.emplace(std::minmax(i, off[k].second));
  }
}

bool closed(const std::vector<Triangle>& triangles) {
  std::map<std::pair<Index, Index>, int> edges;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      edges[std::minmax(a, b)] += a < b ? 1 : -1;
    }
  return std::all_of(edges.begin(), edges.end(), [](const auto& e) { return e.second == 0; });
}

Result<CellTruss> Complex::gather() const {
  CellTruss out;
  StrungTruss& truss = out.truss;
  std::map<Index, Index> number;
  for (const Piece& piece : pieces_)
    if (!piece.joined)
      for (const Index i : piece.nodes) number.emplace(i, 0);
  for (auto& [point, node] : number) {
    node = static_cast<Index>(truss.nodes.size());
    truss.nodes.push_back({points_[point].place, 0, false});
  }
  const auto renumbered = [&](std::vector<Triangle> triangles, bool& known) {
    for (Triangle& t : triangles)
      for (Index& i : t) {
        const auto found = number.find(i);
        known = known && found != number.end();
        if (known) i = found->second;
      }
    return triangles;
  };
  std::set<std::pair<Index, Index>> edges;
  bool known = true;
  for (const Piece& piece : pieces_) {
    if (piece.joined) continue;
    const std::vector<Triangle> faces = renumbered(piece.image, known);
    if (piece.nodes.size() < 4 || !(enclosed(piece.image) > kFlat * piece.volume)) return too_large();
    std::vector<Index> nodes;
    for (const Index i : piece.nodes) nodes.push_back(number[i]);
    const auto cell = static_cast<Index>(out.volumes.size());
    for (const Index i : nodes) {
      truss.cells.push_back({cell, i});
      truss.nodes[i].mass += piece.volume / static_cast<double>(nodes.size());
    }
    out.volumes.push_back(piece.volume);
    for (const Triangle& t : faces)
      for (std::size_t k = 0; k < 3; ++k) edges.emplace(std::minmax(t[k], t[(k + 1) % 3]));
    add_tetrahedra(faces, nodes, truss);
  }
  truss.hull = renumbered(image_of(surface_), known);
  if (!known || out.volumes.empty() || !closed(truss.hull)) return too_large();
  hold_flat_nodes(truss, edges);
  for (const auto& [a, b] : edges) truss.springs.push_back({a, b, 1, 1, 1});
  double mean = 0;
  for (const StrungNode& node : truss.nodes) mean += node.mass / static_cast<double>(truss.nodes.size());
  for (StrungNode& node : truss.nodes) node.mass = std::max(0.01, node.mass / mean);
  return out;
}

}  // namespace

Result<CellTruss> truss_of_cells(const std::vector<CutCell>& cells, double size) { return Complex(cells, size).make(); }

}  // namespace hazumi
