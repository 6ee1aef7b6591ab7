// It passes through something, for a time and until it is out of it.
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kPassRows[] = {
    duration_row("How long at least; 0: for good.", 0.5)};

void pass_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>, BodyForces& forces) {
  ContactTold told;
  told.since = own.start;
  told.pass = true;
  tell_contacts(context, told, forces);
}

bool pass_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport& report) {
  const double wanted = context.parameters[0];
  if (!(wanted > 0) || context.time(static_cast<double>(context.state.substep + 1 - own.start)) < wanted - 1e-9)
    return false;
  const Id id = context.of_body().id;
  for (const auto& [a, b] : report.passing)
    if ((a == id || b == id) && context.is_other(a == id ? b : a)) return false;
  return true;
}

}  // namespace

const ProcedureKind& procedure_pass() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"pass", "Break through", "It passes through something, for a time and until it is out of it.", "let {of} pass through {with} for {duration}", "Contact", kPassRows, OtherUse::anything};
    k.claim = Claim::contact;
    k.direct = pass_direct;
    k.over = pass_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
