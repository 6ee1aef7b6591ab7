#include "ui/modes/pose_tools.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>

#include "core/scene/derived/body_course.h"
#include "core/scene/derived/pose_sculpt.h"
#include "core/scene/derived/poses.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/brush_cursor.h"
#include "ui/modes/pose_commands.h"
#include "ui/modes/pose_look.h"
#include "ui/modes/truss_tools.h"

namespace hazumi {

namespace {

constexpr double kWring = 0.012;  // rad a pixel

/// Along the longest axis of the model at rest, or its own middle line where it is bent at rest; from either end.
std::array<BodyCourse, 2> courses_of(const EditedPose& edited) {
  const std::vector<Vec3>& nodes = edited.truss->nodes;
  const std::vector<Vec3> rest = straightened(nodes, edited.truss->springs);
  const Vec3 way = rest == nodes ? longest_axis(rest, middle_of_nodes(rest)) : Vec3(Vec3::UnitX());
  const BodyAxis axis = axis_along(rest, way);
  return {BodyCourse(rest, edited.nodes, axis), BodyCourse(rest, edited.nodes, axis.flipped())};
}

/// From press to release one step, worked out from how the pose was at the press.
class DragPose : public ModeToolRun {
 public:
  explicit DragPose(const ModeContext& context) : options_(PoseOptions::of(context.elements)) {}

  bool press(const ModeContext& context, const ModePointer& pointer) override {
    if (cursor_.sizing()) {
      cursor_.end_sizing();
      return true;
    }
    const EditedPose edited = edited_pose(context.elements);
    const auto place = edited ? brush_place(context, pointer, edited.nodes) : std::nullopt;
    if (!place) return true;
    start_ = {
        edited.object->id, edited.pose->id, *edited.pose, edited.truss, edited.nodes, *place, pointer.pixel, {}, 0};
    stroke_ = context.ui.document.new_gesture();
    if (!along_the_body()) return true;
    // The part of the body on whose side it was taken hold of.
    for (BodyCourse& course : courses_of(edited)) {
      const double at = course.way_at(*place);
      if (at < 0.5 * course.length() && start_.course.length() > 0) continue;
      start_.at = at;
      start_.course = std::move(course);
    }
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    if (cursor_.sizing()) {
      if (const auto view = context.stage.mode_view()) options_.set_radius(cursor_.sized(*view, pointer.pixel));
      return;
    }
    const EditedPose edited = edited_pose(context.elements);
    cursor_.at(pointer.pixel, edited ? brush_place(context, pointer, edited.nodes) : std::nullopt);
    if (stroke_ == 0 || !context.object()) return;
    std::vector<Vec3> nodes = start_.nodes;
    const double radius = BrushCursor::local_radius(ObjectSpace(*context.object()), options_.radius());
    drag(context, pointer, radius, nodes);
    (void)place_pose(context.ui, name(), start_.object, start_.pose, start_.truss->nodes, nodes, stroke_,
                     &start_.shape);
  }
  void release(const ModeContext&, const ModePointer&) override { stroke_ = 0; }
  bool key(const ModeContext& context, int key, Qt::KeyboardModifiers held) override {
    if (key == Qt::Key_F && held == Qt::NoModifier) {
      if (!cursor_.sizing()) cursor_.start_sizing(options_.radius());
      return true;
    }
    const bool ends = key == Qt::Key_Escape || key == Qt::Key_Return || key == Qt::Key_Enter;
    if (ends && cursor_.sizing()) {
      if (key == Qt::Key_Escape) options_.set_radius(cursor_.start_radius());
      cursor_.end_sizing();
      return true;
    }
    if (!ends || stroke_ == 0) return false;
    if (key == Qt::Key_Escape)
      (void)place_pose(context.ui, name(), start_.object, start_.pose, start_.truss->nodes, start_.nodes, stroke_,
                       &start_.shape);
    stroke_ = 0;
    return true;
  }
  bool wheel(const ModeContext&, double notches, Qt::KeyboardModifiers held) override {
    if (held & Qt::ControlModifier) return false;
    options_.set_radius(BrushCursor::wheeled(options_.radius(), notches));
    return true;
  }
  void paint(const ModeView& view, QPainter& painter) const override {
    cursor_.paint(view, painter, options_.radius(), QColor(0xff, 0xb0, 0x5c),
                  cursor_.sizing() ? tr("%1 m").arg(options_.radius(), 0, 'g', 3) : QString());
  }
  QString hint() const override {
    if (cursor_.sizing()) return tr("Move sets the radius · click takes it · Esc gives up");
    return about() + tr(" · wheel or F sets the radius, Ctrl+wheel zooms · Esc gives a drag up, then the tool");
  }

 protected:
  struct Start {
    Id object;
    std::uint32_t pose = 0;
    AnalysisPose shape;
    std::shared_ptr<const Truss> truss;
    std::vector<Vec3> nodes;
    Vec3 place = Vec3::Zero();
    QPointF pixel;
    BodyCourse course;  ///< towards the end that goes along
    double at = 0;      ///< of `place` on it
  };
  const Start& start() const { return start_; }
  virtual void drag(const ModeContext& context, const ModePointer& pointer, double radius,
                    std::vector<Vec3>& nodes) const = 0;
  virtual bool along_the_body() const { return true; }  ///< the course is asked for
  virtual QString name() const = 0;
  virtual QString about() const = 0;

 private:
  PoseOptions& options_;
  BrushCursor cursor_;
  Start start_;
  quint64 stroke_ = 0;
};

class GrabPose : public DragPose {
 public:
  using DragPose::DragPose;

