#include "core/geometry/mesh/winding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>

#include "core/base/hash.h"
#include "core/geometry/mesh/mass_properties.h"

namespace hazumi {

namespace {

constexpr int kCells = 40;    // along each axis of the bounding box
constexpr double kFar = 2.5;  // of the radius of a group of faces: from there on it is one dipole
constexpr std::size_t kFacesOfLeaf = 4;

/// Ω / 2 of one face.
double half_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

/// A binary tree over the faces, halved at the median of the longest side.
class WindingTree {
 public:
  explicit WindingTree(const DisplayMesh& mesh) : mesh_(mesh), order_(mesh.faces.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    centres_.reserve(mesh.faces.size());
    for (const auto& f : mesh.faces)
      centres_.push_back((mesh.positions[f[0]] + mesh.positions[f[1]] + mesh.positions[f[2]]) / 3);
    build(0, order_.size());
  }

  /// 4π times the winding number.
  double angle(const Vec3& x, std::size_t at = 0) const {
    const Node& node = nodes_[at];
    const Vec3 way = node.centre - x;
    const double distance = way.norm();
    if (distance > kFar * node.radius) return way.dot(node.area) / (distance * distance * distance);
    if (node.right != 0) return angle(x, at + 1) + angle(x, node.right);
    double sum = 0;
    for (std::size_t i = node.first; i < node.end; ++i) {
      const auto& f = mesh_.faces[order_[i]];
      sum += 2 * half_angle(mesh_.positions[f[0]] - x, mesh_.positions[f[1]] - x, mesh_.positions[f[2]] - x);
    }
    return sum;
  }

 private:
  struct Node {
    Vec3 centre = Vec3::Zero(), area = Vec3::Zero();  // area-weighted; sum of n A
    double radius = 0;
    std::size_t first = 0, end = 0, right = 0;  // faces; the left child follows its parent
  };

  std::size_t build(std::size_t first, std::size_t end) {
    const std::size_t at = nodes_.size();
    Node node;
    node.first = first;
    node.end = end;
    Box3 box;
    double total = 0;
    for (std::size_t i = first; i < end; ++i) {
      const auto& f = mesh_.faces[order_[i]];
      const Vec3& a = mesh_.positions[f[0]];
      const Vec3 area = 0.5 * (mesh_.positions[f[1]] - a).cross(mesh_.positions[f[2]] - a);
      node.area += area;
      node.centre += area.norm() * centres_[order_[i]];
      total += area.norm();
      box.add(centres_[order_[i]]);
    }
    node.centre = total > 0 ? Vec3(node.centre / total) : box.centre();
    for (std::size_t i = first; i < end; ++i)
      for (const std::uint32_t v : mesh_.faces[order_[i]])
        node.radius = std::max(node.radius, (mesh_.positions[v] - node.centre).norm());
    nodes_.push_back(node);
    if (end - first <= kFacesOfLeaf) return at;
    int axis = 0;
    box.size().maxCoeff(&axis);
    const auto low = order_.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t middle = first + (end - first) / 2;
    std::nth_element(low, order_.begin() + static_cast<std::ptrdiff_t>(middle),
                     order_.begin() + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t f, std::uint32_t g) {
                       const double x = centres_[f][axis], y = centres_[g][axis];
                       return x != y ? x < y : f < g;
                     });
    build(first, middle);
    const std::size_t right = build(middle, end);
    nodes_[at].right = right;
    return at;
  }

  const DisplayMesh& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Vec3> centres_;
  std::vector<Node> nodes_;
};

/// Volumes of the last meshes: every edit of a scene asks for those of all its open meshes again, which takes longer than the edit.
class Volumes {
 public:
  struct Key {
    std::uint64_t a = 0, b = 0;  // two hashes of the same numbers: one may meet another mesh's by chance
    bool operator==(const Key&) const = default;
  };
  static Key key(const DisplayMesh& mesh) {
    Hasher a, b;
    b.add(1);
    for (Hasher* hasher : {&a, &b}) {
      hasher->add(static_cast<std::uint64_t>(mesh.positions.size()));
      for (const Vec3& p : mesh.positions) hasher->add(p.x()).add(p.y()).add(p.z());
      for (const auto& f : mesh.faces)
        for (const std::uint32_t v : f) hasher->add(static_cast<std::uint64_t>(v));
    }
    return {a.value(), b.value()};
  }
  std::optional<double> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto entry = std::ranges::find(last_, key, &Entry::key);
    if (entry == last_.end()) return std::nullopt;
    entry->asked = ++clock_;
    return entry->volume;
  }
  void put(const Key& key, double volume) {
    const std::lock_guard lock(mutex_);
    *std::ranges::min_element(last_, {}, &Entry::asked) = {key, volume, ++clock_};
  }

 private:
  struct Entry {
    Key key;
    double volume = 0;
    std::uint64_t asked = 0;
  };
  std::mutex mutex_;
  std::array<Entry, 64> last_;
  std::uint64_t clock_ = 0;
};

double counted_volume(const DisplayMesh& mesh) {
  const Box3 box = bounds(mesh);
  const Vec3 cell = box.size() / kCells;
  const double volume = cell.prod();
  if (!(volume > 0)) return 0;
  const WindingTree tree(mesh);
  std::int64_t inside = 0;
  for (int i = 0; i < kCells; ++i)
    for (int j = 0; j < kCells; ++j)
      for (int k = 0; k < kCells; ++k) {
        const Vec3 x = box.low + cell.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
        if (std::abs(tree.angle(x)) > 2 * std::numbers::pi) ++inside;
      }
  return volume * static_cast<double>(inside);
}

}  // namespace

double winding_volume(const DisplayMesh& mesh) {
  static Volumes volumes;
  if (mesh.empty()) return 0;
  const Volumes::Key key = Volumes::key(mesh);
  if (const auto known = volumes.find(key)) return *known;
  const double volume = counted_volume(mesh);
  volumes.put(key, volume);
  return volume;
}

MeshMeasure measure(const DisplayMesh& mesh) {
  MeshMeasure all;
  if (mesh.empty()) return all;
  for (const auto& f : mesh.faces)
    all.area +=
        0.5 * (mesh.positions[f[1]] - mesh.positions[f[0]]).cross(mesh.positions[f[2]] - mesh.positions[f[0]]).norm();
  if (is_closed(mesh)) all.volume = mesh_volume(mesh.positions, mesh.faces);
  all.exact = all.volume > 0;
  if (!all.exact) all.volume = winding_volume(mesh);
  return all;
}

}  // namespace hazumi
