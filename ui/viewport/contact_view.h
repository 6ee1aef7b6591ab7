// What contact does, over the picture: where bodies touch, the normals there, the forces, and the shapes that they collide as.
// All of it belongs to the frame in the picture (FrameContact, CollisionShape): without a frame, as in the start pose, there is
// nothing.
//
// Arrows are as long as the root of the force, 60 pixels for the mean weight of what moves, so that a thing at rest and an impact
// are both seen. They show what acts on the selected one of two, else on the one that moves.
#pragma once

#include <optional>
#include <vector>

#include <QObject>
#include <QPointF>
#include <QString>

#include "core/playback/frame.h"
#include "render/camera.h"
#include "render/render_list.h"
#include "ui/model/context.h"

class QPainter;
class QRectF;

namespace hazumi {

class Standing;

class ContactView : public QObject {
  Q_OBJECT
 public:
  enum class Shapes { off, selected, all };
  /// What is looked at, and through what.
  struct View {
    ViewCamera camera;
    glm::vec2 size{1};  ///< logical pixels
    FramePtr frame;     ///< null: the pose as authored
  };
  /// One contact as it is drawn, in logical pixels.
  struct Mark {
    QPointF at, tip;    ///< of the arrow
    QPointF normal;     ///< end of the normal
    Vec3f up;           ///< normal, into the body that the force is on
    Vec3f point;        ///< m
    double newton = 0;  ///< size of the force
    bool selected = false;
  };

  ContactView(UiContext& context, QObject* parent);

  bool contacts() const { return contacts_; }
  void set_contacts(bool on);
  Shapes shapes() const { return shapes_; }
  void set_shapes(Shapes shapes);

  /// Adds the collision shapes of the frame.
  void draw(RenderList& list, const FramePtr& frame) const;
  /// Contacts, weakest first; only what is in front of the eye.
  std::vector<Mark> marks(const View& view) const;
  /// "Box: 29.4 N from Floor"; empty where nothing that is selected touches.
  QString summary(const Frame& frame) const;
  void paint(QPainter& painter, const View& view, const QRectF& area) const;

 signals:
  void changed();

 private:
  bool shows(Id id, const Standing& standing) const;
  double weight() const;

  UiContext context_;
  bool contacts_ = false;
  Shapes shapes_ = Shapes::off;
};

}  // namespace hazumi
