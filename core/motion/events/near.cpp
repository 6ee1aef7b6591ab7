// How far it is from something comes over or under a limit (spec 7.2).
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kNearRows[] = {
    number_row("limit", "Limit", "m", "Distance from centre to centre; of several, of the nearest.", 0, 1e6, 1),
    over_row(1)};

double near_lasts(const MotionContext& context, const State& at, const EventState&) {
  return beyond(distance_to(context, at), context.parameters[0], context.parameters[1]);
}

/// Around what it is about; of several nothing, since it is the nearest that counts.
void sketch_near(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  if (!body.other) return;
  sketch::add_ball(*body.other, p[0], out);
  out.handles.push_back({*body.other + p[0] * Vec3::UnitX(), *body.other, "distance", true});
  out.notes.push_back({*body.other + p[0] * Vec3::UnitX(), sketch::number_text(p[0]) + " m"});
}

void drag_near(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  if (body.other) p[0] = std::max(to.x() - body.other->x(), 0.0);
}

}  // namespace

const EventKind& event_near() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"near",
                                   "Distance",
                                   "How far it is from something comes over or under a limit.",
                                   "When {of} is {side} {limit} from {with}",
                                   "Place",
                                   kNearRows,
                                   OtherUse::thing};
    k.lasting = near_lasts;
    k.follows = EventFollows::distance;
    k.sketch = sketch_near;
    k.drag = drag_near;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
