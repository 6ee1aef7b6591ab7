// "Join by Clicking": a point on one object, then one on another, or beside them all for the world. What is near snaps: vertices, analysis
// nodes, middles. Of a gear two hinges are clicked. It goes on with the next joint until Esc.
// Bodies are joined as they lie at the start, which is shown.
#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QPointF>
#include <QString>

#include "core/playback/frame.h"
#include "render/camera.h"
#include "render/render_list.h"
#include "ui/model/context.h"
#include "ui/model/joint_commands.h"

class QPainter;

namespace hazumi {

class ViewNavigation;
class ViewPicture;

class Joining : public QObject {
  Q_OBJECT
 public:
  Joining(UiContext& context, const ViewNavigation& navigation, ViewPicture& picture, QObject* parent);

  bool on() const { return on_; }
  JointKind kind() const { return kind_; }
  void begin(JointKind kind);
  void end();

  /// What lies under the mouse, as a click would take it.
  enum class Snap { none, surface, vertex, node, middle, world, hinge };
  struct Aim {
    JoinPoint point;
    Vec3 at = Vec3::Zero();  ///< m, world, as it is shown
    Snap snap = Snap::none;
    Id hinge;
  };
  /// `free`: nothing snaps.
  Aim aim_at(QPointF mouse, bool free) const;
  const std::optional<Aim>& first() const { return first_; }

  // True: taken.
  bool press(QPointF mouse, Qt::KeyboardModifiers held);
  bool hover(QPointF mouse, Qt::KeyboardModifiers held);
  bool takes_key(int key) const;
  bool key(int key);
  QString hint() const;
  QString kinds() const;  ///< and their keys, for the corner of the view
  void paint(QPainter& painter) const;

 signals:
  void changed();   ///< draw what is over the picture again
  void switched();  ///< it began or ended

 private:
  bool at_start() const;
  void go_to_start();
  std::optional<Vec3> in_the_empty(QPointF mouse) const;
  void take_hinge(const Aim& aim);
  void take(const Aim& aim);
  Vec3 axis() const;
  QString name_of_aim(const Aim& aim) const;

  UiContext context_;
  const ViewNavigation& navigation_;
  ViewPicture& picture_;
  bool on_ = false;
  JointKind kind_ = JointKind::hinge;
  std::optional<Aim> first_, aim_;
};

}  // namespace hazumi
