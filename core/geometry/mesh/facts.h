// What drawing and picking want to know about a mesh and what takes long to find out. Everything is found once per mesh: of
// small meshes when it is first asked for, of big ones by prepare(), which a worker calls; until then the answer is "not
// known" and callers go the plain way. Any number of threads may ask.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "core/geometry/mesh/face_tree.h"
#include "core/geometry/mesh/mesh.h"

namespace hazumi {

/// Edges to draw as lines, each once: those between two faces that look like halves of one flat quad are left out.
std::vector<std::array<std::uint32_t, 2>> drawn_edges(const DisplayMesh& mesh);

/// Fewer faces over the same vertices, for pictures in motion where a processor draws: whatever the shape, not exact.
struct CoarseFaces {
  std::vector<std::array<std::uint32_t, 3>> faces;
  /// Where parts (and faces of no part) begin: face of the mesh, face here; the last one is where both end.
  std::vector<std::array<std::uint32_t, 2>> starts;
  bool closed = false;  ///< each edge has a face on both sides

  /// First face and count that stand for a range of the mesh's faces; count 0: the range is not one of whole parts.
  std::array<std::uint32_t, 2> range(std::uint32_t first_face, std::uint32_t face_count) const;
};
/// About `wanted` faces, each part by its share, merged in a grid (meshoptimizer's sloppy simplification).
CoarseFaces coarse_faces(const DisplayMesh& mesh, std::size_t wanted);

class MeshFacts {
 public:
  /// Faces up to which nobody notices the time that the answers take.
  static constexpr std::size_t kSmall = 20'000;
  /// Faces above which there are coarse ones, and about how many.
  static constexpr std::size_t kCoarsened = 150'000, kCoarse = 60'000;
  /// Faces from which there are levels, and below which there is no further one.
  static constexpr std::size_t kLevelled = 400, kLeast = 60;

  explicit MeshFacts(const DisplayMesh& mesh);
  /// Solid by the way it was made: nothing to find out.
  void say_solid() { made_solid_ = true; }
  /// On: it is shown for a moment, until the next step of a drag, and nothing that takes long is found out about it.
  void set_passing(bool passing) { passing_ = passing; }
  const Box3& box() const { return box_; }  ///< of the vertices

  // The functions below take the mesh that the facts are about.

  /// Finds out everything about a big mesh: a million triangles take about two seconds. A second caller waits for the first.
  void prepare(const DisplayMesh& mesh);
  /// Big and not prepared, and here to stay.
  bool pending() const { return big_ && !prepared_ && !passing_; }
  /// Closed and outwards: far sides cannot be seen from outside. False while not known.
  bool solid(const DisplayMesh& mesh);
  /// Null for a small mesh, where trying every face is as fast, and while not known.
  const FaceTree* tree() const { return prepared_ ? tree_.get() : nullptr; }
  /// Null while not known.
  const std::vector<std::array<std::uint32_t, 2>>* edges(const DisplayMesh& mesh);

  /// Null for a mesh of few faces, and while not known.
  const CoarseFaces* coarse() const { return coarsened_ ? &levels_[0] : nullptr; }
  /// Ever fewer faces for things that are small in a picture, each about a quarter of those before; of a mesh above kCoarsened from kCoarse
  /// on. Empty for a mesh of few faces, and while not known.
  const std::vector<CoarseFaces>& levels(const DisplayMesh& mesh);
  bool levelled() const { return levelled_; }  ///< levels() knows them by now

 private:
  bool big_;
  Box3 box_;
  void make_levels(const DisplayMesh& mesh);

  std::once_flag all_once_, solid_once_, edges_once_, levels_once_;
  std::atomic<bool> prepared_{false}, coarsened_{false}, levelled_{false}, made_solid_{false}, passing_{false};
  bool solid_ = false;
  std::unique_ptr<FaceTree> tree_;
  std::vector<CoarseFaces> levels_;
  std::vector<std::array<std::uint32_t, 2>> edges_;
};

}  // namespace hazumi
