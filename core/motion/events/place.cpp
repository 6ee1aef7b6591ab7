// Its centre of mass comes into a region (spec 7.2).
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kPlaceRows[] = {
    number_row("x", "X", "m", "Middle of the region.", -1e6, 1e6),
    number_row("y", "Y", "m", "Middle of the region.", -1e6, 1e6),
    number_row("z", "Z", "m", "Middle of the region.", -1e6, 1e6),
    number_row("radius", "Within", "m", "How near its centre of mass must come.", 0, 1e6, 0.5)};

double place_lasts(const MotionContext& context, const State& at, const EventState&) {
  const Vec3 middle(context.parameters[0], context.parameters[1], context.parameters[2]);
  return context.parameters[3] - (centre_of(context.model, at, context.body) - middle).norm();
}

void sketch_region(std::span<const double> p, const SketchBody&, MotionSketch& out) {
  const Vec3 middle(p[0], p[1], p[2]);
  sketch::add_ball(middle, p[3], out);
  out.handles.push_back({middle, middle, "middle"});
  out.handles.push_back({middle + p[3] * Vec3::UnitX(), middle, "radius", true});
  out.notes.push_back({middle + p[3] * Vec3::UnitX(), sketch::number_text(p[3]) + " m"});
}

void drag_region(std::size_t handle, const Vec3& to, const SketchBody&, std::span<double> p) {
  if (handle == 0)
    std::copy_n(to.data(), 3, p.begin());
  else
    p[3] = std::max(to.x() - p[0], 0.0);
}

}  // namespace

const EventKind& event_place() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"place",
                                   "Place",
                                   "Its centre of mass comes into a region.",
                                   "When {of} comes within {radius} of {x}, {y}, {z}",
                                   "Place",
                                   kPlaceRows,
                                   OtherUse::none};
    k.places = MotionPlaces::xyz;
    k.lasting = place_lasts;
    k.follows = EventFollows::centre;
    k.sketch = sketch_region;
    k.drag = drag_region;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
