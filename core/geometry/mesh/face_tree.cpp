#include "core/geometry/mesh/face_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hazumi {

namespace {

constexpr std::uint32_t kLeaf = 8;

// Rounded outwards, so that a float box holds what the double one holds.
float below(double x) { return std::nextafter(static_cast<float>(x), -std::numeric_limits<float>::infinity()); }
float above(double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

}  // namespace

double hit_triangle(const MeshRay& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const Vec3 e1 = b - a, e2 = c - a, p = ray.direction.cross(e2);
  const double det = e1.dot(p);
  if (det == 0) return kNone;
  const Vec3 s = ray.origin - a;
  const double u = s.dot(p) / det;
  if (!(u >= 0 && u <= 1)) return kNone;
  const Vec3 q = s.cross(e1);
  const double v = ray.direction.dot(q) / det;
  if (!(v >= 0 && u + v <= 1)) return kNone;
  const double t = e2.dot(q) / det;
  return t > 0 ? t : kNone;
}

bool hits_box(const MeshRay& ray, const Box3& box, double nearest) {
  double enter = 0, leave = nearest;
  for (int axis = 0; axis < 3; ++axis) {
    const double margin = 1e-6 * (1 + std::abs(box.high[axis]) + std::abs(box.low[axis]));
    const double low = box.low[axis] - margin, high = box.high[axis] + margin;
    if (std::abs(ray.direction[axis]) < 1e-300) {
      if (ray.origin[axis] < low || ray.origin[axis] > high) return false;
      continue;
    }
    double a = (low - ray.origin[axis]) / ray.direction[axis], b = (high - ray.origin[axis]) / ray.direction[axis];
    if (a > b) std::swap(a, b);
    enter = std::max(enter, a);
    leave = std::min(leave, b);
    if (enter > leave) return false;
  }
  return true;
}

FaceTree::FaceTree(const DisplayMesh& mesh) : faces_(mesh.faces.size()) {
  const std::size_t count = mesh.faces.size();
  std::iota(faces_.begin(), faces_.end(), 0u);
  if (count == 0) return;
  std::vector<Vec3f> low(count), high(count), centre(count);
  for (std::size_t f = 0; f < count; ++f) {
    const Vec3 &a = mesh.positions[mesh.faces[f][0]], &b = mesh.positions[mesh.faces[f][1]],
               &c = mesh.positions[mesh.faces[f][2]];
    const Vec3 least = a.cwiseMin(b).cwiseMin(c), most = a.cwiseMax(b).cwiseMax(c);
    low[f] = least.unaryExpr(&below);
    high[f] = most.unaryExpr(&above);
    centre[f] = (0.5 * (least + most)).cast<float>();
  }
  struct Task {
    std::uint32_t node, first, count;
  };
  nodes_.reserve(2 * (count / (kLeaf / 2) + 1));
  nodes_.emplace_back();
  std::vector<Task> tasks = {{0, 0, static_cast<std::uint32_t>(count)}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    Vec3f least = low[faces_[task.first]], most = high[faces_[task.first]];
    Vec3f from = centre[faces_[task.first]], to = from;
    for (std::uint32_t i = task.first; i < task.first + task.count; ++i) {
      const std::uint32_t f = faces_[i];
      least = least.cwiseMin(low[f]);
      most = most.cwiseMax(high[f]);
      from = from.cwiseMin(centre[f]);
      to = to.cwiseMax(centre[f]);
    }
    nodes_[task.node].low = least;
    nodes_[task.node].high = most;
    if (task.count <= kLeaf) {
      nodes_[task.node].first = task.first;
      nodes_[task.node].count = task.count;
      // In order, so that of faces met at the same place the first one is found without a search.
      std::sort(faces_.begin() + task.first, faces_.begin() + task.first + task.count);
      continue;
    }
    Eigen::Index axis = 0;
    (to - from).maxCoeff(&axis);
    const std::uint32_t half = task.count / 2;
    const auto begin = faces_.begin() + task.first;
    std::nth_element(begin, begin + half, begin + task.count,
                     [&](std::uint32_t a, std::uint32_t b) { return centre[a][axis] < centre[b][axis]; });
    const auto left = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_.emplace_back();
    nodes_[task.node].first = left;
    tasks.push_back({left + 1, task.first + half, task.count - half});
    tasks.push_back({left, task.first, half});
  }
  nodes_.shrink_to_fit();
}

FaceHit FaceTree::nearest(const DisplayMesh& mesh, const MeshRay& ray, FaceHit best) const {
  if (nodes_.empty()) return best;
  const Vec3 inverse = ray.direction.cwiseInverse();
  // Where the ray enters the box of a node; infinite when it misses. A division 0 · ∞ gives a NaN, which min and max as
  // written here pass over: the ray runs in the plane of that side.
  const auto entry = [&](const Node& node) {
    double enter = 0, leave = best.at;
    for (int axis = 0; axis < 3; ++axis) {
      const double a = (static_cast<double>(node.low[axis]) - ray.origin[axis]) * inverse[axis];
      const double b = (static_cast<double>(node.high[axis]) - ray.origin[axis]) * inverse[axis];
      const double near = a < b ? a : b, far = a < b ? b : a;
      if (near > enter) enter = near;
      if (far < leave) leave = far;
    }
    return enter <= leave * (1 + 1e-12) ? enter : std::numeric_limits<double>::infinity();
  };
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[stack[--depth]];
    if (entry(node) > best.at) continue;
    if (node.count > 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        const auto& face = mesh.faces[faces_[i]];
        const double at = hit_triangle(ray, mesh.positions[face[0]], mesh.positions[face[1]], mesh.positions[face[2]]);
        if (at < best.at || (at == best.at && std::isfinite(at) && faces_[i] < best.face)) best = {at, faces_[i]};
      }
      continue;
    }
    const double left = entry(nodes_[node.first]), right = entry(nodes_[node.first + 1]);
    const bool left_first = left <= right;
    if (std::isfinite(left_first ? right : left)) stack[depth++] = left_first ? node.first + 1 : node.first;
    if (std::isfinite(left_first ? left : right)) stack[depth++] = left_first ? node.first : node.first + 1;
  }
  return best;
}

std::size_t FaceTree::memory_use() const {
  return sizeof *this + nodes_.capacity() * sizeof(Node) + faces_.capacity() * sizeof(std::uint32_t);
}

}  // namespace hazumi
