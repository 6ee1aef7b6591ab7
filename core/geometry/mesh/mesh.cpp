#include "core/geometry/mesh/mesh.h"

#include <algorithm>

#include "core/geometry/mesh/topology.h"

namespace hazumi {

Box3 bounds(const DisplayMesh& mesh) {
  Box3 box;
  for (const Vec3& p : mesh.positions) box.add(p);
  return box;
}

void compute_normals(DisplayMesh& mesh) {
  mesh.normals.assign(mesh.positions.size(), Vec3::Zero());
  for (const auto& f : mesh.faces) {
    const Vec3 area = (mesh.positions[f[1]] - mesh.positions[f[0]]).cross(mesh.positions[f[2]] - mesh.positions[f[0]]);
    for (auto v : f) mesh.normals[v] += area;
  }
  for (Vec3& n : mesh.normals) {
    const double length = n.norm();
    n = length > 0 ? Vec3(n / length) : Vec3(0, 1, 0);  // a vertex of no face still needs a unit normal
  }
}

bool is_closed(const DisplayMesh& mesh) {
  const MeshTopology all = topology(mesh);  // faces that collapsed have no area and no border
  return !all.edges.empty() && std::all_of(all.edges.begin(), all.edges.end(), [&](const MeshEdge& edge) {
    return edge.uses == 2 && all.upwards(mesh, edge.sides[0]) != all.upwards(mesh, edge.sides[1]);
  });
}

}  // namespace hazumi
