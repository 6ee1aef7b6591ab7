#include "ui/modes/curve_tools.h"

#include <QCoreApplication>
#include <QLineF>

#include "ui/model/document_controller.h"
#include "ui/model/text.h"
#include "ui/modes/edited_thing.h"
#include "ui/modes/mode_look.h"
#include "ui/tools/transform_math.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kNewPiece{1.0f, 0.82f, 0.45f, 1.0f};
constexpr double kPull = 6;      // logical pixels: a shorter drag is a click
constexpr double kReach = 1000;  // m: a plane that is met farther away is looked at along

class DrawCurve : public ModeToolRun {
 public:
  bool press(const ModeContext& context, const ModePointer& pointer) override {
    const CurveShape& shape = shape_of(*context.object());
    if (pointer.element == Element{curve_element::point, 0} && shape.points.size() > 2 && !shape.closed) {
      (void)context.edit(tr("Close %1").arg(name_of(context)), [](Object& o) { shape_of(o).closed = true; });
      return true;
    }
    const std::optional<Vec3> place = place_at(context, pointer);
    if (!place) return false;
    gesture_ = context.ui.document.new_gesture();
    at_ = shape.points.size();
    pressed_ = pointer.pixel;
    const auto add = [&](Object& o) {
      CurvePoint point;
      point.place = *place;
      shape_of(o).points.push_back(point);
    };
    if (!context.edit(tr("Add Point to %1").arg(name_of(context)), add, gesture_)) return false;
    context.elements.select_only({curve_element::point, static_cast<std::uint32_t>(at_)});
    pulls_ = shape_of(*context.object()).kind == CurveKind::spline;
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    place_ = place_at(context, pointer);
    const Object* object = context.object();
    if (!pulls_ || !object || QLineF(pressed_, pointer.pixel).length() < kPull) return;
    const CurveShape& shape = shape_of(*object);
    if (at_ >= shape.points.size()) return;
    const std::optional<Vec3> handle = on_level(context, pointer, shape.points[at_].place);
    if (!handle) return;
    (void)context.edit(
        tr("Add Point to %1").arg(name_of(context)),
        [&](Object& o) {
          CurvePoint& point = shape_of(o).points[at_];
          point.tangents = TangentKind::aligned;
          point.out = *handle - point.place;
          point.in = -point.out;
        },
        gesture_);
  }
  void release(const ModeContext&, const ModePointer&) override { pulls_ = false; }
  void draw(const ModeView& view, RenderList& list) const override {
    const auto& points = shape_of(view.object).points;
    if (!place_ || pulls_ || points.empty()) return;
    DrawLines line;
    line.width = 1.6f;
    line.vertices = {{view.space.at(points.back().place), kNewPiece}, {view.space.at(*place_), kNewPiece}};
    list.points_on_top.push_back({view.space.at(*place_), kNewPiece, 7});
    mode_look::add_on_top(list, {&line});
  }
  QString hint() const override {
    return tr(
        "Click adds a point on what is under the mouse · drag pulls its tangents · Shift stays at the height of the "
        "last "
        "point · click the first point to close · Esc ends");
  }

 private:
  static QString name_of(const ModeContext& context) { return QString::fromStdString(context.object()->name); }

  /// Level with a place of the curve; where the eye looks along that, across the view.
  static std::optional<Vec3> on_level(const ModeContext& context, const ModePointer& pointer, const Vec3& place) {
    const auto view = context.stage.mode_view();
    if (!view) return std::nullopt;
    const Vec3 through = view->space.world(place);
    const auto near = [&](const std::optional<Vec3>& hit) {
      return hit && (*hit - to_double(view->camera.position())).norm() < kReach;
    };
    std::optional<Vec3> hit = on_plane(pointer.ray, through, Vec3::UnitY());
    if (!near(hit)) hit = on_plane(pointer.ray, through, to_double(view->camera.forward()));
    return near(hit) ? std::optional(view->space.local(*hit)) : std::nullopt;
  }

  static std::optional<Vec3> place_at(const ModeContext& context, const ModePointer& pointer) {
    const auto view = context.stage.mode_view();
    if (!view) return std::nullopt;
    if (!(pointer.modifiers & Qt::ShiftModifier))
      if (const auto hit = context.stage.surface_under(pointer.pixel)) return view->space.local(*hit);
    const auto& points = shape_of(view->object).points;
    return on_level(context, pointer, points.empty() ? Vec3(Vec3::Zero()) : points.back().place);
  }

  std::optional<Vec3> place_;  ///< under the mouse
  QPointF pressed_;
  quint64 gesture_ = 0;
  std::size_t at_ = 0;
  bool pulls_ = false;
};

}  // namespace

std::unique_ptr<ModeToolRun> start_draw_curve(const ModeContext&) { return std::make_unique<DrawCurve>(); }

}  // namespace hazumi
