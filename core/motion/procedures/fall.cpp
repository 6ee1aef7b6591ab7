// It flies freely until it touches something: the class of all throws (thesis figure 4.16).
#include "core/motion/falling.h"

namespace hazumi {
namespace {

constexpr ParameterRow kFallRows[] = {processing_row(0)};

Vec3 fall_pull(const MotionContext& context) {
  return context.parameters[row_of(procedure_fall(), "gain")] * context.model.gravity;
}

GeometricLaw fall_law(const MotionContext& context, const RunningProcedure&) { return falling_law(fall_pull(context)); }

void fall_direct(const MotionContext& context, const RunningProcedure&, std::span<const double>, BodyForces& forces) {
  forces.acceleration += fall_pull(context) - weight_of(context);
}

bool fall_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport& report) {
  return has_fallen(context, own, context.parameters[row_of(procedure_fall(), "duration")], report);
}

void sketch_fall(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  SketchBody falls = body;
  falls.gravity *= p[row_of(procedure_fall(), "gain")];
  if (falls.gravity.dot(body.gravity) < 0) falls.under.reset();
  if (is_geometric(procedure_fall(), p)) falls.air = nullptr;
  sketch::add_arc(falls, body.velocity, out);
}

}  // namespace

const ProcedureKind& procedure_fall() {
  static const std::vector<ParameterRow> rows =
      inherited_rows(procedure_gravity(), kFallRows,
                     {{.name = "duration", .tooltip = "How long at most; 0: until it touches something."}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"fall",
                                   "Free fall",
                                   "It flies freely on from where it is, until it touches something.",
                                   "let {of} fall freely under {gain} times gravity",
                                   "Motion",
                                   rows,
                                   OtherUse::none};
    k.parent = &procedure_gravity();
    k.noun = "a free fall";
    k.own_rows = kFallRows;
    k.claim = Claim::motion;
    k.direct = fall_direct;
    k.over = fall_over;
    k.law = fall_law;
    k.sketch = sketch_fall;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
