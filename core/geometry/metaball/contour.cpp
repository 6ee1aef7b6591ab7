#include "core/geometry/metaball/contour.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/sheets.h"

namespace hazumi::metaball {

namespace {

/// Least distance of a vertex from the border of its cell, in edges; in chord errors where that is less, since a vertex that is held there
/// is so far off the surface.
constexpr double kMargin = 0.02, kNear = 0.3;
/// Distance of two numbers in single precision as part of their size, at most.
constexpr double kFloatStep = 1.2e-7;

double margin_of(double size, double chord) { return std::min(kMargin * size, kNear * chord); }

/// Vertices of cells that see the same primitives, moved to the surface together.
class Placer {
 public:
  Placer(const MetaballField& field, const GridSpec& grid, std::vector<SheetVertex>& vertices)
      : field_(field), grid_(grid), vertices_(vertices) {}

  /// A loop's vertex starts at the middle of its crossings, or where their planes meet when they turn.
  void add(const Tree& tree, const Leaf& cell, std::int32_t leaf, const Vec3& low,
           std::span<const Crossing* const> loop) {
    if (count_ == kMost || (count_ > 0 && (cell.list_first != list_first_ || cell.list_size != list_size_))) flush();
    list_first_ = cell.list_first;
    list_size_ = cell.list_size;
    list_ = tree.lists.data() + cell.list_first;
    const double size = grid_.unit * cell.size;
    Open& o = open_[count_++];
    // What is thin lies beside the cells that show it.
    const double margin = cell.turned ? -size : margin_of(size, grid_.chord);
    o.low = low + Vec3::Constant(margin);
    o.high = low + Vec3::Constant(size - margin);
    Vec3 middle = Vec3::Zero(), mean = Vec3::Zero();
    for (const Crossing* c : loop) {
      middle += c->point;
      mean += c->normal;
    }
    middle /= static_cast<double>(loop.size());
    const double length = mean.norm();
    if (length > 0) mean /= length;
    double spread = 1;
    for (const Crossing* c : loop) spread = std::min(spread, c->normal.dot(mean));
    o.vertex = vertices_.size();
    o.size = size;
    o.error = 1e300;
    SheetVertex vertex;
    vertex.leaf = leaf;
    vertex.sharp = spread < 0.93;
    vertex.proved = cell.proof != Proof::none;
    vertex.normal = length > 0 ? mean : Vec3(0, 1, 0);
    o.point = vertex.sharp ? sharp_point(loop, middle, o.low, o.high) : Vec3(middle.cwiseMax(o.low).cwiseMin(o.high));
    vertex.point = o.point;
    if (cell.proof == Proof::none && cell.ridge.primitive >= 0 && turns_back(loop) &&
        find_rim(cell.ridge, middle, size, vertex))
      --count_;  // it is where it shall be
    vertices_.push_back(vertex);
  }

  /// Whether a loop has edges on both sides of a plate: its rim is in or beside the cell.
  static bool turns_back(std::span<const Crossing* const> loop) {
    for (const Crossing* c : loop)
      if (c->normal.dot(loop[0]->normal) < -0.3) return true;
    return false;
  }

  /// Moves a vertex on the ridge of a plate outward to where that ends, by a cell's size at most. False when it does not.
  bool find_rim(const Ridge& ridge, const Vec3& middle, double size, SheetVertex& vertex) const {
    const FieldPrimitive& plate = field_.primitives()[static_cast<std::size_t>(ridge.primitive)];
    const Vec3 across = plate.to_unit.row(ridge.axis).transpose().normalized();
    Vec3 start = middle;
    start -= across * across.dot(start - plate.centre);
    Vec3 at = start;
    for (int round = 0; round < 8; ++round) {
      Vec3 gradient;
      const double value = field_.value(at, {list_, list_size_}, gradient) - 1;
      if (round == 0 && value < 0) return false;
      const Vec3 along = gradient - across * across.dot(gradient);
      const double slope = along.norm();
      if (!(slope > 0)) return false;
      if (std::abs(value) < 0.02 * grid_.chord * slope) {
        vertex.point = at;
        vertex.normal = along * (-1 / slope);
        return true;
      }
      at -= along * (std::clamp(value / slope, -0.5 * size, 0.5 * size) / slope);
      if ((at - start).norm() > size) return false;
    }
    return false;
  }

