// Another colour, from the one that it has by then. With c₀ and s₀ the colour and its share as it begins, c₁ the one that is asked for, a its share
// and x the part of the time that is over:  s = s₀ (1 − x) + a x,  c = (c₀ s₀ (1 − x) + c₁ a x)/s.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kColourRows[] = {
    number_row("red", "Red", "", "The colour that it takes.", 0, 1, 0.9),
    number_row("green", "Green", "", "The colour that it takes.", 0, 1, 0.15),
    number_row("blue", "Blue", "", "The colour that it takes.", 0, 1, 0.1),
    number_row("duration", "In", "s", "How long it takes; 0: at once.", 0, 1e6, 0.2),
    number_row("share", "Share", "%", "How much of the colour; 0 gives it its own again.", 0, 100, 100)};
enum ColourRow : std::size_t { kColourRed, kColourGreen, kColourBlue, kColourDuration, kColourShare };
enum ColourMemory : std::size_t { kColourWas, kColourWasShare = kColourWas + 3, kColourMemory };

void colour_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  std::copy_n(context.look.colour.data(), 3, memory.begin());
  memory[kColourWasShare] = context.look.coloured;
}

void colour_look(const MotionContext& context, double past, std::span<const double> memory, BodyLook& look) {
  const auto& p = context.parameters;
  const double part = p[kColourDuration] > 0 ? std::clamp(past / p[kColourDuration], 0.0, 1.0) : 1;
  const Vec3 was(memory[kColourWas], memory[kColourWas + 1], memory[kColourWas + 2]),
      asked(p[kColourRed], p[kColourGreen], p[kColourBlue]);
  const double kept = memory[kColourWasShare] * (1 - part), more = 0.01 * p[kColourShare] * part;
  look.coloured = kept + more;
  look.colour = look.coloured > 0 ? Vec3((kept * was + more * asked) / look.coloured) : asked;
}

bool colour_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return context.parameters[kColourDuration] <= 0 || ran_for(context, own, context.parameters[kColourDuration]);
}

}  // namespace

const ProcedureKind& procedure_colour() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "colour",
        "Colour",
        "Gives it another colour, at once or over a time; pictures on it keep their pattern.",
        "colour {of} {red}, {green}, {blue} in {duration}",
        "Look",
        kColourRows,
        OtherUse::none};
    k.claim = Claim::colour;
    k.stays = true;
    k.memory = kColourMemory;
    k.begin = colour_begin;
    k.look = colour_look;
    k.over = colour_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
