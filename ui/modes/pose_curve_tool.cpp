// Bend Along a Line: the line is drawn by dragging, or point by point with clicks; the pose is seen bent along it all the while.
#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QLineF>
#include <QPainter>
#include <QPolygonF>

#include "core/scene/derived/pose_curve.h"
#include "core/scene/derived/pose_sculpt.h"
#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/pose_commands.h"
#include "ui/modes/pose_tools.h"

namespace hazumi {

namespace {

constexpr double kStillDrag = 5;  // logical pixels: a press that moves less is a click
constexpr double kLong = 1.5;     // of the thickness: what is longer has a line that its parts lie along
constexpr double kApart = 3;      // between points of a line that is dragged

class CurvePose : public ModeToolRun {
 public:
  explicit CurvePose(const ModeContext& context) { look(context); }  // its line is seen at once
  bool press(const ModeContext& context, const ModePointer& pointer) override {
    const bool fresh = stroke_ == 0;
    if (fresh && !begin(context)) return true;
    if (fresh) start_nearest(context, pointer.pixel);
    pressed_at_ = pointer.pixel;
    held_ = true;
    if (points_.empty() || QLineF(points_.back(), pointer.pixel).length() > kStillDrag)
      points_.push_back(pointer.pixel);
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    now_ = pointer.pixel;
    if (stroke_ == 0) {
      look(context);
      start_nearest(context, pointer.pixel);
      return;
    }
    if (held_ && !drawn_ && points_.size() == 1 && QLineF(pressed_at_, pointer.pixel).length() > kStillDrag)
      drawn_ = true;
    if (held_ && drawn_ && QLineF(points_.back(), pointer.pixel).length() >= kApart) points_.push_back(pointer.pixel);
    bend(context);
  }
  void release(const ModeContext& context, const ModePointer& pointer) override {
    if (!held_) return;
    held_ = false;
    if (!drawn_) return;
    move(context, pointer);
    end();
  }
  bool key(const ModeContext& context, int key, Qt::KeyboardModifiers held) override {
    if (key == Qt::Key_V && held == Qt::NoModifier) {
      flipped_ = !flipped_;
      chosen_ = true;
      look(context);
      if (stroke_ != 0) bend(context);
      return true;
    }
    if (stroke_ == 0) return false;
    if (key == Qt::Key_Backspace && !drawn_ && points_.size() > 1) {
      points_.pop_back();
      bend(context);
      return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      now_ = points_.back();
      if (points_.size() < 2) return give_up(context);
      bend(context);
      end();
      return true;
    }
    return key == Qt::Key_Escape && give_up(context);
  }
  void paint(const ModeView& view, QPainter& painter) const override;
  QString hint() const override {
    if (stroke_ != 0 && !drawn_)
      return tr(
          "Click adds a point · Enter ends the line · Backspace takes the last one back · V: from the other end · "
          "Esc gives it up");
    if (stroke_ != 0) return tr("Release ends the line · V: from the other end · Esc gives it up");
    return tr(
        "Drag draws the line, or click its points: the body goes along it from the ringed end · V: from the other "
        "end · draw again to have another line · Esc ends");
  }

 private:
  bool begin(const ModeContext& context);
  void start_nearest(const ModeContext& context, QPointF pixel);
  void look(const ModeContext& context);
  QPointF seen_end(const ModeView& view, const Vec3& end) const;
  void bend(const ModeContext& context);
  bool give_up(const ModeContext& context) {
    const std::vector<Vec3>& was = before_after_.empty() ? start_ : before_after_;
    (void)place_pose(context.ui, tr("Bend along a line"), object_, pose_, truss_->nodes, was, stroke_, &before_);
    after_ = before_after_;
    points_.clear();
    stroke_ = 0;
    held_ = drawn_ = false;
    look(context);
    return true;
  }
  void end() {
    points_.clear();
    stroke_ = 0;
    held_ = drawn_ = false;
  }
  /// Object axes, with its scale: lengths are what they are in the world.
  static Vec3 scaled(const ObjectSpace& space, const Vec3& local) { return space.transform.scale.cwiseProduct(local); }
  const BodyCourse& course() const { return courses_[flipped_]; }

