// It stays where it comes down, without bouncing.
#include "core/motion/classes.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kLandRows[] = {processing_row(0)};
enum LandRow : std::size_t { kLandRestitution, kLandFriction };

GeometricLaw land_law(const MotionContext& context, const RunningProcedure&) {
  GeometricLaw law;
  law.acceleration = weight_of(context);
  law.friction = context.parameters[kLandFriction];
  law.ground = GeometricLaw::Ground::lands;
  return law;
}

void land_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                 BodyForces& forces) {
  tell_contacts(context, own, context.parameters[kLandRestitution], context.parameters[kLandFriction], forces);
}

bool land_over(const MotionContext& context, const RunningProcedure&, std::span<double>, const StepReport& report) {
  return touches_other(context, report);
}

}  // namespace

const ProcedureKind& procedure_land() {
  static const std::vector<ParameterRow> rows = inherited_rows(
      procedure_collide(), kLandRows, {{.name = "restitution", .fallback = 0}, {.name = "friction", .fallback = 1}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"land",
                                   "Land",
                                   "It stays where it comes down, without bouncing.",
                                   "let {of} land on {with}",
                                   "Contact",
                                   rows,
                                   OtherUse::anything};
    k.parent = &procedure_collide();
    k.own_rows = kLandRows;
    k.law = land_law;
    k.claim = Claim::contact;
    k.stays = true;
    k.direct = land_direct;
    k.over = land_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
