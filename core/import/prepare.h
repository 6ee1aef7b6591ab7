// What is done to a mesh between its file and the scene (mesh_settings.h): each step is a function of its
// own, in this order: up axis, scale, merge, orient, fill holes, simplify. The same input gives the same
// bits, whatever the number of threads. Positions are in units of the file until scale_mesh(), in metres
// after it.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "core/geometry/mesh/topology.h"
#include "core/import/imported_mesh.h"

namespace hazumi {

inline constexpr double kCreaseAngle = 60.0 * 3.14159265358979323846 / 180.0;  ///< rad, of normals that are made anew
inline constexpr int kMostHoleEdges = 512;                                     ///< larger holes stay open

/// Turns the axis that points up in the file to y (right-handed turns: z up is turned about x, x up about z).
void turn_up_axis(DisplayMesh& mesh, UpAxis up);
/// That turn: z up is turned about x, x up about z.
Quat up_turn(UpAxis up);
void scale_mesh(DisplayMesh& mesh, double factor);

/// Each vertex takes the place of the first one before it that lies within `distance` and was not itself
/// moved; faces that collapse go. Returns the number of places that vanished. Spatial hash, O(n).
std::size_t merge_vertices(DisplayMesh& mesh, double distance);

/// Turns faces as faces_to_turn() says; returns how many.
std::size_t orient_faces(DisplayMesh& mesh);
std::size_t orient_faces(DisplayMesh& mesh, const MeshTopology& topology);  ///< of the mesh

/// Closes rings of at most `most_edges` open edges with the triangulation of least area (dynamic programming
/// over the ring, Barequet and Sharir 1995, "Filling gaps in the boundary of a polyhedron"); the faces go to
/// the part that has most of the ring. Returns the number of holes that were closed.
std::size_t fill_holes(DisplayMesh& mesh, int most_edges);
std::size_t fill_holes(DisplayMesh& mesh, int most_edges, const MeshTopology& topology);

/// Edge collapses by quadric error (Garland and Heckbert 1997, through meshoptimizer) until about `part` of
/// the faces are left. Parts, seams of texture coordinates and colours, and open borders stay; where they do
/// not allow it, more faces are left than asked for. Returns how many faces went.
std::size_t simplify_mesh(DisplayMesh& mesh, double part);

/// Counts and faults of the mesh; what only the file knows (materials, units, companions, warnings) is left
/// as it is.
void count_mesh(const DisplayMesh& mesh, MeshReport& report);
void count_mesh(const DisplayMesh& mesh, MeshReport& report, const MeshTopology& topology);

struct PreparedMesh {
  DisplayMesh mesh;
  MeshReport report;                                               ///< of `mesh`
  std::size_t merged = 0, turned = 0, filled = 0, simplified = 0;  ///< what each step did
};

/// All steps; MeshSettings::textures is for drawing only, the mesh keeps them. Nothing when `cancel` was set meanwhile.
std::optional<PreparedMesh> prepare_mesh(ImportedMesh file, const MeshSettings& settings,
                                         const std::atomic<bool>* cancel = nullptr);

}  // namespace hazumi
