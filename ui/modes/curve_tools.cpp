#include "ui/modes/curve_tools.h"

#include <array>
#include <utility>

#include <QCoreApplication>
#include <QLineF>

#include "core/scene/values/scene_lists.h"
#include "ui/model/document_controller.h"
#include "ui/model/selection.h"
#include "ui/model/text.h"
#include "ui/modes/edited_thing.h"
#include "ui/modes/mode_look.h"
#include "ui/tools/transform_math.h"

namespace hazumi {

namespace {

constexpr glm::vec4 kNewPiece{1.0f, 0.82f, 0.45f, 1.0f};
constexpr double kPull = 6;      // logical pixels: a shorter drag is a click
constexpr double kReach = 1000;  // m: a plane that is met farther away is looked at along
constexpr int kLines = 32;       // of a piece

class DrawCurve : public ModeToolRun {
 public:
  explicit DrawCurve(const ModeContext& context) {
    if (!context.object()) return;
    kind_ = shape_of(*context.object()).kind;
    begins_ = shape_of(*context.object()).points.size() == 1;
  }

  bool press(const ModeContext& context, const ModePointer& pointer) override {
    const CurveShape& shape = shape_of(*context.object());
    if (pointer.element == Element{curve_element::point, 0} && shape.points.size() > 2 && !shape.closed) {
      (void)context.edit(tr("Close %1").arg(name_of(context)), [](Object& o) { shape_of(o).closed = true; });
      return true;
    }
    const std::optional<Vec3> place = place_at(context, pointer);
    if (!place) return false;
    gesture_ = context.ui.document.new_gesture();
    pressed_ = pointer.pixel;
    const bool begins = std::exchange(begins_, false) && shape.points.size() == 1;
    at_ = begins ? 0 : shape.points.size();
    step_ = (begins ? tr("Begin %1") : tr("Add Point to %1")).arg(name_of(context));
    const auto add = [&](Object& o) {
      auto& points = shape_of(o).points;
      points.resize(at_);
      CurvePoint point;
      point.place = *place;
      points.push_back(point);
    };
    if (!context.edit(step_, add, gesture_)) return false;
    context.elements.select_only({curve_element::point, static_cast<std::uint32_t>(at_)});
    pulls_ = shape_of(*context.object()).kind == CurveKind::spline;
    return true;
  }
  void move(const ModeContext& context, const ModePointer& pointer) override {
    place_ = place_at(context, pointer);
    const Object* object = context.object();
    if (object) kind_ = shape_of(*object).kind;
    if (!pulls_ || !object || QLineF(pressed_, pointer.pixel).length() < kPull) return;
    const CurveShape& shape = shape_of(*object);
    if (at_ >= shape.points.size()) return;
    const std::optional<Vec3> handle = on_level(context, pointer, shape.points[at_].place);
    if (!handle) return;
    (void)context.edit(
        step_,
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
    if (!place_ || pulls_) return;
    DrawLines line = course_lines(view, new_pieces(shape_of(view.object)), kNewPiece);
    list.points_on_top.push_back({view.space.at(*place_), kNewPiece, 7});
    mode_look::add_on_top(list, {&line});
  }
  QString hint() const override {
    if (begins_) return tr("Click where the curve begins, on the floor or on what is under the mouse · Esc ends");
    const QString more = tr("Shift: level with the last · click the first to close · Esc ends");
    if (kind_ == CurveKind::arc) return tr("Click a point on the arc, then its end") + QStringLiteral(" · ") + more;
    if (kind_ == CurveKind::line) return tr("Click adds a point") + QStringLiteral(" · ") + more;
    return tr("Click adds a point · drag pulls its tangents") + QStringLiteral(" · ") + more;
  }

 private:
  /// Of the course that a click would make.
  std::vector<CurvePiece> new_pieces(CurveShape shape) const {
    if (begins_ || shape.points.empty()) return {};
    const std::size_t n = shape.points.size();
    CurvePoint point;
    point.place = *place_;
    shape.points.push_back(point);
    shape.closed = false;
    std::vector<CurvePiece> pieces = curve_pieces(shape);
    // The last one; of an arc whose third point it is, that through all three.
    const std::size_t first = shape.kind == CurveKind::arc ? (n - 1) / 2 : n - 1;
    pieces.erase(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(std::min(first, pieces.size())));
    return pieces;
  }

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

  CurveKind kind_ = CurveKind::spline;
  bool begins_ = false;        ///< the next click says where the curve begins
  std::optional<Vec3> place_;  ///< under the mouse
  QPointF pressed_;
  QString step_;  ///< of undo
  quint64 gesture_ = 0;
  std::size_t at_ = 0;
  bool pulls_ = false;
};

}  // namespace

DrawLines course_lines(const ModeView& view, const std::vector<CurvePiece>& pieces, const glm::vec4& colour) {
  DrawLines line;
  line.width = 1.6f;
  for (const CurvePiece& piece : pieces)
    for (int i = 0; i < kLines; ++i)
      for (const int end : {i, i + 1})
        line.vertices.push_back({view.space.at(piece.place(static_cast<double>(end) / kLines)), colour});
  return line;
}

std::unique_ptr<ModeToolRun> start_draw_curve(const ModeContext& context) {
  return std::make_unique<DrawCurve>(context);
}

Id begin_curve(UiContext& context, CurveKind kind) {
  Scene next = context.document.scene();
  Curve curve;
  curve.kind = kind;
  curve.points.resize(1);
  curve.id = next_id(next);
  curve.name = unique_name(next, std::array{"Line", "Arc", "Spline"}[static_cast<std::size_t>(kind)]);
  const Id id = curve.id;
  const QString text = tr("Draw %1").arg(QString::fromStdString(curve.name));
  next.curves.push_back(Shared<Curve>(std::move(curve)));
  if (!context.document.edit(text, std::move(next)).ok()) return {};
  context.selection.select_only(id);
  const ModeInfo* mode = find_mode("curve");
  return mode && context.elements.enter(*mode).isEmpty() ? id : Id{};
}

}  // namespace hazumi
