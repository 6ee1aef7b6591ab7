// Fades it in or out, from the opacity that it has by then: as colour.cpp.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kFadeRows[] = {
    number_row("opacity", "Opacity", "%", "0 is not seen, 100 lets nothing through.", 0, 100, 0),
    number_row("duration", "In", "s", "How long it takes; 0: at once.", 0, 1e6, 0.5)};
enum FadeRow : std::size_t { kFadeOpacity, kFadeDuration };
enum FadeMemory : std::size_t { kFadeWas, kFadeWasShare, kFadeMemory };

void fade_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  memory[kFadeWas] = context.look.opacity;
  memory[kFadeWasShare] = context.look.faded;
}

void fade_look(const MotionContext& context, double past, std::span<const double> memory, BodyLook& look) {
  const auto& p = context.parameters;
  const double part = p[kFadeDuration] > 0 ? std::clamp(past / p[kFadeDuration], 0.0, 1.0) : 1;
  const double kept = memory[kFadeWasShare] * (1 - part);
  look.faded = kept + part;
  if (look.faded > 0) look.opacity = (kept * memory[kFadeWas] + part * 0.01 * p[kFadeOpacity]) / look.faded;
}

bool fade_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return context.parameters[kFadeDuration] <= 0 || ran_for(context, own, context.parameters[kFadeDuration]);
}

}  // namespace

const ProcedureKind& procedure_fade() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "fade",    "Fade",        "Fades it in or out over a time.", "fade {of} to {opacity} in {duration}", "Look",
        kFadeRows, OtherUse::none};
    k.claim = Claim::opacity;
    k.stays = true;
    k.memory = kFadeMemory;
    k.begin = fade_begin;
    k.look = fade_look;
    k.over = fade_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