 protected:
  void drag(const ModeContext& context, const ModePointer& pointer, double radius,
            std::vector<Vec3>& nodes) const override {
    if (const auto to = place_in_view(context, pointer, start().place))
      grab_nodes(nodes, start().place, radius, *to - start().place);
  }
  bool along_the_body() const override { return false; }
  QString name() const override { return tr("Grab"); }
  QString about() const override { return tr("Drag pulls the nodes in the circle"); }
};

class TwistPose : public DragPose {
 public:
  using DragPose::DragPose;

 protected:
  void drag(const ModeContext&, const ModePointer& pointer, double radius, std::vector<Vec3>& nodes) const override {
    const double angle = kWring * (pointer.pixel.x() - start().pixel.x());
    twist_nodes(nodes, start().course, start().at, radius, angle);
  }
  QString name() const override { return tr("Twist"); }
  QString about() const override {
    return tr("Drag to the side twists what lies beyond the mouse about the middle line, over the width of the circle");
  }
};

class BendPose : public DragPose {
 public:
  using DragPose::DragPose;

 protected:
  void drag(const ModeContext& context, const ModePointer& pointer, double radius,
            std::vector<Vec3>& nodes) const override {
    const auto view = context.stage.mode_view();
    const auto to = place_in_view(context, pointer, start().place);
    if (!view || !to) return;
    const Vec3 along = start().course.at(start().at).way,
               eye = view->space.local_way(to_double(view->camera.forward()));
    const Vec3 about = eye - eye.dot(along) * along;
    if (!(about.norm() > 1e-3 * eye.norm())) return;  // seen from its end
    const Vec3 turn = about.normalized(), across = turn.cross(along);
    const double lever = std::max(radius, 1e-9);
    bend_nodes(nodes, start().course, start().at, turn, radius,
               std::clamp((*to - start().place).dot(across) / lever, -3.0, 3.0));
  }
  QString name() const override { return tr("Bend"); }
  QString about() const override {
    return tr("Drag across bends what lies beyond the mouse, along an arc as long as the circle");
  }
};

class SmoothPose : public BrushTool {
 public:
  explicit SmoothPose(const ModeContext& context) : options_(PoseOptions::of(context.elements)) {}

 protected:
  double radius() const override { return options_.radius(); }
  void set_radius(double radius) override { options_.set_radius(radius); }
  std::optional<Vec3> place(const ModeContext& context, const ModePointer& pointer) const override {
    const EditedPose edited = edited_pose(context.elements);
    return edited ? brush_place(context, pointer, edited.nodes) : std::nullopt;
  }
  void dab(const ModeContext& context, const Vec3& place, quint64 stroke) override {
    const EditedPose edited = edited_pose(context.elements);
    if (!edited) return;
    std::vector<Vec3> nodes = edited.nodes;
    smooth_nodes(nodes, edited.truss->nodes, edited.truss->springs, place,
                 BrushCursor::local_radius(ObjectSpace(*edited.object), radius()), options_.strength());
    (void)place_pose(context.ui, tr("Smooth"), edited.object->id, edited.pose->id, edited.truss->nodes, nodes, stroke);
  }
  QColor colour() const override { return QColor(0xe6, 0xe8, 0xea); }
  QString about() const override {
    return tr("Drag smooths the pose · wheel or F sets the radius, Ctrl+wheel zooms · Esc ends");
  }
  PoseOptions& options_;
};

class PaintGroups : public SmoothPose {
 public:
  using SmoothPose::SmoothPose;

 protected:
  void dab(const ModeContext& context, const Vec3& place, quint64 stroke) override {
    const EditedPose edited = edited_pose(context.elements);
    if (!edited) return;
    const double reach = BrushCursor::local_radius(ObjectSpace(*edited.object), radius());
    std::vector<std::uint32_t> groups = pose_groups_of(edited.object->analysis, edited.nodes.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
      if ((edited.nodes[i] - place).norm() < reach) groups[i] = painted();
    (void)context.edit(
        tr("Paint groups of %1").arg(QString::fromStdString(edited.object->name)),
        [&](Object& o) { o.analysis.pose_groups = pose_group_rows(groups); }, stroke);
  }
  QColor colour() const override {
    const glm::vec4 c = group_colour(painted());
    return QColor::fromRgbF(c.r, c.g, c.b);
  }
  QString about() const override {
    return tr("Drag puts nodes into group %1 · Ctrl into group 0 · wheel or F sets the radius, Ctrl+wheel zooms · Esc "
              "ends")
        .arg(options_.group());
  }

 private:
  std::uint32_t painted() const { return held() & Qt::ControlModifier ? 0 : options_.group(); }
};

}  // namespace

std::unique_ptr<ModeToolRun> start_grab_pose(const ModeContext& context) { return std::make_unique<GrabPose>(context); }
std::unique_ptr<ModeToolRun> start_smooth_pose(const ModeContext& context) {
  return std::make_unique<SmoothPose>(context);
}
std::unique_ptr<ModeToolRun> start_twist_pose(const ModeContext& context) {
  return std::make_unique<TwistPose>(context);
}
std::unique_ptr<ModeToolRun> start_bend_pose(const ModeContext& context) { return std::make_unique<BendPose>(context); }
std::unique_ptr<ModeToolRun> start_paint_groups(const ModeContext& context) {
  return std::make_unique<PaintGroups>(context);
}

}  // namespace hazumi
