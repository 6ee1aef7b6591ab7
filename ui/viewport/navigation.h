// From where the view looks: a free camera, the scene's (with its cuts), or one of the others; viewpoints, and the way
// from one to the next. While the view is locked to the camera that it looks through, navigating moves that camera:
// each drag is one undo step, and a key where its place has keys.
#pragma once

#include <functional>

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QRectF>

#include "core/geometry/mesh/mesh.h"
#include "core/playback/frame.h"
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

  /// What is looked through now (a camera of the scene too while through_camera()).
  ViewCamera& camera() { return camera_; }
  const ViewCamera& camera() const { return camera_; }
  glm::vec2 size() const;  ///< of the view, logical pixels
  bool through_camera() const { return through_camera_; }
  /// The camera of the scene that is looked through, as it is at the frame that is shown; null: the free one.
  const Camera* looked_through() const;
  bool follows_cuts() const { return through_camera_ && !through_; }
  bool locked() const { return locked_; }
  QRectF passepartout() const;  ///< what an exported picture shows, logical pixels
  /// 0: at once (tests).
  void set_animation_time(int milliseconds) { animation_time_ = milliseconds; }

  /// Along an axis: "front" "back" "right" "left" "top" "bottom". Goes orthographic, as engineers expect.
  void look(const QString& side);
  void set_orthographic(bool on);
  void set_through_camera(bool on);  ///< the scene's, with its cuts
  void look_through(Id camera);      ///< this one, whatever the cuts say
  void set_locked(bool on);
  /// One undo step: the scene's camera takes the present view, and wider planes where `seen`, the depths of what is in
  /// the picture, asks for them.
  void camera_to_view(DepthRange seen);
  /// The lens of the camera that is looked through, by notches of the wheel.
  void change_lens(double notches);
  void frame(const Box3& box);

  /// `turning`: times as far as usual.
  void set_habits(bool zoom_to_mouse, double turning);

  void begin_drag();  ///< what comes until the next one is one step
  // By mouse; pixels and places are logical.
  void orbit(glm::vec2 way);
  void pan(glm::vec2 way);
  void zoom(float way);  ///< drag: pixels downwards
  /// What is under the mouse stays there, or what is in the middle of the view.
  void zoom_at(double notches, QPointF mouse);
  void stop();  ///< the way to a viewpoint, where it is

  /// The scene's camera, or the size of the view, is another one now.
  void follow_scene_camera();
  /// For what a camera looks at: the frame that is in the picture.
  void set_frame_source(std::function<FramePtr()> frame) { frame_ = std::move(frame); }
  /// Another document: as its camera looks.
  void start_again();
  Viewpoint viewpoint() const;
  void take(const Viewpoint& viewpoint);

 signals:
  void moved();         ///< the picture is another one
  void kind_changed();  ///< parallel or perspective, free or through which camera

 private:
  void move_to(const ViewCamera& goal);
  void set_free();
  /// The view is free from here on, unless it is locked to its camera, which goes with it then.
  void leave_camera_view();
  bool moves_camera() const { return through_camera_ && locked_; }
  /// What navigation did to the view is done to the camera that it is locked to.
  void navigated();
  /// An edit of the camera by hand: those that come soon after each other are one step.
  struct HandStep {
    quint64 gesture = 0;
    QElapsedTimer since;
  };
  quint64 step_of(HandStep& step);
  /// Where the view comes to rest: what is asked for next begins there, not half-way.
  ViewCamera resting() const;
  ViewCamera through_scene_camera() const;
  /// As the scene's camera is, of how much more around its picture the view shows.
  double around_picture() const;

  DocumentController& document_;
  Keying& keying_;
  QWidget& view_;
  ViewCamera camera_, free_camera_;
  bool through_camera_ = false, locked_ = false;
  Id through_;  ///< none: the scene's
  HandStep move_step_, lens_step_;
  bool parallel_by_look_ = false;  ///< orthographic only because a viewpoint was chosen
  bool zoom_to_mouse_ = true;
  double turning_ = 1;
  int animation_time_ = 160;
  QVariantAnimation* animation_ = nullptr;
  std::function<FramePtr()> frame_;
  ViewCamera goal_;  ///< where the animation leads
};

/// "Front", "Top" …; empty when it looks along no axis.
QString side_name(const ViewCamera& camera);

}  // namespace hazumi
