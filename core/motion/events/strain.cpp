// What it is stretched or squashed by comes over or under a limit (spec 7.2).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kStrainRows[] = {
    number_row("limit", "Limit", "", "Largest strain of its springs: 0.1 is a tenth longer or shorter.", 0, 100, 0.1),
    over_row(0)};

double strain_lasts(const MotionContext& context, const State& at, const EventState&) {
  const Observables seen = context.of_body().observe(at.bodies[context.body].values);
  return beyond(seen.max_strain, context.parameters[0], context.parameters[1]);
}

}  // namespace

const EventKind& event_strain() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"strain", "Strain", "What it is stretched or squashed by comes over or under a limit.", "When {of} is strained {side} {limit}", "State", kStrainRows, OtherUse::none};
    k.lasting = strain_lasts;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