  void flush() {
    constexpr int kRounds = 5;
    const PrimitiveList list{field_.packed().data(), list_, static_cast<int>(list_size_)};
    std::array<std::uint8_t, kMost> left;
    std::size_t n = count_;
    for (std::size_t i = 0; i < n; ++i) left[i] = static_cast<std::uint8_t>(i);
    Lanes x[kMost / kLanes], y[kMost / kLanes], z[kMost / kLanes], f[kMost / kLanes], gx[kMost / kLanes],
        gy[kMost / kLanes], gz[kMost / kLanes];
    for (int round = 0; round < kRounds && n > 0; ++round) {
      const std::size_t blocks = (n + kLanes - 1) / kLanes;
      for (std::size_t i = 0; i < blocks * kLanes; ++i) {
        const Vec3& p = open_[left[std::min(i, n - 1)]].point;
        const auto lane = static_cast<int>(i % kLanes);
        x[i / kLanes][lane] = p.x();
        y[i / kLanes][lane] = p.y();
        z[i / kLanes][lane] = p.z();
      }
      kernels_.evaluate(list, static_cast<int>(blocks), x, y, z, f, gx, gy, gz);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t b = i / kLanes;
        const auto lane = static_cast<int>(i % kLanes);
        Open& o = open_[left[i]];
        SheetVertex& vertex = vertices_[o.vertex];
        const Vec3 gradient(gx[b][lane], gy[b][lane], gz[b][lane]);
        const double value = f[b][lane] - 1, square = gradient.squaredNorm();
        if (!(square > 0)) continue;
        const double slope = std::sqrt(square), error = std::abs(value) / slope;
        if (error < o.error) {
          o.error = error;
          vertex.point = o.point;
          vertex.normal = gradient * (-1 / slope);
        }
        if (error < 1e-3 * grid_.chord) continue;
        const double step = std::min(error, 0.5 * o.size);
        o.point += (value > 0 ? -step : step) / slope * gradient;
        o.point = o.point.cwiseMax(o.low).cwiseMin(o.high);
        if (!vertex.sharp && error < 0.05 * grid_.chord) {  // Newton squares what is left
          vertex.point = o.point;
          continue;
        }
        left[kept++] = left[i];
      }
      n = kept;
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t kMost = 64;
  struct Open {
    std::size_t vertex;
    Vec3 low, high, point;
    double size, error;
  };
  const MetaballField& field_;
  const GridSpec& grid_;
  const Kernels& kernels_ = kernels();
  std::vector<SheetVertex>& vertices_;
  std::array<Open, kMost> open_;
  std::size_t count_ = 0;
  std::uint32_t list_first_ = 0;
  std::uint16_t list_size_ = 0;
  const std::uint16_t* list_ = nullptr;
};

struct BlockMesh {
  std::vector<SheetVertex> vertices;
  std::vector<std::uint32_t> vertex_of;  ///< one per leaf of kind 1
  std::vector<SheetVertex> centres;      ///< of fans; numbered after `vertices`, which other blocks read meanwhile
  std::vector<std::array<std::uint32_t, 3>> faces;
  std::uint32_t first = 0, first_centre = 0;
};

class Contour {
 public:
  Contour(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
          const std::vector<TurnedCorners>& turned, const BuildControl& control, Executor& executor)
      : field_(field),
        grid_(grid),
        blocks_(blocks),
        turned_(turned),
        control_(control),
        executor_(executor),
        sheets_(blocks),
        own_(blocks.size()),
        mesh_(blocks.size()) {}

