// The surface of a body whose mesh is cut into shards: without the cuts inside its parts.
#pragma once

#include "core/sim/contact/surface_mesh.h"

namespace hazumi {

/// `part_of_node`: empty, all are one; else the surfaces of parts are apart (SurfaceMesh::piece), also where they lie on each other.
std::shared_ptr<const SurfaceMesh> make_shard_surface(const DisplayMesh& mesh, const Vec3& origin,
                                                      std::span<const std::uint32_t> part_of_node);

}  // namespace hazumi
