// Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.
#include <algorithm>

#include "core/motion/falling.h"

namespace hazumi {

const ProcedureKind& procedure_throw();

namespace {

constexpr ParameterRow kThrowRows[] = {
    number_row("x", "X", "m/s", "Velocity, world axes.", -1e5, 1e5),
    number_row("y", "Y", "m/s", "Velocity, world axes.", -1e5, 1e5, 4),
    number_row("z", "Z", "m/s", "Velocity, world axes.", -1e5, 1e5),
    {.name = "added",
     .label = "On top",
     .tooltip = "The velocity comes on top of the one that it has.",
     .type = FieldType::boolean},
    {.name = "spins", .label = "With spin", .tooltip = "It is given a spin, too.", .type = FieldType::boolean},
    number_row("sx", "Spin X", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn),
    number_row("sy", "Spin Y", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn),
    number_row("sz", "Spin Z", "°/s", "How fast it turns, world axes.", -kFastestTurn, kFastestTurn)};

double throw_gain(std::span<const double> p) { return p[row_of(procedure_throw(), "gain")]; }

/// With gravity as it is the throw itself is all that there is to do.
bool flies_on(const MotionContext& context) {
  return throw_gain(context.parameters) != 1 || follows_path(procedure_throw(), context);
}

GeometricLaw throw_law(const MotionContext& context, const RunningProcedure&) {
  return falling_law(throw_gain(context.parameters) * weight_of(context));
}

void throw_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                  BodyForces& forces) {
  const auto& p = context.parameters;
  if (throw_gain(p) != 1) forces.acceleration += (throw_gain(p) - 1) * weight_of(context);
  if (own.start != context.state.substep) return;
  Vec3 change(p[0], p[1], p[2]);
  if (p[3] == 0) change -= velocity_of(context.model, context.state, context.body);
  forces.kick += change;
  if (p[4] != 0) forces.kick_turn += Vec3(p[5], p[6], p[7]) - spin_of(context.model, context.state, context.body);
}

bool throw_over(const MotionContext& context, const RunningProcedure& own, std::span<double>,
                const StepReport& report) {
  return !flies_on(context) ||
         has_fallen(context, own, context.parameters[row_of(procedure_throw(), "duration")], report);
}

void sketch_throw(std::span<const double> p, const SketchBody& body, MotionSketch& out) {
  const Vec3 velocity(p[0], p[1], p[2]);
  SketchBody thrown = body;
  thrown.gravity *= throw_gain(p);
  if (thrown.gravity.dot(body.gravity) < 0) thrown.under.reset();
  if (is_geometric(procedure_throw(), p)) thrown.air = nullptr;
  sketch::add_arc(thrown, p[3] != 0 ? Vec3(velocity + body.velocity) : velocity, out);
  sketch::add_arrow(body.centre, sketch::kArrowTime * velocity, "velocity", out);
  out.notes.push_back({body.centre + sketch::kArrowTime * velocity, sketch::number_text(velocity.norm()) + " m/s"});
}

void drag_throw(std::size_t, const Vec3& to, const SketchBody& body, std::span<double> p) {
  const Vec3 velocity = (to - body.centre) / sketch::kArrowTime;
  std::copy_n(velocity.data(), 3, p.begin());
}

}  // namespace

const ProcedureKind& procedure_throw() {
  static const std::vector<ParameterRow> rows = inherited_rows(
      procedure_fall(), kThrowRows,
      {{.name = "duration",
        .tooltip = "How long it flies at most where its gravity or its path is told; 0: until it touches "
                   "something."}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "throw",
        "Throw",
        "Sends it off at a velocity; what turns or trembles goes on doing so, unless it is given a spin.",
        "throw {of} at {x}, {y}, {z}",
        "Motion",
        rows,
        OtherUse::none};
    k.parent = &procedure_fall();
    k.own_rows = kThrowRows;
    k.law = throw_law;
    k.claim = Claim::motion;
    k.direct = throw_direct;
    k.over = throw_over;
    k.sketch = sketch_throw;
    k.drag = drag_throw;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
