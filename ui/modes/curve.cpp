// Edit mode of a curve: elements are its points (type 0) and of splines where the tangents come in (1) and go out (2), by the
// place of the point.
#include <algorithm>

#include <QCoreApplication>

#include "ui/model/text.h"
#include "ui/modes/curve_tools.h"
#include "ui/modes/edited_thing.h"
#include "ui/modes/mode_look.h"

namespace hazumi {

namespace {

using namespace mode_look;

constexpr glm::vec4 kPoint{0.93f, 0.90f, 0.80f, 1.0f}, kHandle{0.62f, 0.80f, 0.96f, 1.0f},
    kHidden{0.93f, 0.78f, 0.35f, 0.45f};

std::uint32_t number(std::size_t i) { return static_cast<std::uint32_t>(i); }

QString curve_why_not(const Object&) { return {}; }

/// An end of an open curve has a tangent on one side only.
bool has_handle(const CurveShape& shape, std::size_t i, std::uint8_t type) {
  if (shape.kind != CurveKind::spline) return false;
  if (shape.closed && shape.points.size() > 2) return true;
  return type == curve_element::in ? i > 0 : i + 1 < shape.points.size();
}

Vec3& handle_of(CurvePoint& point, std::uint8_t type) { return type == curve_element::in ? point.in : point.out; }

Elements curve_elements(const Object& object) {
  const CurveShape& shape = shape_of(object);
  Elements all;
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    all.insert({curve_element::point, number(i)});
    for (const std::uint8_t type : {curve_element::in, curve_element::out})
      if (has_handle(shape, i, type)) all.insert({type, number(i)});
  }
  return all;
}

/// Of these elements, the points; those whose tangents alone are there.
struct Chosen {
  std::set<std::size_t> points;
  std::vector<std::pair<std::size_t, std::uint8_t>> handles;
  explicit Chosen(const Elements& elements) {
    for (const Element& e : elements)
      if (e.type == curve_element::point) points.insert(e.number);
    for (const Element& e : elements)
      if (e.type != curve_element::point && !points.contains(e.number)) handles.emplace_back(e.number, e.type);
  }
};

QString curve_name(const Object&, const Elements& chosen) {
  const Chosen all(chosen);
  if (all.points.empty()) return all.handles.size() == 1 ? tr("Tangent") : tr("%1 tangents").arg(all.handles.size());
  return all.points.size() == 1 ? tr("Point %1").arg(*all.points.begin() + 1) : tr("%1 points").arg(all.points.size());
}

/// Of a point that is selected, or of which a tangent is.
bool shows_handles(const ModeView& view, std::size_t i) {
  for (const std::uint8_t type : {curve_element::point, curve_element::in, curve_element::out})
    if (view.selected.count({type, number(i)})) return true;
  return false;
}

/// Calls visit(element, place of the point, place) for each tangent that is shown.
template <class Visit>
void visit_handles(const ModeView& view, const CurveShape& drawn, const Visit& visit) {
  for (std::size_t i = 0; i < drawn.points.size(); ++i) {
    if (!shows_handles(view, i)) continue;
    const CurvePoint& point = drawn.points[i];
    for (const std::uint8_t type : {curve_element::in, curve_element::out})
      if (has_handle(drawn, i, type))
        visit(Element{type, number(i)}, point.place,
              Vec3(point.place + (type == curve_element::in ? point.in : point.out)));
  }
}

void curve_shapes(const ModeView& view, ElementShapes& list) {
  const CurveShape drawn = with_tangents(shape_of(view.object));
  for (std::size_t i = 0; i < drawn.points.size(); ++i)
    list.add_point({curve_element::point, number(i)}, view.space.at(drawn.points[i].place));
  visit_handles(view, drawn, [&](Element element, const Vec3&, const Vec3& place) {
    list.add_point(element, view.space.at(place), 8);
  });
}

void draw_curve(const ModeView& view, RenderList& list) {
  const CurveShape drawn = with_tangents(shape_of(view.object));
  // What lies in the floor, or behind something, is edited too.
  DrawLines hidden = course_lines(view, curve_pieces(drawn), kHidden), seams, stems;
  visit_handles(view, drawn, [&](Element element, const Vec3& from, const Vec3& place) {
    const glm::vec4 colour = colour_of(view, element, kHandle);
    for (auto* lines : {&seams, &stems}) {
      lines->vertices.push_back({view.space.at(from), lines == &seams ? kSeam : colour});
      lines->vertices.push_back({view.space.at(place), lines == &seams ? kSeam : colour});
    }
    add_dot(list, view.space.at(place), colour, view.hovered == element ? 8.0f : 6.0f, 2.5f);
  });
  for (std::size_t i = 0; i < drawn.points.size(); ++i) {
    const Element element{curve_element::point, number(i)};
    const bool large = view.selected.count(element) != 0 || view.hovered == element;
    // The start is larger: one sees where the curve comes from.
    add_dot(list, view.space.at(drawn.points[i].place), colour_of(view, element, kPoint),
            (large ? 10.0f : 7.5f) + (i == 0 ? 2.5f : 0.0f), 3.0f);
  }
  seams.width = 3.2f;
  stems.width = 1.4f;
  add_on_top(list, {&hidden, &seams, &stems});
}

std::optional<ElementPlace> curve_place(const Object& object, const Elements& chosen, Element) {
  const CurveShape drawn = with_tangents(shape_of(object));
  const Chosen all(chosen);
  std::vector<Vec3> places;
  for (const std::size_t i : all.points)
    if (i < drawn.points.size()) places.push_back(drawn.points[i].place);
  for (const auto& [i, type] : all.handles)
    if (i < drawn.points.size())
      places.push_back(drawn.points[i].place + (type == curve_element::in ? drawn.points[i].in : drawn.points[i].out));
  if (places.empty()) return std::nullopt;
  return middle_of(places);
}

/// Tangents go with their points. One that is moved by itself is no longer automatic; of aligned ones the other stays opposite.
void move_curve(Object& object, const Elements& chosen, const ElementMotion& motion) {
  CurveShape& shape = shape_of(object);
  shape = with_tangents(shape);
  const Chosen all(chosen);
  for (const std::size_t i : all.points) {
    if (i >= shape.points.size()) continue;
    CurvePoint& point = shape.points[i];
    const Vec3 to = motion.point(point.place);
    for (Vec3* handle : {&point.in, &point.out}) *handle = motion.point(point.place + *handle) - to;
    point.place = to;
  }
  for (const auto& [i, type] : all.handles) {
    if (i >= shape.points.size()) continue;
    CurvePoint& point = shape.points[i];
    if (point.tangents == TangentKind::automatic) point.tangents = TangentKind::aligned;
    Vec3& moved = handle_of(point, type);
    moved = motion.point(point.place + moved) - point.place;
    Vec3& other = handle_of(point, type == curve_element::in ? curve_element::out : curve_element::in);
    if (point.tangents == TangentKind::aligned && moved.norm() > 0) other = -other.norm() * moved.normalized();
  }
}

/// A tangent that is deleted follows the neighbours again.
void remove_points(Object& object, const Elements& chosen) {
  CurveShape& shape = shape_of(object);
  const Chosen all(chosen);
  for (const auto& [i, type] : all.handles)
    if (i < shape.points.size()) shape.points[i].tangents = TangentKind::automatic;
  std::vector<CurvePoint> left;
  for (std::size_t i = 0; i < shape.points.size(); ++i)
    if (!all.points.contains(i)) left.push_back(shape.points[i]);
  shape.points = std::move(left);
}

// Actions -------------------------------------------------------------------------------------------------------------

QString of_curve(const ModeContext& context, const QString& step) {
  return step.arg(QString::fromStdString(context.object()->name));
}

/// Points that are selected, or whose tangents are; none: all.
std::set<std::size_t> meant_points(const ModeContext& context) {
  std::set<std::size_t> points;
  for (const Element& e : context.elements.elements()) points.insert(e.number);
  if (points.empty())
    for (std::size_t i = 0; i < shape_of(*context.object()).points.size(); ++i) points.insert(i);
  return points;
}

/// In the middle of every piece whose two ends are meant.
void subdivide(const ModeContext& context) {
  const std::set<std::size_t> meant = meant_points(context);
  (void)context.edit(of_curve(context, tr("Subdivide %1")), [&](Object& o) {
    CurveShape& shape = shape_of(o);
    const std::size_t stride = shape.kind == CurveKind::arc ? 2 : 1, n = shape.points.size();
    for (std::size_t piece = curve_pieces(shape).size(); piece-- > 0;)
      if (meant.contains(piece * stride) && meant.contains((piece + 1) * stride % n))
        shape = with_point_at(shape, {piece, 0.5});
  });
  context.elements.clear();
}

void close_curve(const ModeContext& context) {
  const bool closed = shape_of(*context.object()).closed;
  (void)context.edit(of_curve(context, closed ? tr("Open %1") : tr("Close %1")),
                     [&](Object& o) { shape_of(o).closed = !closed; });
}

void reverse(const ModeContext& context) {
  (void)context.edit(of_curve(context, tr("Reverse %1")), [](Object& o) { shape_of(o) = reversed(shape_of(o)); });
}

void space_evenly(const ModeContext& context) {
  (void)context.edit(of_curve(context, tr("Space Points of %1 Evenly")),
                     [](Object& o) { shape_of(o) = resampled(shape_of(o), shape_of(o).points.size()); });
}

template <TangentKind kind>
void set_tangents(const ModeContext& context) {
  const std::set<std::size_t> meant = meant_points(context);
  (void)context.edit(of_curve(context, tr("Tangents of %1")), [&](Object& o) {
    CurveShape& shape = shape_of(o);
    shape = with_tangents(shape);
    for (const std::size_t i : meant)
      if (i < shape.points.size()) shape.points[i].tangents = kind;
  });
}

template <CurveKind kind>
void set_kind(const ModeContext& context) {
  (void)context.edit(of_curve(context, tr("Kind of %1")), [](Object& o) { shape_of(o).kind = kind; });
}

template <CurveKind kind>
bool is_kind(const ModeContext& context) {
  return shape_of(*context.object()).kind == kind;
}

bool is_closed(const ModeContext& context) { return shape_of(*context.object()).closed; }

QString no_pieces(const ModeContext& context) {
  return shape_of(*context.object()).points.size() > 1 ? QString() : tr("The curve has one point only; N draws more.");
}

QString no_spline(const ModeContext& context) {
  return is_kind<CurveKind::spline>(context) ? QString() : tr("Only splines have tangents.");
}

constexpr ModeAction kCurveActions[] = {
    {"curve.subdivide", "&Subdivide", "divide_spring", "D",
     "A point in the middle of each piece between selected points; the course stays.", "", false, true, &subdivide,
     &no_pieces},
    {"curve.close", "&Closed", "curve_circle", "C", "The end goes on to the start, or no longer.", "", false, true,
     &close_curve, &no_pieces, &is_closed},
    {"curve.reverse", "&Reverse", "mirror", "Alt+R", "The curve goes the other way; what rides on it too.", "", false,
     true, &reverse, &no_pieces},
    {"curve.even", "Space &Evenly", "", "", "As many points, at equal distances along the curve.", "", false, false,
     &space_evenly, &no_pieces},
    {"curve.automatic", "&Automatic", "", "", "The tangents follow the neighbours.", "Tangents", true, false,
     &set_tangents<TangentKind::automatic>, &no_spline},
    {"curve.aligned", "A&ligned", "", "", "Both tangents of a point lie on one line.", "Tangents", false, false,
     &set_tangents<TangentKind::aligned>, &no_spline},
    {"curve.free", "&Free", "", "", "Each tangent by itself: a corner.", "Tangents", false, false,
     &set_tangents<TangentKind::free>, &no_spline},
    {"curve.line", "&Line", "curve_line", "", "Straight from point to point.", "Kind", false, false,
     &set_kind<CurveKind::line>, nullptr, &is_kind<CurveKind::line>},
    {"curve.arc", "A&rc", "curve_arc", "", "Circles through points 1 2 3, then 3 4 5, and so on.", "Kind", false, false,
     &set_kind<CurveKind::arc>, nullptr, &is_kind<CurveKind::arc>},
    {"curve.spline", "&Spline", "curve", "", "Smooth, with tangents.", "Kind", false, false,
     &set_kind<CurveKind::spline>, nullptr, &is_kind<CurveKind::spline>},
};

constexpr ModeTool kCurveTools[] = {
    {"curve.draw", "Draw Points", "curve", "N", "Click adds points at the end of the curve; drag pulls tangents.",
     &start_draw_curve},
};

QString curve_hint(const ModeContext& context) {
  if (context.elements.empty())
    return tr(
        "Click a point · box selects several · N draws more points · D subdivides · C closes · Tab back to objects");
  return tr("Drag or G moves points and tangents · X deletes · D subdivides · C closes · N draws more points");
}

}  // namespace

const ModeInfo& mode_curve() {
  static const ModeInfo info{
      .id = "curve",
      .title = "Curve",
      .icon = "curve",
      .tip = "Draw a curve, and move its points and tangents.",
      .order = 5,
      .panel = "properties",
      .of_curves = true,
      .why_not = &curve_why_not,
      .elements = &curve_elements,
      .name = &curve_name,
      .shapes = &curve_shapes,
      .draw = &draw_curve,
      .place = &curve_place,
      .apply = &move_curve,
      .can_turn = false,
      .remove = &remove_points,
      .actions = kCurveActions,
      .tools = kCurveTools,
      .hint = &curve_hint,
  };
  return info;
}

}  // namespace hazumi
