// The surface of a body as contact sees it: triangles whose vertices at one place are one, who is beside whom, what is inside and
// what is flat. Made once per body; where its vertices are while it moves, says BodyShape.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/geometry/mesh/box_tree.h"
#include "core/geometry/mesh/mesh.h"

namespace hazumi {

struct SurfaceEdge {
  std::array<std::uint32_t, 2> ends = {0, 0};   ///< vertices
  std::array<std::uint32_t, 2> faces = {0, 0};  ///< the second equal to the first: it is a border
  bool sharp = false;                           ///< other edges may touch it: as it was made not flat and not hollow
};

/// A few faces beside one another: what is far from all others is known by the box of the part alone.
struct SurfacePart {
  std::vector<std::uint32_t> faces;     ///< ascending
  std::vector<std::uint32_t> corners;   ///< vertices of these faces, ascending
  std::vector<std::uint32_t> vertices;  ///< of these faces and of those that share a vertex with them, ascending
  Box3 box;                             ///< as the body was made
  BoxTree tree;                         ///< over places in `faces`
  std::uint32_t piece = 0;              ///< SurfaceMesh::piece of all its vertices
};

/// Parts beside one another.
struct SurfaceGroup {
  std::vector<std::uint32_t> parts;    ///< ascending
  std::vector<std::uint32_t> corners;  ///< of them all, ascending
  Box3 box;                            ///< as the body was made
};

struct SurfaceMesh {
  std::vector<Vec3> points;                          ///< vertices as the body was made, body frame, m
  std::vector<std::uint32_t> source;                 ///< vertex of the display mesh, or node, of each
  std::vector<std::array<std::uint32_t, 3>> faces;   ///< of one piece turned alike, of closed pieces outwards
  std::vector<std::array<std::uint32_t, 3>> beside;  ///< face across the edge from corner k to k + 1; kNoIndex: none
  std::vector<SurfaceEdge> edges;
  std::vector<Vec3> normals;  ///< of the faces as the body was made, unit; zero where there is no area
  std::vector<char> solid;    ///< of each face: its piece is closed, what is behind it is inside
  bool any_solid = false, any_open = false;
  std::vector<std::uint32_t> region;  ///< of each face: the least face of the flat piece that it is in
  std::vector<std::uint8_t> owned;    ///< of each face: bits 0…2 corners, that no face before it has
  std::vector<std::array<std::uint32_t, 3>>
      owned_edges;  ///< of each face: sharp edges, of what bends all, that no face before it has
  std::vector<std::uint32_t> first_at, faces_at;  ///< faces of vertex v: faces_at from first_at[v] to first_at[v + 1]
  std::vector<std::uint32_t> loose;               ///< vertices of no face
  std::vector<std::uint32_t> piece;               ///< of each vertex, of a body in parts: the part; else empty
  Box3 box;                                       ///< of the points
  std::vector<SurfacePart> parts;                 ///< every face is in one
  std::vector<SurfaceGroup> groups;               ///< every part is in one
  BoxTree top;                                    ///< over the boxes of the groups

  /// Whether parts p of this and q of another touch each other never: they are of one part of one body.
  bool one_piece(std::uint32_t p, const SurfaceMesh& other, std::uint32_t q) const {
    return this == &other && !piece.empty() && parts[p].piece == parts[q].piece;
  }
  std::uint32_t piece_of_face(std::uint32_t face) const { return piece[faces[face][0]]; }
  std::span<const std::uint32_t> around(std::uint32_t vertex) const {
    return std::span(faces_at).subspan(first_at[vertex], first_at[vertex + 1] - first_at[vertex]);
  }
};

/// `origin`: the place of `mesh` that is the body frame's origin; `bends`: any edge may become sharp. `source`: of each vertex the
/// number that it goes by, where that is another one. `pieces`: of each vertex; those of different pieces are not one wherever they are.
std::shared_ptr<const SurfaceMesh> make_surface_mesh(const DisplayMesh& mesh, const Vec3& origin, bool bends,
                                                     std::span<const std::uint32_t> source = {},
                                                     std::span<const std::uint32_t> pieces = {});

}  // namespace hazumi
