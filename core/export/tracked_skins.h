// Metaballs that go with bones, frame after frame of an export, each object's surface with vertices that stay
// (geometry/metaball/skin_tracker.h).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/export/frame_sink.h"
#include "core/geometry/metaball/skin_tracker.h"
#include "core/playback/frame.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class TrackedSkins {
 public:
  TrackedSkins();

  struct Skin {
    Id object;
    SkinFrame at;
    std::shared_ptr<const DisplayMesh> mesh;  ///< of its stretch: faces, looks, parts
  };
  /// Whether any visible (or the wanted) object of the scene is one.
  static bool any(const Scene& scene, const std::optional<Id>& wanted);
  /// Frames in ascending order. Gives skins of frames before this one, ascending by object: a frame has its velocities when the one
  /// after it is known. An object that is absent gives what it had.
  std::vector<Skin> add(const Scene& scene, const Frame& frame, const std::optional<Id>& wanted);
  /// Those of the last frame.
  std::vector<Skin> finish();
  /// What began a new mesh, objects by id.
  std::vector<MeshChange> changes() const;

 private:
  Skin skin_of(Id object, SkinFrame frame) const;

  std::shared_ptr<Executor> executor_;
  std::map<Id, std::vector<SkinTracker>> trackers_;  ///< of each object one for each time it is there
  std::map<Id, bool> there_;                         ///< in the latest frame
};

/// One note for each.
Diagnostics notes_of(const std::vector<MeshChange>& changes, const Scene& scene);

}  // namespace hazumi
