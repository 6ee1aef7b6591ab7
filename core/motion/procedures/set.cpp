// Any number of the scene that a run reads and keys may change (scene/derived/told_numbers.h), at once or gliding. With w, s₀ what it was told and
// the share of that as it begins, v what is asked for and x the part of the time that is over, 1 at once:
//
//   s = s₀ (1 − x) + x,   told ((1 − x) s₀ w + x v)/s by the share s, and by 1 − s what the thing says itself, with its keys
//
// A switch is what is asked for as soon as it begins. What is beyond the range of the number is its end.
#include <algorithm>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

/// Made when they are first asked for: the words are of another table.
std::span<const ParameterRow> set_rows() {
  static const ParameterRow rows[] = {
      {.name = "number",
       .label = "Number",
       .tooltip = "Which number is set.",
       .type = FieldType::choice,
       .choices = settable_words()},
      number_row("to", "To", "", "What it is set to, in the unit of the number; a switch is on from 0.5.", -1e9, 1e9,
                 1),
      number_row("duration", "In", "s", "How long it takes to glide there; 0: at once. A switch changes at once.", 0,
                 1e6, 0)};
  return rows;
}
enum SetRow : std::size_t { kSetNumber, kSetTo, kSetDuration };
enum SetMemory : std::size_t { kSetWas, kSetWasShare, kSetMemory };

void set_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  memory[kSetWas] = context.told.value;
  memory[kSetWasShare] = context.told.share;
}

void set_tell(const MotionContext& context, double past, std::span<const double> memory, NumberTold& told) {
  const auto& p = context.parameters;
  const SettableNumber& number = settable_numbers()[told.number];
  const bool begun = past > 0;
  double part = p[kSetDuration] > 0 && !number.is_switch() ? std::clamp(past / p[kSetDuration], 0.0, 1.0) : 1;
  if (!begun) part = 0;
  const double asked = number.is_switch() ? (p[kSetTo] >= 0.5 ? 1 : 0)
                                          : std::clamp(number.meant(p[kSetTo]), number.range.low, number.range.high);
  const double kept = memory[kSetWasShare] * (1 - part);
  told.share = kept + part;
  if (told.share > 0) told.value = (kept * memory[kSetWas] + part * asked) / told.share;
}

bool set_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return context.parameters[kSetDuration] <= 0 || ran_for(context, own, context.parameters[kSetDuration]);
}

}  // namespace

const ProcedureKind& procedure_set() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "set",
        "Set",
        "Sets a number of an object, a joint, a force, a field, a source or the scene, at once or gliding.",
        "set {number} of {with} to {to} in {duration}",
        "Motion",
        set_rows(),
        OtherUse::number};
    k.claim = Claim::number;
    k.stays = true;
    k.memory = kSetMemory;
    k.renews = true;
    k.begin = set_begin;
    k.tell = set_tell;
    k.over = set_over;
    k.processing = Processing::none;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
