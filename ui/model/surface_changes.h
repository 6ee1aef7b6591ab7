// Frames at which a surface of moving metaballs merges, parts or gets a handle, as far as the run is computed, and where the last export
// began a new mesh for another reason; for the time line. Frames know what their surfaces hang together as (Frame::surfaces), so
// nothing is computed here.
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>

#include "core/base/shared.h"
#include "core/export/frame_sink.h"
#include "core/playback/frame_cache.h"
#include "core/scene/values/scene.h"

namespace hazumi {

class DocumentController;
class PlaybackController;

class SurfaceChanges : public QObject {
  Q_OBJECT
 public:
  SurfaceChanges(DocumentController& document, PlaybackController& playback);

  struct Change {
    int frame = 0;
    Id object;
    bool topology = false;  ///< else triangles could not follow
    QString what;           ///< "2 pieces become 1"
  };
  /// Ascending in frame.
  const std::vector<Change>& all() const { return all_; }
  /// What an export of `scene` found; forgotten where the run is no longer that one.
  void keep_exported(const Shared<Scene>& scene, const std::vector<MeshChange>& changes);

 signals:
  void changed();

 private:
  void look();
  void merge();

  DocumentController& document_;
  PlaybackController& playback_;
  FrameCache::Generation generation_ = 0;
  int seen_ = 0;  ///< frames that were looked at
  std::shared_ptr<const FrameSurfaces> latest_;
  std::vector<Change> run_, exported_, all_;
};

}  // namespace hazumi
