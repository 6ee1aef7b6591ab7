#include "core/geometry/metaball/polygonise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/geometry/metaball/contour.h"
#include "core/geometry/metaball/kernel.h"
#include "core/geometry/metaball/thin.h"

namespace hazumi {

namespace {

using namespace metaball;

/// Leaves with surface of all trees together (about two triangles each); beyond it the tolerance is doubled
/// until the surface fits. About 1 GB at the peak.
constexpr std::uint64_t kLeafLimit = 1'500'000;
/// Blocks from the origin along each axis: primitives farther away take no part.
constexpr double kFarthestBlock = 1 << 19;

struct BlockList {
  Place at{};
  std::vector<std::uint16_t> list;
};

std::uint64_t place_key(const Place& p) {
  constexpr std::int64_t bias = 1 << 20;
  return static_cast<std::uint64_t>(p[2] + bias) << 42 | static_cast<std::uint64_t>(p[1] + bias) << 21 |
         static_cast<std::uint64_t>(p[0] + bias);
}

/// The blocks that any primitive reaches into, sorted by place, each with its primitives in order.
std::vector<BlockList> find_blocks(const MetaballField& field, const GridSpec& grid) {
  const double edge = grid.unit * kBlockUnits;
  struct Pair {
    std::uint64_t key;
    std::uint16_t primitive;
    bool operator<(const Pair& o) const { return key != o.key ? key < o.key : primitive < o.primitive; }
  };
  std::vector<Pair> pairs;
  const Kernels& kernel = kernels();
  const double half[3] = {0.5 * edge, 0.5 * edge, 0.5 * edge};
  Lanes range[2];
  std::uint8_t reach = 0;
  PrimitiveBounds bounds;
  for (std::size_t i = 0; i < field.primitives().size(); ++i) {
    const FieldPrimitive& f = field.primitives()[i];
    const auto index = static_cast<std::uint16_t>(i);
    const PrimitiveList one{field.packed().data(), &index, 1};
    const Vec3 low = (f.centre - f.reach - grid.origin) / edge, high = (f.centre + f.reach - grid.origin) / edge;
    if (low.minCoeff() < -kFarthestBlock || high.maxCoeff() > kFarthestBlock) continue;
    Place a{}, b{}, p{};
    for (int k = 0; k < 3; ++k) {
      a[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(low[k] - 1e-6));
      b[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(high[k] + 1e-6));
    }
    for (p[2] = a[2]; p[2] <= b[2]; ++p[2])
      for (p[1] = a[1]; p[1] <= b[1]; ++p[1])
        for (p[0] = a[0]; p[0] <= b[0]; ++p[0]) {
          const Vec3 middle =
              grid.at({p[0] * kBlockUnits, p[1] * kBlockUnits, p[2] * kBlockUnits}) + Vec3::Constant(0.5 * edge);
          Lanes x[3];
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < kLanes; ++l) x[k][l] = middle[k];
          kernel.bound(one, x, half, range, &reach, &bounds);
          if (reach) pairs.push_back({place_key(p), index});
        }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<BlockList> blocks;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].key != pairs[i - 1].key) {
      constexpr std::int64_t bias = 1 << 20, mask = (1 << 21) - 1;
      const auto key = static_cast<std::int64_t>(pairs[i].key);
      blocks.push_back({{(key & mask) - bias, (key >> 21 & mask) - bias, (key >> 42) - bias}, {}});
    }
    blocks.back().list.push_back(pairs[i].primitive);
  }
  return blocks;
}

/// Of every primitive: its number and everything that is read of it.
std::vector<std::uint64_t> primitive_keys(const MetaballField& field) {
  std::vector<std::uint64_t> keys;
  keys.reserve(field.primitives().size());
  for (std::size_t i = 0; i < field.primitives().size(); ++i) {
    const FieldPrimitive& f = field.primitives()[i];
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(i));
    for (int k = 0; k < 3; ++k) hasher.add(f.centre[k]);
    for (int k = 0; k < 9; ++k) hasher.add(f.to_unit.data()[k]);
    for (int k = 0; k < 3; ++k) hasher.add(f.reach[k]);
    hasher.add(f.p1).add(f.p2).add(f.tube).add(f.weight).add(f.torus).add(f.thinnest);
    keys.push_back(hasher.value());
  }
  return keys;
}

std::uint64_t grid_key(const GridSpec& grid) {
  Hasher hasher;
  hasher.add(grid.unit).add(grid.chord).add(grid.smallest).add(grid.simple_limit);
  for (double x : grid.origin) hasher.add(x);
  return hasher.value();
}

