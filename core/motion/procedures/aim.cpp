// Throws it so that its centre comes to a target: after a time, or as gently as it can.
#include <algorithm>
#include <cmath>

#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kAimRows[] = {
    number_row("x", "X", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    number_row("y", "Y", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    number_row("z", "Z", "m", "Target, where nothing else is picked; else from the centre of that.", -1e6, 1e6),
    duration_row("How long it flies; 0: as gently as it can.", 1)};

// Without drag x(T) = x + v T + g T²/2; the least speed for a way d under gravity g has T² = 2 |d|/|g|.
void aim_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  const auto& p = context.parameters;
  Vec3 target(p[0], p[1], p[2]);
  if (!context.anything && !context.others.empty()) target += centre_of(context.model, context.state, context.others[0]);
  const Vec3 way = target - centre_of(context.model, context.state, context.body);
  const Vec3 g = weight_of(context);
  double time = p[3];
  if (!(time > 0)) time = g.norm() > 0 ? std::sqrt(2 * way.norm() / g.norm()) : 1;
  time = std::max(time, context.model.step);
  const Vec3 wanted = way / time - 0.5 * time * g;
  forces.kick += wanted - velocity_of(context.model, context.state, context.body);
}

bool aim_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_aim() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"aim", "Throw at", "Throws it so that its centre comes to a target: after a time, or as gently as it can.", "throw {of} at {with}, there after {duration}", "Motion", kAimRows, OtherUse::anything};
    k.claim = Claim::motion;
    k.direct = aim_direct;
    k.over = aim_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
