// Meshes of our own for shipped scenes, written as OBJ files beside them and read back as any imported mesh is: what turns
// round an axis, and what is drawn along a way.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/import/mesh_file.h"
#include "core/scene/values/scene.h"

namespace hazumi {

struct MeshText {
  std::string text = "# Made by make_scenes.\n";
  std::size_t count = 0;  ///< of vertices

  void part(const std::string& name) { text += "o " + name + "\n"; }

  /// Number of the vertex, from 1 on as OBJ counts.
  std::size_t vertex(const Vec3& p) {
    char line[80];
    // + 0.0: no "-0" in the file.
    std::snprintf(line, sizeof line, "v %.5g %.5g %.5g\n", rounded(p.x()), rounded(p.y()), rounded(p.z()));
    text += line;
    return ++count;
  }
  void face(const std::vector<std::size_t>& corners) {
    text += "f";
    for (const std::size_t c : corners) text += " " + std::to_string(c);
    text += "\n";
  }

  /// Rings of equal length joined to a tube, each ring counter-clockwise as seen from the ring after it.
  void skin(const std::vector<std::vector<std::size_t>>& rings) {
    for (std::size_t r = 0; r + 1 < rings.size(); ++r)
      for (std::size_t k = 0, n = rings[r].size(); k < n; ++k)
        face({rings[r][k], rings[r][(k + 1) % n], rings[r + 1][(k + 1) % n], rings[r + 1][k]});
  }

  /// (radius, height) from the bottom up along the outside, turned round the y axis; where it begins or ends on the axis it is
  /// closed with a fan. What is hollow goes on over the rim and down the inside. `from`, `to`: faces between those points only;
  /// `middle`: where the axis is.
  void turned(const std::vector<Vec2>& profile, std::size_t sides, const Vec3& middle = Vec3::Zero(),
              std::size_t from = 0, std::size_t to = SIZE_MAX) {
    std::vector<std::vector<std::size_t>> rings;
    for (std::size_t p = from; p <= to && p < profile.size(); ++p) {
      const auto& [radius, height] = std::pair(profile[p].x(), profile[p].y());
      std::vector<std::size_t> ring;
      for (std::size_t k = 0; k < (radius > 0 ? sides : 1); ++k) {
        const double angle = 2 * kPi * static_cast<double>(k) / static_cast<double>(sides);
        ring.push_back(vertex(middle + Vec3(radius * std::sin(angle), height, radius * std::cos(angle))));
      }
      rings.push_back(ring);
    }
    for (std::size_t r = 0; r + 1 < rings.size(); ++r)
      for (std::size_t k = 0; k < sides; ++k) {
        const std::size_t next = (k + 1) % sides;
        const auto &low = rings[r], &high = rings[r + 1];
        if (low.size() == 1)
          face({low[0], high[next], high[k]});
        else if (high.size() == 1)
          face({low[k], low[next], high[0]});
        else
          face({low[k], low[next], high[next], high[k]});
      }
  }

 private:
  static double rounded(double value) { return std::round(value * 1e5) * 1e-5 + 0.0; }
};

/// Writes the mesh beside the scene and gives it to the object.
inline bool take_mesh(Object& o, const std::string& folder, const std::string& file, const MeshText& mesh) {
  std::ofstream(folder + "/" + file, std::ios::binary) << mesh.text;
  o.display.kind = DisplayKind::mesh;
  o.display.mesh.file = file;
  auto read = load_mesh_file(folder + "/" + file, o.display.mesh.settings);
  if (!read.ok()) {
    std::fprintf(stderr, "%s\n", to_string(read.error()).c_str());
    return false;
  }
  o.display.mesh.mesh = std::make_shared<const DisplayMesh>(std::move(read.value().mesh));
  o.display.mesh.content = mesh_hash(*o.display.mesh.mesh);
  return true;
}

}  // namespace hazumi
