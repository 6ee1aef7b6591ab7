#include "core/geometry/mapping/shard_mapping.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/math/eigen.h"

namespace hazumi {
namespace {

constexpr std::size_t kNear = 6;  // nodes that are surely asked
constexpr double kWider = 1.5;
constexpr double kSpread = 2e-3;  // of the largest: an eigenvalue of A below this is a direction without spread
constexpr std::size_t kAtOnce = 1024;

/// The fit of one place (shard_mapping.h).
struct Fit {
  std::span<const Vec3> nodes;
  std::vector<std::pair<double, std::uint32_t>> near{};  // by distance
  std::vector<double> weights{};                         // w
  double sum = 0;                                        // Σ w
  Vec3 centre = Vec3::Zero();
  Mat3 inverse = Mat3::Zero();  // A⁺

  /// By at least `count` of `part`, where it has so many. `open`: 1 − A⁺A.
  void find(const Vec3& x, std::span<const std::uint32_t> part, std::size_t count, Mat3& open) {
    near.clear();
    for (const std::uint32_t node : part) near.emplace_back((nodes[node] - x).norm(), node);
    const auto last = near.begin() + static_cast<std::ptrdiff_t>(std::min(count, near.size()) - 1);
    std::nth_element(near.begin(), last, near.end());
    const double reach = kWider * last->first;
    if (near.size() > 1) std::erase_if(near, [&](const auto& n) { return n.first >= reach; });
    std::sort(near.begin(), near.end());
    weights.clear();
    sum = 0;
    centre.setZero();
    for (const auto& [distance, node] : near) {
      const double r = reach > 0 ? distance / reach : 0, w = r < 1 ? (1 - r * r) * (1 - r * r) : 1;
      weights.push_back(w);
      sum += w;
      centre += w * nodes[node];
    }
    centre /= sum;
    inverse.setZero();
    open.setIdentity();
    if (near.size() < 2) return;  // what round-off leaves between a node and itself is no direction
    Mat3 spread = Mat3::Zero();
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const Vec3 arm = nodes[near[k].second] - centre;
      spread += weights[k] * arm * arm.transpose();
    }
    const EigenPairs3 pairs = symmetric_eigen(spread);
    for (int k = 0; k < 3; ++k) {
      if (!(pairs.values[k] > kSpread * pairs.values[2])) continue;
      const Vec3 axis = pairs.vectors.col(k);
      inverse += axis * axis.transpose() / pairs.values[k];
      open -= axis * axis.transpose();
    }
    if (open.isZero(1e-9)) open.setZero();
  }
};

}  // namespace

ShardMapping::ShardMapping(MappingKind kind, const DisplayMesh& mesh, const Truss& truss,
                           std::span<const std::uint32_t> part_of_node)
    : Mapping(kind, mesh.positions.size()), normals_(mesh.normals) {
  const auto part_of = [&](std::uint32_t node) { return part_of_node.empty() ? 0u : part_of_node[node]; };
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::uint32_t i = 0; i < truss.nodes.size(); ++i) {
    if (part_of(i) >= parts.size()) parts.resize(part_of(i) + 1);
    parts[part_of(i)].push_back(i);
  }
  std::map<std::tuple<std::uint32_t, double, double, double>, std::uint32_t> known;
  Fit fit{truss.nodes};
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& x = mesh.positions[v];
    const std::uint32_t part = mesh.shards ? part_of(mesh.shards->of_vertex[v]) : 0u;
    const auto [at, fresh] =
        known.emplace(std::tuple(part, x.x(), x.y(), x.z()), static_cast<std::uint32_t>(follows_.size()));
    of_vertex_.push_back(at->second);
    if (!fresh) continue;
    Follows of;
    // More nodes where the nearest lie in a plane and not all of the part do.
    for (std::size_t count = kNear; count == kNear || (!of.open.isZero(0) && count < 2 * parts[part].size());
         count *= 2)
      fit.find(x, parts[part], count, of.open);
    of.first = static_cast<std::uint32_t>(drivers_.size());
    of.count = static_cast<std::uint32_t>(fit.weights.size());
    of.arm = x;
    for (std::size_t k = 0; k < fit.weights.size(); ++k) {
      const std::uint32_t number = fit.near[k].second;
      const Vec3& node = truss.nodes[number];
      const Vec3 slope = fit.weights[k] * (fit.inverse * (node - fit.centre));
      const double weight = fit.weights[k] / fit.sum + slope.dot(x - fit.centre);
      drivers_.push_back({number, weight, slope});
      of.arm -= weight * node;
    }
    if (of.open.isZero(0)) of.arm.setZero();
    follows_.push_back(of);
  }
}

Vec3 ShardMapping::place(const Follows& of, std::span<const Vec3> nodes, const Mat3& rotation) const {
  Vec3 sum = rotation * of.arm;
  for (std::uint32_t k = of.first; k < of.first + of.count; ++k) sum += drivers_[k].weight * nodes[drivers_[k].node];
  return sum;
}

void ShardMapping::map_vertices(std::span<const Vec3> nodes, const Pose& frame, std::span<Vec3f> positions,
                                std::span<Vec3f> normals, Executor& executor) const {
  const Mat3 rotation = frame.rotation.toRotationMatrix();
  struct Placed {
    Vec3f at;
    Mat3 turn;  // det F · F⁻ᵀ
  };
  std::vector<Placed> placed(follows_.size());
  executor.blocks(follows_.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Follows& of = follows_[i];
      placed[i].at = place(of, nodes, rotation).cast<float>();
      Mat3 f = rotation * of.open;
      for (std::uint32_t k = of.first; k < of.first + of.count; ++k)
        f += nodes[drivers_[k].node] * drivers_[k].slope.transpose();
      Mat3& turn = placed[i].turn;
      turn.col(0) = f.col(1).cross(f.col(2));
      turn.col(1) = f.col(2).cross(f.col(0));
      turn.col(2) = f.col(0).cross(f.col(1));
    }
  });
  executor.blocks(of_vertex_.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const Placed& at = placed[of_vertex_[v]];
      positions[v] = at.at;
      const Vec3 n = at.turn * normals_[v];
      const double length = n.norm();
      normals[v] = (length > 0 ? Vec3(n / length) : Vec3(rotation * normals_[v])).cast<float>();
    }
  });
}

void ShardMapping::map_points(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                              std::span<Vec3> points) const {
  const Mat3 rotation = frame.rotation.toRotationMatrix();
  for (std::size_t k = 0; k < vertices.size(); ++k)
    points[k] = place(follows_[of_vertex_[vertices[k]]], nodes, rotation);
}

DriverInfo ShardMapping::drivers(std::size_t vertex) const {
  const Follows& of = follows_[of_vertex_[vertex]];
  DriverInfo info;
  info.linear = true;
  info.arm = of.arm;
  info.offset = of.arm.norm();
  for (std::uint32_t k = of.first; k < of.first + of.count; ++k)
    info.nodes.push_back({drivers_[k].node, drivers_[k].weight});
  return info;
}

}  // namespace hazumi