/// Everything a block's tree depends on, beside its place.
std::uint64_t tree_key(std::uint64_t grid, const std::vector<std::uint64_t>& primitives, const BlockList& block) {
  Hasher hasher;
  hasher.add(grid);
  for (std::uint16_t i : block.list) hasher.add(primitives[i]);
  return hasher.value();
}

std::uint64_t colours_key(const MetaballGroup& group, const MetaballField& field) {
  Hasher hasher;
  for (std::uint32_t source : field.source()) {
    const Surface& s = group.primitives[source].surface;
    for (const Vec3& colour : {s.ambient, s.diffuse, s.specular})
      for (double x : colour) hasher.add(x);
    hasher.add(s.shininess);
  }
  return hasher.value();
}

GridSpec make_grid(const MetaballField& field, double tolerance) {
  GridSpec grid;
  const double diameter = field.largest_diameter();
  // A power of two, so that the grid stays when a primitive's size is changed a little.
  const double edge = std::exp2(std::floor(std::log2(0.5 * diameter)));
  grid.unit = edge / kBlockUnits;
  // No cell border through the object's axes: sharp edges like to lie there.
  grid.origin = Vec3(0.3713, 0.2297, 0.4139) * edge;
  // The surface of a single primitive is a third to a half of its effective radii: for 0.3 % of its volume at the default
  // tolerance the chord error must be a part of what is allowed.
  grid.chord = 0.6 * std::clamp(tolerance, 1e-4, 0.1) * diameter;
  grid.simple_limit = 0.6;
  return grid;
}

VertexLook blended_look(const MetaballGroup& group, const MetaballField& field, const Vec3& point,
                        std::span<const std::uint16_t> list) {
  Vec3 ambient = Vec3::Zero(), diffuse = Vec3::Zero(), specular = Vec3::Zero();
  double shininess = 0, sum = 0;
  const auto add = [&](std::uint16_t i, double rho) {
    const Surface& s = group.primitives[field.source()[i]].surface;
    ambient += rho * s.ambient;
    diffuse += rho * s.diffuse;
    specular += rho * s.specular;
    shininess += rho * s.shininess;
    sum += rho;
  };
  for (std::uint16_t i : list) {
    const double rho = field.primitives()[i].value(point);
    if (rho > 0) add(i, rho);
  }
  if (sum <= 0) add(list.empty() ? std::uint16_t{0} : list.front(), 1);
  return {(ambient / sum).cast<float>(), (diffuse / sum).cast<float>(), (specular / sum).cast<float>(),
          static_cast<float>(shininess / sum)};
}

/// Gives every corner of a face at a sharp vertex the normal of its side, and a vertex to each side.
void split_sharp(DisplayMesh& mesh, std::vector<std::uint32_t>& origin, const Surface3& surface,
                 const MetaballField& field, const std::vector<BlockTree>& blocks) {
  constexpr double kSameSide = 0.9;  // cosine: sides that turn by more than 26° are told apart
  std::vector<std::uint32_t> next(surface.vertices.size(), 0);  // chain of the copies of a vertex, 0: end
  const auto list = [&](std::uint32_t v) {
    const Tree& tree = *blocks[static_cast<std::size_t>(surface.block[v])].tree;
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(surface.vertices[v].leaf)];
    return std::span<const std::uint16_t>(tree.lists.data() + leaf.list_first, leaf.list_size);
  };
  std::vector<bool> used(surface.vertices.size(), false);
  for (auto& f : mesh.faces) {
    if (!surface.vertices[f[0]].sharp && !surface.vertices[f[1]].sharp && !surface.vertices[f[2]].sharp) continue;
    const Vec3 p[3] = {mesh.positions[f[0]], mesh.positions[f[1]], mesh.positions[f[2]]};
    const Vec3 flat = (p[1] - p[0]).cross(p[2] - p[0]).normalized();
    const Vec3 centre = (p[0] + p[1] + p[2]) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = f[k];
      if (!surface.vertices[v].sharp) continue;
      Vec3 gradient;
      field.value(p[k] + 0.25 * (centre - p[k]), list(v), gradient);
      const double slope = gradient.norm();
      Vec3 normal = slope > 0 ? Vec3(gradient / -slope) : flat;
      if (normal.dot(flat) < 0.7) normal = flat;  // beside a crease too narrow for the step
      std::uint32_t copy = v, last = v;
      bool found = !used[v];
      if (!used[v]) {
        used[v] = true;
        mesh.normals[v] = normal;
      }
      while (!found) {
        if (mesh.normals[copy].dot(normal) > kSameSide) {
          found = true;
          break;
        }
        last = copy;
        if (next[copy] == 0) break;
        copy = next[copy];
      }
      if (!found) {
        copy = static_cast<std::uint32_t>(mesh.positions.size());
        next[last] = copy;
        next.push_back(0);
        mesh.positions.push_back(p[k]);
        mesh.normals.push_back(normal);
        origin.push_back(v);
      }
      f[k] = copy;
    }
  }
}

