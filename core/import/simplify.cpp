// Simplification through meshoptimizer (prepare.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include <meshoptimizer.h>

#include "core/geometry/mesh/topology.h"
#include "core/import/prepare.h"

namespace hazumi {

namespace {

/// Vertices of one part that differ only in their normal become one: a vertex that the part before has not
/// used. So each vertex belongs to one part, and sharp edges do not hinder a collapse.
DisplayMesh without_normals(const DisplayMesh& mesh) {
  DisplayMesh out;
  out.parts = mesh.parts;
  out.textures = mesh.textures;
  out.faces.reserve(mesh.faces.size());
  const std::vector<std::uint32_t> place = weld(mesh.positions);
  std::vector<std::uint32_t> head(mesh.positions.size(), kNoIndex),
      next;  // what was made at each place for this part
  std::vector<std::uint32_t> touched;
  const auto same = [&](std::uint32_t made, std::uint32_t v) {
    if (!mesh.texture.empty() && out.texture[made] != mesh.texture[v]) return false;
    if (mesh.looks.empty()) return true;
    const VertexLook &a = out.looks[made], &b = mesh.looks[v];
    return a.ambient == b.ambient && a.diffuse == b.diffuse && a.specular == b.specular && a.shininess == b.shininess;
  };
  for (const Part& part : mesh.parts) {
    for (std::uint32_t f = part.first_face; f < part.first_face + part.face_count; ++f) {
      std::array<std::uint32_t, 3> face{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = mesh.faces[f][k], p = place[v];
        std::uint32_t made = head[p];
        while (made != kNoIndex && !same(made, v)) made = next[made];
        if (made == kNoIndex) {
          made = static_cast<std::uint32_t>(out.positions.size());
          if (head[p] == kNoIndex) touched.push_back(p);
          next.push_back(head[p]);
          head[p] = made;
          out.positions.push_back(mesh.positions[p]);
          if (!mesh.texture.empty()) out.texture.push_back(mesh.texture[v]);
          if (!mesh.looks.empty()) out.looks.push_back(mesh.looks[v]);
        }
        face[k] = made;
      }
      out.faces.push_back(face);
    }
    for (std::uint32_t p : touched) head[p] = kNoIndex;
    touched.clear();
  }
  return out;
}

}  // namespace

std::size_t simplify_mesh(DisplayMesh& mesh, double part) {
  if (!(part < 1) || mesh.faces.empty()) return 0;
  DisplayMesh work = without_normals(mesh);
  // Single precision is relative to the box, so that a mesh far from the origin loses nothing.
  const Box3 box = bounds(work);
  const double unit = std::max(box.size().maxCoeff(), std::numeric_limits<double>::min());
  std::vector<float> positions;
  positions.reserve(3 * work.positions.size());
  for (const Vec3& p : work.positions)
    for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>((p[k] - box.centre()[k]) / unit));
  std::vector<unsigned> indices, kept(3 * work.faces.size());
  indices.reserve(kept.size());
  for (const auto& f : work.faces) indices.insert(indices.end(), f.begin(), f.end());
  // A small closed piece may vanish as a whole on the way to very few faces; then more are asked for.
  auto wanted = static_cast<std::size_t>(std::max(1.0, std::round(part * static_cast<double>(work.faces.size()))));
  std::size_t count = 0;
  for (; count == 0 && wanted < work.faces.size(); wanted *= 2)
    count = meshopt_simplify(kept.data(), indices.data(), indices.size(), positions.data(), work.positions.size(),
                             3 * sizeof(float), 3 * wanted, std::numeric_limits<float>::max(), 0, nullptr);
  if (count == 0 || count >= indices.size()) return 0;

  std::vector<std::uint32_t> part_of(work.positions.size(), 0);
  for (std::uint32_t p = 0; p < work.parts.size(); ++p)
    for (std::uint32_t f = work.parts[p].first_face; f < work.parts[p].first_face + work.parts[p].face_count; ++f)
      for (std::uint32_t v : work.faces[f]) part_of[v] = p;
  std::vector<std::vector<std::array<std::uint32_t, 3>>> faces(work.parts.size());
  for (std::size_t i = 0; i < count; i += 3) faces[part_of[kept[i]]].push_back({kept[i], kept[i + 1], kept[i + 2]});

  // Only vertices that are left, in their old order.
  std::vector<std::uint32_t> now(work.positions.size(), kNoIndex);
  for (std::size_t i = 0; i < count; ++i) now[kept[i]] = 0;
  DisplayMesh out;
  out.textures = mesh.textures;
  for (std::uint32_t v = 0; v < now.size(); ++v) {
    if (now[v] == kNoIndex) continue;
    now[v] = static_cast<std::uint32_t>(out.positions.size());
    out.positions.push_back(work.positions[v]);
    if (!work.texture.empty()) out.texture.push_back(work.texture[v]);
    if (!work.looks.empty()) out.looks.push_back(work.looks[v]);
  }
  for (std::size_t p = 0; p < faces.size(); ++p) {
    if (faces[p].empty()) continue;
    Part kept_part = work.parts[p];
    kept_part.first_face = static_cast<std::uint32_t>(out.faces.size());
    kept_part.face_count = static_cast<std::uint32_t>(faces[p].size());
    for (const auto& f : faces[p]) out.faces.push_back({now[f[0]], now[f[1]], now[f[2]]});
    out.parts.push_back(std::move(kept_part));
  }
  const std::size_t before = mesh.faces.size();
  mesh = std::move(out);
  compute_creased_normals(mesh, kCreaseAngle);
  return before - mesh.faces.size();
}

}  // namespace hazumi
