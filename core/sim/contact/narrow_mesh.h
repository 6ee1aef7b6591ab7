// Pairs with a surface (surface_mesh.h). `first` is body i of the sink in all of them.
#pragma once

#include "core/sim/contact/mesh_touch.h"
#include "core/sim/contact/narrow.h"

namespace hazumi {

void surface_plane(BodyShape& surface, const BodyShape& plane, ContactSink& sink);
void surface_sphere(BodyShape& surface, BodyShape& sphere, ContactSink& sink);
void surface_points(BodyShape& surface, BodyShape& points, ContactSink& sink);
/// Vertices of each on the other, edges on edges. A box has a surface, too.
void surface_surface(BodyShape& a, BodyShape& b, ContactSink& sink);
/// Vertices of one that deforms on faces of its own, and edges on edges. Parts that were made nearer to each other than twice the
/// reach of rows do not count, nor does a skin that is pressed on another from inside.
void surface_itself(BodyShape& a, ContactSink& sink);

/// Features of these pairs: bit 0 the side, bits 1…31 and 32…60 numbers, then the kind.
enum class SurfaceFeature : std::uint64_t { vertex_of_first = 1, vertex_of_second = 2, edges = 3, ball = 4 };
inline std::uint64_t surface_feature(SurfaceFeature kind, std::uint32_t first, std::uint32_t second, bool behind) {
  return static_cast<std::uint64_t>(kind) << 61 | std::uint64_t{first} << 32 | std::uint64_t{second} << 1 |
         (behind ? 1u : 0u);
}
/// Side and flat piece of the row that the vertex had.
void recall(const ContactSink& sink, SurfaceFeature kind, std::uint32_t vertex, VertexPath& path);

/// Where a point of the world is in a space.
Vec3 into(const Pose& space, const Vec3& p);
ContactAnchor surface_vertex_anchor(const BodyShape& shape, std::uint32_t vertex);
/// A place at the end of the sub-step which lies over the weighted sum of vertices of one face.
ContactAnchor surface_place_anchor(const BodyShape& shape, std::span<const std::uint32_t> vertices,
                                   std::span<const double> weights, const Vec3& place);

}  // namespace hazumi
