// A time comes (spec 7.2).
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kFrom[] = {"start", "armed"};
constexpr ParameterRow kTimeRows[] = {
    number_row("time", "Time", "s", "When it happens, of the film; less than 0: it is over as the film begins.", -1e6,
               1e6),
    {.name = "from",
     .label = "From",
     .tooltip = "Whether the time is counted from the start, or from when the event was armed.",
     .type = FieldType::choice,
     .choices = kFrom}};

std::optional<Happening> time_happened(const MotionContext& context, double from, EventState& own, const StepReport&) {
  const RunClock& clock = context.model.clock;
  const auto film = [&](double substep) { return film_at(clock, substep); };
  const double wanted = context.parameters[0] + (context.parameters[1] != 0 ? film(own.since) : 0);
  if (wanted < 0 && own.since <= 0) return std::nullopt;
  const auto now = static_cast<double>(context.state.substep);
  const double begin = film(now), end = film(now + 1);
  if (!(end > begin)) return std::nullopt;
  double moment = (wanted - begin) / (end - begin);
  if (std::abs(moment - 1) < 1e-6) moment = 1;  // by how sub-steps are added up
  // What lay before it was armed is made up for at once: at the first moment that it looks at.
  if (moment <= from && own.since <= now && from == 0) moment = 1e-9;
  if (moment > from && moment <= 1) return Happening{moment, {}};
  return std::nullopt;
}

EventMargin time_margin(const MotionContext& context, const EventState& own) {
  EventMargin margin;
  const double wanted =
      context.parameters[0] + (context.parameters[1] != 0 ? film_at(context.model.clock, own.since) : 0);
  margin.film = std::max(wanted, 0.0);
  return margin;
}

}  // namespace

const EventKind& event_time() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"time", "Time",    "A time comes.", "When it is {time} from the {from}",
                                   "Time", kTimeRows, OtherUse::none};
    k.happened = time_happened;
    k.margin = time_margin;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
