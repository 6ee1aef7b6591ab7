// A procedure that leads to it is over; of several the first, or all (spec 7.2).
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kWhich[] = {"any", "all"};
constexpr ParameterRow kFinishedRows[] = {
    {.name = "which",
     .label = "Which",
     .tooltip = "Whether the first of the procedures that lead to it counts, or the last.",
     .type = FieldType::choice,
     .choices = kWhich}};

std::optional<Happening> finished_happened(const MotionContext& context, double from, EventState& own,
                                           const StepReport&) {
  if (from >= 1) return std::nullopt;
  // A loop that has happened waits for what ends after that.
  const double since = std::max(own.since, own.memory);
  std::size_t over = 0;
  for (const Id source : context.sources)
    for (const EndedProcedure& ended : context.state.motion.ended)
      if (ended.box == source && ended.object == context.of_body().id && static_cast<double>(ended.substep) >= since)
        ++over;
  if (over < (context.parameters[0] != 0 ? std::max<std::size_t>(context.sources.size(), 1) : 1)) return std::nullopt;
  own.memory = static_cast<double>(context.state.substep + 1);
  return Happening{1, {}};
}

/// Nothing comes of it before something ends.
EventMargin finished_margin(const MotionContext&, const EventState&) { return {}; }

}  // namespace

const EventKind& event_finished() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"finished",
                                   "Finished",
                                   "A procedure that leads to it is over; of several the first, or all.",
                                   "When {which} that lead here are over",
                                   "Flow",
                                   kFinishedRows,
                                   OtherUse::none};
    k.happened = finished_happened;
    k.margin = finished_margin;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
