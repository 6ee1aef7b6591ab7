#include "core/sim/contact/shard_surface.h"

namespace hazumi {

std::shared_ptr<const SurfaceMesh> make_shard_surface(const DisplayMesh& mesh, const Vec3& origin,
                                                      std::span<const std::uint32_t> part_of_node) {
  const MeshShards& shards = *mesh.shards;
  const auto part_of = [&](std::uint32_t node) { return part_of_node.empty() ? 0u : part_of_node[node]; };
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> number(mesh.positions.size(), kNone), source, pieces;
  DisplayMesh seen;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::uint32_t own = part_of(shards.of_vertex[mesh.faces[f][0]]);
    if (shards.across[f] != MeshShards::kOutside && part_of(shards.across[f]) == own) continue;
    std::array<std::uint32_t, 3> face = mesh.faces[f];
    for (std::uint32_t& v : face) {
      if (number[v] == kNone) {
        number[v] = static_cast<std::uint32_t>(source.size());
        source.push_back(v);
        pieces.push_back(own);
        seen.positions.push_back(mesh.positions[v]);
        seen.normals.push_back(mesh.normals[v]);
      }
      v = number[v];
    }
    seen.faces.push_back(face);
  }
  return make_surface_mesh(seen, origin, true, source,
                           part_of_node.empty() ? std::span<const std::uint32_t>() : pieces);
}

}  // namespace hazumi
