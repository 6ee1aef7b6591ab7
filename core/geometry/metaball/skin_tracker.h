// A surface of moving metaballs that keeps its vertices from frame to frame, between changes of topology.
//
// From one frame to the next each vertex goes with the primitives, by their share of the field, and back to the surface:
//
//   y  = x + Σ s_i (M_i x − x)        s_i = |ρ_i| / Σ |ρ_j|, M_i the rigid motion of primitive i
//   x' = y − (F − 1) ∇F / |∇F|²       repeated, F = Σ ρ of the new frame; two points on both sides of x', a thousandth of the
//                                     tolerance away, have F − 1 of different sign: the surface goes through between them
//   x' + a P (Σ w_ij x_j − x')        P: across the normal. w_ij are mean value coordinates (Floater 2003) of the vertex in its
//                                     ring as the stretch began, so that what moves rigidly is not moved, and what is
//                                     stretched comes back to the shape of its ring; more where an edge has come farther from
//                                     the surface than it was, so that vertices go where it bends
//
// Velocity of a vertex, with v_i the rigid velocity of primitive i at x, D the difference of its places in the frames before and after
// over their time, and n the normal:
//
//   u = Σ s_i v_i − ∇F (Σ ∇ρ_i · (Σ s_j v_j − v_i)) / |∇F|²      so that n · u is the surface's own speed, −∂F/∂t / |∇F|
//   v = u + (1 − n nᵀ)(D − u)                                     across the normal it goes as its places do
//
// and where a stretch begins or ends, what relaxing moved it by on the one side that there is takes the place of D − u.
//
// A stretch is cut where the surface of the frame has other pieces or another Euler characteristic than the tracked one, and where
// it can't be followed: a vertex finds no surface, a face is farther from it than twice the tolerance, or turns over. The new
// stretch begins with that frame's own surface. Same bits on any number of threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/parallel.h"
#include "core/geometry/mesh/mesh.h"
#include "core/geometry/metaball/group.h"

namespace hazumi {

/// Why a stretch begins.
enum class SkinCut {
  beginning,  ///< it is the first
  topology,   ///< other pieces, or other handles
  distance,   ///< a face would be farther from the surface than twice the tolerance, or a vertex found none
  turned,     ///< a face would turn over
  metaballs,  ///< other primitives than before, or with other shapes
};

/// Of a closed mesh, vertices at one place joined.
struct SkinTopology {
  int pieces = 0;
  int euler = 0;  ///< V − E + F
  friend bool operator==(const SkinTopology&, const SkinTopology&) = default;
};
SkinTopology skin_topology(const DisplayMesh& mesh);

/// "2 pieces become 1": what a change of topology is, without a full stop.
std::string change_of_topology(const SkinTopology& before, const SkinTopology& after);

struct SkinStretch {
  int first = 0, last = 0;  ///< frames
  SkinCut cut = SkinCut::beginning;
  SkinTopology before, topology;  ///< before: of the stretch before, all 0 of the first
  std::shared_ptr<const DisplayMesh>
      mesh;             ///< in the first frame; faces, looks and number of vertices are those of all
  double farthest = 0;  ///< m, of faces from the surface, in all of its frames
};
/// Why it begins, for the rest of a sentence after its frame: "2 pieces become 1".
std::string cut_reason(const SkinStretch& stretch);
/// "frame 37: 2 pieces become 1": one sentence without a full stop; for lists of changes.
std::string cut_sentence(const SkinStretch& stretch);

struct SkinFrame {
  int frame = 0;
  std::size_t stretch = 0;        ///< number in SkinTracker::stretches()
  std::vector<Vec3> positions;    ///< m
  std::vector<Vec3f> normals;     ///< unit, outward
  std::vector<Vec3f> velocities;  ///< m/s
};

class SkinTracker {
 public:
  SkinTracker();
  ~SkinTracker();
  SkinTracker(SkinTracker&&) noexcept;
  SkinTracker& operator=(SkinTracker&&) noexcept;

  /// Frames in ascending time (s), the group as it is placed there. `surface`: its polygonised surface at `place`; null: it is
  /// made here. Gives the frame before this one, which only now has its velocities; nothing for the first.
  std::optional<SkinFrame> add(int frame, double time, const MetaballGroup& group,
                               std::shared_ptr<const DisplayMesh> surface, const Pose& place, Executor& executor);
  /// The frame that was added last; its velocities know nothing of what comes after it.
  std::optional<SkinFrame> last() const;
  const std::vector<SkinStretch>& stretches() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace hazumi
