// One step of a tracked surface (skin_tracker.h has the formulas): vertices go with the primitives, back to the surface, and a little
// way back in their rings; and how well the faces lie then.
#pragma once

#include "core/base/parallel.h"
#include "core/geometry/metaball/field_points.h"
#include "core/geometry/metaball/skin_mesh.h"

namespace hazumi::metaball {

/// Vertices of a SkinMesh at one time.
struct SkinState {
  std::vector<Vec3> places;   ///< m
  std::vector<Vec3> normals;  ///< unit, outward: −∇F / |∇F|
};

/// Whether a face is nearly upright on the surface at its vertices, or turned over.
bool lies_badly(const SkinState& state, const std::array<std::uint32_t, 3>& face);

struct SkinBounds {
  double diameter = 0;  ///< m, largest effective diameter of the group
  double reach = 0;     ///< m, how far a vertex may be from the surface after going with the primitives
  double margin = 0;    ///< m, half the length between the two points with the surface between them
};

/// Motion of each primitive of a field to the next one: M_i.
std::vector<Pose> primitive_motions(const MetaballGroup& from, const MetaballGroup& to, const MetaballField& field);

/// Goes with the primitives of `from` and is put on the surface of `to`. False: some vertex found none.
bool carry(const FieldPoints& from, const FieldPoints& to, const std::vector<Pose>& motions, const SkinBounds& bounds,
           SkinState& state, Executor& executor);
/// Only puts them there.
bool put_on_surface(const FieldPoints& to, const SkinBounds& bounds, SkinState& state, Executor& executor);
/// Towards where mean value coordinates say, across the normals; `moved`: how far each one was moved so in all.
void relax(const SkinMesh& mesh, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
           std::vector<Vec3>& moved, Executor& executor);

/// Makes slivers fatter before a stretch begins: vertices across their normals towards the middle of their rings, sharp ones and where a face
/// would turn over not.
void even_out(const SkinMesh& mesh, const FieldPoints& to, const SkinBounds& bounds, SkinState& state,
              Executor& executor);

/// Vertices of faces, and of `rings` rings around them, go to the middle of their rings; `moved` as above. False: not possible.
bool smooth_around(const SkinMesh& mesh, const std::vector<std::uint32_t>& faces, int rings, const FieldPoints& to,
                   const SkinBounds& bounds, SkinState& state, std::vector<Vec3>& moved, Executor& executor);

struct FaceReport {
  double farthest = 0;              ///< m, of middles of faces and edges from the surface
  std::vector<signed char> facing;  ///< of each face: 1 outward, −1 inward, as the field says at its middle
};
/// Distances beyond `limit` count as twice the limit.
FaceReport look_at_faces(const SkinMesh& mesh, const FieldPoints& field, const SkinState& state, double limit,
                         Executor& executor);

}  // namespace hazumi::metaball