  Id object_;
  std::uint32_t pose_ = 0;
  std::shared_ptr<const Truss> truss_;
  std::vector<Vec3> start_, after_;    ///< nodes that the line bends; what it made of them
  AnalysisPose before_;                ///< as the stroke began: Esc goes back there
  std::vector<Vec3> before_after_;     ///< after_ then
  std::vector<double> shares_;         ///< empty: the whole body
  std::array<BodyCourse, 2> courses_;  ///< of start_, scaled: from either end
  std::vector<Vec3> course_start_;     ///< what they are of
  std::vector<std::uint32_t> course_part_;
  bool flipped_ = false, chosen_ = false, held_ = false, drawn_ = false;
  std::vector<QPointF> points_;
  QPointF now_, pressed_at_;
  quint64 stroke_ = 0;
};

/// What is there to be bent. After a line it is still what it was before: another line takes its place.
void CurvePose::look(const ModeContext& context) {
  const EditedPose edited = edited_pose(context.elements);
  if (!edited) {
    start_.clear();
    return;
  }
  const bool same = edited.object->id == object_ && edited.pose->id == pose_ && edited.truss == truss_;
  const auto chosen = context.elements.numbers(static_cast<std::uint8_t>(edited.index));
  object_ = edited.object->id;
  pose_ = edited.pose->id;
  truss_ = edited.truss;
  if (!same || after_.empty() || edited.nodes != after_) {
    start_ = edited.nodes;
    after_.clear();
  }
  shares_.clear();
  const ObjectSpace space(context.elements.place_of(*edited.object));
  std::vector<std::uint32_t> part;
  if (chosen.size() > 1) {
    part.assign(chosen.begin(), chosen.end());
    std::erase_if(part, [&](std::uint32_t k) { return k >= start_.size(); });
    shares_ = soft_shares(truss_->nodes, part, context.elements.soft());
  }
  if (start_ == course_start_ && part == course_part_) return;  // looked at with every move of the mouse
  course_start_ = start_;
  course_part_ = part;
  std::vector<Vec3> rest, now, along;
  for (const Vec3& x : truss_->nodes) rest.push_back(scaled(space, x));
  for (const Vec3& x : start_) now.push_back(scaled(space, x));
  rest = straightened(rest, truss_->springs);
  for (const std::uint32_t k : part) along.push_back(rest[k]);
  BodyAxis axis = body_axis(rest);
  // A part of something long goes along that one's line, whichever nodes of a layer are chosen; an arm of a teddy has a line of its own.
  const bool of_whole = part.empty() || axis.length() > kLong * 2 * axis.half;
  if (of_whole && !part.empty()) {
    const Vec3 way = (axis.to - axis.from).normalized();
    double low = axis.length(), high = 0;
    for (const Vec3& x : along) {
      low = std::min(low, (x - axis.from).dot(way));
      high = std::max(high, (x - axis.from).dot(way));
    }
    axis = {axis.from + low * way, axis.from + high * way, axis.half};
  }
  if (!of_whole) axis = body_axis(along);
  const std::vector<std::uint32_t> followed = of_whole ? std::vector<std::uint32_t>() : part;
  courses_ = {BodyCourse(rest, now, axis, followed), BodyCourse(rest, now, axis.flipped(), followed)};
}

bool CurvePose::begin(const ModeContext& context) {
  look(context);
  if (start_.empty() || !(course().length() > 0)) return false;
  before_ = *edited_pose(context.elements).pose;
  before_after_ = after_;
  stroke_ = context.ui.document.new_gesture();
  points_.clear();
  drawn_ = false;
  return true;
}

QPointF CurvePose::seen_end(const ModeView& view, const Vec3& end) const {
  Vec3 at = end.cwiseQuotient(view.space.transform.scale);
  // Where the end is by now: the node that was nearest to it.
  const auto far = [&](const Vec3& x) { return (x - at).squaredNorm(); };
  const auto nearest =
      std::min_element(start_.begin(), start_.end(), [&](const Vec3& a, const Vec3& b) { return far(a) < far(b); });
  if (after_.size() == start_.size() && nearest != start_.end())
    at = after_[static_cast<std::size_t>(nearest - start_.begin())];
  const glm::vec3 p = view.camera.project(view.space.at(at), view.size);
  return {p.x, p.y};
}

/// The end that is nearer to where the line begins goes there, unless V said which.
void CurvePose::start_nearest(const ModeContext& context, QPointF pixel) {
  const auto view = context.stage.mode_view();
  if (!view || chosen_ || start_.empty() || courses_[0].places().empty()) return;
  const auto far = [&](const Vec3& end) { return QLineF(pixel, seen_end(*view, end)).length(); };
  flipped_ = far(courses_[0].places().back()) < far(courses_[0].places().front());
}

void CurvePose::bend(const ModeContext& context) {
  const auto view = context.stage.mode_view();
  if (!view || start_.empty()) return;
  const Vec3 middle =
      (0.5 * (course().places().front() + course().places().back())).cwiseQuotient(view->space.transform.scale);
  std::vector<Vec3> line;
  const auto add = [&](QPointF pixel) {
    const Ray ray = view->camera.ray({static_cast<float>(pixel.x()), static_cast<float>(pixel.y())}, view->size);
    const auto hit = on_plane(ray, view->space.world(middle), to_double(view->camera.forward()));
    if (hit) line.push_back(scaled(view->space, view->space.local(*hit)));
  };
  for (const QPointF& point : points_) add(point);
  if (!points_.empty() && points_.back() != now_) add(now_);
  if (line.size() < 2) return;
  if (!drawn_) line = through_points(line);
  // A part stays where it hangs on the rest.
  if (!shares_.empty()) {
    const Vec3 off = course().places().front() - line[0];
    for (Vec3& p : line) p += off;
  }
  std::vector<Vec3> nodes;
  for (const Vec3& x : start_) nodes.push_back(scaled(view->space, x));
  bend_along(nodes, shares_, course(), EvenLine(course(), line));
  for (Vec3& x : nodes) x = x.cwiseQuotient(view->space.transform.scale);
  (void)place_pose(context.ui, tr("Bend along a line"), object_, pose_, truss_->nodes, nodes, stroke_, &before_);
  const EditedPose edited = edited_pose(context.elements);
  after_ = edited ? edited.nodes : std::vector<Vec3>();
}

void CurvePose::paint(const ModeView& view, QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const QColor colour(0xff, 0xb0, 0x5c);
  if (!start_.empty() && course().length() > 0 && stroke_ == 0) {
    const QPointF from = seen_end(view, course().places().front()), to = seen_end(view, course().places().back());
    painter.setPen(QPen(colour, 1.4, Qt::DashLine));
    if (after_.empty()) {
      QPolygonF middle;
      for (const Vec3& at : course().places()) {
        const glm::vec3 p = view.camera.project(view.space.at(at.cwiseQuotient(view.space.transform.scale)), view.size);
        middle << QPointF(p.x, p.y);
      }
      painter.drawPolyline(middle);
    }
    painter.setPen(QPen(colour, 2));
    painter.drawEllipse(from, 7, 7);
    painter.setBrush(colour);
    painter.drawEllipse(to, 3, 3);
    painter.setBrush(Qt::NoBrush);
  }
  if (points_.empty()) return;
  QPolygonF line(QList<QPointF>(points_.begin(), points_.end()));
  if (now_ != points_.back()) line << now_;
  painter.setPen(QPen(QColor(0, 0, 0, 150), 4));
  painter.drawPolyline(line);
  painter.setPen(QPen(colour, 1.8));
  painter.drawPolyline(line);
  if (drawn_) return;
  painter.setBrush(colour);
  for (const QPointF& point : points_) painter.drawEllipse(point, 4, 4);
}

}  // namespace

std::unique_ptr<ModeToolRun> start_curve_pose(const ModeContext& context) {
  return std::make_unique<CurvePose>(context);
}

}  // namespace hazumi
