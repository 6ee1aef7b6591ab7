// Display mesh: what is seen and what collides (spec 1.1). Boundary representation: solid → parts → faces → edges →
// vertices, kept as an indexed triangle mesh whose faces carry a part number; adjacency is computed on demand
// (mesh_topology.h). Faces are oriented counter-clockwise seen from outside; the mesh need not be closed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/geometry/mesh/surface.h"
#include "core/math/types.h"

namespace hazumi {

struct Part {
  std::string name;
  std::uint32_t first_face = 0;  ///< faces [first_face, first_face + face_count) of the mesh
  std::uint32_t face_count = 0;
  std::optional<Surface> surface =
      {};            ///< of an imported file; becomes a material of the part when an object takes the mesh
  int texture = -1;  ///< into DisplayMesh::textures; −1: none
};

/// An image as it lay in or beside the imported file, still encoded (PNG, JPEG, …); render decodes it.
struct TextureFile {
  std::string name;
  std::vector<unsigned char> bytes;
};

/// Look of one vertex where several surfaces blend (metaballs with colours of their own).
struct VertexLook {
  Vec3f ambient, diffuse, specular;
  float shininess = 16;
};

/// Of a mesh that was cut where a body may break (geometry/mesh/shards.h).
struct MeshShards {
  static constexpr std::uint32_t kOutside = 0xffffffffu;
  std::vector<std::uint32_t> of_vertex;  ///< node in whose shard it is
  std::vector<std::uint32_t>
      across;  ///< of each face: the node on the other side of the cut; kOutside: it was there before
};

struct DisplayMesh {
  std::vector<Vec3> positions;                      ///< m, object frame
  std::vector<Vec3> normals;                        ///< unit, one per vertex (split along sharp edges)
  std::vector<Vec2> texture;                        ///< empty or one per vertex
  std::vector<std::array<std::uint32_t, 3>> faces;  ///< vertex numbers
  std::vector<Part> parts;                          ///< at least one when there are faces
  std::vector<VertexLook> looks;                    ///< empty or one per vertex: drawn in place of the material
  std::vector<std::shared_ptr<const TextureFile>> textures;
  std::shared_ptr<const MeshShards> shards;  ///< null: it is not cut

  bool empty() const { return faces.empty(); }
};

struct Box3 {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  bool valid() const { return low.x() <= high.x(); }
  void add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  /// Borders included.
  bool holds(const Vec3& p) const { return (p.array() >= low.array()).all() && (p.array() <= high.array()).all(); }
  bool meets(const Box3& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  Vec3 size() const { return high - low; }
  Vec3 centre() const { return 0.5 * (low + high); }
};

Box3 bounds(const DisplayMesh& mesh);

/// Area-weighted vertex normals from positions and faces, vertices at the same place but with separate numbers
/// stay separate (so sharp edges stay sharp).
void compute_normals(DisplayMesh& mesh);

/// True when, after merging vertices at equal positions, every edge has exactly two faces that run through it in
/// opposite directions.
bool is_closed(const DisplayMesh& mesh);

}  // namespace hazumi
