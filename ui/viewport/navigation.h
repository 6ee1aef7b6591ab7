// From where the view looks: a free camera, or the scene's; viewpoints, and the way from one to the next.
#pragma once

#include <QObject>
#include <QPointF>
#include <QRectF>

#include "core/geometry/mesh/mesh.h"
#include "render/camera.h"
#include "ui/viewport/viewpoint.h"

class QVariantAnimation;
class QWidget;

namespace hazumi {

class DocumentController;
class Keying;

inline glm::vec2 to_glm(QPointF p) { return {static_cast<float>(p.x()), static_cast<float>(p.y())}; }

class ViewNavigation : public QObject {
  Q_OBJECT
 public:
  ViewNavigation(DocumentController& document, Keying& keying, QWidget& view);

  /// What is looked through now (the scene's camera too while through_camera()).
  ViewCamera& camera() { return camera_; }
  const ViewCamera& camera() const { return camera_; }
  glm::vec2 size() const;  ///< of the view, logical pixels
  bool through_camera() const { return through_camera_; }
  QRectF passepartout() const;  ///< what an exported picture shows, logical pixels
  /// 0: at once (tests).
  void set_animation_time(int milliseconds) { animation_time_ = milliseconds; }

  /// Along an axis: "front" "back" "right" "left" "top" "bottom". Goes orthographic, as engineers expect.
  void look(const QString& side);
  void set_orthographic(bool on);
  void set_through_camera(bool on);
  /// One undo step: the scene's camera takes the present view, and wider planes where `seen`, the depths of what is in the picture,
  /// asks for them.
  void camera_to_view(DepthRange seen);
  void frame(const Box3& box);

  /// `turning`: times as far as usual.
  void set_habits(bool zoom_to_mouse, double turning);

  // By mouse; pixels and places are logical.
  void orbit(glm::vec2 way);
  void pan(glm::vec2 way);
  void zoom(float way);  ///< drag: pixels downwards
  /// What is under the mouse stays there, or what is in the middle of the view.
  void zoom_at(double notches, QPointF mouse);
  void stop();  ///< the way to a viewpoint, where it is

  /// The scene's camera, or the size of the view, is another one now.
  void follow_scene_camera();
  /// Another document: as its camera looks.
  void start_again();
  Viewpoint viewpoint() const;
  void take(const Viewpoint& viewpoint);

 signals:
  void moved();         ///< the picture is another one
  void kind_changed();  ///< parallel or perspective, free or through the scene's camera

 private:
  void move_to(const ViewCamera& goal);
  void leave_camera_view();
  /// Where the view comes to rest: what is asked for next begins there, not half-way.
  ViewCamera resting() const;
  ViewCamera through_scene_camera() const;

  DocumentController& document_;
  Keying& keying_;
  QWidget& view_;
  ViewCamera camera_, free_camera_;
  bool through_camera_ = false;
  bool parallel_by_look_ = false;  ///< orthographic only because a viewpoint was chosen
  bool zoom_to_mouse_ = true;
  double turning_ = 1;
  int animation_time_ = 160;
  QVariantAnimation* animation_ = nullptr;
  ViewCamera goal_;  ///< where the animation leads
};

/// "Front", "Top" …; empty when it looks along no axis.
QString side_name(const ViewCamera& camera);

}  // namespace hazumi
