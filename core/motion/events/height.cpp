// Its centre of mass comes over or under a height (spec 7.2).
#include <algorithm>
#include <utility>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kHeightRows[] = {
    number_row("limit", "Limit", "m", "Height of its centre of mass.", -1e6, 1e6, 1), over_row(1)};

double height_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(centre_of(context.model, at, context.body).y(), context.parameters[0], context.parameters[1]);
}

/// A level square, with an arrow to the side that is waited for.
void sketch_height(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const double arm = std::max((body.high - body.low).norm(), 0.1);
  const Vec3 middle(body.centre.x(), p[0], body.centre.z());
  SketchLine line;
  for (const auto& [x, z] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}, {-1, -1}})
    line.points.push_back(middle + arm * Vec3(x, 0, z));
  out.lines.push_back(std::move(line));
  out.lines.push_back({{middle, middle + 0.5 * arm * (p[1] == 0 ? 1 : -1) * Vec3::UnitY()}, true, true});
  const Vec3 corner = middle + arm * Vec3(1, 0, 1);
  out.handles.push_back({corner, corner, "height"});
  out.notes.push_back({corner, sketch::number_text(p[0]) + " m"});
}

void drag_height(std::size_t, const Vec3& to, const SketchBody&, std::span<double> p) { p[0] = to.y(); }

}  // namespace

const EventKind& event_height() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"height",
                                   "Height",
                                   "Its centre of mass comes over or under a height.",
                                   "When {of} is {side} {limit}",
                                   "State",
                                   kHeightRows,
                                   OtherUse::none};
    k.places = MotionPlaces::height;
    k.lasting = height_lasts;
    k.follows = EventFollows::centre;
    k.sketch = sketch_height;
    k.drag = drag_height;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