  Surface3 run() {
    each([&](std::int32_t b) { sheets_.find_beside(b); });
    each([&](std::int32_t b) { sheets_.find_edges(b); });
    // Ends: every round but the last divides a cell.
    do {
      for (bool all = true;; all = false) {
        while (divide_marked()) {
          each([&](std::int32_t b) { sheets_.update_edges(b); });
          note_affected();
        }
        each([&](std::int32_t b) {
          if (all || !sheets_.work(b).affected.empty()) sheets_.find_loops(b, !all);
        });
        if (!marked()) break;
        for (BlockSheets& w : sheets_.all()) w.affected.clear();
      }
      each([&](std::int32_t b) {
        if (sheets_.work(b).stale_loops) sheets_.find_loops(b, false);
      });
      each([&](std::int32_t b) { mark_rings(b); });
    } while (marked() && !control_.stop());
    bool beads = false;
    for (std::size_t b = 0; b < blocks_.size(); ++b) beads = sheets_.drop_beads(static_cast<std::int32_t>(b)) || beads;
    if (beads)
      each([&](std::int32_t b) {
        if (sheets_.work(b).stale_loops) sheets_.find_loops(b, false);
      });
    each([&](std::int32_t b) { make_vertices(b); });
    if (control_.stop()) return {};
    each([&](std::int32_t b) { find_fans(b); });
    if (control_.stop()) return {};
    std::uint32_t vertices = 0;
    for (BlockMesh& m : mesh_) {
      m.first = vertices;
      vertices += static_cast<std::uint32_t>(m.vertices.size());
    }
    // A fan's centre is numbered after all others: how many there are is known before the faces are made.
    for (std::size_t b = 0; b < mesh_.size(); ++b) {
      mesh_[b].first_centre = vertices;
      for (const EdgeRecord& e : sheets_.work(static_cast<std::int32_t>(b)).edges)
        vertices += !e.dead && is_fan(e) ? 1 : 0;
    }
    each([&](std::int32_t b) { make_faces(b); });
    if (control_.stop()) return {};
    return join(vertices);
  }

 private:
  template <class Body>
  void each(const Body& body) {
    executor_.blocks(blocks_.size(), 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b)
        if (!control_.stop()) body(static_cast<std::int32_t>(b));
    });
  }

  bool marked() {
    return std::any_of(sheets_.all().begin(), sheets_.all().end(),
                       [](const BlockSheets& w) { return !w.marks.empty(); });
  }

  /// Two sheets that meet on a face twice are a ring around it. Of cells that are proved to hold no more than one graph a side that is none:
  /// the face's edges were paired wrongly, which smaller ones tell.
  void mark_rings(std::int32_t b) {
    for (const FacePair& pair : pairs_to_split(b)) {
      const CellRef own{b, pair.leaf};
      const Leaf &one = sheets_.leaf(own), &other = sheets_.leaf(pair.other);
      if (one.proof == Proof::none || other.proof == Proof::none) continue;
      if (one.size >= other.size && one.size > 1) sheets_.work(b).marks.push_back(own);
      if (other.size >= one.size && other.size > 1) sheets_.work(b).marks.push_back(pair.other);
    }
  }

  /// Divides the leaves that the last pass marked; false when there were none.
  bool divide_marked() {
    std::vector<CellRef> marks;
    for (BlockSheets& w : sheets_.all()) {
      marks.insert(marks.end(), w.marks.begin(), w.marks.end());
      w.marks.clear();
    }
    if (marks.empty() || control_.stop()) return false;
    std::sort(marks.begin(), marks.end());
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    std::vector<std::vector<std::int32_t>> leaves(blocks_.size());
    for (const CellRef& c : marks) leaves[static_cast<std::size_t>(c.block)].push_back(c.leaf);
    each([&](std::int32_t b) {
      const std::vector<std::int32_t>& own = leaves[static_cast<std::size_t>(b)];
      BlockTree& t = blocks_[static_cast<std::size_t>(b)];
      const std::size_t old_leaves = t.tree->leaves.size(), old_nodes = t.tree->nodes.size();
      if (!own.empty()) {
        std::shared_ptr<Tree>& tree =
            own_[static_cast<std::size_t>(b)];  // the first stage's is shared with later calls
        if (!tree) tree = std::make_shared<Tree>(*t.tree);
        t.tree = nullptr;
        divide_leaves(field_, grid_, t.at, *tree, own, turned_[static_cast<std::size_t>(b)], control_);
        t.tree = tree;
      }
      sheets_.note_division(b, old_leaves, old_nodes, own);
    });
    return true;
  }

  /// Lists the cells around the edges that the last update added.
  void note_affected() {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const BlockSheets& w = sheets_.all()[b];
      for (std::size_t e = w.new_edge; e < w.edges.size(); ++e)
        for (const CellRef& c : w.edges[e].ring) {
          BlockSheets& other = sheets_.work(c.block);
          other.affected.push_back(c.leaf);
          other.stale_loops = true;
        }
    }
  }

