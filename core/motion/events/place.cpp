// Its centre of mass comes into a region (spec 7.2).
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

}  // namespace

const EventKind& event_place() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"place", "Place", "Its centre of mass comes into a region.", "When {of} comes within {radius} of {x}, {y}, {z}", "Place", kPlaceRows, OtherUse::none};
    k.lasting = place_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
