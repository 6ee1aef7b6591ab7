// A frame of the film comes; in a loop, each one (spec 7.2).
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kFrameRows[] = {{.name = "every",
                                        .label = "Every",
                                        .unit = "frames",
                                        .tooltip = "How many frames lie between two times.",
                                        .type = FieldType::integer,
                                        .low = 1,
                                        .high = 100000,
                                        .fallback = 1}};

std::optional<Happening> frame_happened(const MotionContext& context, double from, EventState&, const StepReport&) {
  // Counted from the start, so that all that wait for frames meet.
  const RunClock& clock = context.model.clock;
  const double per = context.parameters[0] / context.model.frame_rate;
  const std::int64_t now = context.state.substep;
  const double begin = now < 0 ? -clock.step() : clock.film(now), end = clock.film(now + 1);
  if (!(end > begin)) return std::nullopt;
  const double next = per * std::floor(end / per + 1e-9);
  double moment = (next - begin) / (end - begin);
  if (std::abs(moment - 1) < 1e-6) moment = 1;
  if (moment > std::max(from, 1e-6) && moment <= 1) return Happening{moment, {}};
  return std::nullopt;
}

/// The next frame that counts; one that is just over is looked at once more, since it may lie within round-off of the next sub-step.
EventMargin frame_margin(const MotionContext& context, const EventState&) {
  const RunClock& clock = context.model.clock;
  const double per = context.parameters[0] / context.model.frame_rate, now = clock.film(context.state.substep + 1),
               over = per * std::floor(now / per + 1e-9);
  EventMargin margin;
  margin.film = now > over ? over + per * (1 - 1e-6) : 0;
  return margin;
}

}  // namespace

const EventKind& event_frame() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {"frame",
                                   "Each frame",
                                   "A frame of the film comes; in a loop, each one.",
                                   "Each frame, or every {every}",
                                   "Time",
                                   kFrameRows,
                                   OtherUse::none};
    k.happened = frame_happened;
    k.margin = frame_margin;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