/// Looks of the vertices, those that are known taken: of the same place in the same cell.
void append_looks(DisplayMesh& mesh, const MetaballGroup& group, const MetaballField& field, const Surface3& surface,
                  const std::vector<std::uint32_t>& origin, const std::vector<BlockTree>& blocks, Executor& executor) {
  const std::uint64_t colours = colours_key(group, field);
  for (const BlockTree& block : blocks) {
    Placed& placed = *block.placed;
    if (placed.colours == colours && placed.at.size() == placed.vertex.size()) continue;
    placed.colours = colours;
    placed.at.assign(placed.vertex.size(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
    placed.look.resize(placed.vertex.size());
  }
  mesh.looks.resize(mesh.positions.size());
  executor.blocks(mesh.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const SheetVertex& vertex = surface.vertices[origin[v]];
      const BlockTree& block = blocks[static_cast<std::size_t>(surface.block[origin[v]])];
      const auto l = static_cast<std::size_t>(vertex.leaf);
      const bool kept = vertex.alone && origin[v] == v;  // one of each cell: no other thread writes there
      if (kept && block.placed->at[l] == mesh.positions[v]) {
        mesh.looks[v] = block.placed->look[l];
        continue;
      }
      const Leaf& leaf = block.tree->leaves[l];
      mesh.looks[v] =
          blended_look(group, field, mesh.positions[v], {block.tree->lists.data() + leaf.list_first, leaf.list_size});
      if (!kept) continue;
      block.placed->at[l] = mesh.positions[v];
      block.placed->look[l] = mesh.looks[v];
    }
  });
}

DisplayMesh make_mesh(const MetaballGroup& group, const MetaballField& field, const Surface3& surface,
                      const std::vector<BlockTree>& blocks, Executor& executor) {
  DisplayMesh mesh;
  if (surface.faces.empty()) return mesh;
  const std::size_t n = surface.vertices.size();
  mesh.positions.reserve(n);
  mesh.normals.reserve(n);
  std::vector<std::uint32_t> origin(n);
  for (std::size_t v = 0; v < n; ++v) {
    mesh.positions.push_back(surface.vertices[v].point);
    mesh.normals.push_back(surface.vertices[v].normal);
    origin[v] = static_cast<std::uint32_t>(v);
  }
  mesh.faces = surface.faces;
  split_sharp(mesh, origin, surface, field, blocks);
  if (group.own_colours) {
    append_looks(mesh, group, field, surface, origin, blocks, executor);
  }
  mesh.parts.push_back({"Surface", 0, static_cast<std::uint32_t>(mesh.faces.size())});
  return mesh;
}

}  // namespace

struct Polygoniser::Data {
  struct Kept {
    std::uint64_t key;
    std::shared_ptr<const Tree> tree;
    std::vector<std::uint16_t> list;
    std::shared_ptr<Placed> placed;
  };
  /// What of a block was not the same last time is made anew, what is known of the cells that are the same goes along.
  static Kept make(const MetaballField& field, const GridSpec& grid, const BlockList& block, std::uint64_t key,
                   std::span<const std::uint64_t> primitives, const Kept* before, const BuildControl& control);
  std::uint64_t grid = 0;                         ///< key of the trees' grid
  std::unordered_map<std::uint64_t, Kept> trees;  ///< by place
  MetaballGroup group;                            ///< of the last call that was not cancelled
  double tolerance = 0;
  std::shared_ptr<const DisplayMesh> mesh;
};

