// Who is beside whom in a triangle mesh, computed on demand in O(n) with hash tables. Vertices at equal
// positions are one place here, however many normals or texture coordinates they have: seams of attributes
// are no borders of the surface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/geometry/mesh/mesh.h"

namespace hazumi {

inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// For each position the smallest index of an equal one (-0.0 equals 0.0).
std::vector<std::uint32_t> weld(const std::vector<Vec3>& positions);

struct MeshEdge {
  std::uint32_t a = kNoIndex, b = kNoIndex;  ///< places, a < b
  /// The first two faces at the edge, in order of the faces; 3 face + corner: the edge runs from that corner
  /// to the next.
  std::array<std::uint32_t, 2> sides = {kNoIndex, kNoIndex};
  std::uint32_t uses = 0;  ///< number of faces
};

struct MeshTopology {
  std::vector<std::uint32_t> place;  ///< of each vertex, as weld() gives it
  std::vector<MeshEdge> edges;       ///< in order of first use
  std::vector<std::array<std::uint32_t, 3>>
      face_edges;  ///< edge from corner k to k + 1; kNoIndex: the face has collapsed

  /// True when the face runs through the edge of its corner from the smaller place to the larger one.
  bool upwards(const DisplayMesh& mesh, std::uint32_t side) const {
    const auto& f = mesh.faces[side / 3];
    return place[f[side % 3]] < place[f[(side % 3 + 1) % 3]];
  }
};

/// Faces with two corners at one place take no part.
MeshTopology topology(const DisplayMesh& mesh);
MeshTopology topology(const DisplayMesh& mesh, std::vector<std::uint32_t> place);

/// Rings of open edges, each as its places in order (either way round). Where rings touch in a place they are
/// taken apart.
std::vector<std::vector<std::uint32_t>> border_rings(const MeshTopology& topology);

/// Which faces must be turned so that faces that share an edge agree, closed pieces face outwards (their
/// volume is positive) and open pieces are turned as most of their faces are. Edges of three or more faces
/// join nothing.
std::vector<char> faces_to_turn(const DisplayMesh& mesh, const MeshTopology& topology);

/// Normals from the faces, area-weighted, smooth across edges whose faces make less than `angle` (rad), split
/// along the others: vertices are added where one place needs several normals.
void compute_creased_normals(DisplayMesh& mesh, double angle);

}  // namespace hazumi
