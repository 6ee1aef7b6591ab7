// What free falls have in common: thrown or not, they fly under gravity as they say until they touch something.
#pragma once

#include "core/motion/classes.h"
#include "core/motion/geometric.h"
#include "core/motion/sight.h"

namespace hazumi {

/// Number of a row that is there.
inline std::size_t row_of(const ProcedureKind& kind, std::string_view name) {
  std::size_t at = 0;
  while (kind.parameters[at].name != name) ++at;
  return at;
}

inline GeometricLaw falling_law(const Vec3& acceleration) {
  GeometricLaw law;
  law.acceleration = acceleration;
  law.flies = law.at_once = true;
  return law;
}

/// `duration` s are over, 0: never; or it has come down. What it touches as it starts it leaves within two sub-steps, or it lies on it.
inline bool has_fallen(const MotionContext& context, const RunningProcedure& own, double duration,
                       const StepReport& report) {
  return ran_for(context, own, duration) ||
         (context.state.substep >= own.start + 2 && touches_anything(context, report));
}

}  // namespace hazumi
