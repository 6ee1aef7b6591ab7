// Gives particles of a source at once, where it is, or where it hit something: a splash, dust, sparks. The source's own place does not count: it
// is put there, its axis along the normal, which points from what was hit to it; of nothing hit upwards, against gravity. Or it is where it is.
// Copies of an object are put beside what was hit and what hits it (sim/particles/copies.h).
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr std::string_view kWhere[] = {"hit", "centre", "source"};
constexpr double kAtSource = 2;

constexpr ParameterRow kEmitRows[] = {
    {.name = "count",
     .label = "Count",
     .tooltip = "How many are born.",
     .type = FieldType::integer,
     .low = 0,
     .high = 1e6,
     .fallback = 100},
    {.name = "where",
     .label = "Where",
     .tooltip = "Where it hit what the event is about, or its centre; without a hit its centre. Or where the source is "
                "itself.",
     .type = FieldType::choice,
     .choices = kWhere},
    number_row("speed", "Its speed", "", "The part of its own velocity that they have besides theirs.", -10, 10)};

enum EmitMemory { kEmitPlace, kEmitAxis = 3, kEmitVelocity = 6, kEmitBeside = 9, kEmitThickness, kEmitDoubles };

void keep(const Vec3& v, std::span<double> memory, std::size_t at) {
  for (std::size_t k = 0; k < 3; ++k) memory[at + k] = v[static_cast<Eigen::Index>(k)];
}
Vec3 kept(std::span<const double> memory, std::size_t at) { return {memory[at], memory[at + 1], memory[at + 2]}; }

void emit_begin(const MotionContext& context, RunningProcedure&, std::span<double> memory) {
  const Vec3& gravity = context.model.gravity;
  Vec3 place = centre_of(context.model, context.state, context.body);
  Vec3 axis = gravity.norm() > 0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitY());
  if (const ContactEvent* hit = context.hit; hit && context.parameters[1] == 0) {
    place = hit->point;
    const bool first = hit->a == context.of_body().id;
    axis = first ? hit->normal : Vec3(-hit->normal);
    memory[kEmitBeside] = 1;
    if (const Body* what = context.model.bodies.find(first ? hit->b : hit->a))
      memory[kEmitThickness] = what->proxy.thickness;
  }
  keep(place, memory, kEmitPlace);
  keep(axis, memory, kEmitAxis);
  keep(context.parameters[2] * velocity_of(context.model, context.state, context.body), memory, kEmitVelocity);
}

void emit_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double> memory,
                 BodyForces& forces) {
  if (own.start != context.state.substep) return;
  forces.emits.push_back({context.thing, kept(memory, kEmitPlace), kept(memory, kEmitAxis), kept(memory, kEmitVelocity),
                          static_cast<std::uint64_t>(context.parameters[0]), memory[kEmitBeside] != 0,
                          memory[kEmitThickness], context.parameters[1] == kAtSource});
}

bool emit_over(const MotionContext&, const RunningProcedure&, std::span<double>, const StepReport&) { return true; }

}  // namespace

const ProcedureKind& procedure_emit() {
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {
        "emit",
        "Emit",
        "Gives particles or copies of a source at once: where it hit something, at its centre, or where the source is.",
        "emit {count} of {with} from {of}",
        "Show",
        kEmitRows,
        OtherUse::source};
    k.emits = true;
    k.memory = kEmitDoubles;
    k.begin = emit_begin;
    k.direct = emit_direct;
    k.over = emit_over;
    k.processing = Processing::none;
    k.at_once = true;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
