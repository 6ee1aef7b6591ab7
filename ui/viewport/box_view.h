// What boxes selected in the motion graph do, over the picture: arrows and arcs, targets, regions, bounces, shapes (core/motion/sketch.h), with
// handles whose drag changes the numbers of the box.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointF>

#include "ui/model/box_sketch.h"

class QPainter;

namespace hazumi {

class TransformTarget;
class ViewNavigation;
class ViewPicture;

class BoxView : public QObject {
  Q_OBJECT
 public:
  BoxView(UiContext& context, const ViewNavigation& navigation, const ViewPicture& picture, QObject* parent);

  struct Handle {
    BoxPlace place;
    std::size_t number = 0;
    SketchHandle shown;
    QPointF root, at;  ///< in the view; `at`: where it is taken hold of, never on its root
  };
  std::vector<Handle> handles() const;
  std::optional<Handle> handle_at(QPointF mouse) const;
  std::shared_ptr<const TransformTarget> target(const Handle& handle) const;
  void paint(QPainter& painter, bool dragged) const;

 signals:
  void changed();  ///< draw what is over the picture again

 private:
  struct Drawn {
    BoxPlace place;
    MotionSketch sketch;
  };
  std::vector<Drawn> drawn() const;
  std::optional<QPointF> project(const Vec3& place) const;
  void paint_line(QPainter& painter, const SketchLine& line) const;
  std::vector<Handle> handles_of(const Drawn& drawn) const;

  UiContext context_;
  const ViewNavigation& navigation_;
  const ViewPicture& picture_;
};

}  // namespace hazumi
