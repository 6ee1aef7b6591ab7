// What kinds of events and procedures look at: a body's place and motion in a state of a run. World axes, SI.
#pragma once

#include "core/motion/kinds.h"

namespace hazumi {

Vec3 centre_of(const Model& model, const State& state, std::size_t body);    ///< m, centre of mass
Vec3 velocity_of(const Model& model, const State& state, std::size_t body);  ///< m/s, of it
/// rad/s; of what deforms that of a rigid body with its nodes' angular momentum; of a point 0.
Vec3 spin_of(const Model& model, const State& state, std::size_t body);
/// m/s: √(2 E/m), so that what turns or trembles is not at rest.
double liveliness(const Model& model, const State& state, std::size_t body);
/// m, to the nearest of the others, from centre to centre; none: infinite.
double distance_to(const MotionContext& context, const State& state);

/// One of the others touches it in the sub-step that was; which one.
std::optional<Id> touched_other(const MotionContext& context, const StepReport& report);
inline bool touches_other(const MotionContext& context, const StepReport& report) {
  return touched_other(context, report).has_value();
}
/// Collisions of its body that began, in order, and what is to be added to their moments (HitIndex::Hit::order).
template <class Visit>
void each_hit(const MotionContext& context, const StepReport& report, const Visit& visit) {
  if (context.hits) {
    for (const HitIndex::Hit& hit : context.hits->of(static_cast<std::uint32_t>(context.body)))
      visit(*hit.contact, hit.order);
    return;
  }
  const Id id = context.of_body().id;
  double order = 0;
  for (const ContactEvent& contact : report.contacts) {
    order += HitIndex::kApart;
    if (contact.a == id || contact.b == id) visit(contact, order);
  }
}
/// A procedure that has run so long, s, with the sub-step that was; 0: never.
bool ran_for(const MotionContext& context, const RunningProcedure& own, double duration);
/// s of the film as that much of the run is over, in sub-steps; before its start it goes back evenly.
double film_at(const RunClock& clock, double substep);
/// Where its object is, in seven doubles of a procedure's memory.
void keep_pose(const MotionContext& context, std::span<double> memory);
Pose kept_pose(std::span<const double> memory);
/// Tells it of its contacts with each of the others, or with all.
void tell_contacts(const MotionContext& context, ContactTold told, BodyForces& forces);
void tell_contacts(const MotionContext& context, const RunningProcedure& own, double restitution, double friction,
                   BodyForces& forces);

/// m/s², gravity that acts on it.
Vec3 weight_of(const MotionContext& context);

constexpr ParameterRow number_row(std::string_view name, std::string_view label, std::string_view unit,
                                  std::string_view tooltip, double low, double high, double fallback = 0) {
  return {
      .name = name, .label = label, .unit = unit, .tooltip = tooltip, .low = low, .high = high, .fallback = fallback};
}
inline constexpr double kFastestTurn = radians(6e6);  ///< rad/s, that a parameter may say
constexpr ParameterRow duration_row(std::string_view tooltip, double fallback) {
  return number_row("duration", "For", "s", tooltip, 0, 1e6, fallback);
}

/// Over or under, as a number of a choice: the sign of what is asked for.
inline constexpr std::string_view kOverUnder[] = {"over", "under"};
constexpr ParameterRow over_row(double fallback) {
  return {.name = "side",
          .label = "Side",
          .tooltip = "Whether it happens when the value comes over the limit, or under it.",
          .type = FieldType::choice,
          .choices = kOverUnder,
          .fallback = fallback};
}
constexpr double beyond(double value, double limit, double side) { return side == 0 ? value - limit : limit - value; }

}  // namespace hazumi
