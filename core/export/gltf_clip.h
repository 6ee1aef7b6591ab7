// A run as one animated binary glTF 2.0 file (.glb): frames are added one by one, then the bytes are asked for.
//
// What never bends is a node led by keys of translation and rotation, linear between keys, of which there are those that are needed to be
// within 1e-6 of every frame. What bends is a node at
// the origin whose shape of each frame is a morph target of its own, one at full weight in each frame: a skin would need
// bones that a soft body does not have, and linear weights pass from shape to shape exactly as the frames do. That costs
// 24 bytes a vertex and frame, so what a file may hold is bounded, and more is refused.
// Metaballs that go with bones are one such node for each stretch in which their tracked surface keeps its vertices (tracked_skins.h), of
// scale 0 outside of it.
// What is absent in some frames has scale 0 there, in steps. Times are counted from the first frame that was added.
// Particles that are copies of an object are nodes that share one mesh, below a node of their source: led by keys while they live,
// of scale 0 before and after.
//
// Metres and y up, as glTF has them. Materials have base colour and roughness; pictures on surfaces are left out.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/export/tracked_skins.h"
#include "core/playback/frame.h"
#include "core/scene/derived/mesh_store.h"

namespace hazumi {

/// Bytes that the frames may take in one file, keys and shapes: programs that read glTF hold all of them at once.
inline constexpr std::size_t kMaxClipBytes = std::size_t{512} << 20;

class GltfClip {
 public:
  /// `object`: only this one; else all visible ones.
  GltfClip(std::shared_ptr<MeshStore> meshes, std::optional<Id> object, std::size_t max_bytes = kMaxClipBytes)
      : meshes_(std::move(meshes)), object_(object), max_bytes_(max_bytes) {}

  /// Frames of one scene in ascending order. Refused: what is beyond the bound, an order that does not ascend.
  Status add(const Scene& scene, const Frame& frame);
  /// The whole file, after the last frame; notes say where tracked surfaces begin a new mesh. Refused: no frame was added, or nothing that
  /// is seen.
  Result<std::string> glb(const Scene& scene);
  /// Where those begin, after glb().
  const std::vector<MeshChange>& changes() const { return changes_; }

  struct Shape {
    std::vector<Vec3f> positions, normals;  ///< world
  };
  struct Pose {
    Vec3f position = Vec3f::Zero();
    Eigen::Quaternionf rotation = Eigen::Quaternionf::Identity();
  };
  struct Track {
    std::shared_ptr<const DisplayMesh> mesh;
    std::vector<Pose> poses;    ///< one per frame; while it is absent, as before
    std::vector<bool> present;  ///< one per frame
    bool bends = false;         ///< whether any of the frames has a shape of its own
    std::vector<Shape> shapes;  ///< one per frame when it bends; empty ones where only the pose is known
  };
  /// A tracked surface while it keeps its vertices.
  struct Stretch {
    std::shared_ptr<const DisplayMesh> mesh;
    std::size_t first = 0;  ///< place of its first frame among those that were added
    int first_frame = 0;
    std::vector<Shape> shapes;  ///< one per frame
  };
  /// A particle that is a copy of an object.
  struct Copy {
    std::size_t first = 0;  ///< of the frames; it lives in as many as there are poses
    std::vector<Pose> poses;
    std::vector<float> sizes;  ///< m, across
  };

 private:
  void add_copies(const Scene& scene, const Frame& frame);
  void add_skins(std::vector<TrackedSkins::Skin> skins);
  std::size_t bytes() const;  ///< of keys and shapes so far

  std::shared_ptr<MeshStore> meshes_;
  std::optional<Id> object_;
  std::size_t max_bytes_;
  std::vector<int> frames_;  ///< their numbers
  std::map<Id, Track> tracks_;
  std::shared_ptr<TrackedSkins> skins_;  ///< null: none are seen, or the clip has ended
  std::vector<MeshChange> changes_;
  std::map<Id, std::vector<Stretch>> stretches_;
  std::map<Id, std::map<std::uint64_t, Copy>> copies_;  ///< of each source, by number
};

}  // namespace hazumi