Polygoniser::Data::Kept Polygoniser::Data::make(const MetaballField& field, const GridSpec& grid,
                                                const BlockList& block, std::uint64_t key,
                                                std::span<const std::uint64_t> primitives, const Kept* before,
                                                const BuildControl& control) {
  const OldTree old{before ? before->tree.get() : nullptr, primitives};
  std::vector<std::int32_t> old_leaf;
  auto tree = std::make_shared<const Tree>(build_tree(field, grid, block.at, block.list, old, old_leaf, control));
  auto placed = std::make_shared<Placed>(tree->leaves.size());
  const bool looks = before && before->placed->at.size() == before->placed->vertex.size();
  if (looks) {
    placed->colours = before->placed->colours;
    placed->at.assign(tree->leaves.size(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
    placed->look.resize(tree->leaves.size());
  }
  for (std::size_t l = 0; before && l < old_leaf.size(); ++l) {
    if (old_leaf[l] < 0) continue;
    const auto o = static_cast<std::size_t>(old_leaf[l]);
    placed->vertex[l] = before->placed->vertex[o];
    if (placed->vertex[l].leaf >= 0) placed->vertex[l].leaf = static_cast<std::int32_t>(l);
    if (!looks) continue;
    placed->at[l] = before->placed->at[o];
    placed->look[l] = before->placed->look[o];
  }
  return {key, std::move(tree), block.list, std::move(placed)};
}

Polygoniser::Polygoniser() : data_(std::make_unique<Data>()) {}
Polygoniser::~Polygoniser() = default;
Polygoniser::Polygoniser(Polygoniser&&) noexcept = default;
Polygoniser& Polygoniser::operator=(Polygoniser&&) noexcept = default;

std::shared_ptr<const DisplayMesh> Polygoniser::update(const MetaballGroup& group, const PolygoniseOptions& options,
                                                       Executor& executor) {
  Data& kept = *data_;
  if (kept.mesh && kept.tolerance == options.tolerance && kept.group == group) return kept.mesh;
  auto mesh = make(group, options, executor);
  if (!mesh) return nullptr;
  kept.group = group;
  kept.tolerance = options.tolerance;
  kept.mesh = std::move(mesh);
  return kept.mesh;
}

std::shared_ptr<const DisplayMesh> Polygoniser::make(const MetaballGroup& group, const PolygoniseOptions& options,
                                                     Executor& executor) {
  const auto cancelled = [&] { return options.cancel && options.cancel->load(std::memory_order_relaxed); };
  const MetaballField field(group);
  if (field.primitives().empty()) {
    data_->trees.clear();
    return std::make_shared<DisplayMesh>();
  }
  const std::vector<std::uint64_t> primitives = primitive_keys(field);
  double tolerance = options.tolerance;
  for (double coarser = 1;; coarser *= 2) {
    GridSpec grid = make_grid(field, tolerance);
    grid.chord *= coarser;
    grid.smallest = coarser > 1 ? 0.5 * grid.chord : 0;
    const std::vector<BlockList> lists = find_blocks(field, grid);
    const std::uint64_t own_grid = grid_key(grid);
    std::vector<Data::Kept> kept(lists.size());
    std::atomic<std::uint64_t> leaves{0};
    const BuildControl control{options.cancel, &leaves, kLeafLimit};
    executor.blocks(lists.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        if (control.stop()) return;
        const std::uint64_t key = tree_key(own_grid, primitives, lists[b]);
        const auto old = data_->trees.find(place_key(lists[b].at));
        const bool there = old != data_->trees.end() && data_->grid == own_grid;
        if (there && old->second.key == key && old->second.list == lists[b].list) {
          kept[b] = old->second;
          leaves.fetch_add(kept[b].tree->cut_leaves, std::memory_order_relaxed);
        } else {
          kept[b] = Data::make(field, grid, lists[b], key, primitives, there ? &old->second : nullptr, control);
        }
      }
    });
    if (cancelled()) return nullptr;
    if (leaves.load() > kLeafLimit && coarser < 1e6) continue;
    std::vector<BlockTree> blocks;
    data_->trees.clear();
    data_->grid = own_grid;
    for (std::size_t b = 0; b < lists.size(); ++b) {
      data_->trees[place_key(lists[b].at)] = kept[b];
      if (!kept[b].tree->leaves.empty()) blocks.push_back({lists[b].at, kept[b].tree, kept[b].placed});
    }
    const std::vector<TurnedCorners> turned = thicken(field, grid, blocks, control, executor);
    if (cancelled()) return nullptr;
    Surface3 surface = contour(field, grid, blocks, turned, control, executor);
    if (cancelled()) return nullptr;
    if (leaves.load() > kLeafLimit && coarser < 1e6) continue;
    centre(surface);
    keep_apart(surface);
    return std::make_shared<DisplayMesh>(make_mesh(group, field, surface, blocks, executor));
  }
}

DisplayMesh polygonise(const MetaballGroup& group, const PolygoniseOptions& options, Executor& executor) {
  Polygoniser once;
  const auto mesh = once.update(group, options, executor);
  return mesh ? *mesh : DisplayMesh{};
}

}  // namespace hazumi
