// Its volume comes over or under a part of what it began with (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kVolumeRows[] = {
    number_row("limit", "Limit", "", "Part of the volume that it has unbent: 1 is all of it.", 0, 1000, 0.8),
    over_row(1)};

double volume_lasts(const MotionContext& context, const State& at, const EventState&) {
  const Body& body = context.of_body();
  std::vector<double> start(body.state_size());
  body.initialise(start);
  const double whole = body.observe(start).volume, now = body.observe(at.bodies[context.body].values).volume;
  return beyond(whole > 0 ? now / whole : 1, context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_volume() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"volume", "Volume", "Its volume comes over or under a part of what it began with.", "When {of} has {side} {limit} of its volume", "State", kVolumeRows, OtherUse::none};
    k.lasting = volume_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
