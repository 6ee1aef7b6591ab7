// "Change from Here": the frame that is shown is taken hold of. While it is on, moving and turning selected bodies changes that frame instead of the
// start, and each has an arrow of its velocity whose tip can be dragged; what comes of it is simulated on, in a take of its own
// (core/motion/change_here.h). It goes on, with the same take, until Esc, another frame, or playing.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QObject>
#include <QPointF>
#include <QString>

#include "ui/model/context.h"
#include "ui/tools/change_target.h"

class QPainter;

namespace hazumi {

class ViewNavigation;

class Changing : public QObject {
  Q_OBJECT
 public:
  Changing(UiContext& context, const ViewNavigation& navigation, QObject* parent);

  bool on() const { return on_; }
  void begin();
  void end();

  /// What a transform of the selection moves; null: nothing selected can be, as the status bar is told.
  std::shared_ptr<const TransformTarget> target() const;
  struct Tip {
    Id body;
    Vec3 from, velocity;  ///< m; m/s
    QPointF root, at;     ///< in the view
  };
  std::vector<Tip> tips() const;
  std::optional<Tip> tip_at(QPointF mouse) const;
  std::shared_ptr<const TransformTarget> velocity_target(const Tip& tip) const;

  QString hint() const;
  QString note() const;  ///< for the corner of the view
  void paint(QPainter& painter) const;

 signals:
  void changed();   ///< draw what is over the picture again
  void switched();  ///< it began or ended

 private:
  ChangePlace place() const;
  Vec3 velocity_of(Id body) const;

  UiContext context_;
  const ViewNavigation& navigation_;
  bool on_ = false;
  int frame_ = 0;
  std::set<Id> takes_;  ///< that were there when it began: what is changed in one of them comes into a new one
  FramePtr seen_,
      before_;  ///< the frame, and the one before it, as they were then
};

/// Why the frame that is shown cannot be changed; empty: it can.
QString no_changing(const UiContext& context);

}  // namespace hazumi
