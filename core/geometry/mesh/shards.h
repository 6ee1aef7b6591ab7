// A mesh cut into shards, one around each node of an analysis model: what of it lies nearer to that node than to any other (its Voronoi
// cell). Cuts of closed meshes are filled, so that every shard is closed; what is open is cut only. Until something breaks both
// sides of a cut lie at the same places, and nothing of it is seen: along a cut the normals, texture and looks of the surface go on as
// they were.
//
//   x nearer to node i than to j       (x − ½ (X_i + X_j)) · (X_j − X_i) ≤ 0
//
// Nodes are taken a millionth of the mesh's size off their places (the same for all who ask), as no vertex may lie in a cut. A cut that
// comes apart in several outlines is filled outline by outline; one within another (a tunnel along the cut) is filled too.
#pragma once

#include <span>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// A mesh without faces or nodes is given back as it is. Work: vertices × nodes, 4,000 × 300 in a fifth of a second.
DisplayMesh cut_into_shards(const DisplayMesh& mesh, std::span<const Vec3> nodes);

}  // namespace hazumi
