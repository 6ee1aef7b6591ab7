#include "ui/model/surface_changes.h"

#include <algorithm>

#include "core/geometry/metaball/skin_tracker.h"
#include "core/scene/diff.h"
#include "ui/model/document_controller.h"
#include "ui/model/playback_controller.h"

namespace hazumi {

SurfaceChanges::SurfaceChanges(DocumentController& document, PlaybackController& playback)
    : document_(document), playback_(playback) {
  connect(&playback, &PlaybackController::fill_changed, this, &SurfaceChanges::look);
  connect(&document, &DocumentController::changed, this, [this](const ChangeSet& change) {
    const auto late = [&](const Change& each) { return each.frame >= change.first_frame; };
    if (std::erase_if(exported_, late) > 0) merge();
  });
  connect(&document, &DocumentController::document_replaced, this, [this] {
    exported_.clear();
    look();
    merge();
  });
}

void SurfaceChanges::look() {
  const FrameCache& cache = playback_.cache();
  const FrameCache::Generation now = cache.generation();
  const bool anew = now != generation_;
  if (anew) {
    generation_ = now;
    seen_ = 0;
    latest_.reset();
    run_.clear();
  }
  const std::size_t before = run_.size();
  for (const auto& surfaces : cache.surfaces(seen_)) {
    for (const FrameSurface& surface : surfaces ? *surfaces : FrameSurfaces{}) {
      if (!latest_) break;
      const auto was = std::find_if(latest_->begin(), latest_->end(),
                                    [&](const FrameSurface& other) { return other.object == surface.object; });
      if (was == latest_->end() || *was == surface) continue;
      const std::string what = change_of_topology({was->pieces, was->euler}, {surface.pieces, surface.euler});
      run_.push_back({seen_, surface.object, true, QString::fromStdString(what)});
    }
    latest_ = surfaces;
    ++seen_;
  }
  if (anew || run_.size() != before) merge();
}

void SurfaceChanges::keep_exported(const Shared<Scene>& scene, const std::vector<MeshChange>& changes) {
  const ChangeSet since = diff(*scene, document_.scene(), [](const Cause&) { return 0; });
  exported_.clear();
  for (const MeshChange& change : changes)
    if (change.frame < since.first_frame)
      exported_.push_back({change.frame, change.object, change.topology, QString::fromStdString(change.what)});
  merge();
}

/// What the run shows is not said twice.
void SurfaceChanges::merge() {
  std::vector<Change> all = run_;
  for (const Change& change : exported_)
    if (!change.topology || change.frame >= seen_) all.push_back(change);
  std::stable_sort(all.begin(), all.end(), [](const Change& a, const Change& b) { return a.frame < b.frame; });
  all_ = std::move(all);
  emit changed();
}

}  // namespace hazumi
