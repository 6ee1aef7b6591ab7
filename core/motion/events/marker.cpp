// The film comes to a marker, or to another one of its name. A key or a mouse button sets them while it plays (ui/model/presses.h), so what a person did live is
// in the scene, and the same every time (spec 7.2: key or mouse button during live preview).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kKeys[] = {
    "none", "1", "2", "3", "4", "5", "6", "7", "8", "9", "left button", "middle button", "right button"};
constexpr ParameterRow kMarkerRows[] = {
    {.name = "key",
     .label = "Key",
     .tooltip =
         "While it plays, this key, or this mouse button in the view, sets another marker of that name at the frame "
         "that is shown.",
     .type = FieldType::choice,
     .choices = kKeys},
    {.name = "over",
     .label = "Over it",
     .tooltip = "A mouse button counts only over what the box is of; otherwise anywhere in the view.",
     .type = FieldType::boolean}};

std::optional<Happening> marker_happened(const MotionContext& context, double from, EventState&, const StepReport&) {
  constexpr double kRounded = 1e-6;  // by how sub-steps are added up
  const RunClock& clock = context.model.clock;
  const auto now = static_cast<double>(context.state.substep);
  const double begin = film_at(clock, now), end = film_at(clock, now + 1);
  if (!(end > begin)) return std::nullopt;
  for (const double wanted : context.moments) {
    double moment = (wanted - begin) / (end - begin);
    if (moment < kRounded) continue;  // the end of the sub-step before
    if (std::abs(moment - 1) < kRounded) moment = 1;
    if (moment > 1) break;
    if (moment > from) return Happening{moment, {}};
  }
  return std::nullopt;
}

EventMargin marker_margin(const MotionContext& context, const EventState&) {
  const double now = context.model.clock.film(context.state.substep + 1);
  EventMargin margin;
  for (const double wanted : context.moments)
    if (wanted >= now) {
      margin.film = wanted;
      break;
    }
  return margin;
}

}  // namespace

const EventKind& event_marker() {
  static const EventKind kind = [] {
    EventKind k;
    static_cast<MotionKind&>(k) = {
        "marker",
        "Marker",
        "The film comes to a marker, or to another one of its name; a key or a mouse button sets them while it plays.",
        "When the film comes to {with}",
        "Time",
        kMarkerRows,
        OtherUse::marker};
    k.happened = marker_happened;
    k.margin = marker_margin;
    k.repeats = true;
    k.live = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
