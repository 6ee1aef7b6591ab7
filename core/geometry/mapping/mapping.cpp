#include "core/geometry/mapping/mapping.h"

#include <algorithm>
#include <cmath>

#include "core/base/hash.h"
#include "core/geometry/mapping/embedding.h"
#include "core/geometry/mapping/lattice.h"
#include "core/geometry/mapping/line.h"
#include "core/geometry/mapping/linear.h"
#include "core/geometry/mapping/shard_mapping.h"
#include "core/geometry/mapping/skeleton.h"
#include "core/math/rotation.h"

namespace hazumi {

void Mapping::map_points_below(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                               const Vec3& n, double level, double slack, std::span<Vec3> points,
                               std::vector<std::size_t>& hits) const {
  map_points(nodes, frame, vertices, points);
  hits.clear();
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!(n.dot(points[k]) - level > slack)) hits.push_back(k);
}

void Mapping::rates(std::span<const Vec3> nodes, const Pose& frame, std::span<const std::uint32_t> vertices,
                    std::span<VertexRate> rates) const {
  std::vector<Vec3> places(vertices.size());
  map_points(nodes, frame, vertices, places);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const DriverInfo info = drivers(vertices[k]);
    VertexRate& rate = rates[k];
    rate.place = places[k];
    rate.nodes.clear();
    double sum = 0;
    for (const NodeWeight& w : info.nodes) {
      rate.nodes.push_back({w.node, w.weight * Mat3::Identity()});
      sum += w.weight;
    }
    rate.origin = (1 - sum) * Mat3::Identity();
    rate.turn = -skew(frame.rotation * info.arm);
  }
}

void Mapping::node_heat(std::uint32_t node, std::span<float> out) const {
  for (std::size_t v = 0; v < vertex_count_; ++v) {
    double sum = 0;
    for (const NodeWeight& w : drivers(v).nodes)
      if (w.node == node) sum += w.weight;
    out[v] = static_cast<float>(sum);
  }
}

void Mapping::bone_heat(std::uint32_t, std::span<float> out) const { std::fill(out.begin(), out.end(), 0.0f); }

std::vector<NodeWeight> node_shares(const DriverInfo& drivers, std::size_t most) {
  std::vector<NodeWeight> shares = drivers.nodes;
  double sum = 0;
  for (NodeWeight& w : shares) sum += w.weight = std::abs(w.weight);
  std::stable_sort(shares.begin(), shares.end(),
                   [](const NodeWeight& a, const NodeWeight& b) { return a.weight > b.weight; });
  if (shares.size() > most) shares.resize(most);
  for (NodeWeight& w : shares) w.weight = sum > 0 ? w.weight / sum : 0;
  return shares;
}

Vec3 reference_origin(const Truss& truss) {
  Vec3 origin = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < truss.nodes.size(); ++i) {
    origin += truss.masses[i] * truss.nodes[i];
    mass += truss.masses[i];
  }
  if (mass > 0) origin /= mass;
  return origin;
}

MadeMapping make_mapping(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss) {
  MadeMapping made;
  if (mesh.positions.empty() || truss.nodes.empty()) return made;
  MappingKind kind = settings.kind;
  if (mesh.shards && (kind == MappingKind::lattice || kind == MappingKind::skeleton))
    made.note = "A body that breaks is moved part by part, by the nodes near each vertex.";
  if (kind == MappingKind::automatic) kind = truss.tetrahedra.empty() ? MappingKind::linear : MappingKind::embedding;
  if (mesh.shards) {
    made.mapping = std::make_shared<const ShardMapping>(kind, mesh, truss, std::span<const std::uint32_t>());
    return made;
  }
  if (kind == MappingKind::embedding && truss.tetrahedra.empty()) {
    made.note = "The analysis model has no tetrahedra to embed the display model in, so the linear mapping is used.";
    kind = MappingKind::linear;
  }
  if (kind == MappingKind::skeleton && settings.bones.empty()) {
    made.note = "The skeleton has no bones yet, so the linear mapping is used.";
    kind = MappingKind::linear;
  }
  switch (kind) {
    case MappingKind::embedding:
      made.mapping = std::make_shared<const EmbeddingMapping>(mesh, truss);
      break;
    case MappingKind::lattice:
      made.mapping = std::make_shared<const LatticeMapping>(settings.lattice, mesh, truss);
      break;
    case MappingKind::skeleton:
      made.mapping = std::make_shared<const SkeletonMapping>(settings, mesh, truss);
      break;
    case MappingKind::automatic:
    case MappingKind::linear:
      if (truss.line.size() > 1)
        made.mapping = std::make_shared<const LineMapping>(mesh, truss);
      else if (auto linear = std::make_shared<const LinearMapping>(mesh, truss); !linear->vertex_drivers().empty())
        made.mapping = std::move(linear);
      break;
  }
  return made;
}

std::uint64_t mapping_key(const MappingSettings& settings, const DisplayMesh& mesh, const Truss& truss) {
  Hasher hasher;
  const auto add = [&hasher](const std::vector<Vec3>& list) {
    hasher.add(static_cast<std::uint64_t>(list.size()));
    for (const Vec3& p : list) hasher.add(p.x()).add(p.y()).add(p.z());
  };
  const auto add_cells = [&hasher](const auto& list) {
    hasher.add(static_cast<std::uint64_t>(list.size()));
    for (const auto& cell : list)
      for (std::uint32_t i : cell) hasher.add(static_cast<std::uint64_t>(i));
  };
  hasher.add(static_cast<int>(settings.kind));
  add(mesh.positions);
  add(mesh.normals);
  add(truss.nodes);
  hasher.add(std::span<const double>(truss.masses));
  add_cells(truss.hull);
  add_cells(truss.tetrahedra);
  for (const std::uint32_t node : truss.line) hasher.add(static_cast<std::uint64_t>(node));
  if (settings.kind == MappingKind::lattice)
    for (int n : settings.lattice) hasher.add(n);
  if (settings.kind == MappingKind::skeleton) {
    add_cells(mesh.faces);
    for (const Bone& bone : settings.bones) {
      hasher.add(static_cast<std::uint64_t>(bone.id)).add(static_cast<std::uint64_t>(bone.parent)).add(bone.radius);
      add({bone.head, bone.tail});
    }
    for (const PaintedWeight& p : settings.painted)
      hasher.add(static_cast<std::uint64_t>(p.bone)).add(static_cast<std::uint64_t>(p.vertex)).add(p.weight);
  }
  return hasher.value();
}

}  // namespace hazumi
