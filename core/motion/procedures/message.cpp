// Sends a number to another object, whose events may wait for it.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kMessageRows[] = {{.name = "number",
                                          .label = "Number",
                                          .tooltip = "The number that is sent.",
                                          .type = FieldType::integer,
                                          .low = 0,
                                          .high = 1000000,
                                          .fallback = 1}};

bool message_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_message() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"message",
                                   "Send",
                                   "Sends a number to another object, whose events may wait for it.",
                                   "send {number} to {with}",
                                   "Flow",
                                   kMessageRows,
                                   OtherUse::anything};
    k.sends = true;
    k.over = message_over;
    k.processing = Processing::none;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
