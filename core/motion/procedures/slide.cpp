// It slides along something, for a time or for good.
#include "core/motion/classes.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {
namespace {

constexpr ParameterRow kSlideRows[] = {duration_row("How long; 0: for good.", 0), processing_row(0)};
enum SlideRow : std::size_t { kSlideDuration, kSlideRestitution, kSlideFriction };

GeometricLaw slide_law(const MotionContext& context, const RunningProcedure&) {
  GeometricLaw law;
  law.acceleration = weight_of(context);
  law.friction = context.parameters[kSlideFriction];
  law.ground = GeometricLaw::Ground::slides;
  return law;
}

void slide_direct(const MotionContext& context, const RunningProcedure& own, std::span<const double>,
                  BodyForces& forces) {
  tell_contacts(context, own, context.parameters[kSlideRestitution], context.parameters[kSlideFriction], forces);
}

bool slide_over(const MotionContext& context, const RunningProcedure& own, std::span<double>, const StepReport&) {
  return ran_for(context, own, context.parameters[kSlideDuration]);
}

}  // namespace

const ProcedureKind& procedure_slide() {
  static const std::vector<ParameterRow> rows = inherited_rows(
      procedure_collide(), kSlideRows, {{.name = "restitution", .fallback = 0}, {.name = "friction", .fallback = 0}});
  static const ProcedureKind kind = [] {
    ProcedureKind k;
    static_cast<MotionKind&>(k) = {"slide",
                                   "Slide",
                                   "It slides along something, for a time or for good.",
                                   "let {of} slide along {with} with friction {friction}",
                                   "Contact",
                                   rows,
                                   OtherUse::anything};
    k.parent = &procedure_collide();
    k.noun = "a slide";
    k.own_rows = kSlideRows;
    k.law = slide_law;
    k.claim = Claim::contact;
    k.direct = slide_direct;
    k.over = slide_over;
    return k;
  }();
  return kind;
}

}  // namespace hazumi
