#include "core/geometry/mesh.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace hazumi {

Box3 bounds(const DisplayMesh& mesh) {
  Box3 box;
  for (const Vec3& p : mesh.positions) box.add(p);
  return box;
}

void compute_normals(DisplayMesh& mesh) {
  mesh.normals.assign(mesh.positions.size(), Vec3::Zero());
  for (const auto& f : mesh.faces) {
    const Vec3 area = (mesh.positions[f[1]] - mesh.positions[f[0]])
                          .cross(mesh.positions[f[2]] - mesh.positions[f[0]]);
    for (auto v : f) mesh.normals[v] += area;
  }
  for (Vec3& n : mesh.normals) {
    const double length = n.norm();
    n = length > 0 ? Vec3(n / length) : Vec3(0, 1, 0);  // a vertex of no face still needs a unit normal
  }
}

bool is_closed(const DisplayMesh& mesh) {
  if (mesh.faces.empty()) return false;
  // Number equal positions equally: sort vertex numbers by position, then give runs one number.
  std::vector<std::uint32_t> order(mesh.positions.size()), merged(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Vec3 &p = mesh.positions[a], &q = mesh.positions[b];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::sort(order.begin(), order.end(), before);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && !before(order[i - 1], order[i]);
    merged[order[i]] = same ? merged[order[i - 1]] : order[i];
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(mesh.faces.size() * 3);
  for (const auto& f : mesh.faces) {
    const std::uint32_t v[3] = {merged[f[0]], merged[f[1]], merged[f[2]]};
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;  // collapsed by the merge: no area, no border
    for (int k = 0; k < 3; ++k) edges.emplace_back(v[k], v[(k + 1) % 3]);
  }
  std::sort(edges.begin(), edges.end());
  if (edges.empty() || std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return std::binary_search(edges.begin(), edges.end(), std::make_pair(e.second, e.first));
  });
}

}  // namespace hazumi
