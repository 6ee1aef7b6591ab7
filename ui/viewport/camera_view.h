// Cameras in the view: the frame of the one that is looked through with its safe areas and its reference picture, and a
// handle at what a selected one looks at. Their symbols are in the picture itself (render/extract.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QPointF>
#include <QRectF>

#include "core/geometry/mesh/mesh.h"
#include "render/render_list.h"
#include "ui/jobs/worker.h"
#include "ui/model/context.h"

class QPainter;

namespace hazumi {

class ViewNavigation;
class ViewPicture;

class CameraView : public QObject {
  Q_OBJECT
 public:
  /// Where the mouse takes hold of what a camera looks at.
  struct Target {
    Id camera;
    QPointF at, eye;  ///< logical pixels; eye: where the camera is
  };

  CameraView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture, QObject* parent);

  void draw(RenderList& list) const;
  void paint(QPainter& painter, const QRectF& area) const;
  std::vector<Target> targets() const;
  std::optional<Id> target_at(QPointF mouse) const;
  bool busy() const { return under_way_ > 0; }  ///< pictures are being read

 signals:
  void changed();

 private:
  struct Reference {
    std::shared_ptr<const TextureFile> picture;  ///< null: not there
    bool under_way = false;
  };
  void look_for_pictures();
  void read(const std::string& file);

  UiContext context_;
  const ViewNavigation& navigation_;
  const ViewPicture& picture_;
  std::map<std::string, Reference> references_;  ///< by file
  int under_way_ = 0;
  Worker worker_;  ///< last: it ends before what its results are delivered to
};

}  // namespace hazumi