  BlockMesh& mesh(std::int32_t b) { return mesh_[static_cast<std::size_t>(b)]; }

  Vec3 low_of(std::int32_t b, const Leaf& cell) const {
    Place p = blocks_[static_cast<std::size_t>(b)].at;
    for (std::size_t k = 0; k < 3; ++k) p[k] = p[k] * kBlockUnits + cell.low[k];
    return grid_.at(p);
  }

  void make_vertices(std::int32_t b) {
    const BlockSheets& w = sheets_.work(b);
    const Tree& tree = sheets_.tree(b);
    BlockMesh& m = mesh(b);
    std::vector<SheetVertex>& known = blocks_[static_cast<std::size_t>(b)].placed->vertex;
    m.vertex_of.assign(tree.leaves.size(), kNoVertex);
    m.vertices.reserve(w.edges.size() + w.edges.size() / 8);
    Placer placer(field_, grid_, m.vertices);
    std::array<const Crossing*, 12> single;
    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      if (w.kind[l] != 1) continue;
      if (l < known.size() && known[l].leaf >= 0) {
        m.vertex_of[l] = static_cast<std::uint32_t>(m.vertices.size());
        m.vertices.push_back(known[l]);
        continue;
      }
      const Leaf& cell = tree.leaves[l];
      const auto count = static_cast<std::size_t>(std::popcount(cell.cut));
      for (std::size_t k = 0; k < count; ++k) single[k] = &tree.crossings[tree.crossing_of[cell.crossing_first + k]];
      m.vertex_of[l] = static_cast<std::uint32_t>(m.vertices.size());
      placer.add(tree, cell, static_cast<std::int32_t>(l), low_of(b, cell), {single.data(), count});
    }
    std::vector<const Crossing*> loop;
    for (const BlockSheets::Many& many : w.many) {
      const CellRef self{b, many.leaf};
      const Leaf& cell = tree.leaves[static_cast<std::size_t>(many.leaf)];
      for (std::uint32_t i = 0; i < many.count; ++i) {
        if (w.loop[many.first + i] != i) continue;
        loop.clear();
        const auto number = static_cast<std::uint32_t>(m.vertices.size());
        for (std::uint32_t j = 0; j < many.count; ++j) {
          if (w.loop[many.first + j] != i) continue;
          EdgeRecord& e = sheets_.edge(w.entries[many.first + j]);
          loop.push_back(&sheets_.crossing(e));
          for (std::size_t k = w.entries[many.first + j].slot; k < 4; ++k)
            if (e.ring[k] == self) e.vertex[k] = number;
        }
        placer.add(tree, cell, many.leaf, low_of(b, cell), loop);
      }
    }
    placer.flush();
    for (SheetVertex& v : m.vertices) {
      if (v.leaf < 0 || w.kind[static_cast<std::size_t>(v.leaf)] != 1) continue;
      const Leaf& cell = tree.leaves[static_cast<std::size_t>(v.leaf)];
      const double size = grid_.unit * cell.size;
      v.apart = v.proved && margin_of(size, grid_.chord) > 16 * kFloatStep * v.point.cwiseAbs().maxCoeff();
      v.alone = static_cast<std::size_t>(v.leaf) < known.size();
      if (v.alone) known[static_cast<std::size_t>(v.leaf)] = v;
    }
    // Loops of one cell that came to the same place.
    for (const BlockSheets::Many& many : w.many) separate(b, many, m);
    for (const FacePair& pair : pairs_to_split(b)) {
      EdgeRecord &a = sheets_.edge(pair.a), &c = sheets_.edge(pair.b);
      const Crossing &p = sheets_.crossing(a), &q = sheets_.crossing(c);
      SheetVertex vertex;
      // A little towards the middle of the pairs, off the border of the face.
      const Vec3 middle = 0.5 * (p.point + q.point), inward = pair.centre - middle;
      vertex.point = middle + std::min(0.1, kNear * grid_.chord / std::max(inward.norm(), 1e-300)) * inward;
      vertex.leaf = pair.leaf;
      const Vec3 normal = p.normal + q.normal;
      vertex.normal = normal.norm() > 0 ? Vec3(normal.normalized()) : Vec3(0, 1, 0);
      a.between[pair.gap_a] = c.between[pair.gap_b] = static_cast<std::uint32_t>(m.vertices.size());
      m.vertices.push_back(vertex);
    }
  }

  /// Those of faces on which two pairs join the same loops: the mesh would have their edge twice.
  std::vector<FacePair> pairs_to_split(std::int32_t b) const {
    const BlockSheets& w = sheets_.work(b);
    std::vector<FacePair> split;
    for (std::size_t i = 0, j = 0; i < w.pairs.size(); i = j) {
      while (j < w.pairs.size() && w.pairs[j].leaf == w.pairs[i].leaf && w.pairs[j].other == w.pairs[i].other) ++j;
      std::set<std::array<std::uint32_t, 2>> joined;
      for (std::size_t k = i; k < j; ++k)
        joined.insert(
            {sheets_.loop_of({b, w.pairs[k].leaf}, w.pairs[k].a), sheets_.loop_of(w.pairs[k].other, w.pairs[k].a)});
      if (joined.size() < j - i)
        split.insert(split.end(), w.pairs.begin() + static_cast<std::ptrdiff_t>(i),
                     w.pairs.begin() + static_cast<std::ptrdiff_t>(j));
    }
    return split;
  }

  void separate(std::int32_t b, const BlockSheets::Many& many, BlockMesh& m) {
    const BlockSheets& w = sheets_.work(b);
    const double size = grid_.unit * sheets_.leaf({b, many.leaf}).size;
    std::uint32_t first = kNoVertex, count = 0;
    for (std::uint32_t i = 0; i < many.count; ++i) {
      if (w.loop[many.first + i] != i) continue;
      const EdgeRef& e = w.entries[many.first + i];
      const std::uint32_t vertex = sheets_.edge(e).vertex[e.slot];
      if (count == 0) first = vertex;
      for (std::uint32_t v = first; v < first + count; ++v)
        if (m.vertices[v].point == m.vertices[vertex].point)
          m.vertices[vertex].point += Vec3::Constant(1e-6 * size * static_cast<double>(v - first + 1));
      ++count;
    }
  }

  static bool is_fan(const EdgeRecord& e) {
    return e.fan || std::any_of(e.between.begin(), e.between.end(), [](std::uint32_t v) { return v != kNoVertex; });
  }

  std::uint32_t vertex_of(const EdgeRecord& e, std::size_t k) const {
    const CellRef& c = e.ring[k];
    return e.vertex[k] != kNoVertex
               ? e.vertex[k]
               : mesh_[static_cast<std::size_t>(c.block)].vertex_of[static_cast<std::size_t>(c.leaf)];
  }

  /// Where both polygons of an edge that is cut twice would have the same diagonal.
  void find_fans(std::int32_t b) {
    std::vector<EdgeRecord>& edges = sheets_.work(b).edges;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      EdgeRecord &low = edges[i], &high = edges[i + 1];
      if (low.dead || low.side != 1) continue;
      for (std::size_t k = 0; k < 2; ++k)
        if (vertex_of(low, k) == vertex_of(high, k) && vertex_of(low, k + 2) == vertex_of(high, k + 2))
          low.fan = high.fan = true;
    }
  }

  const SheetVertex& at(const CellRef& c, std::uint32_t vertex) const {
    return mesh_[static_cast<std::size_t>(c.block)].vertices[vertex];
  }

  void make_faces(std::int32_t b) {
    const BlockSheets& w = sheets_.work(b);
    BlockMesh& m = mesh(b);
    m.faces.reserve(2 * w.edges.size());
    for (const EdgeRecord& e : w.edges) {
      if (e.dead) continue;
      std::array<std::uint32_t, 8> polygon;
      std::array<const SheetVertex*, 4> corner;
      std::array<bool, 4> small;
      std::size_t count = 0, corners = 0;
      const bool fan = is_fan(e);
      const std::int32_t size = sheets_.leaf(e.ring[e.smallest]).size;
      // Outward is towards the low end when the high one is inside: the other way round.
      for (std::size_t step = 0; step < 4; ++step) {
        const std::size_t k = e.low_inside ? step : 3 - step, next = (k + 1) % 4, last = (k + 3) % 4;
        const auto add_cell = [&] {
          if (e.ring[k] == e.ring[e.low_inside ? last : next]) return;
          const CellRef& c = e.ring[k];
          const std::uint32_t vertex = vertex_of(e, k);
          polygon[count++] = mesh(c.block).first + vertex;
          corner[corners] = &at(c, vertex);
          small[corners++] = sheets_.leaf(c).size == size;
        };
        const auto add_between = [&] {
          if (e.between[k] == kNoVertex || e.ring[k] == e.ring[next]) return;
          polygon[count++] = mesh(std::min(e.ring[k], e.ring[next]).block).first + e.between[k];
        };
        if (e.low_inside) {
          add_cell();
          add_between();
        } else {
          add_between();
          add_cell();
        }
      }
      if (fan) {
        const std::uint32_t centre = m.first_centre + static_cast<std::uint32_t>(m.centres.size());
        m.centres.push_back(fan_centre(b, e));
        for (std::size_t k = 0; k < count; ++k) m.faces.push_back({polygon[k], polygon[(k + 1) % count], centre});
      } else if (count == 3) {
        m.faces.push_back({polygon[0], polygon[1], polygon[2]});
      } else {
        const std::size_t s = even_diagonal(corner, small) ? 0 : 1;
        m.faces.push_back({polygon[s], polygon[s + 1], polygon[s + 2]});
        m.faces.push_back({polygon[s], polygon[s + 2], polygon[(s + 3) % 4]});
      }
    }
  }

  SheetVertex fan_centre(std::int32_t b, const EdgeRecord& e) const {
    const Crossing& c = sheets_.crossing(e);
    SheetVertex vertex;
    vertex.point = c.point;
    vertex.normal = c.normal.norm() > 0 ? c.normal : Vec3(0, 1, 0);
    for (const CellRef& cell : e.ring)
      if (cell.block == b) vertex.leaf = cell.leaf;
    return vertex;
  }

  /// Whether to split along 0–2 rather than 1–3.
  static bool even_diagonal(const std::array<const SheetVertex*, 4>& v, const std::array<bool, 4>& small) {
    if (!small[0] && !small[2]) return false;
    if (!small[1] && !small[3]) return true;
    const bool even_sharp = v[0]->sharp && v[2]->sharp, odd_sharp = v[1]->sharp && v[3]->sharp;
    if (even_sharp != odd_sharp) return even_sharp;
    const double even = (v[0]->point - v[2]->point).squaredNorm(), odd = (v[1]->point - v[3]->point).squaredNorm();
    return even <= odd;
  }

  Surface3 join(std::uint32_t vertices) {
    Surface3 result;
    result.vertices.resize(vertices);
    result.block.resize(vertices);
    std::vector<std::size_t> first_face(mesh_.size() + 1, 0);
    for (std::size_t b = 0; b < mesh_.size(); ++b) first_face[b + 1] = first_face[b] + mesh_[b].faces.size();
    result.faces.resize(first_face.back());
    each([&](std::int32_t b) {
      const BlockMesh& m = mesh(b);
      std::copy(m.vertices.begin(), m.vertices.end(), result.vertices.begin() + m.first);
      std::fill_n(result.block.begin() + m.first, m.vertices.size(), b);
      std::copy(m.centres.begin(), m.centres.end(), result.vertices.begin() + m.first_centre);
      std::fill_n(result.block.begin() + m.first_centre, m.centres.size(), b);
      std::copy(m.faces.begin(), m.faces.end(),
                result.faces.begin() + static_cast<std::ptrdiff_t>(first_face[static_cast<std::size_t>(b)]));
    });
    return result;
  }

  const MetaballField& field_;
  const GridSpec& grid_;
  std::vector<BlockTree>& blocks_;
  const std::vector<TurnedCorners>& turned_;
  const BuildControl& control_;
  Executor& executor_;
  Sheets sheets_;
  std::vector<std::shared_ptr<Tree>> own_;  ///< trees divided here
  std::vector<BlockMesh> mesh_;
};

}  // namespace

Surface3 contour(const MetaballField& field, const GridSpec& grid, std::vector<BlockTree>& blocks,
                 const std::vector<TurnedCorners>& turned, const BuildControl& control, Executor& executor) {
  return Contour(field, grid, blocks, turned, control, executor).run();
}

}  // namespace hazumi::metaball
